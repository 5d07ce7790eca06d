/** Each named pattern finds its example, and nothing in its counterexample. */
import { assert, describe, it } from "@effect/vitest"
import { unspacedIntroductions } from "../src/privacy/NameTagger.ts"
import { contacts, numberShapes } from "../src/privacy/NumberShapes.ts"
import texts from "./patternExamples.json" with { type: "json" }

interface Row {
  readonly name: string
  readonly pattern: RegExp
  readonly not?: RegExp
}

const rows: ReadonlyArray<Row> = [
  ...contacts,
  ...numberShapes,
  ...unspacedIntroductions
]

/** A text that holds it, and one that nearly does, by the name of the pattern. */
const examples: Readonly<Record<string, ReadonlyArray<string>>> = texts

const found = ({ not, pattern }: Row, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), (match) => match.groups?.["secret"] ?? match[0])
    .filter((secret) => not?.test(secret) !== true)

describe("a pattern of personal data", () => {
  it.each(rows.map((row) => [row.name, row] as const))("finds what it is for: %s", (_, row) => {
    const [example = "", counterexample = ""] = examples[row.name] ?? []
    assert.isNotEmpty(found(row, example))
    assert.deepStrictEqual(found(row, counterexample), [])
  })

  it("has a name of its own", () => {
    assert.strictEqual(new Set(rows.map(({ name }) => name)).size, rows.length)
  })

  it("holds no repetition within a repetition of the same letters", () => {
    const nested = /(?<!\\)\((?:\?:)?\[[^\]]+\][+*]\)[+*]/
    assert.deepStrictEqual(rows.filter(({ pattern }) => nested.test(pattern.source)), [])
    assert.isTrue(nested.test("([a-z]+)*"))
  })
})
