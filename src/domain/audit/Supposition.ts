/** What a what-if supposes: settings that differ from those under which a session was recorded. */
import { Schema } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import { type GroundingRequest, Tier } from "../request/GroundingRequest.ts"
import type { GroundingPolicy } from "../session/SessionEvent.ts"

/** This build's own engine for a step. Another model has no recorded answer. */
const EngineChoice = Schema.Literal("local")

const EngineName = Schema.Literals(["gate", "planner", "ranker", "writer", "judge", "researcher"])
export const engineNames: ReadonlyArray<string> = EngineName.literals

/** What is no number is refused with the bounds, too. */
const between = (minimum: number, maximum: number) =>
  Schema.optionalKey(
    Schema.Number.annotate({ message: `Expected a whole number between ${minimum} and ${maximum}` })
      .check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
  )

/** Absent fields stay as recorded; without any, today's rules are applied to the same facts. */
export const Supposition = Schema.Struct({
  /** Pages read for one request. A request that fixes it keeps its own. */
  pages_max: between(1, 20),
  /** Passages given to the writer. A request that fixes it keeps its own. */
  passages_max: between(1, 20),
  /** Length of the evidence block, in UTF-16 code units. */
  evidence_chars_max: between(200, 20_000),
  /** Hits with a lower score of the provider are left out. 0 to 1. */
  score_min: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  ),
  /** Queries of one request, whatever the gate says. 0 forbids searching. */
  queries_max: between(0, 3),
  /** Tier of every request, which sets how many searches the session has. */
  tier: Schema.optionalKey(Tier),
  engines: Schema.optionalKey(Schema.Record(EngineName, Schema.optionalKey(EngineChoice)))
})
export type Supposition = typeof Supposition.Type

export const requestOf = (
  { queries_max: max_queries, tier }: Supposition,
  request: GroundingRequest
): GroundingRequest => {
  const domains = { include_domains: [], exclude_domains: [] }
  const overrides = max_queries === undefined
    ? request.overrides
    : { ...domains, ...request.overrides, max_queries }
  return { ...request, ...asGiven({ tier, overrides }) }
}

/** Policy that would have been recorded with the request, whose own limits are kept. */
export const policyOf = (
  { evidence_chars_max, pages_max, passages_max }: Supposition,
  { listing, overrides }: GroundingRequest,
  policy: GroundingPolicy
): GroundingPolicy => ({
  ...policy,
  ...(listing?.urls ?? overrides?.max_sources) === undefined ? asGiven({ pages_max }) : {},
  ...overrides?.top_k === undefined ? asGiven({ chunks_max: passages_max }) : {},
  ...asGiven({ evidence_chars_max })
})

/** A fact that the supposed run lacks: an outside input, which is not guessed. */
export const NeededFact = Schema.Struct({
  step: Schema.Literals([
    "Decide",
    "AskStore",
    "Plan",
    "Search",
    "Read",
    "Rank",
    "Write",
    "Judge",
    "Research"
  ]),
  /**
   * `hits`: those below the recorded score, or of the next provider. `page_texts`: the log may not
   * keep them. `store`: the evidence store's answer. `other_session`: its answer was reused here.
   * `other_request`: its spending is undetermined too.
   */
  fact: Schema.Literals([
    "search",
    "hits",
    "page",
    "page_texts",
    "engine_answer",
    "store",
    "other_session",
    "other_request"
  ]),
  /** The query, address, engine, stream or request. Empty where there is no more to say. */
  what: Schema.String
})
export type NeededFact = typeof NeededFact.Type
