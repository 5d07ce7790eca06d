/** Wires the log and the stores next to it, shared by every command. */
import { type Context, DateTime, Effect, Layer, Option } from "effect"
import * as MemoryBreakers from "../adapters/breakers/MemoryBreakers.ts"
import * as PostgresReadModels from "../adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../adapters/postgres/PostgresCredits.ts"
import * as PostgresPagesToCollect from "../adapters/postgres/PostgresPagesToCollect.ts"
import * as PostgresQueryCache from "../adapters/postgres/PostgresQueryCache.ts"
import * as GroundQuestion from "../application/GroundQuestion.ts"
import * as VerifiedLog from "../application/log/VerifiedLog.ts"
import { type EventStore, PayloadsKept } from "../application/ports/EventStore.ts"
import { Ids, Instance } from "../application/ports/Platform.ts"
import type { Breakers, CreditCeilings, Credits } from "../application/ports/SearchProvider.ts"
import * as Projection from "../application/projections/Projection.ts"
import * as ProjectionRunner from "../application/projections/ProjectionRunner.ts"
import * as RebuildModels from "../application/projections/RebuildModels.ts"
import {
  ActivityModel,
  EngineHealthModel,
  GroundingsModel,
  PackHealthModel,
  PacksModel,
  SearchHealthModel,
  SessionsModel
} from "../application/projections/SessionsModel.ts"
import type { TenantCeilings } from "../application/sharing/TenantLimits.ts"
import { salt, secret, uuidv5, uuidv7 } from "../infrastructure/Digest.ts"
import * as PayloadKeys from "../infrastructure/encryption/PayloadKeys.ts"
import * as EmbeddedPostgres from "../infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../infrastructure/postgres/Migrations.ts"
import { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../infrastructure/postgres/PostgresServer.ts"
import { check } from "../infrastructure/postgres/WrappingKeys.ts"
import * as Settings from "../infrastructure/Settings.ts"
import type { Engines } from "./Engines.ts"

type DatabaseFailed =
  | Layer.Error<ReturnType<typeof PostgresServer.layer>>
  | Layer.Error<ReturnType<typeof EmbeddedPostgres.layer>>

export const serverOptions = (settings: Settings.SettingValues) => ({
  pooler: settings.DATABASE_POOLER,
  poolMax: settings.DATABASE_POOL_MAX,
  ceilings: {
    connectTimeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: settings.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTransactionTimeoutMs: settings.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS
  }
})

const chosen = Settings.layerBy((settings): Layer.Layer<Postgres, DatabaseFailed> =>
  Option.isSome(settings.DATABASE_URL)
    ? PostgresServer.layer({
      url: settings.DATABASE_URL.value,
      poolMin: settings.DATABASE_POOL_MIN,
      ...serverOptions(settings)
    })
    : EmbeddedPostgres.layer({ directory: settings.WEB_GROUNDING_DATA_DIR })
)

/** With the embedded database also the keys of its directory, which is locked by then. */
const payloadKeys = Layer.effect(
  PayloadKeys.PayloadKeys,
  Effect.gen(function*() {
    yield* Postgres
    const settings = yield* Settings.Settings
    const given = {
      current: settings.PAYLOAD_KEY,
      former: settings.PAYLOAD_KEYS_FORMER
    }
    return Option.isSome(settings.DATABASE_URL)
      ? PayloadKeys.ofSettings(given)
      : yield* PayloadKeys.ofDirectory(settings.WEB_GROUNDING_DATA_DIR, given)
  })
)

export const database = payloadKeys.pipe(Layer.provideMerge(chosen))

/** State of the stored payloads, for `readiness`. */
export const keptPayloads = Layer.effect(
  PayloadsKept,
  Effect.map(
    PayloadKeys.PayloadKeys,
    (wrapping) => Option.isSome(wrapping) ? "encrypted" as const : "plaintext" as const
  )
)

/** A service whose roles lack rights starts: it may never need them. */
const migration = Effect.gen(function*() {
  const { problem } = yield* Migrations.run
  if (problem !== undefined) yield* Effect.logWarning(problem)
  yield* check
})

export const migrated = Layer.effectDiscard(migration).pipe(Layer.provideMerge(database))

export const ids = Layer.succeed(Ids, {
  uuid: Effect.map(DateTime.now, (now) => uuidv7(now.epochMilliseconds)),
  derived: (commandId, ordinal) => uuidv5(commandId, String(ordinal)),
  boundary: Effect.sync(salt),
  secret: Effect.sync(secret)
})

export const instance = Layer.effect(
  Instance,
  Effect.gen(function*() {
    const { DATABASE_URL } = yield* Settings.Settings
    // The embedded store's directory lock excludes every other process.
    return { id: yield* (yield* Ids).uuid, sole: Option.isNone(DATABASE_URL) }
  })
).pipe(Layer.provide(ids))

export const readModels = Settings.layerBy((settings) =>
  Option.match(
    Option.filter(settings.DATABASE_READ_URL, () => Option.isSome(settings.DATABASE_URL)),
    {
      onNone: () => Layer.empty,
      onSome: (url) =>
        PostgresReadModels.standbyRows({
          ...serverOptions(settings),
          url,
          lagMsMax: settings.DATABASE_READ_LAG_MS_MAX
        })
    }
  )
).pipe(Layer.provideMerge(PostgresReadModels.layer))

const consumers = [
  Projection.consumer(SearchHealthModel),
  Projection.consumer(PackHealthModel),
  Projection.consumer(EngineHealthModel),
  Projection.consumer(SessionsModel),
  Projection.consumer(GroundingsModel),
  Projection.consumer(PacksModel),
  Projection.consumer(ActivityModel)
]

export const projections = ProjectionRunner.layer(consumers).pipe(
  Layer.provide(VerifiedLog.layerLogSignal)
)

export const rebuilding = RebuildModels.layer(consumers)

export const pagesToCollect = Settings.layerBy(({ COLLECT_WEB_PAGES }) =>
  PostgresPagesToCollect.layer(COLLECT_WEB_PAGES)
)

const hourMs = 3_600_000

/** Packs shared between sessions, for the configured time. */
export const packCache = Settings.layerBy(({ PACK_CACHE_HOURS, PACK_CACHE_TIMELY_HOURS }) =>
  PostgresQueryCache.layerPostgresPackCache({
    general: PACK_CACHE_HOURS * hourMs,
    timely: PACK_CACHE_TIMELY_HOURS * hourMs
  })
)

const microsInCent = 10_000

const tenantCeilings = (settings: Settings.SettingValues): TenantCeilings => ({
  requestsPerMinute: settings.TENANT_REQUESTS_PER_MINUTE,
  searchesPerDay: settings.TENANT_SEARCHES_PER_DAY,
  searchesPerMonth: settings.TENANT_SEARCHES_PER_MONTH,
  costMicrosPerDay: settings.TENANT_COST_CENTS_PER_DAY * microsInCent,
  costMicrosPerMonth: settings.TENANT_COST_CENTS_PER_MONTH * microsInCent,
  concurrency: settings.TENANT_GROUNDINGS_MAX,
  usedUp: settings.TENANT_LIMITS_REFUSE ? "refuses" : "degrades"
})

export const tenantLimits = Settings.layerBy((settings) =>
  PostgresCredits.layerPostgresTenantLimits(tenantCeilings(settings))
)

export const ceilingUses = (ceilings: (settings: Settings.SettingValues) => CreditCeilings) =>
  Settings.layerBy((settings) =>
    PostgresCredits.layerCeilingUses(ceilings(settings), tenantCeilings(settings))
  )

// Instruments that observe parts by wrapping their layers.

/** A layer that provides the same services as the one it is given. */
type Around<I> = <A, E, R>(layer: Layer.Layer<A | I, E, R>) => Layer.Layer<A | I, E, R>

export interface Instruments {
  /** Circuit breakers shared by all their users in the process. */
  readonly breakers: Layer.Layer<Breakers>
  readonly grounding: typeof GroundQuestion.layer
  readonly engines: Around<Engines>
  readonly log: Around<EventStore>
  readonly credits: Around<Credits>
  readonly database: Around<Postgres>
}

/** Instruments that observe nothing, for processes that do not serve. */
export const none: Instruments = {
  breakers: MemoryBreakers.layer,
  grounding: GroundQuestion.layer,
  engines: (engines) => engines,
  log: (log) => log,
  credits: (credits) => credits,
  database: (database) => database
}

/** Wraps one service of a layer that may provide others too. */
export const instrumented = <I, Service>(
  tag: Context.Key<I, Service>,
  wrap: (service: Service) => Service
) =>
<A, E, R>(layer: Layer.Layer<A | I, E, R>): Layer.Layer<A | I, E, R> =>
  Layer.effect(tag, Effect.map(tag, wrap)).pipe(Layer.provideMerge(layer))
