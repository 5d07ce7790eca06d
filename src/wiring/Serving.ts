/** Wires the server and its shutdown; loaded by the command that serves. */
import * as PageExtraction from "@web-grounding/pages/PageExtraction"
import { Console, Effect, Layer, Option, Schedule, Schema } from "effect"
import { HttpServer } from "effect/http"
import * as DashboardFace from "../adapters/dashboard/DashboardFace.ts"
import * as HttpFace from "../adapters/http/HttpFace.ts"
import * as McpFace from "../adapters/mcp/McpFace.ts"
import * as LocalPageReader from "../adapters/pages/LocalPageReader.ts"
import * as GroundingRpcServer from "../adapters/rpc/GroundingRpcServer.ts"
import * as TavilyFace from "../adapters/tavilyapi/TavilyFace.ts"
import * as Meters from "../adapters/telemetry/Meters.ts"
import * as Access from "../application/Access.ts"
import { AccessTokens } from "../application/AccessTokens.ts"
import { AskHealth } from "../application/AskHealth.ts"
import { MakeAnchors } from "../application/audit/MakeAnchors.ts"
import { WatchLog } from "../application/audit/WatchLog.ts"
import { CheckServing } from "../application/CheckServing.ts"
import { ApplyRetention } from "../application/erasure/ApplyRetention.ts"
import { EvidenceApi } from "../application/EvidenceApi.ts"
import { WatchCredits } from "../application/health/WatchCredits.ts"
import { Digest, Ids } from "../application/ports/Platform.ts"
import * as ProjectionRunner from "../application/projections/ProjectionRunner.ts"
import { WatchAlerts } from "../application/WatchAlerts.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import { isLoopback } from "../infrastructure/http/TrustworthyUrl.ts"
import * as DirectoryLock from "../infrastructure/postgres/DirectoryLock.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as CheckSettings from "./CheckSettings.ts"
import * as Storage from "./Storage.ts"
import type { Instruments } from "./Storage.ts"
import * as Telemetry from "./Telemetry.ts"

const optionsOf = (settings: Settings.SettingValues) => ({
  places: {
    ...GroundingRpcServer.placesDefault,
    grounding: settings.WEB_GROUNDING_GROUNDINGS_MAX,
    read: settings.WEB_GROUNDING_READS_MAX
  },
  connectionsMax: settings.WEB_GROUNDING_CONNECTIONS_MAX,
  allowed: {
    hosts: settings.WEB_GROUNDING_ALLOWED_HOSTS,
    origins: settings.WEB_GROUNDING_ALLOWED_ORIGINS
  },
  ending: {
    delayMs: settings.WEB_GROUNDING_SHUTDOWN_DELAY_MS,
    graceMs: settings.WEB_GROUNDING_SHUTDOWN_GRACE_MS
  }
})

/** Time from the termination signal to the forced exit. */
export const exitMsMax = 19_000

const exitInTime = Effect.addFinalizer(() =>
  Effect.sync(() => {
    setTimeout(() => process.exit(1), exitMsMax).unref()
  })
)

/** Logs the text when the scope closes because of a signal, which ended the process. */
const atSignal = Effect.fnUntraced(function*(text: string) {
  let received: NodeJS.Signals | undefined
  const signals = ["SIGTERM", "SIGINT"] as const
  const listener = (signal: NodeJS.Signals) => {
    received = signal
  }
  // Before the runtime's own listener, which may close the scope at once.
  for (const signal of signals) process.prependOnceListener(signal, listener)
  yield* Effect.addFinalizer(() => {
    for (const signal of signals) process.removeListener(signal, listener)
    return received === undefined
      ? Effect.void
      : Effect.annotateLogs(Effect.logInfo(text), { cause: received })
  })
})

const listening = (secret: string, configuration: Configuration) =>
  Layer.effectDiscard(
    HttpServer.addressFormattedWith((address) =>
      Console.log(`Serving groundings on ${address}`).pipe(
        Effect.andThen(
          Effect.annotateLogs(Effect.logInfo("service started"), { address, ...configuration })
        ),
        Effect.andThen(announced(address, { secret, searches: configuration.searches }))
      )
    )
  )

/** Settings of this process; for a secret only whether it is set. */
const configurationOf = Effect.fnUntraced(function*(isMock: boolean) {
  const { DATABASE_URL, PAYLOAD_KEY, WEB_SEARCH_MOCK } = yield* Settings.Settings
  if (Option.isSome(DATABASE_URL) && Option.isNone(PAYLOAD_KEY)) {
    yield* Effect.logWarning("PAYLOAD_KEY is not set: payloads are stored as plaintext")
  }
  return {
    version: McpFace.version,
    node: process.version,
    store: Option.isSome(DATABASE_URL) ? "postgresql" : "embedded",
    searches: isMock || WEB_SEARCH_MOCK ? "sandbox" as const : "web" as const,
    settings: yield* CheckSettings.given
  }
})

type Configuration = Effect.Success<ReturnType<typeof configurationOf>>

/** The embedded store is this process's alone: publishes its address for other commands. */
const announced = Effect.fnUntraced(function*(
  address: string,
  about: Omit<DirectoryLock.Announced, "url">
) {
  const { DATABASE_URL, WEB_GROUNDING_DATA_DIR } = yield* Settings.Settings
  if (Option.isSome(DATABASE_URL)) return
  yield* DirectoryLock.announce(WEB_GROUNDING_DATA_DIR, { url: reachable(address), ...about }).pipe(
    Effect.catch((failure) => Effect.logWarning("where to ask was not recorded", failure))
  )
})

/** Loopback address of a listener on all interfaces. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/** What the process does by itself, until the scope closes. */
const following = Layer.effectDiscard(Effect.gen(function*() {
  const works = {
    readiness: (yield* CheckServing).follow,
    credits: (yield* WatchCredits).follow,
    alerts: (yield* WatchAlerts).follow,
    anchors: (yield* MakeAnchors).follow,
    verification: (yield* WatchLog).follow,
    retention: (yield* ApplyRetention).follow,
    collecting: (yield* EvidenceApi).gathering
  }
  // All end at the same time.
  yield* Effect.forkScoped(
    Effect.forEach(Object.entries(works), ([work, run]) => kept(work, run), {
      concurrency: "unbounded"
    })
  )
}))

/** Begins again after a failure, in a minute and at last in an hour. No other work ends by it. */
export const kept = <A, E>(work: string, run: Effect.Effect<A, E>) =>
  Effect.sandbox(run).pipe(
    Effect.tapError((cause) =>
      Effect.annotateLogs(Effect.logError("background work failed", cause), { work })
    ),
    Effect.retry(Schedule.min([Schedule.exponential("1 minute"), Schedule.spaced("1 hour")]))
  )

/** Address to listen on, if it differs from the settings, and whether the sandbox is searched. */
interface ListenAddress {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly mock: boolean
}

/** The address is reachable from other machines, and no token protects it. */
class AddressOpen extends Schema.TaggedError<AddressOpen>()("AddressOpen", {
  host: Schema.String
}) {
  override get message(): string {
    return `Refusing to listen on ${this.host} without a token: make one with ` +
      "`tokens create --name NAME`, name issuers in OIDC_ISSUERS, or listen on 127.0.0.1"
  }
}

/** Refuses to listen beyond loopback without a live token or a configured issuer. */
const guarded = (host: string, { OIDC_ISSUERS }: Settings.SettingValues) =>
  Layer.effectDiscard(Effect.gen(function*() {
    if (isLoopback(host) || OIDC_ISSUERS.length > 0) return
    const { list } = yield* AccessTokens
    const { tokens } = yield* list
    if (!tokens.some(({ live }) => live)) return yield* new AddressOpen({ host })
  }))

/** Verification of tokens from configured issuers; none without issuers. */
const issuers = Layer.unwrap(Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const [first, ...others] = settings.OIDC_ISSUERS.map((issuer, place) => {
    const keysUrl = settings.OIDC_JWKS_URLS[place]
    return { issuer, ...asGiven({ keysUrl }) }
  })
  if (first === undefined) return Layer.empty
  const OidcTokenIssuers = yield* Effect.promise(
    () => import("../adapters/oidc/OidcTokenIssuers.ts")
  )
  return OidcTokenIssuers.layer({
    issuers: [first, ...others],
    audience: Option.getOrElse(settings.OIDC_AUDIENCE, () => ""),
    algorithms: settings.OIDC_ALGORITHMS,
    clockSkewSeconds: settings.OIDC_CLOCK_SKEW,
    tenantClaim: settings.OIDC_TENANT_CLAIM,
    scopesClaim: settings.OIDC_SCOPES_CLAIM,
    scopePrefix: Option.getOrElse(settings.OIDC_SCOPE_PREFIX, () => "")
  })
}))

/** None without a collector: the tracing code is not loaded then. */
const tracing = Layer.unwrap(Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED } = settings
  if (Option.isNone(OTEL_EXPORTER_OTLP_ENDPOINT) || OTEL_SDK_DISABLED) return Layer.empty
  const { layer } = yield* Effect.promise(() => import("./Tracing.ts"))
  return layer(OTEL_EXPORTER_OTLP_ENDPOINT.value, settings)
}))

/** Figures that each scrape reads. */
const sampled = (meters: Meters.Meters) =>
  Layer.effectDiscard(Effect.gen(function*() {
    Meters.verifications(meters, yield* WatchLog)
    Meters.projections(meters, yield* ProjectionRunner.ProjectionRunner)
    Meters.health(meters, yield* AskHealth)
  }))

/** Serves the application until the scope closes, and maintains the read models. */
export const layer = <Application, E, R>(
  place: ListenAddress,
  applicationWith: (instruments: Instruments) => Layer.Layer<Application, E, R>
) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      yield* atSignal("service stopped")
      const { secret } = yield* Ids
      const operatorSecret = yield* secret
      const host = place.host ?? settings.WEB_GROUNDING_HOST
      const meters = yield* Meters.make
      yield* Meters.ofProcess(meters, McpFace.version)
      const { access, beside, observed, tool } = Telemetry.served(meters)
      const application = applicationWith(Telemetry.instruments(meters))
      const configuration = yield* configurationOf(place.mock)
      const ending = Layer.effectDiscard(Effect.andThen(exitInTime, atSignal("service is ending")))
      return Layer.merge(listening(operatorSecret, configuration), ending).pipe(
        Layer.provideMerge(GroundingRpcServer.layer({
          host,
          port: place.port ?? settings.WEB_GROUNDING_PORT,
          beside: [
            DashboardFace.make({ isSandbox: place.mock || settings.WEB_SEARCH_MOCK }),
            HttpFace.httpFace,
            TavilyFace.tavilyFace,
            McpFace.http({ origins: settings.WEB_GROUNDING_ALLOWED_ORIGINS, observed: tool }),
            beside
          ],
          observed,
          ...optionsOf(settings)
        })),
        Layer.provide(
          Access.layer({
            tenantId: settings.WEB_GROUNDING_TENANT,
            isRequired: settings.WEB_GROUNDING_TOKENS_REQUIRED || !isLoopback(host),
            operatorSecret
          }).pipe(
            access,
            Layer.provide(Layer.merge(
              Layer.succeed(Digest, { sha256, canonical }),
              issuers
            ))
          )
        ),
        Layer.provide(guarded(host, settings)),
        Layer.merge(
          Layer.mergeAll(ProjectionRunner.layerFollowing, following, sampled(meters))
        ),
        // Separate workers: uploaded documents do not delay a grounding's pages.
        Layer.provide(LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layerProcesses))),
        Layer.provide(application)
      )
    })
  ).pipe(Layer.provide(Storage.ids), Layer.provide(tracing))
