/** Every shape a fact about erasure was stored in still reads and writes the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as EventCodec from "../../src/application/log/EventCodec.ts"
import { ErasureEvent } from "../../src/domain/erasure/ErasureRecord.ts"
import { storedEvent } from "../support/storedEvent.ts"

const folder = "test/golden/service"
const codec = EventCodec.make(ErasureEvent)
const metadata = { correlation_id: "", causation_id: "", actor: "" }

const storedIn = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))
const files = readdirSync(folder).sort()
  .filter((file) => Object.hasOwn(ErasureEvent.cases, storedIn(file).type))

describe("stored facts of erasures", () => {
  it("are of every kind", () => {
    assert.sameMembers(
      [...new Set(files.map((file) => storedIn(file).type))],
      Object.keys(ErasureEvent.cases)
    )
  })

  it.effect.each(files)("%s reads and writes the same", (file) =>
    Effect.gen(function*() {
      const { data, schema_version, type } = storedIn(file)
      const event = yield* codec.decode(storedEvent({ type, schemaVersion: schema_version, data }))
      assert.deepStrictEqual((yield* codec.encode(event, "", metadata)).data, data)
    }))
})
