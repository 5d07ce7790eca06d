/** Health of the searches: counted by minute, provider and key, and summed over any span. */
import { Schema } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import type { KeyHealth } from "../search/KeyPool.ts"
import { ProviderName, type SearchAttempt, SearchStatus, wasMade } from "../search/SearchStatus.ts"
import { EngineFault } from "../session/EngineDetail.ts"

/**
 * Upper bounds of latency buckets in milliseconds, then one without. Stored rows depend on them.
 */
const bucketMs = [
  10,
  25,
  50,
  100,
  200,
  300,
  500,
  750,
  1_000,
  1_500,
  2_000,
  3_000,
  5_000,
  7_500,
  10_000,
  15_000,
  30_000
] as const

export const MinuteFigures = Schema.Struct({
  /** ISO 8601 UTC to the minute, e.g. `2026-01-01T09:30Z`, when the attempts began. */
  minute: Schema.String,
  provider: ProviderName,
  /** Absent for providers without keys. */
  key_slot: Schema.optionalKey(Schema.Int),
  /** A status that did not occur is absent. */
  by_status: Schema.Record(Schema.String, Schema.Int),
  hits: Schema.Int,
  latency: Schema.Struct({
    count: Schema.Int,
    sum_ms: Schema.Int,
    max_ms: Schema.Int,
    buckets: Schema.Array(Schema.Int)
  })
})
export type MinuteFigures = typeof MinuteFigures.Type

/** Figures of any number of attempts. Rates are 0 to 1 and absent without attempts. */
export const Figures = Schema.Struct({
  attempts: Schema.Int,
  /** Attempts by status; every status has an entry. */
  web_search_total: Schema.Record(Schema.String, Schema.Int),
  web_search_share: Schema.Record(Schema.String, Schema.Finite),
  web_search_success_rate: Schema.optionalKey(Schema.Finite),
  web_search_timeout_rate: Schema.optionalKey(Schema.Finite),
  /** Hits of a successful attempt; absent without one. */
  web_search_avg_results: Schema.optionalKey(Schema.Finite),
  /** Percentiles of three and more are estimates; absent when no provider was contacted. */
  web_search_latency_ms: Schema.optionalKey(Schema.Struct({
    avg: Schema.Finite,
    p50: Schema.Finite,
    p95: Schema.Finite,
    p99: Schema.Finite,
    max: Schema.Int
  }))
})
export type Figures = typeof Figures.Type

export const KeyFigures = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.optionalKey(Schema.Int),
  ...Figures.fields
})
export type KeyFigures = typeof KeyFigures.Type

export const minuteOf = (iso: string): string => `${iso.slice(0, "YYYY-MM-DDTHH:MM".length)}Z`

export const record = (
  figures: MinuteFigures | undefined,
  attempt: SearchAttempt
): MinuteFigures => {
  const { by_status, hits, latency, ...of } = figures ?? emptyOf(attempt)
  const { duration_ms, hits_count, status } = attempt
  return {
    ...of,
    by_status: { ...by_status, [status]: (by_status[status] ?? 0) + 1 },
    hits: hits + (status === "success" ? hits_count : 0),
    latency: wasMade(attempt) ? timed(latency, duration_ms) : latency
  }
}

export const figuresOf = (rows: ReadonlyArray<MinuteFigures>): Figures => {
  const countOf = (status: string) =>
    rows.reduce((sum, { by_status }) => sum + (by_status[status] ?? 0), 0)
  const totals = SearchStatus.literals.map((status) => [status, countOf(status)] as const)
  const attempts = totals.reduce((sum, [, count]) => sum + count, 0)
  const successes = countOf("success")
  const latency = latencyOf(rows)
  return {
    attempts,
    web_search_total: Object.fromEntries(totals),
    web_search_share: Object.fromEntries(
      totals.map(([status, count]) => [status, attempts === 0 ? 0 : count / attempts])
    ),
    ...(attempts === 0 ? {} : {
      web_search_success_rate: successes / attempts,
      web_search_timeout_rate: countOf("timeout") / attempts
    }),
    ...(successes === 0 ? {} : {
      web_search_avg_results: rows.reduce((sum, { hits }) => sum + hits, 0) / successes
    }),
    ...asGiven({ web_search_latency_ms: latency })
  }
}

export const byKey = (rows: ReadonlyArray<MinuteFigures>): ReadonlyArray<KeyFigures> =>
  [...Map.groupBy(rows, ({ key_slot, provider }) => `${provider} ${key_slot ?? ""}`)]
    .sort(([one], [other]) => one < other ? -1 : 1)
    .flatMap(([, own]) => {
      const [first] = own
      return first === undefined ? [] : [{
        provider: first.provider,
        ...asGiven({ key_slot: first.key_slot }),
        ...figuresOf(own)
      }]
    })

const noBuckets: ReadonlyArray<number> = [...bucketMs, Infinity].map(() => 0)

const emptyOf = ({ key_slot, provider, started_at }: SearchAttempt): MinuteFigures => ({
  minute: minuteOf(started_at),
  provider,
  ...asGiven({ key_slot }),
  by_status: {},
  hits: 0,
  latency: { count: 0, sum_ms: 0, max_ms: 0, buckets: noBuckets }
})

type Latency = MinuteFigures["latency"]

const timed = ({ buckets, count, max_ms, sum_ms }: Latency, durationMs: number): Latency => {
  const found = bucketMs.findIndex((bound) => durationMs <= bound)
  const bucket = found === -1 ? bucketMs.length : found
  return {
    count: count + 1,
    sum_ms: sum_ms + durationMs,
    max_ms: Math.max(max_ms, durationMs),
    buckets: buckets.map((held, index) => index === bucket ? held + 1 : held)
  }
}

const latencyOf = (rows: ReadonlyArray<MinuteFigures>): Figures["web_search_latency_ms"] => {
  const latencies = rows.map(({ latency }) => latency)
  const count = latencies.reduce((sum, latency) => sum + latency.count, 0)
  if (count === 0) return undefined
  const buckets = noBuckets.map((_, index) =>
    latencies.reduce((sum, { buckets }) => sum + (buckets[index] ?? 0), 0)
  )
  const max = latencies.reduce((most, { max_ms }) => Math.max(most, max_ms), 0)
  const sum = latencies.reduce((total, { sum_ms }) => total + sum_ms, 0)
  const at = (share: number) => {
    if (count > 2) return percentile(buckets, share * count, max)
    // Of one or two attempts the sum and the longest give it exactly.
    return count === 2 && share <= 0.5 ? sum - max : max
  }
  return {
    avg: sum / count,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max
  }
}

/** Interpolated within its bucket, and never above the longest. */
const percentile = (buckets: ReadonlyArray<number>, rank: number, maxMs: number): number => {
  let below = 0
  for (const [index, held] of buckets.entries()) {
    if (held > 0 && below + held >= rank) {
      const lower = index === 0 ? 0 : bucketMs[index - 1] ?? 0
      const upper = Math.min(bucketMs[index] ?? maxMs, maxMs)
      return lower + Math.max(0, upper - lower) * ((rank - below) / held)
    }
    below += held
  }
  return maxMs
}

export const CreditUse = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.Int,
  /** `YYYY-MM` in UTC, by the clock of the ledger. */
  month: Schema.String,
  /** Credits in our ledger, read before the provider was asked. */
  counted: Schema.Int,
  reported: Schema.Finite,
  limit: Schema.optionalKey(Schema.Finite),
  /** ISO 8601 UTC. */
  at: Schema.String
})
export type CreditUse = typeof CreditUse.Type

/** Difference of the counts that is never an alert: searches in progress, late charges. */
export const driftCreditsMax = 10
/** Share of the larger count that the two may differ by: a report may be some minutes old. */
const driftShareMax = 0.05

/** Whether the counts differ beyond both bounds: another user has the key, or one is wrong. */
export const isDrift = ({ counted, reported }: CreditUse): boolean =>
  Math.abs(reported - counted) >
    Math.max(driftCreditsMax, driftShareMax * Math.max(counted, reported))

export const CeilingUse = Schema.Struct({
  /** A key's credits, a tenant's searches, or its cost of models in millionths of a US dollar. */
  of: Schema.Literals(["credits", "searches", "cost"]),
  provider: Schema.optionalKey(ProviderName),
  key_slot: Schema.optionalKey(Schema.Int),
  tenant_id: Schema.optionalKey(Schema.String),
  month: Schema.String,
  used: Schema.Finite,
  ceiling: Schema.Finite
})
export type CeilingUse = typeof CeilingUse.Type

/** Share of a ceiling from which an alert is a warning, and critical. */
export const nearShare = 0.75
const criticalShare = 0.9

/** Success rate of the last hour below which an alert is a warning, and critical. */
const warningRate = 0.5
const criticalRate = 0.1

export const attemptsMin = 20

/** Change of the log from outside the service, as this process met it. */
export const LogTampered = Schema.TaggedStruct("LogTampered", {
  severity: Schema.Literal("critical"),
  tenant_id: Schema.String,
  session_id: Schema.String,
  stream_id: Schema.String,
  version: Schema.Int,
  kind: Schema.String,
  /** Time at which this process met it first; ISO 8601 UTC. */
  since: Schema.String
})
export type LogTampered = typeof LogTampered.Type

export const LogUnsound = Schema.TaggedStruct("LogUnsound", {
  severity: Schema.Literal("critical"),
  faults_count: Schema.Int,
  kind: Schema.String,
  stream_id: Schema.optionalKey(Schema.String),
  /** Of the newest verification, and of the first in a row that found faults. ISO 8601 UTC. */
  at: Schema.String,
  since: Schema.String
})
export type LogUnsound = typeof LogUnsound.Type

const ofKey = { severity: Schema.Literal("info"), provider: ProviderName, key_slot: Schema.Int }

export const Alert = Schema.Union([
  LogTampered,
  LogUnsound,
  Schema.TaggedStruct("SuccessRateLow", {
    severity: Schema.Literals(["critical", "warning"]),
    /** Success rate of the last hour, 0 to 1. */
    web_search_success_rate: Schema.Finite,
    attempts: Schema.Int
  }),
  /** An engine failed more often than it answered in the last hour. */
  Schema.TaggedStruct("EngineFailing", {
    /** `critical`: it answered nothing. Local engines answered instead either way. */
    severity: Schema.Literals(["critical", "warning"]),
    engine: Schema.String,
    asked: Schema.Int,
    failed: Schema.Int,
    reason: EngineFault
  }),
  Schema.TaggedStruct("CreditsDrift", {
    severity: Schema.Literal("warning"),
    provider: ProviderName,
    key_slot: Schema.Int,
    month: Schema.String,
    credits_counted: Schema.Int,
    credits_reported: Schema.Finite,
    at: Schema.String
  }),
  /** `critical` from 90 % of the ceiling on. */
  Schema.TaggedStruct("CeilingNear", {
    severity: Schema.Literals(["critical", "warning"]),
    ...CeilingUse.fields
  }),
  /** Reported once, in the first answer after an attempt missed the key; the key's state stays. */
  Schema.TaggedStruct("KeyMissing", { ...ofKey, since: Schema.String }),
  /** `critical`: no provider is left; `warning`: other providers only. */
  Schema.TaggedStruct("KeyDisabled", {
    ...ofKey,
    severity: Schema.Literals(["critical", "warning", "info"]),
    since: Schema.String,
    reason: Schema.String
  }),
  Schema.TaggedStruct("KeyCooling", { ...ofKey, until: Schema.String, reason: Schema.String })
]).pipe(Schema.toTaggedUnion("_tag"))
export type Alert = typeof Alert.Type

/** Key of an alert's subject, e.g. `KeyCooling tavily 2`. Its figures may change while it lasts. */
export const alertKeyOf = (alert: Alert): string => {
  if (alert._tag === "LogTampered") return `${alert._tag} ${alert.stream_id}`
  if (alert._tag === "EngineFailing") return `${alert._tag} ${alert.engine}`
  if ("tenant_id" in alert) return `${alert._tag} ${alert.of} ${alert.tenant_id}`
  return "key_slot" in alert ? `${alert._tag} ${alert.provider} ${alert.key_slot}` : alert._tag
}

export type FailingEngine = Omit<Alert & { readonly _tag: "EngineFailing" }, "_tag" | "severity">

interface Watched {
  readonly met?: ReadonlyArray<LogTampered | LogUnsound>
  /** Latest comparisons, of the current month alone. */
  readonly credits?: ReadonlyArray<CreditUse>
  readonly ceilings?: ReadonlyArray<CeilingUse>
  readonly failing?: ReadonlyArray<FailingEngine>
  readonly searches?: ReadonlyArray<MinuteFigures>
}

export const alertsOf = (
  lastHour: Figures,
  keys: ReadonlyArray<KeyHealth>,
  { ceilings = [], credits = [], failing = [], met = [], searches = [] }: Watched = {}
): ReadonlyArray<Alert> => [
  ...met,
  ...ofRate(lastHour),
  ...failing.map((engine): Alert => ({
    _tag: "EngineFailing",
    severity: engine.failed === engine.asked ? "critical" : "warning",
    ...engine
  })),
  ...ceilings.flatMap((use): ReadonlyArray<Alert> => {
    const share = use.used / use.ceiling
    const severity = share >= criticalShare ? "critical" : "warning"
    return share < nearShare ? [] : [{ _tag: "CeilingNear", severity, ...use }]
  }),
  ...credits.filter(isDrift).map(ofDrift),
  ...keys.flatMap((key) => alertsOfKey(key, keys, searches))
]

const ofDrift = ({ at, counted, key_slot, month, provider, reported }: CreditUse): Alert => ({
  _tag: "CreditsDrift",
  severity: "warning",
  provider,
  key_slot,
  month,
  credits_counted: counted,
  credits_reported: reported,
  at
})

const ofRate = (
  { attempts, web_search_success_rate }: Figures
): ReadonlyArray<Alert> =>
  attempts < attemptsMin || web_search_success_rate === undefined ||
    web_search_success_rate >= warningRate
    ? []
    : [{
      _tag: "SuccessRateLow",
      severity: web_search_success_rate < criticalRate ? "critical" : "warning",
      web_search_success_rate,
      attempts
    }]

const alertsOfKey = (
  { key_slot, provider, reason = "", since, state, until = "" }: KeyHealth,
  keys: ReadonlyArray<KeyHealth>,
  searches: ReadonlyArray<MinuteFigures>
): ReadonlyArray<Alert> => {
  const left = keys.filter(isLeft)
  const isOthersAlone = left.length > 0 ||
    searches.some((search) =>
      search.provider !== provider && search.minute >= minuteOf(since) &&
      search.by_status["success"] !== undefined
    )
  const of = { severity: "info", provider, key_slot } as const
  switch (state) {
    case "usable":
      return []
    case "missing":
      return [{ _tag: "KeyMissing", ...of, since }]
    case "disabled":
      return [{
        _tag: "KeyDisabled",
        ...of,
        severity: left.some((key) => key.provider === provider)
          ? "info"
          : isOthersAlone
          ? "warning"
          : "critical",
        since,
        reason
      }]
    case "cooling":
      return [{ _tag: "KeyCooling", ...of, until, reason }]
  }
}

const isLeft = ({ state }: KeyHealth): boolean => state === "usable" || state === "cooling"

// Needs answered by making a pack, and by reusing another session's.

export const MinutePacks = Schema.Struct({
  /** ISO 8601 UTC to the minute, e.g. `2026-01-01T09:30Z`, when the facts were recorded. */
  minute: Schema.String,
  made: Schema.Int,
  reused: Schema.Int
})
export type MinutePacks = typeof MinutePacks.Type

export const recordPack = (
  row: MinutePacks | undefined,
  minute: string,
  what: "made" | "reused"
): MinutePacks => ({ minute, made: 0, reused: 0, ...row, [what]: (row?.[what] ?? 0) + 1 })

export const packFiguresOf = (rows: ReadonlyArray<MinutePacks>) => {
  const made = rows.reduce((sum, row) => sum + row.made, 0)
  const reused = rows.reduce((sum, row) => sum + row.reused, 0)
  return { made, reused, ...(made + reused === 0 ? {} : { reuse_rate: reused / (made + reused) }) }
}
