/** Each flag of `research` and `outline` reaches what it is about, and changes nothing else. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestConsole } from "effect/testing"
import * as Cli from "../../src/adapters/cli/Cli.ts"
import { ResearchTopic } from "../../src/application/ResearchTopic.ts"
import { commandsOver } from "../support/commands.ts"
import { caller, inMemory, providers, scripted } from "../support/grounding.ts"
import { sentTopic } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const title = "Tenant notice"
const provider = scripted(answerWith([hit("https://housing.gov.example/notice", {
  title,
  content: "A tenant gives notice. A tenant's notice is given in writing. It is notice of a tenant."
})]))

/** What a command line asks for, and what it prints. */
const askedBy = (command: "research" | "outline", ...flags: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const context = yield* Layer.build(inMemory(providers(provider)))
    const topic = sentTopic(Context.get(context, ResearchTopic))
    const asked: Array<unknown> = []
    const wiring = commandsOver({
      Research: (input) => {
        asked.push(input)
        return topic.research(input, caller)
      },
      Outline: (input) => {
        asked.push(input)
        return topic.outline(input, caller)
      }
    })
    yield* Cli.run(wiring, "0")([command, title, "--session", "s", ...flags]).pipe(
      Effect.provide(NodeServices.layer)
    )
    return { input: asked[0], printed: (yield* TestConsole.logLines).join("\n") }
  }).pipe(Effect.scoped, Effect.provide(TestConsole.layer))

const plain = { course_title: title, session_id: "s" }

describe("research", () => {
  it.live.each<readonly [ReadonlyArray<string>, object]>([
    [[], {}],
    [["--request", "r"], { request_id: "r" }],
    [["--audience", "nurses"], { audience_category: "nurses" }],
    [["--depth", "advanced"], { depth_requirement: "advanced" }],
    [["--mode", "workshop"], { learning_mode: "workshop" }],
    [["--search-budget", "1"], { search_budget: 1 }],
    [["--min-results", "4"], { min_results: 4 }],
    [["--confidence-threshold", "0.9"], { confidence_threshold: 0.9 }],
    [["--web", "skip"], { mode: "skip" }]
  ])("is asked with %j", ([flags, fields]) =>
    Effect.gen(function*() {
      for (const command of ["research", "outline"] as const) {
        const { input } = yield* askedBy(command, ...flags)
        assert.deepStrictEqual(input, { ...plain, ...fields })
      }
    }))

  it.live("prints the band, and why", () =>
    Effect.gen(function*() {
      const { printed } = yield* askedBy("research")
      assert.match(printed, /^Tenant notice: confidence 0\.11 \(not usable\)\nWhy: Searches: /)
      assert.match(printed.replace(/\s+/g, " "), /fewer than the 2 wanted, all of one site/)
      const enough = yield* askedBy("research", "--json")
      assert.strictEqual(JSON.parse(enough.printed).is_usable, false)
    }))
})
