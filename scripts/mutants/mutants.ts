/** Every listed fault. */
import type { Mutant } from "./Mutant.ts"
import * as session from "./session.ts"

export const mutants: ReadonlyArray<Mutant> = [...session.mutants]
