/**
 * Progress over HTTP as server-sent events: in the order of the log, each fact once, gone on with
 * after any of them, and nothing paid twice.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Draining } from "../../src/application/CheckServing.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { type Answered, type Frame, framesOf, requestFor, send } from "../support/httpCalls.ts"
import { serving, url } from "../support/service.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const found = answerWith([
  hit("https://trams.halvern.example/fares", {
    content: "A single tram ride in Halvern costs three crowns since January 2026."
  })
])

/** Answers when its gate is opened, and counts what it was asked. */
interface Gated extends SearchProvider {
  readonly asked: () => number
  readonly open: Effect.Effect<void>
}

const gated = (isOpen: boolean): Gated => {
  const gate = Deferred.makeUnsafe<void>()
  const open = Effect.asVoid(Deferred.succeed(gate, undefined))
  let count = 0
  return {
    name: "tavily",
    asked: () => count,
    open,
    search: () =>
      Effect.suspend(() => {
        count += 1
        return Effect.as(isOpen ? Effect.void : Deferred.await(gate), found)
      })
  }
}

const question = (session_id: string, request_id: string) => ({
  session_id,
  request_id,
  // No search is shared with another request.
  topic: `What does a tram ride in ${session_id} of Halvern cost?`,
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: 60_000,
  overrides: { max_queries: 1 }
})

type Question = ReturnType<typeof question>

/** Afterwards a slot is free that no caller waits for. */
const abandonedMs = 1_100

/** A stream is not waited for any longer. */
const cutMsMax = 8_000

const events = { accept: "text/event-stream" }

const after = (version: number | undefined): Readonly<Record<string, string>> =>
  version === undefined ? events : { ...events, "last-event-id": String(version) }

/** The same request by `POST`, named by its key, and by `GET`. */
const posted = ({ request_id, ...body }: Question, version?: number) => ({
  ...requestFor("Ground", body),
  headers: { ...after(version), "idempotency-key": request_id }
})
const got = ({ request_id, session_id }: Question, version?: number) => ({
  ...requestFor("GetPack", { session_id, request_id }),
  headers: after(version)
})

const asked = Effect.fnUntraced(function*(sent: Parameters<typeof send>[1]) {
  return yield* send(yield* url, sent)
})

const idsOf = (frames: ReadonlyArray<Frame>): ReadonlyArray<number> =>
  frames.flatMap(({ event, id }) => event === "fact" ? [Number(id)] : [])

const told = ({ headers, status, text }: Answered): ReadonlyArray<Frame> => {
  assert.strictEqual(status, 200, text)
  assert.strictEqual(headers.get("content-type"), "text/event-stream")
  return framesOf(text)
}

/** Versions of the request's facts, by the log. */
const recorded = Effect.fnUntraced(function*({ request_id, session_id }: Question) {
  const store = yield* EventStore
  const { events } = yield* store.read({ tenant_id: "default", session_id })
  return events.filter(({ metadata }) => metadata.correlation_id === request_id)
    .map(({ version }) => version)
})

/** A stream that is read until a fact of this type, and then cut off. */
const cutAfter = Effect.fnUntraced(function*(sent: ReturnType<typeof posted>, type: string) {
  const service = yield* url
  return yield* Effect.promise(async () => {
    const cut = new AbortController()
    setTimeout(() => cut.abort(), cutMsMax).unref()
    const response = await fetch(`${service}${sent.path}`, {
      method: sent.method,
      headers: { "content-type": "application/json", ...sent.headers },
      body: sent.body ?? null,
      signal: cut.signal
    })
    assert.strictEqual(response.status, 200)
    let text = ""
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes)
      if (text.includes(`"type":"${type}"`) && text.endsWith("\n\n")) break
    }
    cut.abort()
    return framesOf(text)
  })
})

describe("progress over HTTP", () => {
  const provider = gated(true)

  it.layer(serving(provider), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("sends the facts in the order of the log, with their versions, then the outcome", () =>
      Effect.gen(function*() {
        const one = question("s1", "r")
        const frames = told(yield* asked(posted(one)))
        assert.deepStrictEqual(idsOf(frames), yield* recorded(one))
        assert.strictEqual(frames.at(-1)?.event, "outcome")
        assert.lengthOf(frames, idsOf(frames).length + 1)
        const session = yield* asked(requestFor("GetSession", { session_id: "s1" }))
        assert.deepStrictEqual(
          frames.slice(0, -1).map(({ data }) => data),
          JSON.parse(session.text).events
        )
        const pack = yield* asked(requestFor("GetPack", one))
        assert.deepStrictEqual(frames.at(-1)?.data, JSON.parse(pack.text))
      }))

    it.effect("goes on after any fact, by either way, without the facts of another request", () =>
      Effect.gen(function*() {
        const one = question("s2", "r1")
        const whole = told(yield* asked(posted(one)))
        yield* asked(posted(question("s2", "r2")))
        const searches = provider.asked()
        for (const last of [0, ...idsOf(whole)]) {
          const rest = whole.filter(({ id }) => id === undefined || Number(id) > last)
          assert.deepStrictEqual(told(yield* asked(posted(one, last))), rest, `POST ${last}`)
          assert.deepStrictEqual(told(yield* asked(got(one, last))), rest, `GET ${last}`)
        }
        assert.deepStrictEqual(told(yield* asked(got(one))), whole, "GET from the first on")
        assert.deepStrictEqual(told(yield* asked(posted(one))), whole.slice(-1), "as over RPC")
        assert.strictEqual(provider.asked(), searches, "nothing was searched again")
      }))

    it.effect("reports what fails before the first fact as a problem with a status", () =>
      Effect.gen(function*() {
        const statusOf = (sent: Parameters<typeof send>[1]) =>
          Effect.map(asked(sent), ({ status }) => status)
        const one = question("s3", "r")
        assert.strictEqual(yield* statusOf(got(one)), 404)
        yield* asked(posted(one))
        assert.strictEqual(yield* statusOf(got(question("s3", "nope"))), 404)
        assert.strictEqual(yield* statusOf(posted({ ...one, topic: "Another question?" })), 409)
        assert.strictEqual(yield* statusOf(posted({ ...one, topic: "" })), 400)
        const odd = { ...posted(one), headers: { ...events, "last-event-id": "x" } }
        assert.strictEqual(yield* statusOf(odd), 400)
        const { request_id: _, ...nameless } = one
        const lost = { ...requestFor("Ground", nameless), headers: after(1) }
        assert.strictEqual(yield* statusOf(lost), 400)
      }))
  })

  const shut = gated(false)

  it.layer(serving(shut, { places: { grounding: 2, read: 8, health: 2, document: 1 } }), {
    timeout: "60 seconds",
    excludeTestServices: true
  })("while a search is under way", (it) => {
    const searching = Effect.fnUntraced(function*(count: number) {
      while (shut.asked() < count) yield* Effect.sleep("10 millis")
    })

    it.effect("whose reader disconnected frees its slot, and is not searched again", () =>
      Effect.gen(function*() {
        const one = question("cut", "r")
        const before = yield* cutAfter(posted(one), "WEB_GROUNDING_CALL_STARTED")
        const last = idsOf(before).at(-1) ?? 0
        // Each takes a place, and there are two. The search itself goes on: it may be paid.
        for (const session of ["cut-2", "cut-3", "cut-4"]) {
          yield* Effect.sleep(abandonedMs)
          yield* cutAfter(posted(question(session, "r")), "WEB_GROUNDING_CALL_STARTED")
        }
        const searches = shut.asked()
        const rest = told(yield* asked(posted(one, last)))
        assert.strictEqual(rest.at(-1)?.event, "outcome")
        assert.deepStrictEqual([...idsOf(before), ...idsOf(rest)], yield* recorded(one))
        assert.strictEqual(shut.asked(), searches, "what was paid is not sent again")
      }))

    it.effect("is sent as it goes on, also past the facts of another request", () =>
      Effect.gen(function*() {
        const one = question("live", "r1")
        yield* Effect.sleep(abandonedMs)
        const searches = shut.asked()
        const posting = yield* Effect.forkChild(
          cutAfter(posted({ ...one, overrides: { max_queries: 2 } }), "WEB_GROUNDING_CALLED")
        )
        yield* searching(searches + 1)
        const other = { ...question("live", "r2"), overrides: { max_queries: 0 } }
        assert.strictEqual((yield* asked(requestFor("Ground", other))).status, 200)
        const told = yield* Fiber.join(posting)
        assert.notInclude(told.map(({ event }) => event), "outcome")
      }))

    it.effect("is followed from elsewhere, past the facts of another request", () =>
      Effect.gen(function*() {
        yield* Effect.sleep(abandonedMs)
        const one = question("shared", "r1")
        const searches = shut.asked()
        const posting = yield* Effect.forkChild(asked(posted(one)))
        yield* searching(searches + 1)
        const following = yield* Effect.forkChild(asked(got(one)))
        const other = yield* asked(
          requestFor("Ground", { ...question("shared", "r2"), overrides: { max_queries: 0 } })
        )
        assert.strictEqual(other.status, 200)
        yield* shut.open
        const live = told(yield* Fiber.join(posting))
        assert.deepStrictEqual(idsOf(live), yield* recorded(one))
        assert.deepStrictEqual(told(yield* Fiber.join(following)), live)
      }))
  })

  const ended = gated(false)

  it.layer(serving(ended), { timeout: "60 seconds", excludeTestServices: true })(
    "of a service that ends",
    (it) => {
      it.effect("ends with a failure that says how to go on, as does who follows it", () =>
        Effect.gen(function*() {
          const { begin, cut } = yield* Draining
          const one = question("s", "r")
          const posting = yield* Effect.forkChild(asked(posted(one)))
          while (ended.asked() === 0) yield* Effect.sleep("10 millis")
          const following = yield* Effect.forkChild(asked(got(one)))
          yield* Effect.sleep("200 millis")
          yield* begin
          yield* cut
          for (const fiber of [posting, following]) {
            const last = told(yield* Fiber.join(fiber)).at(-1)
            assert.strictEqual(last?.event, "failed")
            assert.deepInclude(last?.data, {
              type: "urn:web-grounding:problem:interrupted",
              status: 503,
              request_id: "r",
              instance: "urn:web-grounding:request:r",
              retry_after_ms: 0
            })
          }
          const refused = yield* asked(posted(question("s", "r3")))
          assert.strictEqual(refused.status, 503)
          assert.strictEqual(refused.headers.get("retry-after"), "0")
        }))
    }
  )
})
