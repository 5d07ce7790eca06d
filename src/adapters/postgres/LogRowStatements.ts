/**
 * The statements of verification. They read rows as they stand, so they rely on no index for what
 * they answer, only for how fast: `with ties` keeps rows of one position on one page. The
 * predecessor and the stream's row are looked up behind a limit, which keeps the planner from
 * reading whole tables for a page. Neither is looked up for an event that directly follows its
 * predecessor (`follows`): it is the row before.
 */
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"

/** Events of one page. */
const eventsPageMax = 1_000
/** Places of one page: they are short. */
const placesPageMax = 5_000
/** Streams of one page. */
const streamsPageMax = 500

/** The type of what `ErasureRecord` records. */
const contentErased = "WEB_GROUNDING_CONTENT_ERASED"

const hashOf = (seal: string) => `encode(substring(${seal} from 33 for 32), 'hex')`

const eventsWhere = (name: string, where: string): Statement => ({
  name: `wg_rows_${name}`,
  text: `
    select page.*, own.tenant_id as own_tenant_id, own.session_id as own_session_id,
        own.erased_at is not null as is_erased, own.wrapped, earlier.hash as previous_hash,
        earlier.position as previous_position
      from (
        select *, (lag(stream_id) over logged = stream_id
            and lag(version) over logged = version - 1) is true as follows
          from (
            select stream_id, version, position, tenant_id, event_id, type, schema_version,
                recorded_at, data, metadata, seal,
                coalesce(pg_column_size(data), 0) + pg_column_size(metadata) as bytes
              from wg.events
              where position > $1::bigint and position <= $2::bigint ${where}
              order by position fetch first ${eventsPageMax} rows with ties
          ) rows
          window logged as (order by position, stream_id, version)
      ) page
      left join lateral (
        select tenant_id, session_id, erased_at,
            (select wrapped from wg.payload_keys as held
              where held.stream_id = streams.stream_id) as wrapped
          from wg.streams
          where streams.stream_id = page.stream_id and not page.follows limit 1
      ) own on true
      left join lateral (
        select ${hashOf("seal")} as hash, position from wg.events
          where events.stream_id = page.stream_id and events.version = page.version - 1
            and not page.follows
          order by position limit 1
      ) earlier on true
      order by page.position, page.stream_id, page.version`
})

export const allEvents = eventsWhere("all", "")

/** Parameter 3: the tenant. */
export const tenantEvents = eventsWhere(
  "tenant",
  `and (tenant_id = $3 or exists (select from wg.streams
    where streams.stream_id = events.stream_id and streams.tenant_id = $3))`
)

/** Parameters 3 and 4: tenant and session. */
export const sessionEvents = eventsWhere(
  "session",
  `and stream_id = (select stream_id from wg.streams where tenant_id = $3 and session_id = $4)`
)

export const places: Statement = {
  name: "wg_row_places",
  text: `
    select position, tenant_id, ${hashOf("seal")} as hash,
        (select session_id from wg.streams where streams.stream_id = events.stream_id)
          as session_id
      from wg.events where position > $1::bigint and position <= $2::bigint
      order by position fetch first ${placesPageMax} rows with ties`
}

const streamsWhere = (name: string, where: string): Statement => ({
  name: `wg_stream_rows_${name}`,
  text: `
    select page.*, counted.*, newest.position as last_position, newest.hash as last_hash,
        (select recorded_at from wg.events
          where events.stream_id = page.stream_id and events.version = 1 limit 1)
          as first_recorded_at,
        case when counted.events > counted.versions then (
          select array[version, max(position)]::text[] from wg.events
            where events.stream_id = page.stream_id
            group by version having count(*) > 1 order by version limit 1
        ) end as repeated
      from (
        select stream_id, tenant_id, session_id, version, encode(head_hash, 'hex') as head_hash,
            created_at
          from wg.streams where stream_id > $1::uuid ${where}
          order by stream_id limit ${streamsPageMax}
      ) page
      cross join lateral (
        select count(*)::int as events, count(distinct version)::int as versions,
            max(version) as last_version
          from wg.events where events.stream_id = page.stream_id
      ) counted
      left join lateral (
        select position, ${hashOf("seal")} as hash from wg.events
          where events.stream_id = page.stream_id and events.version = counted.last_version
          order by position limit 1
      ) newest on true
      order by page.stream_id`
})

export const allStreams = streamsWhere("all", "")

/** Sessions whose erasure the log records and whose row says that they are not erased. */
const resurrectedWhere = (name: string, where: string): Statement => ({
  name: `wg_resurrected_${name}`,
  text: `
    select own.stream_id, own.tenant_id, own.session_id, min(fact.position) as position
      from wg.streams record
        join wg.events fact on fact.stream_id = record.stream_id and fact.type = '${contentErased}'
        join wg.streams own on own.tenant_id = fact.data ->> 'tenant_id'
          and own.session_id = fact.data ->> 'session_id'
      where record.tenant_id like '\\_erasure/%' and own.erased_at is null ${where}
      group by own.stream_id, own.tenant_id, own.session_id
      order by own.stream_id`
})

export const allResurrected = resurrectedWhere("all", "")

/** Parameter 1: the tenant. */
export const tenantResurrected = resurrectedWhere("tenant", "and own.tenant_id = $1")

/** Parameters 1 and 2: tenant and session. */
export const sessionResurrected = resurrectedWhere(
  "session",
  "and own.tenant_id = $1 and own.session_id = $2"
)

/** Parameter 2: the tenant. */
export const tenantStreams = streamsWhere("tenant", "and tenant_id = $2")

/** Parameters 2 and 3: tenant and session. */
export const sessionStreams = streamsWhere("session", "and tenant_id = $2 and session_id = $3")
