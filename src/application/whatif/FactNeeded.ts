/** A fact that a supposed run needs and that nobody has recorded. It is told, and never guessed. */
import { Effect, Schema } from "effect"
import { NeededFact } from "../../contract/WhatIf.ts"

/** Ends a supposed run where it would have had to ask somebody outside. */
export class FactNeeded extends Schema.TaggedError<FactNeeded>()("FactNeeded", NeededFact.fields) {}

/** Failure for a fact that the step needs; `what` names it, e.g. by its address. */
export const needed = (
  step: NeededFact["step"],
  fact: NeededFact["fact"],
  what = ""
): Effect.Effect<never, FactNeeded> => Effect.fail(new FactNeeded({ step, fact, what }))
