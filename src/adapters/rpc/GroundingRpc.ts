/**
 * Calls that callers may make over RPC. Schemas only: safe to import from a client. A payload is
 * the input as it is sent. The protocol checks it against the operation's input schema before a
 * handler runs, so that wrong input comes back as `InvalidInput` with its field.
 */
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { operations } from "../../contract/Operations.ts"

/** An input as it is sent. Any JSON passes here: see `ServiceRpc`. */
export const sentSchema = <Sent extends Schema.Json>(_: { readonly Encoded: Sent }) =>
  Schema.Json.pipe(Schema.refine((_json): _json is Sent => true))

export const schemasOf = <
  Sent extends Schema.Json,
  Output extends Schema.Top,
  Failure extends Schema.Top
>(
  { failure, input, output }: {
    readonly input: { readonly Encoded: Sent }
    readonly output: Output
    readonly failure: Failure
  }
) => ({ payload: sentSchema(input), success: output, error: failure })

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
