/**
 * Signals of a text: the word fields that reasons, search topic and volatility are derived from.
 */
import { featuresOf, type GateFeatures } from "./GateFeatures.ts"
import * as GateWords from "./GateWords.ts"

export interface NeedSignals {
  readonly features: GateFeatures
  /** How many different words of a field the text holds. */
  readonly count: (subject: GateWords.WordField) => number
  /** Capitalised or quoted within a sentence. */
  readonly names: number
  readonly years: ReadonlyArray<number>
}

export const signalsOf = (text: string): NeedSignals => {
  const features = featuresOf(text)
  const { shape } = features
  const names = namesOf(text)
  const acts = names.filter((found) => namedAct.test(found)).length
  return {
    features,
    count: (subject) =>
      GateWords.count(shape.whole, shape.language, subject) + (subject === "law" ? acts : 0),
    names: names.length,
    years: shape.years
  }
}

/** Names as they stand: capitalised within a sentence, or quoted in Chinese and Japanese. */
export const namesOf = (text: string): ReadonlyArray<string> =>
  (text.match(name) ?? []).filter((found) => !/^I(?:['’]\p{L}+)?$/u.test(found))

const name =
  /(?<!^|[.!?:;\n"“]\s*)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*|[「『《][^」』》]{1,40}[」』》]/gu

/** The last word of a named law, e.g. "the Data Protection Act". */
const namedAct = /^(?:Act|Bill|Law|Code|Directive|Regulation|Ordinance|Amendment|Convention)$/
