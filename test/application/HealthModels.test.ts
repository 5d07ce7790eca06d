/** The read models of health as the runner sees them: pages of events in, rows of JSON out. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { type LoggedEvent, LogPosition } from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import { readRows } from "../../src/application/projections/ReadRows.ts"
import { SearchHealthModel } from "../../src/application/projections/SessionsModel.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import { attempt } from "../support/attempts.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { called } from "../support/sessionFacts.ts"
import { storedEvent } from "../support/storedEvent.ts"

const metadata = { correlation_id: "", causation_id: "", actor: "" }

const calledOf = (...attempts: ReadonlyArray<Partial<SearchAttempt>>) =>
  Effect.map(
    SessionLog.codec.encode(
      called(0, [], { attempts: attempts.map((fields) => attempt(fields)) }),
      "",
      metadata
    ),
    storedEvent
  )

/** What a page makes of no rows. */
const rowsOf = Effect.fnUntraced(function*(
  { plan }: Projection.Consumer,
  events: ReadonlyArray<LoggedEvent>
) {
  const { fold, keys } = yield* plan(events)
  const rows = Object.fromEntries(yield* fold(new Map<string, Schema.Json>()))
  assert.sameMembers(Object.keys(rows), [...keys])
  return rows
})

const minutes = Projection.consumer(SearchHealthModel)

describe("the health of keys and searches", () => {
  it.effect("counts each attempt of a call once, at its own key and in its own minute", () =>
    Effect.gen(function*() {
      const event = yield* calledOf(
        { started_at: "2026-01-01T00:00:10.000Z", key_slot: 1, status: "timeout" },
        { started_at: "2026-01-01T00:00:20.000Z", key_slot: 1 },
        { started_at: "2026-01-01T00:00:30.000Z", key_slot: 2 },
        { started_at: "2026-01-01T00:01:00.000Z", key_slot: 2 }
      )
      const rows = yield* rowsOf(minutes, [event, event])
      assert.deepStrictEqual(
        Object.entries(rows).map(([key, row]) => [key, Object(row).by_status]).toSorted(),
        [
          ["2026-01-01T00:00Z tavily 1", { timeout: 2, success: 2 }],
          ["2026-01-01T00:00Z tavily 2", { success: 2 }],
          ["2026-01-01T00:01Z tavily 2", { success: 2 }],
          ["~default 2026-01-01T00:00Z tavily", { timeout: 2, success: 4 }],
          ["~default 2026-01-01T00:01Z tavily", { success: 2 }]
        ]
      )
    }))

  it.effect("leaves out what was erased and what other releases recorded", () =>
    Effect.gen(function*() {
      const event = yield* calledOf({ key_slot: 1 })
      const erased = { ...event, data: null, salt: null }
      const unknown = { ...event, type: "WEB_GROUNDING_OF_ANOTHER_RELEASE", data: { odd: true } }
      assert.deepStrictEqual(
        yield* rowsOf(minutes, [erased, unknown, event]),
        yield* rowsOf(minutes, [event])
      )
    }))

  it.effect("names the type of what does not decode, and nothing of its content", () =>
    Effect.gen(function*() {
      const event = yield* calledOf({ key_slot: 1 })
      const odd = { ...event, data: { ...Object(event.data), duration_ms: 170.1234567 } }
      const { problem } = yield* Effect.flip(minutes.plan([odd]))
      assert.match(problem, /^WEB_GROUNDING_CALLED does not decode/)
      assert.notInclude(problem, "1234567")
    }))

  it.effect("says that rows of another shape cannot be read, instead of showing none", () =>
    Effect.gen(function*() {
      const { acquire, commit } = yield* ReadModels
      const lease = yield* acquire({ model: SearchHealthModel.name, version: 1 }, "a")
      const span = { from: "", until: "~", limit: 9 }
      assert.deepStrictEqual(yield* readRows(SearchHealthModel, span), [])
      yield* commit(
        lease,
        { to: LogPosition.make(1n), keys: [] },
        () => Effect.succeed(new Map([["2026", { of: "another shape" }]]))
      )
      const failure = yield* Effect.flip(readRows(SearchHealthModel, span))
      assert.deepInclude(failure, { _tag: "RowsUnreadable", version: 1 })
    }).pipe(Effect.provide(MemoryReadModels.layer)))
})
