/** All operations of the service in one table, and the types of their calls. */
import { type Effect, Schema } from "effect"
import { Envelope } from "../domain/audit/MerkleTree.ts"
import { ReadinessReport } from "../domain/health/Readiness.ts"
import { EmbeddingModel, SourceType } from "../domain/store/Entry.ts"
import * as Erasure from "./Erasure.ts"
import * as EvidenceInput from "./EvidenceInput.ts"
import { LagView } from "./HealthView.ts"
import * as Input from "./Input.ts"
import { get, needs, type Operation, operations, post } from "./Operations.ts"
import { EvidenceFailure, PublicFailure, ReceiptFailure } from "./PublicFailure.ts"
import * as Records from "./Records.ts"
import {
  LogVerification,
  RebuiltView,
  Replayed,
  SessionVerdicts,
  VerifyLogInput,
  WhatIf,
  WhatIfInput
} from "./Replayed.ts"
import { Exported, ExportInput, SessionRange } from "./SessionRange.ts"

// A table of its own: a caller's client loads none of it.

/** Input of an operation that takes none. */
const nothing = Schema.Struct({})

const source = { source_type: SourceType, source_id: Schema.String }

const Collected = Schema.Struct({
  ...source,
  entries: Schema.Int,
  /** Entries that were replaced. */
  removed: Schema.Int,
  /** Model that made the vectors of the entries; absent when they got none. */
  embedding: Schema.optionalKey(EmbeddingModel),
  /** The requested page, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  /** The document goes on where the collected text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** Invisible and active characters that were removed. */
  removed_chars_count: Schema.optionalKey(Schema.Int)
})

const EvidenceStatus = Schema.Struct({
  entries: Schema.Record(SourceType, Schema.Int),
  sources: Schema.Int,
  /** Model whose vectors searches compare. */
  model: Schema.UndefinedOr(EmbeddingModel),
  embedded: Schema.Int,
  keepsVectors: Schema.Boolean,
  embedder: Schema.Union([EmbeddingModel, Schema.Literals(["not_configured", "not_kept"])])
})

export const operatorOperations = {
  ListSessions: {
    summary: "The tenant's sessions, the one with the latest event first",
    input: Records.ListSessionsInput,
    output: Records.SessionList,
    ...needs("read", "read", PublicFailure),
    http: get("sessions", "/v1/sessions")
  },
  GetSessionTimeline: {
    summary: "A session and what happened in each of its requests, in words",
    input: Records.SessionTimelineInput,
    output: Records.SessionTimeline,
    ...needs("read", "read", PublicFailure),
    http: get("sessions", "/v1/sessions/{session_id}/timeline")
  },
  GetCitedPack: {
    summary: "A pack with its evidence: each quotation in the text around it",
    input: Input.PackInput,
    output: Records.CitedPack,
    ...needs("read", "read", PublicFailure),
    http: get("groundings", "/v1/groundings/{session_id}/{request_id}/cited")
  },
  GetActivity: {
    summary: "The tenant's requests and searches over the last hours, step by step",
    input: Input.HealthInput,
    output: Records.Activity,
    ...needs("read", "health", PublicFailure),
    http: get("service", "/v1/activity")
  },
  GetUsage: {
    summary: "What the tenant used on each day: requests, searches, credits, cost of models",
    input: Records.UsageInput,
    output: Records.Usage,
    ...needs("read", "health", PublicFailure),
    http: get("service", "/v1/usage")
  },
  ListTenants: {
    summary: "Tenants of the deployment, with what each used over the last days",
    input: Records.UsageInput,
    output: Records.TenantList,
    ...needs("admin", "health", PublicFailure),
    http: get("service", "/v1/tenants")
  },
  ListAlerts: {
    summary: "Alerts of the deployment, open and closed, the latest first",
    input: Records.ListAlertsInput,
    output: Records.AlertList,
    ...needs("admin", "read", PublicFailure),
    http: get("service", "/v1/alerts")
  },
  GetReceipt: {
    summary: "What an answer claims and quotes, signed, with the proof that an anchor covers it",
    input: Input.ReceiptInput,
    output: Envelope,
    ...needs("read", "read", ReceiptFailure),
    http: get("groundings", "/v1/groundings/{session_id}/{request_id}/receipt")
  },
  ReplaySession: {
    summary: "Recomputes a session from the log alone and reports the first difference",
    input: Input.SessionInput,
    output: Replayed,
    ...needs("audit", "read", PublicFailure),
    http: get("sessions", "/v1/sessions/{session_id}/replay")
  },
  ReplaySessions: {
    summary: "Replays sessions of the tenant, the newest first, and reports each result",
    input: SessionRange,
    output: SessionVerdicts,
    ...needs("audit", "read", PublicFailure),
    http: get("sessions", "/v1/replays")
  },
  WhatIfSession: {
    summary:
      "Computes how a recorded session would have ended under other limits, engines or rules",
    input: WhatIfInput,
    output: WhatIf,
    ...needs("audit", "read", PublicFailure),
    http: post("sessions", "/v1/sessions/{session_id}/what-if")
  },
  ExportSessions: {
    summary: "Exports a session, or a part of many, as JSON Lines that can be verified alone",
    input: ExportInput,
    output: Exported,
    ...needs("audit", "read", PublicFailure),
    http: post("sessions", "/v1/exports")
  },
  VerifyLog: {
    summary: "Verifies events and streams against their hash chains and names every fault",
    input: VerifyLogInput,
    output: LogVerification,
    ...needs("audit", "read", PublicFailure),
    http: post("service", "/v1/log/verification")
  },
  EraseSession: {
    summary: "Destroys a session's content and key, and what was copied from it; the chain stays",
    input: Erasure.EraseSessionInput,
    output: Erasure.ErasureReport,
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: post("service", "/v1/erasures")
  },
  EraseSubject: {
    summary:
      "Erases every session whose requests named this person; lists those on hold, which stay",
    input: Erasure.EraseSubjectInput,
    output: Erasure.SubjectErasure,
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: post("service", "/v1/erasures/subjects")
  },
  SetLegalHold: {
    summary: "Sets or lifts a session's legal hold",
    input: Erasure.SetLegalHoldInput,
    output: Schema.Struct({ held: Schema.Boolean }),
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: post("service", "/v1/holds")
  },
  ListErasures: {
    summary: "Erasures, the newest first: by this list a restored backup is erased again",
    input: Erasure.ListErasuresInput,
    output: Schema.Struct({ erasures: Schema.Array(Erasure.ErasureReport) }),
    ...needs("audit", "read", Erasure.ErasureFailure),
    http: get("service", "/v1/erasures")
  },
  CheckReadiness: {
    summary: "The six readiness checks; makes and records one real search",
    input: nothing,
    output: ReadinessReport,
    ...needs("admin", "grounding", PublicFailure),
    http: post("service", "/v1/readiness")
  },
  GetProjections: {
    summary: "How far each read model is behind the log",
    input: nothing,
    output: Schema.Struct({ projections: Schema.Array(LagView) }),
    ...needs("admin", "health", PublicFailure),
    http: get("service", "/v1/projections")
  },
  RebuildProjections: {
    summary: "Folds the log again and corrects read models and caches, while they are in use",
    input: nothing,
    output: Schema.Struct({ rebuilt: Schema.Array(RebuiltView) }),
    ...needs("admin", "read", PublicFailure),
    http: post("service", "/v1/projections/rebuild")
  },
  CollectEvidence: {
    summary: "Puts material into the evidence store, replacing the source's entries",
    input: EvidenceInput.CollectInput,
    output: Collected,
    ...needs("ground", "read", EvidenceFailure),
    http: post("evidence", "/v1/evidence")
  },
  CollectPage: {
    summary: "Fetches and reads a page, and puts it into the evidence store",
    input: EvidenceInput.CollectPageInput,
    output: Collected,
    ...needs("ground", "grounding", EvidenceFailure),
    http: post("evidence", "/v1/evidence/pages")
  },
  PromoteEvidence: {
    summary: "Replaces a collected page by a node of the knowledge graph",
    input: EvidenceInput.PromoteInput,
    output: Collected,
    ...needs("admin", "read", EvidenceFailure),
    http: post("evidence", "/v1/evidence/promotions")
  },
  RemoveEvidence: {
    summary: "Removes a source's entries from the evidence store",
    input: EvidenceInput.RemoveInput,
    output: Schema.Struct({ ...source, removed: Schema.Int }),
    ...needs("admin", "read", EvidenceFailure),
    http: post("evidence", "/v1/evidence/removals")
  },
  ReportPage: {
    summary: "Reports a page as false or hostile: no later answer uses it",
    input: EvidenceInput.ReportInput,
    output: Schema.Struct({
      source_url: Schema.String,
      /** All reported pages of the tenant, the latest last. */
      reported: Schema.Array(Schema.String)
    }),
    ...needs("admin", "read", EvidenceFailure),
    http: post("evidence", "/v1/evidence/reports")
  },
  ReembedEvidence: {
    summary: "Moves all entries to the embedder that is configured",
    input: EvidenceInput.ReembedInput,
    output: Schema.Struct({
      model: EmbeddingModel,
      embedded: Schema.Int,
      entries: Schema.Int
    }),
    ...needs("admin", "grounding", EvidenceFailure),
    http: post("evidence", "/v1/evidence/reembeddings")
  },
  GatherEvidence: {
    summary: "Collects now the waiting pages that groundings have read",
    input: nothing,
    output: Schema.Struct({
      collected: Schema.Int,
      /** Collected before with this text, or by a better reading. */
      known: Schema.Int,
      failed: Schema.Int
    }),
    ...needs("admin", "grounding", EvidenceFailure),
    http: post("evidence", "/v1/evidence/gatherings")
  },
  GetEvidenceStatus: {
    summary: "What the evidence store holds, and whose vectors",
    input: nothing,
    output: EvidenceStatus,
    ...needs("read", "read", EvidenceFailure),
    http: get("evidence", "/v1/evidence/status")
  },
  CreateToken: {
    summary: "Makes a token, and shows it this once",
    input: Input.CreateTokenInput,
    output: Input.TokenMade,
    ...needs("admin", "read", Input.AccessFailure),
    http: post("tokens", "/v1/tokens")
  },
  ListTokens: {
    summary: "Every token that was made, without its secret",
    input: nothing,
    output: Schema.Struct({ tokens: Schema.Array(Input.TokenView) }),
    ...needs("admin", "read", Input.AccessFailure),
    http: get("tokens", "/v1/tokens")
  },
  RevokeToken: {
    summary: "Ends a token; `false` when it was ended before",
    input: Input.RevokeTokenInput,
    output: Schema.Struct({ revoked: Schema.Boolean }),
    ...needs("admin", "read", Input.AccessFailure),
    http: post("tokens", "/v1/tokens/{token_id}/revocation")
  }
} as const satisfies Readonly<Record<string, Operation>>

export const serviceOperations = { ...operations, ...operatorOperations } as const

type Table = typeof serviceOperations

export type OperationName = keyof Table

/** Encoded input: fields with a default may be absent. */
export type SentOf<Name extends OperationName> = Table[Name]["input"]["Encoded"]
/** Decoded input, checked and complete. */
export type InputOf<Name extends OperationName> = Table[Name]["input"]["Type"]
export type OutputOf<Name extends OperationName> = Table[Name]["output"]["Type"]
export type FailureOf<Name extends OperationName> = Table[Name]["failure"]["Type"]

export type UseCase<Name extends OperationName, Caller> = (
  input: InputOf<Name>,
  caller: Caller
) => Effect.Effect<OutputOf<Name>, FailureOf<Name>>

const isName = (name: string): name is OperationName => Object.hasOwn(serviceOperations, name)

export const operationNames: ReadonlyArray<OperationName> = Object.keys(serviceOperations)
  .filter(isName)
