/**
 * Progress as server-sent events: each `fact` with its `stream_version` as id, then `outcome`, or
 * `failed` with a problem. `Last-Event-ID` continues after that version. Facts of other processes
 * are read from the log.
 */
import {
  type Cause,
  Clock,
  Deferred,
  Effect,
  Fiber,
  Option,
  Queue,
  Schedule,
  Schema,
  Scope,
  Stream
} from "effect"
import type { HttpServerResponse } from "effect/http"
import type { RemoteCaller } from "../../application/Access.ts"
import { Draining } from "../../application/CheckServing.ts"
import * as SessionPages from "../../application/log/SessionPages.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import type { StoredEvent } from "../../application/ports/EventStore.ts"
import { waitingFactsMax } from "../../application/ports/Limits.ts"
import { EventView } from "../../contract/EventView.ts"
import {
  InternalFailure,
  Interrupted,
  PackNotFound,
  type PublicFailure
} from "../../contract/PublicFailure.ts"
import type { InputOf } from "../../contract/ServiceOperations.ts"
import { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import type { WaitingAnswer as Answer } from "../../infrastructure/http/WaitingAnswers.ts"
import * as Problem from "./Problem.ts"

const pageEvents = 100

/** Poll interval for a request that runs in another process. */
const pollEvery = "500 millis"
/** Longest time for following one; the caller continues after its last event. */
const followMsMax = 60_000

interface ProgressRequest {
  readonly session_id: string
  readonly request_id: string | undefined
  readonly after: number | undefined
}

type Write = (frame: string) => Effect.Effect<void>

type Run = (
  write: Write
) => Effect.Effect<void, PublicFailure, ServiceCalls | Draining>

const encodeEvent = Schema.encodeEffect(Schema.toCodecJson(EventView))
const encodeOutcome = Schema.encodeEffect(Schema.toCodecJson(GroundingOutcome))

const factOf = (event: EventView) =>
  Effect.map(
    // Events decoded from the log always encode.
    Effect.orDie(encodeEvent(event)),
    (data) => `id: ${event.stream_version}\n${frameOf("fact", data)}`
  )

const outcomeOf = (outcome: GroundingOutcome, noted = (data: unknown) => data) =>
  Effect.map(Effect.orDie(encodeOutcome(outcome)), (data) => frameOf("outcome", noted(data)))

/** Server-sent event with JSON data on one line: JSON has no raw line breaks. */
const frameOf = (event: "fact" | "outcome" | "failed", data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const telling = Effect.fnUntraced(function*(
  { after, request_id, session_id }: ProgressRequest,
  caller: RemoteCaller,
  write: Write
) {
  const { calls } = yield* ServiceCalls
  let last = after
  let asked = request_id
  let toldCount = 0
  let isFinished = false

  const tell = Effect.fnUntraced(function*(event: EventView) {
    last = event.stream_version
    if (event.correlation_id !== asked) return
    isFinished = isFinished || event.type === "WEB_GROUNDING_FINISHED"
    toldCount += 1
    yield* write(yield* factOf(event))
  })

  const readOn: Effect.Effect<void, PublicFailure> = Effect.suspend(() =>
    last === undefined ? Effect.void : Effect.flatMap(
      calls.GetSession({ session_id, after: last, limit: pageEvents }, caller),
      ({ events, next }) =>
        Effect.andThen(
          Effect.forEach(events, tell, { discard: true }),
          next === undefined ? Effect.void : readOn
        )
    )
  )

  /** Sends a reported fact; unreported ones before it are read. */
  const reported = Effect.fnUntraced(function*(stored: StoredEvent) {
    asked ??= stored.metadata.correlation_id
    if (last !== undefined && stored.version > last + 1) yield* Effect.ignore(readOn)
    // If the log cannot be read now, it is read at the end.
    if (last === undefined || stored.version === last + 1) {
      yield* tell(SessionPages.viewOf(stored))
    }
  })

  return {
    readOn,
    reported,
    toldCount: () => toldCount,
    isFinished: () => isFinished
  }
})

/** Grounds a question. A request known to the log continues and pays for nothing twice. */
export const grounding = (
  input: InputOf<"Ground">,
  asked: ProgressRequest,
  caller: RemoteCaller,
  /** Adds notes to the encoded outcome. */
  noted: (outcome: unknown) => unknown
): Run =>
(write) =>
  Effect.gen(function*() {
    const { calls } = yield* ServiceCalls
    // Reads nothing before `Ground` has checked scope and question: its first report or result.
    const reader = { ...caller, scopes: new Set([...caller.scopes, "read" as const]) }
    const { readOn, reported } = yield* telling(asked, reader, write)
    const facts = yield* Queue.dropping<StoredEvent, Cause.Done>(waitingFactsMax)
    const teller = yield* Effect.forkChild(Stream.runForEach(Stream.fromQueue(facts), reported))
    const outcome = yield* calls.Ground(
      input,
      caller,
      ({ stored }) => Effect.asVoid(Queue.offer(facts, stored))
    ).pipe(Effect.onExit(() => Effect.andThen(Queue.end(facts), Fiber.await(teller))))
    yield* readOn
    yield* write(yield* outcomeOf(outcome, noted))
  })

/** Follows an earlier request without doing work for it. */
export const followRequest = (
  { after, request_id, session_id }: ProgressRequest & { readonly request_id: string },
  caller: RemoteCaller
): Run =>
(write) =>
  Effect.gen(function*() {
    const { calls: { GetPack } } = yield* ServiceCalls
    const { isRefusing } = yield* Draining
    const ref = { session_id, request_id }
    const sender = yield* telling({ ...ref, after: after ?? 0 }, caller, write)
    const untilMs = (yield* Clock.currentTimeMillis) + followMsMax

    const lookAgain: Effect.Effect<void, PublicFailure> = Effect.gen(function*() {
      if (yield* isRefusing) return yield* new Interrupted({ request_id, retry_after_ms: 0 })
      yield* sender.readOn
      if (sender.isFinished()) {
        return yield* write(yield* outcomeOf(yield* GetPack(ref, caller)))
      }
      if ((yield* Clock.currentTimeMillis) >= untilMs) return
      yield* Effect.sleep(pollEvery)
      return yield* lookAgain
    })

    // The log only grows: a read after the answer was recorded is complete.
    const pack = yield* Effect.map(GetPack(ref, caller), Option.some).pipe(
      Effect.catchTag("PackNotFound", () => Effect.succeedNone)
    )
    yield* sender.readOn
    if (Option.isSome(pack)) return yield* write(yield* outcomeOf(pack.value))
    if (after === undefined && sender.toldCount() === 0) return yield* new PackNotFound(ref)
    return yield* lookAgain
  })

// A streamed response, started with its first frame, so that an early failure has a status.

const openMsMax = 1_000
/** Intermediaries close connections that are silent for longer. */
const heartbeatEvery = "10 seconds"
/** Milliseconds before a disconnected caller should reconnect. */
const retryMs = 1_000

export const contentType = "text/event-stream"

/** Fails, without starting a stream, if the run failed before its first frame. */
export const answer = Effect.fnUntraced(function*<E extends PublicFailure, R>(
  { end, response, write }: Answer,
  run: (write: Write) => Effect.Effect<void, E, R>,
  headers: Readonly<Record<string, string>>
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, E, R | Scope.Scope> {
  const scope = yield* Scope.Scope
  const opened = yield* Deferred.make<void, E>()
  const open = Effect.asVoid(Deferred.succeed(opened, undefined))
  const written: Write = (frame) => Effect.andThen(write(frame), open)

  yield* write(`retry: ${retryMs}\n\n`)
  const failed = (failure: PublicFailure) => write(frameOf("failed", Problem.problemOf(failure)))
  yield* run(written).pipe(
    Effect.catch((failure) =>
      Effect.flatMap(
        Deferred.fail(opened, failure),
        (isFirst) => isFirst ? Effect.void : failed(failure)
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a bug", defect), failed(new InternalFailure()))
    ),
    Effect.ensuring(Effect.andThen(open, end)),
    Effect.forkIn(scope)
  )
  yield* Effect.timeoutOption(Deferred.await(opened), openMsMax)
  yield* open
  yield* Deferred.await(opened)
  yield* Effect.forkIn(
    Effect.delay(Effect.repeat(write(": \n\n"), Schedule.spaced(heartbeatEvery)), heartbeatEvery),
    scope
  )
  return response({ contentType, headers })
})
