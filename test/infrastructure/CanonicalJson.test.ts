import { assert, describe, it } from "@effect/vitest"
import canonicalizeByLibrary from "canonicalize"
import { Result, Schema } from "effect"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"

/** The arrays and objects of RFC 8785, section 3.2.3 and appendix B. */
const vectors: ReadonlyArray<readonly [string, string]> = [
  [
    "{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]," +
    "\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"," +
    "\"literals\":[null,true,false]}",
    "{\"literals\":[null,true,false]," +
    "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27]," +
    "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
  ],
  [
    "{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet\"," +
    "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\"," +
    "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}",
    "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\"," +
    "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\"," +
    "\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet\"}"
  ]
]

const keys = ["a", "b", "10", "9", "1e3", "", "__proto__", "constructor", "-1", "ä", "😀", "\\u"]

describe("canonical JSON", () => {
  it.each(vectors)("canonicalises the vectors of RFC 8785: %s", (text, expected) => {
    assert.deepStrictEqual(canonical(JSON.parse(text)), Result.succeed(expected))
  })

  it.prop("says what the reference library says", [Schema.Json], ([value]) => {
    const ours = canonical(value)
    if (Result.isSuccess(ours)) {
      assert.strictEqual(ours.success, canonicalizeByLibrary(value))
    }
  }, { arbitrary: { runs: 500 } })

  it("orders awkward keys as the reference library does", () => {
    for (let mask = 0; mask < 1 << keys.length; mask += 7) {
      const chosen = keys.filter((_, index) => (mask >> index) & 1)
      const value: Schema.Json = JSON.parse(
        `{${chosen.map((key, index) => `${JSON.stringify(key)}:{"z":${index},"a":[]}`).join()}}`
      )
      assert.strictEqual(Result.getOrThrow(canonical(value)), canonicalizeByLibrary(value))
    }
  })

  it("survives being parsed and canonicalised again", () => {
    for (const [text] of vectors) {
      const once = Result.getOrThrow(canonical(JSON.parse(text)))
      assert.deepStrictEqual(canonical(JSON.parse(once)), Result.succeed(once))
    }
  })

  it("leaves out what JSON leaves out, and refuses what it would change", () => {
    assert.deepStrictEqual(canonical({ a: undefined, b: 1 }), Result.succeed("{\"b\":1}"))
    for (const value of [NaN, -Infinity, 1n, new Date(0), () => 1, Symbol("s"), [undefined]]) {
      assert.isTrue(Result.isFailure(canonical(value)), String(value))
    }
  })

  it("distinguishes a NUL or a lone surrogate from a backslash before the same letters", () => {
    for (const text of ["\\u0000", "\\ud800", "\\\\u0000", "\u{1d800}", "😀\\ud83d"]) {
      assert.deepStrictEqual(canonical(text), Result.succeed(JSON.stringify(text)))
    }
    for (const text of ["\0", "\\\0", "\ud800", "\\\udfff", "a\udc00b"]) {
      assert.isTrue(Result.isFailure(canonical(text)), JSON.stringify(text))
      assert.isTrue(Result.isFailure(canonical({ [text]: 1 })), JSON.stringify(text))
    }
  })
})
