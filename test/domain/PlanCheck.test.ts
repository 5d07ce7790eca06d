import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { strip } from "../../packages/language/src/privacy/QueryPrivacy.ts"
import { queriesMax, type SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import { check } from "../../src/domain/plan/PlanRules.ts"
import { queryCharsMax, QueryPlan } from "../../src/domain/plan/QueryPlan.ts"
import { requestWith } from "../support/groundingRequest.ts"

const needing = (max_queries: number): SearchNeed => ({
  need_search: true,
  reason_codes: ["COMMON_PRACTICE"],
  max_queries,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
})

const planOf = (...[first = "", ...rest]: ReadonlyArray<string>): QueryPlan => ({
  queries: [first, ...rest],
  must_have_evidence: [],
  stop_conditions: []
})

const request = requestWith({ topic: "Tenancy", user_question: "Is it legal to sublet in Rome?" })
const queries = (planned: ReadonlyArray<string>, most = queriesMax) =>
  check(planOf(...planned), request, needing(most)).queries

describe("plan check", () => {
  it("keeps a good plan as it is", () => {
    assert.deepStrictEqual(queries(["subletting law Rome", "sublocazione legge"]), [
      "subletting law Rome",
      "sublocazione legge"
    ])
  })

  it("drops a query that says the same in another order, case or punctuation", () => {
    assert.deepStrictEqual(queries(["Subletting law, Rome", "rome subletting LAW?"]), [
      "Subletting law, Rome"
    ])
  })

  it("keeps two queries that differ in a number or a place", () => {
    assert.lengthOf(queries(["rent law Rome 2024", "rent law Rome 2025"]), 2)
    assert.lengthOf(queries(["rent law Rome", "rent law Milan"]), 2)
  })

  it("keeps at most as many as the need allows, and one even when it allows none", () => {
    const three = ["subletting", "eviction rules", "deposit refund"]
    assert.lengthOf(queries(three, 2), 2)
    assert.lengthOf(queries(three, 0), 1)
  })

  it("cuts at a word, or between characters where there is no blank, and never over the bound", () => {
    const [words = "", signs = ""] = ["deposit ", "敷金😀"].flatMap((one) =>
      queries([one.repeat(200)])
    )
    assert.isAtMost(Math.max(words.length, signs.length), queryCharsMax)
    assert.isTrue(words.endsWith("deposit") && signs.isWellFormed())
  })

  it("takes personal data out, and falls back on the question when nothing is left", () => {
    assert.deepStrictEqual(queries(["subletting Rome for jane@example.com"]), [
      "subletting Rome for"
    ])
    assert.deepStrictEqual(queries(["jane@example.com", "  "]), ["Is it legal to sublet in Rome?"])
  })

  it("falls back on the topic, then on anything, rather than on personal data", () => {
    const only = requestWith({ topic: "Renting", user_question: "jane@example.com" })
    assert.deepStrictEqual(check(planOf(""), only, needing(1)).queries, ["Renting"])
    const nothing = requestWith({ topic: "jane@example.com" })
    assert.deepStrictEqual(check(planOf(""), nothing, needing(1)).queries, ["general information"])
  })

  it("cleans evidence, and refuses a condition in free text", () => {
    const plan = check(
      {
        queries: ["subletting"],
        must_have_evidence: ["notice period", "jane@example.com", "notice period"],
        stop_conditions: [{ _tag: "FREE_TEXT", text: "until jane@example.com is content" }]
      },
      request,
      needing(1)
    )
    assert.deepStrictEqual(plan.must_have_evidence, ["notice period"])
    assert.deepStrictEqual(plan.stop_conditions, [])
  })
})

const canaries = ["jane.doe@example.com", "+49 170 1234567", "4111 1111 1111 1111", "@jane_doe99"]

it.prop(
  "a checked plan is private, bounded, without repeats and never empty",
  {
    planned: Schema.Array(Schema.String),
    most: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
    canary: Schema.Literals(canaries)
  },
  ({ canary, most, planned }) => {
    const salted = planned.flatMap((query) => [query, `${query} ${canary}`, query.toUpperCase()])
    const plan = check(planOf(...salted), request, needing(most))
    assert.isTrue(Schema.is(QueryPlan)(plan))
    assert.isAtMost(plan.queries.length, Math.max(1, Math.min(most, queriesMax)))
    assert.strictEqual(new Set(plan.queries).size, plan.queries.length)
    for (const query of plan.queries) {
      assert.notStrictEqual(query.trim(), "")
      assert.notInclude(query, canary)
      assert.strictEqual(strip(query), query)
    }
  }
)
