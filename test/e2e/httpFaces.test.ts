/**
 * Every operation over every face: the same input over HTTP and over RPC gets the same answer, or
 * the same failure, and what HTTP answers fits the published document.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as Problem from "../../src/adapters/http/Problem.ts"
import { ServiceRpc } from "../../src/adapters/rpc/ServiceRpc.ts"
import { ErasureFailure } from "../../src/contract/Erasure.ts"
import { AccessFailure } from "../../src/contract/Input.ts"
import { EvidenceFailure, PublicFailure, ReceiptFailure } from "../../src/contract/PublicFailure.ts"
import * as SentInput from "../../src/contract/SentInput.ts"
import {
  type OperationName,
  operationNames as names,
  serviceOperations
} from "../../src/contract/ServiceOperations.ts"
import { requestFor, send, unpublished } from "../support/httpCalls.ts"
import { resourceOver, toolOver } from "../support/mcpCalls.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { frame, linesOf, post, url } from "../support/service.ts"

const needsInput = (name: OperationName): boolean =>
  Exit.isFailure(Effect.runSyncExit(SentInput.decode(name, {})))

type Face = "http" | "rpc"

const id = { session_id: "s", request_id: "r" }
const question = {
  ...id,
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
}
const course = { session_id: "s-course", request_id: "r", course_title: "Notice in Japan" }
const pageUrl = (face: Face) => `https://desks.example/note-${face}`

const note = (face: Face) => ({
  source_type: "user_note",
  source_id: `note-${face}`,
  title: "Desks",
  text: "The reading room of the museum has sixty-four desks.\n"
})

type Input = (face: Face) => Readonly<Record<string, unknown>>

/** In the order in which they are asked. What changes something is asked once a face. */
const inputs: Readonly<Partial<Record<OperationName, Input>>> = {
  Ground: () => question,
  GetPack: () => id,
  GetPackView: () => ({ ...id, audience: "roleplay_background" }),
  RecordShown: (face) => ({ ...id, audience: face === "http" ? "user" : "roleplay_background" }),
  GetSession: () => ({ session_id: "s", after: 2, limit: 3 }),
  ListSessions: () => ({ words: "notice", limit: 2 }),
  GetSessionTimeline: () => ({ session_id: "s" }),
  GetCitedPack: () => id,
  GetReceipt: () => ({ ...id, claim: 1 }),
  GetActivity: () => ({ hours: 1 }),
  GetUsage: () => ({ days: 2 }),
  ListTenants: () => ({}),
  ListAlerts: () => ({}),
  ReplaySession: () => ({ session_id: "s" }),
  Research: () => course,
  Outline: () => ({ ...course, request_id: "o" }),
  CollectEvidence: (face) => ({ material: note(face) }),
  SearchEvidence: () => ({ query: "desks", limit: 3 }),
  ReportPage: () => ({ source_url: "https://dose-advice.example/" }),
  RemoveEvidence: (face) => ({ source_type: "user_note", source_id: `note-${face}` }),
  CollectPage: () => ({ source_url: "https://www.housing.gov.example/japan/ending-a-lease" }),
  PromoteEvidence: (face) => ({
    source_url: pageUrl(face),
    node: { node_id: `note-${face}`, node_label: "Place", name: "Desks", relations: [] }
  }),
  ReembedEvidence: () => ({}),
  GatherEvidence: () => ({}),
  GetEvidenceStatus: () => ({}),
  GetHealth: () => ({ hours: 2 }),
  GetProjections: () => ({}),
  RebuildProjections: () => ({}),
  ReplaySessions: () => ({ limit: 2 }),
  ExportSessions: () => ({ session_id: "s" }),
  WhatIfSession: () => ({ session_id: "s", suppose: { passages_max: 1 } }),
  EraseSession: () => ({ session_id: "never" }),
  SetLegalHold: () => ({ session_id: "never", held: false }),
  EraseSubject: () => ({ subject: "nobody" }),
  ListErasures: () => ({ limit: 5 }),
  VerifyLog: () => ({}),
  CheckReadiness: () => ({}),
  CreateToken: (face) => ({ name: `note-${face}`, scopes: ["read"] }),
  ListTokens: () => ({}),
  RevokeToken: () => ({ token_id: "nope" })
}

/** Input that is wrong in two places: HTTP lists both, RPC one at a time. */
const wrong: ReadonlyArray<readonly [OperationName, Readonly<Record<string, unknown>>, number]> = [
  ["Ground", { session_id: "s", topic: 1, tier: "gold" }, 2],
  ["GetSession", { session_id: "s", after: -1, limit: 0 }, 2],
  ["Research", { session_id: "s", course_title: "", timeout_ms: "x" }, 2],
  ["SearchEvidence", { query: "", limit: 0 }, 2],
  ["RemoveEvidence", {}, 2],
  ["GetHealth", { hours: "x" }, 1]
]

/** Unknown ids. */
const unknown: ReadonlyArray<readonly [OperationName, Readonly<Record<string, unknown>>]> = [
  ["GetSession", { session_id: "nope" }],
  ["ReplaySession", { session_id: "nope" }],
  ["GetPack", { session_id: "s", request_id: "nope/ä ?#" }],
  ["GetPackView", { session_id: "nope", request_id: "r", audience: "coach" }],
  ["RecordShown", { session_id: "s", request_id: "nope", audience: "user" }],
  ["RemoveEvidence", { source_type: "paper", source_id: "nope" }]
]

const overHttp = Effect.fnUntraced(
  function*(name: OperationName, input: Readonly<Record<string, unknown>>) {
    const sent = requestFor(name, input)
    const answer = yield* send(yield* url, sent)
    assert.deepStrictEqual(unpublished(sent, answer), [], name)
    return { status: answer.status, json: JSON.parse(answer.text) }
  }
)

const decodeFailure = Schema.decodeUnknownEffect(
  Schema.toCodecJson(
    Schema.Union([PublicFailure, EvidenceFailure, AccessFailure, ReceiptFailure, ErasureFailure])
  )
)

/** What HTTP has to answer where RPC answers this. */
const overRpc = Effect.fnUntraced(
  function*(name: OperationName, input: Readonly<Record<string, unknown>>) {
    const { text } = yield* post(yield* url, frame("1", name, input))
    const lines = linesOf(text)
    const exit = lines.find((line) => line["exit"] !== undefined)?.["exit"]
    if (exit._tag === "Failure") {
      const problem = Problem.problemOf(yield* decodeFailure(exit.cause[0].error))
      return { status: problem.status, json: JSON.parse(JSON.stringify(problem)) }
    }
    const outcome = lines.flatMap((line) => line["values"] ?? []).at(-1)?.outcome
    return { status: 200, json: name === "Ground" ? outcome : exit.value }
  }
)

/** Without what differs from one call to the next: the time, ids that were made up, the face. */
const masked = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/note-(?:http|rpc)/g, "note")
      .replace(/"(created|revoked)_by":"(?:http|rpc)\b/g, `"$1_by":"face`)
      .replace(/wg_[\w-]{43}/g, "token")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
      .replace(/[\da-f]{8}-[\da-f-]{27}|readiness-[\w-]+/g, "id")
      .replace(/"(\w*ms|\w*position)":"?\d+"?/g, `"$1":0`)
  )

describe("every operation", () => {
  it("has an input here", () => {
    assert.sameMembers([...names], Object.keys(serviceOperations))
    assert.deepStrictEqual(names.filter((name) => needsInput(name) && !(name in inputs)), [])
    assert.sameMembers([...ServiceRpc.requests.keys()], Object.keys(serviceOperations))
  })

  it.layer(sandboxService, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect("answers over HTTP what it answers over RPC", () =>
      Effect.gen(function*() {
        for (const face of ["http", "rpc"] as const) {
          const { text, title } = note(face)
          const page = { source_type: "web_search", source_url: pageUrl(face), title, text }
          yield* overHttp("CollectEvidence", { material: page })
        }
        const statuses: Record<string, number> = {}
        const given = Object.keys(inputs).flatMap((key) => names.filter((name) => name === key))
        for (const name of new Set([...given, ...names])) {
          const input = inputs[name] ?? (() => ({}))
          const http = yield* overHttp(name, input("http"))
          const rpc = yield* overRpc(name, input("rpc"))
          assert.deepStrictEqual(masked(http), masked(rpc), name)
          statuses[name] = http.status
        }
        const refused = Object.entries(statuses).filter(([, status]) => status !== 200)
        assert.deepStrictEqual(refused, [
          ["GetReceipt", 409],
          ["CollectPage", 502],
          ["ReembedEvidence", 501],
          ["EraseSession", 501],
          ["SetLegalHold", 501],
          ["RevokeToken", 404]
        ])
      }))

    it.effect("answers agents what it answers over HTTP", () =>
      Effect.gen(function*() {
        const json = (name: OperationName, input: Readonly<Record<string, unknown>>) =>
          Effect.map(overHttp(name, input), (answer) => answer.json)
        const evidence = { query: "desks", limit: 3 }
        const pairs = [
          [yield* toolOver("search_evidence", evidence), yield* json("SearchEvidence", evidence)],
          [yield* toolOver("search_health", { hours: 2 }), yield* json("GetHealth", { hours: 2 })],
          [
            yield* resourceOver("web-grounding://sessions/s"),
            yield* json("GetSession", { session_id: "s" })
          ],
          [yield* resourceOver("web-grounding://packs/s/r"), yield* json("GetPack", id)]
        ]
        for (const [agent, http] of pairs) {
          assert.isDefined(agent)
          assert.deepStrictEqual(masked(agent), masked(http))
        }
      }))

    it.effect("fails over HTTP as it fails over RPC where an id is unknown", () =>
      Effect.gen(function*() {
        for (const [name, input] of unknown) {
          const http = yield* overHttp(name, input)
          assert.deepStrictEqual(http, yield* overRpc(name, input), name)
          assert.strictEqual(http.status, 404, name)
        }
      }))

    it.effect("reports over HTTP every problem of its input, and over RPC the first of them", () =>
      Effect.gen(function*() {
        for (const [name, input, problemsCount] of wrong) {
          const { json, status } = yield* overHttp(name, input)
          const rpc = yield* overRpc(name, input)
          assert.strictEqual(status, 400, name)
          assert.lengthOf(json.errors, problemsCount, `${name} ${JSON.stringify(json.errors)}`)
          assert.include(json.errors.map(({ field }: any) => field), rpc.json.errors[0].field, name)
        }
      }))
  })
})
