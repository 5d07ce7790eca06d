/** The readiness audit: six checks, and whether a caller may rely on web search here. */
import { Schema } from "effect"

const checkNames = [
  "client_exists",
  "key_loaded",
  "request_sent",
  "timeout_configured",
  "failures_told_apart",
  "task_continues"
] as const

export const CheckName = Schema.Literals(checkNames)
export type CheckName = typeof CheckName.Type

export const Check = Schema.Struct({
  name: CheckName,
  passed: Schema.Boolean,
  finding: Schema.String
})
export type Check = typeof Check.Type

export const ReadinessReport = Schema.Struct({
  verdict: Schema.Literals(["WEB_SEARCH_RELIABLE", "WEB_SEARCH_UNRELIABLE"]),
  score: Schema.Int,
  checks: Schema.Array(Check),
  /** Advice on the checks that failed, in order; empty when all passed. */
  next_steps: Schema.Array(Schema.String)
})
export type ReadinessReport = typeof ReadinessReport.Type

const nextStepByCheck: Record<CheckName, string> = {
  client_exists: "Configure a search provider: set TAVILY_API_KEY or leave DUCKDUCKGO_ENABLED on.",
  key_loaded:
    "Set TAVILY_API_KEY, or the key of the first of SEARCH_PROVIDERS, to one that it knows; start the first where it is a server of one's own. Those after it do not make up for it.",
  request_sent:
    "Look at the attempt's status: mend the key, the network or the address, then ask again.",
  timeout_configured: "Set SEARCH_ATTEMPT_TIMEOUT_MS to 10,000 or less.",
  failures_told_apart: "This build mixes up failures: report it with this output.",
  task_continues: "This build lets a provider's failure end a task: report it with this output."
}

/** Search counts as reliable only when every check passed: one that may lie is worse than none. */
export const reportOf = (checks: ReadonlyArray<Check>): ReadinessReport => ({
  verdict: checks.every(({ passed }) => passed) ? "WEB_SEARCH_RELIABLE" : "WEB_SEARCH_UNRELIABLE",
  score: checks.filter(({ passed }) => passed).length,
  checks,
  next_steps: checks.flatMap(({ name, passed }) => passed ? [] : [nextStepByCheck[name]])
})
