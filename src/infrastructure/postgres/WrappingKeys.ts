/** Whether the log may be read with the keys that wrap its payloads. */
import { Effect, Option } from "effect"
import { sql } from "kysely"
import * as PayloadKeys from "../encryption/PayloadKeys.ts"
import { PayloadKeyMissing } from "../encryption/PayloadKeys.ts"
import { Postgres, type PostgresError, rowsIn } from "./Postgres.ts"

// The service does not start without a key of its database: it could not read that key's sessions.

/**
 * Compares the database's wrapping keys with this process's. Fails when one is missing; records a
 * new current one.
 */
export const check: Effect.Effect<
  void,
  PostgresError | PayloadKeyMissing,
  Postgres | PayloadKeys.PayloadKeys
> = Effect.gen(function*() {
  const rowsOf = rowsIn(yield* Postgres)
  const wrapping = yield* PayloadKeys.PayloadKeys
  const recorded = yield* rowsOf(
    sql<{ readonly key_id: string }>`select key_id from wg.wrapping_keys`
  )
  const isHeld = (id: string) => Option.exists(wrapping, ({ held }) => held.has(id))
  const missing = recorded.find(({ key_id }) => !isHeld(key_id))
  if (missing !== undefined) return yield* new PayloadKeyMissing(missing)
  if (Option.isNone(wrapping)) return
  const { id } = wrapping.value.current
  if (recorded.some(({ key_id }) => key_id === id)) return
  yield* rowsOf(sql`insert into wg.wrapping_keys (key_id) values (${id}) on conflict do nothing`)
})
