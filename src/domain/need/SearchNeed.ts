/** The need-search gate's answer: whether this turn needs the web, why, and within which bounds. */
import { Schema } from "effect"
import { SearchDepth, SearchTopic } from "../request/GroundingRequest.ts"
import * as ReasonCodes from "./ReasonCodes.ts"

export const queriesMax = 3
const sourcesPerQueryMax = 10

export const ReasonCode = Schema.Literals(ReasonCodes.all)
export type ReasonCode = typeof ReasonCode.Type

/** Decision whether to search, with its reasons and bounds. */
export const SearchNeed = Schema.Struct({
  need_search: Schema.Boolean,
  /** Reason codes, the main one first. Never empty. */
  reason_codes: Schema.NonEmptyArray(ReasonCode),
  /** 0 exactly when `need_search` is false. */
  max_queries: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: queriesMax })),
  max_sources_per_query: Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: sourcesPerQueryMax })
  ),
  search_depth: SearchDepth,
  topic: SearchTopic
})
export type SearchNeed = typeof SearchNeed.Type
