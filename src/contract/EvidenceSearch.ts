/** Input and result of a search of the evidence store. */
import { Effect, Schema } from "effect"
import { keptText, questionCharsMax, wholeOr } from "../domain/request/GroundingRequest.ts"
import { EmbeddingModel, Entry, EntryFilter } from "../domain/store/Entry.ts"

const answerEntriesMax = 50
const answerEntriesDefault = 10

/**
 * How word and vector matches are ranked. `hybrid`: reciprocal rank fusion. `vector_first`: vector
 * matches, then other word matches; words alone without vectors.
 */
export const Retrieval = Schema.Literals(["hybrid", "vector_first"])
export type Retrieval = typeof Retrieval.Type

export const EvidenceSearchInput = Schema.Struct({
  query: keptText(questionCharsMax),
  /** Default: everything. */
  filter: EntryFilter.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  /** Default 10. */
  limit: wholeOr(answerEntriesDefault, 1, answerEntriesMax),
  /** Default `hybrid`. */
  retrieval: Retrieval.pipe(Schema.withDecodingDefaultKey(Effect.succeed("hybrid" as const)))
})

/**
 * Use of vectors. `other_model`: entries have vectors of another model, or none; `failed`: the
 * embedder did not answer; `not_configured`: no embedder; `not_kept`: no vectors in the database.
 */
export const VectorUse = Schema.Literals([
  "compared",
  "other_model",
  "failed",
  "not_configured",
  "not_kept"
])
export type VectorUse = typeof VectorUse.Type

/** An entry with its rank by words and by vectors. */
export const FoundEntry = Schema.Struct({
  ...Entry.fields,
  /** Comparable within one answer only. */
  score: Schema.Finite,
  /** 1-based; absent where the ranking lacks it. */
  text_rank: Schema.optionalKey(Schema.Int),
  vector_rank: Schema.optionalKey(Schema.Int)
})
export type FoundEntry = typeof FoundEntry.Type

export const EvidenceFound = Schema.Struct({
  /** Best first. */
  found: Schema.Array(FoundEntry),
  vectors: VectorUse,
  /** Model whose vectors were compared; absent when none were. */
  model: Schema.optionalKey(EmbeddingModel)
})
export type EvidenceFound = typeof EvidenceFound.Type
