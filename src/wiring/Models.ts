/** Wires the models of each step, called before the rules. */
import { Effect, Option, Redacted } from "effect"
import * as ChatClaimJudge from "../adapters/openai/ChatClaimJudge.ts"
import * as ChatModel from "../adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "../adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../adapters/openai/ChatPackWriter.ts"
import * as ChatResearcher from "../adapters/openai/ChatResearcher.ts"
import type { EngineName } from "../domain/session/SessionFacts.ts"
import * as Settings from "../infrastructure/Settings.ts"

/** Value that switches the judge off: every claim then keeps its source's words. */
const noJudge = "none"

type Chosen = Option.Option<ChatModel.ChatModelOptions>

type ModelStep = Exclude<EngineName, "planner" | "reader" | "ranker">

/** None: the step uses rules alone. */
export type StepModels = { readonly [Step in ModelStep]: Chosen }

/** Steps with the same model share it, and what it learnt of its server. */
export const engines = Effect.fnUntraced(
  function*({ gate, judge, researcher, writer }: StepModels) {
    const named = [gate, writer, judge, researcher].flatMap(Option.toArray)
    const distinct = new Map(named.map((options) => [options.model, options]))
    const made = yield* Effect.forEach([...distinct.values()], ChatModel.make)
    const before = <Engine>(chosen: Chosen, engineOf: (model: ChatModel.ChatModel) => Engine) =>
      Option.toArray(chosen).flatMap((options) =>
        made.filter(({ model }) => model === options.model).map(engineOf)
      )
    return {
      gate: before(gate, ChatNeedGate.make),
      writer: before(writer, ChatPackWriter.make),
      judge: before(judge, ChatClaimJudge.make),
      researcher: before(researcher, ChatResearcher.make)
    }
  }
)

/** Sandbox model for every step. Any key is accepted there; a real one must not be sent. */
export const sandboxModels = (baseUrl: string, model: string) => {
  const chosen = Option.some({
    baseUrl: `${baseUrl}/v1`,
    apiKey: Option.some(Redacted.make("llm-sandbox-1")),
    model,
    prices: Option.none()
  })
  return engines({
    gate: chosen,
    writer: chosen,
    judge: chosen,
    researcher: chosen
  })
}

/** `model`, if given, replaces the settings' models. */
export const configuredModels = (
  settings: Settings.SettingValues,
  model: Option.Option<string>
) => {
  const usual = Option.all({
    prompt: settings.LLM_PROMPT_PRICE,
    completion: settings.LLM_COMPLETION_PRICE
  })
  const named = (model: string): ChatModel.ChatModelOptions => ({
    baseUrl: settings.LLM_BASE_URL,
    apiKey: settings.LLM_API_KEY,
    model,
    prices: Option.orElse(Option.fromUndefinedOr(settings.LLM_PRICES.get(model)), () => usual)
  })
  const chosen = (name: Option.Option<string>): Chosen =>
    Option.map(Option.firstSomeOf([model, name, settings.LLM_MODEL]), named)
  return engines({
    gate: chosen(settings.LLM_GATE_MODEL),
    writer: chosen(settings.LLM_WRITER_MODEL),
    researcher: chosen(settings.LLM_RESEARCHER_MODEL),
    judge: Option.contains(settings.LLM_JUDGE_MODEL, noJudge)
      ? Option.none()
      : chosen(settings.LLM_JUDGE_MODEL)
  })
}
