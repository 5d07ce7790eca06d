/**
 * Table of the operations of operators and auditors. It stands apart from the callers' table, so
 * that a caller's client loads none of it.
 */
import { Schema } from "effect"
import { Envelope } from "../domain/audit/Anchor.ts"
import { ReadinessReport } from "../domain/health/Readiness.ts"
import { EmbeddingModel, SourceType } from "../domain/store/Entry.ts"
import * as AccessInput from "./AccessInput.ts"
import * as Erasure from "./Erasure.ts"
import * as EvidenceInput from "./EvidenceInput.ts"
import { Exported, ExportInput } from "./Exported.ts"
import * as Input from "./Input.ts"
import { LogVerification, VerifyLogInput } from "./LogVerification.ts"
import type { Operation } from "./Operations.ts"
import { EvidenceFailure, PublicFailure, ReceiptFailure } from "./PublicFailure.ts"
import * as Records from "./Records.ts"
import { ProjectionView, RebuiltView, Replayed, SessionVerdicts } from "./Replayed.ts"
import { SessionRange } from "./SessionRange.ts"
import { SessionWhatIfs, WhatIf, WhatIfInput, WhatIfRangeInput } from "./WhatIf.ts"

const source = { source_type: SourceType, source_id: Schema.String }

const Collected = Schema.Struct({
  ...source,
  entries: Schema.Int,
  /** Entries that gave way. */
  removed: Schema.Int,
  /** Model that made the vectors of the entries; absent when they got none. */
  embedding: Schema.optionalKey(EmbeddingModel),
  /** The page that was asked for, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  /** The document goes on where the collected text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** Invisible and active characters taken out. */
  removed_chars_count: Schema.optionalKey(Schema.Int)
})

const EvidenceStatus = Schema.Struct({
  entries: Schema.Record(SourceType, Schema.Int),
  sources: Schema.Int,
  /** Model whose vectors searches compare. */
  model: Schema.UndefinedOr(EmbeddingModel),
  /** Entries that have a vector of that model. */
  embedded: Schema.Int,
  keepsVectors: Schema.Boolean,
  /** Model that makes vectors in this deployment, or why none does. */
  embedder: Schema.Union([EmbeddingModel, Schema.Literals(["not_configured", "not_kept"])])
})

export const operatorOperations = {
  ListSessions: {
    summary: "The tenant's sessions, the one with the latest event first",
    input: Records.ListSessionsInput,
    output: Records.SessionList,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  GetSessionTimeline: {
    summary: "A session and what happened in each of its requests, in words",
    input: Records.SessionTimelineInput,
    output: Records.SessionTimeline,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  GetCitedPack: {
    summary: "A pack beside what it rests on: each quotation in the text around it",
    input: Records.CitedPackInput,
    output: Records.CitedPack,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  GetActivity: {
    summary: "The tenant's requests and searches over the last hours, step by step",
    input: Records.ActivityInput,
    output: Records.Activity,
    failure: PublicFailure,
    scope: "read",
    cost: "health"
  },
  GetUsage: {
    summary: "What the tenant used on each day: requests, searches, credits, cost of models",
    input: Records.UsageInput,
    output: Records.Usage,
    failure: PublicFailure,
    scope: "read",
    cost: "health"
  },
  ListAlerts: {
    summary: "Alerts of the deployment, open and closed, the latest first",
    input: Records.ListAlertsInput,
    output: Records.AlertList,
    failure: PublicFailure,
    scope: "admin",
    cost: "read"
  },
  GetReceipt: {
    summary: "What an answer claims and quotes, signed, with the proof that an anchor covers it",
    input: Input.ReceiptInput,
    output: Envelope,
    failure: ReceiptFailure,
    scope: "read",
    cost: "read"
  },
  ReplaySession: {
    summary: "Recomputes a session from the log alone and tells the first difference",
    input: Input.SessionInput,
    output: Replayed,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  ReplaySessions: {
    summary: "Replays sessions of the tenant, the newest first, and tells of each how it went",
    input: SessionRange,
    output: SessionVerdicts,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  WhatIfSession: {
    summary: "Tells what a recorded session would have come to otherwise; nobody outside is asked",
    input: WhatIfInput,
    output: WhatIf,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  WhatIfSessions: {
    summary: "The same of sessions of the tenant, the newest first",
    input: WhatIfRangeInput,
    output: SessionWhatIfs,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  ExportSessions: {
    summary: "Exports a session, or a part of many, as JSON Lines that verify on their own",
    input: ExportInput,
    output: Exported,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  VerifyLog: {
    summary: "Verifies events and streams against their hash chains and names every fault",
    input: VerifyLogInput,
    output: LogVerification,
    failure: PublicFailure,
    scope: "audit",
    cost: "read"
  },
  EraseSession: {
    summary: "Destroys a session's content and key, and what was copied from it; the chain stays",
    input: Erasure.EraseSessionInput,
    output: Erasure.ErasureReport,
    failure: Erasure.ErasureFailure,
    scope: "erase",
    cost: "read"
  },
  EraseSubject: {
    summary: "Erases every session whose requests named this person; held ones stay and are named",
    input: Erasure.EraseSubjectInput,
    output: Erasure.SubjectErasure,
    failure: Erasure.ErasureFailure,
    scope: "erase",
    cost: "read"
  },
  SetLegalHold: {
    summary: "Keeps a session from being erased, or lifts that",
    input: Erasure.SetLegalHoldInput,
    output: Schema.Struct({ held: Schema.Boolean }),
    failure: Erasure.ErasureFailure,
    scope: "erase",
    cost: "read"
  },
  ListErasures: {
    summary:
      "What was erased, the newest first: the list that a restored backup is erased by again",
    input: Erasure.ListErasuresInput,
    output: Schema.Struct({ erasures: Schema.Array(Erasure.ErasureReport) }),
    failure: Erasure.ErasureFailure,
    scope: "audit",
    cost: "read"
  },
  CheckReadiness: {
    summary: "The six checks of the audit; one real search is made and recorded",
    input: Schema.Struct({}),
    output: ReadinessReport,
    failure: PublicFailure,
    scope: "admin",
    cost: "grounding"
  },
  GetProjections: {
    summary: "How far each read model is behind the log",
    input: Schema.Struct({}),
    output: Schema.Struct({ projections: Schema.Array(ProjectionView) }),
    failure: PublicFailure,
    scope: "admin",
    cost: "health"
  },
  RebuildProjections: {
    summary: "Folds the log anew and puts right read models and caches while they are read",
    input: Schema.Struct({}),
    output: Schema.Struct({ rebuilt: Schema.Array(RebuiltView) }),
    failure: PublicFailure,
    scope: "admin",
    cost: "read"
  },
  CollectEvidence: {
    summary: "Puts material into the evidence store; what the source had gives way",
    input: EvidenceInput.CollectInput,
    output: Collected,
    failure: EvidenceFailure,
    scope: "ground",
    cost: "read"
  },
  CollectPage: {
    summary: "Fetches and reads a page, and puts it into the evidence store",
    input: EvidenceInput.CollectPageInput,
    output: Collected,
    failure: EvidenceFailure,
    scope: "ground",
    cost: "grounding"
  },
  PromoteEvidence: {
    summary: "Puts a node of the knowledge graph in the place of a collected page",
    input: EvidenceInput.PromoteInput,
    output: Collected,
    failure: EvidenceFailure,
    scope: "admin",
    cost: "read"
  },
  RemoveEvidence: {
    summary: "Takes a source's entries out of the evidence store",
    input: EvidenceInput.RemoveInput,
    output: Schema.Struct({ ...source, removed: Schema.Int }),
    failure: EvidenceFailure,
    scope: "admin",
    cost: "read"
  },
  ReembedEvidence: {
    summary: "Moves all entries to the embedder that is configured",
    input: EvidenceInput.ReembedInput,
    output: Schema.Struct({
      model: EmbeddingModel,
      embedded: Schema.Int,
      entries: Schema.Int
    }),
    failure: EvidenceFailure,
    scope: "admin",
    cost: "grounding"
  },
  GatherEvidence: {
    summary: "Collects the pages that groundings read and that wait, now",
    input: Schema.Struct({}),
    output: Schema.Struct({
      collected: Schema.Int,
      /** Known in these words, or by a better reading. */
      known: Schema.Int,
      failed: Schema.Int
    }),
    failure: EvidenceFailure,
    scope: "admin",
    cost: "grounding"
  },
  GetEvidenceStatus: {
    summary: "What the evidence store holds, and whose vectors",
    input: Schema.Struct({}),
    output: EvidenceStatus,
    failure: EvidenceFailure,
    scope: "read",
    cost: "read"
  },
  CreateToken: {
    summary: "Makes a token, and shows it this once",
    input: AccessInput.CreateTokenInput,
    output: AccessInput.TokenMade,
    failure: AccessInput.AccessFailure,
    scope: "admin",
    cost: "read"
  },
  ListTokens: {
    summary: "Every token that was made, without its secret",
    input: Schema.Struct({}),
    output: Schema.Struct({ tokens: Schema.Array(AccessInput.TokenView) }),
    failure: AccessInput.AccessFailure,
    scope: "admin",
    cost: "read"
  },
  RevokeToken: {
    summary: "Ends a token; `false` when it was ended before",
    input: AccessInput.RevokeTokenInput,
    output: Schema.Struct({ revoked: Schema.Boolean }),
    failure: AccessInput.AccessFailure,
    scope: "admin",
    cost: "read"
  }
} as const satisfies Readonly<Record<string, Operation>>
