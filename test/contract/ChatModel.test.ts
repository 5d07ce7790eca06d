import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Option, Result, Schema } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import { metered, modelOf, optionsAt, task } from "../support/chat.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { untilClosed } from "./acceptanceTable.ts"

const faults: ReadonlyArray<readonly [model: string, reason: string, detail: string]> = [
  ["truncated", "truncated", "length"],
  ["refusing", "refused", "refusal"],
  ["filtered", "refused", "content_filter"],
  ["empty", "malformed", "empty"],
  ["garbage", "malformed", "wrong_shape"],
  ["wrong-shape", "malformed", "wrong_shape"],
  ["error-in-200", "unreachable", "upstream_5xx"],
  ["error-in-choice", "refused", "rate_limited"],
  ["error-in-list", "refused", "quota_exhausted"],
  ["not-found", "refused", "not_found"],
  ["unheard-of", "refused", "not_found"],
  ["limited", "refused", "rate_limited"],
  ["broken", "unreachable", "upstream_5xx"],
  ["echo", "refused", "invalid_key"]
]

describe("a chat model", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    /** Answer, charges, and the requests that reached the server. */
    const askedOf = (name: string, times = 1) =>
      Effect.gen(function*() {
        const { forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const model = yield* modelOf(name)
        const asked = yield* metered(Effect.replicateEffect(model.ask(task), times))
        return { ...asked, sent: (yield* hits).recent.map(({ body }) => Object(body)) }
      })

    it.effect.each(["good", "fences", "thinking", "thinking-aloud", "parts", "stream"])(
      "%s answers at once",
      (name) =>
        Effect.gen(function*() {
          const { charged, result, sent } = yield* askedOf(name)
          assert.deepStrictEqual(result, yield* Effect.result(Effect.succeed([answer])))
          assert.lengthOf(sent, 1)
          assert.strictEqual(charged[0]?.model, name)
          assert.isAbove(charged[0]?.prompt_tokens ?? 0, 0)
        })
    )

    it.effect.each(
      [
        ["object-only", ["json_schema", "json_object", "json_object"]],
        ["object-only-in-list", ["json_schema", "json_object", "json_object"]],
        ["words-only", ["json_schema", "json_object", undefined, undefined]],
        ["new-fields", ["json_schema", "json_schema", "json_schema", "json_schema"]]
      ] as const
    )(
      "%s is asked in another way, which is remembered",
      ([name, formats]) =>
        Effect.gen(function*() {
          const { result, sent } = yield* askedOf(name, 2)
          assert.strictEqual(result._tag, "Success")
          assert.deepStrictEqual(sent.map((body) => body.response_format?.type), [...formats])
        })
    )

    it.effect("one that does not fit is sent back once, with the complaint", () =>
      Effect.gen(function*() {
        const { charged, result, sent } = yield* askedOf("repaired")
        assert.strictEqual(result._tag, "Success")
        assert.lengthOf(sent, 2)
        const [, , said, complaint] = sent[1].messages
        assert.deepStrictEqual(said, { role: "assistant", content: "{\"answer\": 42}" })
        assert.match(complaint.content, /need_search/)
        assert.match(complaint.content, /topic/)
        assert.lengthOf(charged, 2)
      }))

    it.effect("a server that does not hold to the schema gets it from then on", () =>
      Effect.gen(function*() {
        const { sent } = yield* askedOf("repaired", 2)
        const isTold = ({ messages: [system] }: { messages: ReadonlyArray<{ content: string }> }) =>
          system?.content.includes("JSON Schema, named search_need") === true
        assert.deepStrictEqual(sent.map(isTold), [false, ...sent.slice(1).map(() => true)])
        const held = yield* askedOf("good", 2)
        assert.isFalse(held.sent.some(isTold))
      }))

    it.effect.each(faults)(
      "%s fails as %s, %s",
      ([name, reason, detail]) =>
        Effect.gen(function*() {
          const { result, sent } = yield* askedOf(name)
          assert.strictEqual(result._tag, "Failure")
          if (result._tag === "Failure") {
            assert.deepStrictEqual([result.failure.reason, result.failure.detail], [reason, detail])
            assert.notMatch(JSON.stringify(result.failure), /llm-sandbox|Certainly|perhaps/)
          }
          assert.lengthOf(sent, detail === "wrong_shape" ? 2 : 1)
        })
    )

    it.effect("what it costs is reckoned from the tokens", () =>
      Effect.gen(function*() {
        const { charged } = yield* askedOf("good")
        const { completion_tokens = 0, cost_micros, prompt_tokens = 0 } = charged[0] ?? {}
        assert.strictEqual(cost_micros, prompt_tokens * 2 + completion_tokens * 10)
      }))

    it.effect.each(
      [
        ["uncounted", ["model", "requests"]],
        ["half-counted", ["model", "prompt_tokens", "requests"]]
      ] as const
    )(
      "%s leaves what is not told out, and has no cost",
      ([name, fields]) =>
        Effect.gen(function*() {
          const { charged, result } = yield* askedOf(name)
          assert.strictEqual(result._tag, "Success")
          assert.deepStrictEqual(charged.map((usage) => Object.keys(usage).sort()), [[...fields]])
        })
    )

    it.effect("a prompt that was too long teaches nothing about the fields", () =>
      Effect.gen(function*() {
        const { forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const model = yield* modelOf("long-prompt")
        const [system, user] = task.messages
        const long = { ...user, content: `${user.content}\n${"word ".repeat(20_000)}` }
        const { reason } = yield* Effect.flip(model.ask({ ...task, messages: [system, long] }))
        assert.strictEqual(reason, "refused")
        // The same model takes a shorter one, in the way it always took it.
        assert.deepStrictEqual(yield* model.ask(task), answer)
        const sent = (yield* hits).recent.map(({ body }) => Object(body))
        assert.deepStrictEqual(
          sent.map((body) => [body.max_tokens, body.max_completion_tokens]),
          [[200, undefined], [200, undefined]]
        )
      }))

    it.effect("interrupting it closes the socket", () =>
      Effect.gen(function*() {
        const { openRequests } = yield* SandboxServer.SandboxServer
        const model = yield* modelOf("slow")
        const asking = yield* Effect.forkChild(model.ask(task))
        for (let waitedMs = 0; waitedMs < 1_000 && (yield* openRequests) === 0; waitedMs += 5) {
          yield* Effect.sleep(5)
        }
        assert.strictEqual(yield* openRequests, 1)
        yield* Fiber.interrupt(asking)
        yield* untilClosed
      }))

    it.effect("a deadline closes the socket too", () =>
      Effect.gen(function*() {
        const model = yield* modelOf("slow")
        const ended = yield* Effect.timeoutOption(model.ask(task), Duration.millis(100))
        assert.isTrue(Option.isNone(ended))
        yield* untilClosed
      }))

    it.effect("no server is unreachable", () =>
      Effect.gen(function*() {
        /** The discard port: nothing of the kind runs here. */
        const model = yield* ChatModel.make(optionsAt("http://127.0.0.1:9/v1", "good"))
        const { reason } = yield* Effect.flip(model.ask(task))
        assert.strictEqual(reason, "unreachable")
      }))

    it.effect("a key that does not fit a header is not sent", () =>
      Effect.gen(function*() {
        const { forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const model = yield* modelOf("good", "two\r\nlines")
        const { detail } = yield* Effect.flip(model.ask(task))
        assert.strictEqual(detail, "invalid_key")
        assert.strictEqual((yield* hits).total, 0)
      }))
  })

  it.live("a body beyond the ceiling is not read", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({
        body: " ".repeat(ChatModel.bodyBytesMax + 1),
        contentType: "application/json"
      })
      const model = yield* ChatModel.make(optionsAt(baseUrl, "any"))
      const { detail } = yield* Effect.flip(model.ask(task))
      assert.strictEqual(detail, "too_large")
    }))
})

const answer = { need_search: true, topic: "general" }

describe("what a model wrote comes to the shape", () => {
  const shape = ChatModel.shapeOf(
    "wanted",
    Schema.Struct({
      needed: Schema.Boolean,
      codes: Schema.Array(Schema.Literals(["LAW", "PLACE"])),
      count: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
      depth: Schema.Literals(["basic", "advanced"]),
      said: Schema.Array(Schema.Struct({ text: Schema.String, of: Schema.Int }))
    }),
    { depth: "basic", said: [] }
  )
  const valueOf = (said: string) => ChatModel.valueOf({ messages: [], shape, tokensMax: 1 }, said)
  const whole = { needed: true, codes: ["LAW"], count: 3, depth: "basic", said: [] }
  it.each([
    ["numbers and truths as words", `{"needed":"yes","codes":["LAW"],"count":"3"}`],
    ["a number in brackets", `{"needed":1,"codes":["LAW"],"count":[3]}`],
    ["a bound passed", `{"needed":true,"codes":["LAW"],"count":9}`],
    ["a word for a list", `{"needed":true,"codes":"LAW","count":3}`],
    ["other cases", `{"needed":true,"codes":["law"],"count":3,"depth":"Basic"}`],
    ["codes that are none", `{"needed":true,"codes":["LAW","FUN"],"count":3,"depth":"deep"}`],
    ["nothing for a default", `{"needed":true,"codes":["LAW"],"count":3.0,"depth":null}`],
    ["comments and last commas", `{ // so\n"needed":true,"codes":["LAW",],"count":3, // 3\n}`],
    ["Python", `{'needed': True, 'codes': ['LAW'], 'count': 3, 'depth': None}`],
    ["other quotes", `{“needed”: true, “codes”: [“LAW”], “count”: 3}`],
    ["its own name", `{"wanted":{"needed":true,"codes":["LAW"],"count":3}}`],
    ["a call", `<tool_call>{"name":"w","arguments":{"needed":true,"codes":["LAW"],"count":3}}`],
    ["a text in an object", `{"needed":true,"codes":[{"code":"LAW"}],"count":3}`]
  ])("from %s", (_, said) => {
    assert.deepStrictEqual<unknown>(Result.getOrThrow(valueOf(said)), whole)
  })

  it("without the elements that cannot be read", () => {
    const said = `{"needed":true,"codes":["LAW"],"count":3,"said":[{"of":1},{"text":"a","of":"2"}]}`
    const { said: read } = Result.getOrThrow(valueOf(said))
    assert.deepStrictEqual(read, [{ text: "a", of: 2 }])
  })

  it.each([
    [{ needed: { toString: 1, valueOf: 2 } }],
    [{ codes: [{ toString: 1, valueOf: 2 }] }],
    [{ depth: { toString: 1, valueOf: 2 } }]
  ])("and a field that cannot be a word is a fault of the answer: %j", (odd) => {
    const said = JSON.stringify({ needed: true, codes: ["LAW"], count: 3, ...odd })
    assert.isTrue(Result.isResult(valueOf(said)))
  })

  it("however deep it is", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    for (const name of ["needed", "codes", "depth", "said"]) {
      assert.isTrue(Result.isFailure(valueOf(`{"count":3,"${name}":${deep}}`)))
    }
  })

  it("or all of its faults are named", () => {
    const complaint = Result.getOrThrow(Result.flip(valueOf(`{"codes":"LAW","depth":"x"}`)))
    for (const name of ["needed", "count"]) assert.include(complaint, name)
    assert.notInclude(complaint, "depth")
  })
})
