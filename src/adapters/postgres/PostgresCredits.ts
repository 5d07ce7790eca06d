/** The credit ledger in one table: a conditional update is its only lock. */
import { Effect, Layer } from "effect"
import { type RawBuilder, sql } from "kysely"
import { EventStoreUnavailable } from "../../application/ports/EventStore.ts"
import {
  ceilingOf,
  CeilingUses,
  type CreditCeilings,
  Credits,
  CreditsSpent
} from "../../application/ports/SearchProvider.ts"
import { type TenantCeilings, TenantLimits } from "../../application/sharing/TenantLimits.ts"
import { LimitReached } from "../../contract/PublicFailure.ts"
import { type CeilingUse, nearShare } from "../../domain/health/SearchHealth.ts"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"
import { Postgres, type PostgresError, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

/** Periods change by the database's clock: replicas' clocks and time zones may differ. */
const utc = sql`(now() at time zone 'utc')`
const minute = sql<string>`to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI')`
const day = sql<string>`to_char(${utc}, 'YYYY-MM-DD')`
const month = sql<string>`to_char(${utc}, 'YYYY-MM')`

export const layer = (ceilings: CreditCeilings) =>
  Layer.effect(
    Credits,
    Effect.map(Effect.map(Postgres, rowsIn), (rowsOf) =>
      Credits.of({
        reserve: Effect.fn("PostgresCredits.reserve")(function*(provider, keySlot, credits) {
          const ceiling = ceilingOf(ceilings, provider, keySlot)
          if (ceiling !== undefined && credits > ceiling) return undefined
          // Counts twice if repeated, which errs on the side of the ceiling.
          const rows = yield* LogStatements.idempotent(rowsOf(sql<{ month: string }>`
              insert into wg.credits as c (provider, key_slot, month, used)
              values (${provider}, ${keySlot}, ${month}, ${credits})
              on conflict (provider, month, key_slot) do update set used = c.used + excluded.used
              where ${ceiling ?? null}::int is null or c.used + excluded.used <= ${ceiling ?? null}
              returning c.month`))
          return rows[0] && { provider, keySlot, month: rows[0].month }
        }, Effect.mapError(unavailable)),
        correct: Effect.fn("PostgresCredits.correct")(function*(reserved, credits) {
          yield* LogStatements.once(
            rowsOf(sql`update wg.credits set used = greatest(0, used + ${credits})
              where provider = ${reserved.provider} and key_slot = ${reserved.keySlot}
                and month = ${reserved.month}`)
          )
        }, Effect.mapError(unavailable))
      }))
  )

export const spentLayer = Layer.effect(
  CreditsSpent,
  Effect.map(Effect.map(Postgres, rowsIn), (rowsOf) =>
    CreditsSpent.of({
      spent: Effect.fn("PostgresCredits.spent")(function*(provider, keySlot) {
        const rows = yield* LogStatements.idempotent(
          rowsOf(sql<{ month: string; credits: number }>`
              select ${month} as month, coalesce(sum(used), 0)::int as credits
              from wg.credits
              where month = ${month} and provider = ${provider} and key_slot = ${keySlot}`)
        )
        return rows[0] ?? { month: "", credits: 0 }
      }, Effect.mapError(unavailable))
    }))
)

const unavailable = (cause: PostgresError) =>
  new EventStoreUnavailable({ operation: "credits", cause })

// Tenants' limits in one row each: a conditional update is the only lock.

/** A month in milliseconds does not fit a timer's 32 bits: callers get a day. */
const retryAfterMsMax = 86_400_000

/** An ended period counts as empty. A late statement counts into the newer period. */
const requests = sql<number>`case when u.minute >= ${minute} then u.requests_in_minute else 0 end`
const searchesInDay = sql<number>`case when u.day >= ${day} then u.searches_in_day else 0 end`
const costInDay = sql<number>`case when u.day >= ${day} then u.cost_micros_in_day else 0 end`
const searchesInMonth = sql<
  number
>`case when u.month >= ${month} then u.searches_in_month else 0 end`
const costInMonth = sql<
  number
>`case when u.month >= ${month} then u.cost_micros_in_month else 0 end`

interface Used {
  readonly requests: number
  readonly searches: number
  readonly costMicros: number
}

const counting = (
  tenantId: string,
  { costMicros, requests: more, searches }: Used,
  isAllowed: RawBuilder<boolean>
) =>
  sql<{ one: number }>`
    insert into wg.tenant_use as u (tenant_id, minute, requests_in_minute, day, searches_in_day,
      cost_micros_in_day, month, searches_in_month, cost_micros_in_month)
    values (${tenantId}, ${minute}, ${more}::int, ${day}, ${searches}::int, ${costMicros}::bigint,
      ${month}, ${searches}::int, ${costMicros}::bigint)
    on conflict (tenant_id) do update set
      minute = greatest(u.minute, ${minute}), requests_in_minute = ${requests} + ${more}::int,
      day = greatest(u.day, ${day}), searches_in_day = ${searchesInDay} + ${searches}::int,
      cost_micros_in_day = ${costInDay} + ${costMicros}::bigint,
      month = greatest(u.month, ${month}),
      searches_in_month = ${searchesInMonth} + ${searches}::int,
      cost_micros_in_month = ${costInMonth} + ${costMicros}::bigint
    where ${isAllowed}
    returning 1 as one`

const below = (used: RawBuilder<number>, ceiling: number): RawBuilder<boolean> =>
  sql<boolean>`(${ceiling}::bigint = 0 or ${used} < ${ceiling}::bigint)`

/** The exhausted limit and the time until its reset; of several, the last to reset. */
const reached = (tenantId: string, ceilings: Omit<TenantCeilings, "concurrency" | "usedUp">) =>
  sql<{ limit_name: LimitReached["limit"]; left_ms: number }>`
    select limit_name,
      least(ceil(extract(epoch from ends - ${utc}) * 1000), ${retryAfterMsMax})::int as left_ms
    from wg.tenant_use as u, lateral (values
      ('requests_per_minute', ${requests}::bigint, ${ceilings.requestsPerMinute}::bigint,
        date_trunc('minute', ${utc}) + interval '1 minute'),
      ('searches_per_day', ${searchesInDay}, ${ceilings.searchesPerDay}::bigint,
        date_trunc('day', ${utc}) + interval '1 day'),
      ('cost_per_day', ${costInDay}, ${ceilings.costMicrosPerDay}::bigint,
        date_trunc('day', ${utc}) + interval '1 day'),
      ('searches_per_month', ${searchesInMonth}, ${ceilings.searchesPerMonth}::bigint,
        date_trunc('month', ${utc}) + interval '1 month'),
      ('cost_per_month', ${costInMonth}, ${ceilings.costMicrosPerMonth}::bigint,
        date_trunc('month', ${utc}) + interval '1 month')
    ) as limits (limit_name, used, ceiling, ends)
    where u.tenant_id = ${tenantId} and ceiling > 0 and used >= ceiling
    order by ends desc limit 1`

const unlimited = {
  requestsPerMinute: 0,
  searchesPerDay: 0,
  searchesPerMonth: 0,
  costMicrosPerDay: 0,
  costMicrosPerMonth: 0
}

/** A period that ended between two statements. */
const turnedMs = 1_000

export const layerPostgresTenantLimits = ({ concurrency, usedUp, ...ceilings }: TenantCeilings) =>
  Layer.effect(
    TenantLimits,
    Effect.gen(function*() {
      const rowsOf = rowsIn(yield* Postgres)
      const asked = <Row>(statement: RawBuilder<Row>) =>
        Effect.mapError(LogStatements.idempotent(rowsOf(statement)), limitsUnavailable)
      const isUnlimited = Object.values(ceilings).every((ceiling) => ceiling === 0)
      const limitsSearches = ceilings.searchesPerDay > 0 || ceilings.searchesPerMonth > 0
      const limitsCost = ceilings.costMicrosPerDay > 0 || ceilings.costMicrosPerMonth > 0
      const leavesSearches = sql<boolean>`${below(searchesInDay, ceilings.searchesPerDay)}
        and ${below(searchesInMonth, ceilings.searchesPerMonth)}`
      const { costMicrosPerDay, costMicrosPerMonth, requestsPerMinute } = ceilings
      const ofCost = { ...unlimited, costMicrosPerDay, costMicrosPerMonth }
      const refusing = usedUp === "refuses" ? ceilings : { ...unlimited, requestsPerMinute }
      const leavesAll = sql<boolean>`${below(requests, refusing.requestsPerMinute)}
        and ${below(searchesInDay, refusing.searchesPerDay)}
        and ${below(searchesInMonth, refusing.searchesPerMonth)}
        and ${below(costInDay, refusing.costMicrosPerDay)}
        and ${below(costInMonth, refusing.costMicrosPerMonth)}`
      const nothing: Used = { requests: 0, searches: 0, costMicros: 0 }

      return {
        concurrencyMax: concurrency,
        enter: Effect.fn("PostgresTenantLimits.enter")(function*(tenantId: string) {
          if (isUnlimited) return
          // A repetition counts twice, which errs on the side of the limit.
          const rows = yield* asked(counting(tenantId, { ...nothing, requests: 1 }, leavesAll))
          if (rows.length > 0) return
          const [limit] = yield* asked(reached(tenantId, refusing))
          return yield* new LimitReached({
            limit: limit?.limit_name ?? "requests_per_minute",
            retry_after_ms: limit?.left_ms ?? turnedMs
          })
        }),
        takeSearch: Effect.fn("PostgresTenantLimits.takeSearch")(function*(tenantId: string) {
          if (!limitsSearches) return true
          const rows = yield* asked(
            counting(tenantId, { ...nothing, searches: 1 }, leavesSearches)
          )
          return rows.length > 0
        }),
        hasCostLeft: Effect.fn("PostgresTenantLimits.hasCostLeft")(function*(tenantId: string) {
          return !limitsCost || (yield* asked(reached(tenantId, ofCost))).length === 0
        }),
        addCost: Effect.fn("PostgresTenantLimits.addCost")(
          function*(tenantId: string, costMicros: number) {
            if (!limitsCost || costMicros === 0) return
            yield* LogStatements.once(
              rowsOf(counting(tenantId, { ...nothing, costMicros }, sql<boolean>`true`))
            )
          },
          Effect.mapError(limitsUnavailable)
        )
      }
    })
  )

const nearMax = 100

export const layerCeilingUses = (
  ceilings: CreditCeilings,
  { costMicrosPerMonth, searchesPerMonth }: Pick<
    TenantCeilings,
    "costMicrosPerMonth" | "searchesPerMonth"
  >
) =>
  Layer.effect(
    CeilingUses,
    Effect.map(Effect.map(Postgres, rowsIn), (rowsOf) => ({
      near: Effect.gen(function*() {
        const keys = yield* LogStatements.idempotent(
          rowsOf(sql<{ provider: ProviderName; key_slot: number; month: string; used: number }>`
            select provider, key_slot, month, used::int from wg.credits
            where month = ${month}`)
        )
        const tenants = yield* LogStatements.idempotent(rowsOf(sql<CeilingUse>`
            select "of", tenant_id, ${month} as month, used::float8, ceiling::float8
            from wg.tenant_use as u, lateral (values
              ('searches', ${searchesInMonth}, ${searchesPerMonth}::bigint),
              ('cost', ${costInMonth}, ${costMicrosPerMonth}::bigint)
            ) as uses ("of", used, ceiling)
            where ceiling > 0 and used >= ceiling * ${nearShare}::float8
            order by used / ceiling::float8 desc limit ${nearMax}`))
        return [
          ...keys.flatMap((key) => {
            const ceiling = ceilingOf(ceilings, key.provider, key.key_slot)
            return ceiling === undefined ? [] : [{ of: "credits" as const, ...key, ceiling }]
          }),
          ...tenants
        ]
      }).pipe(Effect.withSpan("PostgresCeilingUses.near"), Effect.mapError(unavailable))
    }))
  )

const limitsUnavailable = (cause: PostgresError) =>
  new EventStoreUnavailable({ operation: "tenant limits", cause })
