/**
 * Read models in one table of JSON rows, in the database of the log.
 *
 * Leases go by the database's clock. A commit moves the checkpoint first: whoever comes second
 * waits for that row, finds it moved, and rolls back.
 */
import { Brand, Effect, Exit, Layer, Option, Predicate } from "effect"
import { sql } from "kysely"
import type { LogPosition } from "../../../application/ports/EventStore.ts"
import {
  type Checkpoint,
  type KeyRange,
  type Lease,
  LeaseLost,
  leaseMs,
  LeaseRefused,
  type Listing,
  type ReadModelId,
  ReadModels,
  ReadModelsUnavailable,
  type Rows,
  RowsRefused,
  type Snapshot,
  StandbyRows
} from "../../../application/ports/ReadModels.ts"
import * as HotStandby from "../../../infrastructure/postgres/HotStandby.ts"
import { codeOf, Postgres, type PostgresError } from "../../../infrastructure/postgres/Postgres.ts"
import * as Gathered from "../grouped/Gathered.ts"
import * as Repeated from "../Repeated.ts"
import * as CommittedPages from "./CommittedPages.ts"
import * as Statements from "./ReadModelStatements.ts"

export const layer = Layer.effect(
  ReadModels,
  Effect.gen(function*() {
    const postgres = yield* Postgres

    const committed = yield* CommittedPages.make

    const taken = Effect.fnUntraced(function*(ids: ReadonlyArray<ReadModelId>, owner: string) {
      const { rows } = yield* postgres.run((db) =>
        Statements.take(ids.map(idOf), owner, leaseMs).execute(db)
      )
      const leases = ids.map((id) => {
        const row = rows.find(({ consumer_id }) => consumer_id === idOf(id))
        return row === undefined ? undefined : leaseOf(id, owner, row)
      })
      return leases
    })

    /** Takes all leases that one owner asks for at the same moment, in one statement. */
    const take = yield* Gathered.make<Asked, Lease | undefined, PostgresError>({
      callsMax,
      groupsMax,
      run: (calls) =>
        Effect.map(
          Effect.forEach(
            Map.groupBy(calls, ({ owner }) => owner),
            ([owner, own]) =>
              Effect.map(
                Effect.exit(taken(own.map(({ id }) => id), owner)),
                (exit) =>
                  own.map((call, index) =>
                    [call, Exit.map(exit, (leases) => leases[index])] as const
                  )
              )
          ),
          (groups) => {
            const exits = new Map(groups.flat())
            return calls.map((call) => exits.get(call) ?? Exit.succeed(undefined))
          }
        )
    })

    /** A first start, which another process may be making at the same time. */
    const register = (id: ReadModelId) =>
      postgres.transaction(Effect.gen(function*() {
        yield* postgres.run((db) =>
          sql`insert into wg.live_models (model, model_version)
            values (${id.model}, ${id.version}) on conflict do nothing`.execute(db)
        )
        yield* postgres.run((db) => Statements.register(idOf(id), id).execute(db))
      }))

    const stateOf = (id: ReadModelId) =>
      Effect.map(
        postgres.run((db) =>
          db.selectFrom("wg.checkpoints").select("state").where("consumer_id", "=", idOf(id))
            .executeTakeFirst()
        ),
        (row) => row?.state
      )

    const acquire: ReadModels["Service"]["acquire"] = Effect.fn("PostgresReadModels.acquire")(
      function*(id, owner) {
        const known = yield* take({ id, owner })
        if (known !== undefined) return known
        if ((yield* stateOf(id)) === undefined) yield* register(id)
        const begun = yield* take({ id, owner })
        if (begun !== undefined) return begun
        const state = yield* stateOf(id)
        const reason = state === "halted" || state === "retired" ? state : "held"
        return yield* new LeaseRefused({ ...id, reason })
      },
      Effect.catchTag("PostgresError", unavailable("acquire"))
    )

    const load = Effect.fnUntraced(function*(id: ReadModelId, keys: Keys) {
      if (keys.length === 0) return new Map()
      const { rows } = yield* postgres.run((db) =>
        Statements.load(keys.map((key) => ({ ...id, key }))).execute(db)
      )
      const loaded: Rows = new Map(rows.map(({ key, row }) => [key, row]))
      return loaded
    })

    const commit: ReadModels["Service"]["commit"] = (lease, page, fold) =>
      committed(lease, page, fold).pipe(
        Effect.catchIf(isPostgresError, notWritten("commit", lease.id)),
        Effect.withSpan("PostgresReadModels.commit")
      )

    const correct: ReadModels["Service"]["correct"] = Effect.fn("PostgresReadModels.correct")(
      function*(id, keys, fold) {
        yield* postgres.transaction(Effect.gen(function*() {
          const { rows: [own] } = yield* postgres.run((db) => Statements.rest(idOf(id)).execute(db))
          if (own === undefined) {
            const reason = (yield* stateOf(id)) === "halted" ? "halted" : "retired"
            return yield* new LeaseRefused({ ...id, reason })
          }
          const rows = yield* load(id, keys)
          yield* CommittedPages.save(
            postgres,
            CommittedPages.changedOf(id, yield* fold(rows), own.position)
          )
        })).pipe(Effect.catchIf(isPostgresError, notWritten("correct", id)))
      }
    )

    const goLive: ReadModels["Service"]["goLive"] = Effect.fn("PostgresReadModels.goLive")(
      function*(lease) {
        return yield* postgres.transaction(Effect.gen(function*() {
          const { id } = lease
          const { rows: [live] } = yield* postgres.run((db) =>
            Statements.live(id.model).execute(db)
          )
          const old = { model: id.model, version: live?.model_version ?? id.version }
          const { rows } = yield* postgres.run((db) =>
            Statements.lockBoth(idOf(id), idOf(old)).execute(db)
          )
          const own = rows.find(({ consumer_id }) => consumer_id === idOf(id))
          const shown = rows.find(({ consumer_id }) => consumer_id === idOf(old))
          if (
            own === undefined || own.state !== "rebuilding" || own.lease_owner !== lease.owner ||
            own.lease_token !== lease.token
          ) return yield* new LeaseLost(id)
          if (BigInt(shown?.position ?? "0") > BigInt(own.position)) return lease
          yield* postgres.run((db) => Statements.retire(idOf(old)).execute(db))
          yield* postgres.run((db) => Statements.show(id).execute(db))
          yield* postgres.run((db) => Statements.run(idOf(id)).execute(db))
          yield* postgres.run((db) => Statements.drop(old).execute(db))
          const running: Lease = { ...lease, state: "running" }
          return running
        }))
      },
      Effect.catchTag("PostgresError", unavailable("goLive"))
    )

    const halt: ReadModels["Service"]["halt"] = Effect.fn("PostgresReadModels.halt")(
      function*(lease, error) {
        const { rows } = yield* postgres.run((db) =>
          Statements.halt(idOf(lease.id), lease, error).execute(db)
        )
        if (rows.length === 0) return yield* new LeaseLost(lease.id)
      },
      Effect.catchTag("PostgresError", unavailable("halt"))
    )

    const release: ReadModels["Service"]["release"] = (lease) =>
      postgres.run((db) => Statements.release(idOf(lease.id), lease).execute(db)).pipe(
        Effect.asVoid,
        Effect.catchTag("PostgresError", unavailable("release"))
      )

    const range: ReadModels["Service"]["range"] = Effect.fn("PostgresReadModels.range")(
      function*(asked) {
        return yield* Repeated.idempotent(rangeOf(postgres, asked))
      },
      Effect.catchTag("PostgresError", unavailable("range"))
    )

    const listing: ReadModels["Service"]["listing"] = Effect.fn("PostgresReadModels.listing")(
      function*(asked) {
        return yield* Repeated.idempotent(listingOf(postgres, asked))
      },
      Effect.catchTag("PostgresError", unavailable("listing"))
    )

    const checkpoints = Repeated.idempotent(
      postgres.run((db) => Statements.checkpoints.execute(db))
    ).pipe(
      Effect.map(({ rows }) => rows.map(toCheckpoint)),
      Effect.catchTag("PostgresError", unavailable("checkpoints"))
    )

    return ReadModels.of({
      acquire,
      commit,
      correct,
      goLive,
      halt,
      release,
      range,
      listing,
      checkpoints
    })
  })
)

/** Rows of read models from a standby, and from the primary where the standby cannot answer. */
export const standbyRows = (options: HotStandby.StandbyOptions) =>
  Layer.effect(
    StandbyRows,
    Effect.gen(function*() {
      const primary = yield* ReadModels
      const { ask } = yield* HotStandby.make(options)
      return StandbyRows.of({
        range: (asked) =>
          Effect.flatMap(
            ask((standby) => rangeOf(standby, asked)),
            Option.match({ onNone: () => primary.range(asked), onSome: Effect.succeed })
          ),
        listing: (asked) =>
          Effect.flatMap(
            ask((standby) => listingOf(standby, asked)),
            Option.match({ onNone: () => primary.listing(asked), onSome: Effect.succeed })
          )
      })
    })
  )

/** Rows of `ReadModels.range`, from any server that has them, asked once. */
const rangeOf = (postgres: Postgres["Service"], asked: KeyRange) =>
  Effect.map(
    postgres.run((db) => Statements.range(asked).execute(db)),
    ({ rows }) => snapshotOf(rows)
  )

/** Rows of `ReadModels.listing`, from any server that has them, asked once. */
const listingOf = (postgres: Postgres["Service"], asked: Listing) =>
  Effect.map(
    postgres.run((db) => Statements.listing(asked).execute(db)),
    ({ rows }) => snapshotOf(rows)
  )

type Keys = ReadonlyArray<string>
type Failed = RowsRefused | ReadModelsUnavailable

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

/** Maximum number of leases of one statement: more than a process has read models. */
const callsMax = 64
/** Maximum number of statements of one process at the same time. */
const groupsMax = 4

interface Asked {
  readonly id: ReadModelId
  readonly owner: string
}

/** Data that cannot be, that breaks a constraint, or that passes a limit of the server. */
const refusal = /^(22|23|54)/

const isPostgresError = (error: unknown): error is PostgresError =>
  Predicate.isTagged(error, "PostgresError")

const unavailable = (operation: string) => (cause: PostgresError) =>
  Effect.fail(new ReadModelsUnavailable({ operation, cause }))

const notWritten =
  (operation: string, id: ReadModelId) => (cause: PostgresError): Effect.Effect<never, Failed> =>
    refusal.test(codeOf(cause.cause))
      ? Effect.fail(new RowsRefused({ ...id, cause }))
      : unavailable(operation)(cause)

const leaseOf = (id: ReadModelId, owner: string, row: Statements.TakenRow): Lease => ({
  id,
  owner,
  token: row.lease_token,
  position: positionOf(BigInt(row.position)),
  state: row.state
})

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
