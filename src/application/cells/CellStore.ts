/**
 * The database of a cell, as a move of a tenant sees it. Rows pass through as JSON text that nobody
 * parses on the way, so that they arrive as they were.
 *
 * Every method may be repeated: what was done is not done twice.
 */
import { type Effect, Schema } from "effect"
import type { CellName } from "../../domain/cells/CellTable.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"

/**
 * State of a tenant's move. In the cell that it leaves:
 *
 * - `leaving`: the tenant's writes are refused, and it is copied.
 * - `switching`: the copy is verified; the move can only go on.
 * - `left`: another cell serves the tenant; the old copy is still here.
 * - `erased`: as `left`, and the content of the old copy is gone.
 *
 * In the cell that it comes to:
 *
 * - `arriving`: the tenant is copied to here, and not served.
 * - `arrived`: the tenant is served here.
 */
export const MoveState = Schema.Literals([
  "leaving",
  "switching",
  "left",
  "erased",
  "arriving",
  "arrived"
])
export type MoveState = typeof MoveState.Type

/** A tenant's move as one of its two cells has noted it. */
export interface TenantMove {
  readonly tenantId: string
  readonly state: MoveState
  /** Cell that it goes to or came from. */
  readonly cell: CellName
}

/** Events of a tenant in log order, with the rows of their streams. */
export interface LogPage {
  /** Position in the log of the source that the page begins after, and one that it ends with. */
  readonly after: bigint
  readonly until: bigint
  readonly eventsCount: number
  /** JSON arrays of rows. */
  readonly events: string
  readonly streams: string
  readonly keys: ReadonlyArray<WrappedKey>
}

/** Data key of a stream, wrapped under a key of the cell that it comes from. */
export interface WrappedKey {
  readonly streamId: string
  readonly tenantId: string
  readonly wrapped: string
}

/** A tenant closed for a move, by one run of it. */
export interface Closing {
  /** Position that lies behind all events of the tenant. */
  readonly end: bigint
  /** Time of the closing, as the database writes it: another run's is another one. */
  readonly closedAt: string
}

/** Whether a stream is erased or held. */
export interface StreamState {
  readonly streamId: string
  /** Time as the database writes it; absent: it is not erased. */
  readonly erasedAt: string | undefined
  readonly held: boolean
}

/** Rows beside the log that move with a tenant, in the order in which they are copied. */
export const keptTables = [
  "evidence_entries",
  "evidence_models",
  "evidence_vectors",
  "query_cache",
  "pack_cache",
  "pages_to_collect",
  "tenant_use"
] as const
export type KeptTable = typeof keptTables[number]

/** Rows of one table, a JSON array, and where the next page begins; absent: it was the last. */
export interface KeptPage {
  readonly rows: string
  readonly count: number
  readonly next: ReadonlyArray<string> | undefined
}

/** Figures that both sides must agree on before the other cell serves the tenant. */
export interface TenantSummary {
  readonly streams: number
  /** Sum of the streams' versions. */
  readonly events: number
  /** SHA-256 over each stream's ids, version, head, hold and time of erasure. */
  readonly digest: string
  /** Rows of each of `keptTables`. */
  readonly kept: Readonly<Record<KeptTable, number>>
}

/** The cell has streams of the tenant that no move brought. */
export class TenantPresent extends Schema.TaggedError<TenantPresent>()("TenantPresent", {
  tenant_id: Schema.String
}) {
  override get message(): string {
    return `The database holds streams of the tenant ${this.tenant_id} already`
  }
}

/** A key that the payloads need is not given, or the other cell has none. */
export class CellKeyMissing extends Schema.TaggedError<CellKeyMissing>()("CellKeyMissing", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The payloads cannot be moved: ${this.problem}`
  }
}

/** Another run of the same move is under way, or appends do not end. */
export class MoveBlocked extends Schema.TaggedError<MoveBlocked>()("MoveBlocked", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The move cannot go on: ${this.problem}. Run it again`
  }
}

type Answer<A, E = never> = Effect.Effect<A, E | EventStoreUnavailable>

/**
 * Steps of a move in one cell's database, for the cell that a tenant leaves and the one it comes
 * to.
 */
export interface CellStore {
  /** Every move of this cell. */
  readonly moves: Answer<ReadonlyArray<TenantMove>>
  /** Notes that a tenant comes, and closes it. Answers up to where its log was copied. */
  readonly expect: (tenantId: string, from: CellName) => Answer<bigint, TenantPresent>
  /** Position up to which the log is settled: nothing can appear before it. */
  readonly settled: Answer<bigint>
  /**
   * Refuses appends of the tenant from now on, and answers when those under way are done.
   */
  readonly close: (tenantId: string, to: CellName) => Answer<Closing, MoveBlocked>
  /** Takes back a `close` before `commit`: the tenant is served here as before. */
  readonly reopen: (tenantId: string) => Answer<void>
  readonly logPage: (tenantId: string, after: bigint, until: bigint) => Answer<LogPage>
  readonly receiveLog: (
    tenantId: string,
    page: LogPage
  ) => Answer<void, CellKeyMissing | MoveBlocked>
  /** Streams that are erased or held. */
  readonly states: (tenantId: string) => Answer<ReadonlyArray<StreamState>>
  readonly setState: (state: StreamState) => Answer<void>
  readonly keptPage: (
    tenantId: string,
    table: KeptTable,
    after: ReadonlyArray<string> | undefined
  ) => Answer<KeptPage>
  readonly receiveKept: (table: KeptTable, rows: string) => Answer<void>
  /** Removes the tenant's rows of `keptTables` and of the read models. */
  readonly removeKept: (tenantId: string) => Answer<void>
  readonly summary: (tenantId: string) => Answer<TenantSummary>
  /**
   * Lets the move only go on. Refused where the tenant is not closed any more, or was closed anew
   * since: what it wrote in between is not in the copy of this run.
   */
  readonly commit: (tenantId: string, closing: Closing) => Answer<void, MoveBlocked>
  /** Says, after `commit`, that the other cell serves the tenant. */
  readonly leave: (tenantId: string) => Answer<void>
  /** Serves a tenant that arrived. */
  readonly open: (tenantId: string) => Answer<void>
  /** Erases the content of a tenant that left. Answers how many streams a legal hold kept. */
  readonly eraseLeft: (tenantId: string) => Answer<number>
}
