/** The query cache in two tables: entries, and leases of those who are searching. */
import { Effect, Layer, Schema } from "effect"
import { sql } from "kysely"
import { type CacheKey, QueryCache } from "../../application/ports/SearchProvider.ts"
import { QueryCacheEntry } from "../../domain/search/QueryCacheEntry.ts"
import { Postgres, type PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Repeated from "./Repeated.ts"

const decodeEntry = Schema.decodeUnknownEffect(QueryCacheEntry)

export const layer = Layer.effect(
  QueryCache,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const run: typeof postgres.run = (query) => Repeated.dispensable(postgres.run(query))

    const find = Effect.fn("PostgresQueryCache.find")(
      function*({ key, tenantId }: CacheKey) {
        const rows = yield* run((db) =>
          db.selectFrom("wg.query_cache").select("entry")
            .where("tenant_id", "=", tenantId).where("key", "=", key).execute()
        )
        const [row] = rows
        return row === undefined ? undefined : yield* decodeEntry(row.entry)
      },
      // A cache that cannot be asked, or holds what another release wrote, is as good as empty.
      Effect.catch((cause) =>
        Effect.as(Effect.logWarning("the query cache was not read", cause), undefined)
      )
    )

    const put = Effect.fn("PostgresQueryCache.put")(
      function*({ key, tenantId }: CacheKey, entry: QueryCacheEntry) {
        yield* run((db) =>
          sql`insert into wg.query_cache as c
              (tenant_id, key, entry, recorded_at_ms, stream_id)
            select ${tenantId}, ${key}, ${JSON.stringify(entry)}::jsonb, ${entry.recorded_at_ms},
              ${entry.stream_id ?? null}::uuid
            where coalesce((select erased_at is null from wg.streams
              where stream_id = ${entry.stream_id ?? null}::uuid for share), true)
            on conflict (tenant_id, key) do update
            set entry = excluded.entry, recorded_at_ms = excluded.recorded_at_ms,
              stream_id = excluded.stream_id
            where c.recorded_at_ms <= excluded.recorded_at_ms`.execute(db)
        )
      },
      ignoring("the query cache was not written")
    )

    const lead = Effect.fn("PostgresQueryCache.lead")(
      function*({ key, tenantId }: CacheKey, owner: string, leaseMs: number) {
        const { rows } = yield* run((db) =>
          sql`insert into wg.flights as f (tenant_id, key, owner, until)
            values (${tenantId}, ${key}, ${owner}, now() + ${leaseMs} * interval '1 millisecond')
            on conflict (tenant_id, key) do update
            set owner = excluded.owner, until = excluded.until
            where f.owner = excluded.owner or f.until < now()
            returning owner`.execute(db)
        )
        return rows.length > 0
      },
      // Who cannot ask for the lead leads: a search made twice is better than none.
      Effect.catch((cause: PostgresError) =>
        Effect.as(Effect.logWarning("a search was not coalesced", cause), true)
      )
    )

    const renew = Effect.fn("PostgresQueryCache.renew")(
      function*({ key, tenantId }: CacheKey, owner: string, leaseMs: number) {
        const { rows } = yield* postgres.run((db) =>
          sql`update wg.flights set until = now() + ${leaseMs} * interval '1 millisecond'
            where tenant_id = ${tenantId} and key = ${key} and owner = ${owner}
            returning owner`.execute(db)
        )
        return rows.length > 0
      },
      // The next heartbeat asks again; if the lease ends before, another one takes over.
      Effect.catch((cause: PostgresError) =>
        Effect.as(Effect.logWarning("a lease was not renewed", cause), true)
      )
    )

    const resign = Effect.fn("PostgresQueryCache.resign")(
      function*({ key, tenantId }: CacheKey, owner: string) {
        yield* run((db) =>
          db.deleteFrom("wg.flights").where("tenant_id", "=", tenantId).where("key", "=", key)
            .where("owner", "=", owner).execute()
        )
      },
      ignoring("a lead was not given up")
    )

    return QueryCache.of({ find, put, lead, renew, resign })
  })
)

const ignoring = (what: string) => <A, R>(effect: Effect.Effect<A, PostgresError, R>) =>
  Effect.catch(Effect.asVoid(effect), (cause) => Effect.logWarning(what, cause))
