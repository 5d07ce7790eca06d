/** Charts of the last hours, each with its figures as a table. */
import type { Activity } from "../../../contract/Records.ts"
import {
  card,
  dot,
  duration,
  empty,
  type Html,
  html,
  number,
  numberCell,
  scrolled,
  table,
  type Tone,
  words
} from "./Shell.ts"

interface Series {
  readonly name: string
  readonly tone: Tone
  readonly values: ReadonlyArray<number | undefined>
}

interface Chart {
  readonly id: string
  readonly title: string
  /** `bars`: stacked counts. `lines`: milliseconds. */
  readonly kind: "bars" | "lines"
  readonly series: ReadonlyArray<Series>
}

const stateTones = [
  ["answered", "ok"],
  ["degraded", "warn"],
  ["failed", "bad"],
  ["unanswered", "accent"],
  ["listed", "ok"],
  ["not_searched", "idle"]
] as const

const answers = ["success", "no_results"]
const refusals = ["rate_limited", "quota_exhausted", "circuit_open"]

const chartsOf = ({ steps }: Activity): ReadonlyArray<Chart> => [
  {
    id: "requests",
    title: "Requests by outcome",
    kind: "bars",
    series: stateTones.map(([state, tone]) => ({
      name: words(state),
      tone,
      values: steps.map(({ figures }) => figures.by_state[state] ?? 0)
    }))
  },
  {
    id: "latency",
    title: "Search time",
    kind: "lines",
    series: [
      {
        name: "p95",
        tone: "accent",
        values: steps.map(({ search_latency_ms }) => search_latency_ms?.p95)
      },
      {
        name: "p50",
        tone: "idle",
        values: steps.map(({ search_latency_ms }) => search_latency_ms?.p50)
      }
    ]
  },
  {
    id: "attempts",
    title: "Searches at providers",
    kind: "bars",
    series: [
      {
        name: "answered",
        tone: "ok",
        values: steps.map(({ attempts }) => sumOf(attempts, answers))
      },
      {
        name: "held back",
        tone: "warn",
        values: steps.map(({ attempts }) => sumOf(attempts, refusals))
      },
      {
        name: "failed",
        tone: "bad",
        values: steps.map(({ attempts }) =>
          sumOf(attempts, Object.keys(attempts)) - sumOf(attempts, [...answers, ...refusals])
        )
      }
    ]
  },
  {
    id: "used",
    title: "Searches sent and avoided",
    kind: "bars",
    series: [
      { name: "sent", tone: "accent", values: steps.map(({ figures }) => figures.searches) },
      { name: "query cache", tone: "ok", values: steps.map(({ figures }) => figures.cache_hits) },
      {
        name: "packs reused",
        tone: "idle",
        values: steps.map(({ figures }) => figures.packs_reused)
      }
    ]
  }
]

const sumOf = (counts: Readonly<Record<string, number>>, keys: ReadonlyArray<string>): number =>
  keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0)

export const charts = (activity: Activity): Html => {
  const [requests, latency, attempts, used] = chartsOf(activity).map((chart) =>
    drawn(chart, activity)
  )
  return [
    html`<div class="grid stretch" data-part="charts">${requests}${latency}</div>`,
    html`<div class="grid same stretch" data-part="charts-2">${attempts}${used}</div>`
  ]
}

const drawn = (chart: Chart, { step_minutes, steps }: Activity): Html => {
  const isQuiet = chart.series.every(({ values }) => values.every((value) => (value ?? 0) === 0))
  const data = {
    kind: chart.kind,
    times: steps.map(({ at }) => at),
    step_minutes,
    series: chart.series
  }
  return card(
    chart.title,
    isQuiet ?
      empty("Nothing in this span.") :
      html`<div class="chart" id=${`chart-${chart.id}`} role="img"
        aria-label=${`${chart.title}: ${saidOf(chart)}`}
        data-chart=${JSON.stringify(data)}></div>
      <details><summary>As a table</summary>${
        scrolled(
          `${chart.title} as a table`,
          table(
            [["From"], ...chart.series.map(({ name }) => [name, "num"] as const)],
            steps.flatMap(({ at }, index) =>
              chart.series.every(({ values }) => (values[index] ?? 0) === 0) ? [] : [
                html`<tr><th scope="row">${at.slice(0, 16).replace("T", " ")}</th>${
                  chart.series.map(({ values }) => numberCell(shown(values[index], chart.kind)))
                }</tr>`
              ]
            )
          )
        )
      }</details>`,
    html`<span class="legend">${
      chart.series.map(({ name, tone }) =>
        html`<span><span class=${tone}>${dot(tone)}</span>${name}</span>`
      )
    }</span>`
  )
}

const saidOf = ({ kind, series }: Chart): string =>
  series.map(({ name, values }) => {
    const known = values.filter((value) => value !== undefined)
    return kind === "bars"
      ? `${number(known.reduce((sum, value) => sum + value, 0))} ${name}`
      : `${name} at most ${duration(Math.max(0, ...known))}`
  }).join(", ")

const shown = (value: number | undefined, kind: Chart["kind"]): string => {
  if (value === undefined) return "–"
  return kind === "bars" ? number(value) : duration(value)
}
