/**
 * Meters of this process for `MetricTable.ts`, and their text for Prometheus. Beyond a maximum of
 * label combinations the rest counts under `_OTHER`: no caller can grow a metric without bound.
 */
import { Clock, Context, Effect, Metric, Option } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { type Admission, callKinds } from "../../application/Admission.ts"
import type { AskHealth } from "../../application/AskHealth.ts"
import type { WatchLog } from "../../application/audit/WatchLog.ts"
import type { ProjectionRunner } from "../../application/projections/ProjectionRunner.ts"
import type { LogVerified } from "../../domain/audit/VerificationLog.ts"
import {
  type LabelsOf,
  type MetricName,
  type MetricRow,
  metrics,
  type NamedOf,
  otherValue,
  rows
} from "./MetricTable.ts"

export const seriesMax = 400

const samplersMax = 4

const valueCharsMax = 100

export interface Meters {
  /** Adds to a counter, sets a gauge, or observes a value, in the metric's unit. Default 1. */
  readonly update: <Name extends MetricName>(
    name: Name,
    labels: LabelsOf<Name>,
    value?: number
  ) => void
  /** Replaces all combinations: an empty list makes the gauge absent. */
  readonly replace: <Name extends NamedOf<"gauge">>(
    name: Name,
    values: ReadonlyArray<readonly [LabelsOf<Name>, number]>
  ) => void
  /** Runs before each text, to set gauges that are not pushed. */
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

  const update: Meters["update"] = (name, labels, value = 1) =>
    seriesOf(name, labels)?.updateUnsafe(value, context)

  // A metric without labels is present from the start, so that a counter's first step shows.
  for (const [name, { kind, labels }] of rows) {
    if (kind === "counter" && labels.length === 0) bare.get(name)?.updateUnsafe(0, context)
  }

  return {
    update,
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

// Gauges sampled at each scrape: read models, the last hour, the process.

/** Milliseconds that a scrape waits for the database; on a timeout its gauges are absent. */
const databaseWaitMs = 2_000

const msInSecond = 1_000
const microsInSecond = 1e6
const nanosInSecond = 1e9

/** Sampling interval of the event loop's delay. */
const loopSampleMs = 10

/** None, and a count, if the database does not answer in time. */
const asked = <A, E>(meters: Meters, ask: Effect.Effect<A, E>): Effect.Effect<Option.Option<A>> =>
  Effect.option(Effect.timeout(ask, databaseWaitMs)).pipe(
    Effect.tap((answer) =>
      Effect.sync(() => {
        if (Option.isNone(answer)) meters.update("web_grounding_scrape_errors_total", {})
      })
    )
  )

/** Progress of the read models. */
export const projections = (meters: Meters, runner: ProjectionRunner["Service"]) =>
  meters.sample(Effect.map(asked(meters, runner.lags), (answer) => {
    const lags = Option.getOrElse(answer, () => [])
    const by = (valueOf: (lag: typeof lags[number]) => number) =>
      lags.map((lag) => [{ model: `${lag.model} ${lag.version}` }, valueOf(lag)] as const)
    meters.replace("web_grounding_projection_lag_seconds", by(({ ms }) => ms / msInSecond))
    meters.replace(
      "web_grounding_projection_halted",
      by(({ state }) => state === "halted" ? 1 : 0)
    )
  }))

const rates = [
  "web_search_success_rate",
  "web_search_timeout_rate",
  "web_search_avg_results"
] as const

/** The deployment's last hour. */
export const health = (meters: Meters, service: AskHealth["Service"]) =>
  meters.sample(Effect.map(asked(meters, service.lastHour), (answer) => {
    for (const rate of rates) {
      const value = Option.isSome(answer) ? answer.value[rate] : undefined
      meters.replace(rate, value === undefined ? [] : [[{}, value]])
    }
  }))

/** Faults found by the latest verification of the log, and its age. */
export const verifications = (meters: Meters, { newest }: WatchLog["Service"]) =>
  meters.sample(Effect.gen(function*() {
    const last = Option.flatten(yield* asked(meters, newest))
    const nowMs = yield* Clock.currentTimeMillis
    const of = (valueOf: (verified: LogVerified) => number) =>
      Option.toArray(last).map((verified) => [{}, valueOf(verified)] as const)
    meters.replace("web_grounding_log_faults", of(({ faults_count }) => faults_count))
    meters.replace(
      "web_grounding_log_verified_age_seconds",
      of(({ at }) => Math.max(0, nowMs - Date.parse(at)) / msInSecond)
    )
  }))

export const admission = (meters: Meters, { running, waiting }: Admission["Service"]) =>
  meters.sample(
    Effect.forEach(
      callKinds,
      (kind) =>
        Effect.zipWith(running(kind), waiting(kind), (running, waiting) => {
          meters.update("web_grounding_calls_active", { kind }, running)
          meters.update("web_grounding_calls_waiting", { kind }, waiting)
        }),
      { discard: true }
    )
  )

/** The process: CPU, memory and event loop, until the scope closes. */
export const ofProcess = Effect.fnUntraced(function*(meters: Meters, version: string) {
  const delay = monitorEventLoopDelay({ resolution: loopSampleMs })
  yield* Effect.acquireRelease(
    Effect.sync(() => delay.enable()),
    () => Effect.sync(() => delay.disable())
  )
  const startedMs = (yield* Clock.currentTimeMillis) - process.uptime() * msInSecond
  let countedSeconds = 0
  meters.update("web_grounding_build_info", { version }, 1)
  meters.update("process_start_time_seconds", {}, startedMs / msInSecond)
  meters.sample(Effect.sync(() => {
    const { system, user } = process.cpuUsage()
    const seconds = (system + user) / microsInSecond
    meters.update("process_cpu_seconds_total", {}, seconds - countedSeconds)
    countedSeconds = seconds
    meters.update("process_resident_memory_bytes", {}, process.memoryUsage.rss())
    meters.update("nodejs_eventloop_delay_p99_seconds", {}, lateSeconds(delay.percentile(99)))
    meters.update("nodejs_eventloop_delay_max_seconds", {}, lateSeconds(delay.max))
    delay.reset()
  }))
})

/** Delay of a sample in seconds: Node measures from the previous sample. */
const lateSeconds = (nanos: number): number =>
  Math.max(0, nanos / nanosInSecond - loopSampleMs / msInSecond)
