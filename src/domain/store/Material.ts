/** Material that is brought to the evidence store, and the entries that it becomes. */
import { chunksOfSnippet, chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut, sentences } from "@web-grounding/language/Sentences"
import { Option, Result, Schema } from "effect"
import * as Page from "../page/Page.ts"
import type { Span } from "../page/Page.ts"
import { addressCharsMax, keptText } from "../request/GroundingRequest.ts"
import * as WebAddress from "../search/WebAddress.ts"
import { canonical } from "../search/WebAddress.ts"
import {
  chunksMax,
  DocumentDate,
  type Entry,
  entryIdOf,
  Instant,
  nameCharsMax,
  type SourceKey,
  sourceKeyOf,
  titleCharsMax
} from "./Entry.ts"
import { KnowledgeNode, textOf } from "./StoredPage.ts"

/** Longest material, in UTF-16 code units: a book of some 300 pages. */
export const materialCharsMax = 1_000_000

const text = keptText(materialCharsMax)
const title = keptText(titleCharsMax)
const about = {
  node_id: Schema.optionalKey(keptText(nameCharsMax)),
  node_label: Schema.optionalKey(keptText(nameCharsMax)),
  /** Dates that the document states; kept where they can be true. */
  published_date: Schema.optionalKey(DocumentDate),
  modified_date: Schema.optionalKey(DocumentDate)
}

/** A page of the web; its id is its address in the canonical spelling. */
export const WebMaterial = Schema.Struct({
  source_type: Schema.Literal("web_search"),
  source_url: keptText(addressCharsMax),
  title,
  text,
  /** `snippet`: a provider's words, one entry unless they are long. Default `page`. */
  extent: Schema.optionalKey(Schema.Literals(["page", "snippet"])),
  ...about
})

const document = {
  /** Papers and notes share their ids: what is collected under one replaces the other. */
  source_id: keptText(nameCharsMax),
  source_url: Schema.optionalKey(keptText(addressCharsMax)),
  title,
  text,
  ...about
}
export const PaperMaterial = Schema.Struct({ source_type: Schema.Literal("paper"), ...document })
const NoteMaterial = Schema.Struct({ source_type: Schema.Literal("user_note"), ...document })

export const NodeMaterial = Schema.Struct({
  source_type: Schema.Literal("kg_node"),
  node: KnowledgeNode
})

export const Material = Schema.Union([WebMaterial, PaperMaterial, NoteMaterial, NodeMaterial])
export type Material = typeof Material.Type

export const Provenance = Schema.Struct({
  collected_at: Instant,
  collector: keptText(nameCharsMax),
  /** Nothing a caller says: this service fetched the page from a public body's own site. */
  official: Schema.optionalKey(Schema.Literal(true))
})
export type Provenance = typeof Provenance.Type

/** All entries of one source, and the fingerprint of the text they were cut from. */
export interface Collection {
  readonly key: SourceKey
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  /** SHA-256 of the source's whole text as UTF-8, lower-case hex. */
  readonly content_sha256: string
  /** Invisible and active characters taken out of the text. */
  readonly removed_chars_count: number
}

/** The field at fault, as callers name it, and what is wrong with it. */
interface Unfit {
  readonly field: string
  readonly problem: string
}

/**
 * Entries that a material is cut into: pages by characters, papers and notes by tokens, a node not
 * at all. Invisible characters are taken out first; offsets are those of the text without them.
 */
export const collectionOf = (
  material: Material,
  provenance: Provenance,
  sha256: (text: string) => string
): Result.Result<Collection, Unfit> => {
  const read = sourceOf(material)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { field, fields: told, spansOf } = read.success
  const { removedCount, text: whole } = clean(read.success.text)
  const { modified_date: _, published_date: __, ...named } = told
  const fields = { ...named, ...Page.plausibleDates(told, provenance.collected_at) }
  const spans = spansOf(whole)
  if (spans.length > chunksMax) {
    return Result.fail({ field, problem: `Expected at most ${chunksMax} passages` })
  }
  const key = sourceKeyOf(fields, sha256)
  const [first, ...rest] = spans.map(({ end, start }, chunk_index): Entry => {
    const text = whole.slice(start, end)
    return {
      id: entryIdOf(key, chunk_index),
      ...fields,
      ...provenance,
      chunk_index,
      total_chunks: spans.length,
      text,
      text_sha256: sha256(text),
      start,
      end
    }
  })
  return first === undefined
    ? Result.fail({ field, problem: "Expected text with visible characters" })
    : Result.succeed({
      key,
      entries: [first, ...rest],
      content_sha256: sha256(whole),
      removed_chars_count: removedCount
    })
}

type SourceFields = Pick<
  Entry,
  | "source_type"
  | "source_id"
  | "source_url"
  | "node_id"
  | "node_label"
  | "title"
  | "published_date"
  | "modified_date"
>

interface Source {
  readonly fields: SourceFields
  readonly text: string
  readonly field: string
  readonly spansOf: (text: string) => ReadonlyArray<Span>
}

const sourceOf = (material: Material): Result.Result<Source, Unfit> => {
  switch (material.source_type) {
    case "web_search": {
      const { extent = "page", source_url, text, title, ...fields } = material
      return Result.map(hrefOf("source_url", source_url), (href) => ({
        fields: { ...fields, title: shown(title, href), source_id: href, source_url: href },
        text,
        field: "text",
        spansOf: extent === "snippet" ? chunksOfSnippet : chunksOfText
      }))
    }
    case "paper":
    case "user_note": {
      const { source_url, text, title, ...fields } = material
      return Result.map(addressOf("source_url", source_url), (address) => ({
        fields: { ...fields, ...address, title: shown(title, fields.source_id) },
        text,
        field: "text",
        spansOf: chunksOfDocument
      }))
    }
    case "kg_node": {
      const { name, node_id, node_label, source_url } = material.node
      return Result.map(addressOf("node.source_url", source_url), (address) => ({
        fields: {
          source_type: "kg_node",
          source_id: node_id,
          ...address,
          node_id,
          node_label,
          title: shown(name, node_id)
        },
        text: textOf(material.node),
        field: "node",
        spansOf: (text) => text.length > nodeCharsMax ? [] : [{ start: 0, end: text.length }]
      }))
    }
  }
}

/** The canonical spelling: what is searched and shown as an address is one of the web. */
const hrefOf = (field: string, url: string): Result.Result<string, Unfit> =>
  Option.match(canonical(url), {
    onNone: () => Result.fail({ field, problem: "Expected an http or https address" }),
    onSome: ({ href }) => Result.succeed(href)
  })

const addressOf = (
  field: string,
  url: string | undefined
): Result.Result<Pick<SourceFields, "source_url">, Unfit> =>
  url === undefined
    ? Result.succeed({})
    : Result.map(hrefOf(field, url), (source_url) => ({ source_url }))

/** A node is one entry, so its text must fit one. */
const nodeCharsMax = 16_000

/** A title of nothing but invisible characters shows the id. */
const shown = (title: string, id: string): string => {
  const visible = clean(title).text.replace(/\s+/g, " ").trim()
  return cut(visible === "" ? id : visible, titleCharsMax)
}

// Cuts documents and papers into overlapping passages of 500 to 1,000 tokens with exact offsets.
// Tokens are estimated, as no embedding model's tokeniser is at hand: a token for each six
// letters or digits of a word begun, one for each character of Chinese, Japanese and Korean, one
// for each other sign. Passages end where a paragraph or a sentence does, and are of about equal
// size, so that no short rest is left.

export const chunkTokensMin = 500
export const chunkTokensMax = 1_000
/**
 * Tokens that a passage shares with the one before: whole sentences where they fit into twice as
 * much.
 */
export const overlapTokens = 100

/** Most new tokens of a passage, so that sizes stay well within the bounds. */
const freshTokensMax = 750
/** How far from the even size a passage may end to end with a sentence. */
const slackTokens = 150
const wordPieceChars = 6
/** A longer run of letters is no word; it may be cut like a run of signs. */
const wordCharsMax = 300

const wide = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}"
const pattern = new RegExp(`[[\\p{L}\\p{M}\\p{N}]--[${wide}]]{1,${wordCharsMax}}|\\S`, "gv")

/** A word or sign: the passages' cuts lie between these. */
interface Piece extends Span {
  /** Estimated tokens of the text up to its end. */
  readonly total: number
}

export const tokensOf = (text: string): number => piecesOf(text).at(-1)?.total ?? 0

const piecesOf = (text: string): ReadonlyArray<Piece> => {
  let total = 0
  return Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
    total += Math.ceil(word.length / wordPieceChars)
    return { start: index, end: index + word.length, total }
  })
}

interface Cuts {
  readonly pieces: ReadonlyArray<Piece>
  /** Counts of pieces after which a sentence ends. */
  readonly sentenceEnds: ReadonlySet<number>
  readonly paragraphEnds: ReadonlySet<number>
}

/** Passages of a document in order; together they hold every word. Empty for blank text. */
export const chunksOfDocument = (text: string): ReadonlyArray<Span> => {
  const cuts = cutsOf(text)
  const { pieces } = cuts
  const spans: Array<Span> = []
  let from = 0
  while (from < pieces.length) {
    const until = endOf(cuts, from)
    spans.push({ start: pieces[from]?.start ?? 0, end: pieces[until - 1]?.end ?? 0 })
    if (until === pieces.length) break
    from = overlapStart(cuts, from, until)
  }
  return spans
}

const cutsOf = (text: string): Cuts => {
  const pieces = piecesOf(text)
  const sentenceEnds = new Set<number>()
  const paragraphEnds = new Set<number>()
  let count = 0
  for (const { end } of sentences(text)) {
    while ((pieces[count]?.end ?? Infinity) <= end) count++
    sentenceEnds.add(count)
    if (/^[^\S\n]*\n/.test(text.slice(end, end + lookCharsMax))) paragraphEnds.add(count)
  }
  return { pieces, sentenceEnds, paragraphEnds }
}

const lookCharsMax = 80

const totalAt = (pieces: ReadonlyArray<Piece>, count: number): number =>
  pieces[count - 1]?.total ?? 0

/** Count of pieces at which the passage that starts at `from` ends. */
const endOf = ({ pieces, paragraphEnds, sentenceEnds }: Cuts, from: number): number => {
  const before = totalAt(pieces, from)
  const rest = totalAt(pieces, pieces.length) - before
  if (rest <= chunkTokensMax) return pieces.length
  const passages = Math.ceil((rest - overlapTokens) / freshTokensMax)
  const even = (rest - overlapTokens) / passages + overlapTokens
  const least = Math.max(chunkTokensMin, even - slackTokens)
  // What is left must fill a passage of its own.
  const most = Math.min(
    chunkTokensMax,
    even + slackTokens,
    rest - chunkTokensMin + overlapTokens
  )
  let best = { until: from + 1, distance: Infinity }
  for (let until = from + 1; until < pieces.length; until++) {
    const size = totalAt(pieces, until) - before
    if (size > most && best.distance < Infinity) break
    if (size > chunkTokensMax) break
    const distance = Math.abs(size - even) + penaltyOf(
      size < least || size > most,
      paragraphEnds.has(until),
      sentenceEnds.has(until)
    )
    if (distance < best.distance) best = { until, distance }
  }
  return best.until
}

/** Ends of paragraphs go before ends of sentences, these before cuts between words. */
const penaltyOf = (outside: boolean, paragraph: boolean, sentence: boolean): number => {
  if (outside) return 3 * chunkTokensMax
  if (paragraph) return 0
  return sentence ? chunkTokensMax : 2 * chunkTokensMax
}

/** Whole sentences of at least the overlap, else the words that just make it up. */
const overlapStart = ({ pieces, sentenceEnds }: Cuts, from: number, until: number): number => {
  const total = totalAt(pieces, until)
  let exact = until - 1
  while (exact > from + 1 && total - totalAt(pieces, exact) < overlapTokens) exact--
  let start = exact
  while (start > from + 1 && total - totalAt(pieces, start) <= 2 * overlapTokens) {
    if (sentenceEnds.has(start)) return start
    start--
  }
  return exact
}

// A page that was read for a request, as what may be collected of it.

export const ReadPage = Schema.Struct({
  material: WebMaterial,
  /** The page that was found, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  /** Read from a public body's own site. */
  official: Schema.optionalKey(Schema.Literal(true)),
  /** The page goes on where the text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  removed_chars_count: Schema.optionalKey(Schema.Natural),
  /** Arrival time of the request that it was read for. */
  read_at: Instant
})
export type ReadPage = typeof ReadPage.Type

/**
 * A read page as material for the evidence store. None for what came from the store itself, for
 * what the sandbox made up, which must never pass for the web, and for what has no plain web
 * address or no text.
 */
export const ofPage = (page: Page.Page, read_at: string): Option.Option<ReadPage> => {
  const { hit_url, modified_date, official, providers, published_date, reader } = page
  const text = cut(page.text, materialCharsMax)
  const title = cut(clean(page.title).text.trim(), titleCharsMax)
  if (reader === "store" || providers.includes("mock") || text.trim() === "") return Option.none()
  return Option.map(WebAddress.canonical(page.url), ({ href }) => ({
    material: {
      source_type: "web_search",
      source_url: href,
      title: title === "" ? href : title,
      text,
      ...(reader === "snippet" ? { extent: "snippet" as const } : {}),
      ...(isDate(published_date) ? { published_date } : {}),
      ...(isDate(modified_date) ? { modified_date } : {})
    },
    ...(hit_url === undefined ? {} : { asked_url: hit_url }),
    // A snippet is the provider's word of the page.
    ...(official && reader !== "snippet" ? { official } : {}),
    ...(page.truncated === undefined && text === page.text ? {} : { truncated: true as const }),
    ...(page.removed_chars_count === undefined
      ? {}
      : { removed_chars_count: page.removed_chars_count }),
    read_at
  }))
}

const isDate = Schema.is(DocumentDate)
