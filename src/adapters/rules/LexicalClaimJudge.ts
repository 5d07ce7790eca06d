/** Judges nothing: what the checks of code left standing stands. Cannot fail. */
import { Effect } from "effect"
import type { ClaimJudge } from "../../application/ports/Engines.ts"

export const make: ClaimJudge<never> = {
  info: { engine: "rules", version: "judge-1" },
  judge: () => Effect.succeed([])
}
