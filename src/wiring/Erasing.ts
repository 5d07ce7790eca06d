/** Wires the erasure: login, operations, and the list of erasures. */
import { Effect, Layer, Option } from "effect"
import * as OutsideAnchors from "../adapters/anchors/OutsideAnchors.ts"
import * as PostgresErasure from "../adapters/postgres/erasure/PostgresErasure.ts"
import * as PostgresEventStore from "../adapters/postgres/PostgresEventStore.ts"
import * as PostgresEvidenceStore from "../adapters/postgres/PostgresEvidenceStore.ts"
import * as EraseSessions from "../application/EraseSessions.ts"
import * as ApplyRetention from "../application/erasure/ApplyRetention.ts"
import { ErasureList } from "../application/erasure/EraseSession.ts"
import { Digest } from "../application/ports/Platform.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../infrastructure/postgres/PostgresServer.ts"
import * as Rights from "../infrastructure/postgres/Rights.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Storage from "./Storage.ts"

/** Erasures are few, and wait for each other. */
const connectionsMax = 2

const lacking = Layer.effectDiscard(
  Effect.flatMap(Rights.lackedByEraser, (lacked) =>
    lacked.length === 0
      ? Effect.void
      : Effect.logWarning(`ERASURE_DATABASE_URL may not erase. ${Rights.toGrant(lacked)}`)).pipe(
      Effect.catch((cause) => Effect.logWarning("ERASURE_DATABASE_URL may not erase", cause))
    )
)

/** The eraser's login, else the service's. */
const database = Settings.layerBy((settings) =>
  Option.isSome(settings.DATABASE_URL) && Option.isSome(settings.ERASURE_DATABASE_URL)
    ? Layer.provideMerge(
      lacking,
      PostgresServer.layer({
        ...Storage.serverOptions(settings),
        url: settings.ERASURE_DATABASE_URL.value,
        poolMax: connectionsMax
      })
    )
    : Layer.effect(Postgres, Postgres)
)

const list = Settings.layerBy(({ ERASURE_FILE }) =>
  Option.match(ERASURE_FILE, {
    onNone: () => Layer.succeed(ErasureList, ErasureList.none),
    onSome: OutsideAnchors.layerErasureFile
  })
)

const hourMs = 3_600_000

const retention = Settings.layerBy((settings) =>
  ApplyRetention.layer({
    every: {
      sessions: settings.RETENTION_SESSION_DAYS,
      caches: settings.RETENTION_CACHE_DAYS,
      pages: settings.RETENTION_PAGE_DAYS
    },
    tenants: settings.RETENTION_TENANTS,
    intervalMs: settings.RETENTION_HOURS * hourMs
  })
)

/** Fresh: its stores use another login than the service's, which memoisation would confuse. */
export const layer = Layer.fresh(
  Layer.merge(EraseSessions.layer, retention).pipe(
    Layer.provide(
      Layer.mergeAll(
        PostgresErasure.layer,
        PostgresErasure.layerPostgresRetention,
        PostgresEventStore.layer,
        PostgresEvidenceStore.layer,
        Layer.succeed(Digest, { sha256, canonical })
      )
    ),
    Layer.provide(Layer.mergeAll(database, list, Storage.ids))
  )
)

export const applyRetention = (how: "look" | "erase") =>
  Effect.flatMap(ApplyRetention.ApplyRetention, ({ run }) => run(how)).pipe(
    Effect.provide(layer.pipe(Layer.provide(Storage.migrated), Layer.provide(Settings.layer)))
  )

/** Rewraps data keys over this process's own opening of the database, with the eraser's login. */
export const rewrapped = PostgresErasure.rewrap.pipe(
  Effect.provide(
    Layer.fresh(database).pipe(
      Layer.provideMerge(Storage.migrated),
      Layer.provide(Settings.layer)
    )
  )
)
