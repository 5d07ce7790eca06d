import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Schema } from "effect"
import { EventStore, type StoredEvent } from "../../src/application/ports/EventStore.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  asked,
  caller,
  inMemory,
  instance,
  limits,
  providers,
  sandbox,
  sandboxProviders,
  scripted
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

type Tamper = (events: ReadonlyArray<StoredEvent>) => ReadonlyArray<StoredEvent>

/** The log with what it gives back changed on the way, as by somebody with access to its tables. */
const replayTampered = (tamper: Tamper) =>
  Effect.gen(function*() {
    const honest = yield* EventStore
    const tampered = Layer.succeed(EventStore, {
      ...honest,
      read: (ref) =>
        Effect.map(honest.read(ref), ({ events, head }) => {
          const changed = tamper(events)
          return { events: changed, head }
        })
    })
    return yield* Effect.flatMap(PublicApi, (api) => api.replay({ session_id: "s" }, caller)).pipe(
      Effect.provide(
        useCases.pipe(
          Layer.provide(Layer.mergeAll(tampered, providers(), instance("auditor"), limits()))
        ),
        // Built anew: the recording's own services must not be found instead.
        { local: true }
      )
    )
  })

const recorded = Effect.gen(function*() {
  const api = yield* PublicApi
  yield* api.ground(asked, caller, () => Effect.void)
  yield* api.ground(
    { ...asked, request_id: "r2", topic: "What does a tram in Halvern cost?" },
    caller,
    () => Effect.void
  )
  yield* api.shown({ session_id: "s", request_id: "r", audience: "user" }, caller)
})

const overSandbox = useCases.pipe(
  Layer.provideMerge(
    Layer.mergeAll(sandboxProviders, MemoryEventStore.layer, instance("p1"), limits())
  ),
  Layer.provide(sandbox)
)

const change =
  (type: string, edit: (data: Record<string, Schema.Json>) => void): Tamper => (events) =>
    events.map((event) => {
      if (event.type !== type || event.version > 9) return event
      const data = JSON.parse(JSON.stringify(event.data))
      edit(data)
      return { ...event, data }
    })

const tampers: ReadonlyArray<readonly [string, Tamper, string, string]> = [
  [
    "a raised confidence",
    change(
      "WEB_GROUNDING_PACK_CREATED",
      (data) => Object.assign(data["pack"] ?? {}, { confidence: 0.99 })
    ),
    "WEB_GROUNDING_PACK_CREATED",
    "pack.confidence"
  ],
  [
    "a decision that grants more queries",
    change(
      "WEB_GROUNDING_DECIDED",
      (data) => Object.assign(data["need"] ?? {}, { max_queries: 3 })
    ),
    "WEB_GROUNDING_DECIDED",
    "need.max_queries"
  ],
  [
    "another query than was planned",
    change("WEB_GROUNDING_CALL_STARTED", (data) => void (data["query"] = "something else")),
    "WEB_GROUNDING_CALL_STARTED",
    "query"
  ],
  [
    "a page whose text has another digest",
    change(
      "WEB_GROUNDING_EVIDENCE_READ",
      (data) => Object.assign(Object(data["pages"])[0], { text_sha256: "0" })
    ),
    "WEB_GROUNDING_EVIDENCE_READ",
    "pages.0.text_sha256"
  ],
  [
    "passages in another order",
    change("WEB_GROUNDING_EVIDENCE_RANKED", (data) => void Object(data["ranked"]).reverse()),
    "WEB_GROUNDING_EVIDENCE_RANKED",
    "ranked.0"
  ],
  [
    "a missing plan",
    (events) =>
      events.filter(({ type, version }) => type !== "WEB_GROUNDING_QUERY_PLANNED" || version > 9),
    "WEB_GROUNDING_CALL_STARTED",
    ""
  ]
]

describe("replaying a session", () => {
  it.live("finds it identical, with no provider at hand", () =>
    Effect.gen(function*() {
      yield* recorded
      const replayed = yield* replayTampered((events) => events)
      assert.deepInclude(replayed, { difference: undefined, chain_fault: undefined, requests: 2 })
      assert.isAbove(replayed.events, 15)
    }).pipe(Effect.provide(overSandbox)))

  it.live("finds it identical after failures, too", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      yield* api.ground(asked, caller, () => Effect.void)
      const replayed = yield* api.replay({ session_id: "s" }, caller)
      assert.deepInclude(replayed, { difference: undefined, chain_fault: undefined })
    }).pipe(Effect.provide(
      inMemory(providers(scripted(new SearchFailed({ provider: "tavily", status: "timeout" }))))
    )))

  it.live.each(tampers.map(([what, tamper, type, path]) => ({ what, tamper, type, path })))(
    "names $what as the first difference",
    ({ path, tamper, type }) =>
      Effect.gen(function*() {
        yield* recorded
        const replayed = yield* replayTampered(tamper)
        assert.deepInclude(replayed.difference, { type })
        assert.isTrue(replayed.difference?.path.startsWith(path), replayed.difference?.path)
        assert.isDefined(replayed.chain_fault)
      }).pipe(Effect.provide(overSandbox))
  )

  it.live("sees a consistent change of an outside answer in the chain alone", () =>
    Effect.gen(function*() {
      yield* recorded
      // What a provider answered cannot be recomputed: the digest is what gives it away.
      const replayed = yield* replayTampered(
        change("WEB_GROUNDING_CALLED", (data) => void (data["duration_ms"] = 1))
      )
      assert.isUndefined(replayed.difference)
      assert.deepInclude(replayed.chain_fault, { kind: "payload_edited", version: 5 })
    }).pipe(Effect.provide(overSandbox)))
})
