/** Every shape an event was ever stored in still decodes, folds and encodes to the same bytes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import type { StoredEvent } from "../../src/application/ports/EventStore.ts"
import { KnownProvider } from "../../src/domain/search/SearchStatus.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { SessionEvent, sessionUpcasters } from "../../src/domain/session/SessionEvent.ts"
import { storedEvent } from "../support/storedEvent.ts"

const folder = "test/golden/events"

interface Golden {
  readonly type: string
  readonly schema_version: number
  readonly data: StoredEvent["data"]
}

const golden = (file: string): Golden => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))

const files = readdirSync(folder).sort()

const stored = ({ data, schema_version, type }: Golden): StoredEvent =>
  storedEvent({ data, schemaVersion: schema_version, type })

const decode = (file: string) => SessionLog.codec.decode(stored(golden(file)))

describe("stored events", () => {
  const encode = (event: SessionEvent) =>
    SessionLog.codec.encode(event, "", { correlation_id: "", causation_id: "", actor: "" })

  it.effect.each(files)(
    "%s decodes, and encodes to what was stored or to a later shape",
    (file) =>
      Effect.gen(function*() {
        const event = yield* decode(file)
        const { data, schemaVersion } = yield* encode(event)
        assert.isAtLeast(schemaVersion, golden(file).schema_version)
        if (schemaVersion === golden(file).schema_version) {
          assert.deepStrictEqual(data, golden(file).data)
        }
        const again = { ...golden(file), schema_version: schemaVersion, data }
        assert.deepStrictEqual(yield* SessionLog.codec.decode(stored(again)), event)
      })
  )

  it.effect.each([...KnownProvider.literals, "added_later"])(
    "name the provider %s, which a reader keeps also where it cannot ask it",
    (provider) =>
      Effect.gen(function*() {
        const named = files.filter((file) => JSON.stringify(golden(file)).includes(`"mock"`))
        assert.includeMembers(named, ["called.v1.json", "evidence_read.v1.json"])
        for (const file of named) {
          const text = JSON.stringify(golden(file)).replaceAll(`"mock"`, `"${provider}"`)
          const renamed: Golden = JSON.parse(text)
          const { data } = yield* encode(yield* SessionLog.codec.decode(stored(renamed)))
          assert.include(JSON.stringify(data), `"${provider}"`, file)
          if (provider !== "mock") assert.notInclude(JSON.stringify(data), `"mock"`, file)
        }
      })
  )

  it.effect.each(["", "Tavily", "two words", "x".repeat(41), "a\nb"])(
    "do not name %j, which no release has for a provider",
    (provider) =>
      Effect.gen(function*() {
        const called = golden("called.v1.json")
        const text = JSON.stringify(called).replaceAll(`"mock"`, JSON.stringify(provider))
        const failure = yield* Effect.flip(SessionLog.codec.decode(stored(JSON.parse(text))))
        assert.strictEqual(failure._tag, "EventUnreadable")
      })
  )

  it("have a golden file for every version of every type", () => {
    const versions = Object.keys(SessionEvent.cases).flatMap((type) =>
      Array.from(
        { length: 1 + (sessionUpcasters[type]?.length ?? 0) },
        (_, index) => `${type} ${index + 1}`
      )
    )
    const kept = files.map((file) => `${golden(file).type} ${golden(file).schema_version}`)
    assert.deepStrictEqual(versions.filter((version) => !kept.includes(version)), [])
  })

  it.effect("of a version that a later release wrote are reported as unreadable", () =>
    Effect.gen(function*() {
      const later = { ...golden("requested.v2.json"), schema_version: 3 }
      const failure = yield* Effect.flip(SessionLog.codec.decode(stored(later)))
      assert.deepInclude(failure, { _tag: "EventUnreadable", type: "WEB_GROUNDING_REQUESTED" })
    }))

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
      assert.strictEqual(NextStep.next(fold(Session, events), "r1")._tag, "Conclude")
      const finished = [...events, yield* decode("finished.v1.json")]
      assert.strictEqual(NextStep.next(fold(Session, finished), "r1")._tag, "Finish")
    }))

  it("have a golden file for every tag", () => {
    const tags = new Set(Object.keys(SessionEvent.cases))
    assert.deepStrictEqual(new Set(files.map((file) => golden(file).type)), tags)
  })

  it.effect("of an unknown kind are reported as unreadable, not lost", () =>
    Effect.gen(function*() {
      const unknown = stored({ type: "WEB_GROUNDING_DREAMT", schema_version: 1, data: {} })
      const failure = yield* Effect.flip(SessionLog.codec.decode(unknown))
      assert.deepInclude(failure, { _tag: "EventUnreadable", type: "WEB_GROUNDING_DREAMT" })
      const erased = yield* Effect.flip(SessionLog.codec.decode({ ...unknown, data: null }))
      assert.strictEqual(erased._tag, "EventErased")
    }))
})
