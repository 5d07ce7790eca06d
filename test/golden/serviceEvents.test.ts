/** Every shape a fact about the deployment's keys, health and tokens was stored in still reads and writes the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as EventCodec from "../../src/application/log/EventCodec.ts"
import { AccessEvent } from "../../src/domain/access/AccessToken.ts"
import { VerificationEvent } from "../../src/domain/audit/VerificationLog.ts"
import { ErasureEvent } from "../../src/domain/erasure/ErasureRecord.ts"
import { AlertEvent } from "../../src/domain/health/AlertLog.ts"
import { HealthNote } from "../../src/domain/health/HealthNote.ts"
import { Alert } from "../../src/domain/health/SearchHealth.ts"
import { KeyPoolEvent } from "../../src/domain/search/KeyPoolEvent.ts"
import { storedEvent } from "../support/storedEvent.ts"

const folder = "test/golden/service"
const files = readdirSync(folder).sort()
const unions = [
  KeyPoolEvent,
  HealthNote,
  AlertEvent,
  AccessEvent,
  VerificationEvent,
  ErasureEvent
] as const
const codec = EventCodec.make(Schema.Union(unions))
const metadata = { correlation_id: "", causation_id: "", actor: "" }

const storedIn = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))

describe("stored facts of the service", () => {
  it("are of every kind", () => {
    assert.sameMembers(
      [...new Set(files.map((file) => storedIn(file).type))],
      unions.flatMap(({ cases }) => Object.keys(cases))
    )
  })

  it("tell of every alert", () => {
    assert.sameMembers(
      files.flatMap((file) => storedIn(file).data.alert?._tag ?? []),
      Object.keys(Alert.cases)
    )
  })

  it.effect.each(files)("%s reads and writes the same", (file) =>
    Effect.gen(function*() {
      const { data, schema_version, type } = storedIn(file)
      const event = yield* codec.decode(
        storedEvent({ type, schemaVersion: schema_version, data })
      )
      assert.deepStrictEqual((yield* codec.encode(event, "", metadata)).data, data)
    }))
})
