/** Histories of a session as its own decider lets them grow: a walk over commands of two requests. */
import { Result } from "effect"
import { fold } from "../../src/application/log/CommandHandler.ts"
import { readingOf } from "../../src/domain/session/Grounding.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { proposeNeed, type SessionCommand, tellFact } from "../../src/domain/session/Session.ts"
import {
  EvidenceRead,
  PackReused,
  SearchStopped,
  type SessionEvent,
  ShownToUser
} from "../../src/domain/session/SessionEvent.ts"
import { type Dice, draw } from "./dice.ts"
import {
  cachedPackUsed,
  cacheUsed,
  called,
  callStarted,
  evidenceRanked,
  evidenceRead,
  finished,
  hit,
  moment,
  need,
  packCreated,
  planned,
  requested,
  researched,
  rung,
  storeAsked
} from "./sessionFacts.ts"

/** One command of a walk, and what came of it. */
export interface Move {
  readonly command: SessionCommand
  /** Empty when the command was refused, too. */
  readonly recorded: ReadonlyArray<SessionEvent>
  readonly wasRefused: boolean
  readonly after: Session.Session
}

const requestIds = ["r", "r2"] as const

const found = hit("https://a.example/1")
const course = {
  course_title: "Renting a flat",
  audience_category: "general",
  depth_requirement: "introduction",
  learning_mode: "self_paced"
}

const listings = [
  { listing: { of: "hits" } },
  { listing: { of: "pages" } },
  { listing: { of: "pages", urls: ["https://a.example/1"] } }
] as const

/** Most commands are the ones that the session waits for; the others are drawn from all. */
export const walk = (dice: Dice, commandsCount: number): ReadonlyArray<Move> => {
  const topics = requestIds.map(() => draw(dice, ["Rent", "Deposit"]))
  const courses = requestIds.map(() => draw(dice, [{}, { course }, ...listings]))
  const moves: Array<Move> = []
  let before = Session.initial
  while (moves.length < commandsCount) {
    const place = draw(dice, [0, 1])
    const request_id = requestIds[place] ?? "r"
    const input = {
      request_id,
      topic: topics[place] ?? "Rent",
      tier: "premium",
      phase: "mid_chat",
      user_asked_for_facts: true,
      ...courses[place]
    } as const
    const tag = dice() < 0.8 ? NextStep.next(before, request_id)._tag : draw(dice, tags)
    const command = commandAt(tag, input, before, dice)
    const outcome = Session.decide(command, before)
    const recorded = Result.getOrElse(outcome, () => [])
    const after = fold(Session, recorded, before)
    moves.push({ command, recorded, wasRefused: Result.isFailure(outcome), after })
    before = after
  }
  return moves
}

type Tag = NextStep.NextStep["_tag"]

const tags: ReadonlyArray<Tag> = [
  "Request",
  "Reuse",
  "Decide",
  "AskStore",
  "Plan",
  "Search",
  "AwaitCall",
  "StopSearch",
  "Read",
  "Rank",
  "Write",
  "Research",
  "Conclude",
  "Finish"
]

type Input = NonNullable<Parameters<typeof requested>[0]> & { readonly request_id: string }

const factsOf = <Event extends { readonly _tag: string }>({ _tag, ...facts }: Event) => facts

const commandAt = (
  tag: Tag,
  input: Input,
  session: Session.Session,
  dice: Dice
): SessionCommand => {
  const { request_id } = input
  const of = { request_id }
  const grounding = session.groundings.get(request_id)
  const reading = grounding === undefined ? 0 : readingOf(grounding)
  const query_index = draw(dice, [0, 1])
  const hits = draw(dice, [[], [found]])
  switch (tag) {
    case "Request":
      return tellFact(requested(input))
    case "Reuse":
      return tellFact(PackReused.make({ ...of, from_request_id: request_id === "r" ? "r2" : "r" }))
    case "Decide":
      return draw(dice, [
        proposeNeed({ ...of, proposed: need, rung }),
        proposeNeed({ ...of, proposed: need, rung }),
        proposeNeed({ ...of, proposed: need, rung }),
        tellFact(cachedPackUsed(of))
      ])
    case "AskStore":
      return tellFact(storeAsked({}, of))
    case "Plan":
      return tellFact(planned(["one", "two"], of))
    case "Search":
      return draw(dice, [
        tellFact(callStarted(query_index, of)),
        tellFact(cacheUsed(query_index, hits, of))
      ])
    case "AwaitCall":
      return tellFact(called(grounding?.calls.at(-1)?.query_index ?? query_index, hits, of))
    case "StopSearch":
      return tellFact(SearchStopped.make({ ...of, reason: "budget" }))
    case "Read":
      return tellFact(EvidenceRead.make({ ...evidenceOf(dice), ...of }), reading)
    case "Rank":
      return tellFact({ ...evidenceRanked("s1"), ...of }, reading)
    case "Write":
      return tellFact({ ...packCreated(packOf(dice)), ...of }, reading)
    case "Research":
      return tellFact(researched(of))
    case "Conclude":
      return tellFact(finished(of))
    case "Finish":
      return tellFact(ShownToUser.make({
        ...of,
        audience: draw(dice, ["roleplay_background", "coach", "user"] as const),
        shown_at: moment
      }))
  }
}

/** A snippet, or a page whose text the log does not hold, so that it is read again. */
const evidenceOf = (dice: Dice) => {
  const { pages, ...facts } = factsOf(evidenceRead(found.url))
  const reader = draw(dice, ["snippet", "web"] as const)
  return { ...facts, pages: pages.map((page) => ({ ...page, reader })) }
}

const packOf = (dice: Dice) => {
  const { pack } = packCreated()
  return { pack: { ...pack, confidence: draw(dice, [0, 0.6]) } }
}
