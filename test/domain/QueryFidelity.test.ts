import { assert, describe, it } from "@effect/vitest"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"
import { faithful, keepsTerms } from "../../src/domain/plan/PlanRules.ts"
import type { QueryPlan } from "../../src/domain/plan/QueryPlan.ts"
import { needOf } from "../support/evidencePages.ts"
import { requestWith } from "../support/groundingRequest.ts"

const planOf = (first: string, ...rest: ReadonlyArray<string>): QueryPlan => ({
  queries: [first, ...rest],
  must_have_evidence: [],
  stop_conditions: []
})

describe("a query that keeps the question's meaning", () => {
  it.each([
    ["How much notice must a tenant give in Japan?", "Japan tenant notice period", true],
    ["How much notice must a tenant give in Japan?", "tenant notice period", false],
    ["What changed in 2026 for visas in Japan?", "Japan visa changes 2026", true],
    ["What changed in 2026 for visas in Japan?", "Japan visa changes", false],
    ["Is jaywalking not illegal in Berlin?", "jaywalking illegal Berlin", false],
    ["Is jaywalking not illegal in Berlin?", "Berlin jaywalking no fine law", true],
    ["Why is the fee 1,500 yen?", "fee 1500 yen reason", true]
  ])("%s / %s: %s", (question, query, kept) => {
    assert.strictEqual(keepsTerms(question, query), kept)
  })
})

describe("a gate's queries", () => {
  const question = "How much notice must a tenant give in Japan?"

  it("follow the user's own wording and are dropped where they lost its meaning", () => {
    const queries = ["Japan tenant termination notice", "cheap flights"]
    assert.deepStrictEqual(faithful(queries, requestWith({ topic: question })), [
      "How much notice must a tenant give in Japan",
      "Japan tenant termination notice"
    ])
  })

  it("may ask for one side of a comparison after the wording, and not instead of it", () => {
    const topic = "Does Office 2019 have more languages than Office 2013?"
    const proposed = ["Office 2013 languages", "cheap flights", "Office 2019 languages"]
    const queries = faithful(proposed, requestWith({ topic }))
    assert.deepStrictEqual(queries.slice(1), ["Office 2013 languages", "Office 2019 languages"])
    assert.isFalse(keepsTerms(topic, "Office 2013 languages"))
  })

  it("go in front where the question leans on what was said before", () => {
    const request = requestWith({ topic: "Renting in Japan", user_question: "And in Osaka?" })
    const queries = faithful(["Renting in Osaka rules"], request)
    assert.strictEqual(queries[0], "Renting in Osaka rules")
    assert.strictEqual(queries[1], "Renting in Osaka")
  })

  it("are sent before the planner's own, however many the wording finds", () => {
    const own: QueryPlan = {
      ...planOf("How much notice must a tenant give in Japan", "tenant notice Japan official"),
      stop_conditions: [{ _tag: "ENOUGH_RESULTS", count: 5 }, { _tag: "OFFICIAL_SOURCE_FOUND" }]
    }
    const request = requestWith({ topic: question })
    const joined = PlanRules.withProposed(own, ["Japan lease notice law", "cheap flights"], request)
    assert.deepStrictEqual(
      PlanRules.check(joined, request, { ...needOf("USER_ASKED"), max_queries: 3 }),
      {
        ...own,
        queries: [own.queries[0], "Japan lease notice law", "tenant notice Japan official"],
        stop_conditions: [{ _tag: "OFFICIAL_SOURCE_FOUND" }]
      }
    )
    assert.deepStrictEqual(PlanRules.withProposed(own, [], request), own)
    const fixed = requestWith({
      topic: question,
      overrides: { queries: ["as given"], include_domains: [], exclude_domains: [] }
    })
    assert.deepStrictEqual(PlanRules.withProposed(own, ["another"], fixed), own)
  })

  it("stay as they are when they are restrained again", () => {
    for (
      const request of [
        requestWith({ topic: question }),
        requestWith({ topic: "Renting in Japan", user_question: "And in Osaka?" })
      ]
    ) {
      const once = faithful(["Japan tenant notice", "Osaka renting Japan"], request)
      const again = faithful(once, request)
      assert.deepStrictEqual(new Set(again), new Set(once))
      assert.strictEqual(again[0], once[0])
    }
  })
})

describe("a query that carries something out", () => {
  const request = requestWith({
    topic: "How much notice must a tenant give in Japan?",
    known_facts: ["The project is called Bluefinch", "door code 7H29K", "Lives in Osaka"]
  })

  it.each([
    ["notice bluefinch Japan"],
    ["notice blue finch Japan"],
    ["hcnifeulb"],
    ["oyhrsvapu"],
    ["Ymx1ZWZpbmNo"],
    ["626c756566696e6368"],
    ["98 108 117 101 102 105 110 99 104"],
    ["bears like under every fine island near cold hills"],
    ["7h29k"],
    ["aZ3kP9qLm2Xv"],
    ["notice 48213"]
  ])("%s is left out", (query) => {
    assert.deepStrictEqual(PlanRules.withoutLeaks([query], request), [])
  })

  it("is left out with the others when its parts are in several", () => {
    const queries = ["tenant notice bluef", "tenant notice inch", "tenant notice give"]
    assert.deepStrictEqual(PlanRules.withoutLeaks(queries, request), ["tenant notice give"])
  })

  it.each([
    ["Osaka tenant notice Japan"],
    ["Japan tenant notice 2026"],
    ["notice period residential lease termination"],
    ["日本 賃貸 解約予告"],
    ["H-1B or COVID-19 rules"]
  ])("%s stays", (query) => {
    assert.deepStrictEqual(PlanRules.withoutLeaks([query], request), [query])
  })
})
