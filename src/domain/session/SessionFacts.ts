/**
 * Each fact of a session: steps that may record it, fold, engines. Shapes are in `SessionEvent`,
 * words for a person in `TimelineEntry`.
 */
import { Struct } from "effect"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import type { PackDraft } from "../pack/GroundingPack.ts"
import type { JudgedClaim } from "../pack/Judgement.ts"
import type { QueryPlan } from "../plan/QueryPlan.ts"
import { asGiven } from "../request/GivenFields.ts"
import type { ResearchDraft } from "../research/OutlineFindings.ts"
import * as Budget from "./Budget.ts"
import type { Rung } from "./EngineDetail.ts"
import {
  type Call,
  type Grounding,
  isTaken as isQueryTaken,
  isTextMissing,
  pagesOf,
  readingOf
} from "./Grounding.ts"
import type { NextStep } from "./NextStep.ts"
import type { SessionEvent } from "./SessionEvent.ts"

/** A gate's need, with further queries if it proposed some. */
export interface NeedProposal extends SearchNeed {
  readonly queries?: ReadonlyArray<string>
}

export interface EngineAnswers {
  readonly gate: NeedProposal
  readonly planner: QueryPlan
  readonly reader: undefined
  /** One score for each passage, in reading order. */
  readonly ranker: ReadonlyArray<number>
  readonly writer: PackDraft
  readonly judge: ReadonlyArray<JudgedClaim>
  readonly researcher: ResearchDraft
}

export type EngineName = keyof EngineAnswers

export type RecordedEngines = {
  readonly [Name in EngineName]?: {
    readonly rung: Rung
    readonly answer: EngineAnswers[Name]
  }
}

/** `known`: recorded before, or too late. `unfounded`: does not follow from the record. */
export type Standing = "new" | "known" | "unfounded" | "unaffordable"

interface Circumstances {
  readonly grounding: Grounding
  /** All of the session, by `request_id`. */
  readonly groundings: ReadonlyMap<string, Grounding>
  readonly isOfThisReading: boolean
}

interface FactRecord<Fact extends SessionEvent> {
  /** Steps that may record the fact; at others it is too late. Absent: any. */
  readonly steps?: ReadonlyArray<NextStep["_tag"]>
  /** Made of texts that the log may not hold: by the log they are still to be read. */
  readonly isOfUnseenTexts?: true
  readonly standing: (fact: Fact, at: Circumstances) => Standing
  readonly fold: (grounding: Grounding, fact: Fact) => Grounding
  readonly engines?: (fact: Fact) => RecordedEngines
  /** Steps at which replay takes the fact from the record: it cannot be computed. */
  readonly takenAt?: ReadonlyArray<NextStep["_tag"]>
  /** Time stated in the fact; ISO 8601 UTC. */
  readonly at?: (fact: Fact) => string
}

const newIf = (isNew: boolean): Standing => isNew ? "new" : "known"

const isBegun = ({ cachedPack, decision, reused }: Grounding): boolean =>
  decision !== undefined || reused !== undefined || cachedPack !== undefined

const isOutlinedApart = ({ decision, request, reused }: Grounding): boolean =>
  request.course?.purpose === "outline" &&
  (reused !== undefined || decision?.need.need_search === false)

type Of<Tag extends SessionEvent["_tag"]> = Extract<SessionEvent, { readonly _tag: Tag }>

const records: { readonly [Tag in SessionEvent["_tag"]]: FactRecord<Of<Tag>> } = {
  WEB_GROUNDING_REQUESTED: {
    standing: () => "known",
    fold: (grounding) => grounding,
    takenAt: ["Request"]
  },
  WEB_GROUNDING_DECIDED: {
    steps: ["Decide"],
    standing: (_, { grounding }) => newIf(!isBegun(grounding)),
    fold: (grounding, decision) => ({ ...grounding, decision }),
    engines: ({ proposed, queries, rung }) => ({
      gate: { rung, answer: { ...proposed, ...asGiven({ queries }) } }
    })
  },
  WEB_GROUNDING_STORE_ASKED: {
    steps: ["AskStore"],
    standing: (_, { grounding: { decision, storeAsked } }) =>
      decision?.need.need_search === true ? newIf(storeAsked === undefined) : "unfounded",
    fold: (grounding, storeAsked) => ({ ...grounding, storeAsked })
  },
  WEB_GROUNDING_QUERY_PLANNED: {
    steps: ["Plan"],
    standing: (_, { grounding: { decision, planned } }) => {
      if (planned !== undefined) return "known"
      return decision?.need.need_search === true ? "new" : "unfounded"
    },
    fold: (grounding, planned) => ({ ...grounding, planned }),
    engines: ({ plan, rung }) => ({ planner: { rung, answer: plan } })
  },
  WEB_GROUNDING_CALL_STARTED: {
    // The session refuses it where the budget is spent.
    steps: ["Search", "StopSearch"],
    standing: ({ query_index }, { grounding, groundings }) => {
      if (isQueryTaken(grounding, query_index)) return "known"
      return Budget.view(groundings.values(), grounding.request).remaining > 0
        ? "new"
        : "unaffordable"
    },
    fold: (grounding, started) => ({ ...grounding, calls: [...grounding.calls, started] })
  },
  WEB_GROUNDING_CALLED: {
    standing: ({ call_id }, { grounding: { calls } }) => {
      const call = calls.find((one) => one.call_id === call_id)
      return call === undefined ? "unfounded" : newIf(call.outcome === undefined)
    },
    fold: (grounding, outcome) => ({
      ...grounding,
      calls: grounding.calls.map((call): Call =>
        call.call_id === outcome.call_id ? { ...call, outcome } : call
      )
    })
  },
  WEB_GROUNDING_CACHE_USED: {
    steps: ["Search"],
    standing: ({ query_index }, { grounding }) => newIf(!isQueryTaken(grounding, query_index)),
    fold: (grounding, used) => ({ ...grounding, cached: [...grounding.cached, used] })
  },
  WEB_GROUNDING_PACK_REUSED: {
    steps: ["Reuse"],
    standing: ({ from_request_id }, { grounding, groundings }) => {
      if (isBegun(grounding)) return "known"
      return groundings.get(from_request_id)?.written === undefined ? "unfounded" : "new"
    },
    fold: (grounding, reused) => ({ ...grounding, reused })
  },
  WEB_GROUNDING_CACHED_PACK_USED: {
    steps: ["Decide"],
    standing: (_, { grounding }) => newIf(!isBegun(grounding)),
    fold: (grounding, cachedPack) => ({ ...grounding, cachedPack }),
    takenAt: ["Decide"]
  },
  WEB_GROUNDING_SEARCH_STOPPED: {
    steps: ["Search", "StopSearch"],
    standing: (_, { grounding: { stopped } }) => newIf(stopped === undefined),
    fold: (grounding, stopped) => ({ ...grounding, stopped }),
    // Which of the two ends the search depends on what other requests had reserved by then.
    takenAt: ["StopSearch"]
  },
  WEB_GROUNDING_EVIDENCE_READ: {
    steps: ["Read"],
    standing: (_, { grounding: { evidence, written }, isOfThisReading }) =>
      newIf(
        written === undefined && isOfThisReading &&
          (evidence === undefined || evidence.pages.some(isTextMissing))
      ),
    fold: ({ ranking: _, ...grounding }, event) => ({
      ...grounding,
      evidence: {
        pages: pagesOf(grounding, event),
        rung: event.rung,
        reading: readingOf(grounding) + 1,
        ...Struct.pick(event, ["left_out", "read_at"])
      }
    }),
    engines: ({ rung }) => ({ reader: { rung, answer: undefined } })
  },
  WEB_GROUNDING_EVIDENCE_RANKED: {
    steps: ["Rank"],
    isOfUnseenTexts: true,
    standing: (_, { grounding: { ranking }, isOfThisReading }) =>
      newIf(ranking === undefined && isOfThisReading),
    fold: (grounding, ranking) => ({ ...grounding, ranking }),
    engines: ({ rung, scored }) => ({
      ranker: { rung, answer: scored.map(({ score }) => score) }
    })
  },
  WEB_GROUNDING_PACK_CREATED: {
    steps: ["Write"],
    isOfUnseenTexts: true,
    standing: (_, { grounding: { written }, isOfThisReading }) =>
      newIf(written === undefined && isOfThisReading),
    fold: (grounding, written) => ({ ...grounding, written }),
    at: ({ written_at }) => written_at,
    engines: ({ draft, judging, rung }) => ({
      writer: { rung, answer: draft },
      ...(judging === undefined
        ? {}
        : { judge: { rung: judging.rung, answer: judging.judgements } })
    })
  },
  WEB_GROUNDING_RESEARCHED: {
    // Whether there are sources to research shows in texts that the log may not hold.
    steps: ["Research", "Conclude"],
    standing: (_, { grounding }) =>
      grounding.written === undefined && !isOutlinedApart(grounding)
        ? "unfounded"
        : newIf(grounding.researched === undefined),
    fold: (grounding, researched) => ({ ...grounding, researched }),
    at: ({ researched_at }) => researched_at,
    engines: ({ draft, rung }) => ({ researcher: { rung, answer: draft } })
  },
  WEB_GROUNDING_FINISHED: {
    steps: ["Conclude"],
    standing: (_, { grounding: { finished } }) => newIf(finished === undefined),
    fold: (grounding, finished) => ({ ...grounding, finished }),
    at: ({ finished_at }) => finished_at
  },
  WEB_GROUNDING_SHOWN_TO_USER: {
    standing: ({ audience }, { grounding: { cachedPack, reused, shown, written } }) =>
      written === undefined && reused === undefined && cachedPack === undefined
        ? "unfounded"
        : newIf(!shown.some((one) => one.audience === audience)),
    fold: (grounding, event) => ({ ...grounding, shown: [...grounding.shown, event] }),
    // An older release did not record the answer itself before it was shown.
    takenAt: ["Finish", "Conclude"]
  }
}

const recordOf = <Fact extends SessionEvent>({ _tag }: Fact): FactRecord<Fact> =>
  // A table by tag and the tag's own fact go together.
  records[_tag] as unknown as FactRecord<Fact>

export const standing = (fact: SessionEvent, at: Circumstances): Standing =>
  recordOf(fact).standing(fact, at)

export const fold = (grounding: Grounding, fact: SessionEvent): Grounding =>
  recordOf(fact).fold(grounding, fact)

export const isTimely = (tag: SessionEvent["_tag"], step: NextStep): boolean => {
  const { isOfUnseenTexts = false, steps } = records[tag]
  return steps === undefined || steps.includes(step._tag) ||
    isOfUnseenTexts && rereadingOf(step) > 0
}

export const isTaken = (tag: SessionEvent["_tag"], step: NextStep): boolean => {
  const { isOfUnseenTexts = false, takenAt = [] } = records[tag]
  return takenAt.includes(step._tag) || isOfUnseenTexts && rereadingOf(step) > 0
}

/** Earlier readings of pages whose texts the log may not keep. 0: first reading, or none. */
export const rereadingOf = (step: NextStep): number =>
  step._tag === "Read" ? readingOf(step.grounding) : 0

/** Time stated in the fact; ISO 8601 UTC. `undefined`: none. */
export const timeOf = (fact: SessionEvent): string | undefined => recordOf(fact).at?.(fact)

export const enginesOf = (fact: SessionEvent): RecordedEngines =>
  recordOf(fact).engines?.(fact) ?? {}

export const rungsOf = (fact: SessionEvent): ReadonlyArray<readonly [EngineName, Rung]> =>
  Object.entries(enginesOf(fact)).map(([name, { rung }]) => [name as EngineName, rung])

/** In millionths of a US dollar; 0 without a model, or without a known price. */
export const modelCostMicros = (fact: SessionEvent): number =>
  rungsOf(fact).reduce((sum, [, { usage }]) => sum + (usage?.cost_micros ?? 0), 0)
