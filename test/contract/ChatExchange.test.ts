/** A chat model against a server that goes wrong in one request and not in the next. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import { optionsAt, task } from "../support/chat.ts"

type Answer = (response: ServerResponse) => void

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

class Script extends Context.Service<Script, {
  readonly baseUrl: string
  /** What the next requests are answered with, one each; the last one for all that follow. */
  readonly play: (...answers: ReadonlyArray<Answer>) => void
  /** The requests since then. */
  readonly asked: () => ReadonlyArray<Asked>
}>()("web-grounding/test/ChatScript") {}

const script = Layer.effect(
  Script,
  Effect.gen(function*() {
    let answers: ReadonlyArray<Answer> = []
    let asked: ReadonlyArray<Asked> = []
    const answer = (request: IncomingMessage, response: ServerResponse, text: string) => {
      asked = [...asked, {
        path: request.url ?? "",
        authorization: request.headers.authorization,
        body: JSON.parse(text)
      }]
      const [next, ...rest] = answers
      if (rest.length > 0) answers = rest
      next?.(response)
    }
    const server = yield* listening((request, response) => {
      const chunks: Array<Uint8Array> = []
      request.on("data", (chunk) => chunks.push(chunk))
        .on("end", () => answer(request, response, Buffer.concat(chunks).toString()))
    })
    return {
      baseUrl: `http://127.0.0.1:${portOf(server)}/v1`,
      play: (...list) => {
        answers = list
        asked = []
      },
      asked: () => asked
    }
  })
)

const json = (status: number, body: object): Answer => (response) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

const good = json(200, {
  choices: [{
    message: { content: JSON.stringify({ need_search: true, topic: "general" }) },
    finish_reason: "stop"
  }]
})

/** Promises more than it sends. */
const cut: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write("{\"choices\": [")
  setTimeout(() => response.destroy(), 20)
}

const noFormat = json(400, { error: { message: "response_format is not supported" } })

const unmetered = Effect.provideService(UsageMeter, () => Effect.void)

const formatsOf = (asked: ReadonlyArray<Asked>) =>
  asked.map(({ body }) => Object(body["response_format"]).type)

describe("an exchange with a chat model", () => {
  layer(script, { excludeTestServices: true })((it) => {
    it.effect("remembers no guess at a refusal that did not help", () =>
      Effect.gen(function*() {
        const { asked, baseUrl, play } = yield* Script
        const model = yield* ChatModel.make(optionsAt(baseUrl, "m-1"))
        play(noFormat, json(503, {}))
        yield* Effect.flip(unmetered(model.ask(task)))
        assert.deepStrictEqual(formatsOf(asked()), ["json_schema", "json_object"])
        play(good)
        yield* unmetered(model.ask(task))
        assert.deepStrictEqual(formatsOf(asked()), ["json_schema"])
      }))

    it.effect("is over after a few lessons, whatever the server refuses", () =>
      Effect.gen(function*() {
        const { asked, baseUrl, play } = yield* Script
        const model = yield* ChatModel.make(optionsAt(baseUrl, "m-1"))
        play(json(400, { error: { message: "max_tokens, temperature, response_format: no" } }))
        const failure = yield* Effect.flip(unmetered(model.ask(task)))
        assert.strictEqual(failure.detail, "bad_request")
        assert.lengthOf(asked(), 5)
      }))

    it.effect("reports an answer that the line cut off as such", () =>
      Effect.gen(function*() {
        const { baseUrl, play } = yield* Script
        const model = yield* ChatModel.make(optionsAt(baseUrl, "m-1"))
        play(cut)
        const failure = yield* Effect.flip(unmetered(model.ask(task)))
        assert.deepStrictEqual([failure.reason, failure.detail], ["truncated", "cut_off"])
      }))

    it.effect.each([
      { what: "no key", apiKey: Option.none<Redacted.Redacted<string>>(), sent: undefined },
      { what: "an empty key", apiKey: Option.some(Redacted.make(" ")), sent: undefined },
      { what: "a key", apiKey: Option.some(Redacted.make(" k-1\n")), sent: "Bearer k-1" }
    ])("sends $what as it is meant", ({ apiKey, sent }) =>
      Effect.gen(function*() {
        const { asked, baseUrl, play } = yield* Script
        const model = yield* ChatModel.make({ ...optionsAt(baseUrl, "m-1"), apiKey })
        play(good)
        yield* unmetered(model.ask(task))
        assert.deepStrictEqual(asked().map(({ authorization }) => authorization), [sent])
      }))

    it.effect("finds the server's path, with or without a slash behind its address", () =>
      Effect.gen(function*() {
        const { asked, baseUrl, play } = yield* Script
        for (const slashes of ["", "/", "//"]) {
          const model = yield* ChatModel.make(optionsAt(`${baseUrl}${slashes}`, "m-1"))
          play(good)
          yield* unmetered(model.ask(task))
          assert.deepStrictEqual(asked().map(({ path }) => path), ["/v1/chat/completions"])
        }
      }))
  })
})
