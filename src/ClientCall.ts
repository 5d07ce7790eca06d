/** One call of the client: bounded in time, tried again where that is safe, named on failure. */
import { Clock, Context, Effect, Random, Stream } from "effect"
import type { RpcClientError } from "effect/rpc"
import type { EvidenceFailure } from "./contract/EvidenceFailure.ts"
import type { PublicFailure } from "./contract/PublicFailure.ts"
import * as Unreachable from "./ServiceUnreachable.ts"

/** For every call of a client, or for a single one. */
export interface CallOptions {
  /** Sent with each request, e.g. `authorization` or `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Milliseconds until the client gives up, its retries included. Default: the deadline of a
   * grounding and 2 s more, 30 s for other calls.
   */
  readonly timeoutMs?: number
  /** How often a call that failed is sent again, under the same `request_id`. Default 2. */
  readonly retries?: number
  /** Ends the call. The service stops at the next step and keeps what was done. */
  readonly signal?: AbortSignal
}

/** What the running call sends as HTTP headers. */
export const CallHeaders = Context.Reference<Readonly<Record<string, string>>>(
  "web-grounding/ClientCall/CallHeaders",
  { defaultValue: () => ({}) }
)

export type Failed = PublicFailure | EvidenceFailure | Unreachable.ServiceUnreachable

const retriesDefault = 2
const pauseMsMin = 100

interface Call {
  readonly url: string
  readonly requestId: string | undefined
  readonly options: CallOptions
  readonly timeoutMs: number
}

export type Sent<E> = E | RpcClientError.RpcClientError

export const run = <A, E extends Failed>(
  call: Call,
  send: Effect.Effect<A, Sent<E>>
): Effect.Effect<A, E | Unreachable.ServiceUnreachable> =>
  Stream.runLast(stream(call, () => Stream.fromEffect(send))).pipe(
    Effect.flatMap((last) =>
      last._tag === "Some"
        ? Effect.succeed(last.value)
        // A stream of one effect has one element, or fails.
        : Effect.die(last)
    )
  )

/**
 * A call that answers with many elements. `send` is given the milliseconds that are left. A retry
 * goes on where the log stands.
 */
export const stream = <A, E extends Failed>(
  call: Call,
  send: (leftMs: number) => Stream.Stream<A, Sent<E>>
): Stream.Stream<A, E | Unreachable.ServiceUnreachable> => {
  const { options: { headers = {}, retries = retriesDefault, signal }, requestId, timeoutMs, url } =
    call
  const of = requestId === undefined ? {} : { request_id: requestId }
  const unreachable = (reason: ReturnType<typeof Unreachable.reasonOf>, hasRun: boolean) =>
    new Unreachable.ServiceUnreachable({
      url,
      ...of,
      ...reason,
      may_have_run: reason.may_have_run || hasRun
    })

  const attempt = (
    untilMs: number,
    left: number,
    hasRun: boolean
  ): Stream.Stream<A, E | Unreachable.ServiceUnreachable> =>
    Stream.unwrap(Effect.gen(function*() {
      const leftMs = Math.max(0, untilMs - (yield* Clock.currentTimeMillis))
      const late = Effect.andThen(
        Effect.sleep(leftMs),
        Effect.fail(unreachable({ cause: "timeout", may_have_run: true }, hasRun))
      )
      const given = aborted(signal, () =>
        unreachable({ cause: "aborted", may_have_run: true }, hasRun))
      return Stream.provideService(send(leftMs), CallHeaders, headers).pipe(
        Stream.mapError((failure): E | Unreachable.ServiceUnreachable =>
          failure._tag === "RpcClientError"
            ? unreachable(Unreachable.reasonOf(failure), hasRun)
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

/** Milliseconds to wait before the next try; `undefined`: none is made. */
const pauseOf = (
  failure: Failed,
  left: number,
  retries: number
): Effect.Effect<number | undefined> => {
  if (left <= 0) return Effect.undefined
  switch (failure._tag) {
    case "Overloaded":
    case "Interrupted":
    case "StoreUnavailable":
    case "RequestInProgress":
      return Effect.succeed(failure.retry_after_ms)
    case "ServiceUnreachable":
      return isPassing(failure)
        ? Random.nextBetween(pauseMsMin, 2 * pauseMsMin * 2 ** (retries - left))
        : Effect.undefined
    default:
      return Effect.undefined
  }
}

const isPassing = ({ cause, detail }: Unreachable.ServiceUnreachable): boolean =>
  cause === "refused" || cause === "reset" ||
  (cause === "status" && (detail === "503" || detail === "429"))

const mayHaveRun = (failure: Failed): boolean =>
  failure._tag === "ServiceUnreachable" ? failure.may_have_run : failure._tag !== "Overloaded"

/** The failure with the request it was told for, where it does not say so itself. */
const named = <E extends Failed>(failure: E, request_id: string | undefined): E => {
  if (request_id === undefined || "request_id" in failure) return failure
  return Object.defineProperty(failure, "request_id", { value: request_id, enumerable: true })
}
