/**
 * The database's clock, which all processes of one log share.
 *
 * It is read at most every 30 s and reckoned on from in between by the process's monotonic time, so
 * that asking costs no round trip. A reading is off by at most half of its round trip.
 */
import { Clock, Effect, Ref, Semaphore } from "effect"
import { Postgres, type Statement } from "../../infrastructure/postgres/Postgres.ts"

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
interface Reading {
  readonly databaseMs: number
  readonly monotonicMs: number
  readonly wallMs: number
}

type ProcessReading = Omit<Reading, "databaseMs">

/** Read in one step, as every append asks for the time. */
const read = (clock: Clock.Clock): ProcessReading => ({
  monotonicMs: Number(clock.monotonicTimeNanosUnsafe()) / nanosPerMs,
  wallMs: clock.currentTimeMillisUnsafe()
})

const processClock: Effect.Effect<ProcessReading> = Effect.clockWith((clock) =>
  Effect.sync(() => read(clock))
)

/** The reading as it would be now. */
const reckoned = ({ databaseMs, monotonicMs }: Reading, now: ProcessReading): Reading => ({
  ...now,
  databaseMs: databaseMs + now.monotonicMs - monotonicMs
})

/** Whether the reading is to be renewed. */
const isOld = (known: Reading, now: ProcessReading): boolean => {
  const sinceMs = now.monotonicMs - known.monotonicMs
  const jumpMs = Math.abs(now.wallMs - known.wallMs - sinceMs)
  return sinceMs >= renewAfterMs || jumpMs > jumpMsMax
}

/**
 * Answers the database's time in whole milliseconds since the epoch. Never fails: while the
 * database cannot be asked it reckons on from the last reading, and before the first one it takes
 * the process's clock.
 */
export const make: Effect.Effect<Effect.Effect<number>, never, Postgres> = Effect.gen(
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

    const readOr = (otherwise: Effect.Effect<Reading>) =>
      Effect.catch(
        Effect.timeout(asked, readMsMax),
        (cause) =>
          Effect.andThen(Effect.logWarning("the database's clock was not read", cause), otherwise)
      )

    const last = yield* Ref.make(
      yield* readOr(Effect.map(processClock, (now) => ({ ...now, databaseMs: now.wallMs })))
    )

    const reckonedNow = (now: ProcessReading): Reading => reckoned(Ref.getUnsafe(last), now)

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
