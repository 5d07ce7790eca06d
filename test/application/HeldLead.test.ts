/** A run holds one lead at a time, and releases a lead that it does not use. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fold } from "../../src/application/log/CommandHandler.ts"
import { CoalesceSearch } from "../../src/application/sharing/CoalesceSearch.ts"
import * as CallSearch from "../../src/application/steps/CallSearch.ts"
import * as Deadline from "../../src/application/steps/Deadline.ts"
import { SearchWeb } from "../../src/application/steps/SearchWeb.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { ids } from "../../src/wiring/Storage.ts"
import { instance, plain } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { called, callStarted, decided, planned, requested } from "../support/sessionFacts.ts"

/** Each caller gets the lead of the search named after its query. */
const everybodyLeads = (released: Array<string>) =>
  Layer.succeed(
    CoalesceSearch,
    CoalesceSearch.of({
      turn: (tenantId, { query }) =>
        Effect.succeed({
          _tag: "Leads",
          lead: { key: { tenantId, key: query } }
        }),
      release: ({ key }) => Effect.sync(() => void released.push(key.key)),
      isLed: () => Effect.succeed(true),
      bearable: () => Effect.undefined
    })
  )

const unasked = Layer.succeed(
  SearchWeb,
  SearchWeb.of({ durationMsMax: 10_000, search: () => Effect.die("nothing is sent here") })
)

const searchAfter = (...facts: ReadonlyArray<SessionEvent>) => {
  const past = [requested(), decided(), planned(["one", "two"]), ...facts]
  const step = NextStep.next(fold(Session, past), "r")
  return step._tag === "Search" ? step : assert.fail(step._tag)
}

describe("the lease of a search", () => {
  it.effect("is given back when a twin elsewhere made the search, before the next one", () => {
    const released: Array<string> = []
    return Effect.gen(function*() {
      const calls = yield* CallSearch.make("t")
      const deadline = Deadline.ofArrival(0, 30_000)
      yield* calls.open(searchAfter(), deadline)
      assert.deepStrictEqual(released, [])
      yield* calls.open(searchAfter(callStarted(), called()), deadline)
      assert.deepStrictEqual(released, ["one"])
      yield* calls.close
      assert.deepStrictEqual(released, ["one", "two"])
    }).pipe(Effect.provide(
      Layer.mergeAll(
        everybodyLeads(released),
        unasked,
        plain,
        ids,
        instance("p1", false),
        MemoryEventStore.layer
      )
    ))
  })
})
