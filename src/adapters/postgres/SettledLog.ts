/** Reads the position up to which a database's log is settled: no event can still appear there. */
import { Clock, Effect, Ref, Schema, Semaphore } from "effect"
import {
  Postgres,
  type PostgresError,
  type Statement
} from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

/** Maximum number of readings of the watermark before a reader goes on with what was settled. */
const settleReadingsMax = 20
/** Pause between two readings, in milliseconds: it doubles, as a disk that is slow stays so. */
const settlePauseMsMin = 2
const settlePauseMsMax = 32

/**
 * A standby was asked. It does not show who holds the fence, and its sequence is ahead of the
 * primary's: what it calls settled may still be filled.
 */
class AskedOfStandby extends Schema.TaggedError<AskedOfStandby>()("AskedOfStandby", {}) {
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
  const watermark = yield* Ref.make(initial)
  // Readings must not overlap: see `Watermark.advance`.
  const reading = yield* Semaphore.make(1)

  const takeReading = reading.withPermit(Effect.gen(function*() {
    const [row] = yield* LogStatements.idempotent(
      postgres.prepared<WatermarkRow>(LogStatements.readWatermark, [])
    )
    if (row?.is_standby === true) return yield* new AskedOfStandby()
    const { holders, settled } = row ?? { settled: "0", holders: [] }
    const drawn = BigInt(settled)
    const next = yield* Ref.updateAndGet(
      watermark,
      (current) => advance(current, { drawn, holders })
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

// Up to where the log is settled: nothing at or below it can still appear. A writer holds the
// fence before it draws a position, and becomes visible before it lets go. So with no holder all
// drawn positions are settled; otherwise they are once none of those holders is left. Continuous
// load cannot starve it: the remembered holders only become fewer.

/** Position drawn last, read first; then who held the fence. */
interface Reading {
  readonly drawn: bigint
  readonly holders: ReadonlyArray<string>
}

export interface Watermark {
  readonly settled: bigint
  /** A reading that awaits the end of its holders. */
  readonly pending: Reading | undefined
}

export const initial: Watermark = { settled: 0n, pending: undefined }

/**
 * Watermark after a reading, which must begin after the one before has ended. It may fall:
 * positions that a restored server has not drawn are not settled, whatever was known before.
 */
export const advance = ({ pending, settled }: Watermark, reading: Reading): Watermark => {
  if (reading.holders.length === 0) return { settled: reading.drawn, pending: undefined }
  const proven = pending !== undefined &&
    !reading.holders.some((holder) => pending.holders.includes(holder))
  return {
    settled: least(proven ? pending.drawn : settled, reading.drawn),
    pending: proven || pending === undefined ? reading : pending
  }
}

const least = (one: bigint, other: bigint): bigint => one < other ? one : other

// The database's clock, which all processes of one log share. It is read at most every 30 s and
// reckoned on from in between by the process's monotonic time, so that asking costs no round
// trip. A reading is off by at most half of its round trip.

/** A reading is renewed when it is older, or could not be renewed so long ago. */
const renewAfterMs = 30_000

/** A database that does not answer must not keep who asks for the time. */
const readMsMax = 500

/** A reading is renewed when the wall clock moved otherwise than the monotonic one by more. */
const jumpMsMax = 1_000

const nanosPerMs = 1_000_000

const readClock: Statement = {
  name: "wg_read_clock",
  text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms"
}

/** Readings of the clocks at one moment, in milliseconds. */
interface ClockReading {
  readonly databaseMs: number
  readonly monotonicMs: number
  readonly wallMs: number
}

type ProcessReading = Omit<ClockReading, "databaseMs">

/** Read in one step, as every append asks for the time. */
const read = (clock: Clock.Clock): ProcessReading => ({
  monotonicMs: Number(clock.monotonicTimeNanosUnsafe()) / nanosPerMs,
  wallMs: clock.currentTimeMillisUnsafe()
})

const processClock: Effect.Effect<ProcessReading> = Effect.clockWith((clock) =>
  Effect.sync(() => read(clock))
)

/** The reading as it would be now. */
const reckoned = (
  { databaseMs, monotonicMs }: ClockReading,
  now: ProcessReading
): ClockReading => ({
  ...now,
  databaseMs: databaseMs + now.monotonicMs - monotonicMs
})

/** Whether the reading is to be renewed. */
const isOld = (known: ClockReading, now: ProcessReading): boolean => {
  const sinceMs = now.monotonicMs - known.monotonicMs
  const jumpMs = Math.abs(now.wallMs - known.wallMs - sinceMs)
  return sinceMs >= renewAfterMs || jumpMs > jumpMsMax
}

/**
 * Answers the database's time in whole milliseconds since the epoch. Never fails: while the
 * database cannot be asked it reckons on from the last reading, and before the first one it takes
 * the process's clock.
 */
export const makeDatabaseClock: Effect.Effect<Effect.Effect<number>, never, Postgres> = Effect.gen(
  function*() {
    const postgres = yield* Postgres
    const renewing = yield* Semaphore.make(1)

    const asked = Effect.gen(function*() {
      const before = yield* processClock
      const [row] = yield* postgres.prepared<{ readonly now_ms: number }>(readClock, [])
      const after = yield* processClock
      const tripMs = after.monotonicMs - before.monotonicMs
      return { ...after, databaseMs: (row?.now_ms ?? before.wallMs) + tripMs / 2 }
    })

    const readOr = (otherwise: Effect.Effect<ClockReading>) =>
      Effect.catch(
        Effect.timeout(asked, readMsMax),
        (cause) =>
          Effect.andThen(Effect.logWarning("the database's clock was not read", cause), otherwise)
      )

    const last = yield* Ref.make(
      yield* readOr(Effect.map(processClock, (now) => ({ ...now, databaseMs: now.wallMs })))
    )

    const reckonedNow = (now: ProcessReading): ClockReading => reckoned(Ref.getUnsafe(last), now)

    const renew = Effect.flatMap(
      readOr(Effect.map(processClock, reckonedNow)),
      (reading) => Ref.set(last, reading)
    )

    const answer = (now: ProcessReading): number => Math.floor(reckonedNow(now).databaseMs)

    // Nobody waits for whoever renews it: in a transaction that could be waiting for oneself.
    const renewed = Effect.andThen(
      renewing.withPermitsIfAvailable(1)(renew),
      Effect.map(processClock, answer)
    )

    return Effect.clockWith((clock) => {
      const now = read(clock)
      return isOld(Ref.getUnsafe(last), now) ? renewed : Effect.succeed(answer(now))
    })
  }
)
