/** Fits the sums for claims and packs, and rates seen items with them. */
import {
  type ClaimName,
  claimNames,
  type PackName,
  packNames
} from "../../src/domain/pack/ConfidenceFeatures.ts"
import { fit, logitOf, probabilityOf, type Row, type Signs, type Sum } from "./logistic.ts"
import type { Seen } from "./seen.ts"

/** Of three searches two are taken to find the answer: sets have no rate of their own. */
export const answerableWeight = 2
/** Every set weighs as much as so many questions without an answer. */
const setWeight = 250
const shrink = { question: 3, topic: 40, scale: 0.01 } as const

/** What bears a claim out never lowers it. */
const claimSigns: Signs<ClaimName> = {
  held: 1,
  around: 1,
  spelled: 1,
  agreed: 1,
  passage: 1,
  lead: 1,
  lag: -1,
  rank: 1,
  first: 1,
  independent: 1,
  score: 1,
  gap: -1
}
const packSigns: Signs<PackName> = {
  passage: 1,
  score: 1,
  held: 1,
  around: 1,
  spelled: 1,
  agreed: 1,
  lead: 1
}

export interface Fitted {
  readonly claim: Sum<ClaimName>
  readonly pack: Sum<PackName>
}

/** Of one set the questions with an answer weigh alike whatever their number, and those without. */
const weightsOf = (all: ReadonlyArray<Seen>): (seen: Seen) => number => {
  const keyOf = ({ isUnanswerable, set }: Seen) => `${set} ${isUnanswerable}`
  const counts = new Map<string, number>()
  for (const seen of all) counts.set(keyOf(seen), (counts.get(keyOf(seen)) ?? 0) + 1)
  return (seen) =>
    setWeight * (seen.isUnanswerable ? 1 : answerableWeight) / (counts.get(keyOf(seen)) ?? 1)
}

/**
 * The pack's direction is fitted to whether the pages hold an answer, which decides refusal; its
 * scale to whether the claims hold it, which is the meaning of the number.
 */
export const fitted = (all: ReadonlyArray<Seen>, part: "question" | "topic"): Fitted => {
  const weightOf = weightsOf(all)
  const claims: ReadonlyArray<Row<ClaimName>> = all.flatMap((seen) =>
    seen.claims.map(({ features, isRight }) => ({
      features,
      isTrue: isRight,
      weight: weightOf(seen)
    }))
  )
  const packs = all.flatMap((seen) => {
    const { claims, isUnanswerable, pack } = seen
    return pack === undefined ? [] : [{
      features: pack,
      weight: weightOf(seen),
      isTrue: !isUnanswerable,
      isRight: claims.some(({ isRight }) => isRight)
    }]
  })
  const direction = fit(packNames, packs, packSigns, shrink[part])
  const scale = fit(
    ["odds"],
    packs.map(({ features, isRight, weight }) => ({
      features: { odds: logitOf(direction, packNames, features) },
      isTrue: isRight,
      weight
    })),
    { odds: 1 },
    shrink.scale
  )
  const scaled = packNames.map((name) =>
    [name, direction.weights[name] * scale.weights.odds] as const
  )
  return {
    claim: fit(claimNames, claims, claimSigns, shrink[part]),
    pack: {
      bias: direction.bias * scale.weights.odds + scale.bias,
      weights: Object.fromEntries(scaled) as Record<PackName, number>
    }
  }
}

/** The claim to rely on most, and the pack, by one way of rating them. */
export interface Judged {
  readonly seen: Seen
  /** 0 where nothing may answer. */
  readonly first: number
  readonly isFirstRight: boolean
  readonly pack: number
  readonly isAnyRight: boolean
}

export const byModel = (model: Fitted) => (seen: Seen): Judged => {
  const rated = seen.claims.map(({ features, isRight }) => ({
    isRight,
    confidence: probabilityOf(logitOf(model.claim, claimNames, features))
  }))
  const pack = seen.pack === undefined
    ? 0
    : probabilityOf(logitOf(model.pack, packNames, seen.pack))
  return judged(seen, rated, pack)
}

/** Background, by the bounds that were set by hand. */
const besideMax = 0.25

export const byTable = (seen: Seen): Judged => {
  const rated = seen.claims.map(({ byTable, isRight }) => ({
    isRight,
    confidence: seen.isAnsweredByBounds ? byTable : besideMax
  }))
  const best = rated.map(({ confidence }) => confidence).toSorted((left, right) => right - left)
    .slice(0, 3)
  const mean = best.reduce((sum, one) => sum + one, 0) / Math.max(1, best.length)
  return judged(seen, rated, seen.isAnsweredByBounds ? mean : 0)
}

const judged = (
  seen: Seen,
  rated: ReadonlyArray<{ readonly isRight: boolean; readonly confidence: number }>,
  pack: number
): Judged => {
  const first = rated.reduce<(typeof rated)[number] | undefined>(
    (best, one) => best === undefined || one.confidence > best.confidence ? one : best,
    undefined
  )
  return {
    seen,
    first: first?.confidence ?? 0,
    isFirstRight: first?.isRight ?? false,
    pack,
    isAnyRight: rated.some(({ isRight }) => isRight)
  }
}

/** Sets made of the same texts: neither is unread to what was fitted to the other. */
export const familyOf = (set: string): string => set.split("-")[0] ?? set
