/** Plan of a search: one to three queries, the evidence they must bring, and when to stop early. */
import { Schema } from "effect"
import { queriesMax } from "../need/ReasonCodes.ts"

/** Longest query, in UTF-16 code units. Tavily answers 400 above it; other providers cut. */
export const queryCharsMax = 400

/** Checked on the hits. `FREE_TEXT` occurs in older plans alone and decides nothing. */
export const StopCondition = Schema.Union([
  /** `count` sites agree on a figure or nearly in words, one of them primary or known. */
  Schema.TaggedStruct("N_REPUTABLE_SOURCES_AGREE", { count: Schema.Int }),
  /** A primary source is about the question, or two sites agree as above. */
  Schema.TaggedStruct("OFFICIAL_SOURCE_FOUND", {}),
  Schema.TaggedStruct("ENOUGH_RESULTS", { count: Schema.Int }),
  Schema.TaggedStruct("FREE_TEXT", { text: Schema.String })
]).pipe(Schema.toTaggedUnion("_tag"))
export type StopCondition = typeof StopCondition.Type

const SearchQuery = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(queryCharsMax))

export const QueryPlan = Schema.Struct({
  /** Best first, no two alike, without PII. */
  queries: Schema.NonEmptyArray(SearchQuery).check(Schema.isMaxLength(queriesMax)),
  /** Words or phrases the evidence must hold; while one is missing, the next query is sent. */
  must_have_evidence: Schema.Array(Schema.String),
  /** All must hold to skip the remaining queries. Empty: never. */
  stop_conditions: Schema.Array(StopCondition)
})
export type QueryPlan = typeof QueryPlan.Type
