/** The sandbox's models behind the real adapter, for whole groundings and for single questions. */
import { Effect, Layer, Option, Redacted, Ref, Schema } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import { shapeOf } from "../../src/adapters/openai/ChatModel.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import type { ModelUsage } from "../../src/domain/session/EngineDetail.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import * as Models from "../../src/wiring/Models.ts"
import { evidence, instance, limits, sandbox, sandboxProviders } from "./grounding.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"

export const optionsAt = (
  baseUrl: string,
  model: string,
  key = "llm-sandbox-1"
): ChatModel.ChatModelOptions => ({
  baseUrl,
  apiKey: Option.some(Redacted.make(key)),
  model,
  prices: Option.some({ prompt: 2, completion: 10 })
})

/** A question whose answer is a gate's, so that the sandbox's models know it. */
const shape = shapeOf(
  "search_need",
  Schema.Struct({ need_search: Schema.Boolean, topic: Schema.String })
)
export const task = {
  messages: [
    { role: "system", content: "Decide." },
    {
      role: "user",
      content: JSON.stringify({
        question: "What does a tram in Halvern cost?",
        topic: "Trams",
        locale: "en",
        known_facts: [],
        open_slots: []
      })
    }
  ],
  shape,
  tokensMax: 200
} as const

export const modelOf = (name: string, key?: string) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    return yield* ChatModel.make(optionsAt(`${baseUrl}/v1`, name, key))
  })

/** With all that was charged for it, answer by answer. */
export const metered = <A, E, R>(asked: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const charged = yield* Ref.make<ReadonlyArray<ModelUsage>>([])
    const result = yield* Effect.result(
      Effect.provideService(
        asked,
        UsageMeter,
        (usage) => Ref.update(charged, (all) => [...all, usage])
      )
    )
    return { result, charged: yield* Ref.get(charged) }
  })

interface PlayedOptions {
  readonly engineTimeoutMs?: number
  readonly key?: string
  /** Default: no judge. */
  readonly judge?: string
  /** Another model that decides and plans. */
  readonly gate?: string
}

const engines = (name: string, { gate = name, judge, key }: PlayedOptions) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const named = (model: string) => Option.some(optionsAt(`${baseUrl}/v1`, model, key))
      return Engines.layer(
        yield* Models.engines({
          gate: named(gate),
          writer: named(name),
          researcher: named(name),
          judge: Option.flatMap(Option.fromUndefinedOr(judge), named)
        })
      )
    })
  )

const aroundOf = ({ engineTimeoutMs = 5_000 }: PlayedOptions) =>
  Layer.mergeAll(
    sandboxProviders,
    MemoryEventStore.layer,
    instance("p1"),
    limits({ engineTimeoutMs })
  )

/** Everything in memory but the sandbox, which plays the provider and the model. */
export const applicationOf = (name: string, options: PlayedOptions = {}) =>
  useCasesWith(engines(name, options)).pipe(
    Layer.provideMerge(aroundOf(options)),
    Layer.provideMerge(sandbox)
  )

/** The same, with documents of the house. */
export const housedOf = (name: string, options: PlayedOptions = {}) =>
  useCasesWith(engines(name, options)).pipe(
    Layer.provideMerge(evidence),
    Layer.provideMerge(aroundOf(options)),
    Layer.provideMerge(sandbox)
  )
