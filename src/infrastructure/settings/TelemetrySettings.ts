/** Settings of logs and traces; `OTEL_…` are OpenTelemetry's own names. */
import { Option, Redacted } from "effect"
import { logFormats } from "../log/LogEntry.ts"
import * as Setting from "./Setting.ts"

/** OpenTelemetry's samplers. `parentbased_`: the decision of an incoming trace is kept. */
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

const protocols = ["http/protobuf", "http/json"] as const

export const table = {
  LOG_FORMAT: Setting.choice(
    { of: logFormats, default: "logfmt" },
    "Format of log lines on standard error; `json` for machines"
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Setting.optionalHttpUrl(
    "Collector of the service's traces; `/v1/traces` is added. Absent: none are made"
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Setting.key(
    "Headers for the collector: `name=value`, with commas, percent-encoded"
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: Setting.choice(
    { of: protocols, default: "http/protobuf" },
    "Format of traces"
  ),
  OTEL_SERVICE_NAME: Setting.text("web-grounding", "Name of the service in traces"),
  OTEL_RESOURCE_ATTRIBUTES: Setting.optionalText(
    "Further attributes of this process in traces: `name=value`, with commas, percent-encoded"
  ),
  OTEL_TRACES_SAMPLER: Setting.choice(
    { of: samplers, default: "parentbased_always_on" },
    "Choice of the traces to send"
  ),
  OTEL_TRACES_SAMPLER_ARG: Setting.share(
    1,
    "Share of traces that the samplers by `traceidratio` send"
  ),
  OTEL_BSP_SCHEDULE_DELAY: Setting.milliseconds(
    { default: 5_000, maximum: 60_000 },
    "Interval of sending traces"
  ),
  OTEL_SDK_DISABLED: Setting.flag(false, "Makes no traces, whatever else is set")
}

/** Headers from `OTEL_EXPORTER_OTLP_HEADERS`, names in lower case. */
export const headersOf = (
  headers: Option.Option<Redacted.Redacted>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairsOf(Option.match(headers, { onNone: () => "", onSome: Redacted.value }))
      .map(([name, value]) => [name.toLowerCase(), value])
      .filter(([name = ""]) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name))
  )

export const pairsOf = (text: string): ReadonlyArray<readonly [string, string]> =>
  text.split(",").flatMap((pair) => {
    const place = pair.indexOf("=")
    return place <= 0
      ? []
      : [[pair.slice(0, place).trim(), decoded(pair.slice(place + 1).trim())] as const]
  })

/** Decodes percent escapes of printable ASCII; others stay. */
const decoded = (value: string): string =>
  value.replace(
    /%([2-7][0-9a-f])/gi,
    (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  )
