/**
 * Statements that move a tenant between databases. Rows travel as JSON, which the server writes and
 * reads: numbers, times and bytes come out as they went in.
 */
import type { KeptTable } from "../../../application/cells/CellStore.ts"
import type { Statement } from "../../../infrastructure/postgres/Postgres.ts"

/** Events of one page. */
export const pageEventsMax = 500
/** Positions that a page looks through at most: other tenants' events lie between. */
export const pagePositionsMax = 200_000
/** Rows of one page of a table beside the log. */
const pageRowsMax = 500

const eventColumns = "position, stream_id, version, tenant_id, event_id, type, schema_version, " +
  "recorded_at, data, metadata, seal"

const eventTypes = "position bigint, stream_id uuid, version int, tenant_id text, event_id uuid, " +
  "type text, schema_version int2, recorded_at timestamptz, data jsonb, metadata jsonb, seal bytea"

/** Parameters: after, until, tenants as a JSON array. */
export const logPage: Statement = {
  name: "wg_move_log_page",
  text: `
    with page as materialized (
      select ${eventColumns} from wg.events
        where position > $1::bigint and position <= $2::bigint
          and tenant_id in (select jsonb_array_elements_text($3::jsonb))
        order by position limit ${pageEventsMax}
    )
    select count(*)::int as count, max(position) as last,
        coalesce(json_agg(page order by position), '[]')::text as events,
        (select coalesce(json_agg(own), '[]')::text from wg.streams own
          where own.stream_id in (select stream_id from page)) as streams,
        (select coalesce(json_agg(json_build_object('streamId', own.stream_id,
              'tenantId', own.tenant_id, 'wrapped', wrapped)), '[]')
          from wg.payload_keys join wg.streams own using (stream_id)
          where own.stream_id in (select stream_id from page)) as keys
      from page`
}

/** Parameter: events as `logPage` has them. Positions are drawn anew, in the same order. */
export const receiveEvents: Statement = {
  name: "wg_move_receive_events",
  text: `
    insert into wg.events (stream_id, version, tenant_id, event_id, type, schema_version,
        recorded_at, data, metadata, seal)
      select stream_id, version, tenant_id, event_id, type, schema_version, recorded_at, data,
          metadata, seal
        from json_to_recordset($1::json) as given (${eventTypes}) order by position`
}

/** Parameter: streams as `logPage` has them. Heads are those of the newest event that is here. */
export const receiveStreams: Statement = {
  name: "wg_move_receive_streams",
  text: `
    insert into wg.streams as own (stream_id, tenant_id, session_id, version, head_hash,
        created_at, legal_hold, erased_at)
      select given.stream_id, given.tenant_id, given.session_id, newest.version, newest.hash,
          given.created_at, given.legal_hold, given.erased_at
        from json_to_recordset($1::json) as given (stream_id uuid, tenant_id text,
            session_id text, created_at timestamptz, legal_hold boolean, erased_at timestamptz)
          cross join lateral (
            select version, substring(seal from 33 for 32) as hash from wg.events
              where events.stream_id = given.stream_id order by version desc limit 1
          ) newest
        order by given.stream_id
      on conflict (stream_id) do update
        set version = excluded.version, head_hash = excluded.head_hash`
}

/** Parameter: wrapped keys as a JSON array. */
export const receiveKeys: Statement = {
  name: "wg_move_receive_keys",
  text: `
    insert into wg.payload_keys (stream_id, wrapped)
      select given."streamId", given.wrapped
        from jsonb_to_recordset($1::jsonb) as given ("streamId" uuid, wrapped text)
      on conflict do nothing`
}

/** Keys by which the rows of a tenant are paged, with their types; none: it has one row. */
const keysOf: Readonly<Record<KeptTable, ReadonlyArray<readonly [string, string]>>> = {
  evidence_entries: [["entry_id", "text"]],
  evidence_models: [],
  evidence_vectors: [["model", "text"], ["dimensions", "int"], ["entry_id", "text"]],
  query_cache: [["key", "text"]],
  pack_cache: [["key", "text"]],
  pages_to_collect: [["source_key", "text"]],
  tenant_use: []
}

/**
 * Parameters: the tenant, then the keys of the row before, where there is one. No table has a
 * column of the name of the rows, which would be taken for them.
 */
export const keptPage = (table: KeptTable, begins: "first" | "after"): Statement => {
  const keys = keysOf[table]
  const names = keys.map(([name]) => name)
  const given = keys.map(([, type], index) => `$${index + 2}::${type}`)
  const after = begins === "after" ? `and (${names.join(", ")}) > (${given.join(", ")})` : ""
  const order = names.length === 0 ? "" : `order by ${names.join(", ")} limit ${pageRowsMax}`
  const last = names.length === 0
    ? "null::json"
    : `(select json_build_array(${names.map((name) => `${name}::text`).join(", ")}) from moved_rows
        order by ${names.map((name) => `${name} desc`).join(", ")} limit 1)`
  return {
    name: `wg_move_kept_${table}_${begins}`,
    text: `
      with moved_rows as materialized (
        select * from wg.${table} where tenant_id = $1 ${after} ${order}
      )
      select count(*)::int as count, coalesce(json_agg(moved_rows), '[]')::text as rows,
          case when count(*) = ${pageRowsMax} then ${last} end as next
        from moved_rows`
  }
}

/** Condition under which vectors are taken: the database can keep them. */
const vectorsKept = `where exists (select from pg_attribute
  where attrelid = 'wg.evidence_vectors'::regclass and attname = 'embedding')`

export const receiveKept = (table: KeptTable): Statement => ({
  name: `wg_move_receive_${table}`,
  text: `
    insert into wg.${table} select * from json_populate_recordset(null::wg.${table}, $1::json)
      ${table === "evidence_vectors" ? vectorsKept : ""}
      on conflict do nothing`
})

/**
 * Counts streams and events, with a SHA-256 digest of the streams' rows, to compare a copy.
 * Parameter: tenants as a JSON array.
 */
export const summary: Statement = {
  name: "wg_move_summary",
  text: `
    select count(*)::int as streams, coalesce(sum(version), 0)::int as events,
        encode(sha256(convert_to(coalesce(string_agg(
          json_build_array(stream_id, tenant_id, session_id, version, encode(head_hash, 'hex'),
            created_at, legal_hold, erased_at)::text, e'\\n' order by stream_id), ''), 'UTF8')),
          'hex') as digest
      from wg.streams where tenant_id in (select jsonb_array_elements_text($1::jsonb))`
}

/** Parameter: tenants as a JSON array. Times with all their digits. */
export const states: Statement = {
  name: "wg_move_states",
  text: `
    select stream_id, erased_at::text as erased_at, legal_hold from wg.streams
      where (legal_hold or erased_at is not null)
        and tenant_id in (select jsonb_array_elements_text($1::jsonb))
      order by stream_id`
}
