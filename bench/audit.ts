/**
 * How many recorded sessions of the sandbox are replayed, supposed otherwise, exported and imported a
 * second: `node bench/audit.ts [sessions]`. In memory, so that the work is measured and no database.
 * Sessions of one request mostly, three at most, whose texts are snippets.
 */
import { Effect, Layer, Option } from "effect"
import * as OutsideAnchors from "../src/adapters/anchors/OutsideAnchors.ts"
import * as ImportSessions from "../src/application/audit/ImportSessions.ts"
import { Digest } from "../src/application/ports/Platform.ts"
import type { SearchProviders } from "../src/application/ports/SearchProvider.ts"
import { canonical } from "../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../src/infrastructure/Digest.ts"
import { useCases } from "../src/wiring/layers.ts"
import {
  caller,
  instance,
  limits,
  providers,
  sandbox,
  sandboxProviders
} from "../test/support/grounding.ts"
import * as MemoryEventStore from "../test/support/memory/MemoryEventStore.ts"
import { requestsOf } from "../test/support/sandboxSessions.ts"
import { AuditApi, PublicApi } from "../test/support/sent.ts"

const sessionsCount = Number(process.argv[2] ?? "300")

const over = <R>(search: Layer.Layer<SearchProviders, never, R>) =>
  useCases.pipe(
    Layer.provideMerge(
      Layer.mergeAll(search, MemoryEventStore.layer, instance("bench"), limits())
    )
  )

/** What is asked of page after page, until the last. */
const paged = <A extends { readonly next?: string }, E, R>(
  ask: (cursor: object) => Effect.Effect<A, E, R>,
  take: (page: A) => void
): Effect.Effect<void, E, R> => {
  const from = (cursor: object): Effect.Effect<void, E, R> =>
    Effect.flatMap(ask(cursor), (page) => {
      take(page)
      return page.next === undefined ? Effect.void : from({ cursor: page.next })
    })
  return from({})
}

const timed = <A, E, R>(name: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const start = performance.now()
    const done = yield* work
    const seconds = (performance.now() - start) / 1_000
    console.log(
      `${name.padEnd(28)} ${seconds.toFixed(1)} s, ${
        (sessionsCount / seconds).toFixed(0)
      } sessions a second`
    )
    return done
  })

const texts = await Effect.runPromise(
  Effect.gen(function*() {
    const api = yield* PublicApi
    const { exported, replays } = yield* AuditApi
    yield* timed(
      "recorded",
      Effect.forEach(
        Array.from({ length: sessionsCount }, (_, number) => requestsOf(number)).flat(),
        (request) => api.ground(request, caller, () => Effect.void),
        { discard: true }
      )
    )
    const counts = new Map<string, number>()
    const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
    yield* timed(
      "replayed",
      paged(
        (cursor) => replays({ limit: 50, ...cursor }, caller),
        ({ sessions }) => sessions.forEach(({ verdict }) => count(verdict))
      )
    )
    const parts: Array<string> = []
    let part = { part: 0, previous: {} }
    yield* timed(
      "exported",
      paged(
        (cursor) =>
          exported({ limit: 50, ...cursor, part: part.part + 1, ...part.previous }, caller),
        (made) => {
          part = { part: made.part, previous: { previous: made.digest } }
          parts.push(made.jsonl)
        }
      )
    )
    console.log(Object.fromEntries(counts))
    return parts.join("")
  }).pipe(Effect.provide(over(sandboxProviders)), Effect.provide(sandbox))
)

await Effect.runPromise(
  Effect.gen(function*() {
    const { take } = yield* ImportSessions.ImportSessions
    yield* timed("imported", take(caller.tenantId, texts.trimEnd().split("\n"), Option.none()))
  }).pipe(
    Effect.provide(
      ImportSessions.layer.pipe(
        Layer.provide(OutsideAnchors.layerSigningKey(Option.none())),
        Layer.provide(Layer.succeed(Digest, { sha256, canonical })),
        Layer.provide(over(providers()))
      )
    )
  )
)
