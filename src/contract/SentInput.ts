/** Decodes the input of an operation: once, in the process that answers. */
import { Effect, Record, type Schema } from "effect"
import * as Input from "./Input.ts"
import type { InvalidInput } from "./PublicFailure.ts"
import { type InputOf, type OperationName, serviceOperations } from "./ServiceOperations.ts"

type Decode = (input: unknown) => Effect.Effect<unknown, InvalidInput>

const decoders: Readonly<Record<string, Decode>> = Record.map(
  serviceOperations,
  ({ input }: { readonly input: Schema.Codec<unknown, unknown> }): Decode => Input.decode(input)
)

export const decodeUnknown = (name: string, input: unknown): Effect.Effect<unknown, InvalidInput> =>
  decoders[name]?.(input) ?? Effect.die("no operation has this name")

/** Decodes the input of an operation, refusing fields that the contract does not know. */
export const decode = <Name extends OperationName>(
  name: Name,
  input: unknown
): Effect.Effect<InputOf<Name>, InvalidInput> =>
  // The decoder is the one of this very name.
  Effect.map(decodeUnknown(name, input), (decoded) => decoded as InputOf<Name>)
