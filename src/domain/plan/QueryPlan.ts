/** Plan of a search: one to three queries, the evidence they must bring, and when to stop early. */
import { Schema } from "effect"
import { queriesMax } from "../need/ReasonCodes.ts"

/** Longest query, in UTF-16 code units. Tavily answers 400 above it; other providers cut. */
export const queryCharsMax = 400

/** Checked on what was found. `FREE_TEXT` stands in older plans alone and decides nothing. */
export const StopCondition = Schema.Union([
  /**
   * Stops when `count` sites answer with the same figure or in nearly the same words, and one of
   * them is primary or known.
   */
  Schema.TaggedStruct("N_REPUTABLE_SOURCES_AGREE", { count: Schema.Int }),
  /** Stops when a primary source speaks of the question, or two sites agree as above. */
  Schema.TaggedStruct("OFFICIAL_SOURCE_FOUND", {}),
  /** Stops when there are `count` hits in all. */
  Schema.TaggedStruct("ENOUGH_RESULTS", { count: Schema.Int }),
  Schema.TaggedStruct("FREE_TEXT", { text: Schema.String })
]).pipe(Schema.toTaggedUnion("_tag"))
export type StopCondition = typeof StopCondition.Type

const SearchQuery = Schema.String.check(
  Schema.isNonEmpty(),
  Schema.isMaxLength(queryCharsMax)
)

/** Queries in the order in which they are sent, and when the rest is spared. */
export const QueryPlan = Schema.Struct({
  /** Best first, no two alike, no personal data. */
  queries: Schema.NonEmptyArray(SearchQuery).check(Schema.isMaxLength(queriesMax)),
  /** Words or phrases the evidence must hold; while one is missing, the next query is sent. */
  must_have_evidence: Schema.Array(Schema.String),
  /** All must hold for the remaining queries to be spared. Empty: never. */
  stop_conditions: Schema.Array(StopCondition)
})
export type QueryPlan = typeof QueryPlan.Type
