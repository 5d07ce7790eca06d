/** The credit ledger in one table: a conditional update is the whole lock. */
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { EventStoreUnavailable } from "../../application/ports/EventStore.ts"
import {
  ceilingOf,
  type CreditCeilings,
  Credits,
  CreditsSpent
} from "../../application/ports/SearchProvider.ts"
import { Postgres, type PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Repeated from "./Repeated.ts"

/** Months turn by the database's clock: replicas' clocks may differ, and so may their zones. */
const thisMonth = sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM')`

export const layer = (ceilings: CreditCeilings) =>
  Layer.effect(
    Credits,
    Effect.gen(function*() {
      const postgres = yield* Postgres

      const reserve: Credits["Service"]["reserve"] = Effect.fn("PostgresCredits.reserve")(
        function*(provider, keySlot, credits) {
          const ceiling = ceilingOf(ceilings, provider, keySlot)
          if (ceiling !== undefined && credits > ceiling) return undefined
          // Sent twice it counts twice, which errs on the side of the ceiling.
          const { rows } = yield* Repeated.idempotent(postgres.run((db) =>
            sql<{ month: string }>`
              insert into wg.credits as c (provider, key_slot, month, used)
              values (${provider}, ${keySlot}, ${thisMonth}, ${credits})
              on conflict (provider, month, key_slot) do update set used = c.used + excluded.used
              where ${ceiling ?? null}::int is null or c.used + excluded.used <= ${ceiling ?? null}
              returning c.month`.execute(db)
          ))
          const month = rows[0]?.month
          return month === undefined ? undefined : { provider, keySlot, month }
        },
        Effect.mapError(unavailable)
      )

      const correct: Credits["Service"]["correct"] = Effect.fn("PostgresCredits.correct")(
        function*({ keySlot, month, provider }, credits) {
          yield* Repeated.once(postgres.run((db) =>
            sql`update wg.credits set used = greatest(0, used + ${credits})
              where provider = ${provider} and key_slot = ${keySlot} and month = ${month}`
              .execute(db)
          ))
        },
        Effect.mapError(unavailable)
      )

      return Credits.of({ reserve, correct })
    })
  )

/** Layer that reads the current month from the same table. */
export const spentLayer = Layer.effect(
  CreditsSpent,
  Effect.map(Postgres, (postgres) =>
    CreditsSpent.of({
      spent: Effect.fn("PostgresCredits.spent")(
        function*(provider, keySlot) {
          const { rows } = yield* Repeated.idempotent(postgres.run((db) =>
            sql<{ month: string; credits: number }>`
              select ${thisMonth} as month, coalesce(sum(used), 0)::int as credits
              from wg.credits
              where month = ${thisMonth} and provider = ${provider} and key_slot = ${keySlot}`
              .execute(db)
          ))
          // An aggregate without grouping has one row.
          return rows[0] ?? { month: "", credits: 0 }
        },
        Effect.mapError(unavailable)
      )
    }))
)

const unavailable = (cause: PostgresError) =>
  new EventStoreUnavailable({ operation: "credits", cause })
