/**
 * The service as it runs, over RPC on loopback: real adapters of every provider and reader, whose
 * other end is a sandbox that the test holds. Four of Tavily's five keys are refused.
 */
import { ConfigProvider, Context, Effect, Layer } from "effect"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as DocumentFiles from "../../src/adapters/pages/DocumentFiles.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as RawPages from "../../src/adapters/tavily/RawPages.ts"
import * as Access from "../../src/application/Access.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as SandboxNetwork from "../../src/infrastructure/web/SandboxNetwork.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import * as Extraction from "../../src/wiring/Extraction.ts"
import * as Jina from "../../src/wiring/Jina.ts"
import { evidenceWith, recallWith, useCasesWith } from "../../src/wiring/layers.ts"
import * as Providers from "../../src/wiring/Providers.ts"
import * as Readers from "../../src/wiring/Readers.ts"
import { instance, limitsAlone, sandbox } from "./grounding.ts"
import * as MemoryCredits from "./memory/MemoryCredits.ts"
import * as MemoryErasures from "./memory/MemoryErasures.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "./memory/MemoryEvidenceStore.ts"
import * as MemoryLogRows from "./memory/MemoryLogRows.ts"
import * as MemoryPackCache from "./memory/MemoryPackCache.ts"
import * as MemoryQueryCache from "./memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "./memory/MemoryReadModels.ts"
import { frame, host, linesOf, post, url } from "./service.ts"

/** Without the router that it serves by: the service has its own. */
const sandboxAlone = Layer.effect(
  SandboxServer.SandboxServer,
  Effect.map(Layer.build(sandbox), Context.get(SandboxServer.SandboxServer))
)

/** The only key of Tavily's that is answered. */
export const goodSlot = 5

const settings = Layer.unwrap(
  Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) =>
    Settings.layer.pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({
        env: {
          TAVILY_BASE_URL: baseUrl,
          TAVILY_API_KEY: "tvly-sandbox-fault-429",
          TAVILY_API_KEY_2: "tvly-sandbox-fault-403",
          TAVILY_API_KEY_3: "tvly-sandbox-fault-432",
          TAVILY_API_KEY_4: "tvly-sandbox-fault-401",
          TAVILY_API_KEY_5: "tvly-sandbox-1",
          DUCKDUCKGO_BASE_URL: baseUrl,
          SERPAPI_BASE_URL: baseUrl,
          SERPAPI_API_KEY: "serp-sandbox-1",
          JINA_API_KEY: "jina-sandbox-1",
          JINA_BASE_URL: baseUrl,
          TAVILY_EXTRACT: "true"
        }
      })))
    ))
)

const engines = Layer.unwrap(Effect.gen(function*() {
  const chosen = yield* Settings.Settings
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const jina = { baseUrl, apiKey: Settings.givenSecret(chosen.JINA_API_KEY) }
  const readers = yield* Readers.preferred({
    network: SandboxNetwork.make(baseUrl),
    outside: [],
    workersStart: "with the first page"
  })
  return Engines.layer({
    readers,
    extractors: Extraction.sandboxExtractors(baseUrl, chosen),
    rerankers: jina.apiKey._tag === "None"
      ? []
      : [Jina.reranker({ baseUrl, apiKey: jina.apiKey.value }, chosen)],
    embedders: jina.apiKey._tag === "None"
      ? []
      : [Jina.embedder({ baseUrl, apiKey: jina.apiKey.value }, chosen)]
  })
})).pipe(Layer.provide(Layer.merge(PageExtraction.layer, RawPages.layer)))

const credits = Layer.unwrap(
  Effect.map(Settings.Settings, (chosen) => MemoryCredits.layer(Providers.ceilings(chosen)))
)

const evidence = Layer.mergeAll(
  MemoryErasures.layer,
  MemoryLogRows.verification,
  evidenceWith(engines),
  DocumentFiles.layer.pipe(Layer.provide(PageExtraction.layerProcesses))
)

/** With the sandbox, so that a test can tell it what to do wrong. */
export const service = GroundingRpcServer.layer({ host, port: 0 }).pipe(
  Layer.provide(Layer.mergeAll(useCasesWith(engines), evidence, Access.open("default"))),
  Layer.provide(recallWith(engines)),
  Layer.provide(MemoryEvidenceStore.layer),
  Layer.provide(Layer.mergeAll(
    Providers.web,
    MemoryEventStore.layer,
    MemoryPackCache.layer,
    MemoryQueryCache.layer,
    MemoryReadModels.layer,
    instance("p1"),
    limitsAlone({ entriesMax: 4 }),
    credits
  )),
  Layer.provide(settings),
  Layer.provideMerge(sandboxAlone)
)

/** What RPC answers, JSON as it is on the wire: the facts before an outcome, or the failure. */
export interface Answer {
  readonly facts: ReadonlyArray<Record<string, any>>
  readonly value: Record<string, any>
  /** Absent: the call was answered. */
  readonly failure?: Record<string, any>
}

/** One call over RPC. */
export const call = Effect.fnUntraced(function*(name: string, input: object) {
  const { text } = yield* post(yield* url, frame("1", name, input))
  const lines = linesOf(text)
  const elements = lines.flatMap((line) => line["values"] ?? [])
  const exit = lines.find((line) => line["exit"] !== undefined)?.["exit"]
  const answer: Answer = {
    facts: elements.flatMap((element) => element._tag === "Fact" ? [element.event] : []),
    value: elements.findLast((element) => element._tag === "Outcome")?.outcome ?? exit?.value ?? {},
    ...(exit?._tag === "Failure" ? { failure: exit.cause[0]?.error ?? {} } : {})
  }
  return answer
})
