/** Watermark: the position up to which no event can appear any more. */
import { Clock, Effect, Ref, Schema, Semaphore } from "effect"
import {
  Postgres,
  type PostgresError,
  type Statement
} from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

/** Most watermark reads before a reader continues with what was settled. */
const settleReadingsMax = 20
/** First pause between two reads, in milliseconds; it doubles. */
const settlePauseMsMin = 2
const settlePauseMsMax = 32

/**
 * A standby does not show who holds the lock of writers, and its sequence is ahead: positions it
 * calls settled may still be filled.
 */
class AskedOfStandby extends Schema.TaggedError<AskedOfStandby>()("AskedOfStandby", {}) {
  override get message(): string {
    return "The log is read up to where it is settled, which a standby does not know: ask the primary."
  }
}

export type SettledFailed = PostgresError | AskedOfStandby

/** Returns positions drawn before the call, once settled; within about half a second. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres
  const watermark = yield* Ref.make(initial)
  // Reads must not overlap: see `Watermark.advance`.
  const reading = yield* Semaphore.make(1)

  const takeReading = reading.withPermit(Effect.gen(function*() {
    const [row] = yield* LogStatements.idempotent(
      postgres.prepared<
        { settled: string; holders: ReadonlyArray<string>; is_standby: boolean }
      >(LogStatements.readWatermark, [])
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

// A writer takes the shared lock before it draws a position, and becomes visible before it releases
// it. So without holders all drawn positions are settled; else once none of those holders is left.
// Load cannot starve it: remembered holders only become fewer.

/** The last drawn position, read first; then the holders of the fence. */
interface Reading {
  readonly drawn: bigint
  readonly holders: ReadonlyArray<string>
}

export interface Watermark {
  readonly settled: bigint
  readonly pending: Reading | undefined
}

export const initial: Watermark = { settled: 0n, pending: undefined }

/** Reads must not overlap. The watermark may fall: a restored server redraws positions. */
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

// The database's clock, read at most every 30 s and extrapolated by the process's monotonic clock.
// The error is at most half a round trip.

const renewAfterMs = 30_000

/** A database that does not answer must not block callers. */
const readMsMax = 500

/** Renewed when wall clock and monotonic clock diverge by more than this. */
const jumpMsMax = 1_000

const nanosPerMs = 1_000_000

const readClock: Statement = {
  name: "wg_read_clock",
  text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms"
}

interface ClockReading {
  readonly databaseMs: number
  readonly monotonicMs: number
  readonly wallMs: number
}

type ProcessReading = Omit<ClockReading, "databaseMs">

/** One synchronous step, as every append needs the time. */
const read = (clock: Clock.Clock): ProcessReading => ({
  monotonicMs: Number(clock.monotonicTimeNanosUnsafe()) / nanosPerMs,
  wallMs: clock.currentTimeMillisUnsafe()
})

const processClock: Effect.Effect<ProcessReading> = Effect.clockWith((clock) =>
  Effect.sync(() => read(clock))
)

const reckoned = (
  { databaseMs, monotonicMs }: ClockReading,
  now: ProcessReading
): ClockReading => ({
  ...now,
  databaseMs: databaseMs + now.monotonicMs - monotonicMs
})

const isOld = (known: ClockReading, now: ProcessReading): boolean => {
  const sinceMs = now.monotonicMs - known.monotonicMs
  const jumpMs = Math.abs(now.wallMs - known.wallMs - sinceMs)
  return sinceMs >= renewAfterMs || jumpMs > jumpMsMax
}

/**
 * The database's time in whole milliseconds since the epoch. Never fails: while the database is
 * unreachable the last read is extrapolated; before the first the process's clock is used.
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

    // No caller waits for the renewal: inside a transaction it could wait for itself.
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
