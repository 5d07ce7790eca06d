/** Many sessions replayed page by page: none left out, none twice, each with its result. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { change, type Tamper } from "../support/forgedLog.ts"
import { askedRequest, caller, overSandbox } from "../support/grounding.ts"
import { AuditApi, PublicApi } from "../support/sent.ts"

const names = ["a", "b", "c", "d", "e"] as const

const recorded = Effect.gen(function*() {
  const api = yield* PublicApi
  for (const session_id of names) {
    yield* api.ground({ ...askedRequest, session_id }, caller)
  }
  yield* api.ground({ ...askedRequest, session_id: "x" }, { ...caller, tenantId: "else" })
})

/** Another session with the events of `a`, edited before its chain was computed. */
const forged = (session_id: string, tamper: Tamper) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const { events } = yield* store.read({ tenant_id: caller.tenantId, session_id: "a" })
    const { head } = yield* store.read({ tenant_id: caller.tenantId, session_id })
    yield* store.append(head, tamper(events))
  })

const page = (input: object) => Effect.flatMap(AuditApi, ({ replays }) => replays(input, caller))

const namesOf = ({ sessions }: { sessions: ReadonlyArray<{ session_id: string }> }) =>
  sessions.map(({ session_id }) => session_id)

/** The log is read by every test, and written by the last alone. */
const recordedOnce = Layer.effectDiscard(recorded).pipe(Layer.provideMerge(overSandbox))

describe("replaying many sessions", () => {
  it.layer(recordedOnce, { excludeTestServices: true })((it) => {
    it.effect("takes each of the tenant's once, the newest first, page after page", () =>
      Effect.gen(function*() {
        const all = yield* page({})
        assert.deepStrictEqual(namesOf(all), ["e", "d", "c", "b", "a"])
        assert.isUndefined(all.next)
        assert.isTrue(all.sessions.every(({ verdict }) => verdict === "identical"))

        const first = yield* page({ limit: 2 })
        const second = yield* page({ limit: 2, cursor: first.next })
        const third = yield* page({ limit: 2, cursor: second.next })
        assert.deepStrictEqual([first, second, third].map(namesOf), [["e", "d"], ["c", "b"], ["a"]])
        assert.isUndefined(third.next)
      }))

    it.effect("takes those that began in a span of time", () =>
      Effect.gen(function*() {
        const { sessions } = yield* page({})
        const began = sessions.map(({ stream_id }) =>
          new Date(Number.parseInt(stream_id.replace("-", "").slice(0, 12), 16)).toISOString()
        )
        const since = began[3] ?? ""
        const until = began[1] ?? ""
        const span = yield* page({ since, until })
        const expected = sessions.filter((_, place) => {
          const at = began[place] ?? ""
          return at >= since && at < until
        })
        assert.deepStrictEqual(namesOf(span), namesOf({ sessions: expected }))
        assert.isNotEmpty(namesOf(span))
        const oldest = sessions.at(-2)?.stream_id
        assert.deepStrictEqual(namesOf(yield* page({ until: "2999-01-01", cursor: oldest })), ["a"])
        assert.deepStrictEqual(namesOf(yield* page({ since: "2999-01-01" })), [])
        assert.deepStrictEqual(namesOf(yield* page({ until: "1999-01-01" })), [])
        const refused = yield* Effect.flip(page({ since: "last week" }))
        assert.deepInclude(refused, { _tag: "InvalidInput", field: "since" })
      }))

    it.effect("names the one that differs, and goes on", () =>
      Effect.gen(function*() {
        yield* forged("copied", (events) => events)
        yield* forged("unreadable", (events) =>
          events.map((event) => ({ ...event, schemaVersion: 99 })))
        const { replay } = yield* PublicApi
        const unread = yield* Effect.flip(replay({ session_id: "unreadable" }, caller))
        assert.match(unread.message, /cannot be read at event 1; the service's log/)
        const { sessions } = yield* page({})
        const verdicts = Object.fromEntries(
          sessions.map(({ session_id, verdict }) => [session_id, verdict])
        )
        assert.deepStrictEqual(verdicts, {
          unreadable: "unreadable",
          copied: "identical",
          ...Object.fromEntries(names.map((name) => [name, "identical"]))
        })
        yield* forged(
          "raised",
          change(
            "WEB_GROUNDING_PACK_CREATED",
            (data) =>
              Object.assign(data["pack"] ?? {}, { confidence: 0.99 })
          )
        )
        const [raised] = (yield* page({ limit: 1 })).sessions
        assert.deepInclude(raised, { session_id: "raised", verdict: "different" })
        assert.deepInclude(raised?.replayed?.difference, { type: "WEB_GROUNDING_PACK_CREATED" })
      }))
  })
})
