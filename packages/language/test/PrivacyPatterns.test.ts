/** Each named pattern finds its example, and nothing in its counterexample. */
import { assert, describe, it } from "@effect/vitest"
import { unspacedIntroductions } from "../src/privacy/NameTagger.ts"
import { contacts, numberShapes } from "../src/privacy/NumberShapes.ts"

interface Row {
  readonly name: string
  readonly pattern: RegExp
  readonly not?: RegExp
  readonly example: string
  readonly counterexample: string
}

const rows: ReadonlyArray<Row> = [
  ...contacts,
  ...numberShapes,
  ...unspacedIntroductions
]

const found = ({ not, pattern }: Row, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), (match) => match.groups?.["secret"] ?? match[0])
    .filter((secret) => not?.test(secret) !== true)

describe("a pattern of personal data", () => {
  it.each(rows.map((row) => [row.name, row] as const))("finds what it is for: %s", (_, row) => {
    assert.isNotEmpty(found(row, row.example))
    assert.deepStrictEqual(found(row, row.counterexample), [])
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
