/**
 * A standby for reads on which no decision depends, while it lags by less than `lagMsMax`.
 * Otherwise (unreachable, late, promoted, or on another timeline) the primary is used. Checked in
 * the background.
 */
import { Clock, Effect, Option, type Redacted, Ref } from "effect"
import type * as Pool from "./Pool.ts"
import { Postgres, type PostgresError, type Statement } from "./Postgres.ts"
import * as PostgresServer from "./PostgresServer.ts"

export interface StandbyOptions {
  readonly url: Redacted.Redacted
  /** Largest lag in milliseconds. */
  readonly lagMsMax: number
  readonly poolMax: number
  readonly pooler: Pool.Pooler
  readonly ceilings: Pool.Ceilings
}

/** Checks within the time by which a standby may lag. */
const looksInLag = 4
/** After a slower answer, also to a check, the standby is not used until the next check. */
const answerMsMax = 2_000
const nanosPerMs = 1_000_000

const readPrimary: Statement = {
  name: "wg_primary_place",
  text: `
    select (pg_current_wal_flush_lsn() - '0/0')::text as place,
        left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
        (select system_identifier::text from pg_control_system()) as system`
}

const readStandby: Statement = {
  name: "wg_standby_place",
  text: `
    select case when pg_is_in_recovery()
          then (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::text end as place,
        (select upper(lpad(to_hex(timeline_id), 8, '0')) from pg_control_checkpoint()) as timeline,
        (select system_identifier::text from pg_control_system()) as system`
}

const monotonicMs = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / nanosPerMs)

/**
 * Opens the standby. Fails at the start for a malformed URL, a refused login, unsuitable settings
 * or another database system; other problems are checked again later.
 */
export const make = Effect.fnUntraced(function*({ lagMsMax, ...options }: StandbyOptions) {
  const primary = yield* Postgres
  const opened = yield* PostgresServer.open(options)
  const { address: { server }, examined, hangUp, postgres: standby } = opened
  const freshness = yield* Ref.make(unknown)
  const isExamined = yield* Ref.make(false)
  const lastTold = yield* Ref.make("it was not looked at")

  const isFresh = Effect.gen(function*() {
    return isWithin(yield* Ref.get(freshness), yield* monotonicMs, lagMsMax)
  })

  /** Marks the primary's position. If it does not answer, the standby's freshness remains. */
  const mark = Effect.gen(function*() {
    const atMs = yield* monotonicMs
    const [stand] = yield* primary.prepared<Stand>(readPrimary, [])
    if (stand === undefined || stand.place === null) return undefined
    const place = BigInt(stand.place)
    yield* Ref.update(freshness, (known) => marked(known, { place, atMs }))
    return stand
  }).pipe(Effect.orElseSucceed(() => undefined))

  /** The standby is not used until a check finds it fresh again. */
  const left = Effect.andThen(Ref.set(freshness, unknown), Ref.set(isExamined, false))

  /** Checks both, and returns why the standby cannot be used; empty: it can. */
  const look = Effect.gen(function*() {
    if (!(yield* Ref.get(isExamined))) {
      yield* examined
      yield* Ref.set(isExamined, true)
    }
    const there = yield* mark
    const [here] = yield* standby.prepared<Stand>(readStandby, [])
    const mismatch = here === undefined || there === undefined
      ? undefined
      : mismatchOf(there, here)
    if (mismatch === "another server") {
      return yield* new PostgresServer.ServerRefused({ reason: { _tag: "OtherServer", server } })
    }
    if (mismatch !== undefined) return yield* Effect.as(left, `it is ${mismatch}`)
    if (here === undefined || here.place === null) {
      return yield* Effect.as(left, "it does not say how far it is")
    }
    const place = BigInt(here.place)
    yield* Ref.update(freshness, (known) => replayed(known, place))
    return (yield* isFresh) ? "" : `it is not known to lag by less than ${lagMsMax} ms`
  }).pipe(
    // A peer that fell silent without closing its connections would block forever.
    Effect.timeoutOrElse({
      duration: answerMsMax,
      orElse: () =>
        Effect.as(Effect.andThen(hangUp, left), `a look at it took longer than ${answerMsMax} ms`)
    }),
    Effect.tapError(() => left),
    Effect.catchTag("PostgresError", ({ fault }) => Effect.succeed(`its database fails, ${fault}`))
  )

  const tell = Effect.fnUntraced(function*(hindrance: string) {
    if ((yield* Ref.getAndSet(lastTold, hindrance)) === hindrance) return
    yield* hindrance === ""
      ? Effect.logInfo(`read models are read from the standby at ${server}`)
      : Effect.logWarning(`read models are not read from ${server}: ${hindrance}`)
  })

  yield* look.pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "Unreachable",
      ({ message }) => Effect.succeed(message)
    ),
    Effect.flatMap(tell)
  )
  yield* Effect.sleep(lagMsMax / looksInLag).pipe(
    Effect.andThen(Effect.catch(look, ({ message }) => Effect.succeed(message))),
    Effect.flatMap(tell),
    Effect.forever,
    Effect.forkScoped
  )

  /** Result of the standby; none: use the primary. */
  const ask = <A>(
    query: (standby: Postgres["Service"]) => Effect.Effect<A, PostgresError>
  ): Effect.Effect<Option.Option<A>> =>
    Effect.flatMap(isFresh, (fresh) =>
      fresh
        ? query(standby).pipe(
          Effect.timeoutOption(answerMsMax),
          Effect.tap(Option.match({ onNone: () => hangUp, onSome: () => Effect.void })),
          Effect.catch(() => Effect.succeedNone),
          Effect.tap(Option.match({ onNone: () => left, onSome: () => Effect.void }))
        )
        : Effect.succeedNone)
  return { ask }
})

// From positions in the primary's write-ahead log and one process's clock: a standby that has
// replayed a position holds everything committed before the primary was there.

export type WalPosition = bigint

/** The primary's position at a time of this process's monotonic clock, in milliseconds. */
export interface Mark {
  readonly place: WalPosition
  readonly atMs: number
}

interface Stand {
  /** Bytes in decimal digits. `null`: not a standby. */
  readonly place: string | null
  /** Eight hexadecimal digits. */
  readonly timeline: string
  readonly system: string
}

/** Why positions of the two cannot be compared; `undefined`: they can. */
export const mismatchOf = (
  primary: Stand,
  standby: Stand
): "another server" | "no standby" | "on another timeline" | undefined => {
  if (standby.system !== primary.system) return "another server"
  if (standby.place === null) return "no standby"
  return standby.timeline === primary.timeline ? undefined : "on another timeline"
}

export interface Freshness {
  /** Marks that the standby has not reached, oldest first. */
  readonly ahead: ReadonlyArray<Mark>
  /** The standby holds everything committed before this time. `undefined`: unknown. */
  readonly asOfMs: number | undefined
}

export const unknown: Freshness = { ahead: [], asOfMs: undefined }

/** Most marks kept: a standby further behind is too late for any of them. */
const marksMax = 64

export const marked = ({ ahead, asOfMs }: Freshness, mark: Mark): Freshness => ({
  ahead: [...ahead, mark].slice(-marksMax),
  asOfMs
})

/** Records how far the standby has replayed. */
export const replayed = ({ ahead, asOfMs }: Freshness, to: WalPosition): Freshness => {
  const reached = ahead.filter(({ place }) => place <= to)
  return {
    ahead: ahead.filter(({ place }) => place > to),
    asOfMs: reached.at(-1)?.atMs ?? asOfMs
  }
}

export const isWithin = ({ asOfMs }: Freshness, nowMs: number, lagMsMax: number): boolean =>
  asOfMs !== undefined && nowMs - asOfMs <= lagMsMax
