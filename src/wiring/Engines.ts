/** Wires the engines of every step: preferred ones, then the local one, which cannot fail. */
import { Layer, Option } from "effect"
import * as LocalEngines from "../adapters/rules/LocalEngines.ts"
import { type Embedder, Embedders } from "../application/ports/Embedder.ts"
import * as Ports from "../application/ports/Engines.ts"
import type { Engine } from "../application/ports/Engines.ts"
import type { EngineName } from "../domain/session/SessionFacts.ts"
import type * as Settings from "../infrastructure/Settings.ts"

/** Engines called before the local one, most preferred first: one list for each step. */
export type Preferred =
  & { readonly [Name in EngineName]?: ReadonlyArray<Engine<Name>> }
  & {
    /** There is no local one: without any, entries are found by words only. */
    readonly embedders?: ReadonlyArray<Embedder>
  }

export const chainsOf = (preferred: Preferred): Ports.Chains => ({
  gate: { preferred: preferred.gate ?? [], last: LocalEngines.gate },
  planner: { preferred: preferred.planner ?? [], last: LocalEngines.planner },
  reader: { preferred: preferred.reader ?? [], last: LocalEngines.reader },
  ranker: { preferred: preferred.ranker ?? [], last: LocalEngines.ranker },
  writer: { preferred: preferred.writer ?? [], last: LocalEngines.writer },
  judge: { preferred: preferred.judge ?? [], last: LocalEngines.judge },
  researcher: { preferred: preferred.researcher ?? [], last: LocalEngines.researcher }
})

export const layer = (preferred: Preferred) =>
  Layer.mergeAll(
    Layer.succeed(Ports.Engines, chainsOf(preferred)),
    Layer.succeed(Embedders, preferred.embedders ?? [])
  )

export const local = layer({})

export type Engines = Layer.Success<typeof local>

const modelSettings = [
  "LLM_MODEL",
  "LLM_GATE_MODEL",
  "LLM_WRITER_MODEL",
  "LLM_RESEARCHER_MODEL",
  "LLM_JUDGE_MODEL"
] as const

export const modelsNamed = (settings: Settings.SettingValues): ReadonlyArray<string> =>
  modelSettings.filter((name) => Option.isSome(settings[name]))
