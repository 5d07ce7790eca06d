import { assert, describe, it } from "@effect/vitest"
import * as InjectionFlag from "../src/injection/InjectionFlag.ts"
import * as Languages from "../src/language/Languages.ts"
import { chunksOfSnippet } from "../src/passages/Chunking.ts"
import * as QuotedPassage from "../src/statements/QuotedPassage.ts"
import { tokens } from "../src/statements/QuotedPassage.ts"
import * as Sameness from "../src/statements/Sameness.ts"
import { quantities } from "../src/text/Quantities.ts"
import * as Sentences from "../src/text/Sentences.ts"
import { sentences } from "../src/text/Sentences.ts"
import { nameTerms, words } from "../src/text/Words.ts"
import { cpuMsOf } from "./support/machine.ts"

/** Runs that make a careless pattern look at every pair of places. */
const runs = [
  ..."aA19.,-_ \n<>[(\"#*\u0301東한",
  ...["Ab ", "1,", "a.", "U.", "[a](", "![", "\u1100\u1161", "なけれ", "http://", "www.", "aa.bb-"],
  ...["\u001b]", "one ", "A of ", "ignore all previous ", "System: ", "<|a", "note to ", "..."]
]
const charsCount = 50_000
/** Linear work takes a tenth of it on a slow machine, quadratic work ten times as much. */
const cpuMsMax = 750

describe("text tools take time in proportion to the text", () => {
  it.each<readonly [string, (text: string) => unknown]>([
    ["InjectionFlag.isSuspicious", InjectionFlag.isSuspicious],
    ["InjectionFlag.suspiciousSpans", InjectionFlag.suspiciousSpans],
    ["chunksOfSnippet", chunksOfSnippet],
    ["sentences", sentences],
    ["words", words],
    ["tokens", tokens],
    ["quantities", quantities],
    ["nameTerms", nameTerms],
    ["Languages.languageOf", Languages.languageOf],
    ["Sameness.isDenied", (text) => Sameness.isDenied(text, "notice")],
    ["Sameness.isTurned", (text) => Sameness.isTurned(text, "notice")],
    ["Sameness.isLimited", Sameness.isLimited],
    ["QuotedPassage.readable", (text) => {
      const within = { start: 0, end: text.length }
      return QuotedPassage.passageAround(QuotedPassage.readable(text, within), {
        start: 0,
        end: 40
      })
    }],
    ["PlainText.clean", (text) => Sentences.proseOf(text, charsCount, () => false)],
    ["PlainText.hasLink", Sentences.hasLink]
  ])("%s", (_, run) => {
    for (const piece of runs) {
      const text = piece.repeat(Math.ceil(charsCount / piece.length))
      assert.isBelow(cpuMsOf(() => run(text)), cpuMsMax, JSON.stringify(piece))
    }
  })
})
