/** SQL of the read models' tables. Consumers are named `model@version`. */
import type { Schema } from "effect"
import { sql } from "kysely"
import type {
  DeadLetter,
  KeyRange,
  Lease,
  Listing,
  ReadModelId
} from "../../../application/ports/ReadModels.ts"

const tenant = "_service"

/** Consumer name of a read model in `wg.checkpoints`. */
export const idOf = ({ model, version }: ReadModelId): string => `${model}@${version}`

const until = (ms: number) => sql`now() + ${`${ms} milliseconds`}::interval`

export type LeaseCall = Pick<Lease, "id" | "owner">

export interface LeaseRow {
  readonly consumer_id: string
  readonly position: string
  readonly lease_owner: string
  readonly lease_token: string
  readonly state: "running" | "rebuilding"
}

/** Takes each lease that its caller already has, or that is free. */
export const take = (calls: ReadonlyArray<LeaseCall>, leaseMs: number) =>
  sql<LeaseRow>`
    with free as (
      select consumer_id, given.owner from wg.checkpoints
          join unnest(${calls.map(({ id }) => idOf(id))}::text[],
            ${calls.map(({ owner }) => owner)}::text[]) as given (consumer_id, owner)
            using (consumer_id)
        where state in ('running', 'rebuilding')
          and (lease_owner is null or lease_owner = given.owner or lease_until < now())
        order by consumer_id for update of checkpoints)
    update wg.checkpoints as own set
        lease_token = own.lease_token + (own.lease_owner is distinct from free.owner)::int,
        lease_owner = free.owner, lease_until = ${until(leaseMs)}
      from free where own.consumer_id = free.consumer_id
      returning own.consumer_id, own.position, own.lease_owner, own.lease_token, own.state`

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

/** Move of one checkpoint from its lease's position. Numbers are decimal digits. */
type Advance = Readonly<Record<"consumer" | "owner" | "token" | "position" | "to", string>>

/** Moves the checkpoints that match their leases, and returns those. */
export const advance = (all: ReadonlyArray<Advance>, leaseMs: number) =>
  sql<{ readonly consumer_id: string }>`
    update wg.checkpoints as own set position = given.to_position,
        lease_until = ${until(leaseMs)}, last_error = null, updated_at = now()
      from unnest(${all.map(({ consumer }) => consumer)}::text[],
          ${all.map(({ owner }) => owner)}::text[], ${all.map(({ token }) => token)}::bigint[],
          ${all.map(({ position }) => position)}::bigint[], ${all.map(({ to }) => to)}::bigint[])
        as given (consumer_id, owner, token, position, to_position)
      where own.consumer_id = given.consumer_id and own.position = given.position
        and own.lease_owner = given.owner and own.lease_token = given.token
        and own.state in ('running', 'rebuilding')
      returning own.consumer_id`

/** Until the transaction ends: its owner's next page waits. A retired version is not found. */
export const rest = (consumer: string) =>
  sql<{ readonly position: string }>`
    select position from wg.checkpoints
      where consumer_id = ${consumer} and state in ('running', 'rebuilding') for update`

export interface RowKey extends ReadModelId {
  readonly key: string
}

export interface LoadedRow {
  readonly model: string
  readonly model_version: number
  readonly key: string
  readonly row: Schema.Json
}

export const idOfRow = ({ model, model_version }: LoadedRow): string =>
  idOf({ model, version: model_version })

const given = (keys: ReadonlyArray<RowKey>) =>
  sql`unnest(${keys.map(({ model }) => model)}::text[],
      ${keys.map(({ version }) => version)}::int[], ${keys.map(({ key }) => key)}::text[])
    as given (model, model_version, key)`

const isGiven = sql`own.model = given.model and own.model_version = given.model_version
  and own.tenant_id = ${tenant} and own.key = given.key`

export const load = (keys: ReadonlyArray<RowKey>) =>
  sql<LoadedRow>`
    select own.model, own.model_version, own.key, own.row
      from ${given(keys)} join wg.read_models as own on ${isGiven}`

export interface ChangedRow extends RowKey {
  /** `undefined`: the row is deleted. */
  readonly row: Schema.Json | undefined
  /** Decimal digits. */
  readonly position: string
}

export const upsert = (rows: ReadonlyArray<ChangedRow>) =>
  sql`
    insert into wg.read_models (model, model_version, tenant_id, key, row, position)
      select model, version, ${tenant}, key, row, position
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as given (model text, version int, key text, row jsonb, position bigint)
      on conflict (model, model_version, tenant_id, key) do update
        set row = excluded.row, position = excluded.position`

export const remove = (rows: ReadonlyArray<RowKey>) =>
  sql`delete from wg.read_models as own using ${given(rows)} where ${isGiven}`

export const setAside = (consumer: string, { attempts, error, position }: DeadLetter) =>
  sql`
    insert into wg.dead_letters (consumer_id, position, attempts, error)
      values (${consumer}, ${String(position)}, ${attempts}, ${error})
      on conflict (consumer_id, position) do update
        set attempts = excluded.attempts, error = excluded.error, parked_at = now()`

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

/** Its lease token increases, so that later commits of its last owner have no effect. */
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

/** Reads a range in one statement, for a consistent snapshot of pointer, checkpoint and rows. */
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

/** Lists rows like `range`. Conditions follow the index's order: `0012_sorted_rows.ts`. */
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
