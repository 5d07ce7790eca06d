/** Records when an alert of the deployment is opened and when it is over, while a service runs. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as AlertLog from "../domain/health/AlertLog.ts"
import { AskHealth } from "./AskHealth.ts"
import * as CommandHandler from "./log/CommandHandler.ts"
import * as EventCodec from "./log/EventCodec.ts"
import * as KnownStreams from "./log/KnownStreams.ts"
import { EventStore } from "./ports/EventStore.ts"
import type { Ids } from "./ports/Ids.ts"

/** How often the alerts are looked at. */
const lookEvery = "15 seconds"

const { catchUp, handle, load } = CommandHandler.make({
  name: "AlertLog",
  decider: AlertLog,
  codec: EventCodec.make(AlertLog.AlertEvent),
  correlationOf: () => "alerts"
})

const streamOf = () => ({ tenant_id: "_service", session_id: "alerts" })

/** Writes the opening and closing of alerts into the log, so that past alerts can be listed. */
export class WatchAlerts extends Context.Service<WatchAlerts, {
  /**
   * Looks once, as of now, and never fails. Several processes may look at the same time: the log
   * takes each change once.
   */
  readonly look: Effect.Effect<void>
}>()("web-grounding/application/WatchAlerts") {}

export const layer = Layer.effect(
  WatchAlerts,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()
    const { alerts } = yield* AskHealth
    const { now } = yield* EventStore
    const { current, keep } = yield* KnownStreams.make({ catchUp, load, streamOf })
    const look = Effect.gen(function*() {
      const command: AlertLog.NoteAlerts = {
        _tag: "NoteAlerts",
        alerts: yield* alerts,
        at: DateTime.formatIso(DateTime.makeUnsafe(yield* now))
      }
      const handled = yield* handle(yield* current("alerts"), command, "service")
      yield* keep("alerts", handled)
    }).pipe(
      Effect.provide(services),
      Effect.withSpan("WatchAlerts.look"),
      Effect.catchCause((cause) => Effect.logWarning("the alerts were not looked at", cause))
    )
    return WatchAlerts.of({ look })
  })
)

/** Raises and ends alerts in the background until the scope closes. */
export const layerFollowing = Layer.effectDiscard(
  Effect.flatMap(
    WatchAlerts,
    ({ look }) => Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(lookEvery))))
  )
)
