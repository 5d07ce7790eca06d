/** Engine that answered a step, the ones that failed before it, and what models used. */
import { Schema } from "effect"
import type { RecordedDetail } from "./EngineDetail.ts"

/** Why an engine gave no answer. */
export const EngineFault = Schema.Literals([
  "timeout",
  "unreachable",
  "refused",
  "malformed",
  "truncated"
])
export type EngineFault = typeof EngineFault.Type

/** Any text passes: what another release recorded is read and written again as it stands. */
export const RungDetail = Schema.String.pipe(
  Schema.refine((_text): _text is RecordedDetail => true)
)

/** Why an engine in the order of preference (a rung) gave no answer, so that the next was asked. */
const RungFault = Schema.Struct({
  engine: Schema.String,
  reason: EngineFault,
  /** Finer word, e.g. `robots`, `http_404`, `too_large`. */
  detail: Schema.optionalKey(RungDetail)
})
export type RungFault = typeof RungFault.Type

/** Use of models in one step, those that failed included. */
export const ModelUsage = Schema.Struct({
  /** Model name that the server states, else the name that was asked for. */
  model: Schema.String,
  /** Absent where the server left it unsaid for any of the requests: it is not known then. */
  prompt_tokens: Schema.optionalKey(Schema.Natural),
  /** Sum of the answers' completion tokens. Absent like `prompt_tokens`. */
  completion_tokens: Schema.optionalKey(Schema.Natural),
  /** Requests sent, repairs included. */
  requests: Schema.Natural,
  /** Millionths of a US dollar; absent where no price is set, or tokens are not known. */
  cost_micros: Schema.optionalKey(Schema.Natural)
})
export type ModelUsage = typeof ModelUsage.Type

/** Engine that answered a step, and the ones before it that did not. */
export const Rung = Schema.Struct({
  engine: Schema.String,
  version: Schema.String,
  /** Engines that were asked first and failed, in order. Empty: nothing was degraded. */
  faults: Schema.Array(RungFault),
  /** Absent: no model was asked. */
  usage: Schema.optionalKey(ModelUsage)
})
export type Rung = typeof Rung.Type
