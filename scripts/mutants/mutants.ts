/** Every listed fault. */
import type { Mutant } from "./Mutant.ts"
import * as nextStep from "./nextStep.ts"
import * as session from "./session.ts"
import * as steps from "./steps.ts"
import * as useCases from "./useCases.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...session.mutants,
  ...nextStep.mutants,
  ...steps.mutants,
  ...useCases.mutants
]
