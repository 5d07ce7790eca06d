/** Wires anchors, receipts and the verification of the log. */
import { Context, Effect, Layer } from "effect"
import * as OutsideAnchors from "../adapters/anchors/OutsideAnchors.ts"
import type { Anchors } from "../adapters/cli/Wiring.ts"
import * as PostgresAnchors from "../adapters/postgres/PostgresAnchors.ts"
import * as PostgresLogRows from "../adapters/postgres/PostgresLogRows.ts"
import * as PostgresServiceState from "../adapters/postgres/PostgresServiceState.ts"
import * as InclusionProofs from "../application/audit/InclusionProofs.ts"
import * as MakeAnchors from "../application/audit/MakeAnchors.ts"
import { AnchorKeyMissing, AnchorKeys } from "../application/audit/MakeAnchors.ts"
import * as MakeReceipt from "../application/audit/MakeReceipt.ts"
import * as VerifyLog from "../application/audit/VerifyLog.ts"
import * as WatchLog from "../application/audit/WatchLog.ts"
import type { EventStore } from "../application/ports/EventStore.ts"
import { Digest } from "../application/ports/Platform.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import type { PayloadKeys } from "../infrastructure/encryption/PayloadKeys.ts"
import type { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Storage from "./Storage.ts"

const minuteMs = 60_000
const hourMs = 3_600_000

export const ports = Settings.layerBy((settings) =>
  Layer.mergeAll(
    OutsideAnchors.layerSigningKey(settings.ANCHOR_KEY),
    OutsideAnchors.layer({
      file: settings.ANCHOR_FILE,
      command: settings.ANCHOR_COMMAND
    }),
    PostgresAnchors.layer
  )
)

const watching = Settings.layerBy(({ LOG_VERIFY_HOURS }) =>
  WatchLog.layer(LOG_VERIFY_HOURS * hourMs)
).pipe(Layer.provideMerge(VerifyLog.layer))

export const layer = Layer.merge(
  Settings.layerBy(({ ANCHOR_MINUTES }) => MakeAnchors.layer(ANCHOR_MINUTES * minuteMs)),
  Layer.mergeAll(watching, MakeReceipt.layer, InclusionProofs.layer)
).pipe(
  Layer.provideMerge(ports),
  Layer.provide(PostgresLogRows.layer),
  Layer.provide(Layer.succeed(Digest, { sha256, canonical }))
)

const opened = <E>(log: Layer.Layer<EventStore, E, PayloadKeys | Postgres>) =>
  layer.pipe(
    Layer.provideMerge(log),
    Layer.provide(PostgresServiceState.layer),
    Layer.provide(Storage.instance),
    Layer.provide(Storage.migrated),
    Layer.provide(Settings.layer)
  )

export const anchorCommands = <E>(log: Layer.Layer<EventStore, E, PayloadKeys | Postgres>) =>
  Effect.map(
    Layer.build(opened(log)),
    (built): Anchors => ({
      make: Context.get(built, MakeAnchors.MakeAnchors).make,
      list: MakeAnchors.list.pipe(Effect.provide(built)),
      prove: (beforeSize, afterSize) =>
        InclusionProofs.prove(beforeSize, afterSize).pipe(
          Effect.provide(built),
          Effect.provideService(Digest, { sha256, canonical })
        ),
      key: Effect.mapError(
        Effect.fromOption(Context.get(built, AnchorKeys).current),
        () => new AnchorKeyMissing()
      )
    })
  )
