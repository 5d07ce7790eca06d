/**
 * A process that grounds one question and kills itself with SIGKILL at a given point.
 *
 * It must not clean up: no finalizer runs, no buffer is flushed, as in a power cut.
 */
import { Effect, Layer, Redacted } from "effect"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { type SearchProvider, SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limits } from "./grounding.ts"
import { type KillPoint, requestOf, type Victim } from "./killPoints.ts"
import * as PlainEventStore from "./plainEventStore.ts"
import { endWith } from "./processes.ts"
import { providerAt } from "./sandboxSearch.ts"
import { PublicApi } from "./sent.ts"

const victim: Victim = JSON.parse(process.argv[2] ?? "{}")

const dieAt = (point: KillPoint) =>
  Effect.sync(() => {
    if (victim.killAt === point) process.kill(process.pid, "SIGKILL")
  })

const dieAround = (when: "before" | "after", events: ReadonlyArray<NewEvent>) =>
  Effect.forEach(events, ({ type }) =>
    // At a point of no list, the process survives.
    dieAt(`${when} ${type.replace("WEB_GROUNDING_", "")}` as KillPoint))

const mortalStore = Layer.effect(
  EventStore,
  Effect.gen(function*() {
    const store = yield* EventStore
    const mortal = EventStore.of({
      ...store,
      append: Effect.fnUntraced(function*(head, events) {
        yield* dieAround("before", events)
        const appended = yield* store.append(head, events)
        yield* dieAround("after", events)
        return appended
      })
    })
    return mortal
  })
).pipe(
  Layer.provideMerge(Layer.merge(PlainEventStore.layer, PostgresServiceState.layer)),
  Layer.provide(PostgresServer.layer({
    url: Redacted.make(victim.databaseUrl),
    poolMax: 2,
    durability: "unchecked"
  }))
)

/** Dies while the provider is at it, or when its answer is there. */
const mortal = (provider: SearchProvider): SearchProvider => ({
  ...provider,
  search: (request) =>
    victim.killAt === "request sent"
      ? Effect.raceFirst(
        provider.search(request),
        Effect.andThen(
          Effect.sleep("300 millis"),
          Effect.andThen(dieAt("request sent"), Effect.never)
        )
      )
      : Effect.tap(provider.search(request), () => dieAt("answer received"))
})

/** With this key the sandbox counts the request and never answers it. */
const hangingKey = "tvly-sandbox-fault-hang"

const mortalProviders = Layer.effect(
  SearchProviders,
  Effect.map(
    providerAt(victim.sandboxUrl, victim.killAt === "request sent" ? { key: hangingKey } : {}),
    (provider) => SearchProviders.forEveryone([[mortal(provider)]])
  )
)

const program = Effect.gen(function*() {
  const api = yield* PublicApi
  yield* api.ground(requestOf(victim.sessionId), caller)
  yield* dieAt("answer given")
}).pipe(Effect.provide(useCases.pipe(Layer.provide(
  Layer.mergeAll(mortalStore, mortalProviders, instance(`victim-${process.pid}`), limits())
))))

endWith(Effect.runPromise(program))
