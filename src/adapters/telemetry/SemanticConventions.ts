/**
 * Names that OpenTelemetry's semantic conventions give, all of one version of them.
 *
 * Names of HTTP and databases are stable in it; those of pools, models (GenAI) and MCP are in
 * development. A later version is taken over here, in `MetricTable.ts` and in the documents at
 * once.
 */

/** Version of <https://github.com/open-telemetry/semantic-conventions>. */
export const conventionsVersion = "1.39.0"

/** Upper bounds of histogram buckets as the conventions advise them; in seconds or tokens. */
export const advisedBuckets = {
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

/** Value of a label or attribute that the conventions keep for what they do not name. */
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

/** Value of `http.request.method`: the method where it is a known one, else `_OTHER`. */
export const methodOf = (method: string): string => httpMethods.has(method) ? method : otherValue
