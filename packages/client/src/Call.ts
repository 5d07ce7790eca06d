/**
 * One call of the client: bounded in time, ended by its signals, and retried. Every operation is
 * safe to retry: the service answers a known request id from its log.
 */
import { type ExchangeEnd as Told, Fault, unlessAborted } from "./Exchange.ts"
import {
  CallAborted,
  type CallFacts,
  CallTimedOut,
  GroundingError,
  type Problem,
  type ServiceProblem,
  ServiceUnreachable,
  UnexpectedAnswer,
  UnknownProblem
} from "./Failure.ts"
import * as problems from "./Problems.ts"

/** Milliseconds between two tries, unless the service states a time. */
const pauseMs = { least: 100, most: 5_000 }
/** Random spread, so that callers with the same retry time do not come together. */
const spread = 0.25

export interface Call {
  readonly url: string
  readonly requestId: string | undefined
  /** Milliseconds, retries included. */
  readonly timeoutMs: number
  readonly retries: number
  readonly signals: ReadonlyArray<AbortSignal>
}

export interface Attempt {
  readonly signal: AbortSignal
  /** Milliseconds until the call ends. */
  readonly leftMs: number
}

/** Kinds of problems that are temporary. */
const passing: ReadonlySet<string> = new Set([
  "overloaded",
  "interrupted",
  "store-unavailable",
  "tenant-moving",
  "issuer-unavailable",
  "request-in-progress",
  "request-timeout",
  "too-many-connections"
])

const problemOf = (problem: Problem, hasRun: boolean): ServiceProblem => {
  const [, kind = ""] = /^urn:web-grounding:problem:(.+)$/.exec(problem.type) ?? []
  const name = kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const Known = Object.entries(problems).find(([known]) => known === name)?.[1] ?? UnknownProblem
  return new Known(problem, hasRun)
}

const failureOf = (told: Told, { requestId, url }: Call, hasRun: boolean): GroundingError => {
  if (told._tag === "Problem") {
    const { problem } = told
    const request_id = problem.request_id ?? requestId
    return problemOf(request_id === undefined ? problem : { ...problem, request_id }, hasRun)
  }
  const of: CallFacts = { request_id: requestId, may_have_run: hasRun || told.hasRun }
  return told._tag === "Lost"
    ? new ServiceUnreachable({
      url,
      reason: told.reason,
      detail: told.detail,
      retry_after_ms: told.retryAfterMs,
      ...of
    })
    : new UnexpectedAnswer(url, told.detail, of)
}

/** Milliseconds before the next try; `undefined`: no retry. */
const pauseOf = (told: Told, triedCount: number): number | undefined => {
  if (told._tag === "Unexpected") return undefined
  if (told._tag === "Problem" && !passing.has(told.problem.type.split(":").at(-1) ?? "")) {
    return undefined
  }
  const toldMs = told._tag === "Problem" ? told.problem.retry_after_ms : told.retryAfterMs
  const statedMs = (toldMs ?? 0) * (1 + spread * Math.random())
  // "At once" holds once: a balancer may need a moment to notice that a replica is ending.
  if (toldMs !== undefined && triedCount === 0) return statedMs + pauseMs.least * Math.random()
  const most = Math.min(pauseMs.most, 2 * pauseMs.least * 2 ** triedCount)
  return Math.max(statedMs, pauseMs.least + Math.random() * (most - pauseMs.least))
}

const paused = async (ms: number, signal: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await unlessAborted(new Promise((resolve) => timer = setTimeout(resolve, ms)), signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Calls ended by each signal. Platforms warn of a signal with many listeners, so it has one. */
const endings = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back once the signal is aborted, until the returned function is called. */
const heard = (signal: AbortSignal, end: () => void): () => void => {
  if (signal.aborted) end()
  const known = endings.get(signal)
  const ends = known ?? new Set()
  if (known === undefined) {
    endings.set(signal, ends)
    signal.addEventListener("abort", () => ends.forEach((one) => one()), { once: true })
  }
  ends.add(end)
  return () => ends.delete(end)
}

/** Elements of the response as they arrive. Ends the exchange when the caller stops reading. */
export async function* elements<A>(
  call: Call,
  send: (attempt: Attempt) => AsyncIterable<A>
): AsyncGenerator<A, void, void> {
  const { requestId: request_id, retries, signals, timeoutMs, url } = call
  const end = new AbortController()
  const untilMs = Date.now() + timeoutMs
  let hasSent = false
  const of = (): CallFacts => ({ request_id, may_have_run: hasSent })
  const timer = setTimeout(() => end.abort(new CallTimedOut(url, timeoutMs, of())), timeoutMs)
  const unheard = signals.map((signal) => heard(signal, () => end.abort(new CallAborted(of()))))
  let hasRun = false
  try {
    for (let triedCount = 0;;) {
      end.signal.throwIfAborted()
      hasSent = true
      try {
        yield* send({ signal: end.signal, leftMs: untilMs - Date.now() })
        return
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        const { told } = error
        const failure = failureOf(told, call, hasRun)
        const ms = triedCount < retries ? pauseOf(told, triedCount) : undefined
        if (ms === undefined || Date.now() + ms >= untilMs) throw failure
        hasRun = failure.may_have_run
        hasSent = hasRun
        await paused(ms, end.signal)
        triedCount += 1
      }
    }
  } finally {
    clearTimeout(timer)
    for (const stop of unheard) stop()
    end.abort()
  }
}

export const answer = async <A>(
  call: Call,
  send: (attempt: Attempt) => Promise<A>
): Promise<A> => {
  const one = async function*(attempt: Attempt) {
    yield await send(attempt)
  }
  for await (const answered of elements(call, one)) return answered
  throw new UnexpectedAnswer(call.url, "nothing", {
    request_id: call.requestId,
    may_have_run: true
  })
}
