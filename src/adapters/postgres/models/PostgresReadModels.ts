/**
 * Read models in one table of JSON rows. Leases use the database's clock. A commit moves the
 * checkpoint first: a second owner waits for that row, finds it moved, and rolls back.
 */
import {
  type Array as Arr,
  Brand,
  Cause,
  Data,
  Effect,
  Exit,
  Layer,
  Option,
  Predicate
} from "effect"
import { type RawBuilder, sql } from "kysely"
import type { LogPosition } from "../../../application/ports/EventStore.ts"
import {
  type Changes,
  type Checkpoint,
  type Lease,
  LeaseLost,
  leaseMs,
  LeaseRefused,
  type Page,
  type ReadModelId,
  ReadModels,
  ReadModelsUnavailable,
  type Rows,
  RowsRefused,
  type Snapshot,
  StandbyRows
} from "../../../application/ports/ReadModels.ts"
import * as HotStandby from "../../../infrastructure/postgres/HotStandby.ts"
import {
  codeOf,
  Postgres,
  type PostgresError,
  rowsIn
} from "../../../infrastructure/postgres/Postgres.ts"
import * as GroupAppend from "../GroupAppend.ts"
import * as LogStatements from "../LogStatements.ts"
import * as Statements from "./ReadModelStatements.ts"

export const layer = Layer.effect(
  ReadModels,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = rowsIn(postgres)

    const committed = yield* make

    /** Takes all leases that are requested at once, in one statement. */
    const take = yield* GroupAppend.makeGathered<
      Statements.LeaseCall,
      Lease | undefined,
      PostgresError
    >({
      callsMax,
      groupsMax,
      run: (calls) =>
        Effect.map(
          Effect.exit(rowsOf(Statements.take(calls, leaseMs))),
          (exit) => calls.map((call) => Exit.map(exit, (rows) => leaseOf(call, rows)))
        )
    })

    /** First registration; another process may do the same concurrently. */
    const register = (id: ReadModelId) =>
      postgres.transaction(Effect.gen(function*() {
        yield* rowsOf(sql`insert into wg.live_models (model, model_version)
            values (${id.model}, ${id.version}) on conflict do nothing`)
        yield* rowsOf(Statements.register(idOf(id), id))
      }))

    const stateOf = (id: ReadModelId) =>
      Effect.map(
        rowsOf(
          sql<Pick<Statements.CheckpointRow, "state">>`
            select state from wg.checkpoints where consumer_id = ${idOf(id)}`
        ),
        ([row]) => row?.state
      )

    const shown = (operation: string, statement: RawBuilder<Statements.ReadRow>) =>
      LogStatements.idempotent(snapshotIn(postgres, statement)).pipe(
        Effect.catchTag("PostgresError", unavailable(operation)),
        Effect.withSpan(`PostgresReadModels.${operation}`)
      )

    return ReadModels.of({
      acquire: Effect.fn("PostgresReadModels.acquire")(function*(id, owner) {
        const known = yield* take({ id, owner })
        if (known !== undefined) return known
        if ((yield* stateOf(id)) === undefined) yield* register(id)
        const begun = yield* take({ id, owner })
        if (begun !== undefined) return begun
        const state = yield* stateOf(id)
        const reason = state === "halted" || state === "retired" ? state : "held"
        return yield* new LeaseRefused({ ...id, reason })
      }, Effect.catchTag("PostgresError", unavailable("acquire"))),

      commit: (lease, page, fold) =>
        committed(lease, page, fold).pipe(
          Effect.catchIf(isPostgresError, notWritten("commit", lease.id)),
          Effect.withSpan("PostgresReadModels.commit")
        ),

      correct: Effect.fn("PostgresReadModels.correct")(function*(id, keys, fold) {
        yield* postgres.transaction(Effect.gen(function*() {
          const [own] = yield* rowsOf(Statements.rest(idOf(id)))
          if (own === undefined) {
            const reason = (yield* stateOf(id)) === "halted" ? "halted" : "retired"
            return yield* new LeaseRefused({ ...id, reason })
          }
          const rows = yield* loaded(postgres, keys.map((key) => ({ ...id, key })))
          const changes = yield* fold(new Map(rows.map(({ key, row }) => [key, row])))
          yield* save(postgres, changedOf(id, changes, own.position))
        })).pipe(Effect.catchIf(isPostgresError, notWritten("correct", id)))
      }),

      goLive: Effect.fn("PostgresReadModels.goLive")(function*(lease) {
        return yield* postgres.transaction(Effect.gen(function*() {
          const { id } = lease
          const [live] = yield* rowsOf(Statements.live(id.model))
          const old = { model: id.model, version: live?.model_version ?? id.version }
          const rows = yield* rowsOf(Statements.lockBoth(idOf(id), idOf(old)))
          const own = rows.find(({ consumer_id }) => consumer_id === idOf(id))
          const shown = rows.find(({ consumer_id }) => consumer_id === idOf(old))
          if (
            own === undefined || own.state !== "rebuilding" || own.lease_owner !== lease.owner ||
            own.lease_token !== lease.token
          ) return yield* new LeaseLost(id)
          if (BigInt(shown?.position ?? "0") > BigInt(own.position)) return lease
          yield* rowsOf(Statements.retire(idOf(old)))
          yield* rowsOf(Statements.show(id))
          yield* rowsOf(Statements.run(idOf(id)))
          yield* rowsOf(Statements.drop(old))
          return { ...lease, state: "running" as const }
        }))
      }, Effect.catchTag("PostgresError", unavailable("goLive"))),

      halt: Effect.fn("PostgresReadModels.halt")(function*(lease, error) {
        const rows = yield* rowsOf(Statements.halt(idOf(lease.id), lease, error))
        if (rows.length === 0) return yield* new LeaseLost(lease.id)
      }, Effect.catchTag("PostgresError", unavailable("halt"))),

      release: (lease) =>
        rowsOf(Statements.release(idOf(lease.id), lease)).pipe(
          Effect.asVoid,
          Effect.catchTag("PostgresError", unavailable("release"))
        ),

      range: (asked) => shown("range", Statements.range(asked)),
      listing: (asked) => shown("listing", Statements.listing(asked)),

      checkpoints: LogStatements.idempotent(rowsOf(Statements.checkpoints)).pipe(
        Effect.map((rows) => rows.map(toCheckpoint)),
        Effect.catchTag("PostgresError", unavailable("checkpoints"))
      )
    })
  })
)

/** Rows of read models from a standby, or from the primary if the standby cannot answer. */
export const standbyRows = (options: HotStandby.StandbyOptions) =>
  Layer.effect(
    StandbyRows,
    Effect.gen(function*() {
      const primary = yield* ReadModels
      const { ask } = yield* HotStandby.make(options)
      const shown = <E>(
        statement: RawBuilder<Statements.ReadRow>,
        onNone: () => Effect.Effect<Snapshot | undefined, E>
      ) =>
        Effect.flatMap(
          ask((standby) => snapshotIn(standby, statement)),
          Option.match({ onNone, onSome: Effect.succeed })
        )
      return StandbyRows.of({
        range: (asked) => shown(Statements.range(asked), () => primary.range(asked)),
        listing: (asked) => shown(Statements.listing(asked), () => primary.listing(asked))
      })
    })
  )

const snapshotIn = (postgres: Postgres["Service"], statement: RawBuilder<Statements.ReadRow>) =>
  Effect.map(rowsIn(postgres)(statement), snapshotOf)

const loaded = (postgres: Postgres["Service"], keys: ReadonlyArray<Statements.RowKey>) =>
  keys.length === 0 ? Effect.succeed([]) : rowsIn(postgres)(Statements.load(keys))

/** Rows of a left join: a model without rows has one of nulls. */
const snapshotOf = (rows: ReadonlyArray<Statements.ReadRow>): Snapshot | undefined => {
  const [first] = rows
  return first === undefined ? undefined : {
    version: first.model_version,
    position: positionOf(BigInt(first.position)),
    rows: rows.flatMap(({ key, row }) => key === null || row === null ? [] : [[key, row] as const])
  }
}

const positionOf = Brand.nominal<LogPosition>()

const { idOf } = Statements

/** Most leases in one statement: more than a process has read models. */
const callsMax = 64
/** Most concurrent statements of one process. */
const groupsMax = 4

/** Invalid data, a violated constraint, or a server limit. */
const refusal = /^(22|23|54)/

const isPostgresError = (error: unknown): error is PostgresError =>
  Predicate.isTagged(error, "PostgresError")

const unavailable = (operation: string) => (cause: PostgresError) =>
  new ReadModelsUnavailable({ operation, cause })

const notWritten =
  (operation: string, id: ReadModelId) =>
  (cause: PostgresError): Effect.Effect<never, RowsRefused | ReadModelsUnavailable> =>
    refusal.test(codeOf(cause.cause))
      ? new RowsRefused({ ...id, cause })
      : unavailable(operation)(cause)

/** None if the lease was not free, or another caller got it. */
const leaseOf = (
  { id, owner }: Statements.LeaseCall,
  rows: ReadonlyArray<Statements.LeaseRow>
): Lease | undefined => {
  const own = rows.find((row) => row.consumer_id === idOf(id) && row.lease_owner === owner)
  return own && {
    id,
    owner,
    token: own.lease_token,
    position: positionOf(BigInt(own.position)),
    state: own.state
  }
}

const toCheckpoint = (row: Statements.CheckpointRow): Checkpoint => {
  const at = row.consumer_id.lastIndexOf("@")
  return {
    id: { model: row.consumer_id.slice(0, at), version: Number(row.consumer_id.slice(at + 1)) },
    state: row.state,
    position: positionOf(BigInt(row.position)),
    owner: row.lease_owner ?? undefined,
    lastError: row.last_error ?? undefined,
    parked: row.parked
  }
}

// Writes pages of several read models in one transaction. If one fails, each is tried alone, unless
// the connection was lost.

/** The fold failed and keeps the cause. */
class FoldFailed extends Data.TaggedError("FoldFailed")<{}> {}

interface Write {
  readonly lease: Lease
  readonly page: Page
  readonly fold: (rows: Rows) => Effect.Effect<Changes, FoldFailed>
}

type Writes = Arr.NonEmptyReadonlyArray<Write>

type PageFailed = FoldFailed | LeaseLost | PostgresError

const make = Effect.gen(function*() {
  const postgres = yield* Postgres
  const rowsOf = rowsIn(postgres)

  /** Moves the checkpoints: the one statement that makes effects exactly once. */
  const advance = Effect.fnUntraced(function*(writes: Writes) {
    const rows = yield* rowsOf(Statements.advance(
      writes.map(({ lease, page }) => ({
        consumer: Statements.idOf(lease.id),
        owner: lease.owner,
        token: lease.token,
        position: String(lease.position),
        to: String(page.to)
      })),
      leaseMs
    ))
    const moved = new Set(rows.map(({ consumer_id }) => consumer_id))
    if (moved.size < writes.length) {
      const lost = writes.find(({ lease }) => !moved.has(Statements.idOf(lease.id)))
      // Two pages of one read model: only one can be at the checkpoint.
      return yield* new LeaseLost((lost ?? writes[0]).lease.id)
    }
  })

  const written = (writes: Writes): Effect.Effect<void, PageFailed> =>
    postgres.transaction(Effect.gen(function*() {
      yield* advance(writes)
      const keys = writes.flatMap(({ lease: { id }, page }) =>
        page.keys.map((key) => ({ ...id, key }))
      )
      const rows = Map.groupBy(yield* loaded(postgres, keys), Statements.idOfRow)
      const changed = yield* Effect.forEach(
        writes,
        ({ fold, lease: { id }, page: { to } }) =>
          Effect.map(
            fold(new Map(rows.get(Statements.idOf(id))?.map(({ key, row }) => [key, row]))),
            (changes) => changedOf(id, changes, String(to))
          )
      )
      yield* save(postgres, changed.flat())
      yield* Effect.forEach(writes, ({ lease, page: { parked } }) =>
        parked === undefined
          ? Effect.void
          : rowsOf(Statements.setAside(Statements.idOf(lease.id), parked)))
    }))

  const alone = (write: Write) => Effect.exit(written([write]))

  const gathered = yield* GroupAppend.makeGathered<Write, void, PageFailed>({
    callsMax,
    groupsMax,
    run: (writes) => {
      const [first, ...others] = writes
      if (others.length === 0) return Effect.map(alone(first), (exit) => [exit])
      return Effect.exit(written(writes)).pipe(
        Effect.flatMap((exit) =>
          Exit.isSuccess(exit) || isLost(exit.cause)
            ? Effect.succeed(writes.map(() => exit))
            : Effect.forEach(writes, alone)
        )
      )
    }
  })

  return <E>(lease: Lease, page: Page, fold: (rows: Rows) => Effect.Effect<Changes, E>) =>
    Effect.suspend((): Effect.Effect<Lease, E | LeaseLost | PostgresError> => {
      let failure: Cause.Cause<E> = Cause.die(new Error("a fold that failed without a cause"))
      const held: Write["fold"] = (rows) =>
        Effect.catchCause(fold(rows), (cause) => {
          failure = cause
          return new FoldFailed()
        })
      return gathered({ lease, page, fold: held }).pipe(
        Effect.as<Lease>({ ...lease, position: page.to }),
        Effect.catchIf(isFoldFailed, () => Effect.failCause(failure))
      )
    })
})

/** Rows to write, or to delete if `row` is `undefined`. `position` is in decimal digits. */
const changedOf = (
  id: ReadModelId,
  changes: Changes,
  position: string
): ReadonlyArray<Statements.ChangedRow> =>
  [...changes].map(([key, row]) => ({ ...id, key, row, position }))

const save = Effect.fnUntraced(
  function*(postgres: Postgres["Service"], changed: ReadonlyArray<Statements.ChangedRow>) {
    const rowsOf = rowsIn(postgres)
    const kept = changed.filter(({ row }) => row !== undefined)
    const gone = changed.filter(({ row }) => row === undefined)
    if (kept.length > 0) yield* rowsOf(Statements.upsert(kept))
    if (gone.length > 0) yield* rowsOf(Statements.remove(gone))
  }
)

const isFoldFailed = (error: PageFailed): error is FoldFailed =>
  Predicate.isTagged(error, "FoldFailed")

/** Whether the database is unreachable: then retrying each page alone is useless. */
const isLost = (cause: Cause.Cause<PageFailed>): boolean =>
  Cause.hasInterrupts(cause) ||
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) && Predicate.isTagged(reason.error, "PostgresError") &&
    reason.error.fault === "connection"
  )
