/** Every listed fault. */
import * as audit from "./audit.ts"
import * as evidence from "./evidence.ts"
import * as log from "./log.ts"
import type { Mutant } from "./Mutant.ts"
import * as projections from "./projections.ts"
import * as readModels from "./readModels.ts"
import * as replay from "./replay.ts"
import * as session from "./session.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...session.mutants,
  ...replay.mutants,
  ...audit.mutants,
  ...log.mutants,
  ...readModels.mutants,
  ...evidence.mutants,
  ...projections.mutants
]
