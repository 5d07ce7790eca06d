/** Wires the export of traces; loaded only with a collector. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ConfigProvider, Effect, Layer, Option, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as McpFace from "../adapters/mcp/McpFace.ts"
import { conventionsVersion } from "../adapters/telemetry/MetricTable.ts"
import * as SpanFilter from "../adapters/telemetry/SpanFilter.ts"
import * as HttpExchange from "../infrastructure/HttpExchange.ts"
import type * as Settings from "../infrastructure/Settings.ts"
import * as TelemetrySettings from "../infrastructure/settings/TelemetrySettings.ts"
import { routeOf } from "./Telemetry.ts"

const shutdownMsMax = 2_000

/** Probes and scrapes are not traced. */
const untraced: ReadonlySet<string> = new Set(["/health", "/readyz", "/metrics"])

const pathOf = (url: string): string => url.split("?")[0] ?? ""

/** In batches, which are lost while the collector is unreachable. */
export const layer = (endpoint: string, settings: Settings.SettingValues) => {
  const written = settings.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
    ? OtlpSerialization.layerJson
    : OtlpSerialization.layerProtobuf
  const sampling = SpanFilter.samplingOf(
    settings.OTEL_TRACES_SAMPLER,
    settings.OTEL_TRACES_SAMPLER_ARG
  )
  const tracer = Layer.effect(
    Tracer.Tracer,
    Effect.map(
      OtlpTracer.make({
        url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
        headers: TelemetrySettings.headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS),
        resource: {
          serviceName: settings.OTEL_SERVICE_NAME,
          serviceVersion: McpFace.version,
          attributes: {
            ...Object.fromEntries(
              TelemetrySettings.pairsOf(
                Option.getOrElse(settings.OTEL_RESOURCE_ATTRIBUTES, () => "")
              )
            ),
            "web_grounding.semconv.version": conventionsVersion
          }
        },
        exportInterval: settings.OTEL_BSP_SCHEDULE_DELAY,
        shutdownTimeout: shutdownMsMax
      }),
      (inner) => SpanFilter.sampledTracer(inner, sampling)
    )
  ).pipe(
    Layer.provide(OtlpExporter.layerFlusher),
    Layer.provide(SpanFilter.layer.pipe(Layer.provide(written))),
    Layer.provide(NodeHttpClient.layerUndiciNoDispatcher),
    Layer.provide(Layer.effect(NodeHttpClient.Dispatcher, HttpExchange.dispatcherTo(endpoint))),
    // All relevant variables are settings; an invalid one must not end the process.
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
  )
  return Layer.mergeAll(
    tracer,
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => untraced.has(pathOf(url))),
    Layer.succeed(
      HttpMiddleware.SpanNameGenerator,
      ({ method, url }) => `${method} ${routeOf(method, pathOf(url))}`.trimEnd()
    )
  )
}
