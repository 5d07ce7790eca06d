/**
 * Engines that answer as one event of the log says they did.
 *
 * Those that failed fail again in the same way. The one that answered is computed anew when it is
 * this build's own local engine, and answers from the record when it is not. Engines of other
 * steps are local, so that nothing outside is asked.
 */
import { Context, Effect } from "effect"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import * as Breakers from "../ports/Breakers.ts"
import { ClaimJudges } from "../ports/ClaimJudge.ts"
import { NeedGates } from "../ports/NeedGate.ts"
import { PackWriters } from "../ports/PackWriter.ts"
import { ExtractPages, PageReaders } from "../ports/PageReader.ts"
import { QueryPlanners } from "../ports/QueryPlanner.ts"
import { Rerankers } from "../ports/Reranker.ts"
import { Researchers } from "../ports/Researcher.ts"
import { EngineFailed, type EngineInfo } from "../ports/Rungs.ts"
import { UsageMeter } from "../ports/UsageMeter.ts"

export type Needs =
  | ClaimJudges
  | NeedGates
  | PackWriters
  | PageReaders
  | QueryPlanners
  | Rerankers
  | Researchers

/**
 * Engines that answer as the event records. `undefined` where no engine has a record: each is the
 * local one then.
 */
export const enginesOf = Effect.fnUntraced(function*(event: SessionEvent | undefined) {
  const { last: gate } = yield* NeedGates
  const { last: planner } = yield* QueryPlanners
  const { last: reader } = yield* PageReaders
  const { last: reranker } = yield* Rerankers
  const { last: writer } = yield* PackWriters
  const { last: judge } = yield* ClaimJudges
  const { last: researcher } = yield* Researchers

  const decided = event?._tag === "WEB_GROUNDING_DECIDED" ? event : undefined
  const planned = event?._tag === "WEB_GROUNDING_QUERY_PLANNED" ? event : undefined
  const ranked = event?._tag === "WEB_GROUNDING_EVIDENCE_RANKED" ? event : undefined
  const written = event?._tag === "WEB_GROUNDING_PACK_CREATED" ? event : undefined
  const judging = written?.judging
  const researched = event?._tag === "WEB_GROUNDING_RESEARCHED" ? event : undefined

  return Context.make(Breakers.Breakers, Breakers.none).pipe(
    Context.add(NeedGates, {
      preferred: recorded(decided?.rung, decided?.proposed, gate.info)
        .map(({ answer, info }) => ({ info, decide: () => answer })),
      last: gate
    }),
    Context.add(QueryPlanners, {
      preferred: recorded(planned?.rung, planned?.plan, planner.info)
        .map(({ answer, info }) => ({ info, plan: () => answer })),
      last: planner
    }),
    Context.add(PageReaders, { preferred: [], last: reader }),
    Context.add(ExtractPages, ExtractPages.defaultValue()),
    Context.add(Rerankers, {
      preferred: recorded(
        ranked?.rung,
        ranked?.scored.map(({ score }) => score),
        reranker.info
      ).map(({ answer, info }) => ({ info, score: () => answer })),
      last: reranker
    }),
    Context.add(PackWriters, {
      preferred: recorded(written?.rung, written?.draft, writer.info)
        .map(({ answer, info }) => ({ info, write: () => answer })),
      last: writer
    }),
    Context.add(ClaimJudges, {
      // The local judge gives no judgement; whoever gave those of the record is not asked again.
      preferred: recorded(judging?.rung, judging?.judgements, undefined)
        .map(({ answer, info }) => ({ info, judge: () => answer })),
      last: judge
    }),
    Context.add(Researchers, {
      preferred: recorded(researched?.rung, researched?.draft, researcher.info)
        .map(({ answer, info }) => ({ info, research: () => answer })),
      last: researcher
    })
  )
})

/**
 * Engines whose answers in the event replay takes from the record: all but the local ones of this
 * build, which are computed again.
 */
export const takenFrom = Effect.fnUntraced(function*(event: SessionEvent) {
  const told = (rung: Rung | undefined, local: EngineInfo): ReadonlyArray<EngineInfo> =>
    rung === undefined || isOf(rung, local) ? [] : [{ engine: rung.engine, version: rung.version }]
  switch (event._tag) {
    case "WEB_GROUNDING_DECIDED":
      return told(event.rung, (yield* NeedGates).last.info)
    case "WEB_GROUNDING_QUERY_PLANNED":
      return told(event.rung, (yield* QueryPlanners).last.info)
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return told(event.rung, (yield* Rerankers).last.info)
    case "WEB_GROUNDING_PACK_CREATED":
      return [
        ...told(event.rung, (yield* PackWriters).last.info),
        ...told(event.judging?.rung, (yield* ClaimJudges).last.info)
      ]
    case "WEB_GROUNDING_RESEARCHED":
      return told(event.rung, (yield* Researchers).last.info)
    default:
      return []
  }
})

/** Whether the rung is the local engine of this build: what it said can be computed again. */
export const isOf = ({ engine, version }: Rung, local: EngineInfo | undefined): boolean =>
  engine === local?.engine && version === local.version

interface RecordedEngine<A> {
  readonly info: EngineInfo
  readonly answer: Effect.Effect<A, EngineFailed>
}

/** The engines before the local one, in their order. What models used then is told by the first. */
const recorded = <A>(
  rung: Rung | undefined,
  answer: A | undefined,
  local: EngineInfo | undefined
): ReadonlyArray<RecordedEngine<A>> => {
  if (rung === undefined || answer === undefined) return []
  const { engine, faults, usage, version } = rung
  const failing = faults.map((fault): RecordedEngine<A> => ({
    info: { engine: fault.engine, version: "" },
    answer: Effect.fail(new EngineFailed(fault))
  }))
  const engines = isOf(rung, local)
    ? failing
    : [...failing, { info: { engine, version }, answer: Effect.succeed(answer) }]
  const charge = usage === undefined
    ? Effect.void
    : Effect.flatMap(UsageMeter, (meter) => meter(usage))
  return engines.map(({ answer, info }, index) => ({
    info,
    answer: index === 0 ? Effect.andThen(charge, answer) : answer
  }))
}
