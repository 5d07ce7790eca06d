/** Method and path of each operation over HTTP; see the table of operations. */
import { Option } from "effect"
import type { OperationName } from "../../application/ServiceCalls.ts"

export type Tag = "groundings" | "sessions" | "research" | "evidence" | "service" | "tokens"

export interface Route {
  readonly method: "GET" | "POST"
  /** Names in braces are fields of the operation's input. */
  readonly path: `/v1/${string}`
  readonly tag: Tag
}

export const routes = {
  Ground: { method: "POST", path: "/v1/groundings", tag: "groundings" },
  GetSession: { method: "GET", path: "/v1/sessions/{session_id}/events", tag: "sessions" },
  GetPack: { method: "GET", path: "/v1/groundings/{session_id}/{request_id}", tag: "groundings" },
  GetPackView: {
    method: "GET",
    path: "/v1/groundings/{session_id}/{request_id}/view",
    tag: "groundings"
  },
  RecordShown: {
    method: "POST",
    path: "/v1/groundings/{session_id}/{request_id}/shown",
    tag: "groundings"
  },
  Research: { method: "POST", path: "/v1/research", tag: "research" },
  Outline: { method: "POST", path: "/v1/outlines", tag: "research" },
  GetHealth: { method: "GET", path: "/v1/health", tag: "service" },
  SearchEvidence: { method: "POST", path: "/v1/evidence/search", tag: "evidence" },
  ListSessions: { method: "GET", path: "/v1/sessions", tag: "sessions" },
  GetSessionTimeline: {
    method: "GET",
    path: "/v1/sessions/{session_id}/timeline",
    tag: "sessions"
  },
  GetCitedPack: {
    method: "GET",
    path: "/v1/groundings/{session_id}/{request_id}/cited",
    tag: "groundings"
  },
  GetReceipt: {
    method: "GET",
    path: "/v1/groundings/{session_id}/{request_id}/receipt",
    tag: "groundings"
  },
  GetActivity: { method: "GET", path: "/v1/activity", tag: "service" },
  GetUsage: { method: "GET", path: "/v1/usage", tag: "service" },
  ListAlerts: { method: "GET", path: "/v1/alerts", tag: "service" },
  ReplaySession: { method: "GET", path: "/v1/sessions/{session_id}/replay", tag: "sessions" },
  ReplaySessions: { method: "GET", path: "/v1/replays", tag: "sessions" },
  WhatIfSession: { method: "POST", path: "/v1/sessions/{session_id}/what-if", tag: "sessions" },
  WhatIfSessions: { method: "POST", path: "/v1/what-ifs", tag: "sessions" },
  ExportSessions: { method: "POST", path: "/v1/exports", tag: "sessions" },
  EraseSession: { method: "POST", path: "/v1/erasures", tag: "service" },
  EraseSubject: { method: "POST", path: "/v1/erasures/subjects", tag: "service" },
  SetLegalHold: { method: "POST", path: "/v1/holds", tag: "service" },
  ListErasures: { method: "GET", path: "/v1/erasures", tag: "service" },
  VerifyLog: { method: "POST", path: "/v1/log/verification", tag: "service" },
  CheckReadiness: { method: "POST", path: "/v1/readiness", tag: "service" },
  GetProjections: { method: "GET", path: "/v1/projections", tag: "service" },
  RebuildProjections: { method: "POST", path: "/v1/projections/rebuild", tag: "service" },
  CollectEvidence: { method: "POST", path: "/v1/evidence", tag: "evidence" },
  CollectPage: { method: "POST", path: "/v1/evidence/pages", tag: "evidence" },
  PromoteEvidence: { method: "POST", path: "/v1/evidence/promotions", tag: "evidence" },
  RemoveEvidence: { method: "POST", path: "/v1/evidence/removals", tag: "evidence" },
  ReembedEvidence: { method: "POST", path: "/v1/evidence/reembeddings", tag: "evidence" },
  GatherEvidence: { method: "POST", path: "/v1/evidence/gatherings", tag: "evidence" },
  GetEvidenceStatus: { method: "GET", path: "/v1/evidence/status", tag: "evidence" },
  CreateToken: { method: "POST", path: "/v1/tokens", tag: "tokens" },
  ListTokens: { method: "GET", path: "/v1/tokens", tag: "tokens" },
  RevokeToken: { method: "POST", path: "/v1/tokens/{token_id}/revocation", tag: "tokens" }
} as const satisfies Readonly<Record<OperationName, Route>>

/** Names of the operations, in the order of the table. */
export const names: ReadonlyArray<OperationName> = Object.keys(routes).filter((name) =>
  isName(name)
)

function isName(name: string): name is OperationName {
  return Object.hasOwn(routes, name)
}

/** Path of the OpenAPI document. */
export const documentPath = "/v1/openapi.json"
export const docsPath = "/v1/docs"

/** Names in braces, in order. */
export const pathFieldsOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (named) => named[1] ?? "")

export type Match =
  | {
    readonly _tag: "Found"
    readonly name: OperationName
    readonly fields: Readonly<Record<string, string>>
  }
  /** The path exists under other methods. */
  | { readonly _tag: "OtherMethod"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

/** Operation that a method and a path call. `path` is as it was sent, without its query. */
export const match = (method: string, path: string): Match => {
  const there = names.flatMap((name) =>
    Option.match(fieldsOf(routes[name].path, path), {
      onNone: () => [],
      onSome: (fields) => [{ name, fields }]
    })
  )
  if (there.length === 0) return { _tag: "Unknown" }
  const found = there.find(({ name }) => routes[name].method === method)
  return found === undefined
    ? { _tag: "OtherMethod", allow: there.map(({ name }) => routes[name].method) }
    : { _tag: "Found", ...found }
}

const decodeSegment = Option.liftThrowable(decodeURIComponent)

const fieldsOf = (
  pattern: string,
  path: string
): Option.Option<Readonly<Record<string, string>>> => {
  const expected = pattern.split("/")
  const segments = path.split("/")
  if (expected.length !== segments.length) return Option.none()
  const fields: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? ""
    const field = /^\{(\w+)\}$/.exec(part)?.[1]
    if (field === undefined) {
      if (segment !== part) return Option.none()
    } else {
      const text = decodeSegment(segment)
      if (Option.isNone(text) || text.value === "") return Option.none()
      fields[field] = text.value
    }
  }
  return Option.some(fields)
}
