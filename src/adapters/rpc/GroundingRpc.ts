/**
 * RPC methods made from the tables of operations. The protocol decodes input before a handler runs:
 * invalid input returns `InvalidInput` with its field.
 *
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { RpcClient, RpcSerialization } from "effect/rpc"
 * import { GroundingRpc } from "web-grounding/rpc"
 *
 * const protocol = RpcClient.layerProtocolHttp({ url: "http://127.0.0.1:7420/rpc" }).pipe(
 *   Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
 * )
 * const asked = Effect.flatMap(RpcClient.make(GroundingRpc), (rpc) => rpc.GetHealth({ hours: 1 }))
 * const { hours } = await Effect.runPromise(Effect.scoped(Effect.provide(asked, protocol)))
 * hours // => 1
 * ```
 */
import { Context, Schema, type SchemaAST } from "effect"
import { Rpc, RpcGroup, type RpcSchema } from "effect/rpc"
import { type Operation, operations } from "../../contract/Operations.ts"

type Table = Readonly<Record<string, Operation>>

/** Input of a row: encoded for a caller, decoded for a handler. */
type SentSchema<Row extends Operation> = Schema.Bottom<
  Row["input"]["Type"],
  Row["input"]["Encoded"],
  never,
  never,
  SchemaAST.AST,
  Schema.Top,
  Row["input"]["Encoded"]
>

type MethodOf<Name extends string, Row extends Operation> = Row extends
  { readonly progress: infer Progress extends Schema.Top }
  ? Rpc.Rpc<Name, SentSchema<Row>, RpcSchema.Stream<Progress, Row["failure"]>, typeof Schema.Never>
  : Rpc.Rpc<Name, SentSchema<Row>, Row["output"], Row["failure"]>

type MethodIn<Rows extends Table> = {
  [Name in keyof Rows & string]: MethodOf<Name, Rows[Name]>
}[keyof Rows & string]

/** Method of a row. Types follow from the table; any JSON passes as input here. */
const methodOf = (name: string, { failure, output, progress }: Operation): Rpc.Any =>
  progress === undefined
    ? Rpc.make(name, { payload: Schema.Json, success: output, error: failure })
    : Rpc.make(name, { payload: Schema.Json, success: progress, error: failure, stream: true })

export const groupOf = <const Rows extends Table>(rows: Rows): RpcGroup.RpcGroup<MethodIn<Rows>> =>
  RpcGroup.make(
    ...Object.entries(rows).map(([name, row]) => methodOf(name, row))
      .filter((method): method is MethodIn<Rows> => Object.hasOwn(rows, method._tag))
  )

export class GroundingRpc extends groupOf(operations) {}

// Arrival time of a call's HTTP request; deadlines count from it.

/** Milliseconds since the epoch. `undefined`: not over HTTP. */
export const ArrivedAt = Context.Reference<number | undefined>(
  "web-grounding/adapters/rpc/GroundingRpc/ArrivedAt",
  { defaultValue: () => undefined }
)
