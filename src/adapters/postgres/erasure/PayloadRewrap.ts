/** Wraps every data key anew under the current wrapping key, by the right of `wg_eraser`. */
import { Effect, Option, Result } from "effect"
import { sql } from "kysely"
import * as PayloadCipher from "../../../infrastructure/encryption/PayloadCipher.ts"
import { PayloadKeys } from "../../../infrastructure/encryption/PayloadKeys.ts"
import { Postgres } from "../../../infrastructure/postgres/Postgres.ts"
import { boundKey } from "../StreamKeys.ts"

/** Keys that are looked at together. */
const pageMax = 500
/** UUID before every UUIDv7. */
const nilUuid = "00000000-0000-0000-0000-000000000000"

export interface Rewrapped {
  readonly rewrapped: number
  /** Keys that stay as they are: damaged, or wrapped under a key that is not held. */
  readonly left: number
}

/**
 * Wraps every stored data key again under the current wrapping key, beside running services, which
 * must know that key by then. Then the ids of former keys are forgotten. May be run again.
 */
export const rewrap = Effect.gen(function*() {
  const { run } = yield* Postgres
  const wrapping = yield* PayloadKeys
  const told = { rewrapped: 0, left: 0 }
  if (Option.isNone(wrapping)) return told
  const { id } = wrapping.value.current
  let after = nilUuid
  while (true) {
    const from = after
    const { rows } = yield* run((db) =>
      sql<{
        readonly stream_id: string
        readonly tenant_id: string
        readonly wrapped: string
      }>`select stream_id, tenant_id, wrapped
        from wg.payload_keys join wg.streams using (stream_id)
        where stream_id > ${from}::uuid and split_part(wrapped, '.', 1) <> ${id}
        order by stream_id limit ${pageMax}`.execute(db)
    )
    for (const { stream_id, tenant_id, wrapped } of rows) {
      after = stream_id
      const bound = boundKey({ streamId: stream_id, tenantId: tenant_id })
      const anew = PayloadCipher.wrapAnew(wrapping.value, wrapped, bound)
      if (Result.isFailure(anew)) {
        told.left += 1
        continue
      }
      yield* run((db) =>
        sql`select wg.rewrap(${stream_id}, ${wrapped}, ${anew.success})`.execute(db)
      )
      told.rewrapped += 1
    }
    if (rows.length < pageMax) break
  }
  if (told.left === 0) {
    yield* run((db) => sql`delete from wg.wrapping_keys where key_id <> ${id}`.execute(db))
  }
  const done: Rewrapped = told
  return done
})
