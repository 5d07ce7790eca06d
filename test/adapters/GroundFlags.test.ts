/** Each flag of `ground` reaches what it is about, and changes nothing else. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestConsole } from "effect/testing"
import * as Cli from "../../src/adapters/cli/Cli.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import { commands, commandsOver } from "../support/commands.ts"
import { caller, inMemory, providers, scripted } from "../support/grounding.ts"
import { sentApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const topic = "How much notice must a tenant give?"
const provider = scripted(answerWith([hit("https://housing.gov.example/notice", {
  official: true,
  content: "A tenant must give one month's notice before moving out of an ordinary flat."
})]))

/** What a command line asks for: the input, how the application is built, the form. */
const askedBy = (...flags: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const context = yield* Layer.build(inMemory(providers(provider)))
    const api = sentApi(Context.get(context, PublicApi))
    const asked: Record<string, unknown> = {}
    const wiring = commandsOver({
      Ground: (input, report = () => Effect.void) => {
        asked["input"] = input
        return api.ground(input, caller, report)
      }
    }, (options) => {
      asked["application"] = options
    })
    yield* Cli.run(wiring, "0")(["ground", topic, ...flags]).pipe(
      Effect.provide(NodeServices.layer)
    )
    const printed = (yield* TestConsole.logLines).join("\n")
    return { ...asked, isJson: printed.startsWith("{") }
  }).pipe(Effect.scoped, Effect.provide(TestConsole.layer))

/** The same without a flag: the session alone is given, which else is a fresh one. */
const input = {
  topic,
  session_id: "s",
  tier: "standard",
  phase: "mid_chat",
  user_asked_for_facts: true
}
const plain = { input, application: { mock: false, model: undefined }, isJson: false }
const asking = (fields: object) => ({ ...plain, input: { ...input, ...fields } })
const fixing = (overrides: object) => asking({ overrides })

const cases: Readonly<Record<string, readonly [flags: ReadonlyArray<string>, asks: object]>> = {
  session: [[], plain],
  request: [["--request", "r"], asking({ request_id: "r" })],
  tier: [["--tier", "premium"], asking({ tier: "premium" })],
  phase: [["--phase", "session_setup"], asking({ phase: "session_setup" })],
  question: [["--question", "And in Osaka?"], asking({ user_question: "And in Osaka?" })],
  fact: [["--fact", "a", "--fact", "b"], asking({ known_facts: ["a", "b"] })],
  slot: [["--slot", "rent"], asking({ unknown_required_slots: ["rent"] })],
  template: [["--template", "lease"], asking({ template_id: "lease" })],
  "realism-blocked": [["--realism-blocked"], asking({ realism_blocked: true })],
  consent: [["--consent"], asking({ consent_raw_content: true })],
  answer: [["--answer", "short"], asking({ answer: "short" })],
  wording: [["--wording", "verbatim"], asking({ wording: "verbatim" })],
  country: [["--country", "JP"], asking({ region: { country: "JP" } })],
  city: [
    ["--country", "JP", "--city", "Kyoto"],
    asking({ region: { country: "JP", city: "Kyoto" } })
  ],
  locale: [["--locale", "ko"], asking({ locale: "ko" })],
  "deadline-ms": [["--deadline-ms", "60000"], asking({ deadline_ms: 60_000 })],
  sandbox: [["--sandbox"], { ...plain, application: { mock: true, model: undefined } }],
  query: [["--query", "notice", "--query", "lease"], fixing({ queries: ["notice", "lease"] })],
  "max-queries": [["--max-queries", "1"], fixing({ max_queries: 1 })],
  depth: [["--depth", "advanced"], fixing({ search_depth: "advanced" })],
  field: [["--field", "news"], fixing({ topic: "news" })],
  within: [["--within", "week"], fixing({ time_range: "week" })],
  "published-from": [["--published-from", "2026-03-01"], fixing({ published_from: "2026-03-01" })],
  "published-until": [
    ["--published-until", "2026-03-31"],
    fixing({ published_until: "2026-03-31" })
  ],
  "include-domain": [["--include-domain", "a.example"], fixing({ include_domains: ["a.example"] })],
  "exclude-domain": [["--exclude-domain", "b.example"], fixing({ exclude_domains: ["b.example"] })],
  stored: [["--stored"], fixing({ sources: "store" })],
  collect: [["--collect"], asking({ allow_collecting: true })],
  model: [["--model", "good"], { ...plain, application: { mock: false, model: "good" } }],
  json: [["--json"], { ...plain, isJson: true }]
}

const flagsIn = (help: string): ReadonlyArray<string> => {
  const [, own = ""] = /^FLAGS\n((?: .*\n)+)/m.exec(help) ?? []
  return Array.from(own.matchAll(/^ +--([a-z-]+)/gm), ([, flag = ""]) => flag)
}

describe("the flags of ground", () => {
  it.live("each have a case below", () =>
    Effect.gen(function*() {
      yield* Cli.run(commands, "0")(["ground", "--help"]).pipe(Effect.provide(NodeServices.layer))
      const help = (yield* TestConsole.logLines).join("\n")
      assert.sameMembers([...flagsIn(help)], Object.keys(cases))
    }).pipe(Effect.provide(TestConsole.layer)))

  it.live.each(Object.entries(cases))(
    "--%s reaches what it is about, and nothing else",
    ([, [flags, asks]]) =>
      Effect.gen(function*() {
        assert.deepEqual(yield* askedBy("--session", "s", ...flags), asks)
      })
  )
})
