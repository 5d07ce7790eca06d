/** SQL that reads the event log, prepared once for each connection, and retries of statements. */
import { Clock, Effect } from "effect"
import { retryUntilMs } from "../../application/log/CommandHandler.ts"
import type { PostgresError, Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"

export const pageEventsMax = 1_000

const wrappedOf = (table: string) =>
  `select wrapped from wg.payload_keys as own where own.stream_id = ${table}.stream_id`

export const readKey: Statement = {
  name: "wg_read_key",
  text: "select wrapped from wg.payload_keys where stream_id = $1::uuid"
}

const columns = "stream_id, version, position, event_id, type, schema_version, recorded_at, " +
  "data, metadata, seal"

/**
 * A stream's head as version 0, then its events, in one statement for a consistent snapshot. The
 * head's row holds version and hash in `position` and `seal`, the wrapped data key in `type`, and
 * the time of erasure in `recorded_at`. Both branches read a CTE, which keeps their order.
 */
export const readStream: Statement = {
  name: "wg_read_stream",
  text: `
    with head as materialized (
      select stream_id, version, head_hash, erased_at from wg.streams
        where tenant_id = $1 and session_id = $2
    )
    select stream_id, 0 as version, version::bigint as position, null::uuid as event_id,
        (${wrappedOf("head")}) as type, null::int2 as schema_version, erased_at as recorded_at,
        null::jsonb as data, null::jsonb as metadata, head_hash as seal
      from head
    union all (
      select ${columns} from wg.events
        where stream_id = (select stream_id from head) and version > $3::int
        order by version limit $4::bigint
    )`
}

/** The reader cuts at the watermark: a bound here would sort unanalysed tables whole. */
export const readPage: Statement = {
  name: "wg_read_page",
  text: `
    select ${columns}, tenant_id,
        (select session_id from wg.streams as own where own.stream_id = events.stream_id)
          as session_id,
        case when octet_length(seal) = 64 then (${wrappedOf("events")}) end as wrapped
      from wg.events
      where position > $1::bigint order by position limit ${pageEventsMax}`
}

export const countAfter: Statement = {
  name: "wg_count_after",
  text: `
    select count(*)::int as count,
        (array_agg(recorded_at order by position))[1] as oldest_at
      from (
        select position, recorded_at from wg.events
          where position > $1::bigint order by position limit $2::bigint
      ) waiting`
}

export const readWatermark: Statement = {
  name: "wg_read_watermark",
  text: "select settled, holders, pg_is_in_recovery() as is_standby from wg.watermark()"
}

export const readState: Statement = {
  name: "wg_read_state",
  text: `
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
        coalesce((select array_agg(name) from wg.migrations), '{}') as migrations`
}

export const listStreams: Statement = {
  name: "wg_list_streams",
  text: `
    select jsonb_build_object('tenant_id', tenant_id, 'session_id', session_id) as ref,
        stream_id as "streamId", version, head_hash as hash, created_at as "createdAt"
      from wg.streams where tenant_id = $1
        and stream_id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by stream_id desc limit $2`
}

// Retries after lost connections, bounded by the caller's `RetryUntil`.

/** Longest wait for a dispensable statement, such as one for a cache entry, in milliseconds. */
const dispensableMsMax = 1_000

type RepeatedStatement<A, R> = Effect.Effect<A, PostgresError, R>

/** Retries a statement whose repetition has no further effect. */
export const idempotent = <A, R>(statement: RepeatedStatement<A, R>): RepeatedStatement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.retryUntil(untilMs, "idempotent")(statement))

/** Retries a non-idempotent statement, only if nothing was sent. */
export const once = <A, R>(statement: RepeatedStatement<A, R>): RepeatedStatement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.retryUntil(untilMs, "unsent")(statement))

/** Retries an idempotent statement whose result its caller can do without. */
export const dispensable = <A, R>(statement: RepeatedStatement<A, R>): RepeatedStatement<A, R> =>
  Effect.gen(function*() {
    const soonMs = (yield* Clock.currentTimeMillis) + dispensableMsMax
    const untilMs = Math.min(soonMs, yield* retryUntilMs)
    return yield* Retry.retryUntil(untilMs, "idempotent")(statement)
  })
