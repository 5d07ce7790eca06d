/** Inputs of the evidence store's operations. */
import { Schema } from "effect"
import { addressCharsMax, keptText } from "../domain/request/GroundingRequest.ts"
import { EntryMetadata, nameCharsMax } from "../domain/store/Entry.ts"
import { Material, PaperMaterial } from "../domain/store/Material.ts"
import { KnowledgeNode } from "../domain/store/StoredPage.ts"

/** Default: the caller's pseudonym. */
const collector = Schema.optionalKey(keptText(nameCharsMax))

export const CollectInput = Schema.Struct({
  material: Material,
  collector,
  /** Report on the caller's own reading of the document, for the log. */
  reading: Schema.optionalKey(Schema.Struct({
    /** The document goes on where the text ends. */
    truncated: Schema.optionalKey(Schema.Literal(true)),
    /** Invisible and active characters that were removed. */
    removed_chars_count: Schema.optionalKey(Schema.Natural)
  }))
})

const { source_type: _, text: __, title, ...documentFields } = PaperMaterial.fields

export const DocumentQuery = Schema.Struct({
  ...documentFields,
  source_type: Schema.Literals(["paper", "user_note"]),
  /** Default: the document's own title, else its `source_id`. */
  title: Schema.optionalKey(title),
  collector
})

export const CollectPageInput = Schema.Struct({
  source_url: keptText(addressCharsMax),
  node_id: EntryMetadata.fields.node_id,
  node_label: EntryMetadata.fields.node_label,
  collector
})

export const PromoteInput = Schema.Struct({
  /** The page that becomes a node. Any spelling of its address. */
  source_url: keptText(addressCharsMax),
  /** Node to store. The page's address becomes its `source_url` unless it has one. */
  node: KnowledgeNode,
  collector
})

export const RemoveInput = Schema.Struct({
  source_type: EntryMetadata.fields.source_type,
  /** Id of the source. A page may be named by any spelling of its address. */
  source_id: EntryMetadata.fields.source_id,
  collector
})

export const ReportInput = Schema.Struct({
  /** The page that no later answer may use. Any spelling of its address. */
  source_url: keptText(addressCharsMax),
  /** Take the report back. Default: false. */
  withdraw: Schema.optionalKey(Schema.Boolean),
  collector
})

export const ReembedInput = Schema.Struct({ collector })
