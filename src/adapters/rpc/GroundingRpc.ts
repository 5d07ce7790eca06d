/**
 * What callers may ask over RPC. Schemas only: safe to import from a client.
 *
 * A payload is the input as it is sent. The protocol checks it against the operation's input schema
 * before a handler runs, so that wrong input comes back as `InvalidInput` with its field.
 */
import { Effect, Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import * as Input from "../../contract/Input.ts"
import { operations } from "../../contract/Operations.ts"
import type { InvalidInput } from "../../contract/PublicFailure.ts"

/** An input as it is sent. Any JSON passes here: see `checkInput`. */
const sent = <Sent extends Schema.Json>(_: { readonly Encoded: Sent }) =>
  Schema.Json.pipe(Schema.refine((_json): _json is Sent => true))

const schemasOf = <
  Sent extends Schema.Json,
  Output extends Schema.Top,
  Failure extends Schema.Top
>(
  { failure, input, output }: {
    readonly input: { readonly Encoded: Sent }
    readonly output: Output
    readonly failure: Failure
  }
) => ({ payload: sent(input), success: output, error: failure })

export class GroundingRpc extends RpcGroup.make(
  Rpc.make("Ground", { ...schemasOf(operations.Ground), stream: true }),
  Rpc.make("GetSession", schemasOf(operations.GetSession)),
  Rpc.make("GetPack", schemasOf(operations.GetPack)),
  Rpc.make("GetPackView", schemasOf(operations.GetPackView)),
  Rpc.make("RecordShown", schemasOf(operations.RecordShown)),
  Rpc.make("Research", schemasOf(operations.Research)),
  Rpc.make("Outline", schemasOf(operations.Outline)),
  Rpc.make("GetHealth", schemasOf(operations.GetHealth)),
  Rpc.make("SearchEvidence", schemasOf(operations.SearchEvidence))
) {}

type Check = (input: unknown) => Effect.Effect<unknown, InvalidInput>

const checkOf = (schema: Schema.Codec<unknown, unknown>): Check => Input.decode(schema)

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries(operations).map(([name, { input }]): [string, Check] => [name, checkOf(input)])
)

/** Decodes the input of a method, and drops what was decoded: the use case decodes it again. */
export const checkInput = (name: string, input: unknown): Effect.Effect<unknown, InvalidInput> =>
  checks.get(name)?.(input) ?? Effect.void
