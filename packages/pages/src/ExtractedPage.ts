/** Result of extracting a fetched page: its main text and metadata. */
import * as Sentences from "@web-grounding/language/Sentences"
import { Effect, Schema } from "effect"
import { NoPage } from "./PageGate.ts"
import type { Frame } from "./sealed/SealedWork.ts"
import type { TextBlock } from "./TextBlocks.ts"

/** Longest extracted text, in UTF-16 code units. A longer one is cut and marked `truncated`. */
export const textCharsMax = 1_000_000
/** Longest title, in UTF-16 code units. */
export const titleCharsMax = 500
const headingsMax = 1_000
export const linksMax = 40
export const ownersMax = 12
/** Longest value shown in place of a date, in UTF-16 code units. */
export const unreadDateCharsMax = 64

const Span = Schema.Struct({ start: Schema.Natural, end: Schema.Natural })

export const ExtractedPage = Schema.Struct({
  /** Plain text, never HTML: blocks between newlines. Never empty, without invisible characters. */
  text: Schema.NonEmptyString.check(Schema.isMaxLength(textCharsMax)),
  truncated: Schema.optionalKey(Schema.Literal(true)),
  title: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(titleCharsMax))),
  /** ISO 8601, a date or an instant in UTC. */
  published_date: Schema.optionalKey(Schema.String),
  modified_date: Schema.optionalKey(Schema.String),
  /** As written in a Markdown file's head; absent with a valid date. */
  unread_date: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(unreadDateCharsMax))),
  /** Canonical BCP 47. */
  language: Schema.optionalKey(Schema.String),
  /** An absolute http(s) URL, as the page spells it. Shown, and never fetched. */
  canonical_url: Schema.optionalKey(Schema.String),
  no_page: Schema.optionalKey(NoPage),
  /** Headings in `text`, in order, not overlapping. */
  headings: Schema.Array(Span),
  /** Links to other hosts, in order: absolute http(s) URLs, and their words in `text`. */
  links: Schema.optionalKey(
    Schema.Array(Schema.Struct({ url: Schema.String, ...Span.fields }))
      .check(Schema.isMaxLength(linksMax))
  ),
  /** Identifiers of the page's owner: publisher's names, ids of counters. */
  owners: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(ownersMax))),
  /** Invisible and active characters removed. */
  removed_chars_count: Schema.Natural,
  /** Removed boilerplate parts with sentences. */
  removed_blocks_count: Schema.Natural
})
export type ExtractedPage = typeof ExtractedPage.Type

/**
 * - `no_text`: no text on the page; another reader may find some.
 * - `js_shell`: rendered by scripts, without text in its embedded state.
 * - `unsupported_type`: neither HTML, text, Markdown nor PDF.
 * - `too_large`: above the size limit.
 * - `malformed`: invalid, or encrypted.
 * - `timeout`, `out_of_memory`, `crashed`: the page exceeded the worker's limits.
 * - `resting`: pages of its host repeatedly did; the host is paused for a while.
 */
export const ExtractionReason = Schema.Literals([
  "no_text",
  "js_shell",
  "unsupported_type",
  "too_large",
  "malformed",
  "timeout",
  "out_of_memory",
  "crashed",
  "resting"
])
export type ExtractionReason = typeof ExtractionReason.Type

export class ExtractionFailed extends Schema.TaggedError<ExtractionFailed>()("ExtractionFailed", {
  reason: ExtractionReason
}) {}

export const PageAnswer = Schema.Union([
  Schema.TaggedStruct("Page", { page: ExtractedPage }),
  Schema.TaggedStruct("Failed", { reason: ExtractionReason })
])
export type PageAnswer = typeof PageAnswer.Type

/**
 * Blocks as one text, each on its own lines, without invisible characters and cut at the ceiling;
 * with the spans of its headings. May be empty.
 */
export const plainText = (
  blocks: ReadonlyArray<Pick<TextBlock, "kind" | "text">>,
  charsMax: number
) => {
  const lines: Array<string> = []
  const headings: Array<Sentences.Span> = []
  let length = 0
  let removedCount = 0
  let isCut = false
  for (const { kind, text } of blocks) {
    const cleaned = Sentences.clean(text)
    removedCount += cleaned.removedCount
    const start = length === 0 ? 0 : length + 1
    const whole = cleaned.text.trim()
    if (whole === "") continue
    const line = Sentences.cut(whole, Math.max(0, charsMax - start))
    isCut = line.length < whole.length
    if (line === "") break
    lines.push(line)
    length = start + line.length
    if (kind === "heading" && headings.length < headingsMax) headings.push({ start, end: length })
    if (isCut) break
  }
  return { text: lines.join("\n"), headings, isCut, removedCount }
}

const Head = Schema.fromJsonString(
  Schema.Struct({ contentType: Schema.String, url: Schema.String })
)

/** Most bytes of URL and content type together. */
const headBytesMax = 65_536

/** Most bytes of a body; the fetcher's own bound is lower. */
export const bodyLengthMax = 16 * 1_048_576

export const frameBytesMax = bodyLengthMax + headBytesMax

/** The head on one line, then the body. */
export const write = ({ body, contentType, url }: PageDocument): Frame | undefined => {
  const head = Buffer.from(`${JSON.stringify({ contentType, url })}\n`)
  return head.length > headBytesMax
    ? undefined
    : { length: head.length + body.length, pieces: [head, body] }
}

const decodeHead = Schema.decodeUnknownEffect(Head)

export const readFrame = (frame: Uint8Array) =>
  Effect.suspend(() => {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    const headEnd = bytes.indexOf("\n")
    return Effect.map(
      decodeHead(bytes.toString("utf8", 0, headEnd)),
      (head): PageDocument => ({ ...head, body: new Uint8Array(bytes.subarray(headEnd + 1)) })
    )
  })

/** Type of Markdown in UTF-8 that another reader made of a page. */
export const convertedType = "text/markdown; variant=converted; charset=utf-8"

export interface PageDocument {
  /** A PDF, or text in `contentType`'s charset, else in UTF-8. */
  readonly body: Uint8Array
  /** Content type from the server, with parameters; empty without one. */
  readonly contentType: string
  readonly url: string
}
