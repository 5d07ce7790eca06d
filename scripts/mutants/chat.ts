/** Faults of the exchange with a chat model. */
import type { Mutant } from "./Mutant.ts"

const asked = "src/adapters/openai/AskedRequest.ts"
const stream = "src/adapters/openai/ChatStream.ts"
const answer = "src/adapters/openai/ChatAnswer.ts"
const fault = "src/adapters/openai/ChatFault.ts"
const model = "src/adapters/openai/ChatModel.ts"
const request = "src/adapters/openai/ChatRequest.ts"
const habits = "src/adapters/openai/ServerHabits.ts"
const json = "src/adapters/openai/JsonText.ts"
const answerTests = ["test/adapters/ChatAnswer.test.ts"] as const
const modelTests = ["test/contract/ChatModel.test.ts"] as const
const exchangeTests = ["test/contract/ChatExchange.test.ts"] as const
const engineTests = ["test/adapters/ChatEngines.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "serve-without-its-model",
    file: "src/adapters/cli/ServerCommands.ts",
    text: "model: Option.getOrUndefined(model),",
    replacement: "",
    means: "a service goes by rule though it was told to think with a model",
    tests: ["test/e2e/servedModel.test.ts"]
  },
  {
    id: "sandbox-leaves-models-in-silence",
    file: "src/wiring/layers.ts",
    text: "left.length > 0",
    replacement: "left.length > modelSettings.length",
    means: "an operator believes that the model of the settings wrote what rules wrote",
    tests: ["test/e2e/servedModel.test.ts"]
  },
  {
    id: "model-sees-oldest-facts",
    file: asked,
    text: "known_facts.slice(-factsMax)",
    replacement: "known_facts.slice(0, factsMax)",
    means: "a model is told what was known first, not what was learnt last",
    tests: engineTests
  },
  {
    id: "stream-cut-whole",
    file: stream,
    text: `first.length === 0 || (finish === undefined && !data.includes("[DONE]"))`,
    replacement: "first.length === 0",
    means: "half an answer is taken for the whole",
    tests: answerTests
  },
  {
    id: "stream-done-only",
    file: stream,
    text: `(finish === undefined && !data.includes("[DONE]"))`,
    replacement: `!data.includes("[DONE]")`,
    means: "whole answers of many servers are thrown away",
    tests: answerTests
  },
  {
    id: "stream-always-stops",
    file: stream,
    text: `finish_reason: finish ?? "stop"`,
    replacement: `finish_reason: "stop"`,
    means: "an answer that ran out of tokens is taken for the whole",
    tests: answerTests
  },
  {
    id: "stream-all-choices",
    file: stream,
    text: "choices.slice(0, 1)",
    replacement: "choices",
    means: "two answers are mixed into one",
    tests: answerTests
  },
  {
    id: "stream-first-usage",
    file: stream,
    text: "usage: chunks.findLast(",
    replacement: "usage: chunks.slice(0, 1).findLast(",
    means: "what a streamed answer cost is not known",
    tests: answerTests
  },
  {
    id: "answer-refusal",
    file: answer,
    text: `if (typeof refused === "string" && refused.trim() !== "") return ` +
      "Result.fail(ChatFault.refusal)",
    replacement: "",
    means: "a model's refusal is taken for an answer",
    tests: answerTests
  },
  {
    id: "answer-filtered",
    file: answer,
    text: `if (finish_reason === "content_filter") return Result.fail(ChatFault.filtered)`,
    replacement: "",
    means: "what a filter cut off is taken for the whole",
    tests: answerTests
  },
  {
    id: "answer-length",
    file: answer,
    text: `if (finish_reason === "length") return Result.fail(ChatFault.tokensSpent)`,
    replacement: "",
    means: "an answer without its end is taken for the whole",
    tests: answerTests
  },
  {
    id: "answer-tokens-swapped",
    file: answer,
    text: "promptTokens: Option.map(decodePrompt(usage), ({ prompt_tokens }) => prompt_tokens)",
    replacement: "promptTokens: Option.map(decodeCompletion(usage), ({ completion_tokens }) => " +
      "completion_tokens)",
    means: "what an answer cost is reckoned wrongly",
    tests: answerTests
  },
  {
    id: "answer-any-name",
    file: answer,
    text: "Option.some(model.trim().slice(0, modelCharsMax))",
    replacement: "Option.some(model)",
    means: "a server writes as much as it likes into the log by its model's name",
    tests: answerTests
  },
  {
    id: "answer-error-untold",
    file: answer,
    text: "onSome: ChatFault.ofError",
    replacement: "onSome: () => ChatFault.notJson",
    means: "an overloaded server is told as one that answers nonsense",
    tests: answerTests
  },
  {
    id: "fault-quota",
    file: fault,
    text: `/quota|billing|credit/i.test(\`\${code} \${message}\`)`,
    replacement: "/quota|billing|credit/i.test(message)",
    means: "an account without money is asked again and again",
    tests: answerTests
  },
  {
    id: "fault-limit",
    file: fault,
    text: "if (status === 429) return Option.some(limitOf(error))",
    replacement: "",
    means: "a server that asks for patience is told as one that refuses for good",
    tests: answerTests
  },
  {
    id: "fault-2xx",
    file: fault,
    text: "if (status >= 200 && status < 300) return Option.none<ChatFault>()",
    replacement: "if (status === 200) return Option.none<ChatFault>()",
    means: "answers with 201 are thrown away",
    tests: answerTests
  },
  {
    id: "fault-redirect",
    file: fault,
    text: `status >= 300 && status < 400
    ? Option.some`,
    replacement: `status > 301 && status < 400
    ? Option.some`,
    means: "a wrong address is told as a refusal",
    tests: answerTests
  },
  {
    id: "model-asks-once",
    file: model,
    text: "const second = valueOf(task, yield* complete(complained(task, said, first.failure)))",
    replacement: "const second = first",
    means: "an answer that nearly fits costs the whole step",
    tests: modelTests
  },
  {
    id: "model-complains-empty",
    file: model,
    text: `    ...task.messages,
    { role: "assistant"`,
    replacement: `    { role: "assistant"`,
    means: "a model is asked to correct an answer without the question",
    tests: modelTests
  },
  {
    id: "model-forgets-habits",
    file: model,
    text: "if (Result.isSuccess(answer.text)) yield* Ref.set(remembered, habits)",
    replacement: "",
    means: "each question is refused first, and paid for twice",
    tests: modelTests
  },
  {
    id: "model-learns-guesses",
    file: model,
    text: "if (Option.isSome(better) && lessonsLeft > 0) {",
    replacement: `if (Option.isSome(better) && lessonsLeft > 0) {
          yield* Ref.set(remembered, better.value)`,
    means: "a guess at a refusal degrades every later question",
    tests: exchangeTests
  },
  {
    id: "model-learns-for-ever",
    file: model,
    text: "return yield* from(better.value, lessonsLeft - 1)",
    replacement: "return yield* from(better.value, lessonsLeft)",
    means: "a server that refuses everything is asked without end",
    tests: exchangeTests,
    equivalent:
      "Each lesson takes a step from which none leads back, and there are no more steps than " +
      "lessons."
  },
  {
    id: "model-any-key",
    file: model,
    text: "/^[\\x21-\\x7e]*$/.test(text)",
    replacement: "/^/.test(text)",
    means: "a key with a line break in it is sent as another header",
    tests: modelTests
  },
  {
    id: "model-cut",
    file: model,
    text: `if (body._tag === "Cut") return yield* failed(ChatFault.cutOff)`,
    replacement: "",
    means: "an answer that the line cut off is told as nonsense",
    tests: exchangeTests
  },
  {
    id: "model-too-large",
    file: model,
    text: `if (body._tag === "TooLarge") return yield* failed(ChatFault.tooLarge)`,
    replacement: "",
    means: "a body beyond the ceiling is told as nonsense",
    tests: modelTests
  },
  {
    id: "model-uncharged",
    file: model,
    text: "yield* charge(options, answer)",
    replacement: "",
    means: "nobody knows what the models cost",
    tests: modelTests
  },
  {
    id: "model-cost-swapped",
    file: model,
    text: "prompt * prices.prompt + completion * prices.completion",
    replacement: "prompt * prices.completion + completion * prices.prompt",
    means: "what a session cost is told wrongly",
    tests: modelTests
  },
  {
    id: "model-keyless-header",
    file: model,
    text: `Option.filter(key, (text) => text !== "")`,
    replacement: "key",
    means: "a local server without keys refuses an empty one",
    tests: exchangeTests
  },
  {
    id: "model-double-slash",
    file: model,
    text: `\${baseUrl.replace(/\\/+$/, "")}/chat/completions`,
    replacement: `\${baseUrl}/chat/completions`,
    means: "an address with a slash at its end leads nowhere",
    tests: exchangeTests
  },
  {
    id: "request-no-schema",
    file: request,
    text: `messages: habits.format === "json_schema" ? task.messages : withSchema(task)`,
    replacement: "messages: task.messages",
    means: "a server that cannot hold to a schema is never told it",
    tests: engineTests
  },
  {
    id: "request-warm",
    file: request,
    text: "...(habits.takesTemperature ? { temperature: 0 } : {})",
    replacement: "...(habits.takesTemperature ? { temperature: 1 } : {})",
    means: "the same question is decided by chance",
    tests: engineTests
  },
  {
    id: "request-lax",
    file: request,
    text: "strict: true",
    replacement: "strict: false",
    means: "a server writes fields that nobody asked for",
    tests: engineTests
  },
  {
    id: "habits-length",
    file: habits,
    text: `if (ofLength.test(\`\${error.code} \${about}\`)) return Option.none()`,
    replacement: "",
    means: "a prompt that was too long turns the schema off for all that follow",
    tests: modelTests
  },
  {
    id: "habits-any-status",
    file: habits,
    text: "if (![400, 404, 415, 422, 500, 501].includes(status)) return Option.none()",
    replacement: "",
    means: "a rate limit that names a field turns that field off",
    tests: engineTests
  },
  {
    id: "habits-tokens",
    file: habits,
    text: `asked.tokensField === "max_tokens"`,
    replacement: "asked.takesTemperature",
    means: "a server that takes no ceiling at all is asked in a circle",
    tests: engineTests
  },
  {
    id: "json-thoughts",
    file: json,
    text: `text.replace(thought, "")`,
    replacement: "text",
    means: "what a model thought aloud is taken for its answer",
    tests: modelTests
  },
  {
    id: "json-fence",
    file: json,
    text: "[said, ...fenced, outer]",
    replacement: "[said, outer]",
    means: "an answer among fences of other things is lost",
    tests: modelTests
  },
  {
    id: "json-array",
    file: json,
    text: "Schema.Record(Schema.String, Schema.Unknown)",
    replacement: "Schema.Unknown",
    means: "a list or a number is taken for the object that was asked for",
    tests: modelTests
  }
]
