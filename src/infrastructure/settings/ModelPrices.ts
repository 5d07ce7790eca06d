/**
 * Prices of models in the form that an operator writes: `model=prompt/completion`, with commas
 * between.
 */
import { Option } from "effect"

/** US dollars for a million tokens of prompt, and of answer. */
export interface ModelPrice {
  readonly prompt: number
  readonly completion: number
}

export type ModelPrices = ReadonlyMap<string, ModelPrice>

/** US dollars for a million tokens. */
export const priceMax = 10_000
export const modelsMax = 100

/**
 * Prices as a setting writes them. None where a part is no such pair, a price is out of 0 to
 * 10,000, or a model stands twice.
 */
export const parsePrices = (text: string): Option.Option<ModelPrices> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  const pairs = parts.flatMap((part) => Option.toArray(pairOf(part)))
  const prices = new Map(pairs)
  return prices.size === parts.length && parts.length <= modelsMax
    ? Option.some(prices)
    : Option.none()
}

/** A model's name may hold `/`, `:` and `=`; its prices stand behind the last `=`. */
const pairOf = (part: string): Option.Option<readonly [model: string, price: ModelPrice]> => {
  const [, model = "", prompt = "", completion = ""] = pair.exec(part) ?? []
  const price = { prompt: Number(prompt), completion: Number(completion) }
  return model !== "" && Math.max(price.prompt, price.completion) <= priceMax
    ? Option.some([model.trim(), price])
    : Option.none()
}

const pair = /^(.*\S)\s*=\s*(\d{1,5}(?:\.\d{1,9})?)\s*\/\s*(\d{1,5}(?:\.\d{1,9})?)$/
