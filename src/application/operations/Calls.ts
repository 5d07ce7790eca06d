/**
 * Records with a call for each operation, with types from the table of operations. `Calls` take
 * checked input and a caller, `AskedCalls` encoded input for one caller.
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

/** A call with checked input. `report` gets the facts of an operation that has progress. */
export type Call<Name extends OperationName> = (
  input: InputOf<Name>,
  caller: RemoteCaller,
  report?: Report
) => Effect.Effect<OutputOf<Name>, FailureOf<Name> | CallFailure>

export type Calls = { readonly [Name in OperationName]: Call<Name> }

/** A call with encoded input, which is decoded where the call is answered. */
export type AskedCall<Name extends OperationName> = (
  input: SentOf<Name>,
  report?: Report
) => Effect.Effect<OutputOf<Name>, FailureOf<Name> | CallFailure>

export type AskedCalls = { readonly [Name in OperationName]: AskedCall<Name> }

const recordOf = (make: (name: OperationName) => unknown): unknown =>
  Object.fromEntries(operationNames.map((name) => [name, make(name)]))

export const callsOf = (make: <Name extends OperationName>(name: Name) => Call<Name>): Calls =>
  // `make` was called for each name.
  recordOf(make) as Calls

export const askedCallsOf = (
  make: <Name extends OperationName>(name: Name) => AskedCall<Name>
): AskedCalls =>
  // `make` was called for each name.
  recordOf(make) as AskedCalls

export const askedBy = (calls: Calls, caller: RemoteCaller): AskedCalls =>
  askedCallsOf((name) => (input, report) =>
    Effect.flatMap(SentInput.decode(name, input), (decoded) => calls[name](decoded, caller, report))
  )
