/**
 * Any request over HTTP: made of the published schemas, broken in any way, or of raw bytes.
 *
 * Promise: every answer fits the published document, and none tells anything of the inside.
 * Saboteur: the same answers held against a document in which a problem may not name its input.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { names, routes } from "../../src/adapters/http/Routes.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { type OperationName, serviceOperations } from "../../src/application/ServiceCalls.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import {
  type Answered,
  published,
  requestFor,
  send,
  type Sent,
  unpublished
} from "../support/httpCalls.ts"
import { faultsOf } from "../support/jsonSchema.ts"
import { dial, get, serving, url } from "../support/service.ts"

const requestsCount = process.env["WG_TEST_FULL"] === "1" ? 4_000 : 400
const rawCount = 60
const seed = 20_261_123

const canary = "tvly-canary-1234567890"

/** Whatever searches meets a bug of ours that knows a secret. */
const buggy: SearchProvider = {
  name: "tavily",
  search: () => Effect.die(new Error(`a bug with ${canary} in it`))
}

type Json = Readonly<Record<string, any>>

const words = [
  "desks",
  "ä",
  "",
  "x".repeat(300),
  "\u0000",
  "\ud800",
  "../..",
  "<b>",
  "s",
  "r",
  "a b"
]
const odd = [null, 0, -1, 1.5, 1e308, true, "", [], {}, "x".repeat(4_000), [[[]]], "\u202e"]

/** A value of a published schema, mostly. */
const valueOf = (dice: Dice, schema: Json): unknown => {
  if (schema["$ref"] !== undefined) {
    return valueOf(dice, published["components"].schemas[schema["$ref"].split("/").at(-1)])
  }
  if (schema["enum"] !== undefined) return draw(dice, schema["enum"])
  if (schema["anyOf"] !== undefined) return valueOf(dice, draw(dice, schema["anyOf"]))
  switch (schema["type"]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema["properties"] ?? {}).flatMap(([key, part]) =>
          schema["required"]?.includes(key) || dice() < 0.3
            ? [[key, valueOf(dice, part as Json)]]
            : []
        )
      )
    case "array":
      return Array.from(
        { length: Math.floor(dice() * 3) },
        () => valueOf(dice, schema["items"] || { type: "string" })
      )
    case "integer":
      return Math.min(schema["maximum"], schema["minimum"] + Math.floor(dice() * 100))
    case "boolean":
      return dice() < 0.5
    default:
      return draw(dice, words)
  }
}

/** One thing in it is another. */
const broken = (dice: Dice, value: unknown): unknown => {
  if (dice() < 0.2 || typeof value !== "object" || value === null) return draw(dice, odd)
  const entries = Object.entries(value)
  const at = Math.floor(dice() * entries.length)
  const kept = entries.map(([key, part], index): [string, unknown] =>
    index === at && dice() < 0.7 ? [key, broken(dice, part)] : [key, part]
  )
  const extra: ReadonlyArray<[string, unknown]> = dice() < 0.4
    ? [[draw(dice, ["colour", "__proto__", "constructor", "a\r\nb: c", ""]), draw(dice, odd)]]
    : []
  return Object.fromEntries([...kept.filter((_, index) => index !== at || dice() < 0.8), ...extra])
}

const inputSchemaOf = (name: OperationName): Json => {
  const { method, path } = routes[name]
  const operation = published["paths"][path][method.toLowerCase()]
  const parameters = operation.parameters.filter((one: Json) => one["in"] !== "header")
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((one: Json) => [one["name"], one["schema"]])),
    required: parameters.filter((one: Json) => one["required"]).map((one: Json) => one["name"])
  }
}

const bodySchemaOf = (name: OperationName): Json =>
  published["paths"][routes[name].path].post?.requestBody?.content["application/json"].schema ??
    { type: "object" }

const bytesOf = (dice: Dice): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: Math.floor(dice() * 200) }, () => Math.floor(dice() * 256))

const headerValues = [
  "text/event-stream",
  "application/json",
  "*/*;q=0.1",
  "text/html",
  ";;q=,",
  "x"
]

/** A request for the operation, of which anything may be wrong. */
const requestOf = (dice: Dice, name: OperationName): Sent => {
  const asked = valueOf(dice, inputSchemaOf(name))
  const parameters = dice() < 0.3 ? broken(dice, asked) : asked
  const fields = typeof parameters === "object" && parameters !== null ? { ...parameters } : {}
  const filled = Object.fromEntries(
    Object.entries({ session_id: "s", request_id: "r", ...fields })
      .map(([key, value]) => [key, typeof value === "string" ? value.toWellFormed() : value])
  )
  const isPost = routes[name].method === "POST"
  const body = isPost ? valueOf(dice, bodySchemaOf(name)) : undefined
  const sent = requestFor(name, filled)
  const headers: Record<string, string> = {
    ...(isPost
      ? { "content-type": draw(dice, ["application/json", "application/json", "x/y"]) }
      : {}),
    ...(dice() < 0.3 ? { accept: draw(dice, headerValues) } : {}),
    ...(dice() < 0.2
      ? { "idempotency-key": draw(dice, ["r", "key-1", "a b", "x".repeat(300)]) }
      : {}),
    ...(dice() < 0.2 ? { "last-event-id": draw(dice, ["0", "3", "-1", "x", "9".repeat(40)]) } : {})
  }
  const chance = dice()
  return {
    method: dice() < 0.05 ? draw(dice, ["PUT", "DELETE", "PATCH", "OPTIONS"]) : sent.method,
    path: sent.path,
    headers,
    ...(!isPost ? {} : {
      body: chance < 0.15
        ? bytesOf(dice)
        : JSON.stringify(chance < 0.6 ? broken(dice, body) : body)
    })
  }
}

/** What may meet the bug. */
const searches = (name: OperationName) => serviceOperations[name].cost === "grounding"

interface Tried {
  readonly sent: Sent
  readonly answer: Answered
  readonly name: OperationName
}

const tried = Effect.fnUntraced(function*(count: number) {
  const service = yield* url
  const dice = makeDice(seed)
  return yield* Effect.forEach(Array.from({ length: count }), () => {
    const name = draw(dice, names)
    const sent = requestOf(dice, name)
    return Effect.map(send(service, sent), (answer): Tried => ({ sent, answer, name }))
  })
})

const described = ({ answer, sent }: Tried, what: unknown): string =>
  `${sent.method} ${sent.path} ${String(sent.body).slice(0, 500)} -> ${answer.status} ` +
  `${JSON.stringify(what)} ${answer.text.slice(0, 500)}`

describe("any request over HTTP", () => {
  it.layer(serving(buggy), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "is answered as the document says, without anything of the inside",
      () =>
        Effect.gen(function*() {
          const all = yield* tried(requestsCount)
          const faults = all.flatMap((one) => {
            const found = unpublished(one.sent, one.answer)
            return found.length === 0 ? [] : [described(one, found)]
          })
          assert.deepStrictEqual(faults, [])
          for (const { answer } of all) {
            assert.notInclude(answer.text, canary)
            assert.notMatch(answer.text, /node_modules|\bat file:|\/src\/|SchemaError|FiberFailure/)
            assert.notInclude([...answer.headers].join("\n"), canary)
          }
          const ours = all.filter(({ answer, name }) => answer.status === 500 && !searches(name))
          assert.deepStrictEqual(ours.map((one) => described(one, "a bug")), [])
          const statuses = Map.groupBy(all, ({ answer }) => answer.status)
          // The requests reach the calls, and fail in many ways.
          for (const status of [200, 400, 404, 405, 406, 415, 500]) {
            assert.isAbove(statuses.get(status)?.length ?? 0, 2, String(status))
          }
        }),
      120_000
    )

    it.effect(
      "would be seen to differ from a document that says something else",
      () =>
        Effect.gen(function*() {
          const all = yield* tried(100)
          const { errors: _, ...properties } = published["components"].schemas.Problem.properties
          const narrower = { ...published["components"].schemas.Problem, properties }
          const refused = all.filter(({ answer }) => answer.text.includes("problem:invalid-input"))
          assert.isNotEmpty(refused)
          for (const { answer } of refused) {
            const faults = faultsOf(published, narrower, JSON.parse(answer.text))
            assert.deepStrictEqual(faults, ["$: errors is not named"])
          }
        }),
      120_000
    )

    it.effect("of raw bytes ends, and keeps nobody waiting", () =>
      Effect.gen(function*() {
        const service = yield* url
        const dice = makeDice(seed)
        const whole = "POST /v1/groundings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n" +
          "Content-Type: application/json\r\nConnection: close\r\n\r\n{}"
        for (let index = 0; index < rawCount; index++) {
          const bytes = Buffer.from(whole, "latin1")
          for (let count = 0; count < 4; count++) {
            bytes[Math.floor(dice() * bytes.length)] = Math.floor(dice() * 256)
          }
          const socket = yield* dial(service)
          socket.end(bytes)
          const text = yield* Effect.promise(async () => {
            let text = ""
            for await (const part of socket) text += String(part)
            return text
          })
          assert.match(text, /^$|^HTTP\/1\.1 (?:[24]\d\d|500) /)
          assert.notInclude(text, canary)
        }
        assert.strictEqual((yield* get(service, "/v1/health")).status, 200)
      }).pipe(Effect.scoped), 120_000)
  })
})
