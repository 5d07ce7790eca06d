/** At any time the rows of a projection are the fold of the log up to its checkpoint. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Random, References } from "effect"
import pg from "pg"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import {
  appendEventsMax,
  type LoggedEvent,
  LogPosition
} from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import {
  ActivityModel,
  EngineHealthModel,
  GroundingsModel,
  PackHealthModel,
  PacksModel,
  SearchHealthModel,
  SessionsModel
} from "../../src/application/projections/SessionsModel.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { anyCalled, anyPack, append } from "../support/attempts.ts"
import { type Dice, makeDice } from "../support/dice.ts"
import { instance } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { catchUp, folded, killedAt, shown } from "../support/projections.ts"
import { walk } from "../support/sessionHistories.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const sequencesCount = full ? 1_000 : 80
const snapshotsCount = full ? 50 : 15
/** Where something else has to happen meanwhile. */
const snapshotsMax = 200
/** Each folds the whole log, which goes on growing: a slow machine takes fewer. */
const watchMsMax = 60_000
/** Events that a snapshot must have been taken of, for the reading to have gone on meanwhile. */
const grownMin = full ? 100 : 20
/** Above that of any of the models. */
const versionAnew = 9

const searchHealth = Projection.consumer(SearchHealthModel)
const packHealth = Projection.consumer(PackHealthModel)
const consumers = [
  searchHealth,
  packHealth,
  Projection.consumer(EngineHealthModel),
  Projection.consumer(SessionsModel),
  Projection.consumer(GroundingsModel),
  Projection.consumer(PacksModel),
  Projection.consumer(ActivityModel)
]

const memory = Layer.suspend(() =>
  Layer.fresh(Layer.mergeAll(MemoryEventStore.layer, MemoryReadModels.layer))
)

/** Facts of two requests as a session's own decider lets them follow each other. */
const anyHistory = (dice: Dice) =>
  Effect.forEach(
    walk(dice, Math.floor(dice() * 30)).flatMap(({ recorded }) => recorded),
    (fact) => SessionLog.codec.encode(fact, uuidv7(1_000), metadata)
  )

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

const anyEvents = (dice: Dice, most: number) =>
  Effect.map(
    Effect.all([anyHistory(dice), anyOthers(dice, most)]),
    ([history, others]) => [...history, ...others].slice(0, appendEventsMax)
  )

const anyOthers = (dice: Dice, most: number) =>
  Effect.forEach(
    Array.from({ length: Math.floor(dice() * most) }),
    () => {
      if (dice() < 0.2) return anyPack(dice)
      return anyCalled(dice)
    }
  )

/** Whether the rows differ from the fold, of any of the models. */
const differs = Effect.gen(function*() {
  const found = yield* Effect.forEach(consumers, (consumer) =>
    Effect.gen(function*() {
      const { position, rows } = yield* shown(consumer.model)
      return isDifferent(rows, yield* folded(consumer, position))
    }))
  return found.includes(true)
})

const isDifferent = (one: unknown, other: unknown): boolean => sorted(one) !== sorted(other)

/** Databases keep keys in an order of their own. */
const sorted = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner
  )

/** A log cut at random points; at each the rows are compared, and some commits are killed. */
const sequence = (seed: number) =>
  Effect.gen(function*() {
    const dice = makeDice(seed)
    const cuts = 1 + Math.floor(dice() * 5)
    for (let cut = 0; cut < cuts; cut++) {
      yield* append(`s-${cut % 2}`, yield* anyEvents(dice, 12))
      const dies = dice() < 0.3
      yield* Effect.exit(catchUp("a", ...consumers)).pipe(
        Effect.provide(killedAt(() => dies && dice() < 0.5))
      )
      if (yield* differs) return true
    }
    yield* catchUp("b", ...consumers)
    const before = yield* Effect.forEach(consumers, ({ model }) => shown(model))
    yield* catchUp("b", ...consumers.map((consumer) => ({ ...consumer, version: versionAnew })))
    const anew = yield* Effect.forEach(consumers, ({ model }) => shown(model))
    return (yield* differs) ||
      isDifferent(before.map(({ rows }) => rows), anew.map(({ rows }) => rows)) ||
      anew.some(({ version }) => version !== versionAnew)
  })

describe("a projection in memory", () => {
  it.live(`is the fold of the log at any cut, over ${sequencesCount} logs`, () =>
    Effect.gen(function*() {
      for (let seed = 0; seed < sequencesCount; seed++) {
        const isWrong = yield* Effect.provide(sequence(seed), memory, { local: true })
        assert.isFalse(isWrong, `seed ${seed}`)
      }
    }))
})

/** A server is slower: except in full tests, only the models of counts are tried there. */
const served = full ? consumers : consumers.slice(0, 4)
const anyWritten = full ? anyEvents : anyOthers

/** Outages are logged; here they are made. */
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

const server = Layer.mergeAll(PlainEventStore.layer, PostgresReadModels.layer, quiet).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const query = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))

/** Log, rows and checkpoint of one moment, by one transaction. Answers whether they differ. */
const snapshotDiffers = (client: pg.Client, { model, plan, version }: Projection.Consumer) =>
  Effect.gen(function*() {
    yield* query(client, "begin isolation level repeatable read read only")
    const at = yield* query(
      client,
      `select position from wg.checkpoints where consumer_id = '${model}@${version}'`
    )
    const rows = yield* query(
      client,
      `select key, row from wg.read_models where model = '${model}'`
    )
    const events = yield* query(
      client,
      `select stream_id, tenant_id,
          (select session_id from wg.streams as own where own.stream_id = events.stream_id)
            as session_id, version, position, type, data,
          to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at
        from wg.events
        where position <= ${at.rows[0]?.position ?? 0} order by position`
    )
    yield* query(client, "commit")
    const { fold } = yield* plan(events.rows.map((row): LoggedEvent => ({
      eventId: "",
      schemaVersion: 1,
      metadata: { correlation_id: "", causation_id: "", actor: "" },
      recordedAt: row.recorded_at,
      salt: null,
      payloadDigest: "",
      hash: "",
      streamId: row.stream_id,
      tenantId: row.tenant_id,
      sessionId: row.session_id,
      version: row.version,
      position: LogPosition.make(BigInt(row.position)),
      type: row.type,
      data: row.data
    })))
    return {
      events: events.rows.length,
      differs: isDifferent(
        Object.fromEntries(rows.rows.map(({ key, row }) => [key, row])),
        Object.fromEntries([...(yield* fold(new Map()))].filter(([, row]) => row !== undefined))
      )
    }
  })

/** Snapshots at random moments while four writers write and two processes want to read. */
const watching = Effect.fnUntraced(function*(
  isEnough: (seen: { readonly wrong: number; readonly grown: number }) => boolean
) {
  const writers = yield* Effect.forkScoped(Effect.forEach(
    [1, 2, 3, 4],
    (seed) => {
      const dice = makeDice(seed)
      return Effect.forever(
        Effect.flatMap(anyWritten(dice, 6), (events) => append(`writer-${seed}`, events)).pipe(
          Effect.ignore,
          // What is under way lands although its writer is gone, and would be missed by who reads.
          Effect.uninterruptible,
          Effect.andThen(Effect.sleep("15 millis"))
        )
      )
    },
    { concurrency: 4, discard: true }
  ))
  const readers = yield* Effect.forkScoped(Effect.forEach(
    ["a", "b"],
    (owner) =>
      Layer.launch(ProjectionRunner.layerFollowing.pipe(
        Layer.provide(Layer.fresh(ProjectionRunner.layer(served))),
        Layer.provide(Layer.mergeAll(instance(owner), Layer.fresh(VerifiedLog.layerLogSignal)))
      )),
    { concurrency: 2, discard: true }
  ))
  const client = yield* TestDatabase.connect
  yield* query(client, "set application_name = 'watch'")
  let wrong = 0
  let grown = 0
  const untilMs = (yield* Clock.currentTimeMillis) + watchMsMax
  for (let taken = 0; taken < snapshotsMax; taken++) {
    const isLate = (yield* Clock.currentTimeMillis) > untilMs
    if ((isLate || taken >= snapshotsCount) && isEnough({ wrong, grown })) break
    yield* Effect.sleep(5 + (yield* Random.next) * 40)
    for (const consumer of served) {
      const { differs, events } = yield* snapshotDiffers(client, consumer)
      if (differs) wrong++
      grown = Math.max(grown, events)
    }
  }
  yield* Fiber.interrupt(writers)
  yield* Fiber.interrupt(readers)
  return { wrong, grown }
}, Effect.scoped)

const watch = watching(({ grown }) => grown > grownMin)

/** Ends a session in the midst of a commit, again and again; counts how many. */
const endSessions = Effect.gen(function*() {
  const client = yield* TestDatabase.connect
  let ended = 0
  const loop = Effect.forever(Effect.gen(function*() {
    const { rowCount } = yield* query(
      client,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state in ('active', 'idle in transaction')
          and query ~ 'update wg.checkpoints|read_models' and query !~ 'pg_stat_activity'
          and xact_start is not null and application_name <> 'watch'
        limit 1`
    )
    ended += rowCount ?? 0
    yield* Effect.sleep("20 millis")
  }))
  return { ended: () => ended, fiber: yield* Effect.forkScoped(loop) }
})

describe("a projection on a server", () => {
  it.layer(server, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("is the fold of the log at random moments while others write", () =>
      Effect.gen(function*() {
        const { grown, wrong } = yield* watch
        assert.strictEqual(wrong, 0)
        assert.isAbove(grown, grownMin)
        yield* catchUp("c", ...served)
        const before = yield* Effect.forEach(served, ({ model }) => shown(model))
        yield* catchUp("c", ...served.map((consumer) => ({ ...consumer, version: versionAnew })))
        const anew = yield* Effect.forEach(served, ({ model }) => shown(model))
        assert.deepStrictEqual(anew.map(({ rows }) => rows), before.map(({ rows }) => rows))
        assert.deepStrictEqual(anew.map(({ version }) => version), served.map(() => versionAnew))
      }))
  })

  it.layer(Layer.fresh(server), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("passes what was erased, and does not call it poison", () =>
      Effect.gen(function*() {
        const client = yield* TestDatabase.connect
        const { head } = yield* append(
          "erased",
          yield* Effect.forEach(Array.from({ length: 5 }), () => anyCalled(makeDice(1)))
        )
        yield* query(client, `select wg.erase('${head.streamId}')`)
        yield* catchUp("c", ...served)
        const { checkpoints } = yield* ReadModels
        assert.isTrue((yield* checkpoints).every(({ parked }) => parked === 0))
      }).pipe(Effect.scoped))

    it.effect("is so while the server ends sessions in the midst of commits", () =>
      Effect.gen(function*() {
        const killer = yield* endSessions
        const { wrong } = yield* watching(() => killer.ended() > 3)
        yield* Fiber.interrupt(killer.fiber)
        assert.strictEqual(wrong, 0)
        assert.isAbove(killer.ended(), 3)
        yield* Effect.retry(catchUp("c", ...served), { times: 5 })
        for (const consumer of served) {
          const { position, rows } = yield* shown(consumer.model)
          assert.deepStrictEqual(rows, yield* folded(consumer, position))
        }
      }).pipe(Effect.scoped))
  })
})
