/** The statements of the read models' tables. Consumers are named `model@version`. */
import type { Schema } from "effect"
import { sql } from "kysely"
import type { KeyRange, Lease, Listing, ReadModelId } from "../../application/ports/ReadModels.ts"

/** Rows belong to the deployment. */
const tenant = "_service"

export interface TakenRow {
  readonly position: string
  readonly lease_token: string
  readonly state: "running" | "rebuilding"
}

const until = (ms: number) => sql`now() + ${`${ms} milliseconds`}::interval`

/** The owner's own again, or one that nobody holds any more. */
export const take = (consumer: string, owner: string, leaseMs: number) =>
  sql<TakenRow>`
    update wg.checkpoints set
        lease_token = lease_token + (lease_owner is distinct from ${owner})::int,
        lease_owner = ${owner}, lease_until = ${until(leaseMs)}
      where consumer_id = ${consumer} and state in ('running', 'rebuilding')
        and (lease_owner is null or lease_owner = ${owner} or lease_until < now())
      returning position, lease_token, state`

export const register = (consumer: string, { model, version }: ReadModelId) =>
  sql`
    insert into wg.checkpoints (consumer_id, state)
      select ${consumer}, case
          when model_version = ${version} then 'running'
          when model_version < ${version} then 'rebuilding'
          else 'retired'
        end
      from wg.live_models where model = ${model}
      on conflict do nothing`

export const advance = (consumer: string, lease: Lease, to: bigint, leaseMs: number) =>
  sql<{ readonly position: string }>`
    update wg.checkpoints set position = ${String(to)}::bigint, lease_until = ${until(leaseMs)},
        last_error = null, updated_at = now()
      where consumer_id = ${consumer} and position = ${String(lease.position)}::bigint
        and lease_owner = ${lease.owner} and lease_token = ${lease.token}::bigint
        and state in ('running', 'rebuilding')
      returning position`

/** Keeps its owner's next page waiting. A version that may not be written is not found. */
export const rest = (consumer: string) =>
  sql<{ readonly position: string }>`
    select position from wg.checkpoints
      where consumer_id = ${consumer} and state in ('running', 'rebuilding') for update`

export const load = (model: string, version: number, keys: ReadonlyArray<string>) =>
  sql<{ readonly key: string; readonly row: Schema.Json }>`
    select key, row from wg.read_models
      where model = ${model} and model_version = ${version} and tenant_id = ${tenant}
        and key = any(${keys}::text[])`

/** Many rows, one parameter. */
export const upsert = (
  model: string,
  version: number,
  rows: ReadonlyArray<{ readonly key: string; readonly row: Schema.Json }>,
  position: bigint
) =>
  sql`
    insert into wg.read_models (model, model_version, tenant_id, key, row, position)
      select ${model}, ${version}::int, ${tenant}, key, row, ${String(position)}::bigint
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (key text, row jsonb)
      on conflict (model, model_version, tenant_id, key) do update
        set row = excluded.row, position = excluded.position`

export const remove = (model: string, version: number, keys: ReadonlyArray<string>) =>
  sql`
    delete from wg.read_models
      where model = ${model} and model_version = ${version} and tenant_id = ${tenant}
        and key = any(${keys}::text[])`

export const live = (model: string) =>
  sql<{ readonly model_version: number }>`
    select model_version from wg.live_models where model = ${model} for update`

export const lockBoth = (one: string, other: string) =>
  sql<{
    readonly consumer_id: string
    readonly position: string
    readonly state: string
    readonly lease_owner: string | null
    readonly lease_token: string
  }>`
    select consumer_id, position, state, lease_owner, lease_token from wg.checkpoints
      where consumer_id in (${one}, ${other}) order by consumer_id for update`

/** A grown token: what its last owner still commits changes nothing. */
export const retire = (consumer: string) =>
  sql`
    update wg.checkpoints set state = 'retired', lease_owner = null, lease_until = null,
        lease_token = lease_token + 1, updated_at = now()
      where consumer_id = ${consumer}`

export const show = ({ model, version }: ReadModelId) =>
  sql`update wg.live_models set model_version = ${version} where model = ${model}`

export const run = (consumer: string) =>
  sql`update wg.checkpoints set state = 'running' where consumer_id = ${consumer}`

export const drop = ({ model, version }: ReadModelId) =>
  sql`delete from wg.read_models where model = ${model} and model_version = ${version}`

export const halt = (consumer: string, lease: Lease, error: string) =>
  sql<{ readonly position: string }>`
    update wg.checkpoints set state = 'halted', last_error = ${error}, lease_owner = null,
        lease_until = null, updated_at = now()
      where consumer_id = ${consumer} and lease_owner = ${lease.owner}
        and lease_token = ${lease.token}::bigint
      returning position`

export const release = (consumer: string, lease: Lease) =>
  sql`
    update wg.checkpoints set lease_owner = null, lease_until = null
      where consumer_id = ${consumer} and lease_owner = ${lease.owner}
        and lease_token = ${lease.token}::bigint`

export interface ReadRow {
  readonly model_version: number
  readonly position: string
  readonly key: string | null
  readonly row: Schema.Json | null
}

/** Reads a range in one statement, so that pointer, checkpoint and rows are of one moment. */
export const range = ({ from, limit, model, until }: KeyRange) =>
  sql<ReadRow>`
    select live.model_version, checkpoint.position, own.key, own.row
      from wg.live_models as live
      join wg.checkpoints as checkpoint
        on checkpoint.consumer_id = live.model || '@' || live.model_version
      left join wg.read_models as own
        on own.model = live.model and own.model_version = live.model_version
          and own.tenant_id = ${tenant} and own.key >= ${from} and own.key < ${until}
      where live.model = ${model}
      order by own.key limit ${limit}`

/**
 * Lists rows like `range`. What is asked of a row stands in the order of the index:
 * `0012_sorted_rows.ts`.
 */
export const listing = ({ flag, from, limit, model, until, words }: Listing) =>
  sql<ReadRow>`
    select live.model_version, checkpoint.position, own.key, own.row
      from wg.live_models as live
      join wg.checkpoints as checkpoint
        on checkpoint.consumer_id = live.model || '@' || live.model_version
      left join lateral (
        select key, row, (row ->> 'sort_key') collate "C" as sort_key from wg.read_models
          where model = live.model and model_version = live.model_version
            and tenant_id = ${tenant} and row ? 'sort_key'
            and (row ->> 'sort_key') collate "C" >= ${from}
            and (row ->> 'sort_key') collate "C" < ${until}
            ${flag === undefined ? sql`` : sql`and row -> 'flags' ? ${flag}`}
            ${words === undefined ? sql`` : sql`and position(${words} in row ->> 'words') > 0`}
          order by (row ->> 'sort_key') collate "C" desc limit ${limit}
      ) as own on true
      where live.model = ${model}
      order by own.sort_key desc`

export interface CheckpointRow {
  readonly consumer_id: string
  readonly position: string
  readonly state: "running" | "rebuilding" | "halted" | "retired"
  readonly lease_owner: string | null
  readonly last_error: string | null
  readonly parked: number
}

export const checkpoints = sql<CheckpointRow>`
  select consumer_id, position, state, lease_owner, last_error,
      (select count(*)::int from wg.dead_letters as letter
        where letter.consumer_id = checkpoint.consumer_id) as parked
    from wg.checkpoints as checkpoint order by consumer_id`
