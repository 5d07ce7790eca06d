/** The fallback chain of one step: whom it asks, for how long, and what it says of failures. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import {
  type Answers,
  type Engine,
  EngineFailed,
  storable
} from "../../src/application/ports/Engines.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import * as RungWalk from "../../src/application/steps/RungWalk.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { needOf } from "../support/evidencePages.ts"
import { unguarded, whileTimePasses } from "../support/grounding.ts"
import { requestOf } from "../support/sessionFacts.ts"

type Does = "answers" | "breaks" | "hangs" | "refuses"

/** An engine that answers its own name; who was asked is noted. */
const engine = (name: string, does: Does, asked: Array<string> = []): Engine<"planner"> => ({
  info: { engine: name, version: "1" },
  ask: () =>
    Effect.suspend(() => {
      asked.push(name)
      if (does === "hangs") return Effect.never
      if (does === "breaks") throw new RangeError("Maximum call stack size exceeded")
      return does === "answers"
        ? Effect.succeed(planOf(name))
        : Effect.fail(new EngineFailed({ engine: name, reason: "refused", detail: "robots" }))
    })
})
const planOf = (query: string): Answers["planner"] => ({
  queries: [query],
  must_have_evidence: [],
  stop_conditions: []
})
const local: Engine<"planner", never> = {
  info: { engine: "local", version: "1" },
  ask: () => Effect.succeed(planOf("local"))
}
const question = { request: requestOf(), need: needOf("USER_ASKED"), now: "" }

const walkOver = (
  preferred: ReadonlyArray<Engine<"planner">>,
  time: { readonly leftMs: number; readonly timeoutMs: number }
) =>
  RungWalk.walk({ preferred, last: local }, question, {
    read: ({ queries: [query] }) => query,
    time
  }).pipe(Effect.provide(unguarded))

/** Walks such engines within the time; who was asked, and when the walk ended. */
const walked = Effect.fnUntraced(function*(
  preferred: ReadonlyArray<readonly [string, Does]>,
  time: { readonly leftMs: number; readonly timeoutMs: number }
) {
  const asked: Array<string> = []
  const startMs = yield* Clock.currentTimeMillis
  const walk = walkOver(preferred.map(([name, does]) => engine(name, does, asked)), time)
  const { answer, endMs, rung } = yield* whileTimePasses(
    Effect.flatMap(
      walk,
      (done) => Effect.map(Clock.currentTimeMillis, (endMs) => ({ ...done, endMs }))
    ),
    20_000
  )
  return { answer, asked, rung, tookMs: endMs - startMs }
})

const ample = { leftMs: 10_000, timeoutMs: 10_000 }
const hanging = [["one", "hangs"], ["two", "hangs"]] as const

describe("the engines of a step", () => {
  it.effect("are walked past a bug in one of them", () =>
    Effect.gen(function*() {
      const { answer, rung } = yield* walked([["one", "breaks"], ["two", "answers"]], ample)
      assert.strictEqual(answer, "two")
      assert.deepStrictEqual(rung.faults, [
        { engine: "one", reason: "malformed", detail: "crashed" }
      ])
    }))

  it("answer what the log can hold, whatever text they give, and keep offsets in it", () => {
    for (let unit = 0; unit <= 0xffff; unit += unit < 0x100 || unit > 0xd7f0 ? 1 : 97) {
      const text = `a${String.fromCharCode(unit)}b`
      const given = { text, list: [text, { deep: text }], count: 1, none: null }
      const held = storable(given)
      assert.isTrue(Result.isSuccess(canonical(held)), String(unit))
      assert.lengthOf(held.text, text.length)
      const isOdd = unit === 0 || (unit >= 0xd800 && unit <= 0xdfff)
      assert.strictEqual(held.text, isOdd ? "a\uFFFDb" : text)
      assert.deepStrictEqual(held.list, [held.text, { deep: held.text }])
    }
  })

  it.effect("are asked in order until one answers", () =>
    Effect.gen(function*() {
      const { answer, asked, rung } = yield* walked([
        ["one", "refuses"],
        ["two", "answers"],
        ["three", "answers"]
      ], ample)
      assert.strictEqual(answer, "two")
      assert.deepStrictEqual(asked, ["one", "two"])
      assert.deepStrictEqual(rung, {
        engine: "two",
        version: "1",
        faults: [{ engine: "one", reason: "refused", detail: "robots" }]
      })
    }))

  it.effect("have half of the time that is left each, so that one cannot take it all", () =>
    Effect.gen(function*() {
      const { answer, asked, rung, tookMs } = yield* walked(hanging, ample)
      assert.strictEqual(answer, "local")
      assert.deepStrictEqual(asked, ["one", "two"])
      assert.strictEqual(tookMs, ample.leftMs)
      assert.deepStrictEqual(rung.faults, [
        { engine: "one", reason: "timeout" },
        { engine: "two", reason: "timeout" }
      ])
      assert.strictEqual(
        (yield* walked([["one", "hangs"], ["two", "answers"]], ample)).tookMs,
        ample.leftMs / 2
      )
    }))

  it.effect("have no more than an engine's own time, however much is left", () =>
    Effect.gen(function*() {
      const { tookMs } = yield* walked(hanging, { leftMs: 10_000, timeoutMs: 1_000 })
      assert.strictEqual(tookMs, 2_000)
    }))

  it.effect("are not asked when next to no time is left: the local one answers at once", () =>
    Effect.gen(function*() {
      const none = yield* walked(hanging, { leftMs: 199, timeoutMs: 1_000 })
      assert.deepStrictEqual(none.asked, [])
      assert.deepStrictEqual(none.rung, { engine: "local", version: "1", faults: [] })
      const some = yield* walked(hanging, { leftMs: 200, timeoutMs: 1_000 })
      assert.deepStrictEqual(some.asked, ["one"])
    }))

  it.effect("are not asked again in a run where their model timed out, while others are", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const modelled = (name: string, does: Does): Engine<"planner"> => ({
        ...engine(name, does, asked),
        info: { engine: name, version: "1", upstream: `openai ${name}`, model: name }
      })
      const step = whileTimePasses(
        walkOver([modelled("one", "hangs"), modelled("two", "refuses")], ample),
        20_000
      )
      const run = Effect.andThen(step, step)
      yield* Effect.provideService(run, RungWalk.ModelsTimedOut, undefined)
      assert.deepStrictEqual(asked.splice(0), ["one", "two", "one", "two"])
      const { rung } = yield* Effect.provideService(run, RungWalk.ModelsTimedOut, new Set<string>())
      assert.deepStrictEqual(asked, ["one", "two", "two"])
      assert.deepStrictEqual(rung.faults[0], {
        engine: "one",
        reason: "timeout",
        detail: "resting"
      })
    }))

  it.effect("have their models' use reported, also of one that failed", () =>
    Effect.gen(function*() {
      const spending = (one: Engine<"planner">): Engine<"planner"> => ({
        ...one,
        ask: (question) =>
          Effect.andThen(
            Effect.flatMap(
              UsageMeter,
              (add) => add({ model: "m", prompt_tokens: 10, completion_tokens: 1, requests: 1 })
            ),
            one.ask(question)
          )
      })
      const { rung } = yield* walkOver(
        [spending(engine("one", "refuses")), spending(engine("two", "answers"))],
        ample
      )
      assert.deepInclude(rung.usage, { prompt_tokens: 20, completion_tokens: 2, requests: 2 })
    }))
})
