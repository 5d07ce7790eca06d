/** Differences between two answers to a request that a reader would notice. */
import { Schema } from "effect"
import { DemotionReason, type GroundingPack, sections, Support } from "../pack/GroundingPack.ts"
import { asGiven } from "../request/GivenFields.ts"
import { type GroundingOutcome, OutcomeReason } from "../session/GroundingOutcome.ts"

const Standing = Schema.Struct({
  section: Schema.Literals(sections),
  confidence: Schema.Finite,
  support: Support,
  reason: Schema.optionalKey(DemotionReason),
  urls: Schema.Array(Schema.String)
})

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
  planned: pair(Schema.Array(Schema.String)),
  /** Queries that were sent, or answered from the cache. */
  searched: pair(Schema.Array(Schema.String)),
  claims: Schema.optionalKey(Schema.Array(ClaimChange)),
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

export const changeBetween = (before: ComparedAnswer, after: ComparedAnswer): OutcomeChange => {
  const changed = <A>(of: (answer: ComparedAnswer) => A) => {
    const [was, is] = [of(before), of(after)]
    return isSame(was, is) ? undefined : { before: was, after: is }
  }
  const claims = claimsChanged(before.pack, after.pack)
  return asGiven({
    decision: changed(({ need }) => ({
      need_search: need.need_search,
      reason_codes: need.reason_codes,
      queries_max: need.max_queries
    })),
    planned: changed(({ plan }) => plan?.queries ?? []),
    searched: changed(({ searches }) => searches.map(({ query }) => query)),
    claims: claims.length === 0 ? undefined : claims,
    confidence: changed(({ pack }) => pack.confidence),
    reason: changed(({ reason }) => reason),
    evidence_chars: changed(({ evidence_block }) => evidence_block.length),
    budget: changed(({ budget }) => ({ spent: budget.spent_by_request, limit: budget.limit }))
  })
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A claim is identified by its text; repeated ones are compared in the order of the packs. */
const claimsChanged = (before: GroundingPack, after: GroundingPack) => {
  const later = standingsOf(after)
  const changed = standingsOf(before).flatMap(({ standing, text }) => {
    const index = later.findIndex((one) => one.text === text)
    const [now] = index < 0 ? [] : later.splice(index, 1)
    return isSame(standing, now?.standing)
      ? []
      : [{ text, before: standing, ...asGiven({ after: now?.standing }) }]
  })
  return [...changed, ...later.map(({ standing, text }) => ({ text, after: standing }))]
}

const standingsOf = (pack: GroundingPack) =>
  sections.flatMap((section) =>
    pack[section].map(({ confidence, reason, sources, support, text }) => {
      const urls = sources.map(({ url }) => url)
      return { text, standing: { section, confidence, support, ...asGiven({ reason }), urls } }
    })
  )

// The first difference of two JSON values, as a readable path.

export interface Difference {
  /** Keys and indices joined by dots; empty for the whole value. */
  readonly path: string
  /** `undefined`: absent on this side. */
  readonly recorded: Schema.Json | undefined
  readonly recomputed: Schema.Json | undefined
}

/** First difference, depth first, keys in code-unit order; `undefined` for none. */
export const firstDifference = (
  recorded: Schema.Json | undefined,
  recomputed: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  // JSON has no not-a-number, and no store keeps a negative zero.
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

/** The first key that `read`, the parsed form, lacks: no release wrote it. `undefined`: none. */
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
