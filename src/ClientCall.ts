/**
 * A call of the client, bounded in time and repeated where that is safe; and the failure of an
 * unreachable service.
 */
import { Clock, Context, Effect, Predicate, Random, Schema, Stream } from "effect"
import type { RpcClientError } from "effect/rpc"
import { failureTable } from "./contract/FailureTable.ts"
import type { EvidenceFailure, PublicFailure, ResearchFailure } from "./contract/PublicFailure.ts"

export interface CallOptions {
  /** Sent with each request, e.g. `authorization` or `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Milliseconds until the client gives up, retries included. Default: a grounding's deadline
   * plus 2 s, 30 s for other calls.
   */
  readonly timeoutMs?: number
  /** Retries of a failed call, under the same `request_id`. Default 2. */
  readonly retries?: number
  /** Ends the call. The service stops at the next step and keeps what was done. */
  readonly signal?: AbortSignal
}

/** HTTP headers of the running call. */
export const CallHeaders = Context.Reference<Readonly<Record<string, string>>>(
  "web-grounding/ClientCall/CallHeaders",
  { defaultValue: () => ({}) }
)

export type CallFailure = PublicFailure | EvidenceFailure | ResearchFailure | ServiceUnreachable

const retriesDefault = 2
const pauseMsMin = 100

interface Call {
  readonly url: string
  readonly requestId: string | undefined
  readonly options: CallOptions
  readonly timeoutMs: number
}

export type Sent<E> = E | RpcClientError.RpcClientError

export const run = <A, E extends CallFailure>(
  call: Call,
  send: Effect.Effect<A, Sent<E>>
): Effect.Effect<A, E | ServiceUnreachable> =>
  Stream.runLast(stream(call, () => Stream.fromEffect(send))).pipe(
    Effect.flatMap((last) =>
      last._tag === "Some"
        ? Effect.succeed(last.value)
        // A stream of one effect has one element, or fails.
        : Effect.die(last)
    )
  )

/** `send` gets the milliseconds that are left. A retry continues from the log. */
export const stream = <A, E extends CallFailure>(
  call: Call,
  send: (leftMs: number) => Stream.Stream<A, Sent<E>>
): Stream.Stream<A, E | ServiceUnreachable> => {
  const { options: { headers = {}, retries = retriesDefault, signal }, requestId, timeoutMs, url } =
    call
  const of = requestId === undefined ? {} : { request_id: requestId }
  const unreachable = (reason: ReturnType<typeof reasonOf>, hasRun: boolean) =>
    new ServiceUnreachable({
      url,
      ...of,
      ...reason,
      may_have_run: reason.may_have_run || hasRun
    })

  const attempt = (
    untilMs: number,
    left: number,
    hasRun: boolean
  ): Stream.Stream<A, E | ServiceUnreachable> =>
    Stream.unwrap(Effect.gen(function*() {
      const leftMs = Math.max(0, untilMs - (yield* Clock.currentTimeMillis))
      const late = Effect.andThen(
        Effect.sleep(leftMs),
        Effect.fail(unreachable({ cause: "timeout", may_have_run: true }, hasRun))
      )
      const given = aborted(signal, () =>
        unreachable({ cause: "aborted", may_have_run: true }, hasRun))
      return Stream.provideService(send(leftMs), CallHeaders, headers).pipe(
        Stream.mapError((failure): E | ServiceUnreachable =>
          failure._tag === "RpcClientError"
            ? unreachable(reasonOf(failure), hasRun)
            : failure
        ),
        Stream.interruptWhen(late),
        Stream.interruptWhen(given),
        Stream.catch((failure) =>
          Stream.unwrap(Effect.gen(function*() {
            const told = named(failure, requestId)
            const pauseMs = yield* pauseOf(failure, left, retries)
            const isLate = (yield* Clock.currentTimeMillis) + (pauseMs ?? 0) >= untilMs
            if (pauseMs === undefined || isLate) {
              return Stream.fail(told)
            }
            yield* Effect.sleep(pauseMs)
            return attempt(untilMs, left - 1, hasRun || mayHaveRun(failure))
          }))
        )
      )
    }))

  return Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (nowMs) => attempt(nowMs + timeoutMs, retries, false))
  )
}

const aborted = <E>(signal: AbortSignal | undefined, failure: () => E): Effect.Effect<never, E> =>
  signal === undefined ? Effect.never : Effect.callback<never, E>((resume) => {
    const abort = () => resume(Effect.fail(failure()))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** Milliseconds before the next try; `undefined`: no retry. */
const pauseOf = (
  failure: CallFailure,
  left: number,
  retries: number
): Effect.Effect<number | undefined> => {
  if (left <= 0) return Effect.undefined
  if (failure._tag === "ServiceUnreachable") {
    return isPassing(failure)
      ? Random.nextBetween(pauseMsMin, 2 * pauseMsMin * 2 ** (retries - left))
      : Effect.undefined
  }
  return failureTable[failure._tag].passes && "retry_after_ms" in failure
    ? Effect.succeed(failure.retry_after_ms)
    : Effect.undefined
}

const isPassing = ({ cause, detail }: ServiceUnreachable): boolean =>
  cause === "refused" || cause === "reset" ||
  (cause === "status" && (detail === "503" || detail === "429"))

const mayHaveRun = (failure: CallFailure): boolean =>
  failure._tag === "ServiceUnreachable"
    ? failure.may_have_run
    : failureTable[failure._tag].mayHaveRun

/** Adds the request's id to a failure that lacks one. */
const named = <E extends CallFailure>(failure: E, request_id: string | undefined): E => {
  if (request_id === undefined || "request_id" in failure) return failure
  return Object.defineProperty(failure, "request_id", { value: request_id, enumerable: true })
}

/**
 * - `refused`: no server listens there.
 * - `dns`: the name does not resolve.
 * - `reset`: the connection ended before the answer was complete.
 * - `timeout`: no answer within the call's time.
 * - `aborted`: the caller's signal.
 * - `status`: an HTTP status instead of an answer.
 * - `malformed`: no answer of this service.
 */
export const UnreachableCause = Schema.Literals([
  "refused",
  "dns",
  "reset",
  "timeout",
  "aborted",
  "status",
  "malformed"
])
export type UnreachableCause = typeof UnreachableCause.Type

/** The service was not reached, or its answer was lost. */
export class ServiceUnreachable
  extends Schema.TaggedError<ServiceUnreachable>()("ServiceUnreachable", {
    url: Schema.String,
    cause: UnreachableCause,
    /** The system's code or the HTTP status, e.g. `ECONNREFUSED`, `503`. */
    detail: Schema.optionalKey(Schema.String),
    /** Id to repeat the request under: completed work is not repeated. Absent without a request. */
    request_id: Schema.optionalKey(Schema.String),
    /** Whether the call may have reached the service, by this try or an earlier one. */
    may_have_run: Schema.Boolean
  })
{
  override get message(): string {
    const detail = this.detail === undefined ? "" : ` (${this.detail})`
    const again = this.request_id === undefined ? "" : `; ask again as request ${this.request_id}`
    return `${sentences[this.cause]} at ${this.url}${detail}` + (this.may_have_run ? again : "")
  }
}

const sentences: Record<UnreachableCause, string> = {
  refused: "No service listens",
  dns: "No such host is known:",
  reset: "The connection ended before the answer was complete",
  timeout: "The service did not answer in time",
  aborted: "The call was given up",
  status: "The service refused the call",
  malformed: "What answers is not this service"
}

type Reason = Pick<ServiceUnreachable, "cause" | "may_have_run"> & { readonly detail?: string }

/** Statuses with which nothing was done. */
const refusing: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415, 421, 429, 503])

const causeByCode: Readonly<Record<string, UnreachableCause>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused"
}

/** Reason for a failed exchange over HTTP. */
const reasonOf = ({ reason }: RpcClientError.RpcClientError): Reason => {
  if (reason._tag !== "HttpError") {
    // A stream that ends early is a defect of the protocol to the RPC client.
    const isCut = reason.message.includes("ended before")
    return { cause: isCut ? "reset" : "malformed", may_have_run: true }
  }
  const { cause, kind } = reason
  if (kind === "StatusCodeError") {
    const status = statusOf(cause)
    return {
      cause: "status",
      detail: String(status),
      may_have_run: !refusing.has(status)
    }
  }
  const code = codeOf(cause)
  const known = causeByCode[code]
  return {
    cause: known ?? (kind === "InvalidUrlError" ? "dns" : "reset"),
    ...(code === "" ? {} : { detail: code }),
    may_have_run: known === undefined && kind !== "InvalidUrlError"
  }
}

const statusOf = (cause: unknown): number =>
  Predicate.hasProperty(cause, "response") &&
    Predicate.hasProperty(cause.response, "status") && Predicate.isNumber(cause.response.status)
    ? cause.response.status
    : 0

const causesMax = 8

/** The first code in the chain of causes. */
const codeOf = (error: unknown, left = causesMax): string => {
  if (left === 0) return ""
  if (Predicate.hasProperty(error, "code") && Predicate.isString(error.code)) return error.code
  return Predicate.hasProperty(error, "cause") ? codeOf(error.cause, left - 1) : ""
}
