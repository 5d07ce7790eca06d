/** The wiring, and the only file that knows every part. Read top down: inside out. */
import { Console, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { fileURLToPath } from "node:url"
import type { Wiring } from "./adapters/cli/Wiring.ts"
import * as JinaClient from "./adapters/jina/JinaClient.ts"
import * as JinaEmbedder from "./adapters/jina/JinaEmbedder.ts"
import * as JinaReranker from "./adapters/jina/JinaReranker.ts"
import * as MemoryBreakers from "./adapters/memory/MemoryBreakers.ts"
import * as OpenAiEmbedder from "./adapters/openai/OpenAiEmbedder.ts"
import * as DocumentFiles from "./adapters/pages/DocumentFiles.ts"
import * as PageExtraction from "./adapters/pages/PageExtraction.ts"
import * as PostgresCredits from "./adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "./adapters/postgres/PostgresEventStore.ts"
import * as PostgresEvidenceStore from "./adapters/postgres/PostgresEvidenceStore.ts"
import * as PostgresQueryCache from "./adapters/postgres/PostgresQueryCache.ts"
import * as PostgresReadModels from "./adapters/postgres/PostgresReadModels.ts"
import * as GroundingRpcServer from "./adapters/rpc/GroundingRpcServer.ts"
import * as ExtractingResearcher from "./adapters/rules/ExtractingResearcher.ts"
import * as LexicalClaimJudge from "./adapters/rules/LexicalClaimJudge.ts"
import * as LexicalReranker from "./adapters/rules/LexicalReranker.ts"
import * as QuotingPackWriter from "./adapters/rules/QuotingPackWriter.ts"
import * as RuleNeedGate from "./adapters/rules/RuleNeedGate.ts"
import * as RuleQueryPlanner from "./adapters/rules/RuleQueryPlanner.ts"
import * as SnippetPageReader from "./adapters/rules/SnippetPageReader.ts"
import * as SandboxServer from "./adapters/sandbox/SandboxServer.ts"
import * as SandboxNetwork from "./adapters/sandbox/sites/SandboxNetwork.ts"
import * as AskHealth from "./application/AskHealth.ts"
import * as CheckReadiness from "./application/CheckReadiness.ts"
import * as CheckServing from "./application/CheckServing.ts"
import * as Draining from "./application/Draining.ts"
import * as EngineRest from "./application/EngineRest.ts"
import * as Embedding from "./application/evidence/Embedding.ts"
import * as EvidenceApi from "./application/evidence/EvidenceApi.ts"
import * as RecallEvidence from "./application/evidence/RecallEvidence.ts"
import * as GroundQuestion from "./application/GroundQuestion.ts"
import * as LogSignal from "./application/log/LogSignal.ts"
import * as VerifiedLog from "./application/log/VerifiedLog.ts"
import { ClaimJudges } from "./application/ports/ClaimJudge.ts"
import { Digest } from "./application/ports/Digest.ts"
import { DocumentReader } from "./application/ports/DocumentReader.ts"
import { Embedders } from "./application/ports/Embedder.ts"
import { EvidenceStore, KeptVectors } from "./application/ports/EvidenceStore.ts"
import { Limits } from "./application/ports/Limits.ts"
import { NeedGates } from "./application/ports/NeedGate.ts"
import { PackWriters } from "./application/ports/PackWriter.ts"
import { PageReaders } from "./application/ports/PageReader.ts"
import { QueryPlanners } from "./application/ports/QueryPlanner.ts"
import { Rerankers } from "./application/ports/Reranker.ts"
import { Researchers } from "./application/ports/Researcher.ts"
import { Sites } from "./application/ports/Sites.ts"
import * as ProjectionRunner from "./application/projections/ProjectionRunner.ts"
import * as PublicApi from "./application/PublicApi.ts"
import * as ReplaySession from "./application/replay/ReplaySession.ts"
import * as ResearchTopic from "./application/ResearchTopic.ts"
import * as SessionTurns from "./application/SessionTurns.ts"
import * as CoalesceSearch from "./application/steps/CoalesceSearch.ts"
import * as KeyRing from "./application/steps/KeyRing.ts"
import * as SearchWeb from "./application/steps/SearchWeb.ts"
import { canonical } from "./infrastructure/CanonicalJson.ts"
import { sha256 } from "./infrastructure/Digest.ts"
import * as Migrations from "./infrastructure/postgres/Migrations.ts"
import * as RegistrableDomain from "./infrastructure/RegistrableDomain.ts"
import * as Settings from "./infrastructure/Settings.ts"
import { publicNetwork } from "./infrastructure/web/Network.ts"
import * as Models from "./Models.ts"
import * as Providers from "./Providers.ts"
import * as Readers from "./Readers.ts"
import * as Serving from "./Serving.ts"
import * as Storage from "./Storage.ts"

const limits = Layer.effect(
  Limits,
  Effect.map(Settings.Settings, (settings) => ({
    attemptTimeoutMs: settings.SEARCH_ATTEMPT_TIMEOUT_MS,
    engineTimeoutMs: settings.ENGINE_TIMEOUT_MS,
    rankTimeoutMs: settings.JINA_RERANKER_TIMEOUT * 1_000,
    readTimeoutMs: settings.JINA_READER_TIMEOUT * 1_000,
    hitsScarceMax: settings.SEARCH_MIN_RESULTS,
    scoreMin: settings.SEARCH_SCORE_MIN,
    pagesMax: settings.INTERNET_RAG_MAX_EXTRACT_URLS,
    chunksMax: settings.INTERNET_RAG_TOP_K,
    entriesMax: settings.EVIDENCE_ENTRIES_MAX,
    evidenceCharsMax: settings.MAX_EVIDENCE_CHARS
  }))
)

/** Engines that need neither key nor network: the last rung of every step. */
export const localEngines = Layer.mergeAll(
  Layer.succeed(NeedGates, { preferred: [], last: RuleNeedGate.make }),
  Layer.succeed(QueryPlanners, { preferred: [], last: RuleQueryPlanner.make }),
  Layer.succeed(PageReaders, { preferred: [], last: SnippetPageReader.make }),
  Layer.succeed(Rerankers, { preferred: [], last: LexicalReranker.make }),
  Layer.succeed(PackWriters, { preferred: [], last: QuotingPackWriter.make }),
  Layer.succeed(ClaimJudges, { preferred: [], last: LexicalClaimJudge.make }),
  Layer.succeed(Researchers, { preferred: [], last: ExtractingResearcher.make }),
  Layer.succeed(Embedders, [])
)

/** The folder of pages that the sandbox serves. */
const corpusDirectory = fileURLToPath(new URL("../corpus", import.meta.url))

export interface SandboxOptions {
  /** 0: any free one. */
  readonly port: number
  /** Serves recorded answers of this folder instead of the corpus. */
  readonly bodiesDirectory?: string
}

export const sandbox = (options: SandboxOptions) =>
  SandboxServer.layer({ ...options, corpusDirectory })

/** One server for everything that it plays in this process. */
const sandboxInside = sandbox({ port: 0 })

/** Every provider played by the sandbox, and labelled so. */
const sandboxProviders = Layer.unwrap(
  Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => Providers.played(baseUrl))
).pipe(Layer.provide(sandboxInside))

/** The bundled sandbox when asked for, by flag or by `WEB_SEARCH_MOCK`; else the web. */
const searchProviders = (mock: boolean) =>
  Layer.unwrap(
    Effect.map(Settings.Settings, ({ WEB_SEARCH_MOCK }) =>
      mock || WEB_SEARCH_MOCK ? sandboxProviders : Providers.web)
  )

/** Jina's reranker before the local one. */
const jinaEngines = (
  options: JinaClient.JinaOptions,
  { JINA_RERANKER_MODEL }: Settings.SettingValues
) =>
  Layer.succeed(Rerankers, {
    preferred: [
      EngineRest.reranker(JinaReranker.make({ ...options, model: JINA_RERANKER_MODEL }))
    ],
    last: LexicalReranker.make
  })

const jinaEmbedder = (options: JinaClient.JinaOptions, settings: Settings.SettingValues) =>
  EngineRest.embedder(JinaEmbedder.make({
    ...options,
    model: settings.JINA_EMBEDDING_MODEL,
    dimensions: settings.JINA_EMBEDDING_DIMENSIONS
  }))

const sandboxEngines = Layer.unwrap(Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const played = { baseUrl, apiKey: Redacted.make("jina-sandbox-1") }
  return Layer.mergeAll(
    jinaEngines(played, settings),
    // Its vectors bear a name of their own: they must not be compared with those of the web's.
    Layer.succeed(Embedders, [{
      ...jinaEmbedder(played, settings),
      model: `mock ${settings.JINA_EMBEDDING_MODEL}`
    }])
  )
})).pipe(Layer.provide(sandboxInside))

/** What has a key, or needs none and is named; the local engines answer for the rest. */
const webEngines = Layer.unwrap(Effect.map(Settings.Settings, (settings) => {
  const key = Settings.given(settings.JINA_API_KEY)
  const jina = Option.map(key, (apiKey) => ({ apiKey, baseUrl: settings.JINA_BASE_URL }))
  const openAi = Option.map(settings.OPENAI_EMBEDDING_MODEL, (model) =>
    OpenAiEmbedder.make({
      apiKey: Settings.given(settings.OPENAI_EMBEDDING_API_KEY),
      baseUrl: settings.OPENAI_EMBEDDING_BASE_URL,
      model,
      dimensions: settings.OPENAI_EMBEDDING_DIMENSIONS
    }))
  const embedders = [
    ...Option.toArray(openAi),
    ...Option.toArray(Option.map(jina, (options) => jinaEmbedder(options, settings)))
  ]
  return Layer.mergeAll(
    Option.match(jina, {
      onNone: () => Layer.empty,
      onSome: (options) => jinaEngines(options, settings)
    }),
    Layer.succeed(Embedders, embedders)
  )
}))

/** The sandbox's own sites and nothing else. */
const sandboxReaders = (
  settings: Settings.SettingValues,
  workersStart: Readers.ReadersOptions["workersStart"]
) =>
  Layer.unwrap(
    Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) =>
      Readers.layer({
        network: SandboxNetwork.make(baseUrl),
        outside: Readers.jinaPlayed(baseUrl, settings),
        workersStart
      }))
  ).pipe(Layer.provide(sandboxInside))

/** One of the sandbox's models; the settings' models are not asked about made-up pages. */
const sandboxModels = (model: string) =>
  Layer.unwrap(
    Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => Models.played(baseUrl, model))
  ).pipe(Layer.provide(sandboxInside))

/** As the providers: played by the sandbox, or those of the web; the local ones behind them. */
const enginesOf = (
  { mock, model, workersStart = "with the first page" }: ApplicationOptions
) =>
  Layer.mergeAll(
    localEngines,
    Layer.unwrap(
      Effect.map(Settings.Settings, (settings) => {
        const named = Option.fromUndefinedOr(model)
        if (!mock && !settings.WEB_SEARCH_MOCK) {
          return Layer.mergeAll(
            webEngines,
            Readers.layer({
              network: publicNetwork(),
              outside: Readers.jina(settings),
              workersStart
            }),
            Models.configured(settings, named)
          )
        }
        return Layer.mergeAll(
          sandboxEngines,
          sandboxReaders(settings, workersStart),
          Option.match(named, { onNone: () => Layer.empty, onSome: sandboxModels })
        )
      })
    )
  )

const credits = Layer.unwrap(
  Effect.map(Settings.Settings, (settings) => PostgresCredits.layer(Providers.ceilings(settings)))
)

/** What is the same in every deployment. */
const facts = Layer.merge(
  Layer.succeed(Digest, { sha256, canonical }),
  Layer.succeed(Sites, { siteOf: RegistrableDomain.of })
)

type Engines =
  | ClaimJudges
  | Embedders
  | NeedGates
  | PackWriters
  | PageReaders
  | QueryPlanners
  | Rerankers
  | Researchers

/** The use cases, over whatever log, providers, engines, instance and limits they are given. */
export const useCasesWith = <E, R>(engines: Layer.Layer<Engines, E, R>) =>
  Layer.mergeAll(CheckReadiness.layer, ResearchTopic.layer).pipe(
    Layer.provideMerge(PublicApi.layer),
    Layer.provideMerge(CheckServing.layer),
    Layer.provideMerge(Draining.layer),
    Layer.provideMerge(Layer.mergeAll(GroundQuestion.layer, ReplaySession.layer)),
    Layer.provide(AskHealth.layer),
    Layer.provideMerge(Storage.projections),
    Layer.provide(Layer.mergeAll(SearchWeb.layer, CoalesceSearch.layer, SessionTurns.layer)),
    Layer.provide(Layer.mergeAll(KeyRing.layer, MemoryBreakers.layer)),
    Layer.provide(Layer.mergeAll(Storage.ids, engines, facts))
  )

/** The evidence store's use cases, over whatever store, log, engines and limits they are given. */
export const evidenceWith = <E, R>(engines: Layer.Layer<Engines, E, R>) =>
  EvidenceApi.layer.pipe(
    Layer.provide(Embedding.layer),
    Layer.provide(Layer.mergeAll(Storage.ids, engines, facts))
  )

/** What groundings ask the evidence store, over whatever store, engines and limits. */
export const recallWith = <E, R>(engines: Layer.Layer<Engines, E, R>) =>
  RecallEvidence.layer.pipe(
    Layer.provide(Embedding.layer),
    Layer.provide(Layer.merge(engines, facts))
  )

/** With the local engines alone. */
export const useCases = useCasesWith(localEngines)

export interface ApplicationOptions {
  /** Search the bundled sandbox instead of the web. */
  readonly mock: boolean
  /** For every step that can use one. With `mock`, one of the sandbox's. */
  readonly model?: string | undefined
  /** Default: with the first page. */
  readonly workersStart?: Readers.ReadersOptions["workersStart"]
}

/** The log, whose appends wake this process's projections and whose streams are verified. */
const log = VerifiedLog.layer.pipe(
  Layer.provide(LogSignal.announcing),
  Layer.provide(Layer.mergeAll(PostgresEventStore.layer, LogSignal.layer, facts))
)

const keptVectors = Layer.effect(
  KeptVectors,
  Effect.map(EvidenceStore, ({ keepsVectors }) => keepsVectors)
)

/** Everything the faces ask for. */
export const application = (options: ApplicationOptions) => {
  const engines = enginesOf(options)
  return useCasesWith(engines).pipe(
    Layer.provideMerge(evidenceWith(engines)),
    Layer.provide(Layer.mergeAll(keptVectors, recallWith(engines))),
    Layer.provide(Layer.mergeAll(searchProviders(options.mock), log, Storage.instance)),
    Layer.provide(Layer.mergeAll(PostgresQueryCache.layer, PostgresReadModels.layer)),
    Layer.provide(PostgresEvidenceStore.layer),
    Layer.provide(Layer.mergeAll(credits, limits)),
    Layer.provide(Storage.migrated)
  )
}

const listening = (what: string) =>
  Layer.effectDiscard(
    HttpServer.addressFormattedWith((address) => Console.log(`${what} on ${address}`))
  )

/** What the commands are given; each builds only what it needs. */
export const wiring: Wiring = {
  application: (options) =>
    Layer.build(application(options).pipe(Layer.provide(Settings.layer))).pipe(
      Effect.map((built) => ({
        api: Context.get(built, PublicApi.PublicApi),
        topic: Context.get(built, ResearchTopic.ResearchTopic)
      }))
    ),
  evidence: (options) =>
    Layer.build(
      Layer.merge(
        application(options),
        DocumentFiles.layer.pipe(Layer.provide(PageExtraction.layer))
      ).pipe(Layer.provide(Settings.layer))
    ).pipe(
      Effect.map((built) => ({
        api: Context.get(built, EvidenceApi.EvidenceApi),
        reader: Context.get(built, DocumentReader)
      }))
    ),
  serve: ({ host, mock, port }) =>
    Layer.unwrap(
      Effect.map(Settings.Settings, (settings) =>
        Layer.merge(listening("Serving groundings"), Serving.exitInTime).pipe(
          Layer.provideMerge(GroundingRpcServer.layer({
            host: host ?? settings.WEB_GROUNDING_HOST,
            port: port ?? settings.WEB_GROUNDING_PORT,
            tenantId: settings.WEB_GROUNDING_TENANT,
            ...Serving.optionsOf(settings)
          })),
          Layer.merge(ProjectionRunner.following),
          // Documents that are sent in keep no page of a grounding waiting for a worker.
          Layer.provide(DocumentFiles.layer.pipe(Layer.provide(PageExtraction.apart))),
          Layer.provide(application({ mock, workersStart: "at once" })),
          Layer.provide(Serving.warmed)
        ))
    ).pipe(Layer.provide(Settings.layer)),
  sandbox: ({ bodies, port }) =>
    Layer.effectDiscard(
      Effect.flatMap(SandboxServer.SandboxServer, ({ baseUrl }) =>
        Console.log(`Sandbox on ${baseUrl}`))
    ).pipe(
      Layer.provide(sandbox({ port, ...(bodies === undefined ? {} : { bodiesDirectory: bodies }) }))
    ),
  readiness: (options) =>
    Effect.gen(function*() {
      const { WEB_GROUNDING_TENANT } = yield* Settings.Settings
      const { check } = yield* CheckReadiness.CheckReadiness
      return yield* check(WEB_GROUNDING_TENANT)
    }).pipe(Effect.provide(application(options)), Effect.provide(Settings.layer)),
  projections: Storage.tending,
  migrate: Migrations.run.pipe(
    Effect.provide(Storage.database.pipe(Layer.provide(Settings.layer)))
  ),
  tenantId: Effect.map(Settings.Settings, ({ WEB_GROUNDING_TENANT }) => WEB_GROUNDING_TENANT).pipe(
    Effect.provide(Settings.layer)
  )
}
