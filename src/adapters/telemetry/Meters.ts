/**
 * Meters of this process for the metrics of `MetricTable.ts`, and their text for Prometheus. Each
 * `make` counts by itself. A metric that gets too many combinations of label values puts the rest
 * under `_OTHER`, so that no caller can make it grow without a bound.
 */
import { Context, Effect, Metric } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import {
  type LabelsOf,
  type MetricName,
  type MetricRow,
  metrics,
  type NamedOf,
  rows
} from "./MetricTable.ts"
import { otherValue } from "./SemanticConventions.ts"

/** Combinations of label values of one metric. */
export const seriesMax = 400

/** Samplers at the same time. */
const samplersMax = 4

/** Characters of a label's value. */
const valueCharsMax = 100

export interface Meters {
  readonly add: <Name extends NamedOf<"counter">>(
    name: Name,
    labels: LabelsOf<Name>,
    /** Default 1; not negative. */
    by?: number
  ) => void
  /** `value`: in the metric's unit. */
  readonly observe: <Name extends NamedOf<"histogram">>(
    name: Name,
    labels: LabelsOf<Name>,
    value: number
  ) => void
  /** Sets one combination of labels; the others stay. */
  readonly set: <Name extends NamedOf<"gauge">>(
    name: Name,
    labels: LabelsOf<Name>,
    value: number
  ) => void
  /** Sets these combinations and forgets the others: none makes the gauge absent. */
  readonly replace: <Name extends NamedOf<"gauge">>(
    name: Name,
    values: ReadonlyArray<readonly [LabelsOf<Name>, number]>
  ) => void
  /** Has this done before each text, to set gauges that nobody tells by himself. */
  readonly sample: (sampler: Effect.Effect<void>) => void
  /** Metrics in Prometheus' text format, version 0.0.4. */
  readonly text: Effect.Effect<string>
}

type Updated = Metric.Metric<number, unknown>

const made = (name: string, { buckets = [], kind, meaning: description }: MetricRow): Updated => {
  switch (kind) {
    case "counter":
      return Metric.counter(name, { description, incremental: true })
    case "gauge":
      return Metric.gauge(name, { description })
    case "histogram":
      return Metric.histogram(name, { description, boundaries: buckets })
  }
}

type Labels = Readonly<Record<string, string>>

export const make: Effect.Effect<Meters> = Effect.sync(() => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  const bare = new Map(rows.map(([name, row]) => [name, made(name, row)]))
  const series = new Map<string, Map<string, Updated>>(rows.map(([name]) => [name, new Map()]))

  const samplers: Array<Effect.Effect<void>> = []

  const seriesOf = (name: MetricName, labels: Labels): Updated | undefined => {
    const known = series.get(name)
    const metric = bare.get(name)
    if (known === undefined || metric === undefined) return undefined
    const order: ReadonlyArray<string> = metrics[name].labels
    const key = order.map((label) => labels[label] ?? "").join("\n")
    const found = known.get(key)
    if (found !== undefined) return found
    const isFull = known.size >= seriesMax
    const values = Object.fromEntries(order.map((label) => [
      label,
      isFull ? otherValue : (labels[label] ?? "").slice(0, valueCharsMax)
    ]))
    const overflow = order.map(() => otherValue).join("\n")
    const kept = isFull ? known.get(overflow) : undefined
    if (kept !== undefined) return kept
    const fresh = order.length === 0 ? metric : Metric.withAttributes(metric, values)
    known.set(isFull ? overflow : key, fresh)
    return fresh
  }

  const update = (name: MetricName, labels: Labels, value: number): void =>
    seriesOf(name, labels)?.updateUnsafe(value, context)

  // What has no labels is there from the start: a counter's first step shows then.
  for (const [name, { kind, labels }] of rows) {
    if (kind === "counter" && labels.length === 0) bare.get(name)?.updateUnsafe(0, context)
  }

  return {
    add: (name, labels, by = 1) => update(name, labels, by),
    observe: (name, labels, value) => update(name, labels, value),
    set: (name, labels, value) => update(name, labels, value),
    replace: (name, values) => {
      const known = series.get(name)
      for (const metric of known?.values() ?? []) Metric.removeUnsafe(metric, context)
      known?.clear()
      for (const [labels, value] of values) update(name, labels, value)
    },
    sample: (sampler) => {
      samplers.push(sampler)
    },
    text: Effect.suspend(() =>
      Effect.forEach(samplers, (sampler) => sampler, { concurrency: samplersMax, discard: true })
    ).pipe(Effect.andThen(Effect.sync(() => PrometheusMetrics.formatUnsafe(context))))
  }
})
