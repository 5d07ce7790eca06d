/** Jina's Reader as a page reader: a URL in, the page's text out. */
import { fieldAt, isoDate, isoDay, textAt } from "@web-grounding/dialects/Dialect"
import * as Jina from "@web-grounding/dialects/Jina"
import { chunksOfText } from "@web-grounding/language/Chunking"
import * as Sentences from "@web-grounding/language/Sentences"
import {
  convertedType,
  type ExtractedPage,
  type ExtractionReason
} from "@web-grounding/pages/ExtractedPage"
import type { PageExtraction } from "@web-grounding/pages/PageExtraction"
import { isPartial, noPageOf } from "@web-grounding/pages/PageGate"
import { isPublic, isPublicName, parseTarget } from "@web-grounding/safe-fetch/Network"
import { Effect, Option, Result } from "effect"
import { isIP } from "node:net"
import type { Engine, EngineFailed, PageText, Readable } from "../../application/ports/Engines.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { EngineDetail } from "../../domain/session/EngineDetail.ts"
import * as JinaClient from "./JinaClient.ts"

/** Most tokens of a page; Jina trims longer pages and charges by it. */
export const tokensMax = 20_000
const bodyBytesMax = 4 * 1024 * 1024
/** Milliseconds of an attempt's time reserved for the network and for reading the Markdown. */
const reservedMs = 3_000
const readingMsMax = 2_000

interface JinaPageReaderOptions extends JinaClient.JinaOptions {
  /** Milliseconds for an attempt, so that Jina gives up before we do. At least 1,000. */
  readonly timeoutMs: number
  readonly isHostAllowed: (host: string) => boolean
  /** Reads the Markdown in a sealed process, where fetched pages are read too. */
  readonly pages: PageExtraction
  /** Least length of a closed passage, in UTF-16 code units. Default: 800. */
  readonly chunkCharsMin?: number
}

/**
 * Whether a host, by name or number, is on the public internet: private host names must not leave.
 */
export const isPublicHost = (host: string): boolean =>
  isIP(host) === 0 ? isPublicName(host) : isPublic(host)

export const make = (options: JinaPageReaderOptions): Engine<"reader"> => ({
  info: { engine: JinaClient.engine, version: "1", upstream: "jina reader" },
  ask: Effect.fn("JinaPageReader.read")(function*(
    { chunkCharsMin = options.chunkCharsMin, url }: Readable
  ) {
    const citable = plainAddress(options.isHostAllowed)
    yield* citable(url)
    yield* options.pages.warm
    const body = yield* JinaClient.askJina(options, {
      path: Jina.readerPath,
      headers: Jina.readerHeaders({ tokensMax, seconds: secondsOf(options.timeoutMs) }),
      body: { url },
      bodyBytesMax
    })
    const data = yield* dataOf(body)
    const address = yield* citable(data.url || url)
    const extracted = yield* Effect.mapError(
      options.pages.extractPage({
        body: new TextEncoder().encode(Sentences.cut(data.content, markdownCharsMax)),
        contentType: convertedType,
        url: address.href
      }).pipe(
        Effect.timeoutOrElse({
          duration: readingMsMax,
          orElse: () => Effect.fail({ reason: "timeout" as const })
        })
      ),
      ({ reason }) => JinaClient.failed(faultOf(reason))
    )
    const page = yield* pageOf(extracted, data, chunkCharsMin)
    return { ...page, ...(address.href === url ? {} : { address }) }
  })
})

/** Canonical form of a URL that may be read and cited. */
const plainAddress = (isHostAllowed: (host: string) => boolean) => (url: string) => {
  const target = parseTarget(url)
  const address = Option.filter(
    WebAddress.canonical(url),
    () => Result.isSuccess(target) && isHostAllowed(target.success.host)
  )
  return Effect.mapError(
    Effect.fromOption(address),
    () => JinaClient.failed({ reason: "refused", detail: "address_not_public" })
  )
}

const secondsOf = (timeoutMs: number): number =>
  Math.max(1, Math.trunc((timeoutMs - reservedMs) / 1_000))

// Decodes the Reader's answer: a page's text, or why there is none in spite of status 200.

const titleCharsMax = 500
/** Longest Markdown read, in UTF-16 code units. */
const markdownCharsMax = 400_000

const dataOf = Effect.fnUntraced(function*(body: string) {
  const data = yield* Effect.mapError(
    Effect.fromOption(Jina.pageOf(body)),
    () => JinaClient.failed(JinaClient.badBody)
  )
  const refusal = refusalOf(data)
  return refusal === undefined
    ? data
    : yield* JinaClient.failed({ reason: "refused", detail: refusal })
})

/** A page that is slow to read here is not reported as Jina's timeout, which would rest Jina. */
const faultOf = (reason: ExtractionReason): JinaClient.JinaFault => ({
  reason: reason === "no_text" || reason === "resting" ? "refused" : "malformed",
  detail: reason === "timeout" ? "extraction" : reason
})

const pageOf = (
  page: ExtractedPage,
  data: Jina.Page,
  chunkCharsMin: number | undefined
): Effect.Effect<PageText, EngineFailed> => {
  const title = Sentences.clean(data.title ?? "")
  const fault = noPageOf({ title: title.text, text: page.text })
  if (fault !== undefined) {
    return JinaClient.failed({
      reason: fault === "garbled" ? "malformed" : "refused",
      detail: fault
    })
  }
  const isCut = data.content.length > markdownCharsMax || page.truncated === true
  return Effect.succeed({
    reader: "jina",
    ...detailOf(data),
    ...titleOf(title.text),
    ...datesOf(data),
    ...languageOf(data),
    ...(isCut || tokensOf(data) >= tokensMax || isPartial(page.text) ? { truncated: true } : {}),
    text: page.text,
    chunks: chunksOfText(page.text, page.headings, chunkCharsMin),
    headings: page.headings,
    removed_chars_count: page.removed_chars_count + title.removedCount
  })
}

/** The page's own server refused, or required a human: the text is not the page's. */
const refusalOf = ({ httpStatus, warning }: Jina.Page): EngineDetail | undefined => {
  const stated = /\bTarget URL returned error (\d{3})\b/.exec(warning ?? "")?.[1]
  if (stated !== undefined) return `http_${Number(stated)}`
  if (typeof httpStatus === "number" && httpStatus >= 400 && httpStatus < 600) {
    return `http_${Math.trunc(httpStatus)}`
  }
  return /\bCAPTCHA\b/i.test(warning ?? "") ? "captcha" : undefined
}

/** Harmless warnings, matched by their text; the text may be the page's own. */
const warnings: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bcached snapshot\b/i, "cached_snapshot"],
  [/\b(?:iframe|shadow dom)\b/i, "parts_hidden"],
  [/\b(?:not yet fully loaded|timed? ?out|timeout)\b/i, "partly_loaded"]
]

const detailOf = ({ warning }: Jina.Page): Pick<PageText, "detail"> => {
  const stated = warning?.trim() ?? ""
  if (stated === "") return {}
  const known = warnings.find(([form]) => form.test(stated))
  return { detail: known?.[1] ?? "unknown_warning" }
}

const titleOf = (title: string): Pick<PageText, "title"> => {
  const line = Sentences.cut(title.replace(/\s+/g, " ").trim(), titleCharsMax).trim()
  return line === "" ? {} : { title: line }
}

/** Without a date Jina returns `Last-Modified`, which is no publication date. */
const datesOf = (page: Jina.Page): Pick<PageText, "published_date" | "modified_date"> => {
  const stated = textAt(page, "publishedTime")
  const published = Option.getOrUndefined(isoDay(stated))
  const modified = ["article:modified_time", "og:updated_time"]
    .map((name) => isoDate(textAt(page.metadata, name)))
  const header = published === undefined ? isoDate(stated) : Option.none()
  return asGiven({
    published_date: published,
    modified_date: Option.getOrUndefined(Option.firstSomeOf([...modified, header]))
  })
}

/** BCP 47 language; absent if the answer has none. */
const languageOf = ({ metadata }: Jina.Page): Pick<PageText, "language"> => {
  const stated = textAt(metadata, "lang").trim()
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(stated) ? { language: stated } : {}
}

/** Tokens reported by the answer; 0 if none. */
const tokensOf = ({ usage }: Jina.Page): number => {
  const tokens = fieldAt(usage, "tokens")
  return typeof tokens === "number" ? tokens : 0
}
