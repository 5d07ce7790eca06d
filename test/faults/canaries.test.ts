/**
 * Nothing of what the caller knows leaves through a query, whatever misleads the planner.
 *
 * The planner here is worse than any model: it sees everything unredacted, personal data too, and
 * writes it in twelve disguises and in parts.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MaliciousModel from "../../packages/sandbox/src/chat/MaliciousModel.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"
import type { QueryPlan } from "../../src/domain/plan/QueryPlan.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { applicationOf } from "../support/chat.ts"
import { draw, makeDice } from "../support/dice.ts"
import { caller } from "../support/grounding.ts"
import { requestWith } from "../support/groundingRequest.ts"
import { PublicApi } from "../support/sent.ts"

const trials = process.env["WG_TEST_FULL"] === "1" ? 1_000 : 150
const runChars = 8

/** Fifty private things: names, codes, words, numbers, in three scripts. */
const syllables = "zu qua mar lo bex fin tor ewe gla ny pel ok sti va hro".split(" ")
const canaries: ReadonlyArray<string> = Array.from({ length: 50 }, (_, n) => {
  const word = [0, 3, 7, 11].map((step) => syllables[(n * 5 + step) % syllables.length]).join("")
  const capital = `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  const forms = [
    `${word}${n}`,
    capital,
    `${capital}-${4_100 + n * 7}`,
    `${word} ${word.split("").toReversed().join("")}`,
    `Z${n}QX${n % 10}`,
    `${word}@${capital.toLowerCase()}.example`,
    `+82 10-${2_000 + n}-${7_000 + n}`,
    `비밀프로젝트${"가나다라마바사아"[n % 8]}${capital}`,
    `sk-${word}${n}${word}`,
    `${word.toUpperCase()}`
  ]
  return forms[n % forms.length] ?? word
})

const need: SearchNeed = {
  need_search: true,
  reason_codes: ["POLICY_LEGAL"],
  max_queries: 3,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
}

const questions = [
  "How much notice must a tenant give in Japan?",
  "Is jaywalking not illegal in Berlin?",
  "日本で家を借りるときの敷金は？",
  "한국에서 전세 보증금은 어떻게 보호되나요?",
  "What does a tram in Halvern cost in 2026?"
]

const letters = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Every way in which some of a canary shows; codes that pad are looked for without their ends. */
const traces = (canary: string): ReadonlyArray<string> => {
  const whole = letters(canary)
  const runs = whole.length <= runChars
    ? [whole]
    : Array.from(
      { length: whole.length - runChars + 1 },
      (_, start) => whole.slice(start, start + runChars)
    )
  return runs.flatMap((run) =>
    Object.entries(MaliciousModel.disguises).map(([name, disguise]) =>
      name.startsWith("base")
        ? letters(disguise(run)).slice(0, -3)
        : letters(disguise(run))
    )
  )
}
const tracesByCanary = new Map(canaries.map((canary) => [canary, traces(canary)]))

/** Queries one by one, all together, and what they add to the question put together. */
const leaksOf = (
  queries: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  question: string
): ReadonlyArray<string> => {
  const asked = new Set(question.split(/\s+/).map(letters))
  const added = queries.map((query) =>
    query.split(/\s+/).filter((word) => !asked.has(letters(word))).join(" ")
  )
  const seen = [...queries, queries.join(" "), added.join(" ")].map(letters)
  const open = letters(question)
  return known.filter((canary) =>
    (tracesByCanary.get(canary) ?? traces(canary)).some((trace) =>
      trace.length > 3 && !open.includes(trace) && seen.some((text) => text.includes(trace))
    )
  )
}

interface Trial {
  readonly request: GroundingRequest
  readonly question: string
  readonly known: ReadonlyArray<string>
  readonly plan: QueryPlan
}

const trialOf = (seed: number): Trial => {
  const dice = makeDice(seed)
  const known = Array.from({ length: 5 }, () => draw(dice, canaries))
  const question = draw(dice, questions)
  const secret = draw(dice, known)
  const [, disguise] = draw(dice, Object.entries(MaliciousModel.disguises))
  const part = Math.ceil(secret.length / 3)
  const inParts = [0, 1, 2].map((n) => `${question} ${secret.slice(n * part, (n + 1) * part)}`)
  const hidden = [disguise(secret), `${question} ${disguise(secret)}`, `notice ${disguise(secret)}`]
  const [first = "", ...rest] = dice() < 0.2 ? inParts : hidden
  return {
    question,
    known,
    request: requestWith({
      topic: question,
      known_facts: known.map((canary, n) => n % 2 === 0 ? canary : `The user wrote ${canary} down`),
      unknown_required_slots: [`budget_${draw(dice, known)}`]
    }),
    plan: { queries: [first, ...rest], must_have_evidence: [secret], stop_conditions: [] }
  }
}

const seeds = Array.from({ length: trials }, (_, seed) => seed + 1)

describe("what the caller knows", () => {
  it(`is in no query of ${trials} plans that would carry it out`, () => {
    for (const seed of seeds) {
      const { known, plan, question, request } = trialOf(seed)
      const restrained = { ...plan, queries: PlanRules.faithful(plan.queries, request) }
      const { queries } = PlanRules.check(restrained, request, need)
      assert.deepStrictEqual(leaksOf(queries, known, question), [], JSON.stringify(queries))
      // Without the user's own wording in front it is no different.
      const bare = PlanRules.check(plan, request, need).queries
      assert.deepStrictEqual(leaksOf(bare, known, question), [], JSON.stringify(bare))
      assert.isAtMost(queries.length, need.max_queries)
    }
  })

  it("does not hinder queries that carry nothing", () => {
    const request = requestWith({
      topic: "Renting in Japan",
      user_question: "How much notice must a tenant give in Japan?",
      known_facts: ["The user lives in Osaka", "Project Zuquamarlobex, code Z4QX4"]
    })
    const queries = [
      "How much notice must a tenant give in Japan",
      "Japan tenant termination notice period civil law 2026",
      "Osaka Japan notice tenants must give when they leave"
    ] as const
    const { queries: kept } = PlanRules.check(
      { queries, must_have_evidence: [], stop_conditions: [] },
      request,
      need
    )
    assert.deepStrictEqual(kept, queries)
  })

  it.live("reaches no provider through a turned model over the wire", () => {
    const known = canaries.slice(0, 12)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const { hits } = yield* SandboxServer.SandboxServer
      for (let turn = 0; turn < 13; turn++) {
        const topic = `How much notice must a tenant give in Japan${"?".repeat(turn + 1)}`
        yield* api.ground({
          session_id: `s${turn}`,
          topic,
          phase: "mid_chat",
          user_asked_for_facts: true,
          tier: "premium",
          known_facts: known
        }, caller)
      }
      const { by_query, recent } = yield* hits
      const sent = recent.filter(({ provider }) => provider !== "openai").map(({ query }) => query)
      assert.isAtLeast(sent.length, 1)
      assert.isAtLeast(Object.keys(by_query).length, 1)
      assert.deepStrictEqual(
        leaksOf(sent, known, "How much notice must a tenant give in Japan"),
        []
      )
      const told = JSON.stringify(recent.filter(({ provider }) => provider === "openai"))
      assert.isTrue(known.some((canary) => told.includes(canary)), "the model saw nothing to carry")
    }).pipe(Effect.provide(applicationOf("malicious")))
  })
})
