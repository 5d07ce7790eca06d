/** The composition root, and the only file that knows every part. Read top down: inside out. */
import * as PageExtraction from "@web-grounding/pages/PageExtraction"
import { publicNetwork } from "@web-grounding/safe-fetch/Network"
import { Context, Effect, Layer, Option } from "effect"
import * as OutsideAnchors from "../adapters/anchors/OutsideAnchors.ts"
import type { Parts } from "../adapters/cli/Wiring.ts"
import * as JinaEmbedder from "../adapters/jina/JinaEmbedder.ts"
import * as LocalPageReader from "../adapters/pages/LocalPageReader.ts"
import * as PostgresCredits from "../adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../adapters/postgres/PostgresEventStore.ts"
import * as PostgresEvidenceStore from "../adapters/postgres/PostgresEvidenceStore.ts"
import * as PostgresQueryCache from "../adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../adapters/postgres/PostgresServiceState.ts"
import * as TavilySearch from "../adapters/search/TavilySearch.ts"
import * as AccessTokens from "../application/AccessTokens.ts"
import * as AskHealth from "../application/AskHealth.ts"
import * as ImportSessions from "../application/audit/ImportSessions.ts"
import * as AuditApi from "../application/AuditApi.ts"
import * as CheckReadiness from "../application/CheckReadiness.ts"
import * as CheckServing from "../application/CheckServing.ts"
import * as CollectPages from "../application/evidence/CollectPages.ts"
import * as Embedding from "../application/evidence/Embedding.ts"
import * as ReportedPages from "../application/evidence/ReportedPages.ts"
import * as SearchEvidence from "../application/evidence/SearchEvidence.ts"
import * as EvidenceApi from "../application/EvidenceApi.ts"
import * as WatchCredits from "../application/health/WatchCredits.ts"
import * as VerifiedLog from "../application/log/VerifiedLog.ts"
import * as Calls from "../application/operations/Calls.ts"
import * as ServiceCalls from "../application/operations/ServiceCalls.ts"
import { DocumentReader } from "../application/ports/Embedder.ts"
import type { EventStore } from "../application/ports/EventStore.ts"
import { EvidenceStore, KeptVectors } from "../application/ports/EvidenceStore.ts"
import { Limits } from "../application/ports/Limits.ts"
import { Digest, Sites } from "../application/ports/Platform.ts"
import * as PublicApi from "../application/PublicApi.ts"
import * as QueryReadModels from "../application/QueryReadModels.ts"
import * as ReplaySession from "../application/replay/ReplaySession.ts"
import * as ResearchTopic from "../application/ResearchTopic.ts"
import * as CoalesceSearch from "../application/sharing/CoalesceSearch.ts"
import * as SessionTurns from "../application/sharing/SessionTurns.ts"
import * as SharePacks from "../application/sharing/SharePacks.ts"
import * as KeyRing from "../application/steps/KeyRing.ts"
import * as SearchWeb from "../application/steps/SearchWeb.ts"
import * as WatchAlerts from "../application/WatchAlerts.ts"
import { allScopes } from "../domain/access/AccessToken.ts"
import * as SitePolicy from "../domain/search/SitePolicy.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import type { PayloadKeys } from "../infrastructure/encryption/PayloadKeys.ts"
import * as Migrations from "../infrastructure/postgres/Migrations.ts"
import type { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as RegistrableDomain from "../infrastructure/RegistrableDomain.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Anchoring from "./Anchoring.ts"
import { orAttached } from "./Attached.ts"
import * as Engines from "./Engines.ts"
import * as Erasing from "./Erasing.ts"
import * as Jina from "./Jina.ts"
import * as Providers from "./Providers.ts"
import * as Readers from "./Readers.ts"
import * as Storage from "./Storage.ts"

const played = Effect.promise(() => import("./Played.ts"))

/** The bundled sandbox, by flag or by `WEB_SEARCH_MOCK`; else the web. */
const searchProviders = (mock: boolean) =>
  Settings.layerBy(({ WEB_SEARCH_MOCK }) =>
    mock || WEB_SEARCH_MOCK
      ? Layer.unwrap(Effect.map(played, ({ providers }) => providers))
      : Providers.web
  )

/** None without a configured model: the code for models is not loaded then. */
const modelEngines = Effect.fnUntraced(
  function*(settings: Settings.SettingValues, model: Option.Option<string>) {
    if (Option.isNone(model) && Engines.modelsNamed(settings).length === 0) return {}
    const { configuredModels } = yield* Effect.promise(() => import("./Models.ts"))
    return yield* configuredModels(settings, model)
  }
)

/** Web engines with a key, or configured ones that need none. */
const webEngines = (
  settings: Settings.SettingValues,
  { model, workersStart }: Required<Pick<ApplicationOptions, "model" | "workersStart">>
) =>
  Layer.unwrap(Effect.gen(function*() {
    const jina = Option.toArray(settings.JINA_API_KEY)
      .map((apiKey) => ({ apiKey, baseUrl: settings.JINA_BASE_URL }))
    const openAi = Option.map(settings.OPENAI_EMBEDDING_MODEL, (model) =>
      JinaEmbedder.make({
        engine: "openai",
        apiKey: Option.getOrUndefined(settings.OPENAI_EMBEDDING_API_KEY),
        baseUrl: settings.OPENAI_EMBEDDING_BASE_URL,
        model,
        dimensions: settings.OPENAI_EMBEDDING_DIMENSIONS
      }))
    const readers = yield* Readers.preferred({
      network: publicNetwork(),
      outside: yield* Effect.forEach(jina, (options) =>
        Jina.reader({ ...options, baseUrl: settings.JINA_READER_BASE_URL }, settings)),
      workersStart
    })
    return Engines.layer({
      ...yield* modelEngines(settings, Option.fromUndefinedOr(model)),
      reader: readers,
      ranker: [
        ...Jina.ownRerankers(settings),
        ...jina.map((options) =>
          Jina.reranker(options, settings)
        )
      ],
      embedders: [
        ...Option.toArray(openAi),
        ...jina.map((options) => Jina.embedder(options, settings))
      ]
    })
  })).pipe(Layer.provide(Layer.merge(PageExtraction.layer, TavilySearch.layer)))

/** Engines of the providers' world: the sandbox's, or the web's. */
const enginesOf = (
  { mock, model, workersStart = "with the first page" }: ApplicationOptions
) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      const isPlayed = mock || settings.WEB_SEARCH_MOCK
      const left = isPlayed && model === undefined ? Engines.modelsNamed(settings) : []
      // A real model is not called with made-up pages; the operator must learn of it.
      if (left.length > 0) {
        yield* Effect.logWarning(
          `${left.join(", ")} not asked in the sandbox; --model names one of its own, e.g. good`
        )
      }
      return isPlayed
        ? (yield* played).engines(Option.fromUndefinedOr(model), workersStart)
        : webEngines(settings, { model, workersStart })
    })
  )

const credits = Settings.layerBy((settings) => PostgresCredits.layer(Providers.ceilings(settings)))

/** Not for the sandbox, whose keys belong to no account. */
const creditsWatched = (mock: boolean) =>
  Settings.layerBy((settings) =>
    WatchCredits.layer(settings.TAVILY_USAGE_MINUTES * 60_000).pipe(
      Layer.provide(Layer.mergeAll(
        Providers.reporters(mock || settings.WEB_SEARCH_MOCK ? "none" : settings),
        PostgresCredits.spentLayer
      ))
    )
  )

const facts = Layer.merge(
  Layer.succeed(Digest, { sha256, canonical }),
  Layer.succeed(Sites, { siteOf: RegistrableDomain.registrableDomain })
)

/** The use cases, over any log, providers, engines, instance and limits. */
export const useCasesWith = <E, R>(
  engines: Layer.Layer<Engines.Engines, E, R>,
  { breakers, grounding } = Storage.none
) =>
  Layer.mergeAll(
    CheckReadiness.layer,
    ResearchTopic.layer,
    AccessTokens.layer,
    layerAuditing,
    QueryReadModels.layer,
    WatchAlerts.layer
  ).pipe(
    Layer.provideMerge(PublicApi.layer),
    Layer.provideMerge(CheckServing.layer),
    Layer.provideMerge(CheckServing.layerDraining),
    Layer.provideMerge(Layer.mergeAll(grounding, ReplaySession.layer)),
    Layer.provideMerge(AskHealth.layer),
    Layer.provideMerge(Layer.merge(Storage.projections, Storage.rebuilding)),
    Layer.provide(Layer.merge(SharePacks.layer, CollectPages.layerLeaving)),
    Layer.provide(Layer.mergeAll(
      SearchWeb.layer,
      CoalesceSearch.layer,
      ReportedPages.layer,
      SessionTurns.layer
    )),
    Layer.provide(KeyRing.layer),
    Layer.provide(Layer.mergeAll(Storage.ids, engines, facts, breakers))
  )

/** The evidence store's use cases, over any store, log, engines and limits. */
export const evidenceWith = <E, R>(
  engines: Layer.Layer<Engines.Engines, E, R>,
  { breakers } = Storage.none
) =>
  EvidenceApi.layer.pipe(
    Layer.provide(Layer.merge(Embedding.layer, ReportedPages.layer)),
    Layer.provide(Layer.mergeAll(Storage.ids, engines, facts, breakers))
  )

/** Recall from the evidence store for groundings, over any store, engines and limits. */
export const recallWith = <E, R>(
  engines: Layer.Layer<Engines.Engines, E, R>,
  { breakers } = Storage.none
) =>
  SearchEvidence.layer.pipe(
    Layer.provide(Embedding.layer),
    Layer.provide(Layer.mergeAll(engines, facts, breakers))
  )

// Wires the auditors' operations on recorded sessions.

/** Suppositions use the local engines alone, and no provider. */
const layerAuditing = AuditApi.layer.pipe(
  Layer.provide(Engines.local)
)

export const useCases = useCasesWith(Engines.local)

interface ApplicationOptions {
  readonly mock: boolean
  /** Model for every step that can use one. With `mock`, one of the sandbox's. */
  readonly model?: string | undefined
  /** Default: with the first page. */
  readonly workersStart?: Readers.ReadersOptions["workersStart"]
  /** Default: nothing is observed. */
  readonly instruments?: Storage.Instruments
}

/** The log, whose appends wake this process's projections and whose streams are verified. */
const log = VerifiedLog.layer.pipe(
  Layer.provide(VerifiedLog.layerAnnouncing),
  Layer.provide(Layer.mergeAll(PostgresEventStore.layer, VerifiedLog.layerLogSignal, facts))
)

const keptVectors = Layer.effect(
  KeptVectors,
  Effect.map(EvidenceStore, ({ keepsVectors }) => keepsVectors)
)

export const application = (options: ApplicationOptions) => {
  const { instruments = Storage.none } = options
  const engines = instruments.engines(enginesOf(options))
  return useCasesWith(engines, instruments).pipe(
    Layer.provideMerge(
      Layer.merge(evidenceWith(engines, instruments), creditsWatched(options.mock))
    ),
    Layer.provideMerge(Anchoring.layer),
    Layer.provide(
      Layer.mergeAll(keptVectors, Storage.keptPayloads, recallWith(engines, instruments))
    ),
    Layer.provide(
      Layer.mergeAll(searchProviders(options.mock), instruments.log(log), Storage.instance)
    ),
    Layer.provide(
      Layer.mergeAll(PostgresQueryCache.layer, PostgresServiceState.layer, Storage.readModels)
    ),
    Layer.provide(
      Layer.mergeAll(PostgresEvidenceStore.layer, Storage.pagesToCollect, Storage.packCache)
    ),
    Layer.provide(Layer.mergeAll(instruments.credits(credits), layer)),
    Layer.provide(Storage.ceilingUses(Providers.ceilings)),
    Layer.provideMerge(Storage.tenantLimits),
    Layer.provideMerge(Erasing.layer),
    Layer.provide(instruments.database(Storage.migrated))
  )
}

/** Warns before the first search, once for a process that serves or a command that grounds. */
const warned = Effect.fnUntraced(
  function*({ mock }: Pick<ApplicationOptions, "mock">) {
    const settings = yield* Settings.Settings
    const warning = mock || settings.WEB_SEARCH_MOCK
      ? Option.none()
      : Providers.warningOf(settings)
    if (Option.isSome(warning)) yield* Effect.logWarning(warning.value)
  },
  Effect.provide(Settings.layer)
)

/** Operations over one opening of the data directory, or over the service that holds it. */
const opened: Parts["calls"] = ({ actor = "cli", ...options }) =>
  orAttached(
    Layer.build(
      ServiceCalls.layerUseCases.pipe(
        Layer.provideMerge(application(options)),
        Layer.provide(Settings.layer)
      )
    ).pipe(
      Effect.flatMap((built) =>
        Effect.map(tenantId, (tenantId) => ({
          calls: Calls.askedBy(Context.get(built, ServiceCalls.UseCases), {
            tenantId,
            actor,
            scopes: allScopes
          }),
          warned: warned(options)
        }))
      )
    ),
    (calls, { searches }) => ({
      calls,
      warned: searches === "sandbox" && !options.mock
        ? Effect.logWarning("the running service searches the sandbox, a made-up web")
        : Effect.void
    }),
    ({ searches }) => options.model === undefined && (!options.mock || searches === "sandbox")
  )

const tenantId = Settings.Settings.pipe(
  Effect.map(({ WEB_GROUNDING_TENANT }) => WEB_GROUNDING_TENANT),
  Effect.provide(Settings.layer)
)

// Limits of a grounding, by the settings.

export const layer = Layer.effect(
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
    evidenceCharsMax: settings.MAX_EVIDENCE_CHARS,
    evidenceAddresses: settings.EVIDENCE_ADDRESSES,
    sites: SitePolicy.policyOf(
      settings.SITES_ALLOWED,
      settings.SITES_DENIED,
      settings.SITES_KNOWN
    ),
    sitesByTenant: new Map(
      [...settings.SITES_TENANTS].map(([tenant, words]) => [tenant, SitePolicy.ofWords(words)])
    ),
    readModelLagMsMax: settings.WEB_GROUNDING_READ_MODEL_LAG_MS_MAX
  }))
)

/** Over this process's own opening of the log. Nothing is signed. */
const importSessions = <E>(log: Layer.Layer<EventStore, E, PayloadKeys | Postgres>) =>
  Effect.map(
    Layer.build(
      ImportSessions.layer.pipe(
        Layer.provide(Layer.mergeAll(
          log,
          OutsideAnchors.layerSigningKey(Option.none()),
          Layer.succeed(Digest, { sha256, canonical })
        )),
        Layer.provide(Storage.migrated),
        Layer.provide(Settings.layer)
      )
    ),
    (built) => Context.get(built, ImportSessions.ImportSessions).take
  )

/** Parts for the commands; each command builds only what it needs. */
export const parts: Parts = {
  calls: opened,
  reader: Effect.map(
    Layer.build(LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layer))),
    (built) => Context.get(built, DocumentReader)
  ),
  serve: ({ host, mock, model, port }) =>
    Layer.unwrap(Effect.map(
      Effect.andThen(warned({ mock }), Effect.promise(() => import("./Serving.ts"))),
      (Serving) =>
        Serving.layer({ host, mock, port }, (instruments) =>
          application({ mock, model, instruments, workersStart: "at once" }))
    )).pipe(Layer.provide(Settings.layer)),
  sandbox: (port) => Layer.unwrap(Effect.map(played, ({ announced }) => announced(port))),
  importing: importSessions(log),
  anchors: Anchoring.anchorCommands(log),
  retained: Erasing.applyRetention,
  rewrapped: Erasing.rewrapped,
  migrate: Migrations.run.pipe(
    Effect.provide(Storage.database.pipe(Layer.provide(Settings.layer)))
  ),
  tenantId
}
