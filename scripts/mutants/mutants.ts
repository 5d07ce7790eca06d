/** Every listed fault. */
import type { Mutant } from "./Mutant.ts"
import * as nextStep from "./nextStep.ts"
import * as session from "./session.ts"

export const mutants: ReadonlyArray<Mutant> = [...session.mutants, ...nextStep.mutants]
