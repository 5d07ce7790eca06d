/**
 * Checks what must hold of an event under any rules: its search was within the budget, and its
 * quotes stand in the recorded texts.
 */
import * as PackQuotes from "../../domain/audit/PackQuotes.ts"
import * as Budget from "../../domain/session/Session.ts"
import type { Session } from "../../domain/session/Session.ts"
import type { Fact } from "../log/SessionLog.ts"

/** First difference between an event and what it must be, with the path of the field. */
export interface RulesFault {
  readonly version: number
  readonly type: string
  readonly path: string
  readonly recorded: string
  readonly recomputed: string | undefined
}

/**
 * Fault of a fact that an older version of the rules recorded, beyond what other rules explain;
 * `undefined` for none.
 */
export const fault = ({ event, stored }: Fact, session: Session): RulesFault | undefined => {
  const at = { version: stored.version, type: stored.type }
  const grounding = session.groundings.get(event.request_id)
  if (event._tag === "WEB_GROUNDING_CALL_STARTED" && grounding !== undefined) {
    const { remaining } = Budget.view(session.groundings.values(), grounding.request)
    return remaining > 0
      ? undefined
      : { ...at, path: "", recorded: stored.type, recomputed: "no search is left" }
  }
  if (event._tag !== "WEB_GROUNDING_PACK_CREATED") return undefined
  const misplaced = PackQuotes.firstMisplaced(event.pack, grounding?.evidence?.pages ?? [])
  return misplaced === undefined
    ? undefined
    : { ...at, path: misplaced.path, recorded: misplaced.text, recomputed: undefined }
}
