/** When what was found suffices, so that the next query is spared. */
import { assert, describe, it } from "@effect/vitest"
import type { QueryPlan, StopCondition } from "../../src/domain/plan/QueryPlan.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import { hit } from "../support/sessionFacts.ts"

const question = "How much notice must a tenant give in Japan?"
const oneMonth = "A tenant in Japan must give one month's notice."
const alsoOneMonth = "In Japan the tenant has to give notice of 1 month before leaving."
const twoMonths = "A tenant in Japan must give two months' notice."
const rent = "Rent is paid at the end of each month by bank transfer."

const found = (...contents: ReadonlyArray<string>) =>
  contents.map((content, place) =>
    hit(`https://s${place}.example/a`, {
      content,
      title: "Page",
      ...(place === 0 ? { source_class: "known" as const } : {})
    })
  )

const planOf = (
  stop_conditions: ReadonlyArray<StopCondition>,
  must_have_evidence: ReadonlyArray<string> = []
): QueryPlan => ({ queries: ["one", "two"], must_have_evidence, stop_conditions })

const agree: StopCondition = { _tag: "N_REPUTABLE_SOURCES_AGREE", count: 2 }
const isEnough = (plan: QueryPlan, ...contents: ReadonlyArray<string>) =>
  NextStep.isSatisfied(plan, found(...contents), question)

describe("a plan's stop conditions", () => {
  it("find agreement where two sites answer with the same figure", () => {
    assert.isTrue(isEnough(planOf([agree]), oneMonth, rent, alsoOneMonth))
  })

  it("find none where only unknown pages say so, and a primary source where one speaks of it", () => {
    const anybody = found(oneMonth, rent, alsoOneMonth).slice(2)
    const plain = [...found(rent, oneMonth).slice(1), ...anybody]
    assert.isFalse(NextStep.isSatisfied(planOf([agree]), plain, question))
    const official: StopCondition = { _tag: "OFFICIAL_SOURCE_FOUND" }
    const primary = (content: string) =>
      hit("https://a.go.jp/a", { content, title: "Page", source_class: "primary" })
    assert.isTrue(NextStep.isSatisfied(planOf([official]), [primary(oneMonth)], question))
    assert.isFalse(NextStep.isSatisfied(planOf([official]), [primary("Open on Monday.")], question))
    assert.isFalse(NextStep.isSatisfied(planOf([official]), plain, question))
  })

  it("find none where they differ, where one says nothing of it, or where one site says it twice", () => {
    assert.isFalse(isEnough(planOf([agree]), oneMonth, twoMonths))
    assert.isFalse(isEnough(planOf([agree]), oneMonth, rent))
    const twice = found(oneMonth, alsoOneMonth).map((one) => ({ ...one, site: "s.example" }))
    assert.isFalse(NextStep.isSatisfied(planOf([agree]), twice, question))
  })

  it("compare a site's first answers, and no table: what a stranger writes has a bound", () => {
    const days = (count: number) => `A tenant in Japan must give ${count} days of notice.`
    const last = (place: number) =>
      [...Array.from({ length: place - 1 }, (_, more) => days(100 + more)), days(30)].join(" ")
    assert.isTrue(isEnough(planOf([agree]), days(30), last(4)))
    assert.isFalse(isEnough(planOf([agree]), days(30), last(5)))
    const table = `A tenant in Japan must give notice of 30 days: ${"1% ".repeat(400)}.`
    assert.isFalse(isEnough(planOf([agree]), days(30), table))
  })

  it("are not enough while evidence that the plan asks for is missing", () => {
    const plan = planOf([{ _tag: "ENOUGH_RESULTS", count: 1 }], ["notice", "penalty"])
    assert.isFalse(isEnough(plan, oneMonth))
    assert.isTrue(isEnough(plan, oneMonth, "Without notice a penalty is due."))
  })

  it("never suffice where there are none, or none but free text of an older plan", () => {
    assert.isFalse(isEnough(planOf([]), oneMonth))
    assert.isFalse(isEnough(planOf([{ _tag: "FREE_TEXT", text: "enough" }]), oneMonth))
  })
})
