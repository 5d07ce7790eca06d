/**
 * The statements that append to many streams at once, prepared once a connection. Those that start
 * streams and those that go on are two, as each checks its heads by a trigger of its own.
 *
 * Streams come as arrays in `$1` to `$7`, their events in `$8` to `$16`, and the wrapped data keys
 * that appends bring in `$17` and `$18`. Events depend on their stream's row, each stream by
 * itself: who loses leaves none, and the others stand.
 */
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import type { Keyed } from "./LogStatements.ts"

/** Whether a group starts its streams or goes on from their heads. */
export type GroupKind = "start" | "continue"

/** Answers with a row for each event, the events of a stream in their order. */
export const groupStatement = (kind: GroupKind, keyed: Keyed): Statement => statements[kind][keyed]

/** A key that is there in the same moment is a conflict, and leaves no row. */
const started = `
      insert into wg.streams (stream_id, version, head_hash, created_at, tenant_id, session_id)
        select stream, version + count, next, at, tenant, session
          from unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::text[],
            $7::timestamptz[]) as given (stream, version, count, next, tenant, session, at)
          order by tenant, session
        on conflict do nothing returning stream_id, tenant_id`

/**
 * Both bounds say nothing that the heads do not. By them the planner expects one stream, and looks
 * each up by its key instead of reading a table that was small when it planned.
 */
const continued = `
      update wg.streams as own
        set version = given.version + given.count, head_hash = given.next
        from unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::text[],
          $7::bytea[]) as given (stream, version, count, next, tenant, session, before)
        where given.version > 0 and given.count > 0 and own.stream_id = given.stream
          and own.version = given.version and own.head_hash = given.before
          and own.tenant_id = given.tenant and own.session_id = given.session
          and own.erased_at is null
        returning own.stream_id, own.tenant_id`

const keyInserted = `
    keyed as (
      insert into wg.payload_keys (stream_id, wrapped)
        select head.stream_id, given.wrapped
          from unnest($17::uuid[], $18::text[]) as given (stream, wrapped)
          join head on head.stream_id = given.stream
    )`

const append = (kind: GroupKind, keyed: Keyed): Statement => ({
  name: `wg_${kind}_group${keyed === "with key" ? "_keyed" : ""}`,
  text: `
    with head as (${kind === "start" ? started : continued}
    )${keyed === "with key" ? `,${keyInserted}` : ""}
    insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
        schema_version, data, metadata, seal)
      select head.stream_id, event.version, head.tenant_id, event.at, event.id, event.type,
          event.shape, event.data, event.metadata, event.seal
        from unnest($8::uuid[], $9::int[], $10::timestamptz[], $11::uuid[], $12::text[],
            $13::int2[], $14::jsonb[], $15::jsonb[], $16::bytea[]) with ordinality
          as event (stream, version, at, id, type, shape, data, metadata, seal, place)
          join head on head.stream_id = event.stream
        order by event.place
      returning stream_id, position`
})

const statements: Readonly<Record<GroupKind, Readonly<Record<Keyed, Statement>>>> = {
  start: {
    "with key": append("start", "with key"),
    "without key": append("start", "without key")
  },
  continue: {
    "with key": append("continue", "with key"),
    "without key": append("continue", "without key")
  }
}
