/** Every listed fault. */
import * as audit from "./audit.ts"
import type { Mutant } from "./Mutant.ts"
import * as replay from "./replay.ts"
import * as session from "./session.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...session.mutants,
  ...replay.mutants,
  ...audit.mutants
]
