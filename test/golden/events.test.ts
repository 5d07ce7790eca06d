/** Every shape an event was ever stored in still decodes, folds and encodes to the same bytes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import type { StoredEvent } from "../../src/application/ports/EventStore.ts"
import { logStart } from "../../src/application/ports/EventStore.ts"
import * as SessionLog from "../../src/application/SessionLog.ts"
import { fold } from "../../src/domain/Decider.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { SessionEvent } from "../../src/domain/session/SessionEvent.ts"

const folder = "test/golden/events"

interface Golden {
  readonly type: string
  readonly schema_version: number
  readonly data: StoredEvent["data"]
}

const golden = (file: string): Golden => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))

const files = readdirSync(folder).sort()

const stored = ({ data, schema_version, type }: Golden): StoredEvent => ({
  eventId: "00000000-0000-5000-8000-000000000000",
  streamId: "00000000-0000-7000-8000-000000000000",
  version: 1,
  position: logStart,
  type,
  schemaVersion: schema_version,
  data,
  metadata: { correlation_id: "", causation_id: "", actor: "" },
  recordedAt: "2026-01-01T00:00:00.000Z",
  salt: "",
  payloadDigest: "",
  hash: ""
})

const decode = (file: string) => SessionLog.codec.decode(stored(golden(file)))

describe("stored events", () => {
  it.effect.each(files)(
    "%s decodes and encodes to what was stored",
    (file) =>
      Effect.gen(function*() {
        const event = yield* decode(file)
        const again = yield* SessionLog.codec.encode(event, "", stored(golden(file)).metadata)
        assert.deepStrictEqual(again.data, golden(file).data)
      })
  )

  it.effect("of one session fold to a finished grounding", () =>
    Effect.gen(function*() {
      const events = yield* Effect.forEach(
        [
          "requested",
          "decided",
          "query_planned",
          "call_started",
          "called",
          "evidence_read",
          "evidence_ranked",
          "pack_created"
        ].map((name) => `${name}.v1.json`),
        decode
      )
      assert.strictEqual(NextStep.next(fold(Session, events), "r1")._tag, "Finish")
    }))

  it("have a golden file for every tag", () => {
    const tags = new Set(Object.keys(SessionEvent.cases))
    assert.deepStrictEqual(new Set(files.map((file) => golden(file).type)), tags)
  })

  it.effect("of a kind nobody knows are told as unreadable, not lost", () =>
    Effect.gen(function*() {
      const unknown = stored({ type: "WEB_GROUNDING_DREAMT", schema_version: 1, data: {} })
      const failure = yield* Effect.flip(SessionLog.codec.decode(unknown))
      assert.deepInclude(failure, { _tag: "EventUnreadable", type: "WEB_GROUNDING_DREAMT" })
      const erased = yield* Effect.flip(SessionLog.codec.decode({ ...unknown, data: null }))
      assert.strictEqual(erased._tag, "EventErased")
    }))
})
