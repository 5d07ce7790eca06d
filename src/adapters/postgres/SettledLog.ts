/** Reads the position up to which a database's log is settled: no event can still appear there. */
import { Effect, Ref, Schema, Semaphore } from "effect"
import { Postgres, type PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"
import * as Repeated from "./Repeated.ts"
import * as Watermark from "./Watermark.ts"

/** Maximum number of readings of the watermark before a reader goes on with what was settled. */
const settleReadingsMax = 20
/** Pause between two readings, in milliseconds: it doubles, as a disk that is slow stays so. */
const settlePauseMsMin = 2
const settlePauseMsMax = 32

/**
 * A standby was asked. It does not show who holds the fence, and its sequence is ahead of the
 * primary's: what it calls settled may still be filled.
 */
export class AskedOfStandby extends Schema.TaggedError<AskedOfStandby>()("AskedOfStandby", {}) {
  override get message(): string {
    return "The log is read up to where it is settled, which a standby does not know: ask the primary."
  }
}

export type SettledFailed = PostgresError | AskedOfStandby

/**
 * Gives the position up to which the log is settled: all that was drawn when asked, once its
 * writers are done; within about half a second.
 */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres
  const watermark = yield* Ref.make(Watermark.initial)
  // Readings must not overlap: see `Watermark.advance`.
  const reading = yield* Semaphore.make(1)

  const takeReading = reading.withPermit(Effect.gen(function*() {
    const [row] = yield* Repeated.idempotent(
      postgres.prepared<WatermarkRow>(LogStatements.readWatermark, [])
    )
    if (row?.is_standby === true) return yield* new AskedOfStandby()
    const { holders, settled } = row ?? { settled: "0", holders: [] }
    const drawn = BigInt(settled)
    const next = yield* Ref.updateAndGet(
      watermark,
      (current) => Watermark.advance(current, { drawn, holders })
    )
    return { drawn, settled: next.settled }
  }))

  return Effect.gen(function*() {
    const first = yield* takeReading
    if (first.settled === first.drawn) return first.settled
    for (let readings = 1; readings < settleReadingsMax; readings++) {
      yield* Effect.sleep(Math.min(settlePauseMsMin * 2 ** (readings - 1), settlePauseMsMax))
      const { settled } = yield* takeReading
      if (settled >= first.drawn) return settled
    }
    return (yield* Ref.get(watermark)).settled
  })
})

interface WatermarkRow {
  readonly settled: string
  readonly holders: ReadonlyArray<string>
  readonly is_standby: boolean
}
