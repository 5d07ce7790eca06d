import { assert, describe, it } from "@effect/vitest"
import { kindOf } from "../src/statements/AnswerSlot.ts"

describe("the slot that a question leaves open", () => {
  it.each<readonly [question: string, kind: string]>([
    ["What is the fee for a second key?", "number"],
    ["Tell me the length of the Halvern bridge", "number"],
    ["In which year was the bridge opened?", "date"],
    ["Can I deduct the cost of a second key?", "other"],
    ["Does the fee include towels?", "other"],
    ["How should I begin with dollar-cost averaging?", "other"]
  ])("%s", (question, kind) => assert.strictEqual(kindOf(question), kind))
})
