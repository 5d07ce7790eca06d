/** Recorded chat completions of many servers through the adapter. The set is not committed. */
import { assert, describe, it } from "@effect/vitest"
import * as ChatAnswer from "@web-grounding/dialects/ChatAnswer"
import { Effect, Option, Result, Schema } from "effect"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import { shapeOf } from "../../src/adapters/openai/ChatModel.ts"
import { optionsAt, task } from "../support/chat.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { linesOf, recordingsOf } from "../support/recordings.ts"

const { bodyOf, directory, recordings } = recordingsOf("openai_compat")
const cutsPerBody = 20

const Features = Schema.fromJsonString(
  Schema.Struct({ id: Schema.String, features: Schema.Array(Schema.String) })
)
const featuresById = new Map(
  linesOf(`${directory}/index.jsonl`).map((line) => Schema.decodeUnknownSync(Features)(line))
    .map(({ features, id }) => [id, features] as const)
)

/** Takes any object, so that a cut body could pass if anything let it. */
const anyObject = Schema.Struct({ never: Schema.optionalKey(Schema.String) })

const isChat = ({ endpoint = "" }: { readonly endpoint?: string }) =>
  /\/chat\/completions$/.test(endpoint)

/** Exactly one of the three, by the adapter's own reading. */
const readingOf = (status: number, body: string): "answer" | "refusal" | "failure" => {
  const refused = ChatAnswer.ofStatus(status, ChatAnswer.errorOf(body))
  if (Option.isSome(refused)) return "failure"
  const { text } = ChatAnswer.readAnswer(body)
  if (Result.isSuccess(text)) return "answer"
  return text.failure.detail === "refusal" ? "refusal" : "failure"
}

/** What the features do not show: another protocol's body, streamed tool calls, a refusal. */
const expectedById: Readonly<Record<string, "answer" | "refusal" | "failure">> = {
  "pa-3bc33381-0": "failure",
  "pa-2ee00549-1": "failure",
  "lg-cff0d098-0": "failure",
  // Completions of an older model have their text in the choice.
  "lg-3082c1f9-11": "answer",
  "lg-3082c1f9-13": "answer",
  "oapy-stream-569c877e": "refusal"
}
const content = /"content":\s?"[^"]/

/** What the set says of a body. */
const expectedOf = (
  { body_file, endpoint = "", id, status }: (typeof recordings)[number]
): "answer" | "refusal" | "failure" => {
  const known = expectedById[id]
  if (known !== undefined) return known
  const features = featuresById.get(id) ?? []
  const has = (name: string) => features.includes(name)
  if ((status ?? 200) !== 200 || !isChat({ endpoint }) || has("error")) return "failure"
  if (has("tool_calls") && !content.test(bodyOf(body_file))) return "failure"
  if (has("nonjson") || has("finish:length")) return "failure"
  return "answer"
}

describe.skipIf(recordings.length === 0)("recorded chat completions", () => {
  it("are each an answer, a refusal or a typed failure, as the set says", () => {
    const counts = { answer: 0, refusal: 0, failure: 0 }
    const odd: Array<string> = []
    for (const recording of recordings) {
      const reading = readingOf(recording.status ?? 200, bodyOf(recording.body_file))
      counts[reading] += 1
      if (reading !== expectedOf(recording)) odd.push(`${recording.id} ${reading}`)
    }
    assert.strictEqual(counts.answer + counts.refusal + counts.failure, recordings.length)
    assert.deepStrictEqual(odd, [])
    assert.deepStrictEqual(counts, { answer: 93, refusal: 1, failure: 62 })
  })

  it.live("come so over the wire, and a body cut anywhere invents nothing", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      const model = yield* ChatModel.make(optionsAt(baseUrl, "any"))
      const shape = shapeOf("any", anyObject)
      const read = Effect.result(model.ask({ ...task, shape }))
      let cuts = 0
      let answers = 0
      for (const { body_file } of recordings.filter(isChat)) {
        const body = bodyOf(body_file)
        yield* say({ body, contentType: "application/json" })
        const whole = yield* read
        if (whole._tag === "Success") answers += 1
        if (whole._tag === "Failure") assert.isDefined(whole.failure.reason)
        for (let n = 0; n < cutsPerBody; n++) {
          const part = body.slice(0, Math.trunc((body.length * n) / cutsPerBody))
          const { text } = ChatAnswer.readAnswer(part)
          cuts += 1
          // A stream may lack its last, empty events and still be whole.
          if (Result.isSuccess(text)) assert.deepStrictEqual(text, ChatAnswer.readAnswer(body).text)
        }
      }
      assert.isAbove(answers, 20)
      assert.strictEqual(cuts, recordings.filter(isChat).length * cutsPerBody)
    }))
})
