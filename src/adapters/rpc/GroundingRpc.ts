/**
 * Calls over RPC, made of the tables of operations. Schemas only: safe to import from a client. A
 * payload is the input as it is sent; the protocol decodes it before a handler runs, so that wrong
 * input comes back as `InvalidInput` with its field.
 */
import { Context, Schema, type SchemaAST } from "effect"
import { Rpc, RpcGroup, type RpcSchema } from "effect/rpc"
import { type Operation, operations } from "../../contract/Operations.ts"

type Table = Readonly<Record<string, Operation>>

/** Input of a row: a caller gives it as it is sent, and a handler takes it decoded. */
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

/** The method of a row. Its types follow from the table; any JSON passes as input here. */
const methodOf = (name: string, { failure, output, progress }: Operation): Rpc.Any =>
  progress === undefined
    ? Rpc.make(name, { payload: Schema.Json, success: output, error: failure })
    : Rpc.make(name, { payload: Schema.Json, success: progress, error: failure, stream: true })

/** RPC group with a method for each row of a table. */
export const groupOf = <const Rows extends Table>(rows: Rows): RpcGroup.RpcGroup<MethodIn<Rows>> =>
  RpcGroup.make(
    ...Object.entries(rows).map(([name, row]) => methodOf(name, row))
      .filter((method): method is MethodIn<Rows> => Object.hasOwn(rows, method._tag))
  )

/** Methods that callers ask. */
export class GroundingRpc extends groupOf(operations) {}

// Arrival time of a call's HTTP request: deadlines count from there.

/** Milliseconds since the epoch. `undefined`: not over HTTP. */
export const ArrivedAt = Context.Reference<number | undefined>(
  "web-grounding/adapters/rpc/GroundingRpc/ArrivedAt",
  { defaultValue: () => undefined }
)
