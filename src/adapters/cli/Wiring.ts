/**
 * Interface between the commands and the composition root. It names the services by type alone:
 * nothing of the application is loaded before a command runs.
 */
import type { Effect, Layer, Option, Scope } from "effect"
import type { AccessTokens } from "../../application/AccessTokens.ts"
import type { PublicKey } from "../../application/audit/AnchorKeys.ts"
import type { ImportSessions } from "../../application/audit/ImportSessions.ts"
import type { MakeAnchors } from "../../application/audit/MakeAnchors.ts"
import type { ConsistencyProof } from "../../application/audit/ProveAnchors.ts"
import type { AuditApi } from "../../application/AuditApi.ts"
import type { EraseSessions } from "../../application/EraseSessions.ts"
import type { EraseSubject } from "../../application/EraseSubject.ts"
import type { Retained } from "../../application/erasure/ApplyRetention.ts"
import type { EvidenceApi } from "../../application/EvidenceApi.ts"
import type { DocumentReader } from "../../application/ports/DocumentReader.ts"
import type { Lag } from "../../application/projections/ProjectionRunner.ts"
import type { Rebuilt } from "../../application/projections/RebuildModels.ts"
import type { PublicApi } from "../../application/PublicApi.ts"
import type { QueryReadModels } from "../../application/QueryReadModels.ts"
import type { ResearchTopic } from "../../application/ResearchTopic.ts"
import type { ReceiptInput } from "../../contract/Input.ts"
import type { LogVerification, VerifyLogInput } from "../../contract/LogVerification.ts"
import type { AnchorStatement, Envelope } from "../../domain/audit/Anchor.ts"
import type { ReadinessReport } from "../../domain/health/Readiness.ts"

/** Failure that keeps a command from starting; its message is one sentence for the operator. */
export type StartFailure = Error

export interface Application {
  /** Says once what keeps it from searching well; nothing where a running service is asked. */
  readonly warned: Effect.Effect<void, StartFailure>
  readonly api: PublicApi["Service"]
  readonly topic: ResearchTopic["Service"]
}

/**
 * Use cases for agents: the evidence store and lists too, over one opening of the data directory.
 */
export interface AgentApplication extends Application {
  readonly evidence: EvidenceApi["Service"]
  readonly records: QueryReadModels["Service"]
}

export interface Evidence {
  readonly api: EvidenceApi["Service"]
  readonly reader: DocumentReader["Service"]
}

export interface Erasures extends Pick<EraseSessions["Service"], "erase" | "hold" | "list"> {
  readonly eraseSubject: EraseSubject
}

export type Tokens = Pick<AccessTokens["Service"], "create" | "list" | "revoke">

export interface Anchors {
  readonly make: MakeAnchors["Service"]["make"]
  /** Anchors of the database whose signature verifies, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AnchorStatement>, StartFailure>
  /** Proves that the log of `afterSize` events begins with that of `beforeSize`. */
  readonly prove: (
    beforeSize: number,
    afterSize: number | undefined
  ) => Effect.Effect<ConsistencyProof, StartFailure>
  /** Public key of the key that signs. */
  readonly key: Effect.Effect<PublicKey, StartFailure>
}
/**
 * Input of a verification of the log. `reach` is the tenant of the settings, or all tenants with
 * `deployment`.
 */
export type VerifyInput = Pick<typeof VerifyLogInput.Type, "anchor" | "reach">

/** Something that is wrong with a setting. It shows no secret. */
export interface SettingFinding {
  /**
   * `invalid`: it does not fit its bounds, and nothing starts. `contradiction`: it does not fit
   * another. `unknown`: the name is no setting's. `idle`: under the others it changes nothing.
   * `choice`: what follows from leaving it out; nothing is wrong.
   */
  readonly kind: "invalid" | "contradiction" | "unknown" | "idle" | "choice"
  readonly setting: string
  readonly problem: string
  /** Values that the setting may have; absent where the name is no setting's. */
  readonly bounds?: string
  /** Value that holds without it; absent where the name is no setting's. */
  readonly fallback?: string
}

export interface EffectiveSetting {
  readonly name: string
  /** Value in use; none where there is none. For a secret the word `set`. */
  readonly value: Option.Option<string>
  readonly source: "default" | "environment" | "file"
}

export interface Wiring {
  /** Checks the settings alone: nothing is started, connected to or opened. */
  readonly config: {
    readonly check: Effect.Effect<ReadonlyArray<SettingFinding>, StartFailure>
    /** Every setting, in the order of the documents. */
    readonly print: Effect.Effect<ReadonlyArray<EffectiveSetting>, StartFailure>
  }
  /**
   * Searches the bundled sandbox when `mock`. `model` is asked in every step that can use one; with
   * `mock` it is one of the sandbox's.
   */
  readonly application: (
    options: {
      readonly mock: boolean
      readonly model?: string | undefined
    }
  ) => Effect.Effect<Application, StartFailure, Scope.Scope>
  readonly forAgents: (
    options: { readonly mock: boolean; readonly model?: string | undefined }
  ) => Effect.Effect<AgentApplication, StartFailure, Scope.Scope>
  /** The evidence store, and the reader of files for it. With `mock`, the sandbox's embedder. */
  readonly evidence: (
    options: { readonly mock: boolean }
  ) => Effect.Effect<Evidence, StartFailure, Scope.Scope>
  /** Serves until its scope closes; answers the address it listens on. */
  readonly serve: (options: {
    readonly mock: boolean
    /** Name of the model, as in `application`. */
    readonly model?: string | undefined
    readonly port: number | undefined
    readonly host: string | undefined
  }) => Layer.Layer<never, StartFailure>
  /** Serves one agent over standard input and output, until its input ends. */
  readonly mcp: (options: {
    readonly mock: boolean
    /** Name of the model, as in `application`. */
    readonly model?: string | undefined
  }) => Layer.Layer<never, StartFailure>
  readonly sandbox: (options: {
    readonly port: number
    readonly bodies: string | undefined
  }) => Layer.Layer<never, StartFailure>
  /** Many sessions at once; no provider is asked. */
  readonly audit: Effect.Effect<AuditApi["Service"], StartFailure, Scope.Scope>
  /** Imports in this process alone: refused while a service holds the embedded store. */
  readonly importing: Effect.Effect<ImportSessions["Service"]["take"], StartFailure, Scope.Scope>
  readonly projections: {
    readonly list: Effect.Effect<ReadonlyArray<Lag>, StartFailure>
    readonly rebuild: Effect.Effect<ReadonlyArray<Rebuilt>, StartFailure>
  }
  /** Reads the anchors in this process alone: refused while a service holds the embedded store. */
  readonly anchors: Effect.Effect<Anchors, StartFailure, Scope.Scope>
  readonly receipt: (
    input: Pick<typeof ReceiptInput.Type, "claim" | "request_id" | "session_id">
  ) => Effect.Effect<Envelope, StartFailure>
  readonly verify: (
    input: VerifyInput
  ) => Effect.Effect<LogVerification, StartFailure>
  readonly erasures: Effect.Effect<Erasures, StartFailure, Scope.Scope>
  /** Applies the retention in this process alone, like `rewrapped`. `look` changes nothing. */
  readonly retained: (
    how: "look" | "erase"
  ) => Effect.Effect<ReadonlyArray<Retained>, StartFailure>
  /**
   * Wraps data keys anew in this process alone: refused while a service holds the embedded store.
   */
  readonly rewrapped: Effect.Effect<
    { readonly rewrapped: number; readonly left: number },
    StartFailure
  >
  readonly tokens: Effect.Effect<Tokens, StartFailure, Scope.Scope>
  /** Makes one real search, which is recorded. */
  readonly readiness: (
    options: { readonly mock: boolean }
  ) => Effect.Effect<ReadinessReport, StartFailure>
  /** Names of the migrations that were applied. */
  readonly migrate: Effect.Effect<ReadonlyArray<string>, StartFailure>
  readonly tenantId: Effect.Effect<string, StartFailure>
}
