/** Answers that other sessions may be given, in one table, by the need that they answer. */
import { Effect, Layer, Schema } from "effect"
import { sql } from "kysely"
import type { CacheKey } from "../../application/ports/SearchProvider.ts"
import { PackCache } from "../../application/sharing/SharePacks.ts"
import { CachedPack } from "../../domain/session/GroundingOutcome.ts"
import type { MaxAge } from "../../domain/session/PackSharing.ts"
import { Postgres, type PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Repeated from "./Repeated.ts"

const decodePack = Schema.decodeUnknownEffect(Schema.toCodecJson(CachedPack))
const encodePack = Schema.encodeEffect(Schema.toCodecJson(CachedPack))

/**
 * Cache of answers in the log's database. `maxAge` is 0 everywhere where no answer is given to
 * another session.
 */
export const layer = (maxAge: MaxAge) =>
  Layer.effect(
    PackCache,
    Effect.gen(function*() {
      const postgres = yield* Postgres
      const run: typeof postgres.run = (query) => Repeated.dispensable(postgres.run(query))
      return {
        isOn: maxAge.general > 0 || maxAge.timely > 0,
        maxAge,
        find: Effect.fn("PostgresPackCache.find")(
          function*({ key, tenantId }: CacheKey) {
            const { rows: [row] } = yield* run((db) =>
              sql<{ readonly pack: unknown }>`select pack from wg.pack_cache
                where tenant_id = ${tenantId} and key = ${key}`.execute(db)
            )
            return row === undefined ? undefined : yield* decodePack(row.pack)
          },
          // A cache that cannot be asked, or holds another release's pack, is as good as empty.
          Effect.catch((cause) =>
            Effect.as(Effect.logWarning("the pack cache was not read", cause), undefined)
          )
        ),
        put: Effect.fn("PostgresPackCache.put")(
          function*({ key, tenantId }: CacheKey, pack: CachedPack) {
            const { made_at_ms, stream_id } = pack
            const json = JSON.stringify(yield* encodePack(pack))
            // An erasure that goes on beside it is waited for, and nothing is kept of its session.
            yield* run((db) =>
              sql`insert into wg.pack_cache as c (tenant_id, key, stream_id, pack, made_at_ms)
                select ${tenantId}, ${key}, stream_id, ${json}::jsonb, ${made_at_ms}
                from (select stream_id from wg.streams
                  where stream_id = ${stream_id} and erased_at is null for share) as source
                on conflict (tenant_id, key) do update set stream_id = excluded.stream_id,
                  pack = excluded.pack, made_at_ms = excluded.made_at_ms
                where c.made_at_ms <= excluded.made_at_ms`.execute(db)
            )
          },
          Effect.catch((cause: PostgresError | Schema.SchemaError) =>
            Effect.logWarning("the pack cache was not written", cause)
          )
        )
      }
    })
  )
