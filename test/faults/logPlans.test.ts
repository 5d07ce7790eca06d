/** The log's reads stay what they are as it grows: index scans, no sort of events. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AppendStatement from "../../src/adapters/postgres/AppendStatement.ts"
import * as LogStatements from "../../src/adapters/postgres/LogStatements.ts"
import type { Statement } from "../../src/infrastructure/postgres/Postgres.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const session = "session-7"

const grow = `
  with made as (
    insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
      select uuidv7(), 'tenant-' || n % 50, 'session-' || n, 20, decode(repeat('00', 32), 'hex'),
          now() from generate_series(1, 500) n
      returning stream_id
  )
  insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
      schema_version, data, metadata, seal)
    select stream_id, version, 'default', now(), gen_random_uuid(), 'X', 1, '{}', '{}',
        decode(repeat('00', 80), 'hex')
      from made, generate_series(1, 20) version order by stream_id, version`

/** The generic plan, which a prepared statement settles on; one line a node, from the top. */
const planOf = ({ name, text }: Statement, parameters: ReadonlyArray<string>, quote = "'") =>
  Effect.gen(function*() {
    const client = yield* TestDatabase.connect
    return yield* Effect.promise(async () => {
      await client.query("set plan_cache_mode = force_generic_plan")
      await client.query(`prepare ${name} as ${text}`)
      const values = parameters.map((value) => `${quote}${value}${quote}`).join(", ")
      const { rows } = await client.query(`explain (costs off) execute ${name}(${values})`)
      return rows.map((row): string => row["QUERY PLAN"].trim())
    })
  })

describe("the log's reads", () => {
  it.layer(TestDatabase.layer, { excludeTestServices: true })((it) => {
    it.effect("find a page, a stream and the newest streams by index, without sorting events", () =>
      Effect.gen(function*() {
        const client = yield* TestDatabase.connect
        yield* Effect.promise(() => client.query(`${grow}`))
        const page = yield* planOf(LogStatements.readPage, ["100"])
        yield* Effect.promise(() => client.query("analyze wg.events, wg.streams"))
        const analysed = yield* planOf(LogStatements.readPage, ["100"])
        for (const plan of [page, analysed]) {
          assert.match(plan.join("\n"), /Index Scan using events_position on events/)
          assert.notMatch(plan.join("\n"), /Sort|Seq Scan|Bitmap/)
        }

        const stream = yield* planOf(LogStatements.readStream, ["tenant-7", session, "0", "100"])
        const text = stream.join("\n")
        assert.match(text, /Index Scan using events_pkey on events/)
        assert.match(text, /Index Scan using streams_tenant_id_session_id_key on streams/)
        assert.notMatch(text, /Sort|Seq Scan|Bitmap|Gather/)

        const before = "01999999-0000-7000-8000-000000000000"
        const newest = yield* planOf(LogStatements.listStreams, ["tenant-7", "10", before])
        assert.match(newest.join("\n"), /Index Scan using streams_newest on streams/)
        assert.notMatch(newest.join("\n"), /Sort|Seq Scan|Bitmap/)
      }).pipe(Effect.scoped))

    it.effect("look the streams of a group up by key, though their table was small", () =>
      Effect.gen(function*() {
        const nulls = Array.from({ length: 16 }, () => "null")
        const { text } = AppendStatement.appendStatements.continue["without key"]
        const planned = (name: string, text: string) => planOf({ name, text }, nulls, "")
        const plan = yield* planned("bound", text)
        assert.match(plan.join("\n"), /Index Scan using \w+ on streams/)
        assert.notMatch(plan.join("\n"), /Seq Scan/)
        const unbound = text.replace("given.version >= 0 and given.count > 0 and ", "")
        assert.match((yield* planned("unbound", unbound)).join("\n"), /Seq Scan on streams/)
      }).pipe(Effect.scoped))
  })
})
