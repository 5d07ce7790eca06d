/**
 * Table of all metrics: `docs/reference/metrics.md`, alert rules and dashboard are checked against
 * it. Labels have few values. No session, tenant, URL, query or text is a label.
 */
import { Cause, type Exit, Option, Predicate } from "effect"

export interface MetricRow {
  readonly kind: "counter" | "gauge" | "histogram"
  /** `1`: a plain number. */
  readonly unit: "1" | "s" | "By" | "USD" | "{token}"
  readonly labels: ReadonlyArray<string>
  readonly meaning: string
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly buckets?: ReadonlyArray<number>
}

/** Bucket bounds for waits and whole requests, in seconds. */
const waitBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60] as const

type Labels = ReadonlyArray<string>

const rowOf =
  <const Kind extends "counter" | "gauge">(kind: Kind) =>
  <const Of extends Labels>(labels: Of, meaning: string, unit: MetricRow["unit"] = "1") => ({
    kind,
    unit,
    labels,
    meaning
  })
const counter = rowOf("counter")
const gauge = rowOf("gauge")

const histogram = <const Of extends Labels>(
  labels: Of,
  buckets: ReadonlyArray<number>,
  meaning: string,
  unit: MetricRow["unit"] = "s"
) => ({ kind: "histogram" as const, unit, labels, meaning, buckets })

// Names from one version of OpenTelemetry's semantic conventions. For a later version change them
// here and in the documents.

/** Bucket bounds advised by the conventions; in seconds or tokens. */
const advisedBuckets = {
  http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  database: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  model: Array.from({ length: 14 }, (_, power) => 2 ** power / 100),
  tokens: Array.from({ length: 11 }, (_, power) => 4 ** power),
  mcp: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
} as const

export const metrics = {
  web_grounding_requests_total: counter(
    ["mode", "status"],
    "Groundings that ended, by mode (failed: without an answer) and by status of their " +
      "searches, none where none was wanted, or tag of the failure"
  ),
  web_grounding_request_duration_seconds: histogram(
    ["mode"],
    waitBuckets,
    "Time from the arrival of a grounding to its end"
  ),
  web_grounding_calls_total: counter(
    ["operation", "outcome"],
    "Calls of every operation, by ok, tag of the failure, interrupted or defect; unidentified " +
      "where no token could be verified (503)"
  ),
  web_grounding_calls_active: gauge(["kind"], "Running calls, by kind of limit"),
  web_grounding_calls_waiting: gauge(["kind"], "Calls that wait for a free slot"),
  web_search_total: counter(["provider", "status"], "Attempts of searches by status"),
  web_search_duration_seconds: histogram(
    ["provider"],
    waitBuckets,
    "Time of an attempt that reached for its provider"
  ),
  web_search_results_total: counter(["provider"], "Hits of successful attempts"),
  web_search_success_rate: gauge(
    [],
    "Share of successful attempts of the whole deployment in the last hour, 0 to 1; absent " +
      "without any"
  ),
  web_search_timeout_rate: gauge([], "Likewise the share of timeouts"),
  web_search_avg_results: gauge([], "Likewise the hits of a successful attempt, on average"),
  web_search_credits_reserved_total: counter(
    ["provider", "key_slot"],
    "Credits that the ledger took before searches"
  ),
  web_search_credits_returned_total: counter(
    ["provider", "key_slot"],
    "Credits of those that were given back"
  ),
  web_grounding_model_cost_usd_total: counter(
    ["step"],
    "Cost of models where prices are set",
    "USD"
  ),
  web_grounding_cache_total: counter(
    ["cache", "result"],
    "Uses of the caches search, pack and session, by hit and miss"
  ),
  web_grounding_facts_total: counter(["type"], "Facts that groundings recorded, by type of event"),
  web_grounding_engine_duration_seconds: histogram(
    ["step", "engine", "outcome"],
    waitBuckets,
    "Time of one engine for a step, by ok, reason of its failure or interrupted"
  ),
  web_grounding_circuit_open: gauge(
    ["upstream"],
    "1 while an upstream is left alone, by the last time it was wanted; else 0"
  ),
  web_grounding_circuit_refused_total: counter(
    ["upstream"],
    "Requests that were not sent because the upstream is left alone"
  ),
  web_grounding_log_append_duration_seconds: histogram(
    ["outcome"],
    advisedBuckets.database,
    "Time of one append to the log, by ok or tag of the failure"
  ),
  web_grounding_log_tampered_total: counter(
    [],
    "Reads of streams that were changed by someone other than the service"
  ),
  web_grounding_log_faults: gauge(
    [],
    "Faults that the newest verification of the whole log found; absent before the first"
  ),
  web_grounding_log_verified_age_seconds: gauge(
    [],
    "Since the newest verification of the whole log; absent before the first",
    "s"
  ),
  web_grounding_projection_lag_seconds: gauge(
    ["model"],
    "Age of the oldest event that a read model has not handled; 0 without any",
    "s"
  ),
  web_grounding_projection_halted: gauge(
    ["model"],
    "1 where a read model is halted until an operator acts; else 0"
  ),
  web_grounding_scrape_errors_total: counter(
    [],
    "Scrapes that could not ask the database; its gauges are absent from them"
  ),
  http_server_request_duration_seconds: histogram(
    ["http_request_method", "http_route", "http_response_status_code"],
    advisedBuckets.http,
    "Time from a request's head to the head of its answer"
  ),
  db_client_operation_duration_seconds: histogram(
    ["db_system_name", "db_query_summary", "error_type"],
    advisedBuckets.database,
    "Time of a statement, the wait for a connection included, by its name; transactions as " +
      "a whole"
  ),
  db_client_connection_count: gauge(
    ["db_client_connection_state"],
    "Connections to the database, used and idle"
  ),
  db_client_connection_max: gauge([], "Connections that may be open"),
  db_client_connection_pending_requests: gauge([], "Statements that wait for a connection"),
  gen_ai_client_operation_duration_seconds: histogram(
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "error_type"],
    advisedBuckets.model,
    "Time of a call of a model, a repair of its answer included"
  ),
  gen_ai_client_token_usage: histogram(
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_token_type"],
    advisedBuckets.tokens,
    "Tokens of a request to a model, input and output, where its server reports them",
    "{token}"
  ),
  mcp_server_operation_duration_seconds: histogram(
    ["mcp_method_name", "gen_ai_tool_name", "error_type"],
    advisedBuckets.mcp,
    "Time of a tool called over /mcp; error_type is tool_error where it failed"
  ),
  web_grounding_build_info: gauge(["version"], "1; the label names the release"),
  process_cpu_seconds_total: counter([], "CPU time of the process, user and system", "s"),
  process_resident_memory_bytes: gauge([], "Resident memory of the process", "By"),
  process_start_time_seconds: gauge([], "Start of the process, in seconds since the epoch", "s"),
  nodejs_eventloop_delay_p99_seconds: gauge(
    [],
    "Delay of the event loop that one sample in a hundred exceeds, since the scrape before",
    "s"
  ),
  nodejs_eventloop_delay_max_seconds: gauge(
    [],
    "Longest delay of the event loop since the scrape before",
    "s"
  )
} as const

type Metrics = typeof metrics

export type MetricName = keyof Metrics

export type NamedOf<Kind extends MetricRow["kind"]> = {
  readonly [Name in MetricName]: Metrics[Name]["kind"] extends Kind ? Name : never
}[MetricName]

export type LabelsOf<Name extends MetricName> = Readonly<
  Record<Metrics[Name]["labels"][number], string>
>

export const rows: ReadonlyArray<readonly [string, MetricRow]> = Object.entries(metrics)

/** Version of <https://github.com/open-telemetry/semantic-conventions>. */
export const conventionsVersion = "1.39.0"

/** The conventions' value for everything not listed. */
export const otherValue = "_OTHER"

const httpMethods: ReadonlySet<string> = new Set(
  "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE".split(" ")
)

/** Value of `http.request.method`: a known method, else `_OTHER`. */
export const methodOf = (method: string): string => httpMethods.has(method) ? method : otherValue

// Outcome of an effect as one word of a bounded list, for metrics and the closing log line.

/** `ok`, the tag of a typed failure, `interrupted` or `defect`. */
export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (exit._tag === "Success") return "ok"
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure)) return tagOf(failure.value)
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

const tagOf = (failure: unknown): string =>
  Predicate.hasProperty(failure, "_tag") && typeof failure._tag === "string"
    ? failure._tag
    : "failure"
