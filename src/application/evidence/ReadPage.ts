/** A page that is named by its address, read by the first reader that can. */
import { Effect } from "effect"
import type { WebMaterial } from "../../domain/store/Material.ts"
import { Limits } from "../ports/Limits.ts"
import { PageReaders } from "../ports/PageReader.ts"
import { EngineFailed } from "../ports/Rungs.ts"
import { PageUnreadable } from "./EvidenceFailure.ts"

/** `url`: canonical. Only readers that fetch are asked: there is no snippet to fall back on. */
export const readPage = Effect.fn("ReadPage.readPage")(function*(url: string) {
  const { preferred } = yield* PageReaders
  const { readTimeoutMs } = yield* Limits
  let reason = "not_configured"
  for (const { info: { engine }, read } of preferred) {
    const page = yield* read({ url, content: "" }).pipe(
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
    const { text, title = url } = page
    const material: typeof WebMaterial.Type = {
      source_type: "web_search",
      source_url: url,
      title,
      text
    }
    return material
  }
  return yield* new PageUnreadable({ url, reason })
})
