import { assert, describe, it } from "@effect/vitest"
import * as InjectionFlag from "../../src/domain/injection/InjectionFlag.ts"
import * as Polarity from "../../src/domain/opposition/Polarity.ts"
import { isLimited, partyOf } from "../../src/domain/pack/Scope.ts"
import { chunksOfSnippet } from "../../src/domain/retrieval/Chunking.ts"
import { nameTerms } from "../../src/domain/text/Names.ts"
import * as PlainText from "../../src/domain/text/PlainText.ts"
import { quantities } from "../../src/domain/text/Quantities.ts"
import { tokens } from "../../src/domain/text/QuoteTokens.ts"
import { sentences } from "../../src/domain/text/Sentences.ts"
import { words } from "../../src/domain/text/Words.ts"
import { cpuMsOf } from "../support/machine.ts"

/** Runs that make a careless pattern look at every pair of places. */
const runs = [
  ..."aA19.,-_ \n<>[(\"#*\u0301東한",
  ...["Ab ", "1,", "a.", "U.", "[a](", "![", "\u1100\u1161", "なけれ", "http://", "www.", "aa.bb-"],
  ...["\u001b]", "one ", "A of ", "ignore all previous ", "System: ", "<|a", "note to ", "..."]
]
const charsCount = 100_000
/** Linear work takes a tenth of it on a slow machine, quadratic work ten times as much. */
const cpuMsMax = 3_000

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
    ["Polarity.isNegatedOtherwise", (text) => Polarity.isNegatedOtherwise(text, "notice")],
    ["Scope", (text) => [isLimited(text), partyOf(text)]],
    ["PlainText.clean", (text) => PlainText.clean(text, charsCount, () => false)],
    ["PlainText.hasLink", PlainText.hasLink]
  ])("%s", (_, run) => {
    for (const piece of runs) {
      const text = piece.repeat(Math.ceil(charsCount / piece.length))
      assert.isBelow(cpuMsOf(() => run(text)), cpuMsMax, JSON.stringify(piece))
    }
  })
})
