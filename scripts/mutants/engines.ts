/** Faults of the engines that ask a model. */
import type { Mutant } from "./Mutant.ts"

const researcher = "src/adapters/openai/ChatResearcher.ts"
const judge = "src/adapters/openai/ChatClaimJudge.ts"
const writer = "src/adapters/openai/ChatPackWriter.ts"
const planner = "src/adapters/openai/ChatQueryPlanner.ts"
const gate = "src/adapters/openai/ChatNeedGate.ts"
const embedder = "src/adapters/openai/OpenAiEmbedder.ts"
const embedderTests = ["test/contract/Embedders.test.ts"] as const
const boxTests = ["test/faults/boxedPrompts.test.ts", "test/adapters/ChatEngines.test.ts"] as const
const engineTests = ["test/adapters/ChatEngines.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "researcher-numbers",
    file: researcher,
    text: "source: places[named.source - 1] ?? unknownSource",
    replacement: "source: named.source",
    means: "a module names another source than the model did",
    tests: engineTests
  },
  {
    id: "researcher-whole-pages",
    file: researcher,
    text: "text: text.slice(0, sourceCharsMax)",
    replacement: "text",
    means: "one long page leaves no room for any other source",
    tests: engineTests
  },
  {
    id: "researcher-asks-nothing",
    file: researcher,
    text: `if (block.text === "") {`,
    replacement: `if (block.text === "never") {`,
    means: "a model is paid to read nothing and makes something up",
    tests: engineTests
  },
  {
    id: "judge-unboxed",
    file: judge,
    text: "const boxed = (text: string) => BoxedText.escaped(text, boundary)",
    replacement: "const boxed = (text: string) => text",
    means: "a page closes its box and gives the judge orders",
    tests: boxTests
  },
  {
    id: "judge-translator-told",
    file: judge,
    text: "text: Languages.languageOf(one.text).code",
    replacement: "text: one.text",
    means: "a translator reads what a writer says of the user, and may tell it",
    tests: engineTests
  },
  {
    id: "judge-untranslated",
    file: judge,
    text: "Effect.orElseSucceed(() => new Map<number, string>())",
    replacement: "Effect.map((map) => map)",
    means: "a verdict is lost because a translation is",
    tests: engineTests
  },
  {
    id: "judge-shifted",
    file: judge,
    text: "claims[number - 1]?.claim",
    replacement: "claims[number]?.claim",
    means: "each judgement falls on the next claim",
    tests: engineTests
  },
  {
    id: "judge-invented",
    file: judge,
    text: "return place === undefined ? [] : [{\n        claim: place,",
    replacement: "return [{\n        claim: place ?? 0,",
    means: "a judgement of a claim that nobody made demotes the first",
    tests: engineTests
  },
  {
    id: "judge-endless",
    file: judge,
    text: "whole.length + part.length > claimsCharsMax ? whole",
    replacement: "whole.length + part.length < 0 ? whole",
    means: "many long claims make a prompt that no model takes",
    tests: engineTests
  },
  {
    id: "writer-unknown",
    file: writer,
    text: "sourceIds[source - 1] ?? unknownSource",
    replacement: "sourceIds[source - 1] ?? sourceIds[0] ?? unknownSource",
    means: "a quote of a source that was never given is put on the first",
    tests: engineTests
  },
  {
    id: "writer-shifted",
    file: writer,
    text: "sourceIds[source - 1]",
    replacement: "sourceIds[source]",
    means: "each quote is looked for in another source",
    tests: engineTests
  },
  {
    id: "writer-asks-nothing",
    file: writer,
    text: `if (block.text === "") return yield* nothingToAsk`,
    replacement: "",
    means: "a model writes without a source",
    tests: engineTests
  },
  {
    id: "planner-unsafe",
    file: planner,
    text: ".map(PlanCheck.safe)",
    replacement: "",
    means: "a query that a model wrote leaves with operators and personal data",
    tests: engineTests
  },
  {
    id: "planner-many",
    file: planner,
    text: "proposed.queries.slice(0, queriesReadMax)",
    replacement: "proposed.queries",
    means: "a model that writes a thousand queries holds the service up",
    tests: engineTests,
    equivalent:
      "Only the first few queries of a plan are ever used; the bound saves the reading of the " +
      "others."
  },
  {
    id: "planner-none",
    file: planner,
    text: ": [PlanCheck.fallback(request)]",
    replacement: ": ['']",
    means: "a plan without queries searches for nothing",
    tests: engineTests
  },
  {
    id: "planner-stops-at-once",
    file: planner,
    text: "...(proposed.enough_results > 0",
    replacement: "...(proposed.enough_results >= 0",
    means: "searching ends before the first hit",
    tests: engineTests
  },
  {
    id: "planner-agrees-at-once",
    file: planner,
    text: "...(proposed.agreeing_sources > 0",
    replacement: "...(proposed.agreeing_sources >= 0",
    means: "searching ends before any two sources agree",
    tests: engineTests
  },
  {
    id: "gate-unchecked",
    file: gate,
    text: "return NeedRules.admitted(request, proposed)",
    replacement: "return proposed",
    means: "a model lifts the bound on what a search may cost",
    tests: engineTests
  },
  {
    id: "embedder-uncut",
    file: embedder,
    text: "cut(text, textCharsMax).toWellFormed()",
    replacement: "text",
    means: "one long text fails the whole batch",
    tests: embedderTests
  },
  {
    id: "embedder-dimensions",
    file: embedder,
    text: "...(canShorten.test(model) ? { dimensions } : {})",
    replacement: "dimensions",
    means: "every server but one refuses the question",
    tests: embedderTests
  },
  {
    id: "embedder-order",
    file: embedder,
    text: "Embedding.inTextOrder(decoded.value.data, textsCount, dimensions)",
    replacement:
      "Embedding.inTextOrder(decoded.value.data.map((one, index) => ({ ...one, index })), " +
      "textsCount, dimensions)",
    means: "a text gets the vector of another",
    tests: embedderTests
  },
  {
    id: "embedder-no-fault",
    file: embedder,
    text: `if (Option.isSome(fault)) return yield* failed("refused", fault.value)`,
    replacement: "",
    means: "a blank text is paid for and refused",
    tests: embedderTests
  },
  {
    id: "embedder-any-key",
    file: embedder,
    text: "if (Option.exists(apiKey, (key) => !JsonPost.isSendable(key))) {",
    replacement: "if (false) {",
    means: "a key with a line break in it is sent as another header",
    tests: embedderTests
  },
  {
    id: "embedder-spent",
    file: embedder,
    text: `error.code === "insufficient_quota"`,
    replacement: `error.code === "rate_limited"`,
    means: "an account without money is asked again and again",
    tests: embedderTests
  }
]
