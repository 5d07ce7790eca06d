/** What the commands need from the composition root: they name layers, they do not build them. */
import type { Effect, Layer } from "effect"
import type { EvidenceApi } from "../../application/evidence/EvidenceApi.ts"
import type { DocumentReader } from "../../application/ports/DocumentReader.ts"
import type { Lag } from "../../application/projections/ProjectionRunner.ts"
import type { Rebuilt } from "../../application/projections/RebuildModels.ts"
import type { PublicApi } from "../../application/PublicApi.ts"
import type { ResearchTopic } from "../../application/ResearchTopic.ts"
import type { ReadinessReport } from "../../domain/health/Readiness.ts"

/** What keeps a command from starting; its message is one sentence for the operator. */
export type StartFailure = Error

export interface Wiring {
  /**
   * Searches the bundled sandbox when `mock`. `model` is asked in every step that can use one; with
   * `mock` it is one of the sandbox's.
   */
  readonly application: (
    options: { readonly mock: boolean; readonly model?: string | undefined }
  ) => Layer.Layer<PublicApi | ResearchTopic, StartFailure>
  /** The evidence store, and the reader of files for it. With `mock`, the sandbox's embedder. */
  readonly evidence: (
    options: { readonly mock: boolean }
  ) => Layer.Layer<EvidenceApi | DocumentReader, StartFailure>
  /** Serves until its scope closes; answers the address it listens on. */
  readonly serve: (options: {
    readonly mock: boolean
    readonly port: number | undefined
    readonly host: string | undefined
  }) => Layer.Layer<never, StartFailure>
  readonly sandbox: (options: {
    readonly port: number
    readonly bodies: string | undefined
  }) => Layer.Layer<never, StartFailure>
  readonly projections: {
    readonly list: Effect.Effect<ReadonlyArray<Lag>, StartFailure>
    readonly rebuild: Effect.Effect<ReadonlyArray<Rebuilt>, StartFailure>
  }
  /** One real search is made and recorded. */
  readonly readiness: (
    options: { readonly mock: boolean }
  ) => Effect.Effect<ReadinessReport, StartFailure>
  /** Names of the migrations that were applied. */
  readonly migrate: Effect.Effect<ReadonlyArray<string>, StartFailure>
  readonly tenantId: Effect.Effect<string, StartFailure>
}
