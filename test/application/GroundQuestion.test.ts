import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type * as SessionLog from "../../src/application/log/SessionLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import type { PublicFailure } from "../../src/contract/PublicFailure.ts"
import {
  askedNotice as asked,
  caller,
  inMemory,
  providers,
  scripted,
  slow,
  whileTimePasses
} from "../support/grounding.ts"
import { eventsIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
const answer = answerWith([
  hit("https://housing.gov.example/notice", {
    official: true,
    site: "gov.example",
    content: notice
  }),
  hit("https://tenants.example/notice", {
    content: "Members must give one month's notice as a tenant before moving out.",
    rank: 2,
    site: "tenants.example"
  }),
  hit("https://blog.example/notice", {
    content: "Moving companies are cheapest in the middle of the month, says our survey.",
    rank: 3,
    site: "blog.example"
  })
])
const refs = { tenant_id: "t", session_id: "s" }

const typesOf = Effect.fnUntraced(function*() {
  const store = yield* EventStore
  return (yield* store.read(refs)).events.map(({ type }) => type)
})

describe("grounding a question", () => {
  it.effect("records its facts in order and answers with a cited pack", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const reported: Array<string> = []
      const outcome = yield* api.ground(
        asked,
        caller,
        ({ event }: SessionLog.Fact) => Effect.sync(() => void reported.push(event._tag))
      )
      assert.deepStrictEqual(reported, [
        "WEB_GROUNDING_REQUESTED",
        "WEB_GROUNDING_DECIDED",
        "WEB_GROUNDING_QUERY_PLANNED",
        "WEB_GROUNDING_CALL_STARTED",
        "WEB_GROUNDING_CALLED",
        "WEB_GROUNDING_EVIDENCE_READ",
        "WEB_GROUNDING_EVIDENCE_RANKED",
        "WEB_GROUNDING_PACK_CREATED",
        "WEB_GROUNDING_FINISHED"
      ])
      assert.deepStrictEqual(yield* typesOf(), reported)
      const [claim] = [...outcome.pack.constraints_and_rules, ...outcome.pack.key_points]
      assert.deepInclude(claim?.sources[0], { url: "https://housing.gov.example/notice" })
      assert.deepInclude(claim?.sources[0]?.quotes[0], { text: notice, start: 0 })
      assert.isNotEmpty(claim?.text)
      assert.isNotEmpty(claim?.sources[0]?.title)
      assert.isAbove(claim?.confidence ?? 0, 0)
      assert.strictEqual(outcome.mode, "snippets_only")
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("answers a repeated request from the log, the same and for free", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const first = yield* api.ground(asked, caller)
      const before = yield* typesOf()
      const again = yield* api.ground(asked, caller)
      assert.deepStrictEqual(again, first)
      assert.deepStrictEqual(yield* typesOf(), before)
      assert.strictEqual(provider.queries.length, 1)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("refuses a request id that was used for another question", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      yield* api.ground(asked, caller)
      const failure = yield* Effect.flip(api.ground({ ...asked, topic: "Something else?" }, caller))
      assert.strictEqual(failure._tag, "RequestConflict")
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["a missing session", { topic: "x" }, "session_id"],
    ["a missing topic", { session_id: "s" }, "topic"],
    ["a blank topic", { ...asked, topic: " " }, "topic"],
    ["a topic of 100 kB", { ...asked, topic: "x".repeat(100_000) }, "topic"],
    ["a topic with NUL", { ...asked, topic: "a\u0000b" }, "topic"],
    ["a topic with half a character", { ...asked, topic: "a\ud800" }, "topic"],
    ["an unknown tier", { ...asked, tier: "gold" }, "tier"],
    ["a country by name", { ...asked, region: { country: "Japan" } }, "region.country"],
    ["an empty fact", { ...asked, known_facts: ["ok", ""] }, "known_facts.1"],
    ["a negative deadline", { ...asked, deadline_ms: -1 }, "deadline_ms"],
    ["a session id with a space", { ...asked, session_id: "a b" }, "session_id"],
    ["a request id with an escape", { ...asked, request_id: "a\u001b[2J" }, "request_id"],
    ["a misspelt field", { ...asked, toipc: "x" }, "toipc"],
    ["too many queries", { ...asked, overrides: { max_queries: 9 } }, "overrides.max_queries"],
    ["a string", "no object", ""],
    ["null", null, ""]
  ]
  it.effect.each(wrong.map(([what, input, field]) => ({ what, input, field })))(
    "refuses $what, naming the field, and records nothing",
    ({ field, input }) => {
      const provider = scripted(answer)
      return Effect.gen(function*() {
        const api = yield* PublicApi
        const failure = yield* Effect.flip(api.ground(input, caller))
        assert.deepInclude(failure, { _tag: "InvalidInput", field })
        assert.deepStrictEqual(yield* typesOf(), [])
        assert.strictEqual(provider.queries.length, 0)
      }).pipe(Effect.provide(inMemory(providers(provider))))
    }
  )

  it.effect("never fails because a provider fails, and says what happened", () => {
    const provider = scripted(new SearchFailed({ provider: "tavily", status: "rate_limited" }))
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const outcome = yield* api.ground({ ...asked, locale: "ko" }, caller)
      assert.strictEqual(outcome.mode, "ungrounded")
      assert.strictEqual(outcome.pack.confidence, 0)
      assert.deepStrictEqual(outcome.pack.key_points, [])
      assert.strictEqual(outcome.searches[0]?.status, "rate_limited")
      assert.isTrue(outcome.llm_context.startsWith("[웹 검색 사용 불가]"))
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("ends inside the deadline when every provider hangs", () => {
    const provider = scripted("hangs")
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const running = yield* Effect.forkChild(api.ground({ ...asked, deadline_ms: 3_000 }, caller))
      yield* timePasses("3 seconds")
      const outcome = yield* Fiber.join(running)
      // A search is left two thirds of the time, so that the second query has some, too.
      assert.deepStrictEqual(outcome.searches.map(({ status }) => status), ["timeout", "timeout"])
      assert.strictEqual(outcome.mode, "ungrounded")
      assert.strictEqual(provider.queries.length, 2)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  /** When the first call expires, in milliseconds after it was recorded, and when its search ended. */
  const firstCall = (deadline_ms: number, attemptTimeoutMs: number) =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const running = yield* Effect.forkChild(api.ground({ ...asked, deadline_ms }, caller))
      yield* timePasses(deadline_ms)
      yield* Fiber.join(running)
      const events = yield* eventsIn(asked.session_id)
      const started = events.find(({ type }) => type === "WEB_GROUNDING_CALL_STARTED")
      const ended = events.find(({ type }) => type === "WEB_GROUNDING_CALLED")
      const sinceStart = (iso: unknown) =>
        Date.parse(String(iso)) - Date.parse(started?.recordedAt ?? "")
      return {
        expiresMs: sinceStart(Object(started?.data).expires_at),
        endedMs: sinceStart(ended?.recordedAt)
      }
    }).pipe(
      Effect.provide(
        inMemory(providers(scripted("hangs")), { limits: { attemptTimeoutMs } }),
        { local: true }
      )
    )

  it.effect("lets a call expire with its search: two thirds beyond the reserve, or all attempts", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* firstCall(9_000, 60_000), { expiresMs: 5_400, endedMs: 5_400 })
      assert.deepStrictEqual(yield* firstCall(9_000, 2_000), { expiresMs: 2_000, endedMs: 2_000 })
    }))

  it.effect("gives an attempt no more time than the caller fixes", () => {
    const provider = scripted("hangs")
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const running = yield* Effect.forkChild(
        api.ground({ ...asked, overrides: { search_timeout_ms: 1_000 } }, caller)
      )
      yield* timePasses("1 minute")
      yield* Fiber.join(running)
      const store = yield* EventStore
      const called = (yield* store.read(refs)).events
        .find(({ type }) => type === "WEB_GROUNDING_CALLED")
      assert.deepInclude(called?.data, { status: "timeout", duration_ms: 1_000 })
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("waits once for a provider that hangs: further queries ask it last, if at all", () => {
    const hanging = scripted("hangs", answer)
    const other = { ...scripted(answer, answer, answerWith([])), name: "duckduckgo" }
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const overrides = { queries: ["one", "two", "three"] }
      const asking = api.ground({ ...asked, tier: "premium", overrides }, caller)
      const { searches } = yield* whileTimePasses(asking, 30_000)
      assert.deepStrictEqual(hanging.queries, ["one", "three"])
      assert.deepStrictEqual(other.queries, overrides.queries)
      assert.deepInclude(searches[1], { tool_used: "duckduckgo", fallback_used: true })
      assert.deepInclude(searches[2], { tool_used: "tavily", fallback_used: false })
    }).pipe(Effect.provide(inMemory(providers(hanging, other))))
  })

  it.effect("records what it can when the caller goes away during a search", () => {
    const provider = scripted("hangs")
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const running = yield* Effect.forkChild(api.ground(asked, caller))
      yield* timePasses("1 second")
      yield* Fiber.interrupt(running)
      const store = yield* EventStore
      const { events } = yield* store.read(refs)
      assert.deepInclude(events.at(-1), { type: "WEB_GROUNDING_CALLED" })
      assert.deepInclude(events.at(-1)?.data, { detail: "interrupted", status: "unknown_error" })
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("keeps a session's budget over many requests at the same time", () => {
    const provider = slow(scripted(answer), 300)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const outcomes = yield* whileTimePasses(
        Effect.forEach(
          Array.from({ length: 16 }, (_, index) => index),
          (index) =>
            api.ground(
              { ...asked, topic: `${asked.topic} ${index}`, request_id: `r${index}` },
              caller
            ),
          { concurrency: "unbounded" }
        ),
        5_000
      )
      assert.strictEqual(outcomes.length, 16)
      assert.isAtMost(provider.queries.length, 2)
      const started = (yield* typesOf()).filter((type) => type === "WEB_GROUNDING_CALL_STARTED")
      assert.strictEqual(started.length, provider.queries.length)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("makes one call for twins that ask the same at the same time", () => {
    const provider = slow(scripted(answer), 300)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const twins = yield* whileTimePasses(
        Effect.forEach([1, 2, 3, 4], () => api.ground(asked, caller), { concurrency: "unbounded" }),
        5_000
      )
      for (const twin of twins) assert.deepStrictEqual(twin, twins[0])
      assert.strictEqual(provider.queries.length, 1)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect("does not search when the gate sees no need", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const outcome = yield* api.ground({
        session_id: "s",
        request_id: "r",
        topic: "Write me a short poem about my cat"
      }, caller)
      assert.strictEqual(outcome.mode, "not_searched")
      assert.strictEqual(provider.queries.length, 0)
      assert.deepStrictEqual(yield* typesOf(), [
        "WEB_GROUNDING_REQUESTED",
        "WEB_GROUNDING_DECIDED",
        "WEB_GROUNDING_FINISHED"
      ])
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })
})

describe("what is asked about a session", () => {
  it.effect("is answered from the log: events, pack, showing", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const outcome = yield* api.ground(asked, caller)
      const pack = { session_id: "s", request_id: "r" }
      assert.deepStrictEqual(yield* api.pack(pack, caller), outcome)
      const shown = { ...pack, audience: "coach" }
      assert.deepStrictEqual(yield* api.shown(shown, caller), { recorded: true })
      assert.deepStrictEqual(yield* api.shown(shown, caller), { recorded: false })
      const { events } = yield* api.session({ session_id: "s" }, caller)
      assert.strictEqual(events.at(-1)?.type, "WEB_GROUNDING_SHOWN_TO_USER")
      assert.deepStrictEqual(events.map(({ stream_version }) => stream_version), [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10
      ])
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))

  it.effect("gives a standard request its background, and a coach only to a premium one", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const { pack } = yield* api.ground(asked, caller)
      yield* api.ground({ ...asked, session_id: "p", tier: "premium" }, caller)
      const id = { session_id: "s", request_id: "r" }
      const background = yield* api.view({ ...id, audience: "roleplay_background" }, caller)
      assert.strictEqual(background.audience, "roleplay_background")
      assert.isAbove(pack.confidence, 0)
      assert.notStrictEqual(background.text, "")
      const refused = yield* Effect.flip(api.view({ ...id, audience: "coach" }, caller))
      assert.deepInclude(refused, { _tag: "InvalidInput", field: "audience" })
      const coach = yield* api.view({ session_id: "p", request_id: "r", audience: "coach" }, caller)
      assert.match(coach.text, /\[SOURCES\]\n\[1\] /)
      const user = yield* Effect.flip(api.view({ ...id, audience: "user" }, caller))
      assert.deepInclude(user, { _tag: "InvalidInput", field: "audience" })
      const unknown = { ...id, request_id: "nope", audience: "roleplay_background" }
      assert.strictEqual((yield* Effect.flip(api.view(unknown, caller)))._tag, "PackNotFound")
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))

  it.effect("is a typed failure for unknown ids, of this tenant", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      yield* api.ground(asked, caller)
      const other = { ...caller, tenantId: "other" }
      const questions: ReadonlyArray<Effect.Effect<unknown, PublicFailure>> = [
        api.session({ session_id: "nope" }, caller),
        api.session({ session_id: "s" }, other),
        api.pack({ session_id: "s", request_id: "nope" }, caller),
        api.pack({ session_id: "s", request_id: "r" }, other),
        api.shown({ session_id: "s", request_id: "nope", audience: "user" }, caller),
        api.replay({ session_id: "nope" }, caller),
        api.session({}, caller)
      ]
      const tags = yield* Effect.forEach(
        questions,
        (question) => Effect.map(Effect.flip(question), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, [
        "SessionNotFound",
        "SessionNotFound",
        "PackNotFound",
        "PackNotFound",
        "PackNotFound",
        "SessionNotFound",
        "InvalidInput"
      ])
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))
})
