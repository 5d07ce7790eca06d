import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import * as OutcomeChange from "../../src/domain/audit/OutcomeChange.ts"

type Value = Schema.Json | undefined

const different: ReadonlyArray<readonly [string, Value, Value, OutcomeChange.Difference]> = [
  ["an added field", { a: 1 }, { a: 1, b: 2 }, { path: "b", recorded: undefined, recomputed: 2 }],
  ["a missing field", { a: 1, b: 2 }, { a: 1 }, { path: "b", recorded: 2, recomputed: undefined }],
  ["an added field of null", {}, { a: null }, { path: "a", recorded: undefined, recomputed: null }],
  ["a missing field of null", { a: null }, {}, {
    path: "a",
    recorded: null,
    recomputed: undefined
  }],
  ["an item at the end of a list", [1], [1, 2], { path: "1", recorded: undefined, recomputed: 2 }],
  ["a missing item", { list: [1, 2] }, { list: [1] }, {
    path: "list.1",
    recorded: 2,
    recomputed: undefined
  }],
  ["items in another order", [1, 2], [2, 1], { path: "0", recorded: 1, recomputed: 2 }],
  ["a value deep inside", { a: [{ b: { c: "x" } }] }, { a: [{ b: { c: "y" } }] }, {
    path: "a.0.b.c",
    recorded: "x",
    recomputed: "y"
  }],
  ["a number that became text", { a: 1 }, { a: "1" }, { path: "a", recorded: 1, recomputed: "1" }],
  ["a list that became a record", { a: ["x"] }, { a: { "0": "x" } }, {
    path: "a",
    recorded: ["x"],
    recomputed: { "0": "x" }
  }],
  ["an empty list that became an empty record", [], {}, { path: "", recorded: [], recomputed: {} }],
  ["a record that became null", { a: {} }, { a: null }, {
    path: "a",
    recorded: {},
    recomputed: null
  }],
  ["false for a missing value", undefined, false, {
    path: "",
    recorded: undefined,
    recomputed: false
  }],
  ["the least of several keys", { b: 1, a: 1 }, { b: 2, a: 2 }, {
    path: "a",
    recorded: 1,
    recomputed: 2
  }]
]

const same: ReadonlyArray<readonly [string, Value, Value]> = [
  ["equal records with their keys in another order", { a: 1, b: [2] }, { b: [2], a: 1 }],
  ["equal lists", [[], {}, null, "", 0, false], [[], {}, null, "", 0, false]],
  ["two absent values", undefined, undefined],
  ["a record without keys and another", {}, {}]
]

describe("the first difference of two JSON values", () => {
  it.each(different.map(([what, recorded, recomputed, expected]) => ({
    what,
    recorded,
    recomputed,
    expected
  })))("is found in $what", ({ expected, recomputed, recorded }) => {
    assert.deepStrictEqual(OutcomeChange.firstDifference(recorded, recomputed), expected)
  })

  it.each(same.map(([what, recorded, recomputed]) => ({ what, recorded, recomputed })))(
    "is none between $what",
    ({ recomputed, recorded }) =>
      assert.isUndefined(OutcomeChange.firstDifference(recorded, recomputed))
  )
})
