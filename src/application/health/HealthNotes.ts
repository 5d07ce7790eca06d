/** Notes of the service on its own health, as facts of the log that all processes share. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as HealthNote from "../../domain/health/HealthNote.ts"
import type { CreditUse } from "../../domain/health/KeyHealth.ts"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import * as KnownStreams from "../log/KnownStreams.ts"
import { EventStore, type StreamRef } from "../ports/EventStore.ts"
import { Ids } from "../ports/Ids.ts"

const { catchUp, handle, load } = CommandHandler.make({
  name: "HealthNoteLog",
  decider: HealthNote,
  codec: EventCodec.make(HealthNote.HealthNote),
  correlationOf: ({ provider }) => `health-${provider}`
})

/** Keys belong to the deployment, not to a tenant. */
const streamOf = (provider: ProviderName): StreamRef => ({
  tenant_id: "_service",
  session_id: `health-${provider}`
})

/** An API key that this deployment needs for a provider and does not have, and since when. */
export interface MissingKey {
  readonly provider: ProviderName
  readonly key_slot: number
  /** ISO 8601 UTC. */
  readonly since: string
}

/** Notes that keep many processes from reporting or measuring the same thing. */
export class HealthNotes extends Context.Service<HealthNotes, {
  /**
   * True for one caller alone, of all processes, for each time that a key begins to be missing; and
   * for everyone while the log cannot be written.
   */
  readonly isFirstToHear: (key: MissingKey) => Effect.Effect<boolean>
  /**
   * Time of the last measurement, in milliseconds since the epoch; 0 for a key that was never
   * measured, or while the log is away.
   */
  readonly measuredAtMs: (provider: ProviderName, keySlot: number) => Effect.Effect<number>
  /** Records a measurement. Never fails: what the log misses, the next measurement tells. */
  readonly measured: (use: CreditUse) => Effect.Effect<void>
}>()("web-grounding/application/health/HealthNotes") {}

export const layer = Layer.effect(
  HealthNotes,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()
    const { now } = yield* EventStore
    const { current, keep } = yield* KnownStreams.make({ catchUp, load, streamOf })

    /** Appends a command, and gives the facts that it added. */
    const tell = Effect.fnUntraced(function*(command: HealthNote.HealthCommand) {
      const handled = yield* handle(yield* current(command.provider), command, "service")
      yield* keep(command.provider, handled)
      return handled.facts
    }, Effect.provide(services))

    return HealthNotes.of({
      isFirstToHear: Effect.fn("HealthNotes.isFirstToHear")(
        function*({ key_slot, provider, since }: MissingKey) {
          const at = DateTime.formatIso(DateTime.makeUnsafe(yield* now))
          const facts = yield* tell(
            HealthNote.TellMissingKey.make({ provider, key_slot, since, at })
          )
          return facts.length > 0
        },
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("that a missing key was told was not recorded", cause), true)
        )
      ),
      measuredAtMs: Effect.fn("HealthNotes.measuredAtMs")(
        function*(provider: ProviderName, keySlot: number) {
          const { state } = yield* Effect.provide(current(provider), services)
          const at = state.measuredAt.get(keySlot)
          return at === undefined ? 0 : DateTime.makeUnsafe(at).epochMilliseconds
        },
        Effect.orElseSucceed(() => 0)
      ),
      measured: Effect.fn("HealthNotes.measured")(
        function*(use: CreditUse) {
          yield* tell(HealthNote.NoteCredits.make(use))
        },
        Effect.catchCause((cause) =>
          Effect.logWarning("a key's credits were measured and not recorded", cause)
        )
      )
    })
  })
)
