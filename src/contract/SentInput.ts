/** Decodes the input of an operation: once, in the process that answers. */
import { Effect, Schema } from "effect"
import * as Input from "./Input.ts"
import type { InvalidInput } from "./PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  operationNames,
  serviceOperations
} from "./ServiceOperations.ts"

type Decode = (input: unknown) => Effect.Effect<unknown, InvalidInput>

const codecOf = (name: OperationName): Schema.Codec<unknown, unknown> =>
  serviceOperations[name].input

const decoders = new Map<string, Decode>()

const decoderOf = (name: string): Decode => {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const found = operationNames.find((one) => one === name)
  const made = found === undefined ? refused : Input.decode(codecOf(found))
  decoders.set(name, made)
  return made
}

const refused = () => Effect.die("no operation has this name")

export const decodeUnknown = (name: string, input: unknown): Effect.Effect<unknown, InvalidInput> =>
  decoderOf(name)(input)

/** Decodes the input of an operation, refusing fields that the contract does not know. */
export const decode = <Name extends OperationName>(
  name: Name,
  input: unknown
): Effect.Effect<InputOf<Name>, InvalidInput> =>
  // The decoder is the one of this very name.
  Effect.map(decodeUnknown(name, input), (decoded) => decoded as InputOf<Name>)
