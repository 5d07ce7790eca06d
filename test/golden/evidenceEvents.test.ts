/** Every shape a fact of the evidence store was stored in still reads and writes the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as CollectEvidence from "../../src/application/evidence/CollectEvidence.ts"
import { logStart } from "../../src/application/ports/EventStore.ts"
import * as EvidenceRecord from "../../src/domain/store/EvidenceEvent.ts"
import { EvidenceEvent } from "../../src/domain/store/EvidenceEvent.ts"
import { scenario } from "../support/scenario.ts"

const folder = "test/golden/evidence"
const files = readdirSync(folder).sort()
const metadata = { correlation_id: "", causation_id: "", actor: "" }

const decoded = (file: string) => {
  const { data, schema_version, type } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))
  return CollectEvidence.codec.decode({
    eventId: "",
    streamId: "",
    version: 1,
    position: logStart,
    type,
    schemaVersion: schema_version,
    data,
    metadata,
    recordedAt: "",
    salt: "",
    payloadDigest: "",
    hash: ""
  })
}

describe("stored facts of the evidence store", () => {
  it("are of every kind", () => {
    const types = files.map((file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")).type)
    assert.sameMembers([...new Set(types)], Object.keys(EvidenceEvent.cases))
  })

  it.effect.each(files)("%s reads and writes the same", (file) =>
    Effect.gen(function*() {
      const event = yield* decoded(file)
      const { data } = yield* CollectEvidence.codec.encode(event, "", metadata)
      assert.deepStrictEqual(data, JSON.parse(readFileSync(`${folder}/${file}`, "utf8")).data)
    }))

  it.effect("are recorded once", () =>
    Effect.gen(function*() {
      const [collected, , promoted, , removed, reported, withdrawn] = yield* Effect.forEach(
        files,
        decoded
      )
      assert.isDefined(reported)
      assert.isDefined(withdrawn)
      assert.isDefined(collected)
      assert.isDefined(promoted)
      assert.isDefined(removed)
      const { given } = scenario(EvidenceRecord)
      given().when(collected).then(collected)
      given(collected).when(promoted).then(promoted)
      given(collected).when(removed).then(removed)
      given(collected, removed).when(collected).then(collected)
      given().when(reported).then(reported)
      given(reported).when(reported).then()
      given().when(withdrawn).then()
      given(reported, withdrawn).when(reported).then(reported)
      given(collected).when(collected).then()
    }))
})
