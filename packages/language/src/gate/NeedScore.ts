/** Whether a text needs the web, by the fitted model, and how fast its answer changes. */
import { type GatePart, scoreOf } from "./GateModel.ts"
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
export const decideNeedSearch = (text: string, part: GatePart = "turn"): NeedScore =>
  weigh(signalsOf(text), part)

export const weigh = (signals: NeedSignals, part: GatePart): NeedScore => {
  const points = pointsOf(signals, part)
  return {
    need: points >= 0,
    score: 1 / (1 + Math.exp(-points / pointsOfOdds)),
    volatility: volatilityOf(signals)
  }
}

/** A log-odd in the model's whole numbers. */
const pointsOfOdds = 1_000

/**
 * A setup is judged by its subject; where it is put as a question, also as one. A turn in a script
 * that the model knows nothing of is needed in doubt.
 */
const pointsOf = ({ features }: NeedSignals, part: GatePart): number => {
  const turn = Math.max(scoreOf(features, "turn"), features.shape.isUnread ? 0 : -Infinity)
  if (part === "turn") return turn
  const setup = scoreOf(features, "setup")
  return features.shape.isAsked ? Math.max(turn, setup) : setup
}

/** Whether a text is thanks or a greeting, so that nothing is asked. */
export const isChat = ({ features, names }: NeedSignals): boolean => {
  const { greets, isAsked, language, length, numbers } = features.shape
  // German capitalises every noun.
  const named = language === "de" ? features.shape.names : names
  return greets && !isAsked && named + numbers === 0 && length <= chatWordsMax &&
    scoreOf(features, "turn") < chatPointsMax
}

/** Most words of a text that only greets. */
const chatWordsMax = 12
/** Points below which a text that greets and asks nothing is not searched for. */
const chatPointsMax = 300
