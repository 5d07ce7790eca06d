/**
 * The five tasks of a model against people's labels, by the code of `npm run bench -- models`.
 *
 * Only the sandbox's models are measured here, which shows that good answers are distinguished from
 * bad ones, and the effect of the bad ones. `WG_TEST_LLM=1` also asks the one of the settings.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Measure from "../../bench/models/measure.ts"
import { linesOf } from "../../bench/models/table.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import { modelOf } from "../support/chat.ts"
import { sandbox } from "../support/grounding.ts"

const shareOf = ({ shares }: Measure.Measured, name: string): number => {
  const { held, of } = shares[name] ?? assert.fail(`no figure ${name}`)
  return held / Math.max(1, of)
}

const measured = (name: string) => Effect.flatMap(modelOf(name), Measure.model)

/** The good model is measured once for all tests. */
const good = Effect.gen(function*() {
  const { forget, hits } = yield* SandboxServer.SandboxServer
  yield* forget
  return { report: yield* measured("good"), recent: (yield* hits).recent }
}).pipe(Effect.provide(sandbox))
const goodOnce = Effect.runSync(Effect.cached(good))

describe("a model's tasks, measured", () => {
  it.live("are all done by a good model as people did them", () =>
    Effect.gen(function*() {
      const { recent, report: { gate, judge, researcher, writer } } = yield* goodOnce
      for (const { cost } of [gate, judge, researcher, writer]) {
        assert.deepInclude(cost, { fitting: cost.asked, failures: {} })
        assert.isAtLeast(cost.requests, cost.asked)
        assert.isAbove(cost.promptTokens, cost.completionTokens)
      }
      assert.strictEqual(shareOf(gate, "searches what is to be searched"), 1)
      assert.strictEqual(shareOf(gate, "leaves what is not"), 1)
      assert.strictEqual(shareOf(gate, "region in the first query"), 1)
      assert.strictEqual(shareOf(gate, "queries in a fitting script"), 1)
      assert.strictEqual(shareOf(judge, "same judgement"), 1)
      assert.isAbove(shareOf(writer, "requests answered"), 0.9)
      assert.strictEqual(shareOf(writer, "claims without a quotation"), 0)
      assert.strictEqual(shareOf(writer, "untrue claims told all the same"), 0)
      assert.isAbove(shareOf(researcher, "topics that a source bears"), 0.9)
      assert.strictEqual(recent.every(({ provider }) => provider === "openai"), true)
    }))

  it.live("are distinguished: worse answers have worse figures", () =>
    Effect.gen(function*() {
      const { report: good } = yield* goodOnce
      const mediocre = yield* measured("mediocre")
      const wrong = yield* measured("wrong")
      const figures: ReadonlyArray<readonly [Measure.Task, string]> = [
        ["gate", "leaves what is not"],
        ["judge", "same judgement"],
        ["judge", "lies caught"],
        ["judge", "same bearing on the question"]
      ]
      for (const [task, name] of figures) {
        const [best, middle, worst] = [good, mediocre, wrong].map((one) => shareOf(one[task], name))
        assert.isAbove(best ?? 0, middle ?? 1, name)
        assert.isAbove(middle ?? 0, worst ?? 1, name)
      }
      // It confirms what cannot be true, and is not heard.
      assert.strictEqual(shareOf(wrong.writer, "claims refused by its judge"), 1)
      assert.isBelow(shareOf(good.writer, "claims refused by its judge"), 0.1)
    }).pipe(Effect.provide(sandbox)))

  it.live("are counted as not done where no answer fits", () =>
    Effect.gen(function*() {
      const { gate, judge } = yield* measured("wrong-shape")
      assert.deepInclude(gate.cost, {
        fitting: 0,
        failures: { "malformed wrong_shape": gate.cost.asked },
        requests: 2 * gate.cost.asked
      })
      assert.strictEqual(shareOf(gate, "searches what is to be searched"), 0)
      assert.strictEqual(shareOf(judge, "lies caught"), 0)
    }).pipe(Effect.provide(sandbox)))
})

const isRealAsked = process.env["WG_TEST_LLM"] === "1"

/** What a model must do for its answers to be worth more than the rules'. */
const floors: ReadonlyArray<readonly [Measure.Task, string, number]> = [
  ["gate", "searches what is to be searched", 0.9],
  ["gate", "leaves what is not", 0.6],
  ["gate", "region in the first query", 0.8],
  ["gate", "queries in a fitting script", 0.9],
  ["writer", "requests answered", 0.7],
  ["judge", "lies caught", 0.8],
  ["judge", "truths passed", 0.7],
  ["researcher", "topics that a source bears", 0.5]
]
const fittingMin = 0.9

describe.skipIf(!isRealAsked)("the model of the settings", () => {
  it.live("does the tasks well enough", () =>
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      const model = Option.getOrElse(settings.LLM_MODEL, () => assert.fail("LLM_MODEL is not set"))
      const report = yield* Measure.model(
        yield* ChatModel.make({
          baseUrl: settings.LLM_BASE_URL,
          apiKey: settings.LLM_API_KEY,
          model,
          prices: Option.none()
        })
      )
      const lines = linesOf(model, report, report).join("\n")
      for (const { cost } of Object.values(report)) {
        assert.isAtLeast(cost.fitting / cost.asked, fittingMin, lines)
      }
      for (const [task, name, least] of floors) {
        assert.isAtLeast(shareOf(report[task], name), least, `${task}: ${name}\n${lines}`)
      }
    }).pipe(Effect.provide(Settings.layer)), 3_600_000)
})
