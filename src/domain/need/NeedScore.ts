/** Weighs the signals of a text: does it need the web, and how fast does its answer change? */
import type { Cue } from "./Cues.ts"
import { type NeedSignals, signalsOf } from "./NeedSignals.ts"
import { volatilityOf } from "./Volatility.ts"

export interface NeedScore {
  readonly need: boolean
  /** 0 to 1; needed from 0.5. */
  readonly score: number
  /** 0 to 1: the chance that the answer is another one some years on. */
  readonly volatility: number
}

/** Whether a text, read on its own, needs the web. Without a clock: same text, same answer. */
export const decideNeedSearch = (text: string): NeedScore => weigh(signalsOf(text))

export const weigh = (signals: NeedSignals): NeedScore => {
  const volatility = volatilityOf(signals)
  const evidence = bias + subjectOf(signals) + formOf(signals) +
    (volatility > volatileMin ? 0.5 : 0)
  return { need: evidence >= 0, score: 1 / (1 + Math.exp(-evidence)), volatility }
}

/** In log-odds. A plain question clears it, a plain statement does not. Set by hand. */
const bias = -1.4
const volatileMin = 0.6

const weights: ReadonlyArray<readonly [cue: Cue, weight: number, countMax: number]> = [
  ["culture", 1, 2],
  ["legal", 1.1, 2],
  ["practice", 0.4, 2],
  ["expert", 0.6, 2],
  ["live", 1.8, 1],
  ["news", 0.6, 2],
  ["finance", 1, 1],
  ["sources", 0.9, 1],
  ["recommend", 0.8, 1],
  ["knowledge", 0.8, 1],
  ["makeAnywhere", -1, 2],
  ["supplied", -1, 2],
  ["roleplay", -2.4, 2],
  ["counterfactual", -2.6, 1],
  ["reasoning", -1.3, 2],
  ["code", -0.9, 2],
  ["clock", -2.6, 1],
  ["language", -2.4, 1],
  ["household", -2.2, 1],
  ["opinion", -0.4, 1]
]

/** In an order these words belong to what is to be made, not to what is asked. */
const ofTheMaterial: ReadonlySet<Cue> = new Set<Cue>(["live", "news", "finance", "recommend"])

const subjectOf = (signals: NeedSignals): number => {
  const isOrder = signals.count("make") > 0
  return weights.reduce(
    (sum, [cue, weight, countMax]) =>
      isOrder && ofTheMaterial.has(cue)
        ? sum
        : sum + weight * Math.min(countMax, signals.count(cue)),
    0
  )
}

const formOf = (signals: NeedSignals): number => {
  const isPersonal = signals.count("personal") > 0
  const isMatterOfRules = signals.count("legal") + signals.count("culture") > 0
  const isExchange = signals.currencies >= 2
  const asksForMaterial = signals.hasMaterial && signals.count("knowledge") > 0
  const forms: ReadonlyArray<readonly [holds: boolean, weight: number]> = [
    [signals.isQuestion, 2.2],
    [signals.opensAsking, 0.6],
    [signals.isTopic && !signals.isQuestion && !signals.hasMaterial, 1.5],
    [signals.years.length > 0, 0.3],
    [isPersonal, isMatterOfRules ? -1.4 : -3],
    [signals.count("assistant") > 0, isMatterOfRules ? -1 : -2.8],
    [isExchange, 2.2],
    [signals.isCommand, -2.4],
    [signals.isSum, -6],
    [signals.hasMaterial, -1.6],
    [asksForMaterial, -1.5],
    [signals.isShort && signals.count("smallTalk") > 0, -3]
  ]
  const orders = isExchange ? 0 : -2.4 * Math.min(2, signals.count("make"))
  return forms.reduce((sum, [holds, weight]) => holds ? sum + weight : sum, orders) +
    0.2 * Math.min(3, signals.names)
}
