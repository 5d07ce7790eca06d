/** A page that is named by its address, read by the first reader that can. */
import { Effect, Schema } from "effect"
import { PageUnreadable } from "../../contract/PublicFailure.ts"
import * as Page from "../../domain/page/Page.ts"
import { originOf } from "../../domain/page/Page.ts"
import { isOfficial, type WebAddress } from "../../domain/search/WebAddress.ts"
import { DocumentDate } from "../../domain/store/Entry.ts"
import { materialCharsMax, type WebMaterial } from "../../domain/store/Material.ts"
import { Limits } from "../ports/Limits.ts"
import { PageReaders, type PageText } from "../ports/PageReader.ts"
import { EngineFailed } from "../ports/Rungs.ts"
import { Sites } from "../ports/Sites.ts"
import type { Told } from "./CollectEvidence.ts"

/** A page as material for the evidence store, and facts about its reading. */
export interface PageRead {
  readonly material: typeof WebMaterial.Type
  readonly told: Told
}

/** Reads one page. Only readers that fetch are asked: there is no snippet to fall back on. */
export const readPage = Effect.fn("ReadPage.readPage")(function*(asked: WebAddress) {
  const { preferred } = yield* PageReaders
  const { readTimeoutMs } = yield* Limits
  const { siteOf } = yield* Sites
  let reason = "not_configured"
  for (const { info: { engine }, read } of preferred) {
    const wanted = { url: asked.href, content: "", textCharsMax: materialCharsMax }
    const page = yield* read(wanted).pipe(
      Effect.timeoutOrElse({
        duration: readTimeoutMs,
        orElse: () => Effect.fail(new EngineFailed({ engine, reason: "timeout" }))
      }),
      Effect.catch((failed) => Effect.succeed(failed))
    )
    if (page === undefined) {
      reason = "empty"
      continue
    }
    if ("_tag" in page) {
      reason = page.detail ?? page.reason
      continue
    }
    return pageOf(asked, page, siteOf)
  }
  return yield* new PageUnreadable({ url: asked.href, reason })
})

const pageOf = (
  { host, href }: WebAddress,
  page: PageText,
  siteOf: (host: string) => string
): PageRead => {
  const hit = { url: href, site: siteOf(host), official: isOfficial(host) }
  const { hit_url, official, url } = originOf(hit, page, siteOf)
  const { modified_date, published_date, removed_chars_count, text, title = url, truncated } = page
  return {
    material: {
      source_type: "web_search",
      source_url: url,
      title: Page.clean(title, url),
      text,
      ...(isDate(published_date) ? { published_date } : {}),
      ...(isDate(modified_date) ? { modified_date } : {})
    },
    told: {
      ...(hit_url === undefined ? {} : { asked_url: hit_url }),
      ...(official ? { official } : {}),
      ...(truncated === undefined ? {} : { truncated }),
      ...(removed_chars_count === undefined ? {} : { removed_chars_count })
    }
  }
}

const isDate = Schema.is(DocumentDate)
