/** Schemas of a what-if over recorded sessions: the supposition and its result. */
import { Schema } from "effect"
import { OutcomeChange, Supposition } from "../domain/audit/OutcomeChange.ts"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"
import { SessionRange } from "./SessionRange.ts"

export const WhatIfInput = Schema.Struct({
  session_id: CallerRequest.fields.session_id,
  suppose: Supposition
})

export const WhatIfRangeInput = Schema.Struct({ ...SessionRange.fields, suppose: Supposition })

/**
 * A fact that the supposed run lacks: it would have had to ask somebody, and nothing is guessed.
 */
export const NeededFact = Schema.Struct({
  /** Step that lacks a recorded fact. */
  step: Schema.Literals([
    "Decide",
    "AskStore",
    "Plan",
    "Search",
    "Read",
    "Rank",
    "Write",
    "Judge",
    "Research"
  ]),
  /**
   * `search`: this query. `hits`: those below the score that was recorded, or of the provider
   * after the one that would have answered too little. `page`: this address. `page_texts`: the log
   * was not allowed to keep them. `engine_answer`: of this engine, to another question.
   * `store`: the evidence store's answer. `other_session`: whose answer was given here.
   * `other_request`: of the session, which is undetermined itself; what it spent is not known.
   */
  fact: Schema.Literals([
    "search",
    "hits",
    "page",
    "page_texts",
    "engine_answer",
    "store",
    "other_session",
    "other_request"
  ]),
  /** The query, address, engine, stream or request. Empty where there is no more to say. */
  what: Schema.String
})
export type NeededFact = typeof NeededFact.Type

const WhatIfRequest = Schema.Struct({
  request_id: Schema.String,
  /**
   * `undetermined`: a fact is needed that was not recorded, see `needs`; `change` tells the steps
   * before it alone. `unfinished`: it has no answer in the record to compare with.
   */
  verdict: Schema.Literals(["same", "changed", "undetermined", "unfinished"]),
  change: Schema.optionalKey(OutcomeChange),
  needs: Schema.Array(NeededFact)
})
export type WhatIfRequest = typeof WhatIfRequest.Type

export const WhatIf = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  /** The rules of the oldest request, and this build's, which every answer was computed by. */
  rules: Schema.Struct({ from: Schema.Int, to: Schema.Int }),
  /** Requests in the order they were asked. */
  requests: Schema.Array(WhatIfRequest)
})
export type WhatIf = typeof WhatIf.Type

export const SessionWhatIf = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  /** ISO 8601 UTC. */
  began_at: Schema.String,
  /**
   * Verdict over all requests: `changed` where one is, else `undetermined` where one is, else
   * `same`. `erased`, `unreadable` and `tampered` sessions are not computed.
   */
  verdict: Schema.Literals([
    "same",
    "changed",
    "undetermined",
    "erased",
    "unreadable",
    "tampered"
  ]),
  /** Absent where it was not computed. */
  what_if: Schema.optionalKey(WhatIf)
})
export type SessionWhatIf = typeof SessionWhatIf.Type

export const SessionWhatIfs = Schema.Struct({
  /** The newest first. */
  sessions: Schema.Array(SessionWhatIf),
  /** `cursor` of the next page. Absent at the end. */
  next: Schema.optionalKey(Schema.String)
})
export type SessionWhatIfs = typeof SessionWhatIfs.Type
