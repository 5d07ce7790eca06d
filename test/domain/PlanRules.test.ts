import { assert, describe, it } from "@effect/vitest"
import { bareRequest } from "../../bench/bareRequest.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"

const story = "My sister and I left our flat in Elmport with two cats and a parrot."
const question = "How much does the maritime museum cost for adults?"

const queriesOf = (asked: string, maxQueries = 2): ReadonlyArray<string> => {
  const request = { ...bareRequest(asked, { user_asked_for_facts: true }), user_question: asked }
  const need = { ...NeedRules.decide(request).search, max_queries: maxQueries }
  return PlanRules.plan(request, need, 2026).queries
}

describe("the local planner", () => {
  it("asks a second time without the story before a question, but for its places", () => {
    assert.deepStrictEqual(queriesOf(`${story} ${question}`), [
      `${story} ${question}`.slice(0, -1),
      "How much does the maritime museum cost for adults Elmport"
    ])
  })

  it("spends no second query where one is left", () => {
    assert.deepStrictEqual(queriesOf(`${story} ${question}`, 1), [
      `${story} ${question}`.slice(0, -1)
    ])
  })

  it("adds nothing where all of it asks, or what asks says little alone", () => {
    for (const text of [question, "My neighbour feeds wild boars in Elmport. Is that allowed?"]) {
      assert.notInclude(
        queriesOf(text).slice(1).join(),
        text.split(". ").at(-1)?.slice(0, -1) ?? ""
      )
    }
  })
})
