/**
 * Writes pages of several read models in one transaction. The result is the same as if each page
 * was written alone. When one page fails, all are rolled back and each is tried alone, unless the
 * connection was lost.
 */
import { type Array as Arr, Cause, Data, Effect, Exit, Predicate } from "effect"
import {
  type Changes,
  type Lease,
  LeaseLost,
  leaseMs,
  type Page,
  type ReadModelId,
  type Rows
} from "../../../application/ports/ReadModels.ts"
import { Postgres, type PostgresError } from "../../../infrastructure/postgres/Postgres.ts"
import * as Gathered from "../grouped/Gathered.ts"
import * as Statements from "./ReadModelStatements.ts"

/** Maximum number of pages of one transaction: more than a process has read models. */
const callsMax = 64
/** Maximum number of transactions of one process at the same time. */
const groupsMax = 4

/** The fold failed; it knows why. */
class FoldFailed extends Data.TaggedError("FoldFailed")<{}> {}

interface Write {
  readonly lease: Lease
  readonly page: Page
  readonly fold: (rows: Rows) => Effect.Effect<Changes, FoldFailed>
}

type Writes = Arr.NonEmptyReadonlyArray<Write>

type Failed = FoldFailed | LeaseLost | PostgresError

export const make = Effect.gen(function*() {
  const postgres = yield* Postgres

  /** Moves the checkpoints: the one line that makes effects exactly once. */
  const advance = Effect.fnUntraced(function*(writes: Writes) {
    const { rows } = yield* postgres.run((db) =>
      Statements.advance(
        writes.map(({ lease, page }) => ({
          consumer: Statements.idOf(lease.id),
          owner: lease.owner,
          token: lease.token,
          position: String(lease.position),
          to: String(page.to)
        })),
        leaseMs
      ).execute(db)
    )
    const moved = new Set(rows.map(({ consumer_id }) => consumer_id))
    if (moved.size < writes.length) {
      const lost = writes.find(({ lease }) => !moved.has(Statements.idOf(lease.id)))
      // Two of one read model: only one of them can be where it says.
      return yield* new LeaseLost((lost ?? writes[0]).lease.id)
    }
  })

  const load = Effect.fnUntraced(function*(writes: ReadonlyArray<Write>) {
    const asked = writes.flatMap(({ lease: { id }, page: { keys } }) =>
      keys.map((key) => ({ ...id, key }))
    )
    if (asked.length === 0) return []
    const { rows } = yield* postgres.run((db) => Statements.load(asked).execute(db))
    return rows
  })

  const written = (writes: Writes): Effect.Effect<void, Failed> =>
    postgres.transaction(Effect.gen(function*() {
      yield* advance(writes)
      const loaded = Map.groupBy(yield* load(writes), Statements.idOfRow)
      const changed = yield* Effect.forEach(
        writes,
        ({ fold, lease: { id }, page: { to } }) =>
          Effect.map(
            fold(new Map(loaded.get(Statements.idOf(id))?.map(({ key, row }) => [key, row]))),
            (changes) => changedOf(id, changes, String(to))
          )
      )
      yield* save(postgres, changed.flat())
      yield* Effect.forEach(writes, ({ lease, page: { parked } }) =>
        parked === undefined
          ? Effect.void
          : postgres.run((db) =>
            Statements.setAside(Statements.idOf(lease.id), parked).execute(db)
          ))
    }))

  const alone = (write: Write) => Effect.exit(written([write]))

  const gathered = yield* Gathered.make<Write, void, Failed>({
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

  /** Commits a page as `ReadModels.commit` does; failures of the database come as they are. */
  return <E>(lease: Lease, page: Page, fold: (rows: Rows) => Effect.Effect<Changes, E>) =>
    Effect.suspend((): Effect.Effect<Lease, E | LeaseLost | PostgresError> => {
      let failure: Cause.Cause<E> = Cause.die(new Error("a fold that failed without a cause"))
      const held: Write["fold"] = (rows) =>
        Effect.catchCause(fold(rows), (cause) => {
          failure = cause
          return Effect.fail(new FoldFailed())
        })
      return gathered({ lease, page, fold: held }).pipe(
        Effect.as<Lease>({ ...lease, position: page.to }),
        Effect.catchIf(isFoldFailed, () => Effect.failCause(failure))
      )
    })
})

/** Rows to write or, where `row` is `undefined`, to delete. `position` is in decimal digits. */
export const changedOf = (
  id: ReadModelId,
  changes: Changes,
  position: string
): ReadonlyArray<Statements.ChangedRow> =>
  [...changes].map(([key, row]) => ({ ...id, key, row, position }))

export const save = Effect.fnUntraced(
  function*({ run }: Postgres["Service"], changed: ReadonlyArray<Statements.ChangedRow>) {
    const kept = changed.filter(({ row }) => row !== undefined)
    const gone = changed.filter(({ row }) => row === undefined)
    if (kept.length > 0) yield* run((db) => Statements.upsert(kept).execute(db))
    if (gone.length > 0) yield* run((db) => Statements.remove(gone).execute(db))
  }
)

const isFoldFailed = (error: Failed): error is FoldFailed => Predicate.isTagged(error, "FoldFailed")

/** Says whether the database is away: then nothing is gained by trying each page alone. */
const isLost = (cause: Cause.Cause<Failed>): boolean =>
  Cause.hasInterrupts(cause) ||
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) && Predicate.isTagged(reason.error, "PostgresError") &&
    reason.error.fault === "connection"
  )
