/**
 * Interface between the commands and the composition root. It names the services by type alone:
 * nothing of the application is loaded before a command runs.
 */
import { Effect, type Layer, type Option, type Scope } from "effect"
import type { ImportSessions } from "../../application/audit/ImportSessions.ts"
import type { ConsistencyProof } from "../../application/audit/InclusionProofs.ts"
import type { MakeAnchors, PublicKey } from "../../application/audit/MakeAnchors.ts"
import type { Retained } from "../../application/erasure/ApplyRetention.ts"
import type { Report } from "../../application/GroundQuestion.ts"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import type { DocumentReader } from "../../application/ports/Embedder.ts"
import type { OperationName, SentOf } from "../../contract/ServiceOperations.ts"
import type { AnchorStatement } from "../../domain/audit/MerkleTree.ts"

/** Failure that keeps a command from starting; its message is one sentence for the operator. */
export type StartFailure = Error

/** How a command's calls are answered. */
export interface CallsOptions {
  /** Searches the bundled sandbox. */
  readonly mock: boolean
  /** Model that is asked in every step that can use one; with `mock` one of the sandbox's. */
  readonly model?: string | undefined
  /** Pseudonym of whoever asks, as events name it. Default: `cli`. */
  readonly actor?: string
}

/** Every operation, by this process or by the service that holds the data directory. */
export interface Opened {
  readonly calls: AskedCalls
  /** Says once what keeps it from searching well, e.g. that a running service has the sandbox. */
  readonly warned: Effect.Effect<void, StartFailure>
}

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
/** Something that is wrong with a setting. It shows no secret. */
export interface SettingFinding {
  /**
   * `invalid`: it does not fit its bounds or another setting, and nothing starts. `unknown`: the
   * name is no setting's. `choice`: what follows from leaving it out; nothing is wrong.
   */
  readonly kind: "invalid" | "unknown" | "choice"
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

/** Parts that the first command which asks for one of them loads. */
export interface Parts {
  /** Open until the scope closes. */
  readonly calls: (options: CallsOptions) => Effect.Effect<Opened, StartFailure, Scope.Scope>
  readonly reader: Effect.Effect<DocumentReader["Service"], StartFailure, Scope.Scope>
  /** Serves until its scope closes; answers the address it listens on. */
  readonly serve: (options: ServeOptions) => Layer.Layer<never, StartFailure>
  readonly sandbox: (options: {
    readonly port: number
    readonly bodies: string | undefined
  }) => Layer.Layer<never, StartFailure>
  /** Imports in this process alone: refused while a service holds the embedded store. */
  readonly importing: Effect.Effect<ImportSessions["Service"]["take"], StartFailure, Scope.Scope>
  /** Reads the anchors in this process alone: refused while a service holds the embedded store. */
  readonly anchors: Effect.Effect<Anchors, StartFailure, Scope.Scope>
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
  /** Names of the migrations that were applied. */
  readonly migrate: Effect.Effect<ReadonlyArray<string>, StartFailure>
  readonly tenantId: Effect.Effect<string, StartFailure>
}

export interface ServeOptions extends Pick<CallsOptions, "mock" | "model"> {
  readonly port: number | undefined
  readonly host: string | undefined
}

export interface Wiring {
  /** Checks the settings alone: nothing is started, connected to or opened. */
  readonly config: {
    readonly check: Effect.Effect<ReadonlyArray<SettingFinding>, StartFailure>
    /** Every setting, in the order of the documents. */
    readonly print: Effect.Effect<ReadonlyArray<EffectiveSetting>, StartFailure>
  }
  readonly serve: Parts["serve"]
  /** Serves one agent over standard input and output, until its input ends. */
  readonly mcp: (options: Pick<CallsOptions, "mock" | "model">) => Layer.Layer<never, StartFailure>
  readonly parts: Effect.Effect<Parts, StartFailure>
}

/** A part of the wiring, which is loaded now. */
export const part = <A, E, R>(
  { parts }: Pick<Wiring, "parts">,
  pick: (parts: Parts) => Effect.Effect<A, E, R>
) => Effect.flatMap(parts, pick)

/** Asks one or more operations over one opening, which is closed then. */
export const asking = <A, E, R>(
  wiring: Pick<Wiring, "parts">,
  options: CallsOptions,
  ask: (calls: AskedCalls) => Effect.Effect<A, E, R>
) =>
  part(wiring, ({ calls }) => calls(options)).pipe(
    Effect.flatMap(({ calls }) => ask(calls)),
    Effect.scoped
  )

/** Asks with input whose form is not known here: whoever answers decodes it. */
export const askUnknown = <Name extends OperationName>(
  calls: AskedCalls,
  name: Name,
  input: unknown,
  report?: Report
) => calls[name](input as SentOf<Name>, report)
