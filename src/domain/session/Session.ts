/** Decider of one session: its groundings and the searches they spent. */
import { Result, Schema } from "effect"
import * as Eligibility from "../need/Eligibility.ts"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import {
  type GroundingRequest,
  isSame,
  RequestConflict,
  type Tier
} from "../request/GroundingRequest.ts"
import type { Rung } from "./EngineDetail.ts"
import {
  type Call,
  type Grounding,
  isTaken,
  isTextMissing,
  pagesOf,
  readingOf,
  withTexts as groundingWithTexts
} from "./Grounding.ts"
import { languageVersionUnrecorded } from "./RulesVersion.ts"
import { Decided, SessionEvent } from "./SessionEvent.ts"

export interface Session {
  /** Groundings by `request_id`, in the order they were requested. */
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

/**
 * Events that a command adds to a session. Empty for what is recorded already or came too late;
 * refused when it does not follow from the record, has no budget left, or repeats a `request_id`
 * with another question.
 */
export const decide = (command: SessionCommand, session: Session): Decision => {
  const request_id = requestIdOf(command)
  const grounding = session.groundings.get(request_id)
  if (command._tag === "ProposeNeed") {
    if (grounding === undefined) return refuse(command._tag, request_id)
    const { cachedPack, decision, request, reused } = grounding
    const { proposed, rung } = command
    const need = Eligibility.apply(proposed, circumstances(session, request))
    return decision === undefined && reused === undefined && cachedPack === undefined
      ? record(Decided.make({ request_id, proposed, need, rung }))
      : nothing
  }
  const { fact } = command
  if (fact._tag === "WEB_GROUNDING_REQUESTED") {
    if (grounding === undefined) return record(fact)
    return isSame(grounding.request, fact.request)
      ? nothing
      : Result.fail(new RequestConflict({ request_id }))
  }
  // Nothing can be told of a request that was never made.
  if (grounding === undefined) return refuse(fact._tag, request_id)
  switch (standing(command, grounding, session)) {
    case "new":
      return record(fact)
    case "known":
      return nothing
    case "unfounded":
      return refuse(fact._tag, request_id)
    case "unaffordable":
      return Result.fail(new BudgetRefused({ request_id }))
  }
}

/**
 * Status of a told fact: `new` is recorded, `known` was recorded before or came too late,
 * `unfounded` does not follow from what is recorded, `unaffordable` has no budget left.
 */
type Standing = "new" | "known" | "unfounded" | "unaffordable"

const newIf = (isNew: boolean): Standing => isNew ? "new" : "known"

/** Status of a told fact in view of what the session has recorded. */
const standing = (
  { fact, reading }: TellFact,
  grounding: Grounding,
  session: Session
): Standing => {
  const { cachedPack, calls, decision, evidence, finished, planned, reused, shown, written } =
    grounding
  const isBegun = decision !== undefined || reused !== undefined || cachedPack !== undefined
  const isOfThisReading = reading === readingOf(grounding)
  switch (fact._tag) {
    case "WEB_GROUNDING_REQUESTED":
      return "known"
    case "WEB_GROUNDING_QUERY_PLANNED":
      if (planned !== undefined) return "known"
      return decision?.need.need_search === true ? "new" : "unfounded"
    case "WEB_GROUNDING_STORE_ASKED":
      if (decision?.need.need_search !== true) return "unfounded"
      return newIf(grounding.storeAsked === undefined)
    case "WEB_GROUNDING_CALL_STARTED":
      if (isTaken(grounding, fact.query_index)) return "known"
      return view(session.groundings.values(), grounding.request).remaining > 0
        ? "new"
        : "unaffordable"
    case "WEB_GROUNDING_CALLED": {
      const call = calls.find(({ call_id }) => call_id === fact.call_id)
      return call === undefined ? "unfounded" : newIf(call.outcome === undefined)
    }
    case "WEB_GROUNDING_CACHE_USED":
      return newIf(!isTaken(grounding, fact.query_index))
    case "WEB_GROUNDING_PACK_REUSED":
      if (isBegun) return "known"
      return session.groundings.get(fact.from_request_id)?.written === undefined
        ? "unfounded"
        : "new"
    case "WEB_GROUNDING_CACHED_PACK_USED":
      return newIf(!isBegun)
    case "WEB_GROUNDING_SEARCH_STOPPED":
      return newIf(grounding.stopped === undefined)
    case "WEB_GROUNDING_EVIDENCE_READ":
      return newIf(
        written === undefined && isOfThisReading &&
          (evidence === undefined || evidence.pages.some(isTextMissing))
      )
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return newIf(grounding.ranking === undefined && isOfThisReading)
    case "WEB_GROUNDING_PACK_CREATED":
      return newIf(written === undefined && isOfThisReading)
    case "WEB_GROUNDING_RESEARCHED":
      return written === undefined && !isOutlinedApart(grounding)
        ? "unfounded"
        : newIf(grounding.researched === undefined)
    case "WEB_GROUNDING_FINISHED":
      return newIf(finished === undefined)
    case "WEB_GROUNDING_SHOWN_TO_USER":
      if (written === undefined && reused === undefined && cachedPack === undefined) {
        return "unfounded"
      }
      return newIf(!shown.some(({ audience }) => audience === fact.audience))
  }
}

/** Session after one more event. Every stored event is accepted. */
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
      {
        boundary,
        language_version = languageVersionUnrecorded,
        policy,
        request,
        requested_at,
        request_id,
        rules_version
      }
    ) =>
      session.groundings.has(request_id) ? undefined : {
        request,
        tier: tierOf(session.groundings.values(), request),
        requestedAt: requested_at,
        policy,
        rulesVersion: rules_version,
        languageVersion: language_version,
        boundary,
        calls: [],
        cached: [],
        shown: []
      },
    WEB_GROUNDING_DECIDED: (decision) => update(session, decision, { decision }),
    WEB_GROUNDING_STORE_ASKED: (storeAsked) => update(session, storeAsked, { storeAsked }),
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
    WEB_GROUNDING_CACHED_PACK_USED: (cachedPack) => update(session, cachedPack, { cachedPack }),
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

/** Applies `Grounding.withTexts` to one request of the session. */
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

const circumstances = (session: Session, request: GroundingRequest) => ({
  request,
  searchesRemaining: view(session.groundings.values(), request).remaining,
  setupGrounded: [...session.groundings.values()].some((other) =>
    other.request.request_id !== request.request_id && other.request.phase === "session_setup" &&
    isFruitful(other)
  )
})

/**
 * An outline is made of the house's documents alone where nothing is searched, and of what another
 * request of the session found where that is reused.
 */
const isOutlinedApart = ({ decision, request, reused }: Grounding): boolean =>
  request.course?.purpose === "outline" &&
  (reused !== undefined || decision?.need.need_search === false)

/** A search that failed, or found nothing, leaves the set-up open for another try. */
const isFruitful = ({ cached, calls, written }: Grounding): boolean =>
  calls.some(({ outcome }) => outcome?.status === "success") ||
  cached.some(({ status }) => status === "success") ||
  (written?.pack.confidence ?? 0) > 0

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

// Commands of a session. Time and ids arrive here; the decider makes none.

/** A gate's proposal: phase and budget, as they stand when it is recorded, make the decision. */
export interface ProposeNeed {
  readonly _tag: "ProposeNeed"
  readonly request_id: string
  readonly proposed: SearchNeed
  readonly rung: Rung
}

/** Every fact but the decision is recorded as it is told, when it is new. */
export type ToldFact = Exclude<SessionEvent, typeof Decided.Type>

export interface TellFact<Fact extends ToldFact = ToldFact> {
  readonly _tag: "TellFact"
  readonly fact: Fact
  /**
   * How often the evidence had been read when the fact came about: facts that rest on an older
   * reading are dropped. Told with evidence, ranking and pack.
   */
  readonly reading?: number
}

export type SessionCommand = ProposeNeed | TellFact

export const proposeNeed = (need: Omit<ProposeNeed, "_tag">): ProposeNeed => ({
  _tag: "ProposeNeed",
  ...need
})

export const tellFact = <Fact extends ToldFact>(fact: Fact, reading?: number): TellFact<Fact> => ({
  _tag: "TellFact",
  fact,
  ...(reading === undefined ? {} : { reading })
})

export const requestIdOf = (command: SessionCommand): string =>
  command._tag === "ProposeNeed" ? command.request_id : command.fact.request_id

// How many searches a session may still make. A started call is spent, whatever came of it. The
// session's first request fixes its tier: no later one raises or lowers it.

interface Limits {
  /** Planned queries sent to the chain in one session. */
  readonly searchesMax: number
  /** Searches in mid-chat that the user did not ask for; they count towards `searchesMax` too. */
  readonly midChatMax: number
}

const limitsByTier: Record<Tier, Limits> = {
  standard: { searchesMax: 2, midChatMax: 1 },
  premium: { searchesMax: 4, midChatMax: 4 }
}

/** Searches a session of the tier may make. */
export const limitOf = (tier: Tier): number => limitsByTier[tier].searchesMax

/** Tier of the session that a request belongs to. `groundings` are the session's, in order. */
export const tierOf = (groundings: Iterable<Grounding>, request: GroundingRequest): Tier => {
  const [first] = groundings
  return first?.request.tier ?? request.tier
}

interface BudgetView {
  readonly tier: Tier
  readonly limit: number
  readonly spent: number
  /** Searches that this request may still spend; never negative. */
  readonly remaining: number
}

/** Budget of a session as one request sees it. `groundings` are all of the session, in order. */
export const view = (
  groundings: Iterable<Grounding>,
  request: GroundingRequest
): BudgetView => {
  const all = [...groundings]
  const tier = tierOf(all, request)
  const { midChatMax, searchesMax } = limitsByTier[tier]
  const started = all.flatMap((grounding) =>
    grounding.calls.map(() => isUnaskedMidChat(grounding.request))
  )
  const unasked = started.filter((midChat) => midChat).length
  const left = searchesMax - started.length
  return {
    tier,
    limit: searchesMax,
    spent: started.length,
    remaining: Math.max(
      0,
      isUnaskedMidChat(request) ? Math.min(left, midChatMax - unasked) : left
    )
  }
}

const isUnaskedMidChat = (request: GroundingRequest): boolean =>
  request.phase === "mid_chat" && !request.user_asked_for_facts
