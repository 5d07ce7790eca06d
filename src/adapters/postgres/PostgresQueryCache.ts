/** The query cache in two tables: entries, and leases of running searches. */
import { Effect, Layer, Schema } from "effect"
import { sql } from "kysely"
import { type CacheKey, QueryCache } from "../../application/ports/SearchProvider.ts"
import { PackCache } from "../../application/sharing/SharePacks.ts"
import { QueryCacheEntry } from "../../domain/search/QueryCacheEntry.ts"
import { CachedPack } from "../../domain/session/GroundingOutcome.ts"
import type { MaxAge } from "../../domain/session/PackSharing.ts"
import { Postgres, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

const decodeEntry = Schema.decodeUnknownEffect(QueryCacheEntry)

export const layer = Layer.effect(
  QueryCache,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = dispensableRowsIn(postgres)

    /** An unreachable cache, or an entry of another release, counts as a miss. */
    const find = Effect.fn("PostgresQueryCache.find")(function*({ key, tenantId }: CacheKey) {
      const [row] = yield* rowsOf(
        sql<{ readonly entry: unknown }>`select entry from wg.query_cache
            where tenant_id = ${tenantId} and key = ${key}`
      )
      return row === undefined ? undefined : yield* decodeEntry(row.entry)
    }, otherwise("the query cache was not read", undefined))

    const put = Effect.fn("PostgresQueryCache.put")(
      function*({ key, tenantId }: CacheKey, entry: QueryCacheEntry) {
        yield* rowsOf(sql`insert into wg.query_cache as c
              (tenant_id, key, entry, recorded_at_ms, stream_id)
            select ${tenantId}, ${key}, ${JSON.stringify(entry)}::jsonb, ${entry.recorded_at_ms},
              ${entry.stream_id ?? null}::uuid
            where coalesce((select erased_at is null from wg.streams
              where stream_id = ${entry.stream_id ?? null}::uuid for share), true)
            on conflict (tenant_id, key) do update
            set entry = excluded.entry, recorded_at_ms = excluded.recorded_at_ms,
              stream_id = excluded.stream_id
            where c.recorded_at_ms <= excluded.recorded_at_ms`)
      },
      otherwise("the query cache was not written", undefined)
    )

    /** If the lease cannot be requested, it is led anyway: twice is better than never. */
    const lead = Effect.fn("PostgresQueryCache.lead")(
      function*({ key, tenantId }: CacheKey, owner: string, leaseMs: number) {
        const rows = yield* rowsOf(sql`insert into wg.flights as f (tenant_id, key, owner, until)
            values (${tenantId}, ${key}, ${owner}, now() + ${leaseMs} * interval '1 millisecond')
            on conflict (tenant_id, key) do update
            set owner = excluded.owner, until = excluded.until
            where f.owner = excluded.owner or f.until < now()
            returning owner`)
        return rows.length > 0
      },
      otherwise("a search was not coalesced", true)
    )

    const isLed = Effect.fn("PostgresQueryCache.isLed")(function*({ key, tenantId }: CacheKey) {
      const rows = yield* rowsOf(sql`select owner from wg.flights
            where tenant_id = ${tenantId} and key = ${key} and until >= now()`)
      return rows.length > 0
    }, otherwise("a lease was not read", true))

    /** The next heartbeat renews it; if the lease ends before, another process takes over. */
    const renew = Effect.fn("PostgresQueryCache.renew")(
      function*({ key, tenantId }: CacheKey, owner: string, leaseMs: number) {
        const rows = yield* rowsIn(postgres)(
          sql`update wg.flights set until = now() + ${leaseMs} * interval '1 millisecond'
            where tenant_id = ${tenantId} and key = ${key} and owner = ${owner}
            returning owner`
        )
        return rows.length > 0
      },
      otherwise("a lease was not renewed", true)
    )

    const resign = Effect.fn("PostgresQueryCache.resign")(
      function*({ key, tenantId }: CacheKey, owner: string) {
        yield* rowsOf(sql`delete from wg.flights
          where tenant_id = ${tenantId} and key = ${key} and owner = ${owner}`)
      },
      otherwise("a lead was not given up", undefined)
    )

    return QueryCache.of({ find, put, lead, isLed, renew, resign })
  })
)

const dispensableRowsIn = ({ run }: Pick<Postgres["Service"], "run">) =>
  rowsIn({ run: (query) => LogStatements.dispensable(run(query)) })

/** A cache that fails costs an answer nothing. */
const otherwise = <B>(warning: string, value: B) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catch(effect, (cause) => Effect.as(Effect.logWarning(warning, cause), value))

// Cache of packs shared between sessions, in one table, by need.

const decodePack = Schema.decodeUnknownEffect(Schema.toCodecJson(CachedPack))
const encodePack = Schema.encodeEffect(Schema.toCodecJson(CachedPack))

/** `maxAge` is 0 everywhere if no pack is shared between sessions. */
export const layerPostgresPackCache = (maxAge: MaxAge) =>
  Layer.effect(
    PackCache,
    Effect.gen(function*() {
      const postgres = yield* Postgres
      const rowsOf = dispensableRowsIn(postgres)
      return {
        isOn: maxAge.general > 0 || maxAge.timely > 0,
        maxAge,
        find: Effect.fn("PostgresPackCache.find")(
          function*({ key, tenantId }: CacheKey) {
            const [row] = yield* rowsOf(
              sql<{ readonly pack: unknown }>`select pack from wg.pack_cache
                where tenant_id = ${tenantId} and key = ${key}`
            )
            return row === undefined ? undefined : yield* decodePack(row.pack)
          },
          // An unreachable cache, or another release's pack, counts as a miss.
          otherwise("the pack cache was not read", undefined)
        ),
        put: Effect.fn("PostgresPackCache.put")(
          function*({ key, tenantId }: CacheKey, pack: CachedPack) {
            const { made_at_ms, stream_id } = pack
            const json = JSON.stringify(yield* encodePack(pack))
            // Waits for a concurrent erasure; nothing of an erased session is cached.
            yield* rowsOf(
              sql`insert into wg.pack_cache as c (tenant_id, key, stream_id, pack, made_at_ms)
                select ${tenantId}, ${key}, stream_id, ${json}::jsonb, ${made_at_ms}
                from (select stream_id from wg.streams
                  where stream_id = ${stream_id} and erased_at is null for share) as source
                on conflict (tenant_id, key) do update set stream_id = excluded.stream_id,
                  pack = excluded.pack, made_at_ms = excluded.made_at_ms
                where c.made_at_ms <= excluded.made_at_ms`
            )
          },
          otherwise("the pack cache was not written", undefined)
        )
      }
    })
  )
