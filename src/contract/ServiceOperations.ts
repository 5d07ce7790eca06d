/** All operations of the service in one table, and the types of their calls. */
import { type Effect, Schema } from "effect"
import { Envelope } from "../domain/audit/MerkleTree.ts"
import { ReadinessReport } from "../domain/health/Readiness.ts"
import { EmbeddingModel, SourceType } from "../domain/store/Entry.ts"
import * as Erasure from "./Erasure.ts"
import * as EvidenceInput from "./EvidenceInput.ts"
import { LagView } from "./HealthView.ts"
import * as Input from "./Input.ts"
import { needs, type Operation, operations } from "./Operations.ts"
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
    http: { method: "GET", path: "/v1/sessions", tag: "sessions" }
  },
  GetSessionTimeline: {
    summary: "A session and what happened in each of its requests, in words",
    input: Records.SessionTimelineInput,
    output: Records.SessionTimeline,
    ...needs("read", "read", PublicFailure),
    http: { method: "GET", path: "/v1/sessions/{session_id}/timeline", tag: "sessions" }
  },
  GetCitedPack: {
    summary: "A pack with its evidence: each quotation in the text around it",
    input: Records.CitedPackInput,
    output: Records.CitedPack,
    ...needs("read", "read", PublicFailure),
    http: {
      method: "GET",
      path: "/v1/groundings/{session_id}/{request_id}/cited",
      tag: "groundings"
    }
  },
  GetActivity: {
    summary: "The tenant's requests and searches over the last hours, step by step",
    input: Records.ActivityInput,
    output: Records.Activity,
    ...needs("read", "health", PublicFailure),
    http: { method: "GET", path: "/v1/activity", tag: "service" }
  },
  GetUsage: {
    summary: "What the tenant used on each day: requests, searches, credits, cost of models",
    input: Records.UsageInput,
    output: Records.Usage,
    ...needs("read", "health", PublicFailure),
    http: { method: "GET", path: "/v1/usage", tag: "service" }
  },
  ListTenants: {
    summary: "Tenants of the deployment, with what each used over the last days",
    input: Records.UsageInput,
    output: Records.TenantList,
    ...needs("admin", "health", PublicFailure),
    http: { method: "GET", path: "/v1/tenants", tag: "service" }
  },
  ListAlerts: {
    summary: "Alerts of the deployment, open and closed, the latest first",
    input: Records.ListAlertsInput,
    output: Records.AlertList,
    ...needs("admin", "read", PublicFailure),
    http: { method: "GET", path: "/v1/alerts", tag: "service" }
  },
  GetReceipt: {
    summary: "What an answer claims and quotes, signed, with the proof that an anchor covers it",
    input: Input.ReceiptInput,
    output: Envelope,
    ...needs("read", "read", ReceiptFailure),
    http: {
      method: "GET",
      path: "/v1/groundings/{session_id}/{request_id}/receipt",
      tag: "groundings"
    }
  },
  ReplaySession: {
    summary: "Recomputes a session from the log alone and reports the first difference",
    input: Input.SessionInput,
    output: Replayed,
    ...needs("audit", "read", PublicFailure),
    http: { method: "GET", path: "/v1/sessions/{session_id}/replay", tag: "sessions" }
  },
  ReplaySessions: {
    summary: "Replays sessions of the tenant, the newest first, and reports each result",
    input: SessionRange,
    output: SessionVerdicts,
    ...needs("audit", "read", PublicFailure),
    http: { method: "GET", path: "/v1/replays", tag: "sessions" }
  },
  WhatIfSession: {
    summary:
      "Computes how a recorded session would have ended under other limits, engines or rules",
    input: WhatIfInput,
    output: WhatIf,
    ...needs("audit", "read", PublicFailure),
    http: { method: "POST", path: "/v1/sessions/{session_id}/what-if", tag: "sessions" }
  },
  ExportSessions: {
    summary: "Exports a session, or a part of many, as JSON Lines that can be verified alone",
    input: ExportInput,
    output: Exported,
    ...needs("audit", "read", PublicFailure),
    http: { method: "POST", path: "/v1/exports", tag: "sessions" }
  },
  VerifyLog: {
    summary: "Verifies events and streams against their hash chains and names every fault",
    input: VerifyLogInput,
    output: LogVerification,
    ...needs("audit", "read", PublicFailure),
    http: { method: "POST", path: "/v1/log/verification", tag: "service" }
  },
  EraseSession: {
    summary: "Destroys a session's content and key, and what was copied from it; the chain stays",
    input: Erasure.EraseSessionInput,
    output: Erasure.ErasureReport,
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: { method: "POST", path: "/v1/erasures", tag: "service" }
  },
  EraseSubject: {
    summary:
      "Erases every session whose requests named this person; lists those on hold, which stay",
    input: Erasure.EraseSubjectInput,
    output: Erasure.SubjectErasure,
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: { method: "POST", path: "/v1/erasures/subjects", tag: "service" }
  },
  SetLegalHold: {
    summary: "Sets or lifts a session's legal hold",
    input: Erasure.SetLegalHoldInput,
    output: Schema.Struct({ held: Schema.Boolean }),
    ...needs("erase", "read", Erasure.ErasureFailure),
    http: { method: "POST", path: "/v1/holds", tag: "service" }
  },
  ListErasures: {
    summary: "Erasures, the newest first: by this list a restored backup is erased again",
    input: Erasure.ListErasuresInput,
    output: Schema.Struct({ erasures: Schema.Array(Erasure.ErasureReport) }),
    ...needs("audit", "read", Erasure.ErasureFailure),
    http: { method: "GET", path: "/v1/erasures", tag: "service" }
  },
  CheckReadiness: {
    summary: "The six readiness checks; makes and records one real search",
    input: Schema.Struct({}),
    output: ReadinessReport,
    ...needs("admin", "grounding", PublicFailure),
    http: { method: "POST", path: "/v1/readiness", tag: "service" }
  },
  GetProjections: {
    summary: "How far each read model is behind the log",
    input: Schema.Struct({}),
    output: Schema.Struct({ projections: Schema.Array(LagView) }),
    ...needs("admin", "health", PublicFailure),
    http: { method: "GET", path: "/v1/projections", tag: "service" }
  },
  RebuildProjections: {
    summary: "Folds the log again and corrects read models and caches, while they are in use",
    input: Schema.Struct({}),
    output: Schema.Struct({ rebuilt: Schema.Array(RebuiltView) }),
    ...needs("admin", "read", PublicFailure),
    http: { method: "POST", path: "/v1/projections/rebuild", tag: "service" }
  },
  CollectEvidence: {
    summary: "Puts material into the evidence store, replacing the source's entries",
    input: EvidenceInput.CollectInput,
    output: Collected,
    ...needs("ground", "read", EvidenceFailure),
    http: { method: "POST", path: "/v1/evidence", tag: "evidence" }
  },
  CollectPage: {
    summary: "Fetches and reads a page, and puts it into the evidence store",
    input: EvidenceInput.CollectPageInput,
    output: Collected,
    ...needs("ground", "grounding", EvidenceFailure),
    http: { method: "POST", path: "/v1/evidence/pages", tag: "evidence" }
  },
  PromoteEvidence: {
    summary: "Replaces a collected page by a node of the knowledge graph",
    input: EvidenceInput.PromoteInput,
    output: Collected,
    ...needs("admin", "read", EvidenceFailure),
    http: { method: "POST", path: "/v1/evidence/promotions", tag: "evidence" }
  },
  RemoveEvidence: {
    summary: "Removes a source's entries from the evidence store",
    input: EvidenceInput.RemoveInput,
    output: Schema.Struct({ ...source, removed: Schema.Int }),
    ...needs("admin", "read", EvidenceFailure),
    http: { method: "POST", path: "/v1/evidence/removals", tag: "evidence" }
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
    http: { method: "POST", path: "/v1/evidence/reports", tag: "evidence" }
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
    http: { method: "POST", path: "/v1/evidence/reembeddings", tag: "evidence" }
  },
  GatherEvidence: {
    summary: "Collects now the waiting pages that groundings have read",
    input: Schema.Struct({}),
    output: Schema.Struct({
      collected: Schema.Int,
      /** Collected before with this text, or by a better reading. */
      known: Schema.Int,
      failed: Schema.Int
    }),
    ...needs("admin", "grounding", EvidenceFailure),
    http: { method: "POST", path: "/v1/evidence/gatherings", tag: "evidence" }
  },
  GetEvidenceStatus: {
    summary: "What the evidence store holds, and whose vectors",
    input: Schema.Struct({}),
    output: EvidenceStatus,
    ...needs("read", "read", EvidenceFailure),
    http: { method: "GET", path: "/v1/evidence/status", tag: "evidence" }
  },
  CreateToken: {
    summary: "Makes a token, and shows it this once",
    input: Input.CreateTokenInput,
    output: Input.TokenMade,
    ...needs("admin", "read", Input.AccessFailure),
    http: { method: "POST", path: "/v1/tokens", tag: "tokens" }
  },
  ListTokens: {
    summary: "Every token that was made, without its secret",
    input: Schema.Struct({}),
    output: Schema.Struct({ tokens: Schema.Array(Input.TokenView) }),
    ...needs("admin", "read", Input.AccessFailure),
    http: { method: "GET", path: "/v1/tokens", tag: "tokens" }
  },
  RevokeToken: {
    summary: "Ends a token; `false` when it was ended before",
    input: Input.RevokeTokenInput,
    output: Schema.Struct({ revoked: Schema.Boolean }),
    ...needs("admin", "read", Input.AccessFailure),
    http: { method: "POST", path: "/v1/tokens/{token_id}/revocation", tag: "tokens" }
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
