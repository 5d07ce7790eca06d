/** A run's own results, and answers from outside, on their way into the log. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import type { Engine } from "../../src/application/ports/Engines.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import { PackCache } from "../../src/application/sharing/SharePacks.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import {
  caller,
  changed,
  instance,
  limits,
  providers,
  scripted,
  slow
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const asked = {
  session_id: "s",
  request_id: "r",
  topic: "How much is a tram ticket in Halvern?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: 20_000
} as const
const answer = answerWith([hit("https://a.example/", {
  source_class: "primary",
  content: "The tram ticket costs 2.80 crowns since March 2026 in Halvern."
})])

/** A process whose appends are recorded, each with its types. */
const process = (options: {
  readonly gate?: Engine<"gate">
  readonly searchMs?: number
  /** What looking for another session's answer waits for. */
  readonly looksAround?: Effect.Effect<void>
}) => {
  const appends: Array<ReadonlyArray<string>> = []
  const log = changed(EventStore, (store) => ({
    append: (head, events) => {
      appends.push(events.map(({ type }) => type.replace("WEB_GROUNDING_", "")))
      return store.append(head, events)
    }
  })).pipe(Layer.provideMerge(MemoryEventStore.layer))
  const { gate, looksAround } = options
  const engines = gate === undefined
    ? Engines.local
    : Engines.layer({ gate: [gate] })
  const packs = Layer.succeed(PackCache, {
    ...PackCache.none,
    isOn: looksAround !== undefined,
    find: () => Effect.as(looksAround ?? Effect.void, undefined)
  })
  const search = slow(scripted(answer), options.searchMs ?? 0)
  const layer = useCasesWith(engines).pipe(
    Layer.provide(Layer.mergeAll(providers(search), instance("p1"), limits(), packs)),
    Layer.provideMerge(log)
  )
  return { appends, layer }
}

const ground = Effect.flatMap(PublicApi, ({ ground }) => ground(asked, caller))

const worked = [["REQUESTED", "DECIDED", "QUERY_PLANNED"], ["CALL_STARTED"]]
const answered = ["EVIDENCE_READ", "EVIDENCE_RANKED", "PACK_CREATED", "FINISHED"]

describe("the record of a run", () => {
  it.effect("holds what was worked out before each search, the search, and the rest, in four appends", () => {
    const { appends, layer } = process({})
    return Effect.gen(function*() {
      yield* ground
      assert.deepStrictEqual(appends, [...worked, ["CALLED"], answered])
    }).pipe(Effect.provide(layer))
  })

  it.effect("holds the search before it is sent", () => {
    const { appends, layer } = process({ searchMs: 1_000 })
    return Effect.gen(function*() {
      const running = yield* Effect.forkChild(ground)
      yield* timePasses("500 millis")
      assert.deepStrictEqual(appends, worked)
      yield* timePasses("1 second")
      yield* Fiber.join(running)
    }).pipe(Effect.provide(layer))
  })

  it.effect("holds the request before a model is asked, and its answer before it is used", () => {
    const seen: Array<ReadonlyArray<ReadonlyArray<string>>> = []
    const { appends, layer } = process({
      gate: {
        info: { engine: "model", version: "1", model: "m" },
        ask: (request) =>
          Effect.andThen(
            Effect.sync(() => seen.push([...appends])),
            LocalEngines.gate.ask(request)
          )
      }
    })
    return Effect.gen(function*() {
      yield* ground
      assert.deepStrictEqual(seen, [[["REQUESTED"]]])
      assert.deepStrictEqual(appends, [
        ["REQUESTED"],
        ["DECIDED"],
        ["QUERY_PLANNED"],
        ["CALL_STARTED"],
        ["CALLED"],
        answered
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("holds the gate's further queries without what is private, and plans by them", () => {
    const known = "The rent is paid by Orlin Vask from account Q77-4431."
    const { layer } = process({
      gate: {
        info: { engine: "model", version: "1", model: "m" },
        ask: (request) =>
          Effect.map(LocalEngines.gate.ask(request), (need) => ({
            ...need,
            need_search: true,
            max_queries: 3,
            queries: [
              "Halvern tram fare 2026",
              "Halvern tram Orlin Vask",
              "Q77-4431 Halvern",
              "Halvern tram, kim@example.org"
            ]
          }))
      }
    })
    return Effect.gen(function*() {
      const api = yield* PublicApi
      yield* api.ground({ ...asked, known_facts: [known] }, caller)
      const events = yield* Stream.runCollect((yield* EventStore).all(logStart))
      const dataOf = (name: string) =>
        JSON.stringify(events.find(({ type }) => type === `WEB_GROUNDING_${name}`)?.data)
      assert.include(dataOf("DECIDED"), "[\"Halvern tram fare 2026\",")
      assert.include(dataOf("QUERY_PLANNED"), "Halvern tram fare 2026")
      assert.notMatch(dataOf("DECIDED") + dataOf("QUERY_PLANNED"), /Orlin|4431|kim@/)
      yield* replays()
    }).pipe(Effect.provide(layer))
  })

  it.effect("holds what was worked out soon, when the next step takes long", () => {
    const { appends, layer } = process({ looksAround: Effect.sleep("1 second") })
    return Effect.gen(function*() {
      const running = yield* Effect.forkChild(ground)
      yield* timePasses("200 millis")
      const soon = [...appends]
      yield* timePasses("10 seconds")
      yield* Fiber.join(running)
      assert.deepStrictEqual(soon, [["REQUESTED"]])
      assert.deepStrictEqual(appends, [
        ...soon,
        ["DECIDED", "QUERY_PLANNED"],
        ["CALL_STARTED"],
        ["CALLED"],
        answered
      ])
    }).pipe(Effect.provide(layer))
  })
})
