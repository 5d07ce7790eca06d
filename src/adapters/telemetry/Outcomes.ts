/** How something ended, as one word of a bounded list: what metrics and the closing line say. */
import { Cause, type Exit, Option, Predicate } from "effect"

/** `ok`, the tag of a typed failure, `interrupted` or `defect`. */
export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (exit._tag === "Success") return "ok"
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure)) return tagOf(failure.value)
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

const tagOf = (failure: unknown): string =>
  Predicate.hasProperty(failure, "_tag") && typeof failure._tag === "string"
    ? failure._tag
    : "failure"
