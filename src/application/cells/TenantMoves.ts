/** Moves of tenants to and from the cell that this process serves. */
import { Context, type Effect } from "effect"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import type { TenantMove } from "./CellStore.ts"

/** Moves that this cell takes or took part in. */
export class TenantMoves extends Context.Service<TenantMoves, {
  /** Every move that the cell's database knows of, finished ones too. */
  readonly all: Effect.Effect<ReadonlyArray<TenantMove>, EventStoreUnavailable>
}>()("web-grounding/application/cells/TenantMoves") {}
