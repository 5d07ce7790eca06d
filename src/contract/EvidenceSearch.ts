/** A search of the evidence store: what is asked, and what is found. */
import { Effect, Schema } from "effect"
import { keptText, questionCharsMax } from "../domain/request/GroundingRequest.ts"
import { EmbeddingModel, Entry, EntryFilter } from "../domain/store/Entry.ts"

/** Entries of one answer. */
const answerEntriesMax = 50
const answerEntriesDefault = 10

/**
 * How words and meaning make one ranking. `hybrid`: by reciprocal ranks in both. `vector_first`:
 * what is near in meaning, then what only shares words; by words alone without vectors.
 */
export const Retrieval = Schema.Literals(["hybrid", "vector_first"])
export type Retrieval = typeof Retrieval.Type

/** A question to the evidence store, and which entries may answer. */
export const EvidenceSearchInput = Schema.Struct({
  query: keptText(questionCharsMax),
  /** Default: everything. */
  filter: EntryFilter.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  /** Default 10. */
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: answerEntriesMax })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(answerEntriesDefault))
  ),
  /** Default `hybrid`. */
  retrieval: Retrieval.pipe(Schema.withDecodingDefaultKey(Effect.succeed("hybrid" as const)))
})

/**
 * Whether meaning was compared beside words: `compared`; `other_model`: the tenant's entries have
 * vectors of another model, or none; `failed`: the embedder did not answer; `not_configured`: there
 * is no embedder; `not_kept`: the database keeps no vectors.
 */
export const VectorUse = Schema.Literals([
  "compared",
  "other_model",
  "failed",
  "not_configured",
  "not_kept"
])
export type VectorUse = typeof VectorUse.Type

/** An entry with its rank by words and by meaning. */
export const FoundEntry = Schema.Struct({
  ...Entry.fields,
  /** Comparable within one answer only. */
  score: Schema.Finite,
  /** 1-based; absent where the ranking did not bring it. */
  text_rank: Schema.optionalKey(Schema.Int),
  vector_rank: Schema.optionalKey(Schema.Int)
})
export type FoundEntry = typeof FoundEntry.Type

/** Entries that were found, best first, and whether meaning was compared. */
export const EvidenceFound = Schema.Struct({
  /** Best first. */
  found: Schema.Array(FoundEntry),
  vectors: VectorUse,
  /** Model whose vectors were compared; absent when none were. */
  model: Schema.optionalKey(EmbeddingModel)
})
export type EvidenceFound = typeof EvidenceFound.Type
