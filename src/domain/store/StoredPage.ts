/** An entry of the evidence store as a page of a grounding. */
import { clean } from "@web-grounding/language/Sentences"
import { Option, Schema } from "effect"
import * as SourceTitle from "../page/Page.ts"
import type { Page } from "../page/Page.ts"
import type { SiteOf } from "../page/PageOrigin.ts"
import { asGiven } from "../request/GivenFields.ts"
import { addressCharsMax, keptText } from "../request/GroundingRequest.ts"
import { classFieldsOf } from "../search/SourceClass.ts"
import * as WebAddress from "../search/WebAddress.ts"
import { type Entry, nameCharsMax, sourceKeyOfEntry } from "./Entry.ts"

/**
 * Page of one passage; its collection time is no date of it. Official only when this service
 * fetched it from a public body's site: a note may name any address. Without a plain web address
 * its source is its site, as packs may cite nothing else.
 */
export const pageOfEntry = (source_id: string, entry: Entry, siteOf: SiteOf): Page => {
  const { modified_date, published_date, source_type, text, text_sha256 } = entry
  const address = Option.getOrUndefined(WebAddress.canonical(entry.source_url ?? ""))
  const site = address === undefined ? sourceKeyOfEntry(entry.id) : siteOf(address.host)
  return {
    source_id,
    url: address?.href ?? `evidence:${encodeURIComponent(site)}`,
    title: SourceTitle.clean(entry.title, address?.href ?? site),
    site,
    official: entry.official === true && source_type === "web_search" &&
      address !== undefined && classFieldsOf(address).official,
    ...asGiven({ published_date, modified_date }),
    providers: ["store"],
    reader: "store",
    text,
    text_sha256,
    chunks: [{ start: 0, end: text.length }]
  }
}

// A node of a knowledge graph as one text with its relations, for the search.

const descriptionCharsMax = 8_000

const attributesMax = 40

const relationsMax = 200

const Name = keptText(nameCharsMax)

export const KnowledgeNode = Schema.Struct({
  node_id: Name,
  /** Kind of the node, e.g. `Method`. */
  node_label: Name,
  name: Name,
  description: Schema.optionalKey(keptText(descriptionCharsMax)),
  /** Further fields in reading order, e.g. `{ name: "family", value: "…" }`. */
  attributes: Schema.optionalKey(
    Schema.Array(Schema.Struct({ name: Name, value: Name })).check(
      Schema.isMaxLength(attributesMax)
    )
  ),
  relations: Schema.optionalKey(
    Schema.Array(Schema.Struct({
      /** e.g. `ADDRESSES` or `Implemented by`. */
      relation: Name,
      /** Name of the other node, not its id. */
      target: Name,
      /** E.g. `primary`. */
      role: Schema.optionalKey(Name)
    })).check(Schema.isMaxLength(relationsMax))
  ),
  source_url: Schema.optionalKey(keptText(addressCharsMax))
})

export type KnowledgeNode = typeof KnowledgeNode.Type

/**
 * A line for each field: `[Label] Name`, `Description: …`, attributes, then relations with their
 * targets, in order of first appearance.
 */
export const textOf = (
  { attributes = [], description, name, node_label, relations = [] }: KnowledgeNode
): string =>
  [
    `[${line(node_label)}] ${line(name)}`,
    ...(description === undefined ? [] : [`Description: ${line(description)}`]),
    ...attributes.map(({ name, value }) => `${phrase(name)}: ${line(value)}`),
    ...relationLines(relations)
  ].join("\n")

const relationLines = (
  relations: NonNullable<KnowledgeNode["relations"]>
): ReadonlyArray<string> =>
  Array.from(
    Map.groupBy(relations, ({ relation }) => phrase(relation)),
    ([kind, targets]) =>
      `${kind}: ${
        targets.map(({ role, target }) =>
          role === undefined ? line(target) : `${line(target)} (${line(role)})`
        ).join(", ")
      }`
  )

/** A line break inside a field would look like another field. */
const line = (text: string): string => clean(text).text.replace(/\s+/g, " ").trim()

/** `IMPLEMENTED_BY` and `seminal_paper` as people write them. */
const phrase = (name: string): string => {
  const words = line(name.replaceAll("_", " "))
  const lower = words === words.toUpperCase() ? words.toLowerCase() : words
  return `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`
}
