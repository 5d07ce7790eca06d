/** A row for each session, newest activity first. */
import { Schema } from "effect"
import { type SessionEvent, sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import * as SessionSummary from "../../domain/summary/SessionSummary.ts"
import { erasedType, isErased, sessionKey } from "./ErasedRows.ts"
import * as Projection from "./Projection.ts"
import { sorted, sortKeyOf, wordsOf } from "./SortedRows.ts"

const SessionRow = Schema.Struct({
  ...sorted,
  summary: SessionSummary.SessionSummary
})
type SessionRow = typeof SessionRow.Type

/** Words of the first question stay, so that a session is found by how it began. */
const wordsOfRow = (row: SessionRow | undefined, question: string, sessionId: string): string =>
  row === undefined ? wordsOf([sessionId, question]) : wordsOf([
    row.words,
    ...(row.summary.question === question ? [] : [question])
  ])

/** Flag of the sessions of a person, by the pseudonym that its requests name. */
export const subjectFlag = (subject: string): string => `subject:${subject.toWellFormed()}`

const subjectsOf = (row: SessionRow | undefined, event: SessionEvent): ReadonlyArray<string> => {
  const known = row?.flags.filter((flag) => flag.startsWith(subjectFlag(""))) ?? []
  const named = event._tag === "WEB_GROUNDING_REQUESTED" ? event.request.subject : undefined
  if (named === undefined) return known
  return [...new Set([...known, subjectFlag(named)])]
}

export const SessionsModel = Projection.define({
  name: "sessions",
  version: 1,
  on: [...sessionEventTypes, erasedType],
  whenPoison: "park",
  row: SessionRow,
  key: sessionKey,
  evolve: (row: SessionRow | undefined, { event, stored }): SessionRow | undefined => {
    if (isErased(event)) return undefined
    const summary = SessionSummary.evolve(row?.summary, event, stored)
    return summary === undefined ? undefined : {
      sort_key: sortKeyOf(stored.tenantId, summary.last_at, stored.streamId),
      words: wordsOfRow(row, summary.question, summary.session_id),
      flags: [...Object.keys(summary.states), ...subjectsOf(row, event)],
      summary
    }
  }
})
