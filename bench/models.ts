/**
 * A model against answers and verdicts that people wrote, task by task.
 *
 * `npm run bench -- models` asks the model of the settings (`LLM_MODEL`, `LLM_BASE_URL`,
 * `LLM_API_KEY`); without `LLM_MODEL` the sandbox's good, mediocre, wrong and hostile one, without a
 * key and without a network. Names as further arguments are models of the same server.
 *
 * `npm run bench -- models recorded [PERSONA...]` reads and assembles recorded answers instead,
 * `npm run bench -- models tokens [PERSONA]` counts what they cost, as recorded and today.
 */
import { Effect, Option } from "effect"
import { kinds } from "../packages/sandbox/src/chat/WrittenAnswers.ts"
import * as SandboxServer from "../packages/sandbox/src/SandboxServer.ts"
import * as ChatModel from "../src/adapters/openai/ChatModel.ts"
import * as Settings from "../src/infrastructure/Settings.ts"
import * as Measure from "./models/measure.ts"
import * as Recorded from "./models/recorded.ts"
import { linesOf } from "./models/table.ts"
import * as Tokens from "./models/tokens.ts"

const named = process.argv.slice(3)
/** `recorded`: answers that models gave before, read and assembled as today. */
const isRecorded = named[0] === "recorded"

const run = Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const played = (model: string): ChatModel.ChatModelOptions => ({
    baseUrl: `${baseUrl}/v1`,
    apiKey: Option.none(),
    model,
    prices: Option.none()
  })
  const real = (model: string): ChatModel.ChatModelOptions => ({
    baseUrl: settings.LLM_BASE_URL,
    apiKey: settings.LLM_API_KEY,
    model,
    prices: Option.none()
  })
  const chosen = Option.match(settings.LLM_MODEL, {
    onNone: () => (named.length > 0 ? named : kinds).map(played),
    onSome: (model) => (named.length > 0 ? named : [model]).map(real)
  })
  // The first run of all compiles what the later ones use.
  yield* Measure.model(yield* ChatModel.make(played("good")))
  const control = yield* Measure.model(yield* ChatModel.make(played("good")))
  for (const options of chosen) {
    const report = yield* Measure.model(yield* ChatModel.make(options))
    for (const line of linesOf(options.model, report, control)) console.log(line)
  }
})

if (named[0] === "tokens") {
  for (const line of await Effect.runPromise(Tokens.tokens(named[1] ?? "good"))) console.log(line)
} else if (isRecorded) {
  const personas = named.length > 1 ? named.slice(1) : ["good"]
  const unheard = personas.map((persona) => Effect.runSync(Recorded.unheard(persona)))
  for (const line of [...Recorded.taken(), ...personas.flatMap(Recorded.packs), ...unheard]) {
    console.log(line)
  }
} else {
  await Effect.runPromise(
    run.pipe(Effect.provide([Settings.layer, SandboxServer.layer({ port: 0 })]))
  )
}
