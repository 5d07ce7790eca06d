/** Failures of a call: one class for each kind, with what a caller needs to continue. */

export interface InputError {
  /** Keys joined by dots, e.g. `region.country`; empty for the whole input. */
  readonly field: string
  readonly problem: string
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: ReadonlyArray<InputError>
  readonly retry_after_ms?: number
  readonly request_id?: string
  readonly session_id?: string
  readonly erased_at?: string
  readonly may_have_searched?: boolean
  readonly source_type?: string
  readonly source_id?: string
  readonly url?: string
  readonly reason?: string
  readonly engine?: string
  readonly scope?: string
  readonly limit?: string
  readonly service?: string
  readonly caller?: string
}

/** Characters of a message: an unknown server's text may be long. */
const messageCharsMax = 2_000

/** Text without control characters, which a terminal would execute. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, messageCharsMax)

/** Every failure of a call. */
export abstract class GroundingError extends Error {
  /** Id for a repetition, which does no work twice. Absent for calls without a request. */
  abstract readonly request_id: string | undefined
  /** Whether the call, or an earlier try of it, may have had effects. */
  abstract readonly may_have_run: boolean

  constructor(message: string) {
    super(printable(message))
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return { ...Object.fromEntries(Object.entries(this)), name: this.name, message: this.message }
  }
}

/** Kinds after which the service may have done a part of the request. */
const partlyDone: ReadonlySet<string> = new Set([
  "interrupted",
  "internal-failure",
  "request-in-progress"
])

/** The service returned a problem. Each kind known to this client has its own class. */
export class ServiceProblem extends GroundingError {
  override readonly name: string = "ServiceProblem"
  /** E.g. `invalid-input`; the whole type of a problem from another server. */
  readonly kind: string
  readonly status: number
  readonly title: string
  /** All errors of the input. Empty for other kinds. */
  readonly errors: ReadonlyArray<InputError>
  /** Milliseconds until a retry may help; `undefined`: it does not, or the time is unknown. */
  readonly retry_after_ms: number | undefined
  readonly request_id: string | undefined
  readonly session_id: string | undefined
  /** Time of the session's erasure, ISO 8601 UTC. */
  readonly erased_at: string | undefined
  readonly source_type: string | undefined
  readonly source_id: string | undefined
  readonly url: string | undefined
  readonly reason: string | undefined
  readonly engine: string | undefined
  /** Required scope. */
  readonly scope: string | undefined
  /** Exhausted limit of the tenant, e.g. `searches_per_day`. */
  readonly limit: string | undefined
  /** The service's version of the contract, if it differs from the caller's. */
  readonly service: string | undefined
  readonly caller: string | undefined
  readonly may_have_run: boolean

  constructor(problem: Problem, hasRun: boolean) {
    super(problem.detail)
    this.kind = problem.type.replace(/^urn:web-grounding:problem:/, "")
    this.status = problem.status
    this.title = printable(problem.title)
    this.errors = problem.errors ?? []
    this.retry_after_ms = problem.retry_after_ms
    this.request_id = problem.request_id
    this.session_id = problem.session_id
    this.erased_at = problem.erased_at
    this.source_type = problem.source_type
    this.source_id = problem.source_id
    this.url = problem.url
    this.reason = problem.reason
    this.engine = problem.engine
    this.scope = problem.scope
    this.limit = problem.limit
    this.service = problem.service
    this.caller = problem.caller
    this.may_have_run = hasRun || (problem.may_have_searched ?? partlyDone.has(this.kind))
  }
}

/** Facts about the call in every failure from the client itself. */
export interface Of {
  readonly request_id: string | undefined
  readonly may_have_run: boolean
}

/**
 * - `refused`: no server listens there.
 * - `dns`: the name does not resolve.
 * - `reset`: the connection ended before the answer was complete.
 * - `silent`: connected, but no data arrived.
 * - `status`: an intermediary answered, e.g. a proxy.
 * - `failed`: the platform does not say why.
 */
export type UnreachableReason = "refused" | "dns" | "reset" | "silent" | "status" | "failed"

/** URL of the service, and why it was not reached. */
export interface Unreached {
  readonly url: string
  readonly reason: UnreachableReason
  readonly detail: string | undefined
  readonly retry_after_ms: number | undefined
}

const unreachableSentences: Readonly<Record<UnreachableReason, string>> = {
  refused: "No service listens",
  dns: "No such host is known:",
  reset: "The connection ended before the answer was complete",
  silent: "The connection fell silent",
  status: "The service was not reached",
  failed: "The service cannot be reached"
}

const again = ({ may_have_run, request_id }: Of): string =>
  may_have_run && request_id !== undefined ? `; ask again as request ${request_id}` : ""

/** The service could not be called, or its answer was lost, in every try. */
export class ServiceUnreachable extends GroundingError {
  override readonly name: string = "ServiceUnreachable"
  readonly url: string
  readonly reason: UnreachableReason
  /** The platform's code or the HTTP status, e.g. `ECONNREFUSED`, `503`. */
  readonly detail: string | undefined
  readonly retry_after_ms: number | undefined
  readonly request_id: string | undefined
  readonly may_have_run: boolean

  constructor({ detail, reason, retry_after_ms, url, ...of }: Unreached & Of) {
    const told = detail === undefined ? "" : ` (${detail})`
    super(`${unreachableSentences[reason]} at ${url}${told}${again(of)}`)
    this.url = url
    this.reason = reason
    this.detail = detail
    this.retry_after_ms = retry_after_ms
    this.request_id = of.request_id
    this.may_have_run = of.may_have_run
  }
}

/** No answer came within the call's time, retries included. */
export class CallTimedOut extends GroundingError {
  override readonly name: string = "TimeoutError"
  readonly url: string
  readonly timeoutMs: number
  readonly request_id: string | undefined
  readonly may_have_run: boolean

  constructor(url: string, timeoutMs: number, of: Of) {
    super(`No answer of ${url} within ${timeoutMs} ms${again(of)}`)
    this.url = url
    this.timeoutMs = timeoutMs
    this.request_id = of.request_id
    this.may_have_run = of.may_have_run
  }
}

export class CallAborted extends GroundingError {
  override readonly name: string = "AbortError"
  readonly request_id: string | undefined
  readonly may_have_run: boolean

  constructor(of: Of) {
    super(`The call was given up${again(of)}`)
    this.request_id = of.request_id
    this.may_have_run = of.may_have_run
  }
}

/** The server is not this service, or violates the contract. */
export class UnexpectedAnswer extends GroundingError {
  override readonly name: string = "UnexpectedAnswer"
  readonly url: string
  readonly detail: string
  readonly request_id: string | undefined
  readonly may_have_run: boolean

  constructor(url: string, detail: string, of: Of) {
    super(`What answers at ${url} is not this service: ${detail}${again(of)}`)
    this.url = url
    this.detail = detail
    this.request_id = of.request_id
    this.may_have_run = of.may_have_run
  }
}

/** A caller's argument that cannot be sent. Nothing was sent. */
export class InvalidArgument extends GroundingError {
  override readonly name: string = "InvalidArgument"
  /** E.g. `url`, `token`. */
  readonly field: string
  /** Problem of the value, without the value. */
  readonly problem: string
  readonly request_id = undefined
  readonly may_have_run = false

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
    this.problem = problem
  }
}
