/**
 * The engines of every step: those that are preferred, then the local one, which needs neither key
 * nor network and cannot fail. A part of the wiring.
 */
import { Layer, Option } from "effect"
import * as LocalEngines from "../adapters/rules/LocalEngines.ts"
import { type Embedder, Embedders } from "../application/ports/Embedder.ts"
import {
  ClaimJudges,
  NeedGates,
  PackWriters,
  PageExtractors,
  PageReaders,
  QueryPlanners,
  Rerankers,
  Researchers
} from "../application/ports/Engines.ts"
import type * as Settings from "../infrastructure/Settings.ts"

/** Engines that are asked before the local one, the most preferred first: one list a step. */
export interface Preferred {
  readonly gates: NeedGates["Service"]["preferred"]
  readonly planners: QueryPlanners["Service"]["preferred"]
  readonly readers: PageReaders["Service"]["preferred"]
  readonly rerankers: Rerankers["Service"]["preferred"]
  readonly writers: PackWriters["Service"]["preferred"]
  readonly judges: ClaimJudges["Service"]["preferred"]
  readonly researchers: Researchers["Service"]["preferred"]
  /** Asked for what no reader could read, one for each key. */
  readonly extractors: PageExtractors["Service"]
  /** There is no local one: without any, entries are found by their words. */
  readonly embedders: ReadonlyArray<Embedder>
}

const none: Preferred = {
  gates: [],
  planners: [],
  readers: [],
  rerankers: [],
  writers: [],
  judges: [],
  researchers: [],
  extractors: [],
  embedders: []
}

/** The steps' services. What `preferred` leaves out is done by the local engine alone. */
export const layer = (preferred: Partial<Preferred>) => {
  const asked: Preferred = { ...none, ...preferred }
  return Layer.mergeAll(
    Layer.succeed(NeedGates, { preferred: asked.gates, last: LocalEngines.make }),
    Layer.succeed(QueryPlanners, {
      preferred: asked.planners,
      last: LocalEngines.makeRuleQueryPlanner
    }),
    Layer.succeed(PageReaders, {
      preferred: asked.readers,
      last: LocalEngines.makeSnippetPageReader
    }),
    Layer.succeed(Rerankers, {
      preferred: asked.rerankers,
      last: LocalEngines.makeLexicalReranker
    }),
    Layer.succeed(PackWriters, {
      preferred: asked.writers,
      last: LocalEngines.makeQuotingPackWriter
    }),
    Layer.succeed(ClaimJudges, {
      preferred: asked.judges,
      last: LocalEngines.makeLexicalClaimJudge
    }),
    Layer.succeed(Researchers, {
      preferred: asked.researchers,
      last: LocalEngines.makeExtractingResearcher
    }),
    Layer.succeed(PageExtractors, asked.extractors),
    Layer.succeed(Embedders, asked.embedders)
  )
}

/** Every step by its local engine. */
export const local = layer(none)

export type Engines = Layer.Success<typeof local>

/** Settings that name a model for a step. */
const modelSettings = [
  "LLM_MODEL",
  "LLM_GATE_MODEL",
  "LLM_PLANNER_MODEL",
  "LLM_WRITER_MODEL",
  "LLM_RESEARCHER_MODEL",
  "LLM_JUDGE_MODEL"
] as const

/** Names of the model settings that are set. */
export const modelsNamed = (settings: Settings.SettingValues): ReadonlyArray<string> =>
  modelSettings.filter((name) => Option.isSome(settings[name]))
