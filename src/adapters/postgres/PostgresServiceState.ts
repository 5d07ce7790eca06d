/** Service state in one table: the version in a write's condition is the only lock. */
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { EventStoreUnavailable } from "../../application/ports/EventStore.ts"
import { ServiceState, type StateRow } from "../../application/ports/ServiceState.ts"
import { Postgres, type PostgresError, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

export const layer = Layer.effect(
  ServiceState,
  Effect.map(Effect.map(Postgres, rowsIn), (rowsOf) =>
    ServiceState.of({
      rows: Effect.fn("PostgresServiceState.rows")(function*(kind, { before = null, limit }) {
        const rows = yield* LogStatements.idempotent(rowsOf(sql<StateRow<unknown>>`
              select key, value, version from wg.service_state
              where kind = ${kind} and (${before}::text is null or key < ${before}::text)
                and (expires_at is null or expires_at > now())
              order by key desc limit ${limit}`))
        return rows.toReversed()
      }, Effect.mapError(unavailable)),
      put: Effect.fn("PostgresServiceState.put")(
        function*(kind, { key, keptMs = null, value, version }) {
          const rows = yield* LogStatements.once(rowsOf(
            // Expired state is deleted a day later: readers of it have an outdated version by then.
            sql`
              with gone as (
                delete from wg.service_state where kind = ${kind} and key <> ${key}
                  and expires_at < now() - interval '1 day')
              insert into wg.service_state as s (kind, key, value, version, expires_at)
              values (${kind}, ${key}, ${JSON.stringify(value)}::jsonb, 1,
                now() + ${keptMs}::bigint * interval '1 millisecond')
              on conflict (kind, key) do update set value = excluded.value,
                version = s.version + 1, expires_at = excluded.expires_at, changed_at = now()
              where case when ${version}::int = 0 then s.expires_at <= now()
                else s.version = ${version}::int end
              returning key`
          ))
          return rows.length > 0
        },
        Effect.mapError(unavailable)
      )
    }))
)

const unavailable = (cause: PostgresError) =>
  new EventStoreUnavailable({ operation: "service state", cause })
