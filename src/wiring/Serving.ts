/** How the service listens and ends: a part of the wiring. */
import { DateTime, Effect, Layer, Schema } from "effect"
import * as GroundingRpcServer from "../adapters/rpc/GroundingRpcServer.ts"
import * as RuleNeedGate from "../adapters/rules/RuleNeedGate.ts"
import * as RuleQueryPlanner from "../adapters/rules/RuleQueryPlanner.ts"
import { GroundingRequest } from "../domain/request/GroundingRequest.ts"
import type * as Settings from "../infrastructure/Settings.ts"

/** As the settings say. */
export const optionsOf = (settings: Settings.SettingValues) => ({
  places: {
    ...GroundingRpcServer.placesDefault,
    grounding: settings.WEB_GROUNDING_GROUNDINGS_MAX,
    read: settings.WEB_GROUNDING_READS_MAX
  },
  connectionsMax: settings.WEB_GROUNDING_CONNECTIONS_MAX,
  allowed: {
    hosts: settings.WEB_GROUNDING_ALLOWED_HOSTS,
    origins: settings.WEB_GROUNDING_ALLOWED_ORIGINS
  },
  ending: {
    delayMs: settings.WEB_GROUNDING_SHUTDOWN_DELAY_MS,
    graceMs: settings.WEB_GROUNDING_SHUTDOWN_GRACE_MS
  }
})

const sample = Schema.decodeUnknownEffect(GroundingRequest)({
  session_id: "warm",
  request_id: "warm",
  topic: "How much notice must a tenant give?"
})

/**
 * Uses the local gate and planner once: their tables are compiled by the first use, which takes a
 * third of a second that the first callers and every probe beside them would wait.
 */
export const warmed = Layer.effectDiscard(
  Effect.gen(function*() {
    const request = yield* sample
    const need = yield* RuleNeedGate.make.decide(request)
    const now = DateTime.formatIso(yield* DateTime.now)
    yield* RuleQueryPlanner.make.plan(request, need, now)
  }).pipe(
    // The sample fits the schema.
    Effect.orDie
  )
)

/** Time from the signal to end until the process exits, whatever hangs. */
const exitMsMax = 19_000

export const exitInTime = Layer.effectDiscard(
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      setTimeout(() => process.exit(1), exitMsMax).unref()
    })
  )
)
