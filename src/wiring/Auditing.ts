/** Wires the operations of auditors on recorded sessions. */
import { Context, Effect, Layer, Option } from "effect"
import * as OutsideAnchors from "../adapters/anchors/OutsideAnchors.ts"
import * as ExportSessions from "../application/audit/ExportSessions.ts"
import * as ImportSessions from "../application/audit/ImportSessions.ts"
import * as AuditApi from "../application/AuditApi.ts"
import type { EventStore } from "../application/ports/EventStore.ts"
import { Digest } from "../application/ports/Platform.ts"
import * as ReplaySession from "../application/replay/ReplaySession.ts"
import * as WhatIfSession from "../application/whatif/WhatIfSession.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import type { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Engines from "./Engines.ts"
import * as Storage from "./Storage.ts"

/**
 * Over whatever log, replay and proofs of inclusion. What is supposed has the local engines alone,
 * and no provider.
 */
export const layer = AuditApi.layer.pipe(
  Layer.provide(
    Layer.mergeAll(ReplaySession.layerMany, WhatIfSession.layerWhatIfSessions, ExportSessions.layer)
  ),
  Layer.provide(WhatIfSession.layer),
  Layer.provide(Engines.local)
)

/**
 * Imports sessions for the command, over this process's own opening of the log. Nothing is signed.
 */
export const importSessions = <E>(log: Layer.Layer<EventStore, E, Postgres>) =>
  Effect.map(
    Layer.build(
      ImportSessions.layer.pipe(
        Layer.provide(Layer.mergeAll(
          log,
          OutsideAnchors.layerSigningKey(Option.none()),
          Layer.succeed(Digest, { sha256, canonical })
        )),
        Layer.provide(Storage.migrated),
        Layer.provide(Settings.layer)
      )
    ),
    (built) => Context.get(built, ImportSessions.ImportSessions).take
  )
