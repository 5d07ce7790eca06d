/**
 * Any request over HTTP: made of the published schemas, broken in any way, or of raw bytes.
 *
 * Promise: every answer fits the published document and reveals no internals.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import {
  type OperationName,
  operationNames as names,
  serviceOperations
} from "../../src/contract/ServiceOperations.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import { broken, bytesOf, canary, type Json, requestOf, valueOf } from "../support/drawnRequests.ts"
import { buggy, scripted } from "../support/grounding.ts"
import { type Answered, send, type Sent, unpublished } from "../support/httpCalls.ts"
import { dial, get, serving, url } from "../support/service.ts"
import { hit } from "../support/sessionFacts.ts"
import { words } from "../support/words.ts"

const revision = "2026-07-28"

const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": {}
}

const mcpHeaders = (method: string, name?: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": revision,
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name })
})

const message = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } })

/** The tools as the service lists them, each with the schema of its input. */
const toolsOf = (service: string) =>
  send(service, {
    method: "POST",
    path: "/mcp",
    headers: mcpHeaders("tools/list"),
    body: message("tools/list", {})
  }).pipe(Effect.map(({ text }): ReadonlyArray<Json> => JSON.parse(text).result.tools))

const uris = [
  "web-grounding://sessions/s",
  "web-grounding://sessions/s/3",
  "web-grounding://sessions/%00/-1",
  "web-grounding://packs/s/r",
  "web-grounding://packs/%ff/r",
  "file:///etc/passwd",
  ""
]

const asked = (dice: Dice, tools: ReadonlyArray<Json>): readonly [string, Json] => {
  const chance = dice()
  if (chance < 0.6) {
    const tool = draw(dice, tools)
    const whole = valueOf(dice, tool["inputSchema"])
    const given = dice() < 0.5 ? broken(dice, whole) : whole
    return ["tools/call", { name: tool["name"], arguments: given }]
  }
  if (chance < 0.75) return ["resources/read", { uri: draw(dice, uris) }]
  if (chance < 0.85) {
    const given = draw(dice, [{ user_question: "x" }, {}, { user_question: "", country: "" }])
    return ["prompts/get", { name: draw(dice, ["ground_turn", "x"]), arguments: given }]
  }
  const others = ["tools/list", "server/discover", "ping", "initialize", "completion/complete", ""]
  return [draw(dice, others), {}]
}

const toMcp = (dice: Dice, tools: ReadonlyArray<Json>): Sent => {
  const [method, params] = asked(dice, tools)
  const name = params["name"] ?? params["uri"]
  const whole = message(method, params)
  const chance = dice()
  const body = chance < 0.1
    ? bytesOf(dice)
    : chance < 0.3
    ? JSON.stringify(broken(dice, JSON.parse(whole)))
    : whole
  const sent = dice() < 0.05 ? draw(dice, ["GET", "DELETE", "PUT"]) : "POST"
  return {
    method: sent,
    path: "/mcp",
    headers: {
      ...mcpHeaders(draw(dice, [method, method, method, "x"]), name),
      ...(dice() < 0.1 ? { "mcp-session-id": canary } : {}),
      ...(dice() < 0.1 ? { "mcp-protocol-version": draw(dice, ["2025-11-25", "1", ""]) } : {})
    },
    ...(sent === "GET" ? {} : { body })
  }
}

const toRpc = (dice: Dice): Sent => {
  const frame = {
    _tag: "Request",
    id: String(Math.floor(dice() * 1_000)),
    tag: draw(dice, [...Object.keys(serviceOperations), "Unknown"]),
    payload: { session_id: "s", topic: draw(dice, ["desks", "", "x".repeat(9_000)]) },
    headers: []
  }
  const given = dice() < 0.5 ? broken(dice, frame) : frame
  return {
    method: "POST",
    path: "/rpc",
    headers: { "content-type": "application/x-ndjson", authorization: `Bearer ${canary}` },
    body: dice() < 0.1 ? bytesOf(dice) : `${JSON.stringify(given)}\n`
  }
}

const toDocuments = (dice: Dice): Sent => {
  const query = new URLSearchParams({
    source_id: draw(dice, ["d", "", "../..", "x".repeat(4_000)]),
    source_type: draw(dice, ["paper", "user_note", "x"]),
    ...(dice() < 0.3 ? { title: draw(dice, ["t", "", "<b>", "\u202e"]) } : {}),
    ...(dice() < 0.3 ? { node_id: draw(dice, ["n", ""]) } : {})
  })
  return {
    method: "PUT",
    path: `/documents?${query}`,
    headers: { "content-type": draw(dice, ["text/plain", "text/markdown", "x/y", ";"]) },
    body: dice() < 0.3 ? bytesOf(dice) : "A tram ride in Halvern costs two crowns."
  }
}

const pages = words`
  /v1/openapi.json /v1/docs /health /livez /startupz /readyz / /v1 /v1/%zz /..%2f
`

/** A request to any of them, of which anything may be wrong. */
const faceRequestOf = (dice: Dice, tools: ReadonlyArray<Json>): Sent => {
  const chance = dice()
  if (chance < 0.5) return toMcp(dice, tools)
  if (chance < 0.75) return toRpc(dice)
  if (chance < 0.9) return toDocuments(dice)
  return { method: draw(dice, ["GET", "GET", "HEAD", "POST"]), path: draw(dice, pages) }
}

/** 20,000 in the long form, 1,700 else. */
const counts = process.env["WG_TEST_FULL"] === "1"
  ? { buggy: 4_000, sound: 13_000, faces: 2_000, raw: 1_000 }
  : { buggy: 600, sound: 750, faces: 350, raw: 100 }
const seed = 20_261_123
const testMsMax = 600_000

/** Finds the same for everybody. */
const sound = scripted({
  hits: [hit("https://one.example/a"), hit("https://two.example/b", { rank: 2 })],
  droppedCount: 0
})

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

const inside = /node_modules|\bat file:|\/src\/|SchemaError|FiberFailure/

const assertSecret = ({ headers, text }: Answered) => {
  for (const told of [text, [...headers].join("\n")]) assert.notInclude(told, canary)
  assert.notMatch(text, inside)
}

const faultsOfAll = (all: ReadonlyArray<Tried>) =>
  all.flatMap((one) => {
    const found = unpublished(one.sent, one.answer)
    return found.length === 0 ? [] : [described(one, found)]
  })

describe("any request over HTTP", () => {
  it.layer(
    serving(sound, { beside: [McpFace.http({ origins: [] })] }),
    { timeout: "120 seconds", excludeTestServices: true }
  )((it) => {
    it.effect("meets no bug of ours", () =>
      Effect.gen(function*() {
        const all = yield* tried(counts.sound)
        assert.deepStrictEqual(faultsOfAll(all), [])
        for (const { answer } of all) assertSecret(answer)
        const bugs = all.filter(({ answer }) => answer.status === 500)
        assert.deepStrictEqual(bugs.map((one) => described(one, "a bug")), [])
        // Every operation is reached, and answers some of them.
        const reached = Map.groupBy(
          all.filter(({ answer }) => answer.status !== 400),
          ({ name }) => name
        )
        for (const name of names) assert.isAbove(reached.get(name)?.length ?? 0, 2, name)
      }), testMsMax)

    it.effect("meets none behind another face either", () =>
      Effect.gen(function*() {
        const service = yield* url
        const dice = makeDice(seed)
        const tools = yield* toolsOf(service)
        const all = yield* Effect.forEach(Array.from({ length: counts.faces }), () => {
          const sent = faceRequestOf(dice, tools)
          return Effect.map(send(service, sent), (answer) => ({ sent, answer }))
        })
        for (const { answer, sent } of all) {
          const what = `${sent.method} ${sent.path} ${String(sent.body).slice(0, 500)}`
          assertSecret(answer)
          assert.isBelow(answer.status, 500, what)
          // How JSON-RPC and RPC tell a bug of the server.
          assert.notMatch(answer.text, /"code":-32603|"_tag":"Die"/, what)
          const type = answer.headers.get("content-type") ?? ""
          if (type.startsWith("application/json")) JSON.parse(answer.text)
          if (type.startsWith("application/x-ndjson")) {
            for (const line of answer.text.split("\n")) if (line !== "") JSON.parse(line)
          }
        }
        const reached = Map.groupBy(all, ({ answer, sent }) => {
          const [path = ""] = sent.path.split("?")
          return `${path.split("/")[1]} ${answer.status}`
        })
        for (const some of ["mcp 200", "mcp 400", "rpc 200", "documents 200", "v1 200"]) {
          assert.isAbove(reached.get(some)?.length ?? 0, 2, some)
        }
      }), testMsMax)
  })

  it.layer(serving(buggy(canary)), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "is answered as the document says, without anything of the inside",
      () =>
        Effect.gen(function*() {
          const all = yield* tried(counts.buggy)
          assert.deepStrictEqual(faultsOfAll(all), [])
          for (const { answer } of all) assertSecret(answer)
          const ours = all.filter(({ answer, name }) => answer.status === 500 && !searches(name))
          assert.deepStrictEqual(ours.map((one) => described(one, "a bug")), [])
          const statuses = Map.groupBy(all, ({ answer }) => answer.status)
          // The requests reach the calls, and fail in many ways.
          for (const status of [200, 400, 404, 405, 406, 415, 500]) {
            assert.isAbove(statuses.get(status)?.length ?? 0, 2, String(status))
          }
        }),
      testMsMax
    )

    it.effect("of raw bytes ends, and keeps no caller waiting", () =>
      Effect.gen(function*() {
        const service = yield* url
        const dice = makeDice(seed)
        const paths = ["/v1/groundings", "/v1/evidence/search", "/rpc", "/documents", "/health"]
        for (let index = 0; index < counts.raw; index++) {
          const whole = `POST ${draw(dice, paths)} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
            "Content-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}"
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
      }).pipe(Effect.scoped), testMsMax)
  })
})
