/**
 * Rows that projections keep, and how far each has read the log: written together or not at all.
 *
 * A read model is named by model and version, so that two versions of it can stand side by side.
 * One owner at a time may write one: a lease says who, a fencing token makes a late one harmless.
 * Rows belong to the deployment, not to a tenant.
 */
import { Context, type Effect, Schema } from "effect"
import type { LogPosition } from "./EventStore.ts"

/** Milliseconds after which a lease that is not renewed ends, by the clock of the store. */
export const leaseMs = 15_000

/** Name of one version of a read model. */
export interface ReadModelId {
  readonly model: string
  /** Version of the read model, from 1. */
  readonly version: number
}

/** The right to write one read model, fenced by its token: a former owner's write is refused. */
export interface Lease {
  readonly id: ReadModelId
  readonly owner: string
  /** Grows with each change of owner. Decimal digits. */
  readonly token: string
  /** Everything up to here is in the rows. */
  readonly position: LogPosition
  /** `rebuilding`: an older version is still the one that readers see. */
  readonly state: "running" | "rebuilding"
}

/** An event that was passed without being handled. */
export interface DeadLetter {
  readonly position: LogPosition
  readonly attempts: number
  /** Holds nothing of the event's content. */
  readonly error: string
}

/** Result of folding a page of the log: how far it went, and which rows it needs. */
export interface Page {
  /** Place of the page's last event. */
  readonly to: LogPosition
  /** Rows that the fold asks for. */
  readonly keys: ReadonlyArray<string>
  readonly parked?: DeadLetter
}

/** Rows by key; a key without a row is absent. */
export type Rows = ReadonlyMap<string, Schema.Json>
/** `undefined`: the row goes. */
export type Changes = ReadonlyMap<string, Schema.Json | undefined>

/** Stretch of a read model's rows, in the order of their keys. */
export interface KeyRange {
  readonly model: string
  /** Keys from this one on, and before the other, by code point. */
  readonly from: string
  readonly until: string
  readonly limit: number
}

/** Rows that carry a `sort_key`, the greatest first. */
export interface Listing {
  readonly model: string
  /** Sort keys from this one on, and before the other, by code point. */
  readonly from: string
  readonly until: string
  readonly limit: number
  /** The row's `flags` hold it. Absent: any row. */
  readonly flag?: string
  /** The row's `words` hold this text, which is in lower case. Absent: any row. */
  readonly words?: string
}

/** Rows of one version at one moment. */
export interface Snapshot {
  readonly version: number
  readonly position: LogPosition
  /** Rows in the order that was asked for, and at most as many. */
  readonly rows: ReadonlyArray<readonly [key: string, row: Schema.Json]>
}

/** How far one version of a read model has read the log, and who reads for it. */
export interface Checkpoint {
  readonly id: ReadModelId
  readonly state: "running" | "rebuilding" | "halted" | "retired"
  readonly position: LogPosition
  readonly owner: string | undefined
  readonly lastError: string | undefined
  /** Events that this version has passed unhandled. */
  readonly parked: number
}

const of = { model: Schema.String, version: Schema.Int }

/** `held`: ask again later. `halted`: until an operator sets it running. `retired`: never again. */
export class LeaseRefused extends Schema.TaggedError<LeaseRefused>()("LeaseRefused", {
  ...of,
  reason: Schema.Literals(["held", "halted", "retired"])
}) {}

/** Somebody else owns the read model now; nothing was written. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", of) {}

/** The store does not take these rows, whoever writes them. */
export class RowsRefused extends Schema.TaggedError<RowsRefused>()("RowsRefused", {
  ...of,
  cause: Schema.Defect()
}) {}

/** The store could not be reached, or was too busy. May be tried again. */
export class ReadModelsUnavailable
  extends Schema.TaggedError<ReadModelsUnavailable>()("ReadModelsUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{}

/** Tables of the read models. Rows and position are committed together, under a lease. */
export class ReadModels extends Context.Service<ReadModels, {
  /**
   * Takes or renews the lease. A version never seen starts at the log's beginning: live when it is
   * the model's first, `rebuilding` when an older one is live, `retired` when a newer one is.
   */
  readonly acquire: (
    id: ReadModelId,
    owner: string
  ) => Effect.Effect<Lease, LeaseRefused | ReadModelsUnavailable>

  /**
   * Commits a page of events in one transaction: moves the checkpoint from the lease's position to
   * the page's end, gives the rows asked for to `fold`, and writes what it answers. Any failure
   * leaves everything as it was. Renews the lease. `fold` may run again and must have no effects of
   * its own.
   */
  readonly commit: <E>(
    lease: Lease,
    page: Page,
    fold: (rows: Rows) => Effect.Effect<Changes, E>
  ) => Effect.Effect<Lease, E | LeaseLost | RowsRefused | ReadModelsUnavailable>

  /**
   * Corrects rows in one transaction, with the version at rest whoever keeps it: gives the rows
   * asked for to `fold`, and writes what it answers. Checkpoint and lease stay. Any failure leaves
   * everything as it was. Refused where the version is halted, retired or was never started.
   */
  readonly correct: <E>(
    id: ReadModelId,
    keys: ReadonlyArray<string>,
    fold: (rows: Rows) => Effect.Effect<Changes, E>
  ) => Effect.Effect<void, E | LeaseRefused | RowsRefused | ReadModelsUnavailable>

  /**
   * Makes a rebuilt version the one that readers see, retires the one before and drops its rows,
   * all at once; or changes nothing, as long as the live one has read further.
   */
  readonly goLive: (lease: Lease) => Effect.Effect<Lease, LeaseLost | ReadModelsUnavailable>

  /** Halts the read model until an operator sets it running again. */
  readonly halt: (
    lease: Lease,
    error: string
  ) => Effect.Effect<void, LeaseLost | ReadModelsUnavailable>

  /** Lets another owner go on at once. Nothing happens when the lease is lost. */
  readonly release: (lease: Lease) => Effect.Effect<void, ReadModelsUnavailable>

  /** Rows of the live version, all of one moment. `undefined`: no version was ever started. */
  readonly range: (range: KeyRange) => Effect.Effect<Snapshot | undefined, ReadModelsUnavailable>

  /** Rows of the live version that carry a `sort_key`, in its order, the greatest first. */
  readonly listing: (
    listing: Listing
  ) => Effect.Effect<Snapshot | undefined, ReadModelsUnavailable>

  /** Every version of every model that was ever started, by model and version. */
  readonly checkpoints: Effect.Effect<ReadonlyArray<Checkpoint>, ReadModelsUnavailable>
}>()("web-grounding/application/ports/ReadModels") {}

/**
 * Rows as a standby has them, behind the store by a bounded time. For answers alone: what decides
 * or writes asks `ReadModels`. Absent: there is no standby.
 */
export class StandbyRows extends Context.Service<
  StandbyRows,
  Pick<ReadModels["Service"], "range" | "listing">
>()("web-grounding/application/ports/ReadModels/StandbyRows") {}
