/**
 * Row types of the tables, for Kysely.
 *
 * As parsed by the pools: `bigint` is a decimal string, `bytea` lower-case hex, `timestamptz` ISO
 * 8601.
 */
import type { ColumnType, Generated } from "kysely"

/** Read as parsed JSON, written as JSON text. */
type Json = ColumnType<unknown, string, string>

export interface StreamsTable {
  readonly stream_id: string
  readonly tenant_id: string
  readonly session_id: string
  readonly version: number
  readonly head_hash: string
  readonly created_at: string
  readonly legal_hold: Generated<boolean>
  readonly erased_at: string | null
}

/** Append-only: no column takes an update. */
export interface EventsTable {
  readonly position: Generated<string>
  readonly stream_id: string
  readonly version: number
  readonly tenant_id: string
  readonly event_id: string
  readonly type: string
  readonly schema_version: number
  readonly recorded_at: string
  readonly data: Json
  readonly metadata: Json
  readonly seal: string
}

export interface QueryCacheTable {
  readonly tenant_id: string
  readonly key: string
  readonly entry: Json
  readonly recorded_at_ms: string
}

export interface FlightsTable {
  readonly tenant_id: string
  readonly key: string
  readonly owner: string
  readonly until: string
}

export interface CreditsTable {
  readonly provider: string
  readonly key_slot: number
  readonly month: string
  readonly used: number
}

export interface CheckpointsTable {
  readonly consumer_id: string
  readonly position: Generated<string>
  readonly lease_owner: string | null
  readonly lease_token: Generated<string>
  readonly lease_until: string | null
  readonly state: Generated<"running" | "rebuilding" | "halted" | "retired">
  readonly last_error: string | null
  readonly updated_at: Generated<string>
}

export interface DeadLettersTable {
  readonly consumer_id: string
  readonly position: string
  readonly attempts: number
  readonly error: string
  readonly parked_at: Generated<string>
}

export interface ReadModelsTable {
  readonly model: string
  readonly model_version: number
  readonly tenant_id: string
  readonly key: string
  readonly row: Json
  readonly position: string
}

export interface LiveModelsTable {
  readonly model: string
  readonly model_version: number
}

/** State of the log when signed. */
export interface AnchorsTable {
  readonly tree_size: string
  readonly last_position: string
  readonly frontier: Json
  readonly envelope: Json
  readonly shipped: Generated<boolean>
  readonly recorded_at: Generated<string>
}

export interface AnchorKeysTable {
  readonly key_id: string
  readonly public_key: string
  readonly recorded_at: Generated<string>
}

/** Process that makes anchors now. */
export interface AnchorTurnTable {
  readonly one: Generated<boolean>
  readonly owner: string
  readonly until: string
}

export interface MigrationsTable {
  readonly name: string
  readonly checksum: string
  readonly applied_at: Generated<string>
}

export interface Tables {
  readonly "wg.credits": CreditsTable
  readonly "wg.flights": FlightsTable
  readonly "wg.query_cache": QueryCacheTable
  readonly "wg.streams": StreamsTable
  readonly "wg.events": EventsTable
  readonly "wg.checkpoints": CheckpointsTable
  readonly "wg.dead_letters": DeadLettersTable
  readonly "wg.read_models": ReadModelsTable
  readonly "wg.live_models": LiveModelsTable
  readonly "wg.anchors": AnchorsTable
  readonly "wg.anchor_keys": AnchorKeysTable
  readonly "wg.anchor_turn": AnchorTurnTable
  readonly "wg.migrations": MigrationsTable
}
