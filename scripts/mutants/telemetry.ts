/** Faults of what an operator is told: metrics, traces and lines of the log. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const metrics = ["test/adapters/Metrics.test.ts"] as const
const traces = ["test/adapters/Traces.test.ts"] as const
const served = ["test/e2e/telemetry.test.ts"] as const
const lines = ["test/infrastructure/LogLines.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/adapters/telemetry/Meters.ts", metrics, [
    {
      id: "telemetry-series-unbounded",
      text: "known.size >= seriesMax",
      replacement: "known.size < 0",
      means: "a caller makes metrics grow until the process has no memory left"
    }
  ]),
  ...faultsIn("src/wiring/Telemetry.ts", metrics, [
    {
      id: "telemetry-path-as-route",
      text: "Routes.routeOf(matched.name).path : \"\"",
      replacement: "path : path",
      means: "ids of sessions become labels of metrics"
    }
  ]),
  ...faultsIn("src/adapters/telemetry/MetricsFace.ts", served, [
    {
      id: "telemetry-request-uncounted",
      text: "http_request_method,\n            http_route,",
      replacement: "http_request_method,\n            http_route: url,",
      means: "addresses become labels of metrics"
    },
    {
      id: "telemetry-any-token",
      text: "identity?.scopes.has(\"metrics\") !== true",
      replacement: "identity?.scopes.has(\"metrics\") === undefined",
      means: "whoever has a token reads how much all tenants ask and spend"
    }
  ]),
  ...faultsIn("src/adapters/telemetry/SpanFilter.ts", traces, [
    {
      id: "telemetry-any-attribute",
      text: "attributes.filter(({ key }) => allowed.has(key))",
      replacement: "attributes.filter(({ key }) => key !== \"\")",
      means: "addresses, headers and stacks go to the collector"
    },
    {
      id: "telemetry-error-message",
      text: "status: { code: span.status.code },",
      replacement: "status: span.status,",
      means: "messages of errors go to the collector"
    }
  ]),
  ...faultsIn("src/wiring/Tracing.ts", served, [
    {
      id: "telemetry-unfiltered",
      text: "Layer.provide(SpanFilter.layer.pipe(Layer.provide(written)))",
      replacement: "Layer.provide(written)",
      means: "spans leave as they are made"
    }
  ]),
  ...faultsIn("src/adapters/telemetry/SampledTracer.ts", traces, [
    {
      id: "telemetry-caller-unheard",
      text: "parent !== undefined && followsParent",
      replacement: "parent !== undefined && !followsParent",
      means: "what a caller has decided about its trace is not followed"
    },
    {
      id: "telemetry-loops-traced",
      text: "parent === undefined && options.kind !== \"server\"",
      replacement: "parent === undefined && options.kind === \"client\"",
      means: "the collector keeps the loops of every process"
    }
  ]),
  ...faultsIn("src/adapters/mcp/ToolTrace.ts", served, [
    {
      id: "telemetry-tool-alone",
      text: "onSome: (parent) => ({ parent })",
      replacement: "onSome: () => ({})",
      means: "the trace of an agent ends at the call of a tool"
    }
  ]),
  ...faultsIn("src/adapters/telemetry/ObservedGrounding.ts", served, [
    {
      id: "telemetry-lines-without-ids",
      text: "Effect.annotateLogs({ ...ids, ...yield* traceId })",
      replacement: "Effect.annotateLogs({ ...yield* traceId })",
      means: "lines of the log cannot be joined to a request"
    }
  ]),
  ...faultsIn("src/infrastructure/log/LogEntry.ts", lines, [
    {
      id: "telemetry-stack-in-line",
      text: "const [line = \"\"] = text.split(\"\\n\")",
      replacement: "const line = text",
      means: "an error's message brings its stack into the log"
    }
  ]),
  ...faultsIn("src/infrastructure/log/LogRepeats.ts", lines, [
    {
      id: "telemetry-flood",
      text: "window.last = entry\n        return",
      replacement: "window.last = entry",
      means: "a database that is away floods the log"
    }
  ]),
  ...faultsIn("src/infrastructure/Settings.ts", ["test/infrastructure/Settings.test.ts"], [
    {
      id: "telemetry-password-shown",
      text: ".flatMap((url) => passwordIn(Redacted.value(url)))",
      replacement: ".flatMap(() => [])",
      means: "the database's password alone is not kept out of sight"
    }
  ])
]
