/**
 * Commands, and their interface with the composition root, by type only: nothing of the application
 * is loaded before a command runs.
 */
import { Context, Effect, type Layer, type Scope } from "effect"
import { Command } from "effect/cli"
import type { ImportSessions } from "../../application/audit/ImportSessions.ts"
import type { ConsistencyProof } from "../../application/audit/InclusionProofs.ts"
import type { MakeAnchors, PublicKey } from "../../application/audit/MakeAnchors.ts"
import type { Retained } from "../../application/erasure/ApplyRetention.ts"
import type { Report } from "../../application/GroundQuestion.ts"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import type { DocumentReader } from "../../application/ports/Embedder.ts"
import type { OperationName, SentOf } from "../../contract/ServiceOperations.ts"
import type { AnchorStatement } from "../../domain/audit/MerkleTree.ts"
import type { Migrated } from "../../infrastructure/postgres/Migrations.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { commandFailed, failWhen, type Style } from "./terminal/Terminal.ts"

export type StartFailure = Error

export interface CallsOptions {
  readonly mock: boolean
  /** Model for every step that can use one; with `mock` one of the sandbox's. */
  readonly model?: string | undefined
  /** Pseudonym of the caller in events. Default: `cli`. */
  readonly actor?: string
}

/** All operations, run by this process or by the service that holds the data directory. */
export interface Opened {
  readonly calls: AskedCalls
  /** Warns once of what impairs searches here, a running service's sandbox included. */
  readonly warned: Effect.Effect<void, StartFailure>
}

export interface Anchors {
  readonly make: MakeAnchors["Service"]["make"]
  /** Anchors of the database with valid signatures, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AnchorStatement>, StartFailure>
  /** Proves that the log of `afterSize` events begins with that of `beforeSize`. */
  readonly prove: (
    beforeSize: number,
    afterSize: number | undefined
  ) => Effect.Effect<ConsistencyProof, StartFailure>
  readonly key: Effect.Effect<PublicKey, StartFailure>
}
/** Problem of a setting. Shows no secret. */
export interface SettingFinding {
  /**
   * `invalid`: nothing starts. `unknown`: no setting has this name. `choice`: consequence of
   * leaving it out; nothing is wrong.
   */
  readonly kind: "invalid" | "unknown" | "choice"
  readonly setting: string
  readonly problem: string
  /** Permitted values; absent for an unknown name. */
  readonly bounds?: string
  /** Default; absent for an unknown name. */
  readonly fallback?: string
}

export interface EffectiveSetting {
  readonly name: string
  /** Value in use, `null` without one. For a secret the word `set`. */
  readonly value: string | null
  readonly source: "default" | "environment" | "file"
}

export interface Parts {
  /** Open until the scope closes. */
  readonly calls: (options: CallsOptions) => Effect.Effect<Opened, StartFailure, Scope.Scope>
  readonly reader: Effect.Effect<DocumentReader["Service"], StartFailure, Scope.Scope>
  /** Serves until its scope closes; returns its address. */
  readonly serve: (options: ServeOptions) => Layer.Layer<never, StartFailure>
  readonly sandbox: (port: number) => Layer.Layer<never, StartFailure>
  /** Imports in this process: refused while a service holds the embedded store. */
  readonly importing: Effect.Effect<ImportSessions["Service"]["take"], StartFailure, Scope.Scope>
  /** Reads the anchors in this process: refused while a service holds the embedded store. */
  readonly anchors: Effect.Effect<Anchors, StartFailure, Scope.Scope>
  /** Applies the retention in this process, like `rewrapped`. `look` changes nothing. */
  readonly retained: (
    how: "look" | "erase"
  ) => Effect.Effect<ReadonlyArray<Retained>, StartFailure>
  /** Rewraps data keys in this process: refused while a service holds the embedded store. */
  readonly rewrapped: Effect.Effect<
    { readonly rewrapped: number; readonly left: number },
    StartFailure
  >
  readonly migrate: Effect.Effect<Migrated, StartFailure>
  readonly tenantId: Effect.Effect<string, StartFailure>
}

export interface ServeOptions extends Pick<CallsOptions, "mock" | "model"> {
  readonly port: number | undefined
  readonly host: string | undefined
}

export interface Wiring {
  /** Checks the settings without starting, connecting to or opening anything. */
  readonly config: {
    readonly check: Effect.Effect<ReadonlyArray<SettingFinding>, StartFailure>
    /** Every setting, in the order of the documents. */
    readonly print: Effect.Effect<ReadonlyArray<EffectiveSetting>, StartFailure>
  }
  readonly serve: Parts["serve"]
  readonly mcp: (options: Pick<CallsOptions, "mock" | "model">) => Layer.Layer<never, StartFailure>
  readonly parts: Effect.Effect<Parts, StartFailure>
}

/** The wiring of the process that runs the command. */
export class CommandWiring extends Context.Service<CommandWiring, Wiring>()(
  "web-grounding/adapters/cli/Wiring/CommandWiring"
) {}

/** What every command may use. */
type Surroundings = Command.Environment | CommandWiring | Scope.Scope

/** A command whose failure is one sentence. Its scope ends with it. */
export const command = <const Name extends string, const Flags extends Command.Command.Config>(
  name: Name,
  description: string,
  flags: Flags,
  run: (
    given: Command.Command.Config.Infer<Flags>
  ) => Generator<Effect.Effect<unknown, Error, Surroundings>, void, never>
) =>
  Command.make(
    name,
    flags,
    (given) => Effect.gen(() => run(given)).pipe(Effect.scoped, Effect.mapError(commandFailed))
  ).pipe(Command.withDescription(description))

type Given<Of extends Command.Command.Config> = Command.Command.Config.Infer<
  { readonly given: Of }
>["given"]

/**
 * A command that asks for one answer and prints it, as JSON with `--json`. It fails after that if
 * `failure` has a sentence.
 */
export const answering = <
  const Name extends string,
  const Of extends Command.Command.Config,
  A,
  E extends Error,
  R extends Surroundings
>(
  name: Name,
  description: string,
  flags: Of,
  asked: (given: Given<Of>) => Effect.Effect<A, E, R>,
  text: (answer: A, style: Style) => string | ReadonlyArray<string>,
  failure: (answer: A) => string = () => ""
) =>
  command(name, description, { given: flags, json: Flags.json() }, function*({ given, json }) {
    const answer = yield* asked(given)
    yield* Terminal.print(json, answer, text)
    const sentence = failure(answer)
    yield* failWhen(sentence !== "", sentence)
  })

export const part = <A, E, R>(pick: (parts: Parts) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CommandWiring, ({ parts }) => Effect.flatMap(parts, pick))

/** Runs operations over one opening, which is closed afterwards. */
export const asking = <A, E, R>(
  ask: (calls: AskedCalls) => Effect.Effect<A, E, R>,
  options: CallsOptions = { mock: false }
) =>
  part(({ calls }) => calls(options)).pipe(
    Effect.flatMap(({ calls }) => ask(calls)),
    Effect.scoped
  )

export const ask = <Name extends OperationName>(
  name: Name,
  input: SentOf<Name>,
  options?: CallsOptions
) => asking((calls) => calls[name](input), options)

/** Calls with input of unknown form: the callee decodes it. */
export const askUnknown = <Name extends OperationName>(
  calls: AskedCalls,
  name: Name,
  input: unknown,
  report?: Report
) => calls[name](input as SentOf<Name>, report)
