/**
 * Exports only names, times and allowed attributes of traces. URLs, headers and error messages may
 * contain a query, a text or a key.
 */
import { Effect, Layer, Option, Tracer } from "effect"
import { OtlpSerialization } from "effect/observability/OtlpSerialization"
import type { TraceData } from "effect/observability/OtlpTracer"
import { asGiven } from "../../domain/request/GivenFields.ts"

const allowed: ReadonlySet<string> = new Set(
  `
  effect.fiber.interrupted engine error.type exception.type gen_ai.operation.name
  gen_ai.provider.name gen_ai.request.model gen_ai.tool.name hits_count http.request.method
  http.response.status_code http.route mcp.method.name mcp.protocol.version mode operation
  provider request_id rpc.method rpc.system.name searches_count session_id shape status step
  tenant_id
`.trim().split(/\s+/)
)

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

/** Wraps the serialization of traces, and filters first. */
export const layer = Layer.effect(
  OtlpSerialization,
  Effect.map(OtlpSerialization, (inner) => ({
    ...inner,
    traces: (data: TraceData) => inner.traces(filtered(data))
  }))
)

// Background loops start no trace: they would be most of a collector's data.

interface Sampling {
  /** Whether an incoming trace's own decision is kept. */
  readonly followsParent: boolean
  /** Share of the traces that start here, or of all, 0 to 1. */
  readonly share: number
}

/** Sampling rule of a sampler's name. `share` is `OTEL_TRACES_SAMPLER_ARG`, 0 to 1. */
export const samplingOf = (sampler: string, share: number): Sampling => ({
  followsParent: sampler.startsWith("parentbased_"),
  share: sampler.endsWith("always_on") ? 1 : sampler.endsWith("always_off") ? 0 : share
})

const radix = 16
const idDigits = 14

/** By the last digits of the trace's id: all services decide alike. */
const isDrawn = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(-idDigits), radix) < share * radix ** idDigits

/** Wraps a tracer, and drops unsampled spans. */
export const sampledTracer = (
  inner: Tracer.Tracer,
  { followsParent, share }: Sampling
): Tracer.Tracer => {
  const isSampled = (options: Parameters<Tracer.Tracer["span"]>[0], traceId: string): boolean => {
    const parent = Option.getOrUndefined(options.parent)
    if (parent?._tag === "Span") return options.sampled
    if (parent === undefined && options.kind !== "server") return false
    if (parent !== undefined && followsParent) return parent.sampled
    return isDrawn(traceId, share)
  }
  return Tracer.make({
    span: (options) => {
      const drawn = inner.span(options)
      const sampled = isSampled(options, drawn.traceId)
      if (sampled === options.sampled) return drawn
      // An unsampled span has the same ids but no backend.
      return inner.span({ ...options, sampled })
    },
    ...asGiven({ context: inner.context })
  })
}
