/** Table of the service's operations, from which RPC group, client and documents derive. */
import { Schema } from "effect"
import type { AccessScope } from "../domain/access/AccessToken.ts"
import { OutlineAnswer, Research, ResearchInput } from "../domain/research/Research.ts"
import { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import { PackView } from "../domain/view/ViewSchemas.ts"
import { EventView, SessionPage } from "./EventView.ts"
import { EvidenceFound, EvidenceSearchInput } from "./EvidenceSearch.ts"
import { HealthView } from "./HealthView.ts"
import * as Input from "./Input.ts"
import { EvidenceFailure, PublicFailure, ResearchFailure } from "./PublicFailure.ts"

/** Facts as they are recorded, then, last, the answer. */
export const GroundProgress = Schema.Union([
  Schema.TaggedStruct("Fact", { event: EventView }),
  Schema.TaggedStruct("Outcome", { outcome: GroundingOutcome })
]).pipe(Schema.toTaggedUnion("_tag"))
export type GroundProgress = typeof GroundProgress.Type

/** Class of cost of a call: searches and models, statements of the database, or cached figures. */
export type CostClass = "grounding" | "read" | "health"

/** Chapter of an operation in the HTTP documentation. */
export type Tag = "groundings" | "sessions" | "research" | "evidence" | "service" | "tokens"

export interface Route {
  readonly method: "GET" | "POST"
  /** Names in braces are fields of the operation's input. */
  readonly path: `/v1/${string}`
  readonly tag: Tag
  /** Progress is available as server-sent events. */
  readonly events?: true
}

export type OperationInput = Schema.Codec<unknown, unknown> & {
  readonly fields: Schema.Struct.Fields
}

export interface Operation {
  readonly summary: string
  readonly input: OperationInput
  readonly output: Schema.Codec<unknown, unknown>
  /** Elements sent before and with the answer. Absent: the answer alone. */
  readonly progress?: Schema.Codec<unknown, unknown>
  readonly failure: Schema.Codec<unknown, unknown>
  readonly scope: AccessScope
  readonly cost: CostClass
  readonly http: Route
}

/** What a call takes of its caller and of the service, and how it may fail. */
export const needs = <
  const Scope extends AccessScope,
  const Cost extends CostClass,
  Failure extends Operation["failure"]
>(scope: Scope, cost: Cost, failure: Failure) => ({ scope, cost, failure })

const route =
  <const Method extends Route["method"]>(method: Method) =>
  <const Path extends Route["path"]>(tag: Tag, path: Path) => ({ method, path, tag })
export const get = route("GET")
export const post = route("POST")

export const operations = {
  Ground: {
    summary: "Grounds a question; the same `request_id` again answers from the log",
    input: Input.GroundInput,
    output: GroundingOutcome,
    progress: GroundProgress,
    ...needs("ground", "grounding", PublicFailure),
    http: { ...post("groundings", "/v1/groundings"), events: true }
  },
  GetSession: {
    summary: "A page of a session's events, oldest first",
    input: Input.SessionPageInput,
    output: SessionPage,
    ...needs("read", "read", PublicFailure),
    http: get("sessions", "/v1/sessions/{session_id}/events")
  },
  GetPack: {
    summary: "The recorded answer of a request",
    input: Input.PackInput,
    output: GroundingOutcome,
    ...needs("read", "read", PublicFailure),
    http: { ...get("groundings", "/v1/groundings/{session_id}/{request_id}"), events: true }
  },
  GetPackView: {
    summary:
      "A pack for an audience (a role, a coach), or in the format in which a model's host cites",
    input: Input.ViewInput,
    output: PackView,
    ...needs("read", "read", PublicFailure),
    http: get("groundings", "/v1/groundings/{session_id}/{request_id}/view")
  },
  RecordShown: {
    summary: "Records that a pack was shown to an audience",
    input: Input.ShownInput,
    output: Schema.Struct({ recorded: Schema.Boolean }),
    ...needs("ground", "read", PublicFailure),
    http: post("groundings", "/v1/groundings/{session_id}/{request_id}/shown")
  },
  Research: {
    summary: "Researches a course's subject; empty, and no failure, when every provider fails",
    input: ResearchInput,
    output: Research,
    ...needs("ground", "grounding", ResearchFailure),
    http: post("research", "/v1/research")
  },
  Outline: {
    summary: "Outlines a course; without the web, internal knowledge alone is used",
    input: ResearchInput,
    output: OutlineAnswer,
    ...needs("ground", "grounding", ResearchFailure),
    http: post("research", "/v1/outlines")
  },
  GetHealth: {
    summary: "Search health of the tenant; with `admin` of the deployment, with its alerts",
    input: Input.HealthInput,
    output: HealthView,
    ...needs("read", "health", PublicFailure),
    http: get("service", "/v1/health")
  },
  SearchEvidence: {
    summary: "Entries of the evidence store, best first",
    input: EvidenceSearchInput,
    output: EvidenceFound,
    ...needs("read", "read", EvidenceFailure),
    http: post("evidence", "/v1/evidence/search")
  }
} as const satisfies Readonly<Record<string, Operation>>
