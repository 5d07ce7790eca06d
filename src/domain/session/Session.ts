/** One session: its groundings and the searches they spent. A decider. */
import { Result, Schema } from "effect"
import * as Eligibility from "../need/Eligibility.ts"
import { type GroundingRequest, isSame, RequestConflict } from "../request/GroundingRequest.ts"
import * as Budget from "./Budget.ts"
import {
  type Call,
  type Grounding,
  isTaken,
  isTextMissing,
  pagesOf,
  readingOf,
  withTexts as groundingWithTexts
} from "./Grounding.ts"
import { SessionCommand } from "./SessionCommand.ts"
import {
  CacheUsed,
  Called,
  CallStarted,
  Decided,
  EvidenceRanked,
  EvidenceRead,
  Finished,
  PackCreated,
  PackReused,
  QueryPlanned,
  Requested,
  Researched,
  SearchStopped,
  SessionEvent,
  ShownToUser
} from "./SessionEvent.ts"

export interface Session {
  /** By `request_id`, in the order they were requested. */
  readonly groundings: ReadonlyMap<string, Grounding>
}

/** The session's searches are spent; nothing was reserved. */
export class BudgetRefused extends Schema.TaggedError<BudgetRefused>()("BudgetRefused", {
  request_id: Schema.String
}) {}

/** A command that the session's state does not allow. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  command: Schema.String,
  request_id: Schema.String
}) {}

export type SessionRejection = RequestConflict | BudgetRefused | CommandRefused

export const initial: Session = { groundings: new Map() }

type Decision = Result.Result<ReadonlyArray<SessionEvent>, SessionRejection>

export const decide = (command: SessionCommand, session: Session): Decision =>
  SessionCommand.match(command, {
    RequestGrounding: ({ _tag, ...facts }) => {
      const known = session.groundings.get(facts.request_id)
      if (known === undefined) return record(Requested.make(facts))
      return isSame(known.request, facts.request)
        ? nothing
        : Result.fail(new RequestConflict({ request_id: facts.request_id }))
    },
    RecordNeed: (facts) =>
      during(
        facts,
        session,
        ({ decision, request, reused }) =>
          decision === undefined && reused === undefined
            ? record(Decided.make({
              request_id: facts.request_id,
              proposed: facts.proposed,
              need: Eligibility.apply(facts.proposed, circumstances(session, request)),
              rung: facts.rung
            }))
            : nothing
      ),
    RecordPlan: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, ({ decision, planned }) => {
        if (planned !== undefined) return nothing
        return decision?.need.need_search === true
          ? record(QueryPlanned.make(facts))
          : refuse(_tag, facts.request_id)
      }),
    StartCall: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, (grounding) => {
        if (isTaken(grounding, facts.query_index)) return nothing
        return Budget.view(session.groundings.values(), grounding.request).remaining > 0
          ? record(CallStarted.make(facts))
          : Result.fail(new BudgetRefused({ request_id: facts.request_id }))
      }),
    RecordCall: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, ({ calls }) => {
        const call = calls.find(({ call_id }) => call_id === facts.call_id)
        if (call === undefined) return refuse(_tag, facts.request_id)
        return call.outcome === undefined ? record(Called.make(facts)) : nothing
      }),
    UseCache: ({ _tag, ...facts }) =>
      during(
        { _tag, ...facts },
        session,
        (grounding) =>
          isTaken(grounding, facts.query_index) ? nothing : record(CacheUsed.make(facts))
      ),
    ReusePack: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, ({ decision, reused }) => {
        if (decision !== undefined || reused !== undefined) return nothing
        return session.groundings.get(facts.from_request_id)?.written === undefined
          ? refuse(_tag, facts.request_id)
          : record(PackReused.make(facts))
      }),
    StopSearch: ({ _tag, ...facts }) =>
      during(
        { _tag, ...facts },
        session,
        ({ stopped }) => stopped === undefined ? record(SearchStopped.make(facts)) : nothing
      ),
    RecordEvidence: ({ _tag, reading, ...facts }) =>
      during({ _tag, ...facts }, session, (grounding) => {
        const { evidence, written } = grounding
        const isWanted = evidence === undefined || evidence.pages.some(isTextMissing)
        return written === undefined && isWanted && reading === readingOf(grounding)
          ? record(EvidenceRead.make(facts))
          : nothing
      }),
    RecordRanking: ({ _tag, reading, ...facts }) =>
      during(
        { _tag, ...facts },
        session,
        (grounding) =>
          grounding.ranking === undefined && reading === readingOf(grounding)
            ? record(EvidenceRanked.make(facts))
            : nothing
      ),
    RecordPack: ({ _tag, reading, ...facts }) =>
      during(
        { _tag, ...facts },
        session,
        (grounding) =>
          grounding.written === undefined && reading === readingOf(grounding)
            ? record(PackCreated.make(facts))
            : nothing
      ),
    RecordResearch: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, ({ researched, written }) => {
        if (written === undefined) return refuse(_tag, facts.request_id)
        return researched === undefined ? record(Researched.make(facts)) : nothing
      }),
    RecordOutcome: ({ _tag, ...facts }) =>
      during(
        { _tag, ...facts },
        session,
        ({ finished }) => finished === undefined ? record(Finished.make(facts)) : nothing
      ),
    RecordShown: ({ _tag, ...facts }) =>
      during({ _tag, ...facts }, session, ({ reused, shown, written }) => {
        if (written === undefined && reused === undefined) return refuse(_tag, facts.request_id)
        return shown.some(({ audience }) => audience === facts.audience)
          ? nothing
          : record(ShownToUser.make(facts))
      })
  })

export const evolve = (session: Session, event: SessionEvent): Session => {
  const changed = after(session, event)
  return changed === undefined ? session : put(session, event.request_id, changed)
}

export const evolveAll = (from: Session, events: Iterable<SessionEvent>): Session => {
  const groundings = new Map(from.groundings)
  for (const event of events) {
    const changed = after({ groundings }, event)
    if (changed !== undefined) groundings.set(event.request_id, changed)
  }
  return { groundings }
}

/** The event's grounding as the event leaves it; `undefined` when the event changes nothing. */
const after = (session: Session, event: SessionEvent): Grounding | undefined =>
  SessionEvent.match(event, {
    WEB_GROUNDING_REQUESTED: (
      { boundary, policy, request, requested_at, request_id, rules_version }
    ) =>
      session.groundings.has(request_id) ? undefined : {
        request,
        requestedAt: requested_at,
        policy,
        rulesVersion: rules_version,
        boundary,
        calls: [],
        cached: [],
        shown: []
      },
    WEB_GROUNDING_DECIDED: (decision) => update(session, decision, { decision }),
    WEB_GROUNDING_QUERY_PLANNED: (planned) => update(session, planned, { planned }),
    WEB_GROUNDING_CALL_STARTED: (started) =>
      change(session, started, (grounding) => ({
        ...grounding,
        calls: [...grounding.calls, started]
      })),
    WEB_GROUNDING_CALLED: (outcome) =>
      change(session, outcome, (grounding) => ({
        ...grounding,
        calls: grounding.calls.map((call): Call =>
          call.call_id === outcome.call_id ? { ...call, outcome } : call
        )
      })),
    WEB_GROUNDING_CACHE_USED: (event) =>
      change(session, event, (grounding) => ({
        ...grounding,
        cached: [...grounding.cached, event]
      })),
    WEB_GROUNDING_PACK_REUSED: (reused) => update(session, reused, { reused }),
    WEB_GROUNDING_SEARCH_STOPPED: (stopped) => update(session, stopped, { stopped }),
    WEB_GROUNDING_EVIDENCE_READ: (event) =>
      change(session, event, ({ ranking: _, ...grounding }) => ({
        ...grounding,
        evidence: {
          pages: pagesOf(grounding, event),
          rung: event.rung,
          reading: readingOf(grounding) + 1
        }
      })),
    WEB_GROUNDING_EVIDENCE_RANKED: (ranking) => update(session, ranking, { ranking }),
    WEB_GROUNDING_PACK_CREATED: (written) => update(session, written, { written }),
    WEB_GROUNDING_RESEARCHED: (researched) => update(session, researched, { researched }),
    WEB_GROUNDING_FINISHED: (finished) => update(session, finished, { finished }),
    WEB_GROUNDING_SHOWN_TO_USER: (event) =>
      change(session, event, (grounding) => ({ ...grounding, shown: [...grounding.shown, event] }))
  })

/** As `Grounding.withTexts`, for one request of the session. */
export const withTexts = (
  session: Session,
  request_id: string,
  textBySha256: ReadonlyMap<string, string>
): Session => {
  const changed = change(
    session,
    { request_id },
    (grounding) => groundingWithTexts(grounding, textBySha256)
  )
  return changed === undefined ? session : put(session, request_id, changed)
}

const nothing: Decision = Result.succeed([])

const record = (event: SessionEvent): Decision => Result.succeed([event])

const refuse = (command: string, request_id: string): Decision =>
  Result.fail(new CommandRefused({ command, request_id }))

/** Refuses what is said of a request that was never made. */
const during = (
  { _tag, request_id }: { readonly _tag: string; readonly request_id: string },
  { groundings }: Session,
  decideOn: (grounding: Grounding) => Decision
): Decision => {
  const grounding = groundings.get(request_id)
  return grounding === undefined ? refuse(_tag, request_id) : decideOn(grounding)
}

const circumstances = (session: Session, request: GroundingRequest) => ({
  request,
  searchesRemaining: Budget.view(session.groundings.values(), request).remaining,
  setupGrounded: [...session.groundings.values()].some(({ decision, request: other }) =>
    other.request_id !== request.request_id && other.phase === "session_setup" &&
    decision?.need.need_search === true
  )
})

const put = ({ groundings }: Session, request_id: string, grounding: Grounding): Session => ({
  groundings: new Map(groundings).set(request_id, grounding)
})

/** An event about a request that is not known changes nothing: evolve is total. */
const change = (
  { groundings }: Session,
  { request_id }: { readonly request_id: string },
  to: (grounding: Grounding) => Grounding
): Grounding | undefined => {
  const grounding = groundings.get(request_id)
  return grounding === undefined ? undefined : to(grounding)
}

const update = (
  session: Session,
  event: { readonly request_id: string },
  fields: Partial<Grounding>
): Grounding | undefined => change(session, event, (grounding) => ({ ...grounding, ...fields }))
