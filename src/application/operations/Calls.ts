/**
 * Records with a call for each operation, whose types follow from the table of operations.
 *
 * `Calls` take values and whose they are. `AskedCalls` take input as it is sent, for one caller: by
 * this process, which decodes it, or by a running service, which does.
 */
import { Effect } from "effect"
import type { CallFailure } from "../../contract/PublicFailure.ts"
import * as SentInput from "../../contract/SentInput.ts"
import {
  type FailureOf,
  type InputOf,
  type OperationName,
  operationNames,
  type OutputOf,
  type SentOf
} from "../../contract/ServiceOperations.ts"
import type { RemoteCaller } from "../Access.ts"
import type { Report } from "../GroundQuestion.ts"

/** A call with checked input. `report` is told the facts of an operation that has progress. */
export type Call<Name extends OperationName> = (
  input: InputOf<Name>,
  caller: RemoteCaller,
  report?: Report
) => Effect.Effect<OutputOf<Name>, FailureOf<Name> | CallFailure>

/** Every operation, for faces that have checked the input. */
export type Calls = { readonly [Name in OperationName]: Call<Name> }

/** A call with input as it is sent, which is decoded where the call is answered. */
export type AskedCall<Name extends OperationName> = (
  input: SentOf<Name>,
  report?: Report
) => Effect.Effect<OutputOf<Name>, FailureOf<Name> | CallFailure>

/** Every operation, asked by one caller. */
export type AskedCalls = { readonly [Name in OperationName]: AskedCall<Name> }

const recordOf = (make: (name: OperationName) => unknown): unknown =>
  Object.fromEntries(operationNames.map((name) => [name, make(name)]))

/** A record with what `make` gives for each name. */
export const callsOf = (make: <Name extends OperationName>(name: Name) => Call<Name>): Calls =>
  // Each name has what was made for it.
  recordOf(make) as Calls

/** A record with what `make` gives for each name, of one caller. */
export const askedCallsOf = (
  make: <Name extends OperationName>(name: Name) => AskedCall<Name>
): AskedCalls =>
  // Each name has what was made for it.
  recordOf(make) as AskedCalls

/** Calls of one caller, whose input is decoded here, once. */
export const askedBy = (calls: Calls, caller: RemoteCaller): AskedCalls =>
  askedCallsOf((name) => (input, report) =>
    Effect.flatMap(SentInput.decode(name, input), (decoded) => calls[name](decoded, caller, report))
  )
