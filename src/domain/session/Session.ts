/** Decider of one session: its groundings and the searches they spent. */
import { Result, Schema } from "effect"
import * as Eligibility from "../need/Eligibility.ts"
import { asGiven } from "../request/GivenFields.ts"
import { type GroundingRequest, isSame, RequestConflict } from "../request/GroundingRequest.ts"
import { tierOf, view } from "./Budget.ts"
import {
  type Grounding,
  readingOf,
  type Session,
  withTexts as groundingWithTexts
} from "./Grounding.ts"
import { next } from "./NextStep.ts"
import { languageVersionUnrecorded } from "./RulesVersion.ts"
import { Decided, type Requested, type SessionEvent } from "./SessionEvent.ts"
import * as SessionFacts from "./SessionFacts.ts"

export type { Session } from "./Grounding.ts"

/** The session's searches are spent; nothing was reserved. */
export class BudgetRefused extends Schema.TaggedError<BudgetRefused>()("BudgetRefused", {
  request_id: Schema.String
}) {}

export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  command: Schema.String,
  request_id: Schema.String
}) {}

export type SessionRejection = RequestConflict | BudgetRefused | CommandRefused

export const initial: Session = { groundings: new Map() }

type Decision = Result.Result<ReadonlyArray<SessionEvent>, SessionRejection>

/**
 * Events to add. Empty for what is recorded or came too late; refused without a basis or budget, or
 * for a `request_id` with another question.
 */
export const decide = ({ fact: given, reading }: SessionCommand, session: Session): Decision => {
  const { request_id } = given
  const grounding = session.groundings.get(request_id)
  if (given._tag === "WEB_GROUNDING_REQUESTED") {
    if (grounding === undefined) return record(inPhase(given, session))
    return isSame(grounding.request, given.request)
      ? nothing
      : Result.fail(new RequestConflict({ request_id }))
  }
  if (grounding === undefined) return refuse(given)
  const fact = given._tag === "WEB_GROUNDING_DECIDED" ? applied(given, grounding, session) : given
  const isOfThisReading = reading === readingOf(grounding)
  const { groundings } = session
  switch (SessionFacts.standing(fact, { grounding, groundings, isOfThisReading })) {
    case "new":
      return record(fact)
    case "known":
      return nothing
    case "unfounded":
      return refuse(fact)
    case "unaffordable":
      return Result.fail(new BudgetRefused({ request_id }))
  }
}

const applied = (
  decided: typeof Decided.Type,
  { request }: Grounding,
  session: Session
): typeof Decided.Type => ({
  ...decided,
  need: Eligibility.apply(decided.proposed, circumstances(session, request))
})

/**
 * Like `decide`, but a command that comes too late gives no event. When another run was faster, the
 * next step has changed: a late fact would contradict recorded ones or pay for a needless search.
 */
export const decideInTime = (command: SessionCommand, session: Session): Decision => {
  const { _tag, request_id } = command.fact
  const step = next(session, request_id)
  // The session refuses commands for an unknown request.
  return step._tag === "Request" || SessionFacts.isTimely(_tag, step)
    ? decide(command, session)
    : nothing
}

/** Session after one more event. Every stored event is accepted. */
export const evolve = (session: Session, event: SessionEvent): Session =>
  evolveAll(session, [event])

export const evolveAll = (from: Session, events: Iterable<SessionEvent>): Session => {
  const groundings = new Map(from.groundings)
  for (const event of events) {
    const { request_id } = event
    const known = groundings.get(request_id)
    if (known !== undefined) groundings.set(request_id, SessionFacts.fold(known, event))
    else if (event._tag === "WEB_GROUNDING_REQUESTED") {
      groundings.set(request_id, opened(groundings.values(), event))
    }
    // Another event about an unknown request changes nothing: evolve is total.
  }
  return { groundings }
}

const opened = (
  groundings: Iterable<Grounding>,
  { boundary, language_version, policy, request, requested_at, rules_version }:
    typeof Requested.Type
): Grounding => ({
  request,
  tier: tierOf(groundings, request),
  requestedAt: requested_at,
  policy,
  rulesVersion: rules_version,
  languageVersion: language_version ?? languageVersionUnrecorded,
  boundary,
  calls: [],
  cached: [],
  shown: []
})

export const withTexts = (
  session: Session,
  request_id: string,
  textBySha256: ReadonlyMap<string, string>
): Session => {
  const grounding = session.groundings.get(request_id)
  return grounding === undefined
    ? session
    : put(session, request_id, groundingWithTexts(grounding, textBySha256))
}

const nothing: Decision = Result.succeed([])

const record = (event: SessionEvent): Decision => Result.succeed([event])

const refuse = ({ _tag: command, request_id }: SessionEvent): Decision =>
  Result.fail(new CommandRefused({ command, request_id }))

const circumstances = (session: Session, request: GroundingRequest) => ({
  request,
  searchesRemaining: view(session.groundings.values(), request).remaining,
  setupGrounded: isSetUp(session, request)
})

const isSetUp = ({ groundings }: Session, { request_id }: GroundingRequest): boolean =>
  [...groundings.values()].some(({ request, ...other }) =>
    request.request_id !== request_id && request.phase === "session_setup" && isFruitful(other)
  )

/** A search that failed, or found nothing, leaves the set-up open for another try. */
const isFruitful = (
  { cached, cachedPack, calls, written }: Omit<Grounding, "request">
): boolean =>
  cachedPack !== undefined ||
  calls.some(({ outcome }) => outcome?.status === "success") ||
  cached.some(({ status }) => status === "success") ||
  (written?.pack.confidence ?? 0) > 0

/** The request with the session's phase, where it names none. */
const inPhase = (fact: typeof Requested.Type, session: Session): typeof Requested.Type => {
  const { request } = fact
  if (request.phase !== undefined) return fact
  const phase = isSetUp(session, request) ? "mid_chat" : "session_setup"
  return { ...fact, request: { ...request, phase } }
}

export const isEligible = (session: Session, request: GroundingRequest): boolean =>
  Eligibility.isPhaseEligible(circumstances(session, request))

const put = ({ groundings }: Session, request_id: string, grounding: Grounding): Session => ({
  groundings: new Map(groundings).set(request_id, grounding)
})

/** A fact to record, if it is new. */
export interface SessionCommand<Fact extends SessionEvent = SessionEvent> {
  readonly fact: Fact
  /** Facts that rest on an older reading are dropped. Present with evidence, ranking and pack. */
  readonly reading?: number
}

export const tellFact = <Fact extends SessionEvent>(
  fact: Fact,
  reading?: number
): SessionCommand<Fact> => ({ fact, ...asGiven({ reading }) })

/** A gate's proposal. Phase and budget at the time of recording make the decision. */
export const proposeNeed = (decided: Omit<typeof Decided.Type, "_tag" | "need">) =>
  tellFact(Decided.make({ ...decided, need: decided.proposed }))
