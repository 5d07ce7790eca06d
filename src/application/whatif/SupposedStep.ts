/**
 * Performs one step of a supposed run: what was recorded where the step asks the same, this build's
 * own engines where they answered, and a needed fact where neither can tell. Nothing outside can be
 * reached from here: no provider, reader or model is among its needs.
 */
import { Effect, Equal, Schema } from "effect"
import { NeededFact } from "../../contract/Replayed.ts"
import type { EngineStep, Supposition } from "../../domain/audit/OutcomeChange.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import * as PackAssembly from "../../domain/pack/PackAssembly.ts"
import type { Chunk, Page } from "../../domain/page/Page.ts"
import type { SearchHit } from "../../domain/search/SearchStatus.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { type Grounding, hitsOf, isTaken, readingOf } from "../../domain/session/Grounding.ts"
import * as ResearchSources from "../../domain/session/ResearchSources.ts"
import { type SessionCommand, tellFact, type ToldFact } from "../../domain/session/Session.ts"
import {
  CacheUsed,
  Called,
  CallStarted,
  Decided,
  EvidenceRanked,
  EvidenceRead,
  PackCreated,
  type SessionEvent
} from "../../domain/session/SessionEvent.ts"
import {
  type EngineInfo,
  NeedGates,
  PackWriters,
  PageReaders,
  QueryPlanners,
  Rerankers,
  Researchers
} from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import type { Breakers } from "../ports/SearchProvider.ts"
import * as RecomputeStep from "../replay/RecomputeStep.ts"
import { searchRequestOf } from "../steps/CallSearch.ts"
import * as Deadline from "../steps/Deadline.ts"
import * as PerformStep from "../steps/PerformStep.ts"
import { keptOf, readPages } from "../steps/ReadPages.ts"
import type { PerformedStep, StepOf } from "../steps/Step.ts"

/** Time enough for every engine: how long it took then is no part of the result. */
const stepMs = 600_000

/**
 * Performs a step under the supposition, from recorded facts alone. `recorded` is the request as
 * its session's whole record tells it. Fails with `FactNeeded` for what was never recorded.
 */
export const perform = (
  step: PerformedStep,
  recorded: Grounding,
  suppose: Supposition
): Effect.Effect<SessionCommand | undefined, FactNeeded, RecomputeStep.Needs> =>
  Effect.gen(function*() {
    if (step._tag === "Decide" && recorded.cachedPack !== undefined) {
      return yield* needed("Decide", "other_session", recorded.cachedPack.source_stream_id)
    }
    if (step._tag === "Read" && readingOf(step.grounding) > 0) {
      return yield* unseen(step, recorded, suppose)
    }
    const engines = yield* RecomputeStep.enginesOf(yield* answerOf(step, recorded, suppose))
    const deadline = yield* Deadline.deadlineAfter(stepMs)
    const outside: PerformStep.Outside<FactNeeded, RecomputeStep.Needs | Breakers> = {
      askStore: () =>
        recorded.storeAsked === undefined
          ? needed("AskStore", "store")
          : Effect.succeed(recorded.storeAsked),
      search: (search) => open(search, recorded, suppose),
      settle: (call) => settle(call, recorded, suppose),
      read: (reading) => readRecorded(reading, recorded, deadline),
      documents: recorded.researched?.documents ?? []
    }
    const command = yield* Effect.provide(PerformStep.perform(step, outside, deadline), engines)
    yield* checkJudging(command, recorded, step, suppose)
    return command
  }).pipe(RecomputeStep.withTimeAt(clockOf(step, recorded)))

/** Time of the recorded event, and before an answer that of the request. */
const clockOf = ({ _tag }: PerformedStep, recorded: Grounding): string => {
  const { finished, requestedAt, researched, written } = recorded
  const writtenAt = written?.written_at ?? finished?.finished_at ?? requestedAt
  if (_tag === "Write") return writtenAt
  if (_tag === "Research") return researched?.researched_at ?? writtenAt
  return _tag === "Conclude" ? finished?.finished_at ?? writtenAt : requestedAt
}

/**
 * The recorded event whose engine may answer the step; `undefined` where the local engine is to, or
 * no engine is asked. Fails where an engine would have to be asked that nobody can ask now.
 */
const answerOf = Effect.fnUntraced(
  function*(step: PerformedStep, recorded: Grounding, { engines = {} }: Supposition) {
    const record = { recorded, engines }
    switch (step._tag) {
      case "Decide": {
        // With its queries fixed no model is asked.
        if (step.grounding.request.overrides?.queries !== undefined) return undefined
        const { info } = (yield* NeedGates).last
        const decision = decisionFor(step, recorded)
        return yield* answered(
          "Decide",
          decision ?? recorded.decision,
          info,
          { ...record, of: "gate" },
          decision !== undefined
        )
      }
      case "Plan": {
        if (step.grounding.request.overrides?.queries !== undefined) return undefined
        const { info } = (yield* QueryPlanners).last
        const isSame = Equal.equals(step.need, recorded.decision?.need)
        return yield* answered("Plan", recorded.planned, info, { ...record, of: "planner" }, isSame)
      }
      case "Rank": {
        const { info } = (yield* Rerankers).last
        const ranking = scoresFor(step, recorded)
        const given = ranking ?? recorded.ranking
        return yield* answered(
          "Rank",
          given,
          info,
          { ...record, of: "ranker" },
          ranking !== undefined
        )
      }
      case "Write": {
        if (step.chunks.length === 0) return undefined
        const { info } = (yield* PackWriters).last
        const isSame = Equal.equals(step.need, recorded.decision?.need) &&
          Equal.equals(step.chunks.map(passageOf), passagesOf(recorded))
        const written = withoutJudge(recorded.written, engines.judge)
        return yield* answered("Write", written, info, { ...record, of: "writer" }, isSame)
      }
      case "Research": {
        const { info } = (yield* Researchers).last
        const isSame = Equal.equals(step.sources, ResearchSources.sourceTexts(recorded))
        return yield* answered(
          "Research",
          recorded.researched,
          info,
          { ...record, of: "researcher" },
          isSame
        )
      }
      default:
        return undefined
    }
  }
)

/**
 * Decision that the gate proposed, within what the request fixes. A model is not told of that, so
 * that its proposal stands as far as nothing had been fixed when it was recorded.
 */
const decisionFor = (
  { grounding: { request } }: StepOf<"Decide">,
  { decision, request: { overrides } }: Grounding
): typeof Decided.Type | undefined => {
  if (decision === undefined || Equal.equals(request.overrides, overrides)) return decision
  return overrides?.max_queries === undefined && overrides?.search_depth === undefined
    ? Decided.make({ ...decision, proposed: NeedRules.admitted(request, decision.proposed) })
    : undefined
}

interface Choice {
  readonly engines: NonNullable<Supposition["engines"]>
  readonly of: EngineStep
}

/** `isSameQuestion`: what was recorded answers what is asked now. */
const answered = <Event extends SessionEvent & { readonly rung: Rung }>(
  step: FactNeeded["step"],
  event: Event | undefined,
  local: EngineInfo,
  { engines, of }: Choice,
  isSameQuestion: boolean
): Effect.Effect<Event | undefined, FactNeeded> => {
  const choice = engines[of]
  if (choice === "local") return Effect.undefined
  const engine = event?.rung.engine ?? ""
  if (choice === "other" || event === undefined) return needed(step, "engine_answer", engine)
  // The local engine answers any question; what failed before it would fail again.
  return isSameQuestion || RecomputeStep.isOf(event.rung, local)
    ? Effect.succeed(event)
    : needed(step, "engine_answer", engine)
}

/** A passage by the text it was cut from, whatever its source is called. */
const passageOf = ({ index, page }: Chunk): string => `${page.text_sha256} ${index}`

/** The passages that the writer was handed, best first. */
const passagesOf = ({ evidence, ranking }: Grounding): ReadonlyArray<string> => {
  const texts = new Map(evidence?.pages.map((page) => [page.source_id, page.text_sha256]))
  return (ranking?.ranked ?? []).map(({ index, source_id }) =>
    `${texts.get(source_id) ?? ""} ${index}`
  )
}

/** The recorded scores in the order of the step's passages. `undefined`: one has none. */
const scoresFor = (
  { chunks }: StepOf<"Rank">,
  { evidence, ranking }: Grounding
): typeof EvidenceRanked.Type | undefined => {
  if (ranking === undefined) return undefined
  const texts = new Map(evidence?.pages.map((page) => [page.source_id, page.text_sha256]))
  const scores = new Map<string, number>(
    ranking.scored.map((
      { index, score, source_id }
    ) => [`${texts.get(source_id) ?? ""} ${index}`, score])
  )
  const scored = chunks.flatMap((chunk) => {
    const score = scores.get(passageOf(chunk))
    return score === undefined
      ? []
      : [{ source_id: chunk.page.source_id, index: chunk.index, score }]
  })
  return scored.length === chunks.length ? EvidenceRanked.make({ ...ranking, scored }) : undefined
}

/** A judge that is supposed away. */
const withoutJudge = (
  written: typeof PackCreated.Type | undefined,
  choice: Choice["engines"]["judge"]
): typeof PackCreated.Type | undefined => {
  if (written === undefined || choice !== "local") return written
  const { judging: _, ...others } = written
  return PackCreated.make(others)
}

/** Judgements are of the draft that was recorded, and of no other. */
const checkJudging = (
  command: SessionCommand | undefined,
  { evidence, written }: Grounding,
  { grounding }: PerformedStep,
  { engines }: Supposition
): Effect.Effect<void, FactNeeded> => {
  if (command?._tag !== "TellFact" || command.fact._tag !== "WEB_GROUNDING_PACK_CREATED") {
    return Effect.void
  }
  if (engines?.judge === "local" || written === undefined) return Effect.void
  const engine = written.judging?.rung.engine ?? ""
  const judged = (draft: typeof written.draft, pages = grounding.evidence?.pages ?? []) =>
    PackAssembly.judgeable({ draft, pages })
  const now = judged(command.fact.draft)
  const isAsked = now.length > 0
  if (engines?.judge === "other" && isAsked) return needed("Judge", "engine_answer", engine)
  const before = judged(written.draft, evidence?.pages)
  const isConfigured = written.judging !== undefined
  // Where nothing was to be judged the record does not tell whether somebody would have been asked.
  const isUnknown = !isConfigured && before.length === 0
  return isAsked && (isConfigured || isUnknown) && !Equal.equals(now, before)
    ? needed("Judge", "engine_answer", engine)
    : Effect.void
}

/**
 * Nothing can be ranked or written anew from texts that the log was not allowed to keep: ranking
 * and pack are those of the record as long as nothing before them, and nothing of their own, is
 * supposed otherwise.
 */
const unseen = (
  { grounding }: StepOf<"Read">,
  recorded: Grounding,
  { engines = {} }: Supposition
): Effect.Effect<SessionCommand, FactNeeded> => {
  const isAsRecorded = engines.ranker === undefined && engines.writer === undefined &&
    engines.judge === undefined && Equal.equals(basisOf(grounding), basisOf(recorded))
  const fact = grounding.ranking === undefined ? recorded.ranking : recorded.written
  return isAsRecorded && fact !== undefined
    ? Effect.succeed(tellFact(fact, readingOf(grounding)))
    : needed(grounding.ranking === undefined ? "Rank" : "Write", "page_texts")
}

/** All that a ranking and a pack rest on. */
const basisOf = ({ decision, evidence, policy, request }: Grounding) => ({
  need: decision?.need,
  pages: evidence?.pages,
  policy,
  request
})

// The reading of a supposed run: from pages that were read, and snippets that were found.

/**
 * Reads hits of a supposed run from recorded pages and snippets. Fails with `FactNeeded` when none
 * was recorded.
 */
const readRecorded = Effect.fnUntraced(
  function*(step: StepOf<"Read">, recorded: Grounding, deadline: Deadline.Deadline) {
    const { grounding } = step
    const evidence = recorded.evidence
    if (evidence === undefined) {
      return yield* needed("Read", "page", step.hits[0]?.hit.url)
    }
    const { rung } = evidence
    const { info } = (yield* PageReaders).last
    const stored = evidence.pages.filter(({ reader }) => reader === "store")
    // An entry of a page that was read stood back for it, and would stand beside the others now.
    if ((grounding.policy.entries_max ?? 0) > 0 && isLess(step, recorded)) {
      return yield* needed("Read", "store")
    }
    // Nobody but the local reader was there, which cuts whatever snippets there are.
    const isOfSnippets = RecomputeStep.isOf(rung, info) && rung.faults.length === 0 &&
      evidence.pages.every(({ reader }) => reader === "snippet" || reader === "store")
    const pages = isOfSnippets && grounding.request.listing?.urls === undefined
      ? [...(yield* readPages(step, deadline)).pages, ...stored]
      : yield* kept(step, recorded, evidence.pages)
    const { request_id } = grounding.request
    return keptOf(grounding, EvidenceRead.make({ request_id, pages, rung }))
  }
)

/** Whether a page that was read would not be. */
const isLess = ({ grounding, hits }: StepOf<"Read">, recorded: Grounding): boolean => {
  const wanted = new Set(urlsOf(hits, grounding))
  return urlsOf(hitsOf(recorded), recorded).some((url) => !wanted.has(url))
}

/** The recorded pages of the hits that would have been read, under the names they would bear. */
const kept = Effect.fnUntraced(function*(
  { grounding, hits }: StepOf<"Read">,
  recorded: Grounding,
  pages: ReadonlyArray<Page>
) {
  const wasRead = new Set(urlsOf(hitsOf(recorded), recorded))
  const byHit = new Map(pages.map((page) => [page.hit_url ?? page.url, page]))
  const stored = pages.filter(({ reader }) => reader === "store")
  // Pages that the caller named are the same whatever is supposed.
  if (grounding.request.listing?.urls !== undefined) return pages
  const found: Array<Page> = []
  for (const [index, url] of urlsOf(hits, grounding).entries()) {
    const page = byHit.get(url)
    if (page !== undefined) found.push({ ...page, source_id: `s${index + 1}` })
    // A page that was read and stands nowhere has become one with an earlier one.
    else if (!wasRead.has(url)) return yield* needed("Read", "page", url)
  }
  return [...found, ...stored]
})

const urlsOf = (
  hits: StepOf<"Read">["hits"],
  { policy }: Grounding
): ReadonlyArray<string> => hits.slice(0, policy.pages_max).map(({ hit }) => hit.url)

// Searches of a supposed run, answered from those that were recorded.

/**
 * The reservation of a search, or a cached answer, that the same request recorded for the same
 * query, asked in the same way.
 */
const open = (
  { grounding, query, queryIndex: query_index }: StepOf<"Search">,
  recorded: Grounding,
  { score_min }: Supposition
): Effect.Effect<ToldFact, FactNeeded> => {
  const asked = searchRequestOf(grounding, query)
  if (Equal.equals(asked, searchRequestOf(recorded, query))) {
    const call = recorded.calls.find((one) =>
      one.query === query && !grounding.calls.some(({ call_id }) => call_id === one.call_id)
    )
    if (call !== undefined) {
      const { call_id, expires_at, owner, request_id } = call
      return Effect.succeed(
        CallStarted.make({ request_id, call_id, query_index, query, owner, expires_at })
      )
    }
    const cached = recorded.cached.find((one) => one.query === query)
    if (cached !== undefined) {
      const hits = wellScored(cached.hits, score_min)
      const status = hits.length === 0 ? "no_results" : cached.status
      return Effect.succeed(CacheUsed.make({ ...cached, query_index, hits, status }))
    }
  }
  // Time had run out, or the tenant's searches had, before a query that is the next one here too.
  const { stopped } = recorded
  return stopped !== undefined && !isTaken(recorded, query_index)
    ? Effect.succeed(stopped)
    : needed("Search", "search", query)
}

/** Outcome of a recorded search, with the hits that the supposed score leaves. */
const settle = Effect.fnUntraced(
  function*({ call }: StepOf<"AwaitCall">, recorded: Grounding, { score_min }: Supposition) {
    const { hitsScarceMax } = yield* Limits
    const called = recorded.calls.find(({ call_id }) => call_id === call.call_id)?.outcome
    if (called === undefined) return yield* needed("Search", "search", call.query)
    const placed = { ...called, query_index: call.query_index }
    if (score_min === undefined || called.status !== "success") return Called.make(placed)
    const hits = wellScored(called.hits, score_min)
    const lowest = Math.min(...called.hits.flatMap(({ score }) => score ?? []))
    // Below the worst hit that was recorded there may be others, which were left out.
    const isHidden = hiddenIn(called) > 0 && score_min < lowest
    const isScarce = hits.length < called.hits.length && hits.length <= hitsScarceMax
    if (isHidden || isScarce) return yield* needed("Search", "hits", call.query)
    return Called.make({ ...placed, hits })
  }
)

const wellScored = (hits: ReadonlyArray<SearchHit>, least = 0): ReadonlyArray<SearchHit> =>
  hits.filter(({ score }) => score === undefined || score >= least)

/** Hits that providers gave and that were left out. */
const hiddenIn = ({ attempts, hits }: typeof Called.Type): number =>
  attempts.reduce(
    (sum, { hits_count, status }) => status === "success" ? sum + hits_count : sum,
    0
  ) - hits.length

// A fact that a supposed run needs and that nobody has recorded. It is told, and never guessed.

/** Ends a supposed run where it would have had to ask somebody outside. */
export class FactNeeded extends Schema.TaggedError<FactNeeded>()("FactNeeded", NeededFact.fields) {}

/** Failure for a fact that the step needs; `what` names it, e.g. by its address. */
export const needed = (
  step: NeededFact["step"],
  fact: NeededFact["fact"],
  what = ""
): Effect.Effect<never, FactNeeded> => Effect.fail(new FactNeeded({ step, fact, what }))
