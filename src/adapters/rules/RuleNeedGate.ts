/** Decides by hand-written rules whether the web is needed: the gate that cannot fail. */
import { Effect } from "effect"
import type { NeedGate } from "../../application/ports/Engines.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"

export const make: NeedGate<never> = {
  info: { engine: "rules", version: "gate-6" },
  decide: (request) =>
    Effect.sync(() => NeedRules.decide(request).search).pipe(
      Effect.withSpan("RuleNeedGate.decide")
    )
}
