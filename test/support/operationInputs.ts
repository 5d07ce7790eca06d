/** Which operations have to be given something; the others are asked with nothing. */
import { Effect, Exit } from "effect"
import * as SentInput from "../../src/contract/SentInput.ts"
import type { OperationName } from "../../src/contract/ServiceOperations.ts"

export const needsInput = (name: OperationName): boolean =>
  Exit.isFailure(Effect.runSyncExit(SentInput.decode(name, {})))
