/** What the command line prints of hostile ids, titles and questions: nothing that is obeyed. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Schema } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { TestConsole } from "effect/testing"
import * as Cli from "../../src/adapters/cli/Cli.ts"
import * as Terminal from "../../src/adapters/cli/terminal/Terminal.ts"
import { GroundQuestion } from "../../src/application/GroundQuestion.ts"
import { ProjectionRunner } from "../../src/application/projections/ProjectionRunner.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { logger } from "../../src/infrastructure/Redaction.ts"
import * as TerminalText from "../../src/infrastructure/TerminalText.ts"
import { commandsOver } from "../support/commands.ts"
import { askedRequest, caller, inMemory, providers, scripted } from "../support/grounding.ts"
import { QueryReadModels, sentApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const secondLine = "\nSession other: identical"
const screenCleared = "\u001b[2J\u001b[H"
const hiddenLink = "\u001b]8;;https://evil.example/\u0007click\u001b]8;;\u0007"
const windowTitle = "\u001b]0;owned\u0007"
const concealed = "\u001b[8mhidden"
const oneByteEscape = "\u009b2J\u009d0;owned\u009c"
const reordered = "\u202egnp.exe\u202c \u2066x\u2069 \u200f"
const invisible = "a\u200b\u00ad\u{e0041}\ufeffb\u007f\u0008"
const attack = [
  screenCleared,
  hiddenLink,
  windowTitle,
  concealed,
  oneByteEscape,
  reordered,
  invisible
].join(" ")

/** What a terminal obeys, reorders or does not show. */
const obeyed = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}]--[\n\t]]/gv
const obeyedIn = (text: string) => text.match(obeyed) ?? []

const id = { session_id: `s ${attack}${secondLine}`, request_id: `r ${attack}${secondLine}` }
const topic = `How much notice must a tenant give? ${attack}`
const answer = answerWith([hit("https://housing.gov.example/notice", {
  official: true,
  title: `Notice ${attack}`,
  content: "A tenant must give one month's notice before moving out of an ordinary flat."
})])

/** The command line over a log in memory that holds a session under the hostile ids. */
const commandLine = Effect.gen(function*() {
  const context = yield* Layer.build(inMemory(providers(scripted(answer))))
  const api = sentApi(Context.get(context, PublicApi))
  const inProcess = commandsOver({
    Ground: (input, report = () => Effect.void) => api.ground(input, caller, report),
    GetSession: (input) => api.session(input, caller),
    GetSessionTimeline: (input) =>
      Effect.orDie(Context.get(context, ProjectionRunner).catchUp).pipe(
        Effect.andThen(QueryReadModels),
        Effect.flatMap(({ timeline }) => timeline(input, caller)),
        Effect.provide(context)
      ),
    GetPack: (input) => api.pack(input, caller),
    ReplaySession: (input) => api.replay(input, caller),
    GetHealth: (input) => api.health(input, "deployment")
  })
  const request = yield* Schema.decodeUnknownEffect(GroundingRequest)({
    ...askedRequest,
    ...id,
    topic
  })
  yield* Effect.provide(
    Effect.flatMap(GroundQuestion, ({ ground }) => ground(request, caller, () => Effect.void)),
    context
  )
  return (args: ReadonlyArray<string>) =>
    Cli.run(inProcess, "0")(args).pipe(
      Effect.catch(Cli.printFailure),
      Effect.provide([NodeServices.layer, Cli.presenter])
    )
})

const printed = Effect.gen(function*() {
  const lines = [...(yield* TestConsole.logLines), ...(yield* TestConsole.errorLines)]
  return lines.map(String).join("\n")
})

const commands: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["session", ["session", id.session_id]],
  ["session --json", ["session", id.session_id, "--json"]],
  ["replay", ["replay", id.session_id]],
  ["replay --json", ["replay", id.session_id, "--json"]],
  ["pack", ["pack", id.session_id, id.request_id]],
  ["pack --json", ["pack", id.session_id, id.request_id, "--json"]],
  ["ground", ["ground", topic, "--session", "other"]],
  ["health", ["health"]],
  ["ground with a hostile session", ["ground", topic, "--session", id.session_id]],
  ["a session that is not there", ["session", attack]],
  ["a mistyped command", [`${attack}x`]],
  ["a mistyped flag", ["ground", topic, `--${attack}`]]
]

describe("what the command line prints", () => {
  it.live.each(commands)("of %s is obeyed by no terminal", ([, args]) =>
    Effect.gen(function*() {
      const run = yield* commandLine
      yield* Effect.provide(run(args), Terminal.layer)
      const text = yield* printed
      assert.isAbove(text.length, 20)
      assert.deepStrictEqual(obeyedIn(text), [])
      if (args[0] !== "ground") assert.notMatch(text, /^Session other/m)
    }).pipe(Effect.scoped, Effect.provide(TestConsole.layer)))

  it.live("shows the escapes, and would obey them through the plain console", () =>
    Effect.gen(function*() {
      const run = yield* commandLine
      const list = run(["session", id.session_id])
      yield* Effect.provide(list, Terminal.layer)
      assert.include(yield* printed, "\\u001b[2J")
      yield* list
      assert.isAbove(obeyedIn(yield* printed).length, 80)
    }).pipe(Effect.scoped, Effect.provide(TestConsole.layer)))

  it.live("as JSON is the same value as without escapes", () =>
    Effect.gen(function*() {
      const run = yield* commandLine
      const json = run(["pack", id.session_id, id.request_id, "--json"])
      yield* Effect.provide(json, Terminal.layer)
      yield* json
      const [safe = "", raw = ""] = (yield* TestConsole.logLines).map(String)
      assert.notStrictEqual(safe, raw)
      assert.deepStrictEqual(JSON.parse(safe), JSON.parse(raw))
      assert.include(JSON.stringify(JSON.parse(safe)), "\u009b")
    }).pipe(Effect.scoped, Effect.provide(TestConsole.layer)))

  it.live("keeps our own styles where the terminal shows colours, and no other code", () =>
    Effect.gen(function*() {
      const run = yield* commandLine
      const coloured = { canColor: true, canAnimate: false, canPrompt: false }
      yield* run(["session", id.session_id]).pipe(
        Effect.provide(Terminal.layer),
        Effect.provideService(TerminalCapabilities.TerminalCapabilities, coloured)
      )
      const text = yield* printed
      assert.isTrue(text.startsWith("\u001b[1mSession s \\u001b[2J"))
      assert.deepStrictEqual(obeyedIn(text.replaceAll(/\u001b\[[012]m/g, "")), [])
    }).pipe(Effect.scoped, Effect.provide(TestConsole.layer)))
})

describe("a log line", () => {
  it.effect("holds nothing that a terminal obeys, in words, annotations and failures", () =>
    Effect.gen(function*() {
      yield* Effect.logError("failed", new Error(attack), attack.replaceAll(" ", "")).pipe(
        Effect.annotateLogs({ session_id: attack.replaceAll(" ", "") }),
        Effect.provide(Logger.layer([logger([])]))
      )
      const lines = (yield* TestConsole.errorLines).map(String)
      assert.lengthOf(lines, 1)
      assert.deepStrictEqual(obeyedIn(lines.join()), [])
      assert.include(lines.join(), "\\u009b2J")
    }))
})

describe("escaping", () => {
  it("changes nothing that is safe, and is done once", () => {
    const safe = "Zwei\tSpalten,\n한국어 日本語 العربية हिन्दी é 🙂 \\u001b"
    assert.strictEqual(TerminalText.plainText(safe), safe)
    const once = TerminalText.plainText(attack)
    assert.strictEqual(TerminalText.plainText(once), once)
    const lone = String.fromCharCode(0xd800)
    assert.strictEqual(TerminalText.plainText(`${lone}\u{e0041}`), "\\ud800\\udb40\\udc41")
  })
})
