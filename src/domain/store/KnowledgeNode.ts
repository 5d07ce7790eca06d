/** A node of a knowledge graph as one text with its relations: what is searched as a whole. */
import { clean } from "@web-grounding/language/Sentences"
import { Schema } from "effect"
import { addressCharsMax, keptText } from "../request/KeptText.ts"
import { nameCharsMax } from "./Entry.ts"

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
  /** Further fields in the order they are to be read, e.g. `{ name: "family", value: "…" }`. */
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
      /** How, e.g. `primary`. */
      role: Schema.optionalKey(Name)
    })).check(Schema.isMaxLength(relationsMax))
  ),
  source_url: Schema.optionalKey(keptText(addressCharsMax))
})
export type KnowledgeNode = typeof KnowledgeNode.Type

/**
 * Text of a node, one line for each field: `[Label] Name`, `Description: …`, the attributes, then
 * each kind of relation with all its targets, in the order the kinds first appear.
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
