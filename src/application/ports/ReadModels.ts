/**
 * Rows of the projections, and the log position of each, written together. Two versions of a read
 * model can exist at once. One owner at a time writes one, by a lease with a fencing token. Rows
 * belong to the deployment, not to a tenant.
 */
import { Context, Effect, Schema } from "effect"
import type { LogPosition } from "./EventStore.ts"

/** Milliseconds after which a lease that is not renewed ends, by the clock of the store. */
export const leaseMs = 15_000

export interface ReadModelId {
  readonly model: string
  readonly version: number
}

/** The right to write one read model, fenced by its token: a former owner's write is refused. */
export interface Lease {
  readonly id: ReadModelId
  readonly owner: string
  /** Grows with each change of owner. Decimal digits. */
  readonly token: string
  /** Events up to here are in the rows. */
  readonly position: LogPosition
  /** `rebuilding`: readers still see an older version. */
  readonly state: "running" | "rebuilding"
}

export interface DeadLetter {
  readonly position: LogPosition
  readonly attempts: number
  /** Holds nothing of the event's content. */
  readonly error: string
}

export interface Page {
  readonly to: LogPosition
  readonly keys: ReadonlyArray<string>
  readonly parked?: DeadLetter
}

/** Rows by key; a key without a row is absent. */
export type Rows = ReadonlyMap<string, Schema.Json>
/** `undefined`: the row is removed. */
export type Changes = ReadonlyMap<string, Schema.Json | undefined>

export interface KeyRange {
  readonly model: string
  /** Inclusive and exclusive bound of the keys, by code point. */
  readonly from: string
  readonly until: string
  readonly limit: number
}

/** A range of sort keys. */
export interface Listing extends KeyRange {
  /** Required in the row's `flags`. Absent: any row. */
  readonly flag?: string
  /** Lower-case text required in the row's `words`. Absent: any row. */
  readonly words?: string
}

export interface Snapshot {
  readonly version: number
  readonly position: LogPosition
  /** In the requested order, at most as many as requested. */
  readonly rows: ReadonlyArray<readonly [key: string, row: Schema.Json]>
}

/** Log position of one version of a read model, and its owner. */
export interface Checkpoint {
  readonly id: ReadModelId
  readonly state: "running" | "rebuilding" | "halted" | "retired"
  readonly position: LogPosition
  readonly owner: string | undefined
  readonly lastError: string | undefined
  readonly parked: number
}

const of = { model: Schema.String, version: Schema.Int }

/** `held`: retry later. `halted`: until an operator resumes it. `retired`: never again. */
export class LeaseRefused extends Schema.TaggedError<LeaseRefused>()("LeaseRefused", {
  ...of,
  reason: Schema.Literals(["held", "halted", "retired"])
}) {}

export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", of) {}

/** The store does not take these rows from any writer. */
export class RowsRefused extends Schema.TaggedError<RowsRefused>()("RowsRefused", {
  ...of,
  cause: Schema.Defect()
}) {}

/** The store could not be reached, or was too busy. May be retried. */
export class ReadModelsUnavailable
  extends Schema.TaggedError<ReadModelsUnavailable>()("ReadModelsUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{}

/** Tables of the read models. Rows and position are committed together, under a lease. */
export class ReadModels extends Context.Service<ReadModels, {
  /**
   * Takes or renews the lease. A new version starts at the log's beginning: live if it is the
   * first, `rebuilding` while an older one is live, `retired` if a newer one is.
   */
  readonly acquire: (
    id: ReadModelId,
    owner: string
  ) => Effect.Effect<Lease, LeaseRefused | ReadModelsUnavailable>

  /**
   * Commits a page of events in one transaction: moves the checkpoint, gives the requested rows to
   * `fold`, and writes its result. Any failure changes nothing. Renews the lease. `fold` may run
   * again.
   */
  readonly commit: <E>(
    lease: Lease,
    page: Page,
    fold: (rows: Rows) => Effect.Effect<Changes, E>
  ) => Effect.Effect<Lease, E | LeaseLost | RowsRefused | ReadModelsUnavailable>

  /**
   * Corrects rows in one transaction that locks the version; checkpoint and lease stay. Any failure
   * changes nothing. Refused for a version that is halted, retired or was never started.
   */
  readonly correct: <E>(
    id: ReadModelId,
    keys: ReadonlyArray<string>,
    fold: (rows: Rows) => Effect.Effect<Changes, E>
  ) => Effect.Effect<void, E | LeaseRefused | RowsRefused | ReadModelsUnavailable>

  /**
   * Makes a rebuilt version live, and retires the one before; changes nothing while the live one
   * has read further.
   */
  readonly goLive: (lease: Lease) => Effect.Effect<Lease, LeaseLost | ReadModelsUnavailable>

  readonly halt: (
    lease: Lease,
    error: string
  ) => Effect.Effect<void, LeaseLost | ReadModelsUnavailable>

  /** Frees the lease at once. Nothing happens when it is lost. */
  readonly release: (lease: Lease) => Effect.Effect<void, ReadModelsUnavailable>

  /** Rows of the live version, all of one moment. `undefined`: no version was ever started. */
  readonly range: (range: KeyRange) => Effect.Effect<Snapshot | undefined, ReadModelsUnavailable>

  readonly listing: (
    listing: Listing
  ) => Effect.Effect<Snapshot | undefined, ReadModelsUnavailable>

  readonly checkpoints: Effect.Effect<ReadonlyArray<Checkpoint>, ReadModelsUnavailable>
}>()("web-grounding/application/ports/ReadModels") {}

/** Of a version that was never started there is none. */
export const checkpointOf = (
  { checkpoints }: ReadModels["Service"],
  { model, version }: ReadModelId
) =>
  Effect.map(
    checkpoints,
    (all) => all.find(({ id }) => id.model === model && id.version === version)
  )

/**
 * Rows of a standby, behind by a bounded time: for answers, never for decisions or writes. Absent:
 * there is no standby.
 */
export class StandbyRows extends Context.Service<
  StandbyRows,
  Pick<ReadModels["Service"], "range" | "listing">
>()("web-grounding/application/ports/ReadModels/StandbyRows") {}
