/** Material for the evidence store, and the entries that it becomes. */
import { chunksOfSnippet, chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut } from "@web-grounding/language/Sentences"
import { Option, Result, Schema } from "effect"
import type { Span } from "../page/Page.ts"
import * as PageOrigin from "../page/PageOrigin.ts"
import { addressCharsMax, keptText } from "../request/GroundingRequest.ts"
import { canonical } from "../search/WebAddress.ts"
import { chunksOfDocument } from "./DocumentChunking.ts"
import {
  chunksMax,
  DocumentDate,
  type Entry,
  entryIdOf,
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
  /** Dates that the document states; kept if plausible. */
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

/** Set by this service, not by a caller. */
export type Provenance = Pick<Entry, "collected_at" | "collector" | "official">

export interface Collection {
  readonly key: SourceKey
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  /** SHA-256 of the source's whole text as UTF-8, lower-case hex. */
  readonly content_sha256: string
  /** Invisible and active characters that were removed. */
  readonly removed_chars_count: number
}

interface Unfit {
  readonly field: string
  readonly problem: string
}

/**
 * Pages are cut by characters, papers and notes by tokens, nodes not at all. Offsets ignore
 * invisible characters, which are removed first.
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
  const fields = { ...named, ...PageOrigin.plausibleDates(told, provenance.collected_at) }
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
  "source_type" | "source_id" | "source_url" | "title" | keyof typeof about
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
