/** Failures of a call: one class for each kind, with what a caller needs to continue. */

export interface InputError {
  /** Keys joined by dots, e.g. `region.country`; empty for the whole input. */
  readonly field: string
  readonly problem: string
}

/** Optional texts of a problem. */
export const problemTexts = [
  "request_id",
  "session_id",
  // Time of the session's erasure, ISO 8601 UTC.
  "erased_at",
  "source_type",
  "source_id",
  "url",
  "reason",
  "engine",
  // Required scope.
  "scope",
  // Exhausted limit of the tenant, e.g. `searches_per_day`.
  "limit",
  // The service's version of the contract, if it differs from the caller's.
  "service",
  "caller"
] as const
type ProblemText = typeof problemTexts[number]

export interface Problem extends Partial<Readonly<Record<ProblemText, string>>> {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: ReadonlyArray<InputError>
  readonly retry_after_ms?: number
  readonly may_have_searched?: boolean
}

/** Characters of a message: an unknown server's text may be long. */
const messageCharsMax = 2_000

/** Text without control characters, which a terminal would execute. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, messageCharsMax)

/** Facts about the call in every failure. */
export interface CallFacts {
  /** Id for a repetition, which does no work twice. Absent for calls without a request. */
  readonly request_id: string | undefined
  /** Whether the call, or an earlier try of it, may have had effects. */
  readonly may_have_run: boolean
}

/** Every failure of a call. `_tag` is the name of its class. */
export abstract class GroundingError extends Error implements CallFacts {
  abstract readonly _tag: string
  readonly request_id: string | undefined
  readonly may_have_run: boolean

  constructor(message: string, { may_have_run, request_id }: CallFacts) {
    super(printable(message))
    this.request_id = request_id
    this.may_have_run = may_have_run
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

export interface ServiceProblem extends Readonly<Record<ProblemText, string | undefined>> {}

/** The service returned a problem. Each kind known to this client has its own class. */
export abstract class ServiceProblem extends GroundingError {
  /** E.g. `invalid-input`; the whole type of a problem from another server. */
  readonly kind: string
  readonly status: number
  readonly title: string
  /** All errors of the input. Empty for other kinds. */
  readonly errors: ReadonlyArray<InputError>
  /** Milliseconds until a retry may help; `undefined`: it does not, or the time is unknown. */
  readonly retry_after_ms: number | undefined

  constructor(problem: Problem, hasRun: boolean) {
    const kind = problem.type.replace(/^urn:web-grounding:problem:/, "")
    super(problem.detail, {
      request_id: problem.request_id,
      may_have_run: hasRun || (problem.may_have_searched ?? partlyDone.has(kind))
    })
    this.kind = kind
    this.status = problem.status
    this.title = printable(problem.title)
    this.errors = problem.errors ?? []
    this.retry_after_ms = problem.retry_after_ms
    for (const name of problemTexts) Object.assign(this, { [name]: problem[name] })
  }
}

/** A kind that only a newer service knows. */
export class UnknownProblem extends ServiceProblem {
  override readonly name = "UnknownProblem"
  readonly _tag = "UnknownProblem"
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

const again = ({ may_have_run, request_id }: CallFacts): string =>
  may_have_run && request_id !== undefined ? `; ask again as request ${request_id}` : ""

/** The service could not be called, or its answer was lost, in every try. */
export class ServiceUnreachable extends GroundingError {
  override readonly name = "ServiceUnreachable"
  readonly _tag = "ServiceUnreachable"
  readonly url: string
  readonly reason: UnreachableReason
  /** The platform's code or the HTTP status, e.g. `ECONNREFUSED`, `503`. */
  readonly detail: string | undefined
  readonly retry_after_ms: number | undefined

  constructor({ detail, reason, retry_after_ms, url, ...of }: Unreached & CallFacts) {
    const told = detail === undefined ? "" : ` (${detail})`
    super(`${unreachableSentences[reason]} at ${url}${told}${again(of)}`, of)
    this.url = url
    this.reason = reason
    this.detail = detail
    this.retry_after_ms = retry_after_ms
  }
}

/** No answer came within the call's time, retries included. */
export class CallTimedOut extends GroundingError {
  override readonly name = "TimeoutError"
  readonly _tag = "CallTimedOut"
  readonly url: string
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number, of: CallFacts) {
    super(`No answer of ${url} within ${timeoutMs} ms${again(of)}`, of)
    this.url = url
    this.timeoutMs = timeoutMs
  }
}

export class CallAborted extends GroundingError {
  override readonly name = "AbortError"
  readonly _tag = "CallAborted"

  constructor(of: CallFacts) {
    super(`The call was given up${again(of)}`, of)
  }
}

/** The server is not this service, or violates the contract. */
export class UnexpectedAnswer extends GroundingError {
  override readonly name = "UnexpectedAnswer"
  readonly _tag = "UnexpectedAnswer"
  readonly url: string
  readonly detail: string

  constructor(url: string, detail: string, of: CallFacts) {
    super(`What answers at ${url} is not this service: ${detail}${again(of)}`, of)
    this.url = url
    this.detail = detail
  }
}

/** A caller's argument that cannot be sent. Nothing was sent. */
export class InvalidArgument extends GroundingError {
  override readonly name = "InvalidArgument"
  readonly _tag = "InvalidArgument"
  /** E.g. `url`, `token`. */
  readonly field: string
  /** Problem of the value, without the value. */
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`, { request_id: undefined, may_have_run: false })
    this.field = field
    this.problem = problem
  }
}
