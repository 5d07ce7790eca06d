/**
 * Reads heads of streams: those that are asked for at the same moment by one statement, as a
 * repeated request costs little more than its look at the head.
 */
import { Effect, Exit } from "effect"
import type { StreamRef } from "../../../application/ports/EventStore.ts"
import {
  Postgres,
  PostgresError,
  type Statement
} from "../../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../../infrastructure/postgres/Retry.ts"
import * as Gathered from "./Gathered.ts"

/** Maximum number of heads of one statement. */
const callsMax = 64

/** Maximum number of statements at the same time. */
const groupsMax = 4

export interface Asked {
  readonly ref: StreamRef
  /** Time until when it is tried again, in milliseconds since the epoch. */
  readonly untilMs: number
}

/** A stream's row, in the columns of `LogStatements.readStream`. */
export interface HeadRow {
  readonly stream_id: string
  /** The version, in decimal digits. */
  readonly position: string
  readonly seal: string
  /** Time of the erasure of the stream. `null`: it is there. */
  readonly recorded_at: string | null
}

interface PlacedRow extends HeadRow {
  /** Place among those asked for, from 1. In decimal digits. */
  readonly place: string
}

/** Answers with a stream's row; with none where it was never written to. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres

  const read = (refs: ReadonlyArray<StreamRef>) =>
    Effect.map(
      postgres.prepared<PlacedRow>(readHeads, [
        JSON.stringify(refs.map(({ session_id, tenant_id }) => [tenant_id, session_id]))
      ]),
      (rows) => new Map(rows.map((row) => [Number(row.place) - 1, row]))
    )

  const alone = ({ ref, untilMs }: Asked) =>
    Effect.map(read([ref]), (rows): HeadRow | undefined => rows.get(0)).pipe(
      Retry.retryUntil(untilMs, "idempotent"),
      Effect.exit
    )

  return yield* Gathered.make<Asked, HeadRow | undefined, PostgresError>({
    callsMax,
    groupsMax,
    expiry: { untilMs: ({ untilMs }) => untilMs, failure: neverSent },
    run: Effect.fnUntraced(function*(asked) {
      if (asked.length === 1) return [yield* alone(asked[0])]
      const rows = yield* Effect.exit(read(asked.map(({ ref }) => ref)))
      return Exit.isSuccess(rows)
        ? asked.map((_, place) => Exit.succeed(rows.value.get(place)))
        : yield* Effect.forEach(asked, alone, { concurrency: callsMax })
    })
  })
})

const neverSent = new PostgresError({
  fault: "connection",
  may_have_run: false,
  cause: "as many reads of heads as may be are under way, and none of them ends"
})

/** Statement that looks each stream up by its key, whatever the statistics say of the table. */
const readHeads: Statement = {
  name: "wg_read_heads",
  text: `
    select asked.place, own.*
      from jsonb_array_elements($1::jsonb) with ordinality as asked (ref, place)
      cross join lateral (
        select stream_id, version::bigint as position, head_hash as seal, erased_at as recorded_at
          from wg.streams where tenant_id = asked.ref ->> 0 and session_id = asked.ref ->> 1
          limit 1
      ) as own`
}
