/** Wires the sandbox: providers, engines and pages, by one server in this process. */
import * as PageExtraction from "@web-grounding/pages/PageExtraction"
import { sandboxNetwork } from "@web-grounding/safe-fetch/Network"
import * as ChatScript from "@web-grounding/sandbox/ChatScript"
import * as Fault from "@web-grounding/sandbox/Fault"
import * as SandboxServer from "@web-grounding/sandbox/SandboxServer"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import * as TavilySearch from "../adapters/search/TavilySearch.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Engines from "./Engines.ts"
import * as Jina from "./Jina.ts"
import * as Providers from "./Providers.ts"
import * as Readers from "./Readers.ts"

export const announced = (port: number) =>
  Layer.effectDiscard(
    Effect.flatMap(
      SandboxServer.SandboxServer,
      ({ baseUrl }) => Console.log(`Sandbox on ${baseUrl}`)
    )
  ).pipe(Layer.provide(SandboxServer.layer({ port })))

const inside = SandboxServer.layer({ port: 0 })

export const providers = Layer.unwrap(
  Effect.zipWith(
    SandboxServer.SandboxServer,
    Providers.rawPlace,
    ({ baseUrl }, raw) => Providers.sandboxProviders(baseUrl, raw)
  )
).pipe(Layer.provide(Layer.merge(inside, TavilySearch.layer)))

/** `model` is one of the sandbox's; the settings' models are not called with made-up pages. */
export const engines = (
  model: Option.Option<string>,
  workersStart: Readers.ReadersOptions["workersStart"]
) =>
  Layer.unwrap(Effect.gen(function*() {
    const settings = yield* Settings.Settings
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const jina = { baseUrl, apiKey: Redacted.make(Fault.plain("jina")) }
    const readers = yield* Readers.preferred({
      // The sandbox's own sites only.
      network: sandboxNetwork(baseUrl),
      outside: Option.isNone(settings.JINA_API_KEY)
        ? []
        : [yield* Jina.reader(jina, settings, (host) => host.endsWith(".example"))],
      workersStart
    })
    if (Option.exists(model, (name) => !ChatScript.names.includes(name))) {
      yield* Effect.logWarning(`the sandbox's models are ${ChatScript.names.join(", ")}`)
    }
    const models = Option.isNone(model)
      ? {}
      : yield* (yield* Effect.promise(() => import("./Models.ts"))).sandboxModels(
        baseUrl,
        model.value
      )
    return Engines.layer({
      ...models,
      reader: readers,
      ranker: [Jina.reranker(jina, settings)],
      // Under a separate model name: its vectors must not be compared with real ones.
      embedders: [{
        ...Jina.embedder(jina, settings),
        model: `mock ${settings.JINA_EMBEDDING_MODEL}`
      }]
    })
  })).pipe(
    Layer.provide(inside),
    Layer.provide(Layer.merge(PageExtraction.layer, TavilySearch.layer))
  )
