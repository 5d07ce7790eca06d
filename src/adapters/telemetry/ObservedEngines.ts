/**
 * Engines of every step that are observed: a span and the time of each, and of models what the
 * conventions for GenAI name.
 */
import { Effect, type Exit, Layer } from "effect"
import {
  type ClaimJudge,
  ClaimJudges,
  type EngineFailed,
  type EngineInfo,
  type NeedGate,
  NeedGates,
  type PackWriter,
  PackWriters,
  type PageReader,
  PageReaders,
  type QueryPlanner,
  QueryPlanners,
  type Reranker,
  Rerankers,
  type Researcher,
  Researchers,
  type Rungs
} from "../../application/ports/Engines.ts"
import { type Embedder, Embedders } from "../../application/ports/EvidenceStore.ts"
import { UsageMeter } from "../../application/ports/Limits.ts"
import type { ModelUsage } from "../../domain/session/EngineDetail.ts"
import type { Meters } from "./Meters.ts"
import { timed } from "./ObservedParts.ts"
import { outcomeOf } from "./Outcomes.ts"

/** `ok`, why the engine failed, or how it was ended. */
const reasonOf = (exit: Exit.Exit<unknown, EngineFailed>): string => {
  if (exit._tag === "Success") return "ok"
  const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  return failed?.error.reason ?? outcomeOf(exit)
}

/** Labels of the conventions for GenAI; of an engine without a model there are none. */
const modelOf = (engine: string, model: string | undefined, operation: string) =>
  model === undefined ? undefined : {
    gen_ai_operation_name: operation,
    gen_ai_provider_name: engine,
    gen_ai_request_model: model
  }

interface Asked extends Pick<EngineInfo, "engine" | "model"> {
  readonly step: string
  /** Name of the operation in the conventions, where a model is asked. */
  readonly operation: "chat" | "embeddings"
}

const asking = (meters: Meters, { engine, model, operation, step }: Asked) => {
  const ofModel = modelOf(engine, model, operation)

  const used = ({ completion_tokens, prompt_tokens }: ModelUsage): void => {
    if (ofModel === undefined) return
    const tokens = (gen_ai_token_type: string, count: number | undefined) =>
      count === undefined
        ? undefined
        : meters.observe("gen_ai_client_token_usage", { ...ofModel, gen_ai_token_type }, count)
    tokens("input", prompt_tokens)
    tokens("output", completion_tokens)
  }

  const ended = (seconds: number, exit: Exit.Exit<unknown, EngineFailed>) => {
    const outcome = reasonOf(exit)
    meters.observe("web_grounding_engine_duration_seconds", { step, engine, outcome }, seconds)
    if (ofModel === undefined) return
    meters.observe("gen_ai_client_operation_duration_seconds", {
      ...ofModel,
      error_type: outcome === "ok" ? "" : outcome
    }, seconds)
  }

  return <A, E extends EngineFailed>(ask: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(UsageMeter, (outer) =>
      ask.pipe(
        Effect.provideService(UsageMeter, (usage) =>
          Effect.andThen(Effect.sync(() => used(usage)), outer(usage))),
        timed(ended),
        Effect.withSpan("engine", {
          attributes: { step, engine, ...ofModelSpan(ofModel) }
        })
      ))
}

/** The conventions' names of the same labels on a span. */
const ofModelSpan = (labels: ReturnType<typeof modelOf>) =>
  labels === undefined ? {} : {
    "gen_ai.operation.name": labels.gen_ai_operation_name,
    "gen_ai.provider.name": labels.gen_ai_provider_name,
    "gen_ai.request.model": labels.gen_ai_request_model
  }

/** Engines of every step around the given ones, which report their answers and failures. */
export const layer = (meters: Meters) => {
  const by = (step: string, info: EngineInfo) =>
    asking(meters, { ...info, step, operation: "chat" })
  const gate = <E extends EngineFailed>(one: NeedGate<E>): NeedGate<E> => ({
    ...one,
    decide: (request) => by("gate", one.info)(one.decide(request))
  })
  const planner = <E extends EngineFailed>(one: QueryPlanner<E>): QueryPlanner<E> => ({
    ...one,
    plan: (...asked) => by("planner", one.info)(one.plan(...asked))
  })
  const reader = <E extends EngineFailed>(one: PageReader<E>): PageReader<E> => ({
    ...one,
    read: (hit) => by("reader", one.info)(one.read(hit))
  })
  const ranker = <E extends EngineFailed>(one: Reranker<E>): Reranker<E> => ({
    ...one,
    score: (...asked) => by("ranker", one.info)(one.score(...asked))
  })
  const writer = <E extends EngineFailed>(one: PackWriter<E>): PackWriter<E> => ({
    ...one,
    write: (task) => by("writer", one.info)(one.write(task))
  })
  const judge = <E extends EngineFailed>(one: ClaimJudge<E>): ClaimJudge<E> => ({
    ...one,
    judge: (task) => by("judge", one.info)(one.judge(task))
  })
  const researcher = <E extends EngineFailed>(one: Researcher<E>): Researcher<E> => ({
    ...one,
    research: (task) => by("researcher", one.info)(one.research(task))
  })
  const embedder = (one: Embedder): Embedder => ({
    ...one,
    embed: (texts, task) =>
      asking(meters, { ...one, step: "embedder", operation: "embeddings" })(one.embed(texts, task))
  })
  const rungsOf = <One, Last extends One>(
    { last, preferred }: Rungs<One, Last>,
    observed: { readonly one: (engine: One) => One; readonly last: (engine: Last) => Last }
  ): Rungs<One, Last> => ({ preferred: preferred.map(observed.one), last: observed.last(last) })
  return Layer.mergeAll(
    Layer.effect(
      NeedGates,
      Effect.map(NeedGates, (all) => rungsOf(all, { one: gate, last: gate }))
    ),
    Layer.effect(
      QueryPlanners,
      Effect.map(QueryPlanners, (all) => rungsOf(all, { one: planner, last: planner }))
    ),
    Layer.effect(
      PageReaders,
      Effect.map(PageReaders, (all) => rungsOf(all, { one: reader, last: reader }))
    ),
    Layer.effect(
      Rerankers,
      Effect.map(Rerankers, (all) => rungsOf(all, { one: ranker, last: ranker }))
    ),
    Layer.effect(
      PackWriters,
      Effect.map(PackWriters, (all) => rungsOf(all, { one: writer, last: writer }))
    ),
    Layer.effect(
      ClaimJudges,
      Effect.map(ClaimJudges, (all) => rungsOf(all, { one: judge, last: judge }))
    ),
    Layer.effect(
      Researchers,
      Effect.map(Researchers, (all) => rungsOf(all, { one: researcher, last: researcher }))
    ),
    Layer.effect(Embedders, Effect.map(Embedders, (all) => all.map(embedder)))
  )
}
