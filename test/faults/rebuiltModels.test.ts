/**
 * Derived tables are damaged, dropped and rebuilt.
 *
 * Promise: afterwards they equal the originals, and on sound tables nothing is written. Concurrent
 * readers see the old rows or the right ones.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref } from "effect"
import pg from "pg"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import * as RebuildModels from "../../src/application/projections/RebuildModels.ts"
import {
  PackHealthModel,
  SearchHealthModel
} from "../../src/application/projections/SessionsModel.ts"
import type { RebuiltView } from "../../src/contract/Replayed.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { anyCalled, append } from "../support/attempts.ts"
import { makeDice } from "../support/dice.ts"
import {
  caller,
  credits,
  instance,
  limits,
  plain,
  providers,
  scripted
} from "../support/grounding.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { catchUp, folded, runnerOf, shown } from "../support/projections.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"

const consumers = [Projection.consumer(SearchHealthModel), Projection.consumer(PackHealthModel)]
const searches = 200
const questions = 6

const tables = Layer.mergeAll(
  PlainEventStore.layer,
  PostgresServiceState.layer,
  PostgresReadModels.layer,
  PostgresQueryCache.layer,
  instance("keeper")
).pipe(Layer.provideMerge(Database.layer))

/** Rows and entries, without the clock of the last write. */
const standing = (client: pg.Client) =>
  Effect.promise(async () => {
    const rows = await client.query(
      "select model, model_version, key, row from wg.read_models order by 1, 2, 3"
    )
    const entries = await client.query("select key, entry from wg.query_cache order by key")
    return { rows: rows.rows, entries: entries.rows }
  })

const damage = [
  "update wg.read_models set row = '{}' where key in (select key from wg.read_models limit 2)",
  "delete from wg.read_models where key = (select max(key) from wg.read_models)",
  `insert into wg.read_models select model, model_version, tenant_id, key || 'x', row, position
     from wg.read_models where key = (select min(key) from wg.read_models) limit 1`,
  "delete from wg.query_cache where key = (select min(key) from wg.query_cache)",
  "update wg.query_cache set entry = jsonb_set(entry, '{hits}', '[]') " +
  "where key = (select max(key) from wg.query_cache)"
]

const rebuilt = Effect.flatMap(
  RebuildModels.RebuildModels,
  ({ rebuild }) => rebuild(caller.tenantId)
)

const correctedOf = (all: ReadonlyArray<RebuiltView>) => all.map(({ corrected }) => corrected)

const minutes = Projection.consumer(SearchHealthModel)

/** Rows that are wrong, but rows. */
const swapped = `update wg.read_models set row = (select row from wg.read_models
    where model = '${minutes.model}' order by key limit 1)
  where model = '${minutes.model}'`

/** What a reader sees while rows are repaired and a keeper of them folds new events. */
const seenDuring = Effect.fnUntraced(function*<E, R>(rebuilding: Effect.Effect<unknown, E, R>) {
  const client = yield* Database.connect
  const dice = makeDice(12)
  const rowsNow = Effect.map(shown(minutes.model), ({ rows }) => Object.keys(rows).length)
  yield* catchUp("keeper", minutes)
  const before = yield* rowsNow
  yield* Effect.promise(() => client.query(swapped))
  const fewest = yield* Ref.make(before)
  const looks = yield* Ref.make(0)
  const reading = Effect.forever(
    Effect.andThen(
      Effect.flatMap(rowsNow, (now) => Ref.update(fewest, (least) => Math.min(least, now))),
      Ref.update(looks, (count) => count + 1)
    )
  )
  const writing = Effect.forEach(
    Array.from({ length: 20 }),
    () => Effect.flatMap(anyCalled(dice), (event) => append("beside", [event]))
  )
  yield* Effect.gen(function*() {
    const { follow } = yield* ProjectionRunner.ProjectionRunner
    yield* Effect.forkChild(follow)
    yield* Effect.forkChild(reading)
    const written = yield* Effect.forkChild(writing)
    yield* rebuilding
    yield* Fiber.join(written)
  }).pipe(Effect.provide(runnerOf("keeper", minutes), { local: true }), Effect.scoped)
  yield* catchUp("keeper", minutes)
  const { position, rows } = yield* shown(minutes.model)
  assert.deepStrictEqual(rows, yield* folded(minutes, position))
  return { before, fewest: yield* Ref.get(fewest), looks: yield* Ref.get(looks) }
})

const filled = Effect.gen(function*() {
  const dice = makeDice(11)
  for (let index = 0; index < searches; index += 20) {
    yield* append(
      `s-${index}`,
      yield* Effect.forEach(Array.from({ length: 20 }), () => anyCalled(dice))
    )
  }
  const found = scripted(
    answerWith([
      hit("https://a.example/", { content: "A tram ticket costs 2.80 crowns in Halvern." })
    ])
  )
  yield* Effect.forEach(
    Array.from({ length: questions }, (_, index) => index),
    (index) =>
      Effect.flatMap(PublicApi, (api) =>
        api.ground({
          session_id: `q-${index}`,
          topic: "How much is a tram ticket in Halvern?",
          phase: "mid_chat",
          user_asked_for_facts: true,
          overrides: { max_queries: 1, exclude_domains: [`q${index}.example`] }
        }, caller))
  ).pipe(
    Effect.provide(
      useCases.pipe(
        Layer.provide(Layer.mergeAll(
          providers(found),
          instance("service"),
          limits().pipe(Layer.provideMerge(credits)),
          PostgresQueryCache.layer,
          PostgresReadModels.layer,
          PlainEventStore.layer,
          PostgresServiceState.layer
        ))
      ),
      { local: true }
    )
  )
  yield* catchUp("service", ...consumers)
})

describe("what is derived from the log", () => {
  it.layer(tables, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "is built anew as it was, and a second time nothing is written",
      () =>
        Effect.gen(function*() {
          yield* filled
          const client = yield* Database.connect
          const before = yield* standing(client)
          assert.isAbove(before.rows.length, 5)
          assert.strictEqual(before.entries.length, questions)
          assert.deepStrictEqual(correctedOf(yield* rebuilt), [0, 0, 0])

          for (const statement of damage) {
            yield* Effect.promise(() => client.query(statement))
          }
          assert.notDeepEqual(yield* standing(client), before)
          const corrected = correctedOf(yield* rebuilt)
          assert.isAtLeast(corrected.reduce((sum, count) => sum + count, 0), 5)
          assert.deepStrictEqual(yield* standing(client), before)
          assert.deepStrictEqual(correctedOf(yield* rebuilt), [0, 0, 0])

          yield* Effect.promise(() => client.query("truncate wg.read_models, wg.query_cache"))
          yield* rebuilt
          assert.deepStrictEqual(yield* standing(client), before)
        }).pipe(
          Effect.provide(RebuildModels.layer(consumers).pipe(Layer.provide(plain))),
          Effect.scoped
        ),
      60_000
    )

    it.effect(
      "is put right while another process keeps it, writes on and many read it",
      () =>
        Effect.gen(function*() {
          yield* rebuilt
          const sound = yield* seenDuring(rebuilt)
          assert.strictEqual(sound.fewest, sound.before)
          assert.isAbove(sound.looks, 1)
        }).pipe(
          Effect.provide(RebuildModels.layer(consumers).pipe(Layer.provide(plain))),
          Effect.scoped
        ),
      60_000
    )
  })
})
