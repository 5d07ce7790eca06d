/** All operations of the service in one table, and the types of their calls. */
import { operations } from "./Operations.ts"
import { operatorOperations } from "./OperatorOperations.ts"

/** All operations: the callers' first, then the operators'. */
export const serviceOperations = { ...operations, ...operatorOperations } as const

type Table = typeof serviceOperations

export type OperationName = keyof Table

/** Input as it is sent: what has a default may be left out. */
export type SentOf<Name extends OperationName> = Table[Name]["input"]["Encoded"]
/** Input as a use case takes it, checked and complete. */
export type InputOf<Name extends OperationName> = Table[Name]["input"]["Type"]
export type OutputOf<Name extends OperationName> = Table[Name]["output"]["Type"]
export type FailureOf<Name extends OperationName> = Table[Name]["failure"]["Type"]

const isName = (name: string): name is OperationName => Object.hasOwn(serviceOperations, name)

/** Names of the operations, in the order of the table. */
export const operationNames: ReadonlyArray<OperationName> = Object.keys(serviceOperations)
  .filter(isName)
