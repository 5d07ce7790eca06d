/** How one answer to a request differs from another: what a reader of it would notice. */
import { Schema } from "effect"
import {
  type Claim,
  DemotionReason,
  type GroundingPack,
  Section,
  Support
} from "../pack/GroundingPack.ts"
import { type GroundingRequest, SearchDepth, Tier } from "../request/GroundingRequest.ts"
import { type GroundingOutcome, OutcomeReason } from "../session/GroundingOutcome.ts"
import type { GroundingPolicy } from "../session/SessionEvent.ts"

const ClaimPosition = Schema.Literals([...Section.literals, "disputed_or_uncertain"])
type ClaimPosition = typeof ClaimPosition.Type

const sections = ClaimPosition.literals

/** Place, confidence and support of a claim in one of the packs. */
const Standing = Schema.Struct({
  section: ClaimPosition,
  confidence: Schema.Finite,
  support: Support,
  /** Reason for the demotion of a disputed claim. */
  reason: Schema.optionalKey(DemotionReason),
  /** Addresses of the sources that support it. */
  urls: Schema.Array(Schema.String)
})
type Standing = typeof Standing.Type

const ClaimChange = Schema.Struct({
  text: Schema.String,
  /** Absent: the claim appears. */
  before: Schema.optionalKey(Standing),
  /** Absent: the claim is gone. */
  after: Schema.optionalKey(Standing)
})

const pair = <S extends Schema.Constraint>(of: S) =>
  Schema.optionalKey(Schema.Struct({ before: of, after: of }))

const Decision = Schema.Struct({
  need_search: Schema.Boolean,
  reason_codes: Schema.Array(Schema.String),
  queries_max: Schema.Int
})

/** Each part is absent where it is the same. */
export const OutcomeChange = Schema.Struct({
  decision: pair(Decision),
  /** Planned queries, in their order. */
  planned: pair(Schema.Array(Schema.String)),
  /** Queries that were sent, or answered from the cache. */
  searched: pair(Schema.Array(Schema.String)),
  claims: Schema.optionalKey(Schema.Array(ClaimChange)),
  /** Confidence of the pack. */
  confidence: pair(Schema.Finite),
  reason: pair(Schema.UndefinedOr(OutcomeReason)),
  /** Length of the evidence block, in UTF-16 code units. */
  evidence_chars: pair(Schema.Int),
  /** Searches that the request spent, of those that the session may make. */
  budget: pair(Schema.Struct({ spent: Schema.Int, limit: Schema.Int }))
})
export type OutcomeChange = typeof OutcomeChange.Type

type ComparedAnswer = Pick<
  GroundingOutcome,
  "need" | "plan" | "searches" | "pack" | "reason" | "evidence_block" | "budget"
>

/** Need and plan of an answer that was not completed. */
interface PlanAnswer {
  readonly need: ComparedAnswer["need"]
  readonly plan?: ComparedAnswer["plan"] | undefined
}

/** Differences that a reader would notice between two answers; `undefined` for none. */
export const changeBetween = (
  before: ComparedAnswer,
  after: ComparedAnswer
): OutcomeChange | undefined => {
  const claims = claimsChanged(before.pack, after.pack)
  return withoutNothing({
    ...planOf(before, after),
    ...changed("searched", queriesOf(before), queriesOf(after)),
    ...(claims.length === 0 ? {} : { claims }),
    ...changed("confidence", before.pack.confidence, after.pack.confidence),
    ...changed("reason", before.reason, after.reason),
    ...changed("evidence_chars", before.evidence_block.length, after.evidence_block.length),
    ...changed("budget", budgetOf(before), budgetOf(after))
  })
}

/**
 * Change of decision and plan alone, for an answer that did not come to its end; `undefined` when
 * there is none.
 */
export const ofPlan = (
  before: ComparedAnswer,
  after: PlanAnswer
): OutcomeChange | undefined => withoutNothing(planOf(before, after))

const planOf = (before: ComparedAnswer, after: PlanAnswer): OutcomeChange => ({
  ...changed("decision", decisionOf(before), decisionOf(after)),
  ...changed("planned", before.plan?.queries ?? [], after.plan?.queries ?? [])
})

const queriesOf = ({ searches }: ComparedAnswer) => searches.map(({ query }) => query)

const withoutNothing = (change: OutcomeChange): OutcomeChange | undefined =>
  Object.keys(change).length === 0 ? undefined : change

const changed = <Name extends string, A>(name: Name, before: A, after: A) =>
  isSame(before, after) ? {} : { [name]: { before, after } } as const

/** Compares values that have the same keys in the same order. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const decisionOf = ({ need }: Pick<ComparedAnswer, "need">) => ({
  need_search: need.need_search,
  reason_codes: need.reason_codes,
  queries_max: need.max_queries
})

const budgetOf = ({ budget }: ComparedAnswer) => ({
  spent: budget.spent_by_request,
  limit: budget.limit
})

/** A claim is known by its words; one that stands twice is compared in the order of the packs. */
const claimsChanged = (before: GroundingPack, after: GroundingPack) => {
  const later = standingsOf(after)
  const gone = Array.from(standingsOf(before), ([key, { standing, text }]) => {
    const now = later.get(key)?.standing
    later.delete(key)
    return isSame(standing, now)
      ? []
      : [{ text, before: standing, ...(now === undefined ? {} : { after: now }) }]
  })
  const appeared = Array.from(later.values(), ({ standing, text }) => ({ text, after: standing }))
  return [...gone.flat(), ...appeared]
}

const standingsOf = (pack: GroundingPack) => {
  const standings = new Map<string, { readonly text: string; readonly standing: Standing }>()
  for (const section of sections) {
    for (const claim of pack[section]) {
      let count = 0
      while (standings.has(`${count} ${claim.text}`)) count += 1
      standings.set(`${count} ${claim.text}`, {
        text: claim.text,
        standing: standingOf(section, claim)
      })
    }
  }
  return standings
}

const standingOf = (
  section: ClaimPosition,
  { confidence, reason, sources, support }: Claim
): Standing => ({
  section,
  confidence,
  support,
  ...(reason === undefined ? {} : { reason }),
  urls: sources.map(({ url }) => url)
})

// Finds where two JSON values first differ, as a path that a person can follow.

export interface Difference {
  /** Keys and indices joined by dots; empty for the whole value. */
  readonly path: string
  /** `undefined`: absent on this side. */
  readonly recorded: Schema.Json | undefined
  readonly recomputed: Schema.Json | undefined
}

/**
 * First difference between two values, depth first, keys in code-unit order; `undefined` when they
 * are the same.
 */
export const firstDifference = (
  recorded: Schema.Json | undefined,
  recomputed: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  // JSON has no not-a-number, and no store tells a negative zero from zero.
  if (recorded === recomputed) return undefined
  const left = branchesOf(recorded)
  const right = branchesOf(recomputed)
  if (
    left === undefined || right === undefined ||
    Array.isArray(recorded) !== Array.isArray(recomputed)
  ) {
    return { path: path.join("."), recorded, recomputed }
  }
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort()
  for (const key of keys) {
    const difference = firstDifference(left.get(key), right.get(key), [...path, key])
    if (difference !== undefined) return difference
  }
  return undefined
}

/**
 * The first key of `recorded` that `read` lacks, which is the same value as a reader understood it:
 * somebody put there what no release writes. `undefined`: all was understood.
 */
export const firstUnreadKey = (
  recorded: Schema.Json,
  read: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  const left = branchesOf(recorded)
  const right = branchesOf(read)
  if (left === undefined || right === undefined) return undefined
  for (const [key, value] of left) {
    const here = path.concat(key)
    if (!right.has(key)) return { path: here.join("."), recorded: value, recomputed: undefined }
    const below = firstUnreadKey(value, right.get(key), here)
    if (below !== undefined) return below
  }
  return undefined
}

const branchesOf = (
  value: Schema.Json | undefined
): ReadonlyMap<string, Schema.Json> | undefined =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined

// Supposition of a what-if: settings that differ from those under which a session was recorded.

/**
 * Engine supposed for a step that a model may perform. `local`: this build's own engine, instead of
 * the one that answered. `other`: another model, prompt or ranker, whose answer nobody has
 * recorded.
 */
const EngineChoice = Schema.Literals(["local", "other"])

const engines = {
  gate: Schema.optionalKey(EngineChoice),
  planner: Schema.optionalKey(EngineChoice),
  ranker: Schema.optionalKey(EngineChoice),
  writer: Schema.optionalKey(EngineChoice),
  judge: Schema.optionalKey(EngineChoice),
  researcher: Schema.optionalKey(EngineChoice)
}

const between = (minimum: number, maximum: number) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/**
 * Supposed values. A field that is absent stays as it was recorded; without any, today's rules are
 * applied to the same facts.
 */
export const Supposition = Schema.Struct({
  /** Pages read for one request. A request that fixes it keeps its own. */
  pages_max: between(1, 20),
  /** Passages handed to the writer. A request that fixes it keeps its own. */
  passages_max: between(1, 20),
  /** Characters of the evidence block, in UTF-16 code units. */
  evidence_chars_max: between(200, 20_000),
  /** Hits that a provider scores below are left out. 0 to 1. */
  score_min: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  ),
  /** Queries of one request, whatever the gate says. 0 forbids searching. */
  queries_max: between(0, 3),
  search_depth: Schema.optionalKey(SearchDepth),
  /** Tier of every request, which sets how many searches the session has. */
  tier: Schema.optionalKey(Tier),
  engines: Schema.optionalKey(Schema.Struct(engines))
})
export type Supposition = typeof Supposition.Type

/** Request as it would have been sent under the supposition. */
export const requestOf = (
  { queries_max, search_depth, tier }: Supposition,
  request: GroundingRequest
): GroundingRequest => {
  const tiered = tier === undefined ? request : { ...request, tier }
  if (queries_max === undefined && search_depth === undefined) return tiered
  return {
    ...tiered,
    overrides: {
      include_domains: [],
      exclude_domains: [],
      ...tiered.overrides,
      ...(queries_max === undefined ? {} : { max_queries: queries_max }),
      ...(search_depth === undefined ? {} : { search_depth })
    }
  }
}

/**
 * Policy that would have been recorded with the request. Limits that the request fixes itself are
 * not replaced.
 */
export const policyOf = (
  { evidence_chars_max, pages_max, passages_max }: Supposition,
  { listing, overrides }: GroundingRequest,
  policy: GroundingPolicy
): GroundingPolicy => {
  const isFixed = listing?.urls !== undefined || overrides?.max_sources !== undefined
  return {
    ...policy,
    ...(pages_max === undefined || isFixed ? {} : { pages_max }),
    ...(passages_max === undefined || overrides?.top_k !== undefined
      ? {}
      : { chunks_max: passages_max }),
    ...(evidence_chars_max === undefined ? {} : { evidence_chars_max })
  }
}
