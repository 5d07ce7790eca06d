/**
 * Group commit: under load, appends to different streams share one statement and one commit. What
 * waits goes together as soon as no statement is under way, or all that are take long: so a lock on
 * one stream keeps its own group waiting. One or two appends take the statements of
 * `AppendStatement`, side by side.
 *
 * Each append stands or falls by the head of its own stream, as if it was alone. When the statement
 * of a group fails, it is rolled back for all, and each append is tried alone.
 */
import { Array as Arr, Effect, Exit } from "effect"
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import { Postgres, PostgresError, type Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"
import * as AppendStatement from "./AppendStatement.ts"
import * as Gathered from "./grouped/Gathered.ts"

/** Maximum number of appends of one group. */
const callsMax = 64

/** Maximum number of statements at the same time. */
const groupsMax = 8

/** Time after which a statement keeps nobody waiting any more: that of a slow disk's commit. */
const lateAfterMs = 10

/** Number of appends from which one statement for all costs less than one for each. */
const groupedFrom = 3

export interface Append extends AppendStatement.AppendOptions {
  readonly head: StreamHead
  readonly sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>
  /** Time until when it is tried again, in milliseconds since the epoch. */
  readonly untilMs: number
}

export interface PositionRow {
  /** Decimal digits. */
  readonly position: string
}

interface GroupRow extends PositionRow {
  readonly stream_id: string
}

type Rows = ReadonlyArray<PositionRow>

/** Answers with a row an event, in order; with none where the stream is no longer at that head. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres

  /** Appends by a statement of its own. Sent twice it lands once: the caller finds it there. */
  const alone = ({ head, sealed, untilMs, ...options }: Append) =>
    postgres.prepared<PositionRow>(...AppendStatement.appendStatement(head, sealed, options)).pipe(
      Retry.retryUntil(untilMs, "idempotent"),
      Effect.exit
    )

  const group = (appends: ReadonlyArray<Append>) =>
    Effect.map(
      postgres.prepared<GroupRow>(appendGroup, [AppendStatement.groupOf(appends)]),
      (rows) => {
        const byStream = Map.groupBy(rows, ({ stream_id }) => stream_id)
        return appends.map(({ head: { streamId } }): Rows => byStream.get(streamId) ?? [])
      }
    )

  return yield* Gathered.make<Append, Rows, PostgresError>({
    callsMax,
    groupsMax,
    lateAfterMs,
    expiry: { untilMs: ({ untilMs }) => untilMs, failure: neverSent },
    run: Effect.fnUntraced(function*(appends) {
      if (appends.length < groupedFrom) {
        return yield* Effect.forEach(appends, alone, { concurrency: callsMax })
      }
      const ofOwn = Arr.dedupeWith(appends, isSameStream)
      const exit = yield* Effect.exit(group(ofOwn))
      const written = new Map(
        Exit.isSuccess(exit) ? Arr.zip(ofOwn, exit.value.map((rows) => Exit.succeed(rows))) : []
      )
      return yield* Effect.forEach(appends, (append) => {
        const done = written.get(append)
        return done === undefined ? alone(append) : Effect.succeed(done)
      }, { concurrency: callsMax })
    })
  })
})

const neverSent = new PostgresError({
  fault: "connection",
  may_have_run: false,
  cause: "as many appends as may be are under way, and none of them ends"
})

const isSameStream = ({ head: { ref: one } }: Append, { head: { ref: other } }: Append): boolean =>
  one.tenant_id === other.tenant_id && one.session_id === other.session_id

/** Appends as the statements of `LogStatements` do, to the streams of one JSON parameter. */
const appendGroup: Statement = {
  name: "wg_append_group",
  text: `
    with given as materialized (
      select * from jsonb_to_recordset($1::jsonb) as given (
        ordinal int, stream uuid, version int, count int, next text, before text, at timestamptz,
        tenant text, session text, wrapped text, events jsonb)
    ),
    started as (
      insert into wg.streams (stream_id, version, head_hash, created_at, tenant_id, session_id)
        select stream, count, decode(next, 'hex'), at, tenant, session
          from given where version = 0 order by tenant, session
        on conflict do nothing returning stream_id
    ),
    continued as (
      update wg.streams as own set version = given.version + given.count,
          head_hash = decode(given.next, 'hex')
        from given
        where given.version > 0 and own.stream_id = given.stream and own.version = given.version
          and own.head_hash = decode(given.before, 'hex') and own.tenant_id = given.tenant
          and own.session_id = given.session and own.erased_at is null
        returning given.*
    ),
    head as (
      select given.* from started join given on given.stream = started.stream_id
      union all select * from continued
    ),
    keyed as (
      insert into wg.payload_keys (stream_id, wrapped)
        select stream, wrapped from head where wrapped is not null
    ),
    inserted as (
      insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
          schema_version, data, metadata, seal)
        select head.stream, head.version + event.ordinal, head.tenant, head.at, event.id,
            event.type, event.shape, event.data, event.metadata, decode(event.seal, 'hex')
          from head cross join lateral jsonb_to_recordset(head.events) as event (
              ordinal int, id uuid, type text, shape int2, data jsonb, metadata jsonb, seal text)
          order by head.ordinal, event.ordinal
        returning stream_id, version, position
    )
    select stream_id, position from inserted order by stream_id, version`
}
