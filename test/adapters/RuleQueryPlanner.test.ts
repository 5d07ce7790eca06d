import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { requestWith } from "../support/groundingRequest.ts"

const now = "2026-11-21T09:00:00.000Z"

const planned = Effect.fn("planned")(function*(changes: Partial<GroundingRequest>) {
  const request = requestWith({ topic: "Daily life", ...changes })
  const need = yield* LocalEngines.gate.ask(request)
  return yield* LocalEngines.planner.ask({ request, need, now })
})

const firstQuery = Effect.fn("firstQuery")(function*(changes: Partial<GroundingRequest>) {
  const plan = yield* planned(changes)
  return plan.queries[0]
})

const wordings: ReadonlyArray<readonly [question: string, query: string]> = [
  ["Who wrote Orientalism?", "Who wrote Orientalism"],
  ["Could you please tell me who wrote Orientalism?", "who wrote Orientalism"],
  ["Hi! I'd like to know what GDPR is, thanks!", "what GDPR is"],
  ["Check engine light meaning?", "Check engine light meaning"],
  ["Practice law in Texas requirements", "Practice law in Texas requirements"],
  ["육아휴직 기간을 알려 주세요", "육아휴직 기간"],
  ["敷金の返還について教えてください", "敷金の返還"],
  ["My name is Ann Lee. How long is the notice period?", "How long is the notice period"]
]

describe("rule query planner", () => {
  it.effect.each(wordings)(
    "asks first in the user's own words: %s",
    ([user_question, query]) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* firstQuery({ user_question }), query)
      })
  )

  it.effect("names the region where the question does not", () =>
    Effect.gen(function*() {
      const user_question = "Is it legal to sublet?"
      const region = { country: "DE", city: "Berlin" }
      assert.strictEqual(
        yield* firstQuery({ user_question, region }),
        "Is it legal to sublet Berlin Germany"
      )
      assert.strictEqual(
        yield* firstQuery({ user_question: "Is it legal to sublet in Berlin?", region }),
        "Is it legal to sublet in Berlin"
      )
      assert.strictEqual(
        yield* firstQuery({ user_question: "팁을 줘야 하나요?", region: { country: "JP" } }),
        "팁을 줘야 하나요 일본"
      )
      assert.strictEqual(
        yield* firstQuery({ user_question: "チップは必要ですか？", region: { country: "US" } }),
        "チップは必要ですか アメリカ合衆国"
      )
      assert.strictEqual(
        yield* firstQuery({ user_question, region: { country: "FR" }, locale: "de" }),
        "Is it legal to sublet Frankreich"
      )
    }))

  it.effect("makes a follow-up complete", () =>
    Effect.gen(function*() {
      const topic = "Tipping etiquette in restaurants in Tokyo"
      assert.strictEqual(
        yield* firstQuery({ topic, user_question: "and in Osaka?" }),
        "Tipping etiquette in restaurants in Osaka"
      )
      assert.strictEqual(
        yield* firstQuery({ topic, user_question: "What about taxis?" }),
        "Tipping etiquette in restaurants in Tokyo taxis"
      )
      assert.strictEqual(
        yield* firstQuery({ topic: "일본 식당 예절", user_question: "그럼 택시는?" }),
        "일본 식당 예절 택시"
      )
    }))

  it.effect("looks for an official source of law, and stops once it is found", () =>
    Effect.gen(function*() {
      const plan = yield* planned({ user_question: "Is it legal to sublet in Rome?" })
      assert.strictEqual(plan.queries[1], "legal sublet Rome official government")
      assert.deepStrictEqual(plan.stop_conditions, [{ _tag: "OFFICIAL_SOURCE_FOUND" }])
    }))

  it.effect("adds the request's year to what changes", () =>
    Effect.gen(function*() {
      const plan = yield* planned({
        user_question: "What is the current minimum wage?",
        region: { country: "KR" },
        user_asked_for_facts: true
      })
      assert.deepStrictEqual(plan.queries, [
        "What is the current minimum wage South Korea",
        "current minimum wage official government South Korea",
        "current minimum wage 2026 South Korea"
      ])
    }))

  it.effect("asks once and takes enough results where the matter is plain", () =>
    Effect.gen(function*() {
      const plan = yield* planned({ user_question: "Who wrote Orientalism?" })
      assert.lengthOf(plan.queries, 1)
      assert.deepStrictEqual(plan.stop_conditions, [{ _tag: "ENOUGH_RESULTS", count: 5 }])
      assert.deepStrictEqual(plan.must_have_evidence, ["Orientalism", "wrote"])
    }))

  it.effect("wants what is asked in the evidence, and no open slot", () =>
    Effect.gen(function*() {
      const plan = yield* planned({
        phase: "session_setup",
        topic: "The user wants to practise asking a landlord for repairs in Munich",
        unknown_required_slots: ["notice_period"]
      })
      assert.strictEqual(plan.queries[0], "asking a landlord for repairs in Munich")
      assert.include(plan.must_have_evidence, "Munich")
      assert.notInclude(plan.must_have_evidence, "notice period")
    }))

  it.effect("sends no personal data of question or topic", () =>
    Effect.gen(function*() {
      const plan = yield* planned({
        topic: "Jane (jane@example.com) rents from my landlord Peter Novak in Prague",
        user_question: "My name is Jane Roe, phone +420 601 123 456. Can he evict me?",
        user_asked_for_facts: true
      })
      const sent = JSON.stringify(plan)
      for (const canary of ["jane@example.com", "Novak", "Roe", "601 123 456"]) {
        assert.notInclude(sent, canary)
      }
      assert.include(sent, "evict")
    }))
})
