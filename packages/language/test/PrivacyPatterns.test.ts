/** Each named pattern finds its example, and nothing in its counterexample. */
import { assert, describe, it } from "@effect/vitest"
import { unspacedIntroductions } from "../src/privacy/NameTagger.ts"
import { contacts, numberShapes, unspacedShapes } from "../src/privacy/NumberShapes.ts"
import texts from "./patternExamples.json" with { type: "json" }

const tables = [
  contacts,
  numberShapes,
  ...Object.values(unspacedShapes),
  ...Object.values(unspacedIntroductions)
]
const rows = tables.flatMap((table) => Object.entries(table))

/** A text that holds it, and one that nearly does, by the name of the pattern. */
const examples: Readonly<Record<string, ReadonlyArray<string>>> = texts

const found = (pattern: RegExp, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), (match) => match.groups?.["secret"] ?? match[0])

describe("a pattern of personal data", () => {
  it.each(rows)("finds what it is for: %s", (name, pattern) => {
    const [example = "", counterexample = ""] = examples[name] ?? []
    assert.isNotEmpty(found(pattern, example))
    assert.deepStrictEqual(found(pattern, counterexample), [])
  })

  it("has a name of its own", () => {
    assert.strictEqual(new Set(rows.map(([name]) => name)).size, rows.length)
  })

  it("holds no repetition within a repetition of the same letters", () => {
    const nested = /(?<!\\)\((?:\?:)?\[[^\]]+\][+*]\)[+*]/
    assert.deepStrictEqual(rows.filter(([, pattern]) => nested.test(pattern.source)), [])
    assert.isTrue(nested.test("([a-z]+)*"))
  })
})
