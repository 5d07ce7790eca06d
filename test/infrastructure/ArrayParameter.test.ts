/** Arrays as parameters, as both databases read them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  byteaArray,
  jsonbArray,
  plainArray,
  textArray
} from "../../src/adapters/postgres/AppendStatement.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const texts = ["plain", "", "NULL", `{"a,b"}`, "\\x00", "a\nb\t ", "언제 必要 😀", "'"]
const documents = texts.map((text) => JSON.stringify({ [text]: [text, 1.5, null, true] }))
const ids = ["0198c0de-0000-7000-8000-000000000001", "0198c0de-0000-7000-8000-000000000002"]
const times = ["2026-11-21T00:00:00.000Z", "2026-11-21T10:20:30.456Z"]
const hexes = ["00", "", "ff7b22"]

const read = {
  name: "test_arrays",
  text: `select $1::text[] as texts, $2::jsonb[] as documents, $3::uuid[]::text[] as ids,
      $4::int[] as numbers, to_json($5::timestamptz[]) as times,
      array(select encode(bytes, 'hex') from unnest($6::bytea[]) as bytes) as hexes`
}

interface Row {
  readonly texts: ReadonlyArray<string>
  readonly documents: ReadonlyArray<unknown>
  readonly ids: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
  readonly times: ReadonlyArray<string>
  readonly hexes: ReadonlyArray<string>
}

const suite = (name: string, layer: Layer.Layer<Postgres, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(name, (it) => {
    it.effect("are the values that were given, whatever is in them", () =>
      Effect.gen(function*() {
        const { prepared } = yield* Postgres
        const rows = yield* prepared<{ readonly [Column in keyof Row]: Row[Column] }>(read, [
          textArray(texts),
          jsonbArray(documents),
          plainArray(ids),
          plainArray([1, -2]),
          plainArray(times),
          byteaArray(hexes)
        ])
        assert.deepStrictEqual(rows[0]?.texts, texts)
        assert.deepStrictEqual(rows[0]?.documents.map((one) => JSON.stringify(one)), documents)
        assert.deepStrictEqual(rows[0]?.ids, ids)
        assert.deepStrictEqual(rows[0]?.numbers, [1, -2])
        assert.deepStrictEqual(
          rows[0]?.times.map((time) => time.slice(0, 19)),
          times.map((time) => time.slice(0, 19))
        )
        assert.deepStrictEqual(rows[0]?.hexes, hexes)
      }))

    it.effect("may be empty", () =>
      Effect.gen(function*() {
        const { prepared } = yield* Postgres
        const rows = yield* prepared<{ readonly [Column in keyof Row]: Row[Column] }>(read, [
          textArray([]),
          jsonbArray([]),
          plainArray([]),
          plainArray([]),
          plainArray([]),
          byteaArray([])
        ])
        assert.deepStrictEqual(Object.values(rows[0] ?? {}), [[], [], [], [], [], []])
      }))
  })

describe("array parameters", () => {
  suite("on a server", Layer.fresh(TestDatabase.layer))
  suite("embedded", EmbeddedPostgres.layerMemory)
})
