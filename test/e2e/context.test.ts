/** The text for the caller's model in every case, over HTTP and the sandbox's faults. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import {
  GroundingClient,
  type GroundInput,
  layer as clientLayer
} from "../../packages/client/src/effect.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import type { GroundingMode, OutcomeReason } from "../../src/domain/session/GroundingOutcome.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { evidence, instance, limits, sandboxProviders } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { sandboxAlone } from "../support/sandboxService.ts"

const client = Layer.unwrap(
  Effect.map(
    HttpServer.HttpServer,
    ({ address }) => clientLayer({ url: HttpServer.formatAddress(address) })
  )
)

const served = client.pipe(
  Layer.provideMerge(
    GroundingRpcServer.layer({ host: "127.0.0.1", port: 0, beside: [HttpFace.httpFace] })
  ),
  Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
  Layer.provide(Layer.mergeAll(sandboxProviders, MemoryEventStore.layer, instance("p1"), limits())),
  Layer.provideMerge(sandboxAlone)
)

const question = "How much notice must a tenant give in Japan?"
const asked = { topic: question, phase: "mid_chat", user_asked_for_facts: true } as const
const sent = (...queries: ReadonlyArray<string>) => ({
  ...asked,
  overrides: { queries, search_timeout_ms: 1_000 }
})

interface Cell {
  readonly what: string
  /** What the session was asked before. */
  readonly before?: ReadonlyArray<Omit<GroundInput, "session_id">>
  readonly input: Omit<GroundInput, "session_id">
  readonly mode: GroundingMode
  readonly reason: OutcomeReason
  readonly en: RegExp
  readonly ko: RegExp
}

const cells: ReadonlyArray<Cell> = [
  {
    what: "one query finds nothing and another hangs",
    input: sent("tenant notice fault:empty", "tenant notice fault:hang"),
    mode: "ungrounded",
    reason: "not_answered_in_part",
    en: /^\[Search incomplete\].*1 of 2 searches failed \(The search timed out\)/,
    ko: /^\[검색 일부 실패\].*2건 중 1건.*검색 시간이 초과/
  },
  {
    what: "one query answers and another hangs",
    input: sent("tenant notice Japan", "tenant notice fault:hang"),
    mode: "partial",
    reason: "answered_in_part",
    en: /^\[Search incomplete\] Sources were found.*1 of 2 searches failed/,
    ko: /^\[검색 일부 실패\].*출처를 찾았으나.*2건 중 1건/
  },
  {
    what: "every query hangs",
    input: sent("tenant notice fault:hang"),
    mode: "ungrounded",
    reason: "search_failed",
    en: /^\[Web search unavailable\] The search timed out/,
    ko: /^\[웹 검색 사용 불가\].*사유: 검색 시간이 초과/
  },
  {
    what: "the budget is spent",
    before: [sent("key money fault:hang", "deposit fault:hang")],
    input: { ...asked, topic: "What does a tram ride in Halvern cost?" },
    mode: "not_searched",
    reason: "budget_exhausted",
    en: /^\[Not searched\] No search is left.*tram ride/,
    ko: /^\[검색하지 않음\] 남은 검색 횟수가 없어.*tram ride/
  },
  {
    what: "the phase allows no search",
    input: { topic: question, phase: "mid_chat" },
    mode: "not_searched",
    reason: "phase_not_eligible",
    en: /^\[Not searched\] The session's set-up is done.*user_asked_for_facts/,
    ko: /^\[검색하지 않음\] 세션 준비가 끝났고.*user_asked_for_facts/
  },
  {
    what: "the caller's deadline is 300 ms and the provider hangs",
    input: { ...sent("tenant notice fault:hang"), deadline_ms: 300 },
    mode: "ungrounded",
    reason: "search_failed",
    en: /^\[Web search unavailable\] The search timed out/,
    ko: /^\[웹 검색 사용 불가\].*사유: 검색 시간이 초과/
  },
  {
    what: "nothing fits the question",
    input: { ...asked, topic: "Do I need a permit to keep a pet crocodile in Japan?" },
    mode: "ungrounded",
    reason: "nothing_found",
    en: /^\[Search finished\] Nothing was found.*crocodile/,
    ko: /^\[검색 완료\].*검색 결과가 없습니다/
  },
  {
    what: "pages were read and none answers",
    input: { ...asked, topic: "How much notice must a tenant give in Portugal?" },
    mode: "ungrounded",
    reason: "question_not_answered",
    en: /^\[Search finished\] Pages were read, and none answers.*Portugal/,
    ko: /^\[검색 완료\].*답하는 내용은 없습니다/
  }
]

const rows = cells.flatMap((cell, place) =>
  (["en", "ko"] as const).map((locale) => ({ ...cell, locale, session_id: `${place}-${locale}` }))
)

/** Each has a service of its own: a provider that fails too often rests. */
const timeoutMs = 20_000

describe("the context of the caller's model", () => {
  it.live.each(rows)(
    "begins with what happened, $locale: $what",
    ({ before = [], input, locale, mode, reason, session_id, ...cell }) =>
      Effect.gen(function*() {
        const { ground } = yield* GroundingClient
        for (const earlier of before) yield* ground({ ...earlier, session_id })
        const outcome = yield* ground({ ...input, session_id, locale })
        assert.deepInclude(outcome, { mode, reason }, outcome.llm_context)
        assert.match(outcome.llm_context, cell[locale])
        // The user's question, and no planner's keywords.
        assert.include(outcome.llm_context, input.topic)
        assert.isTrue(outcome.llm_context.endsWith(outcome.evidence_block))
      }).pipe(Effect.provide(served)),
    timeoutMs
  )

  it.live(
    "lets a set-up that met an outage be grounded when the provider is back",
    () =>
      Effect.gen(function*() {
        const { ground } = yield* GroundingClient
        const { setFault } = yield* SandboxServer.SandboxServer
        const setup = {
          session_id: "setup",
          topic: "A tenant in Japan gives notice to the landlord",
          overrides: { max_queries: 1 }
        } as const
        yield* setFault("500")
        const down = yield* Effect.ensuring(ground(setup), setFault(""))
        assert.include(down, { mode: "ungrounded", reason: "search_failed" })
        const back = yield* ground(setup)
        assert.notInclude(["ungrounded", "not_searched"], back.mode)
        assert.isAbove(back.pack.confidence, 0)
        const third = yield* ground({ ...setup, topic: "Rent and deposit of a flat in Japan" })
        assert.include(third, { mode: "not_searched", reason: "phase_not_eligible" })
        const spent = [down, back, third].map(({ budget }) => budget.spent_by_request)
        assert.deepStrictEqual(spent, [1, 1, 0])
      }).pipe(Effect.provide(served)),
    timeoutMs
  )
})
