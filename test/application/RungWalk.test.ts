/** The fallback chain of one step: whom it asks, for how long, and what it says of failures. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import { EngineFailed, storable } from "../../src/application/ports/Engines.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import * as RungWalk from "../../src/application/steps/RungWalk.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { unguarded, whileTimePasses } from "../support/grounding.ts"

type Does = "answers" | "breaks" | "hangs" | "refuses"

const engine = (name: string, does: Does) => ({ info: { engine: name, version: "1" }, does })
const local = engine("local", "answers")

/** Walks such engines within the time; who was asked, and when the walk ended. */
const walked = Effect.fnUntraced(function*(
  preferred: ReadonlyArray<ReturnType<typeof engine>>,
  time: { readonly leftMs: number; readonly timeoutMs: number }
) {
  const asked: Array<string> = []
  const startMs = yield* Clock.currentTimeMillis
  const walk = Effect.provide(unguarded)(RungWalk.walk(
    { preferred, last: local },
    ({ does, info }) =>
      Effect.suspend(() => {
        asked.push(info.engine)
        if (does === "hangs") return Effect.never
        if (does === "breaks") throw new RangeError("Maximum call stack size exceeded")
        return does === "answers"
          ? Effect.succeed(info.engine)
          : Effect.fail(
            new EngineFailed({ engine: info.engine, reason: "refused", detail: "robots" })
          )
      }),
    ({ info }) => Effect.succeed(info.engine),
    time
  ))
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
const hanging = ["one", "two"].map((name) => engine(name, "hangs"))

describe("the engines of a step", () => {
  it.effect("are walked past a bug in one of them", () =>
    Effect.gen(function*() {
      const { answer, rung } = yield* walked(
        [engine("one", "breaks"), engine("two", "answers")],
        ample
      )
      assert.strictEqual(answer, "two")
      assert.deepStrictEqual(rung.faults, [
        { engine: "one", reason: "malformed", detail: "crashed" }
      ])
    }))

  it("answer what the log can hold, whatever text they give, and keep places in it", () => {
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
        engine("one", "refuses"),
        engine("two", "answers"),
        engine("three", "answers")
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
      const [first, second] = [engine("one", "hangs"), engine("two", "answers")]
      assert.strictEqual((yield* walked([first, second], ample)).tookMs, ample.leftMs / 2)
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

  it.effect("have what their models used told, also of one that failed", () =>
    Effect.gen(function*() {
      const spending = (tokens: number, then: Effect.Effect<string, EngineFailed>) =>
        Effect.andThen(
          Effect.flatMap(
            UsageMeter,
            (add) => add({ model: "m", prompt_tokens: tokens, completion_tokens: 1, requests: 1 })
          ),
          then
        )
      const fails = Effect.fail(new EngineFailed({ engine: "one", reason: "malformed" }))
      const { rung } = yield* RungWalk.walk(
        { preferred: [engine("one", "refuses"), engine("two", "answers")], last: local },
        ({ info }) => spending(10, info.engine === "one" ? fails : Effect.succeed("two")),
        () => Effect.succeed("local"),
        ample
      ).pipe(Effect.provide(unguarded))
      assert.deepInclude(rung.usage, { prompt_tokens: 20, completion_tokens: 2, requests: 2 })
    }))
})
