/** Compares the credit ledger with the providers' own counts at intervals, for the alerts. */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { CreditUse } from "../../domain/health/SearchHealth.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { EventStore } from "../ports/EventStore.ts"
import {
  type CreditReporter,
  CreditReporters,
  CreditsSpent,
  SearchFailed
} from "../ports/SearchProvider.ts"
import { stateOf } from "../ports/ServiceState.ts"
import { keyOf } from "../steps/KeyRing.ts"

const reportTimeoutMs = 10_000

/** Share of the interval within which another process's count is recent enough. */
const freshShare = 0.9

export const creditUses = stateOf("credits", CreditUse)

export class WatchCredits extends Context.Service<WatchCredits, {
  readonly round: Effect.Effect<void>
  /** A round at once and then one each interval, for ever; without a key none. */
  readonly follow: Effect.Effect<void>
}>()("web-grounding/application/health/WatchCredits") {}

/** `everyMs` is the time between two counts of a key, for all processes together. */
export const layer = (everyMs: number) =>
  Layer.effect(
    WatchCredits,
    Effect.gen(function*() {
      const reporters = yield* CreditReporters
      const { spent } = yield* CreditsSpent
      const { now } = yield* EventStore
      const uses = yield* creditUses

      const measure = Effect.fn("WatchCredits.measure")(
        function*({ keySlot, provider, report }: CreditReporter) {
          const key = keyOf(provider, keySlot)
          const last = (yield* uses.rows()).find((row) => row.key === key)
          const ageMs = (yield* now) - (last === undefined ? 0 : Date.parse(last.value.at))
          if (ageMs < everyMs * freshShare) return
          const { credits, month } = yield* spent(provider, keySlot)
          const { limit, used } = yield* Effect.timeoutOrElse(report, {
            duration: Duration.millis(reportTimeoutMs),
            orElse: () => new SearchFailed({ provider, status: "timeout" })
          })
          const use: CreditUse = {
            provider,
            key_slot: keySlot,
            month,
            counted: credits,
            reported: used,
            ...asGiven({ limit }),
            at: DateTime.formatIso(DateTime.makeUnsafe(yield* now))
          }
          yield* uses.change(key, (before) => (before?.at ?? "") >= use.at ? undefined : use)
        },
        (measured, { keySlot, provider }) =>
          Effect.catch(measured, (failed) =>
            Effect.logWarning("a provider's own count of credits was not read").pipe(
              Effect.annotateLogs({
                provider,
                key_slot: keySlot,
                status: failed._tag === "SearchFailed" ? failed.status : failed._tag
              })
            ))
      )

      const round = Effect.forEach(reporters, measure, { discard: true })
      const follow = reporters.length === 0
        ? Effect.void
        : Effect.forever(Effect.andThen(round, Effect.sleep(Duration.millis(everyMs))))
      return WatchCredits.of({ round, follow })
    })
  )
