/** Whether the log may be read with the keys that wrap its payloads. */
import { Effect, Option } from "effect"
import { sql } from "kysely"
import * as PayloadKeys from "../encryption/PayloadKeys.ts"
import { PayloadKeyMissing } from "../encryption/PayloadKeys.ts"
import { Postgres, type PostgresError } from "./Postgres.ts"

// The service does not start without a key of its database: it could not read that key's sessions.

/**
 * Compares the database's wrapping keys with this process's. Fails when one is missing; records a
 * new current one.
 */
export const check: Effect.Effect<
  void,
  PostgresError | PayloadKeyMissing,
  Postgres | PayloadKeys.PayloadKeys
> = Effect.gen(
  function*() {
    const { run } = yield* Postgres
    const wrapping = yield* PayloadKeys.PayloadKeys
    const { rows } = yield* run((db) =>
      sql<{ readonly key_id: string }>`select key_id from wg.wrapping_keys`.execute(db)
    )
    const held = Option.match(wrapping, {
      onNone: (): ReadonlySet<string> => new Set(),
      onSome: ({ held }) => new Set(held.keys())
    })
    const missing = rows.find(({ key_id }) => !held.has(key_id))
    if (missing !== undefined) return yield* new PayloadKeyMissing(missing)
    if (Option.isNone(wrapping)) return
    const { id } = wrapping.value.current
    if (rows.some(({ key_id }) => key_id === id)) return
    yield* run((db) =>
      sql`insert into wg.wrapping_keys (key_id) values (${id}) on conflict do nothing`.execute(db)
    )
  }
)
