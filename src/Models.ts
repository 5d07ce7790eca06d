/** Which models are asked before the rules, step by step: a part of the wiring. */
import { Effect, Layer, Option, Redacted } from "effect"
import * as ChatClaimJudge from "./adapters/openai/ChatClaimJudge.ts"
import * as ChatModel from "./adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "./adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "./adapters/openai/ChatPackWriter.ts"
import * as ChatQueryPlanner from "./adapters/openai/ChatQueryPlanner.ts"
import * as ChatResearcher from "./adapters/openai/ChatResearcher.ts"
import * as ExtractingResearcher from "./adapters/rules/ExtractingResearcher.ts"
import * as LexicalClaimJudge from "./adapters/rules/LexicalClaimJudge.ts"
import * as QuotingPackWriter from "./adapters/rules/QuotingPackWriter.ts"
import * as RuleNeedGate from "./adapters/rules/RuleNeedGate.ts"
import * as RuleQueryPlanner from "./adapters/rules/RuleQueryPlanner.ts"
import { ClaimJudges } from "./application/ports/ClaimJudge.ts"
import { NeedGates } from "./application/ports/NeedGate.ts"
import { PackWriters } from "./application/ports/PackWriter.ts"
import { QueryPlanners } from "./application/ports/QueryPlanner.ts"
import { Researchers } from "./application/ports/Researcher.ts"
import * as Settings from "./infrastructure/Settings.ts"

type Chosen = Option.Option<ChatModel.ChatModelOptions>

/** None: the step goes by rule alone. */
export interface StepModels {
  readonly gate: Chosen
  readonly planner: Chosen
  readonly writer: Chosen
  readonly judge: Chosen
  readonly researcher: Chosen
}

/** Steps that name the same model share it, and what was learnt of its server. */
export const layer = ({ gate, judge, planner, researcher, writer }: StepModels) =>
  Layer.unwrap(Effect.gen(function*() {
    const named = [gate, planner, writer, judge, researcher].flatMap(Option.toArray)
    const distinct = new Map(named.map((options) => [options.model, options]))
    const made = yield* Effect.forEach([...distinct.values()], ChatModel.make)
    const before = <Engine>(chosen: Chosen, engineOf: (model: ChatModel.ChatModel) => Engine) =>
      Option.toArray(chosen).flatMap((options) =>
        made.filter(({ model }) => model === options.model).map(engineOf)
      )
    return Layer.mergeAll(
      Layer.succeed(NeedGates, {
        preferred: before(gate, ChatNeedGate.make),
        last: RuleNeedGate.make
      }),
      Layer.succeed(QueryPlanners, {
        preferred: before(planner, ChatQueryPlanner.make),
        last: RuleQueryPlanner.make
      }),
      Layer.succeed(PackWriters, {
        preferred: before(writer, ChatPackWriter.make),
        last: QuotingPackWriter.make
      }),
      Layer.succeed(ClaimJudges, {
        preferred: before(judge, ChatClaimJudge.make),
        last: LexicalClaimJudge.make
      }),
      Layer.succeed(Researchers, {
        preferred: before(researcher, ChatResearcher.make),
        last: ExtractingResearcher.make
      })
    )
  }))

/** One model of a sandbox for every step. Any key is good there, and a real one must not go. */
export const played = (baseUrl: string, model: string) => {
  const chosen = Option.some({
    baseUrl: `${baseUrl}/v1`,
    apiKey: Option.some(Redacted.make("llm-sandbox-1")),
    model,
    prices: Option.none()
  })
  return layer({
    gate: chosen,
    planner: chosen,
    writer: chosen,
    judge: chosen,
    researcher: chosen
  })
}

/** `model` goes before every setting. */
export const configured = (settings: Settings.SettingValues, model: Option.Option<string>) => {
  const usual = Option.all({
    prompt: settings.LLM_PROMPT_PRICE,
    completion: settings.LLM_COMPLETION_PRICE
  })
  const named = (model: string): ChatModel.ChatModelOptions => ({
    baseUrl: settings.LLM_BASE_URL,
    apiKey: Settings.given(settings.LLM_API_KEY),
    model,
    prices: Option.orElse(Option.fromUndefinedOr(settings.LLM_PRICES.get(model)), () => usual)
  })
  const chosen = (name: Option.Option<string>): Chosen =>
    Option.map(Option.firstSomeOf([model, name, settings.LLM_MODEL]), named)
  return layer({
    gate: chosen(settings.LLM_GATE_MODEL),
    planner: chosen(settings.LLM_PLANNER_MODEL),
    writer: chosen(settings.LLM_WRITER_MODEL),
    researcher: chosen(settings.LLM_RESEARCHER_MODEL),
    // One more request for each pack: only where it is asked for.
    judge: Option.map(settings.LLM_JUDGE_MODEL, named)
  })
}
