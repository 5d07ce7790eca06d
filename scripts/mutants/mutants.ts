/** Every listed fault. */
import * as access from "./access.ts"
import * as agents from "./agents.ts"
import * as anchors from "./anchors.ts"
import * as audit from "./audit.ts"
import * as ceilings from "./ceilings.ts"
import * as chat from "./chat.ts"
import * as claims from "./claims.ts"
import * as client from "./client.ts"
import * as dashboard from "./dashboard.ts"
import * as databases from "./databases.ts"
import * as engines from "./engines.ts"
import * as erasure from "./erasure.ts"
import * as evidence from "./evidence.ts"
import * as exports from "./exports.ts"
import * as http from "./http.ts"
import * as ledgers from "./ledgers.ts"
import * as log from "./log.ts"
import type { Mutant } from "./Mutant.ts"
import * as nextStep from "./nextStep.ts"
import * as operation from "./operation.ts"
import * as pages from "./pages.ts"
import * as privacy from "./privacy.ts"
import * as processes from "./processes.ts"
import * as projections from "./projections.ts"
import * as readModels from "./readModels.ts"
import * as replay from "./replay.ts"
import * as research from "./research.ts"
import * as session from "./session.ts"
import * as simulation from "./simulation.ts"
import * as steps from "./steps.ts"
import * as tavily from "./tavily.ts"
import * as telemetry from "./telemetry.ts"
import * as useCases from "./useCases.ts"
import * as verification from "./verification.ts"
import * as whatIf from "./whatIf.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...session.mutants,
  ...replay.mutants,
  ...audit.mutants,
  ...verification.mutants,
  ...whatIf.mutants,
  ...exports.mutants,
  ...log.mutants,
  ...ledgers.mutants,
  ...readModels.mutants,
  ...erasure.mutants,
  ...evidence.mutants,
  ...projections.mutants,
  ...pages.mutants,
  ...privacy.mutants,
  ...claims.mutants,
  ...chat.mutants,
  ...engines.mutants,
  ...processes.mutants,
  ...nextStep.mutants,
  ...steps.mutants,
  ...useCases.mutants,
  ...research.mutants,
  ...http.mutants,
  ...agents.mutants,
  ...anchors.mutants,
  ...access.mutants,
  ...client.mutants,
  ...tavily.mutants,
  ...dashboard.mutants,
  ...telemetry.mutants,
  ...operation.mutants,
  ...simulation.mutants,
  ...databases.mutants,
  ...ceilings.mutants
]
