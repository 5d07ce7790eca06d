/** The service behind tokens, over every face, and inputs that fit each of its operations. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { HttpServer } from "effect/http"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as TavilyFace from "../../src/adapters/tavilyapi/TavilyFace.ts"
import * as Access from "../../src/application/Access.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import type { OperationName } from "../../src/contract/ServiceOperations.ts"
import { AccessScope } from "../../src/domain/access/AccessToken.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { scripted } from "./grounding.ts"
import { requestFor, send, type Sent, unpublished } from "./httpCalls.ts"
import { overMcp } from "./mcpCalls.ts"
import { AccessTokens } from "./sent.ts"
import { behind, failureIn, frame, host, post, url } from "./service.ts"
import { answerWith, hit } from "./sessionFacts.ts"

export const operatorSecret = "operator-secret"
export const canary = "The Marrow ferry leaves at noon"

export const provider = scripted(answerWith([hit("https://ferry.example/", {
  title: "Ferry",
  content: `${canary} every day.`
})]))

/** Origin whose pages may call. */
export const page = "https://app.example"

export const served = GroundingRpcServer.layer({
  host,
  port: 0,
  beside: [HttpFace.httpFace, TavilyFace.tavilyFace, McpFace.http({ origins: [page] })],
  allowed: { hosts: [], origins: [page] }
}).pipe(
  Layer.provide(
    Access.layer({ tenantId: "default", isRequired: true, operatorSecret }).pipe(
      Layer.provide(Layer.succeed(Digest, { sha256, canonical }))
    )
  ),
  Layer.provideMerge(behind(provider))
)

export const operator = { tenantId: "default", actor: "test" }

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const tokenOf = (
  tenant_id: string,
  scopes: ReadonlyArray<AccessScope> = AccessScope.literals
) =>
  Effect.flatMap(
    AccessTokens,
    ({ create }) =>
      Effect.map(create({ name: tenant_id, tenant_id, scopes }, operator), ({ token }) => token)
  )

export const ids = { session_id: "s", request_id: "r" }
export const question = {
  ...ids,
  topic: "When does the Marrow ferry leave?",
  phase: "mid_chat",
  user_asked_for_facts: true
}
const source = { source_type: "user_note", source_id: "note" }

/** Input that fits, with ids of the tenant whose records are tried. */
const inputs: Readonly<Partial<Record<OperationName, Readonly<Record<string, unknown>>>>> = {
  Ground: { ...question, request_id: "again" },
  GetSession: { session_id: "s" },
  GetPack: ids,
  GetPackView: { ...ids, audience: "roleplay_background" },
  RecordShown: { ...ids, audience: "user" },
  Research: { course_title: "Ferries" },
  Outline: { course_title: "Ferries" },
  GetHealth: {},
  SearchEvidence: { query: "ferry" },
  ListSessions: { words: "ferry" },
  GetSessionTimeline: { session_id: "s" },
  GetCitedPack: ids,
  GetReceipt: ids,
  GetActivity: { hours: 1 },
  GetUsage: {},
  ListTenants: {},
  ListAlerts: {},
  ReplaySession: { session_id: "s" },
  ReplaySessions: {},
  WhatIfSession: { session_id: "s", suppose: {} },
  ExportSessions: { session_id: "s" },
  EraseSession: { session_id: "s" },
  SetLegalHold: { session_id: "s", held: false },
  ListErasures: {},
  EraseSubject: { subject: "p" },
  VerifyLog: {},
  CheckReadiness: {},
  GetProjections: {},
  RebuildProjections: {},
  CollectEvidence: { material: { ...source, title: "Note", text: `${canary}.` } },
  CollectPage: { source_url: "https://ferry.example/" },
  PromoteEvidence: {
    source_url: "https://ferry.example/",
    node: { node_id: "n", node_label: "Place", name: "Ferry", relations: [] }
  },
  RemoveEvidence: source,
  ReportPage: { source_url: "https://ferry.example/" },
  ReembedEvidence: {},
  GatherEvidence: {},
  GetEvidenceStatus: {},
  CreateToken: { name: "more" },
  ListTokens: {},
  RevokeToken: { token_id: "nope" }
}

/** Nothing, where an operation needs nothing. */
export const inputOf = (name: OperationName) => inputs[name] ?? {}

export const overHttp = Effect.fnUntraced(
  function*(name: OperationName, headers: Readonly<Record<string, string>>, input = inputOf(name)) {
    const sent: Sent = { ...requestFor(name, input), headers }
    const answer = yield* send(yield* url, sent)
    assert.deepStrictEqual(unpublished(sent, answer), [], name)
    return answer
  }
)

export const overRpc = Effect.fnUntraced(
  function*(name: OperationName, headers: Readonly<Record<string, string>>, input = inputOf(name)) {
    const { status, text } = yield* post(yield* url, frame("1", name, input), headers)
    const failure: any = failureIn(text, "1")
    return { status, text, tag: failure?._tag }
  }
)

/** What an agent asks by the same input; over HTTP what agents are not offered. */
export const overAgents = (
  name: OperationName,
  headers: Readonly<Record<string, string>>,
  input = inputOf(name)
): Effect.Effect<
  { readonly status: number; readonly text: string },
  never,
  HttpServer.HttpServer
> => {
  switch (name) {
    case "GetSession":
      return overMcp(headers, "resources/read", {
        uri: `web-grounding://sessions/${input["session_id"]}`
      })
    case "GetPack":
      return overMcp(headers, "tools/call", { name: "read_evidence", arguments: input })
    case "SearchEvidence":
      return overMcp(headers, "tools/call", { name: "search_evidence", arguments: input })
    default:
      return overHttp(name, headers, input)
  }
}

export const document: Sent = {
  method: "PUT",
  path: "/documents?source_type=user_note&source_id=d&title=D",
  headers: { "content-type": "text/plain" },
  body: canary
}
