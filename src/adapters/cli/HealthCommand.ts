/** `health`: searches of the last hours, by status, provider and key. */
import { Console, Effect, Schedule } from "effect"
import type { HealthView, LagView } from "../../contract/HealthView.ts"
import * as Input from "../../contract/Input.ts"
import { grouped, percent, sentence } from "../../domain/health/AlertText.ts"
import type { ReadinessReport } from "../../domain/health/Readiness.ts"
import type { Alert, Figures, KeyFigures } from "../../domain/health/SearchHealth.ts"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent, indentParts, type Style } from "./terminal/Terminal.ts"
import { answering, ask, asking, command } from "./Wiring.ts"

const checkInput = Input.decode(Input.HealthInput)

const watchEvery = "5 seconds"

export const health = command("health", "Show search health", {
  hours: Flags.wholeOr("hours", 24, "Hours before now, 1 to 168"),
  json: Flags.json(),
  watch: Flags.bool("watch", "Refresh every 5 seconds until interrupted")
}, function*({ hours, json, watch }) {
  yield* checkInput({ hours })
  const style = yield* Terminal.style
  const print = Effect.fnUntraced(function*(view: HealthView) {
    if (watch && !json) yield* Console.clear
    yield* Console.log(
      json
        ? JSON.stringify(view, undefined, watch ? undefined : 2)
        : render(view, style)
    )
  })
  yield* asking(({ GetHealth }) => {
    const show = Effect.flatMap(GetHealth({ hours }), print)
    return watch ? Effect.repeat(show, Schedule.spaced(watchEvery)) : show
  })
})

const barCellsMax = 24
const percentWidth = 6
const labelWidth = 16

const statusLabels: Record<SearchStatus, string> = {
  success: "Success",
  no_results: "No results",
  timeout: "Timeout",
  network_error: "Network error",
  circuit_open: "Circuit open",
  rate_limited: "Rate limited",
  quota_exhausted: "Quota exhausted",
  invalid_key: "Invalid key",
  api_key_missing: "API key missing",
  bad_request: "Bad request",
  unknown_error: "Unknown error"
}

export const render = (view: HealthView, style: Style): string => {
  const { alerts, by_key, figures, hours, packs, read_models } = view
  return [
    style.strong(`Web Search Health (last ${hours === 1 ? "hour" : `${hours} h`})`),
    "",
    ...(figures.attempts === 0 ? ["  No searches."] : [
      ...statusLines(figures, style),
      "",
      ...averageLines(figures, style)
    ]),
    ...(by_key.length === 0
      ? []
      : ["", style.strong("Providers and keys"), ...keyLines(by_key, style)]),
    ...(packs.reused === 0
      ? []
      : [
        "",
        `  ${counted(packs.reused, "answer")} from other sessions, ${grouped(packs.made)} made`
      ]),
    "",
    style.strong("Alerts"),
    ...(alerts.length === 0
      ? [style.good("  None.")]
      : alerts.flatMap((alert) => alertLines(alert, style))),
    ...lagLines(read_models, style)
  ].join("\n")
}

/** Omits statuses that did not occur, except for the first two. */
const statusLines = (
  { web_search_share, web_search_total }: Figures,
  style: Style
): ReadonlyArray<string> => {
  const width = Math.max(...Object.values(web_search_total).map((count) => grouped(count).length))
  return Object.entries(statusLabels).flatMap(([status, label]) => {
    const count = web_search_total[status] ?? 0
    if (count === 0 && status !== "success" && status !== "no_results") return []
    const share = web_search_share[status] ?? 0
    const tint = status === "success" ? style.good : style.faint
    const figure = `  ${label.padEnd(labelWidth)} ${grouped(count).padStart(width)} ` +
      percent(share).padStart(percentWidth)
    const cells = Math.min(barCellsMax, style.columns - figure.length - 2)
    return [`${figure}  ${tint(bar(share, cells))}`.trimEnd()]
  })
}

const averageLines = (figures: Figures, { columns }: Style): ReadonlyArray<string> => {
  const { web_search_avg_results, web_search_latency_ms, web_search_timeout_rate } = figures
  const row = (label: string, value: string) => `  ${label.padEnd(labelWidth)} ${value}`
  const rows = [
    row("Attempts", grouped(figures.attempts)),
    ...(web_search_avg_results === undefined
      ? []
      : [row("Avg results", web_search_avg_results.toFixed(1))]),
    ...(web_search_timeout_rate === undefined
      ? []
      : [row("Timeout rate", percent(web_search_timeout_rate))])
  ]
  if (web_search_latency_ms === undefined) return rows
  const { avg, ...percentiles } = web_search_latency_ms
  const parts = (["p50", "p95", "p99", "max"] as const)
    .map((name) => `${name} ${seconds(percentiles[name])}`)
  const line = row("Percentiles", parts.join(" · ")).trimStart()
  return [
    ...rows,
    row("Avg latency", seconds(avg)),
    ...indent(line, columns, 2, labelWidth + 3)
  ]
}

const keyHeads = ["Provider", "Key", "Attempts", "Success", "Avg results", "p50", "p95"]

/** A table, or a few lines for each key if it is too wide. */
const keyLines = (keys: ReadonlyArray<KeyFigures>, { columns }: Style): ReadonlyArray<string> => {
  const rows = [
    keyHeads,
    ...keys.map((key) => [
      key.provider,
      key.key_slot === undefined ? "-" : String(key.key_slot),
      grouped(key.attempts),
      percent(key.web_search_success_rate ?? 0),
      key.web_search_avg_results?.toFixed(1) ?? "-",
      key.web_search_latency_ms === undefined ? "-" : seconds(key.web_search_latency_ms.p50),
      key.web_search_latency_ms === undefined ? "-" : seconds(key.web_search_latency_ms.p95)
    ])
  ]
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
  )
  const width = widths.reduce((sum, cells) => sum + cells + 2, 0)
  if (width > columns) {
    return rows.slice(1).flatMap((cells) =>
      indentParts(cells.map((cell, column) => `${keyHeads[column]} ${cell}`), columns, 2)
    )
  }
  return rows.map((cells) =>
    `  ${
      cells.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
      ).join("  ")
    }`
  )
}

const alertLines = (alert: Alert, style: Style): ReadonlyArray<string> => {
  const told = indent(`${alert.severity.padEnd(8)}  ${sentence(alert)}`, style.columns, 2, 12)
  if (alert.severity === "info") return told
  return told.map((line) =>
    alert.severity === "critical" ? style.strong(style.doubtful(line)) : style.doubtful(line)
  )
}

/** Omits read models that are up to date. */
const lagLines = (
  readModels: ReadonlyArray<LagView>,
  style: Style
): ReadonlyArray<string> => {
  const lagging = readModels.filter(({ events, parked, state }) =>
    events > 0 || parked > 0 || state === "halted"
  )
  return lagging.length === 0 ? [] : [
    "",
    ...lagging.flatMap(({ events, model, ms, parked, state, version }) =>
      indent(
        `${model}@${version} is ${state}, ${events} events (${seconds(ms)}) behind, ` +
          `${parked} set aside`,
        style.columns,
        2
      ).map(style.doubtful)
    )
  ]
}

/** Bar for a share, in eighths of a cell; a share above 0 is always visible. */
const bar = (share: number, cells: number): string => {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * cells * 8))
  const partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8] ?? ""
  return "█".repeat(Math.floor(eighths / 8)) + partial
}

const seconds = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

// `readiness`: whether web search works here, and what to do if not.

export const readiness = answering(
  "readiness",
  "Check web search with one real search; exit code 1 if it is unreliable",
  { sandbox: Flags.bool("sandbox", "Check the bundled sandbox instead of the web") },
  ({ sandbox }) => ask("CheckReadiness", {}, { mock: sandbox }),
  (report, style) => textOf(report, style),
  ({ score, verdict }) => verdict === "WEB_SEARCH_UNRELIABLE" ? `${score}/6 checks passed` : ""
)

const textOf = (
  { checks, next_steps, score, verdict }: ReadinessReport,
  { columns, doubtful, good, strong }: Terminal.Style
): string =>
  [
    ...checks.flatMap(({ finding, name, passed }) => {
      const [first = "", ...rest] = indent(`${name.padEnd(20)} ${finding}`, columns, 6)
      return [`${passed ? good("pass") : doubtful("FAIL")}${first.slice(4)}`, ...rest]
    }),
    "",
    strong(`${score}/6 → ${verdict}`),
    ...next_steps.flatMap((step) => indent(`Next: ${step}`, columns, 0, 6))
  ].join("\n")
