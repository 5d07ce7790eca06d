/**
 * What earlier releases recorded about keys, alerts, tokens, credits and verifications is carried
 * over into the table of the service's state.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { sql } from "kysely"
import { readdirSync, readFileSync } from "node:fs"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { ServiceState, type StateKind, stateOf } from "../../src/application/ports/ServiceState.ts"
import { AlertRow } from "../../src/application/WatchAlerts.ts"
import { AccessToken } from "../../src/domain/access/AccessToken.ts"
import { Verifications } from "../../src/domain/audit/VerificationLog.ts"
import { ErasureEvent } from "../../src/domain/erasure/ErasureRecord.ts"
import { Alert, CreditUse } from "../../src/domain/health/SearchHealth.ts"
import { KeyState } from "../../src/domain/search/KeyPool.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"

const folder = "test/golden/service"
const files = readdirSync(folder).sort()

const storedIn = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))
const erasures = files.filter((file) => Object.hasOwn(ErasureEvent.cases, storedIn(file).type))

type Recorded = readonly [file: string, changes?: object]

/** Streams as earlier releases wrote them, by their name among the service's own. */
const streams: Readonly<Record<string, ReadonlyArray<Recorded>>> = {
  "keys-tavily": [
    ["keys_loaded.v1"],
    ["key_disabled.v1", { key_slot: 3 }],
    ["key_cooled_down.v1"],
    ["key_cooled_down_forbidden.v1", { key_slot: 4, strikes: 2 }],
    ["key_cooled_down.v1", { key_slot: 2, status: "rate_limited" }],
    ["key_recovered.v1", { key_slot: 2 }]
  ],
  "health-tavily": [["key_missing_told.v1"], ["credits_measured.v1"], [
    "credits_measured.v1",
    { at: "2026-02-01T00:00:00.000Z" }
  ]],
  alerts: [
    ...files.filter((file) => file.startsWith("alert_opened")).map((file): Recorded => [
      file.slice(0, -".json".length)
    ]),
    ["alert_opened_key_cooling.v1", {
      alert_key: "KeyCooling tavily 9",
      at: "2026-01-15T12:01:00.000Z"
    }],
    ["alert_closed.v1"]
  ],
  "access-tokens": [["token_created.v1"], ["token_created.v1", { token_id: "live" }], [
    "token_revoked.v1"
  ]],
  verification: [["verification_begun.v1"], ["log_verified.v1"], ["log_verified_unsound.v1"]]
}

const record = Effect.gen(function*() {
  const { run } = yield* Postgres
  for (const [session, recorded] of Object.entries(streams)) {
    yield* run((db) =>
      sql`insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
        values (gen_random_uuid(), '_service', ${session}, 0, '\\x00', now())`.execute(db)
    )
    for (const [index, [file, changes]] of recorded.entries()) {
      const { data, type } = storedIn(`${file}.json`)
      yield* run((db) =>
        sql`insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
              schema_version, data, metadata, seal)
            select stream_id, ${index + 1}, '_service', now(), gen_random_uuid(), ${type}, 1,
                ${JSON.stringify({ ...data, ...changes })}::jsonb, '{"actor":"cli"}', '\\x00'
              from wg.streams where session_id = ${session}`.execute(db)
      )
    }
  }
})

const kept = <Value>(kind: StateKind, schema: Schema.Codec<Value, unknown>) =>
  Effect.flatMap(stateOf(kind, schema), ({ rows }) => rows())

const carriedAlerts = Object.keys(Alert.cases).filter((tag) => tag !== "EngineFailing")

describe("stored facts of the service", () => {
  it("are of every kind", () => {
    assert.sameMembers(
      files.flatMap((file) => storedIn(file).data.alert?._tag ?? []),
      [...carriedAlerts, "CellsFileBroken"]
    )
    const carried = Object.values(streams).flat().map(([file]) => `${file}.json`)
    assert.sameMembers([...new Set([...carried, ...erasures])], files)
  })

  it.effect(
    "are carried over by the migration, each row in the shape of today",
    () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        yield* run((db) =>
          sql`delete from wg.migrations where name = '0024_service_state'`.execute(db)
        )
        yield* run((db) => sql`drop table wg.service_state`.execute(db))
        yield* record
        assert.deepStrictEqual((yield* Migrations.run).applied, ["0024_service_state"])
        const { rows } = yield* ServiceState
        assert.deepStrictEqual(
          (yield* kept("key", KeyState)).map(({ key, value }) => [
            key,
            value.state,
            value.reason,
            value.until,
            value.strikes
          ]),
          [
            ["tavily 1", "cooling", "forbidden", "2026-01-15T12:01:00.000Z", 1],
            ["tavily 2", "usable", undefined, undefined, 0],
            ["tavily 3", "disabled", "forbidden", undefined, 0],
            ["tavily 4", "cooling", "forbidden", "2026-01-15T12:01:00.000Z", 2]
          ]
        )
        assert.deepStrictEqual(
          (yield* kept("credits", CreditUse)).map(({ key, value }) => [key, value.at]),
          [["tavily 1", "2026-02-01T00:00:00.000Z"]]
        )
        const open = yield* kept("open_alert", AlertRow)
        assert.sameMembers(open.map(({ value }) => value.alert._tag), carriedAlerts)
        assert.isTrue(open.every(({ key, value }) => key === value.alert_key))
        assert.deepStrictEqual((yield* rows("alert", { limit: 9 })).map(({ key }) => key), [])
        const { rows: [past] } = yield* run((db) =>
          sql<{ key: string; value: { closed_at: string } }>`
          select key, value from wg.service_state where kind = 'alert'`.execute(db)
        )
        assert.strictEqual(past?.key, "2026-01-15T12:01:00.000Z KeyCooling tavily 2")
        assert.strictEqual(past?.value.closed_at, "2026-01-15T12:06:00.000Z")
        const tokens = (yield* kept("token", AccessToken)).map(({ value }) => value)
        assert.deepStrictEqual(
          tokens.map((
            { created_by, revoked_at, revoked_by }
          ) => [created_by, revoked_at, revoked_by]),
          [["cli", "2026-11-24T00:00:00.000Z", "cli"], ["cli", undefined, undefined]]
        )
        const [verification] = yield* kept("verification", Verifications)
        assert.deepInclude(verification?.value, {
          since_full: 6,
          unsound_since: "2026-01-15T12:01:00.000Z"
        })
      }).pipe(Effect.provide(PostgresServiceState.layer), Effect.provide(EmbeddedDatabase.layer)),
    60_000
  )
})
