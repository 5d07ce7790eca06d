/**
 * A provider's key is in no event, log line, span, error or answer, whatever the provider does.
 *
 * The sandbox answers some faults with the request's own Authorization header in the body. The
 * saboteur is the HTTP client's default tracing, which exposes a key in a URL.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as TavilySearch from "../../src/adapters/search/TavilySearch.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limits, sandbox } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import { witness } from "../support/witness.ts"

const canary = "tvly-sandbox-canary-8f2c61d0"

const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString("base64").replace(/=+$/, ""),
  Buffer.from(canary).toString("hex"),
  JSON.stringify(canary).slice(1, -1)
]

const leaks = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => forms.some((form) => text.includes(form)))

const keyed = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const apiKey = Option.some(Redacted.make(canary))
    const tavily = TavilySearch.make({ apiKey, baseUrl, keySlot: 1, label: "mock" })
    return SearchProviders.forEveryone([[tavily]])
  })
)

const application = useCases.pipe(
  Layer.provideMerge(Layer.mergeAll(keyed, MemoryEventStore.layer, instance("p1"), limits())),
  Layer.provideMerge(sandbox)
)

const faults = ["", "401", "403", "429", "432", "500", "html-200", "reset", "truncated", "redirect"]

describe("a provider's key", () => {
  it.live("appears nowhere, on good answers and on bad ones", () => {
    const { heard, layer } = witness()
    /** Each on its own log: a key that one fault disables must be asked again for the next. */
    const groundWith = (fault: string) =>
      Effect.gen(function*() {
        const api = yield* PublicApi
        const store = yield* EventStore
        const outcome = yield* api.ground({
          session_id: "s",
          topic: `What does a tram in Halvern cost? ${fault === "" ? "" : `fault:${fault}`}`,
          phase: "mid_chat",
          user_asked_for_facts: true
        }, caller)
        const events = yield* Stream.runCollect(store.all(logStart))
        return { outcome, events }
      }).pipe(Effect.provide(application, { local: true }))

    return Effect.gen(function*() {
      const grounded = yield* Effect.forEach(faults, groundWith)
      const told = grounded.flatMap(({ events, outcome }) => [
        JSON.stringify(outcome),
        ...events.map((event) => JSON.stringify(event.data))
      ])
      assert.isAbove(told.length, faults.length * 5)
      assert.isAbove(heard.length, 100)
      assert.deepStrictEqual(leaks([...told, ...heard]), [])
      // The faults were really met: a test that never saw one proves nothing.
      const statuses = new Set(
        grounded.flatMap(({ outcome }) => outcome.searches.map(({ status }) => status))
      )
      assert.isAtLeast(statuses.size, 6)
    }).pipe(Effect.provide(layer))
  })
})
