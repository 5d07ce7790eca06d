/** How the service listens and ends: a part of the wiring. */
import { Effect, Layer } from "effect"
import * as GroundingRpcServer from "./adapters/rpc/GroundingRpcServer.ts"
import type * as Settings from "./infrastructure/Settings.ts"

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

/** The process is gone by then after it was told to end, whatever hangs. */
const exitMsMax = 19_000

export const exitInTime = Layer.effectDiscard(
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      setTimeout(() => process.exit(1), exitMsMax).unref()
    })
  )
)
