/**
 * Table of all metrics of the service, against which `docs/telemetry.md`, the alert rules and the
 * dashboard are checked.
 *
 * Labels have few values: names of steps, providers, engines, routes, operations, statuses and read
 * models. No session, tenant, URL, query or text is a label.
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

const underOwnKinds = <const Table extends Readonly<Record<string, MetricRow>>>(
  rows: Table
): Table => rows

// Names from one version of OpenTelemetry's semantic conventions. Names of HTTP and databases are
// stable in it; those of pools, models (GenAI) and MCP are in development. For a later version
// change them here, in `MetricTable.ts` and in the documents together.

/** Bucket bounds advised by the conventions; in seconds or tokens. */
const advisedBuckets = {
  http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  database: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  model: [
    0.01,
    0.02,
    0.04,
    0.08,
    0.16,
    0.32,
    0.64,
    1.28,
    2.56,
    5.12,
    10.24,
    20.48,
    40.96,
    81.92
  ],
  tokens: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576],
  mcp: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
} as const

export const metrics = underOwnKinds({
  web_grounding_requests_total: {
    kind: "counter",
    unit: "1",
    labels: ["mode", "status"],
    meaning: "Groundings that ended, by mode (failed: without an answer) and by status of their " +
      "searches, none where none was wanted, or tag of the failure"
  },
  web_grounding_request_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["mode"],
    meaning: "Time from the arrival of a grounding to its end",
    buckets: waitBuckets
  },
  web_grounding_calls_total: {
    kind: "counter",
    unit: "1",
    labels: ["operation", "outcome"],
    meaning: "Calls of every operation, by ok, tag of the failure, interrupted or defect"
  },
  web_grounding_call_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["operation"],
    meaning: "Time of a call, the wait for a place included",
    buckets: waitBuckets
  },
  web_grounding_calls_active: {
    kind: "gauge",
    unit: "1",
    labels: ["kind"],
    meaning: "Calls that are running, by kind of place"
  },
  web_grounding_calls_waiting: {
    kind: "gauge",
    unit: "1",
    labels: ["kind"],
    meaning: "Calls that wait for a place"
  },
  web_search_total: {
    kind: "counter",
    unit: "1",
    labels: ["provider", "status"],
    meaning: "Attempts of searches by status"
  },
  web_search_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["provider"],
    meaning: "Time of an attempt that reached for its provider",
    buckets: waitBuckets
  },
  web_search_results_total: {
    kind: "counter",
    unit: "1",
    labels: ["provider"],
    meaning: "Hits of successful attempts"
  },
  web_search_success_rate: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Share of successful attempts of the whole deployment in the last hour, 0 to 1; " +
      "absent without any"
  },
  web_search_timeout_rate: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Likewise the share of timeouts"
  },
  web_search_avg_results: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Likewise the hits of a successful attempt, on average"
  },
  web_search_credits_reserved_total: {
    kind: "counter",
    unit: "1",
    labels: ["provider", "key_slot"],
    meaning: "Credits that the ledger took before searches and extractions"
  },
  web_search_credits_returned_total: {
    kind: "counter",
    unit: "1",
    labels: ["provider", "key_slot"],
    meaning: "Credits of those that were given back"
  },
  web_grounding_model_cost_usd_total: {
    kind: "counter",
    unit: "USD",
    labels: ["step"],
    meaning: "Cost of models where prices are set"
  },
  web_grounding_cache_total: {
    kind: "counter",
    unit: "1",
    labels: ["cache", "result"],
    meaning: "Uses of the caches search, pack and session, by hit and miss"
  },
  web_grounding_facts_total: {
    kind: "counter",
    unit: "1",
    labels: ["type"],
    meaning: "Facts that groundings recorded, by type of event"
  },
  web_grounding_engine_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["step", "engine", "outcome"],
    meaning: "Time of one engine for a step, by ok, reason of its failure or interrupted",
    buckets: waitBuckets
  },
  web_grounding_circuit_open: {
    kind: "gauge",
    unit: "1",
    labels: ["upstream"],
    meaning: "1 while an upstream is left alone, by the last time it was wanted; else 0"
  },
  web_grounding_circuit_refused_total: {
    kind: "counter",
    unit: "1",
    labels: ["upstream"],
    meaning: "Requests that were not sent because the upstream is left alone"
  },
  web_grounding_log_append_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["outcome"],
    meaning: "Time of one append to the log, by ok or tag of the failure",
    buckets: advisedBuckets.database
  },
  web_grounding_log_tampered_total: {
    kind: "counter",
    unit: "1",
    labels: [],
    meaning: "Reads of streams that were changed beside the service"
  },
  web_grounding_log_faults: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Faults that the newest verification of the whole log found; absent before the first"
  },
  web_grounding_log_verified_age_seconds: {
    kind: "gauge",
    unit: "s",
    labels: [],
    meaning: "Since the newest verification of the whole log; absent before the first"
  },
  web_grounding_projection_lag_seconds: {
    kind: "gauge",
    unit: "s",
    labels: ["model"],
    meaning: "Age of the oldest event that a read model has not handled; 0 without any"
  },
  web_grounding_projection_lag_events: {
    kind: "gauge",
    unit: "1",
    labels: ["model"],
    meaning: "Events that a read model has not handled, counted up to 1,000"
  },
  web_grounding_projection_halted: {
    kind: "gauge",
    unit: "1",
    labels: ["model"],
    meaning: "1 where a read model stands still until an operator acts; else 0"
  },
  web_grounding_scrape_errors_total: {
    kind: "counter",
    unit: "1",
    labels: [],
    meaning: "Scrapes that could not ask the database; its gauges are absent from them"
  },
  http_server_request_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["http_request_method", "http_route", "http_response_status_code"],
    meaning: "Time from a request's head to the head of its answer",
    buckets: advisedBuckets.http
  },
  http_server_active_requests: {
    kind: "gauge",
    unit: "1",
    labels: ["http_request_method"],
    meaning: "Requests whose answer has not begun"
  },
  db_client_operation_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["db_system_name", "db_query_summary", "error_type"],
    meaning: "Time of a statement, the wait for a connection included, by its name; transactions " +
      "as a whole",
    buckets: advisedBuckets.database
  },
  db_client_connection_count: {
    kind: "gauge",
    unit: "1",
    labels: ["db_client_connection_state"],
    meaning: "Connections to the database, used and idle"
  },
  db_client_connection_max: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Connections that may be open"
  },
  db_client_connection_pending_requests: {
    kind: "gauge",
    unit: "1",
    labels: [],
    meaning: "Statements that wait for a connection"
  },
  gen_ai_client_operation_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "error_type"],
    meaning: "Time of a call of a model, a repair of its answer included",
    buckets: advisedBuckets.model
  },
  gen_ai_client_token_usage: {
    kind: "histogram",
    unit: "{token}",
    labels: [
      "gen_ai_operation_name",
      "gen_ai_provider_name",
      "gen_ai_request_model",
      "gen_ai_token_type"
    ],
    meaning: "Tokens of a request to a model, input and output, where its server tells them",
    buckets: advisedBuckets.tokens
  },
  mcp_server_operation_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["mcp_method_name", "gen_ai_tool_name", "error_type"],
    meaning: "Time of a tool called over /mcp; error_type is tool_error where it failed",
    buckets: advisedBuckets.mcp
  },
  web_grounding_build_info: {
    kind: "gauge",
    unit: "1",
    labels: ["version"],
    meaning: "1; the label names the release"
  },
  process_cpu_seconds_total: {
    kind: "counter",
    unit: "s",
    labels: [],
    meaning: "CPU time of the process, user and system"
  },
  process_resident_memory_bytes: {
    kind: "gauge",
    unit: "By",
    labels: [],
    meaning: "Resident memory of the process"
  },
  process_start_time_seconds: {
    kind: "gauge",
    unit: "s",
    labels: [],
    meaning: "Start of the process, in seconds since the epoch"
  },
  nodejs_eventloop_delay_p99_seconds: {
    kind: "gauge",
    unit: "s",
    labels: [],
    meaning: "Delay of the event loop that one sample in a hundred exceeds, since the scrape before"
  },
  nodejs_eventloop_delay_max_seconds: {
    kind: "gauge",
    unit: "s",
    labels: [],
    meaning: "Longest delay of the event loop since the scrape before"
  }
})

type Metrics = typeof metrics

export type MetricName = keyof Metrics

export type NamedOf<Kind extends MetricRow["kind"]> = {
  readonly [Name in MetricName]: Metrics[Name]["kind"] extends Kind ? Name : never
}[MetricName]

export type LabelsOf<Name extends MetricName> = Readonly<
  Record<Metrics[Name]["labels"][number], string>
>

/** Rows with their names as plain text. */
export const rows: ReadonlyArray<readonly [string, MetricRow]> = Object.entries(metrics)

/** Version of <https://github.com/open-telemetry/semantic-conventions>. */
export const conventionsVersion = "1.39.0"

/** The conventions' value for everything not listed. */
export const otherValue = "_OTHER"

const httpMethods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE"
])

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
