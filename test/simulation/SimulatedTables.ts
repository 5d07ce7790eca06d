/**
 * The other tables of a simulated database, shared by all processes: read models, caches, leases
 * and the credit ledger. Each is the in-memory implementation of its port, run at the database and
 * by its clock; failures are those of the PostgreSQL adapters.
 */
import { Effect, Layer, Predicate } from "effect"
import * as LogStatements from "../../src/adapters/postgres/LogStatements.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import { ReadModels, ReadModelsUnavailable } from "../../src/application/ports/ReadModels.ts"
import { Credits, QueryCache } from "../../src/application/ports/SearchProvider.ts"
import { ServiceState } from "../../src/application/ports/ServiceState.ts"
import { PackCache } from "../../src/application/sharing/SharePacks.ts"
import type { PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryPackCache from "../support/memory/MemoryPackCache.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import * as MemoryServiceState from "../support/memory/MemoryServiceState.ts"
import type { Connection } from "./Connection.ts"

export interface Tables {
  readonly cache: QueryCache["Service"]
  readonly credits: Credits["Service"]
  readonly models: ReadModels["Service"]
  readonly packs: typeof PackCache["Service"]
  readonly state: ServiceState["Service"]
}

export const makeTables = (creditsMax: number): Tables =>
  Effect.runSync(
    Effect.gen(function*() {
      return {
        cache: yield* QueryCache,
        credits: yield* Credits,
        models: yield* ReadModels,
        packs: yield* PackCache,
        state: yield* ServiceState
      }
    }).pipe(
      Effect.provide(
        Layer.fresh(Layer.mergeAll(
          MemoryQueryCache.layer,
          MemoryCredits.layer({ tavily: creditsMax }),
          MemoryReadModels.layer,
          MemoryPackCache.layer,
          MemoryServiceState.layer
        ))
      )
    )
  )

/** The tables as one process reaches them. */
export const layer = (
  { cache, credits, models, packs, state }: Tables,
  { run }: Connection,
  { sharesPacks }: { readonly sharesPacks: boolean }
) => {
  const kept = <A, B>(effect: Effect.Effect<A, PostgresError>, otherwise: B) =>
    Effect.orElseSucceed(LogStatements.dispensable(effect), () => otherwise)

  const queryCache = Layer.succeed(QueryCache, {
    find: (key) => kept(run("cache find", cache.find(key)), undefined),
    put: (key, entry) => kept(run("cache put", cache.put(key, entry)), undefined),
    lead: (key, owner, leaseMs) => kept(run("lead", cache.lead(key, owner, leaseMs)), true),
    isLed: (key) => kept(run("led", cache.isLed(key)), true),
    renew: (key, owner, leaseMs) =>
      Effect.orElseSucceed(run("renew", cache.renew(key, owner, leaseMs)), () => true),
    resign: (key, owner) => kept(run("resign", cache.resign(key, owner)), undefined)
  })

  const packCache = Layer.succeed(PackCache, {
    ...packs,
    isOn: sharesPacks,
    find: (key) => kept(run("pack find", packs.find(key)), undefined),
    put: (key, pack) => kept(run("pack put", packs.put(key, pack)), undefined)
  })

  const ledger = Layer.succeed(Credits, {
    reserve: (provider, keySlot, amount) =>
      LogStatements.idempotent(counted(run("reserve", credits.reserve(provider, keySlot, amount))))
        .pipe(Effect.mapError(uncounted)),
    correct: (month, amount) =>
      LogStatements.once(counted(run("correct", credits.correct(month, amount)))).pipe(
        Effect.mapError(uncounted)
      )
  })

  const serviceState = Layer.succeed(ServiceState, {
    rows: (kind, page) =>
      LogStatements.idempotent(counted(run("state", state.rows(kind, page)))).pipe(
        Effect.mapError(uncounted)
      ),
    put: (kind, change) =>
      LogStatements.once(counted(run("put state", state.put(kind, change)))).pipe(
        Effect.mapError(uncounted)
      )
  })

  const readModels = Layer.succeed(ReadModels, {
    acquire: (id, owner) =>
      run("acquire", models.acquire(id, owner)).pipe(Effect.catchIf(isLost, down("acquire"))),
    commit: (lease, page, fold) =>
      run("commit rows", models.commit(lease, page, fold)).pipe(
        Effect.catchIf(isLost, down("commit"))
      ),
    correct: (id, keys, fold) =>
      run("correct rows", models.correct(id, keys, fold)).pipe(
        Effect.catchIf(isLost, down("correct"))
      ),
    goLive: (lease) =>
      run("go live", models.goLive(lease)).pipe(Effect.catchIf(isLost, down("goLive"))),
    halt: (lease, error) =>
      run("halt", models.halt(lease, error)).pipe(Effect.catchIf(isLost, down("halt"))),
    release: (lease) =>
      run("release", models.release(lease)).pipe(Effect.catchIf(isLost, down("release"))),
    range: (span) => run("range", models.range(span)).pipe(Effect.catchIf(isLost, down("range"))),
    listing: (listing) =>
      run("listing", models.listing(listing)).pipe(Effect.catchIf(isLost, down("listing"))),
    checkpoints: run("checkpoints", models.checkpoints).pipe(
      Effect.catchIf(isLost, down("checkpoints"))
    )
  })

  return Layer.mergeAll(queryCache, packCache, ledger, serviceState, readModels)
}

/** The tables in memory are always there. */
const counted = <A>(effect: Effect.Effect<A, EventStoreUnavailable | PostgresError>) =>
  Effect.catchTag(effect, "EventStoreUnavailable", (cause) => Effect.die(cause))

const uncounted = (cause: PostgresError) =>
  new EventStoreUnavailable({ operation: "credits", cause })

const isLost = (error: unknown): error is PostgresError =>
  Predicate.isTagged(error, "PostgresError")

const down = (operation: string) => (cause: PostgresError) =>
  Effect.fail(new ReadModelsUnavailable({ operation, cause }))
