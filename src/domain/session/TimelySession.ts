/**
 * The session as its writers see it: a command that comes too late records nothing.
 *
 * A run reads the session, performs the step that this calls for, and tells what came of it. When
 * another run was faster, the session calls for something else by then: a fact that was told all
 * the same would stand where no reading of the facts before it leads to, or reserve and pay a
 * search for an answer that is recorded.
 */
import { Result } from "effect"
import { readingOf } from "./Grounding.ts"
import * as NextStep from "./NextStep.ts"
import * as Session from "./Session.ts"
import { requestIdOf, type SessionCommand, type ToldFact } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"

type Tag = NextStep.NextStep["_tag"]

/** Steps that each fact may come of. Those that are not named stand by themselves. */
const stepsOf: Partial<Record<ToldFact["_tag"], ReadonlyArray<Tag>>> = {
  WEB_GROUNDING_STORE_ASKED: ["AskStore"],
  WEB_GROUNDING_QUERY_PLANNED: ["Plan"],
  // The session tells whoever finds the budget spent so.
  WEB_GROUNDING_CALL_STARTED: ["Search", "StopSearch"],
  WEB_GROUNDING_CACHE_USED: ["Search"],
  WEB_GROUNDING_SEARCH_STOPPED: ["Search", "StopSearch"],
  WEB_GROUNDING_PACK_REUSED: ["Reuse"],
  WEB_GROUNDING_CACHED_PACK_USED: ["Decide"],
  WEB_GROUNDING_EVIDENCE_READ: ["Read"],
  WEB_GROUNDING_EVIDENCE_RANKED: ["Rank"],
  WEB_GROUNDING_PACK_CREATED: ["Write"],
  // Whether there are sources to research shows in texts that the log may not hold.
  WEB_GROUNDING_RESEARCHED: ["Research", "Conclude"],
  WEB_GROUNDING_FINISHED: ["Conclude"]
}

/** Made of texts that a run has read and the log may not hold: to the log they are to be read. */
const unseen: ReadonlySet<ToldFact["_tag"]> = new Set([
  "WEB_GROUNDING_EVIDENCE_RANKED",
  "WEB_GROUNDING_PACK_CREATED"
])

const isTimely = (command: SessionCommand, session: Session.Session): boolean => {
  const steps = command._tag === "ProposeNeed"
    ? ["Decide"]
    : stepsOf[command.fact._tag]
  if (steps === undefined) return true
  const step = NextStep.next(session, requestIdOf(command))
  // Of a request that was never made nothing can be told: the session refuses it.
  if (step._tag === "Request" || steps.includes(step._tag)) return true
  return step._tag === "Read" && readingOf(step.grounding) > 0 &&
    command._tag === "TellFact" && unseen.has(command.fact._tag)
}

export const { evolve, evolveAll, initial } = Session

/**
 * Decides like `Session.decide`, and gives no event for a command that the session no longer calls
 * for.
 */
export const decide = (
  command: SessionCommand,
  session: Session.Session
): Result.Result<ReadonlyArray<SessionEvent>, Session.SessionRejection> =>
  isTimely(command, session) ? Session.decide(command, session) : Result.succeed([])
