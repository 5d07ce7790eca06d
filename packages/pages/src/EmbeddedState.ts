/** Text of a script-rendered page, from data of frameworks and article bodies in JSON-LD. */
import { Option, Predicate, Schema } from "effect"
import { titleCharsMax } from "./ExtractedPage.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { blocksOf, type TextBlock } from "./TextBlocks.ts"

/** Most values of a state that are visited. */
const valuesMax = 50_000
/** Most text taken, in total and of one value, in UTF-16 code units. */
const textCharsMax = 200_000
/** Least length of a sentence, and of prose without a final mark. In UTF-16 code units. */
const sentenceCharsMin = 40
const proseCharsMin = 120
/** Longest word of prose; URLs, keys and code are longer. */
const wordCharsMax = 60

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

export const blocksIn = (states: ReadonlyArray<string>): ReadonlyArray<TextBlock> => {
  const blocks = new Map<string, TextBlock>()
  let chars = 0
  for (const text of states.flatMap((state) => valuesIn(jsonOf(state))).filter(isProse)) {
    for (const block of isMarkup(text) ? markupBlocks(text) : plainBlocks(text)) {
      if (chars > textCharsMax || blocks.has(block.text)) continue
      blocks.set(block.text, block)
      chars += block.text.length
    }
  }
  return Array.from(blocks.values())
}

/** The state itself, or the object that a script assigns. */
const jsonOf = (state: string): unknown =>
  Option.getOrUndefined(Option.orElse(
    decodeJson(state),
    () => decodeJson(state.slice(state.indexOf("{"), state.lastIndexOf("}") + 1))
  ))

/** All values of a state in order, from outside in. */
const valuesIn = (state: unknown): ReadonlyArray<unknown> => {
  const values: Array<unknown> = []
  const stack: Array<unknown> = [state]
  while (stack.length > 0 && values.length < valuesMax) {
    const value = stack.pop()
    values.push(value)
    if (Predicate.isObjectOrArray(value)) {
      for (const inner of Object.values(value).toReversed()) stack.push(inner)
    }
  }
  return values
}

/** Least length of a title that identifies the page, in UTF-16 code units. */
const titleCharsMin = 8
const publishedKey =
  /^(?:date_?published|(?:first_?)?publish(?:ed)?(?:_?(?:at|on|date|time))?|publication_?date|pub_?date)$/i

/** Publication date, as written, of the object with the page's own title; none without one. */
export const publishedIn = (states: ReadonlyArray<string>, title: string): string | undefined => {
  const start = title.slice(0, titleCharsMax)
  for (const value of states.flatMap((state) => valuesIn(jsonOf(state)))) {
    if (!Predicate.isObject(value)) continue
    const fields = Object.entries(value).filter((field): field is [string, string] =>
      typeof field[1] === "string"
    )
    const isPage = fields.some(([key, name]) =>
      /title|headline/i.test(key) && name.length >= titleCharsMin && start.includes(name)
    )
    const [, date] = fields.find(([key]) => publishedKey.test(key)) ?? []
    if (isPage && date !== undefined) return date
  }
  return undefined
}

const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u
const sentenceEnd = /[\p{STerm}:…]["”’»)\]]*\s*(?:<\/\w+>\s*)*$/u

const isProse = (text: unknown): text is string => {
  if (typeof text !== "string" || text.length < sentenceCharsMin) return false
  if (text.length > textCharsMax) return false
  if (/^\s*(?:https?:|data:|[[{])|\bfunction\s*\(|=>|[;{}]\s*\n/.test(text)) return false
  const words = text.replace(/<[^<>]*>/g, " ").trim().split(/\s+/)
  const isWordy = words.length >= 6 && words.every((word) => word.length <= wordCharsMax)
  return (isWordy || unspaced.test(text)) &&
    (sentenceEnd.test(text) || text.length >= proseCharsMin)
}

const isMarkup = (text: string): boolean =>
  /<(?:p|div|br|h[1-6]|ul|ol|li|table|span|section)\b/i.test(text)

const markupBlocks = (html: string): ReadonlyArray<TextBlock> => blocksOf(HtmlTree.build(html).body)

const plainBlocks = (text: string): ReadonlyArray<TextBlock> =>
  text.split(/\n+/).map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "")
    .map((line) => ({ kind: "text", text: line, linkShare: 0 }))
