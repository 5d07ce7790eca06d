/** Whether a text needs the web, by the fitted model, and how fast its answer changes. */
import * as GateWords from "./GateFeatures.ts"
import { featuresOf, type GateFeatures, structureNames, type WordField } from "./GateFeatures.ts"
import fitted from "./GateWeights.json" with { type: "json" }

// Signals of a text, from which reasons, search topic and volatility are derived.

export type NeedSignals = ReturnType<typeof signalsOf>

export const signalsOf = (text: string) => {
  const features = featuresOf(text)
  const { shape } = features
  const names = namesOf(text)
  const acts = names.filter((found) => namedAct.test(found)).length
  return {
    features,
    count: (subject: WordField) =>
      GateWords.count(shape.whole, shape.language, subject) + (subject === "law" ? acts : 0),
    /** Capitalised or quoted within a sentence. */
    names: names.length,
    years: shape.years
  }
}

/** Names in their spelling: capitalised within a sentence, or quoted in Chinese and Japanese. */
export const namesOf = (text: string): ReadonlyArray<string> =>
  (text.match(name) ?? []).filter((found) => !/^I(?:['’]\p{L}+)?$/u.test(found))

const name =
  /(?=\p{Lu})(?<!^|[.!?:;\n"“]\s*)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*|[「『《][^」』》]{1,40}[」』》]/gu

/** The last word of a named law, e.g. "the Data Protection Act". */
const namedAct = /^(?:Act|Bill|Law|Code|Directive|Regulation|Ordinance|Amendment|Convention)$/

// Probability that a question's answer changes within some years. Weights set by hand.

const countMax = 2
const bias = -1.2

const weights: ReadonlyArray<readonly [WordField, number]> = [
  ["changing", 1.6],
  ["time", 1.4],
  ["now", 0.9],
  ["price", 0.8],
  ["finance", 1.2],
  ["settled", -1.6]
]
/** A question that names a year mostly asks about the past. */
const yearWeight = -1

const volatilityOf = (signals: NeedSignals): number => {
  const subjects = weights.reduce(
    (sum, [subject, weight]) => sum + weight * Math.min(countMax, signals.count(subject)),
    bias
  )
  return 1 / (1 + Math.exp(-(subjects + (signals.years.length > 0 ? yearWeight : 0))))
}

export type NeedScore = ReturnType<typeof weigh>

/** Whether a text, read alone, needs the web. Independent of the clock: same text, same result. */
export const decideNeedSearch = (text: string, part: GatePart = "turn"): NeedScore =>
  weigh(signalsOf(text), part)

export const weigh = (signals: NeedSignals, part: GatePart) => {
  const points = pointsOf(signals, part)
  return {
    need: points >= 0,
    /** 0 to 1; needed from 0.5. */
    score: 1 / (1 + Math.exp(-points / pointsOfOdds)),
    /** 0 to 1: probability that the answer changes within some years. */
    volatility: volatilityOf(signals)
  }
}

/** Whole-number points for one log-odd. */
const pointsOfOdds = 1_000

/**
 * A setup is scored by its subject and, if it asks, also as a question. An unknown script counts as
 * needing the web.
 */
const pointsOf = ({ features }: NeedSignals, part: GatePart): number => {
  const turn = Math.max(scoreOf(features, "turn"), features.shape.isUnread ? 0 : -Infinity)
  if (part === "turn") return turn
  const setup = scoreOf(features, "setup")
  return features.shape.isAsked ? Math.max(turn, setup) : setup
}

export const isChat = ({ features, names }: NeedSignals): boolean => {
  const { greets, isAsked, language, length, numbers } = features.shape
  const named = language === "de" ? features.shape.names : names
  return greets && !isAsked && named + numbers === 0 && length <= chatWordsMax &&
    scoreOf(features, "turn") < chatPointsMax
}

const chatWordsMax = 12
/** Points below which a greeting without a question is not searched for. */
const chatPointsMax = 300

// The fitted gate: a weighted sum over a text's features, in whole thousandths of a log-odd.

/** `turn`: a user's question or statement. `setup`: the scene or topic of a session. */
type GatePart = "turn" | "setup"

/** Character code of weight 0; other codes differ by the weight, in units of `hashedUnit`. */
const zeroCode = 63

const levelsOf = (lines: ReadonlyArray<string>): Int8Array => {
  const letters = lines.join("")
  return new Int8Array(letters.length).map((_, place) => letters.charCodeAt(place) - zeroCode)
}

const weightsOf = (part: (typeof fitted)["turn"]) => {
  const byName = new Map<string, number>(Object.entries(part.structure))
  return {
    bias: part.bias,
    /** Weights of `structureNames`; a name absent from the file weighs 0. */
    structure: structureNames.map((name) => byName.get(name) ?? 0),
    /** Weights of the hashed buckets, modulo their number. */
    hashed: levelsOf(part.hashed)
  }
}

const gateModelWeights = {
  turn: weightsOf(fitted.turn),
  setup: weightsOf(fitted.setup)
}

/** A search is needed from 0. Whole numbers and square roots are the same on every machine. */
export const scoreOf = ({ hashed, structure }: GateFeatures, part: GatePart): number => {
  const own = gateModelWeights[part]
  const form = structure.reduce((sum, index) => sum + (own.structure[index] ?? 0), own.bias)
  const levels = hashed.reduce(
    (sum, bucket) => sum + (own.hashed[bucket % own.hashed.length] ?? 0),
    0
  )
  return hashed.length === 0
    ? form
    : form + Math.round(fitted.hashedUnit * levels / Math.sqrt(hashed.length))
}
