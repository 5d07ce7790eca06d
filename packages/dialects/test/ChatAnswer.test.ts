/** Bodies of chat completions, whole and in parts, read without a server. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as ChatAnswer from "../src/ChatAnswer.ts"

const chunk = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`

const delta = (content: string, finish_reason: string | null = null): string =>
  chunk({ model: "m-1", choices: [{ delta: { content }, finish_reason }] })

const parts = [delta("{\"need\""), delta(": true"), delta("}")]
const usage = chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } })
const done = "data: [DONE]\n\n"

const textOf = (body: string) => ChatAnswer.readAnswer(body).text
const whole = Result.succeed("{\"need\": true}")

describe("an answer that comes in parts", () => {
  it("is put together in their order, with model and tokens", () => {
    const answer = ChatAnswer.readAnswer([...parts, delta("", "stop"), usage, done].join(""))
    assert.deepStrictEqual(answer, {
      text: whole,
      promptTokens: Option.some(7),
      completionTokens: Option.some(3),
      model: Option.some("m-1")
    })
  })

  it("is whole by a reason to finish, or by the last line alone", () => {
    assert.deepStrictEqual(textOf([...parts, delta("", "stop")].join("")), whole)
    assert.deepStrictEqual(textOf([...parts, done].join("")), whole)
  })

  it("is no answer where it was cut, though its text would fit", () => {
    for (let count = 1; count <= parts.length; count++) {
      const body = parts.slice(0, count).join("")
      assert.deepStrictEqual(textOf(body), Result.fail(ChatAnswer.cutOff))
    }
    assert.deepStrictEqual(textOf([...parts, usage].join("")), Result.fail(ChatAnswer.cutOff))
  })

  it("is no answer where its only part was cut within a line", () => {
    const body = delta("{}", "stop")
    assert.deepStrictEqual(textOf(body.slice(0, -8)), Result.fail(ChatAnswer.cutOff))
  })

  it("keeps the reason for which it ended", () => {
    assert.deepStrictEqual(
      textOf([...parts, delta("", "length"), done].join("")),
      Result.fail(ChatAnswer.tokensSpent)
    )
    assert.deepStrictEqual(
      textOf([...parts, delta("", "content_filter"), done].join("")),
      Result.fail(ChatAnswer.filtered)
    )
  })

  it("is a refusal, or a call of tools, where its parts say so", () => {
    const refusal = chunk({ choices: [{ delta: { refusal: "I cannot." }, finish_reason: "stop" }] })
    assert.deepStrictEqual(textOf(refusal), Result.fail(ChatAnswer.refusal))
    const tools = chunk({
      choices: [{ delta: { tool_calls: [{ id: "t" }] }, finish_reason: "tool_calls" }]
    })
    assert.deepStrictEqual(textOf(tools), Result.fail(ChatAnswer.onlyTools))
  })

  it("takes the first of several choices, and skips comments and names of events", () => {
    const two = chunk({
      choices: [
        { delta: { content: "first" }, finish_reason: "stop" },
        { delta: { content: "second" }, finish_reason: "stop" }
      ]
    })
    assert.deepStrictEqual(
      textOf(`: waiting\r\nevent: message\r\n${two}`),
      Result.succeed("first")
    )
  })
})

const body = (choice: object, fields: object = {}): string =>
  JSON.stringify({ choices: [choice], ...fields })

describe("an answer that comes whole", () => {
  it.each([
    ["an answer", { message: { content: "yes" }, finish_reason: "stop" }, undefined],
    ["an answer in parts", { message: { content: [{ text: "y" }, { text: "es" }] } }, undefined],
    [
      "an answer behind thoughts",
      { message: { content: [{ type: "thinking", thinking: [] }, { type: "text", text: "yes" }] } },
      undefined
    ],
    [
      "an answer taken for thoughts",
      { message: { content: null, reasoning_content: "yes" }, finish_reason: "stop" },
      undefined
    ],
    [
      "an answer beside thoughts",
      { message: { content: "yes", reasoning_content: "no" } },
      undefined
    ],
    ["an answer of an older model", { text: "yes", finish_reason: "stop" }, undefined],
    ["an answer with an empty error", { message: { content: "yes" }, error: null }, undefined],
    ["a refusal", { message: { content: "yes", refusal: "No." } }, ChatAnswer.refusal],
    ["an empty refusal", { message: { content: "yes", refusal: " " } }, undefined],
    [
      "what a filter stopped",
      { message: { content: "yes" }, finish_reason: "content_filter" },
      ChatAnswer.filtered
    ],
    [
      "what ran out of tokens",
      { message: { content: "yes" }, finish_reason: "length" },
      ChatAnswer.tokensSpent
    ],
    ["nothing", { message: { content: " " } }, ChatAnswer.empty],
    ["a call of tools", { message: { tool_calls: [{}] } }, ChatAnswer.onlyTools],
    ["no message", {}, ChatAnswer.empty]
  ])("is read as what it is: %s", (_, choice, fault) => {
    assert.deepStrictEqual(
      textOf(body(choice)),
      fault === undefined ? Result.succeed("yes") : Result.fail(fault)
    )
  })

  it("is read in an envelope, and as the object that it holds", () => {
    const whole = body({ message: { content: "yes" } })
    for (const wrapped of [`[${whole}]`, `{"success":true,"result":${whole}}`]) {
      assert.deepStrictEqual(textOf(wrapped), Result.succeed("yes"))
    }
    assert.isTrue(Result.isFailure(textOf(`[${whole},${whole}]`)))
    const object = { need_search: true }
    assert.deepStrictEqual(
      textOf(body({ message: { content: object } })),
      Result.succeed(JSON.stringify(object))
    )
  })

  it("is reported with each number that the server gives, and with no other", () => {
    const message = { message: { content: "yes" } }
    const tokens = (usage: unknown) => {
      const { completionTokens, promptTokens } = ChatAnswer.readAnswer(body(message, { usage }))
      return [promptTokens, completionTokens].map(Option.getOrUndefined)
    }
    assert.deepStrictEqual(tokens({ prompt_tokens: 3, completion_tokens: 4 }), [3, 4])
    assert.deepStrictEqual(tokens({ prompt_tokens: 3 }), [3, undefined])
    assert.deepStrictEqual(tokens({ prompt_tokens: "3", completion_tokens: 4 }), [undefined, 4])
    assert.deepStrictEqual(tokens({ prompt_tokens: -3, completion_tokens: 0.5 }), [
      undefined,
      undefined
    ])
    assert.deepStrictEqual(tokens(null), [undefined, undefined])
  })

  it("is reported with a model's name that is short and not blank", () => {
    const named = (model: unknown) =>
      Option.getOrUndefined(
        ChatAnswer.readAnswer(body({ message: { content: "y" } }, { model })).model
      )
    assert.strictEqual(named(" m-1 "), "m-1")
    assert.strictEqual(named("m".repeat(1_000))?.length, 100)
    assert.isUndefined(named(" "))
    assert.isUndefined(named(7))
  })
})

describe("what is no answer", () => {
  it.each([
    ["", ChatAnswer.notJson],
    ["<html>", ChatAnswer.notJson],
    ["{\"choices\": []}", ChatAnswer.notJson],
    ["{\"error\": {\"code\": 503}}", Option.getOrThrow(ChatAnswer.ofStatus(503, Option.none()))],
    ["{\"error\": \"no\"}", ChatAnswer.ofError({ message: "no", code: "", param: "" })]
  ])("%s is told by its fault", (text, fault) => {
    assert.deepStrictEqual(textOf(text), Result.fail(fault))
  })
})

const failure = { message: "Slow down", code: 429 }
const message = { role: "assistant", content: "half an ans" }

describe("an error in an answer's body", () => {
  it.each([
    ["an object", { error: failure }],
    ["a list of one", [{ error: failure }]],
    ["a choice", { choices: [{ message, error: failure }] }],
    ["a choice that ended by it", {
      error: failure,
      choices: [{ message, finish_reason: "error" }]
    }],
    ["beside no choice", { error: failure, choices: [] }],
    ["beside an empty one", { error: failure, choices: [{ message: { content: "" } }] }],
    ["a list of errors", { errors: [failure] }],
    ["a detail", { detail: failure }],
    ["an error in a detail", { detail: { error: failure } }],
    ["flat fields", { object: "error", ...failure }],
    ["a status in words", { error: { message: "Slow down", status: "RESOURCE_EXHAUSTED" } }]
  ])("is read where it stands: %s", (_, sent) => {
    const sentStream = chunk(sent)
    for (const body of [JSON.stringify(sent), sentStream, `${parts[0]}${sentStream}`]) {
      const { detail } = Result.getOrThrow(Result.flip(textOf(body)))
      assert.strictEqual(detail, "rate_limited", body)
    }
  })

  it.each([
    ["{\"detail\":\"Not Found\"}", { message: "Not Found", code: "", param: "" }],
    [
      "{\"detail\":[{\"loc\":[\"body\",\"max_tokens\"],\"msg\":\"extra\",\"type\":\"forbidden\"}]}",
      { message: "extra", code: "forbidden", param: "body.max_tokens" }
    ],
    [
      "{\"object\":\"error\",\"message\":{\"detail\":[{\"loc\":[\"body\",\"top_p\"],\"msg\":\"out of range\"}]}}",
      { message: "out of range", code: "", param: "body.top_p" }
    ]
  ])("holds what the server said: %s", (body, said) => {
    assert.deepStrictEqual(Option.getOrUndefined(ChatAnswer.errorOf(body)), said)
  })

  const deep = (opening: string, closing: string) =>
    `${opening.repeat(50_000)}1${closing.repeat(50_000)}`
  it.each([
    ["lists", deep("[", "]")],
    ["choices", deep("{\"choices\":", "}")],
    ["errors", deep("{\"error\":", "}")],
    ["a message", `{"error":{"message":${deep("[", "]")}}}`]
  ])("is sought however deep the body is: %s", (_, text) => {
    assert.isTrue(Option.isOption(ChatAnswer.errorOf(text)))
  })

  it.each([["{}"], ["{\"error\":null}"], ["[]"], ["7"], ["<html>"], [
    body({ message, error: null })
  ]])("is none in %s", (text) => assert.isTrue(Option.isNone(ChatAnswer.errorOf(text))))
})

describe("a refusal by status", () => {
  const error = (fields: object) => ChatAnswer.errorOf(JSON.stringify({ error: fields }))
  const none = Option.none()
  it.each([
    [200, none, undefined],
    [299, none, undefined],
    [301, none, "redirect"],
    [400, none, "bad_request"],
    [401, none, "invalid_key"],
    [402, none, "quota_exhausted"],
    [403, none, "forbidden"],
    [404, none, "not_found"],
    [408, none, "upstream_timeout"],
    [413, none, "bad_request"],
    [418, none, "upstream_4xx"],
    [429, none, "rate_limited"],
    [429, error({ code: "insufficient_quota" }), "quota_exhausted"],
    [429, error({ message: "Check your billing details." }), "quota_exhausted"],
    [429, error({ message: "Slow down." }), "rate_limited"],
    [500, none, "upstream_5xx"],
    [529, none, "upstream_5xx"]
  ])("%s is told by its fault", (status, told, detail) => {
    const fault = ChatAnswer.ofStatus(status, told)
    assert.strictEqual(Option.getOrUndefined(fault)?.detail, detail)
  })
})
