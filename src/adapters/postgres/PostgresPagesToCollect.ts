/** Queue of pages to collect, in one table; a leased page is not due until its lease ends. */
import { Effect, Layer, Schema } from "effect"
import { sql } from "kysely"
import { PagesToCollect, waitingMax } from "../../application/evidence/PagesToCollect.ts"
import { EvidenceStoreUnavailable } from "../../application/ports/EvidenceStore.ts"
import { ReadPage } from "../../domain/store/PageMaterial.ts"
import { Postgres, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

const Row = Schema.Struct({
  key: Schema.TemplateLiteral([Schema.Literals(["kg:", "web:", "doc:"]), Schema.String]),
  session_id: Schema.String,
  page: ReadPage,
  token: Schema.String,
  tries: Schema.Int
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const later = (ms: number) => sql`now() + ${ms} * interval '1 millisecond'`

export const layer = (isOn: boolean) =>
  Layer.effect(
    PagesToCollect,
    Effect.gen(function*() {
      const postgres = yield* Postgres
      const rowsOf = rowsIn(postgres)
      const count = (tenantId: string) =>
        sql<{ waiting: number }>`select count(*)::int as waiting from wg.pages_to_collect
          where tenant_id = ${tenantId}`

      return {
        isOn,
        put: Effect.fn("PostgresPagesToCollect.put")(
          function*(tenantId, session_id, pages, dueInMs) {
            const given = JSON.stringify(pages)
            // Known sources are updated however many pages wait.
            yield* LogStatements.dispensable(rowsOf(sql`
              insert into wg.pages_to_collect as waiting
                (tenant_id, source_key, session_id, page, token, due_at)
              select ${tenantId}, given.key, ${session_id}, given.page,
                gen_random_uuid()::text, ${later(dueInMs)}
              from jsonb_to_recordset(${given}::jsonb) as given(key text, page jsonb)
              where coalesce((select erased_at is null from wg.streams
                  where tenant_id = ${tenantId} and session_id = ${session_id} for share), true)
                and ((select count(*) from wg.pages_to_collect where tenant_id = ${tenantId})
                  + ${pages.length} <= ${waitingMax}
                or exists (select from wg.pages_to_collect as old
                  where old.tenant_id = ${tenantId} and old.source_key = given.key))
              on conflict (tenant_id, source_key) do update
              set session_id = excluded.session_id, page = excluded.page,
                token = excluded.token, due_at = excluded.due_at, tries = 0`))
            const [counted] = yield* rowsOf(count(tenantId))
            return counted?.waiting ?? 0
          },
          Effect.catch(unavailable("queue"))
        ),
        release: (tenantId, session_id) =>
          LogStatements.dispensable(rowsOf(sql`update wg.pages_to_collect set due_at = now()
            where tenant_id = ${tenantId} and session_id = ${session_id} and tries = 0`)).pipe(
            Effect.asVoid,
            Effect.catch(unavailable("queue"))
          ),
        tenants: rowsOf(sql<{ tenant_id: string }>`
          select distinct tenant_id from wg.pages_to_collect`).pipe(
          Effect.map((rows) => rows.map(({ tenant_id }) => tenant_id)),
          Effect.catch(unavailable("look at the queue"))
        ),
        take: (tenantId, limit, leaseMs) =>
          rowsOf(sql`
            update wg.pages_to_collect as waiting
            set due_at = ${later(leaseMs)}, tries = tries + 1
            from (select source_key from wg.pages_to_collect
              where tenant_id = ${tenantId} and due_at <= now()
              order by due_at limit ${limit} for update skip locked) as due
            where waiting.tenant_id = ${tenantId} and waiting.source_key = due.source_key
            returning waiting.source_key as key, session_id, page, token, tries`).pipe(
            Effect.flatMap(decodeRows),
            Effect.catch(unavailable("take from the queue"))
          ),
        done: (tenantId, { key, token }) =>
          rowsOf(sql`delete from wg.pages_to_collect where tenant_id = ${tenantId}
            and source_key = ${key} and token = ${token}`).pipe(
            Effect.asVoid,
            Effect.catch(unavailable("take from the queue"))
          ),
        clear: (tenantId) =>
          rowsOf(sql`delete from wg.pages_to_collect where tenant_id = ${tenantId}
            returning source_key`).pipe(
            Effect.map((rows) => rows.length),
            Effect.catch(unavailable("take from the queue"))
          )
      }
    })
  )

const unavailable = (operation: string) => (cause: unknown) =>
  new EvidenceStoreUnavailable({ operation, cause })
