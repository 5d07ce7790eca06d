/**
 * Filters what leaves with a trace: names, times and a list of attributes. Addresses, headers,
 * messages of errors and stacks do not leave: a query, a text or a key may be in them.
 */
import { Effect, Layer } from "effect"
import { OtlpSerialization } from "effect/observability/OtlpSerialization"
import type { TraceData } from "effect/observability/OtlpTracer"

const allowed: ReadonlySet<string> = new Set([
  "effect.fiber.interrupted",
  "engine",
  "error.type",
  "exception.type",
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.request.model",
  "gen_ai.tool.name",
  "hits_count",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "mcp.method.name",
  "mcp.protocol.version",
  "mode",
  "operation",
  "provider",
  "request_id",
  "rpc.method",
  "rpc.system.name",
  "searches_count",
  "session_id",
  "shape",
  "status",
  "step",
  "tenant_id"
])

/** Longest text of an attribute, in UTF-16 code units. */
const textCharsMax = 200

type Span = TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

const kept = (attributes: Span["attributes"]): Span["attributes"] =>
  attributes.filter(({ key }) => allowed.has(key)).map(({ key, value }) => ({
    key,
    value: typeof value.stringValue === "string"
      ? { stringValue: value.stringValue.slice(0, textCharsMax) }
      : value
  }))

/** Trace data reduced to the attributes that may leave this process. */
export const filtered = (data: TraceData): TraceData => ({
  resourceSpans: data.resourceSpans.map(({ scopeSpans, ...of }) => ({
    ...of,
    scopeSpans: scopeSpans.map(({ spans, ...scope }) => ({
      ...scope,
      spans: spans.map((span) => ({
        ...span,
        attributes: kept(span.attributes),
        status: { code: span.status.code },
        events: span.events.filter(({ name }) => name === "exception")
          .map((event) => ({ ...event, attributes: kept(event.attributes) })),
        links: span.links.map((link) => ({ ...link, attributes: kept(link.attributes) }))
      }))
    }))
  }))
})

/** Serialization of traces that filters before it writes, around the given one. */
export const layer = Layer.effect(
  OtlpSerialization,
  Effect.map(OtlpSerialization, (inner) => ({
    ...inner,
    traces: (data: TraceData) => inner.traces(filtered(data))
  }))
)
