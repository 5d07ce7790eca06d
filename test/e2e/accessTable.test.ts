/**
 * Every operation, over every face, in every form of answer, for every scope: nothing is answered
 * before scope, input and question are checked. The operations are those of the contract.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pathFieldsOf } from "../../src/adapters/http/Problem.ts"
import type { agentTools } from "../../src/contract/AgentTools.ts"
import {
  type OperationName,
  operationNames as names,
  serviceOperations
} from "../../src/contract/ServiceOperations.ts"
import { AccessScope } from "../../src/domain/access/AccessToken.ts"
import {
  bearer,
  document,
  ids,
  inputOf,
  overHttp,
  overRpc,
  provider,
  question,
  served,
  tokenOf
} from "../support/accessService.ts"
import { send } from "../support/httpCalls.ts"
import { overMcp, overStatelessMcp } from "../support/mcpCalls.ts"
import { url } from "../support/service.ts"

/** Of whatever the service knows of the tenant. */
const secret = /Marrow|ferry\.example/

const tenant = "table"
const asked = { ...question, request_id: ids.request_id }

type Headers = Readonly<Record<string, string>>

const streamed = { accept: "text/event-stream" }
const forms: ReadonlyArray<Headers> = [{}, streamed, { ...streamed, "last-event-id": "0" }]

/** Forms in which an operation answers over HTTP. */
const formsOf = (name: OperationName) =>
  "events" in serviceOperations[name].http ? forms : forms.slice(0, 1)

/** For records that are there: those of the tenant's request. */
const inputFor = (name: OperationName) => name === "Ground" ? asked : inputOf(name)

interface AgentCall {
  /** Operation whose scope it needs. */
  readonly of: OperationName
  readonly method: string
  readonly params: { readonly name?: string; readonly uri?: string; readonly arguments?: object }
}

const tools: Readonly<Record<keyof typeof agentTools, readonly [OperationName, object]>> = {
  web_grounding: ["Ground", asked],
  web_search: ["Ground", { query: "ferry" }],
  read_evidence: ["GetPack", ids],
  search_evidence: ["SearchEvidence", { query: "ferry" }],
  list_sessions: ["ListSessions", {}],
  session_timeline: ["GetSessionTimeline", { session_id: ids.session_id }],
  search_health: ["GetHealth", {}]
}

const read = (of: OperationName, path: string): AgentCall => ({
  of,
  method: "resources/read",
  params: { uri: `web-grounding://${path}` }
})

const agentCalls: ReadonlyArray<AgentCall> = [
  ...Object.entries(tools).map(([name, [of, input]]): AgentCall => ({
    of,
    method: "tools/call",
    params: { name, arguments: input }
  })),
  read("GetSession", "sessions/s"),
  read("GetSession", "sessions/s/1"),
  read("GetPack", "packs/s/r"),
  {
    of: "Ground",
    method: "prompts/get",
    params: { name: "ground_turn", arguments: { user_question: asked.topic } }
  }
]

/** As JSON, and with progress as an event stream; with a session and without. */
const overAgents = (headers: Headers, { method, params }: AgentCall) =>
  Effect.forEach(
    [overMcp, overStatelessMcp],
    (over) =>
      Effect.forEach([{}, { _meta: { progressToken: 1 } }], (meta) =>
        over(headers, method, { ...params, ...meta }))
  ).pipe(Effect.map((answers) =>
    answers.flat()
  ))

/** A search and page texts as Tavily's clients ask, with the key in the header and in the body. */
const overTavily = (token: string) =>
  Effect.flatMap(url, (service) =>
    Effect.forEach(
      [["/search", { query: "ferry" }], [
        "/extract",
        { urls: "https://ferry.example/" }
      ]] as const,
      ([path, body]) =>
        Effect.forEach([[bearer(token), {}], [{}, { api_key: token }]] as const, ([headers, key]) =>
          send(service, {
            method: "POST",
            path,
            headers,
            body: JSON.stringify({ ...body, ...key })
          }))
    ).pipe(Effect.map((answers) => answers.flat())))

const overDocuments = (headers: Headers) =>
  Effect.flatMap(
    url,
    (service) => send(service, { ...document, headers: { ...document.headers, ...headers } })
  )

/** What no field of an input is. */
const wrong = [[[]]]

describe("access, by operation, face, form and scope", () => {
  it.layer(served, { timeout: "240 seconds", excludeTestServices: true })((it) => {
    it.effect("knows something that could be answered, over every face", () =>
      Effect.gen(function*() {
        const whole = bearer(yield* tokenOf(tenant))
        for (const form of formsOf("Ground")) {
          const { status, text } = yield* overHttp("Ground", { ...whole, ...form }, asked)
          assert.strictEqual(status, 200)
          assert.match(text, secret)
        }
        assert.strictEqual((yield* overHttp("CollectEvidence", whole)).status, 200)
        for (const form of formsOf("GetPack")) {
          assert.match((yield* overHttp("GetPack", { ...whole, ...form })).text, secret)
        }
        for (const call of agentCalls.filter(({ of }) => of !== "GetHealth")) {
          for (const { text } of yield* overAgents(whole, call)) {
            assert.match(text, secret, JSON.stringify(call))
          }
        }
      }))

    it.effect("answers nothing to a token without the scope, and asks no provider", () =>
      Effect.gen(function*() {
        const askedBefore = provider.queries.length
        for (const needed of AccessScope.literals) {
          const others = AccessScope.literals.filter((scope) => scope !== needed)
          for (const scopes of [others, ...others.map((scope) => [scope])]) {
            const token = yield* tokenOf(tenant, scopes)
            const caller = bearer(token)
            const refuses = (text: string, about: string) => {
              assert.notMatch(text, secret, `${about}, ${scopes}`)
              assert.include(text, needed, `${about}, ${scopes}`)
            }
            for (const name of names.filter((name) => serviceOperations[name].scope === needed)) {
              const input = inputFor(name)
              for (const form of formsOf(name)) {
                const { status, text } = yield* overHttp(name, { ...caller, ...form }, input)
                refuses(text, name)
                assert.strictEqual(status, 403, `${name}, ${scopes}`)
              }
              const { tag, text } = yield* overRpc(name, caller, input)
              refuses(text, name)
              assert.strictEqual(tag, "Forbidden", `${name}, ${scopes}`)
            }
            for (
              const call of agentCalls.filter(({ of }) => serviceOperations[of].scope === needed)
            ) {
              for (const { status, text } of yield* overAgents(caller, call)) {
                if (scopes.includes("ground") || scopes.includes("read")) {
                  refuses(text, JSON.stringify(call))
                } else assert.deepStrictEqual([status, text], [403, ""])
              }
            }
            if (needed === serviceOperations.Ground.scope) {
              for (const { status, text } of yield* overTavily(token)) {
                refuses(text, "Tavily")
                assert.strictEqual(status, 403)
              }
            }
            if (needed === serviceOperations.CollectEvidence.scope) {
              const { status, text } = yield* overDocuments(caller)
              refuses(text, "a document")
              assert.strictEqual(status, 403)
            }
          }
        }
        assert.lengthOf(provider.queries, askedBefore)
      }))

    it.effect("lets each scope alone do what it is for", () =>
      Effect.gen(function*() {
        for (const name of names) {
          const { scope } = serviceOperations[name]
          const caller = bearer(yield* tokenOf(`with-${scope}`, [scope]))
          for (const form of formsOf(name)) {
            assert.notInclude([401, 403], (yield* overHttp(name, { ...caller, ...form })).status)
          }
          assert.notStrictEqual((yield* overRpc(name, caller)).tag, "Forbidden", name)
        }
        for (const call of agentCalls) {
          const { scope } = serviceOperations[call.of]
          const caller = bearer(yield* tokenOf(`with-${scope}`, [scope]))
          for (const { status, text } of yield* overAgents(caller, call)) {
            assert.strictEqual(status, 200, JSON.stringify(call))
            assert.notInclude(text, "Expected a token with the scope")
          }
        }
        const token = yield* tokenOf("with-ground", ["ground"])
        for (const { status } of yield* overTavily(token)) assert.strictEqual(status, 200)
        assert.strictEqual((yield* overDocuments(bearer(token))).status, 200)
      }))

    it.effect("answers nothing to an input that does not fit, whichever field it is", () =>
      Effect.gen(function*() {
        const whole = bearer(yield* tokenOf(tenant))
        for (const name of names) {
          const { http, input: { fields } } = serviceOperations[name]
          for (const field of Object.keys(fields)) {
            const input = { ...inputFor(name), [field]: wrong }
            const about = `${name} ${field}`
            const { tag, text } = yield* overRpc(name, whole, input)
            assert.notMatch(text, secret, about)
            assert.strictEqual(tag, "InvalidInput", about)
            if (http.method !== "POST" || pathFieldsOf(http.path).includes(field)) continue
            for (const form of formsOf(name)) {
              const { status, text } = yield* overHttp(name, { ...whole, ...form }, input)
              assert.notMatch(text, secret, about)
              assert.strictEqual(status, 400, about)
            }
          }
        }
        const last = { ...whole, ...streamed, "last-event-id": "x" }
        for (const name of names.filter((name) => formsOf(name).length > 1)) {
          const { status, text } = yield* overHttp(name, last, inputFor(name))
          assert.notMatch(text, secret, name)
          assert.strictEqual(status, 400, name)
        }
      }))

    it.effect("answers nothing to another question under the id of a request", () =>
      Effect.gen(function*() {
        const whole = bearer(yield* tokenOf(tenant))
        const other = { ...asked, topic: "x" }
        for (const form of formsOf("Ground")) {
          const { status, text } = yield* overHttp("Ground", { ...whole, ...form }, other)
          assert.notMatch(text, secret)
          assert.strictEqual(status, 409)
        }
        const { tag, text } = yield* overRpc("Ground", whole, other)
        assert.notMatch(text, secret)
        assert.strictEqual(tag, "RequestConflict")
        const call = {
          of: "Ground",
          method: "tools/call",
          params: { name: "web_grounding", arguments: other }
        } as const
        for (const { text } of yield* overAgents(whole, call)) {
          assert.notMatch(text, secret)
          assert.include(text, "RequestConflict")
        }
      }))
  })
})
