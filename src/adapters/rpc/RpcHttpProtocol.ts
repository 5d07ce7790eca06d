/**
 * RPC over HTTP as newline-delimited JSON, with a bound on everything a caller may send, leave
 * unread or have in progress. Writing never blocks; a connection's next call begins once the client
 * has taken a response.
 */
import {
  Clock,
  Effect,
  Exit,
  Iterable,
  Option,
  Predicate,
  Queue,
  Result,
  Schema,
  Scope,
  Semaphore
} from "effect"
import { Headers, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { type RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import {
  InvalidInput,
  versionHeader,
  VersionMismatch,
  versionMismatchOf
} from "../../contract/PublicFailure.ts"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import * as HttpRequest from "../../infrastructure/http/HttpRequest.ts"
import * as WaitingAnswers from "../../infrastructure/http/WaitingAnswers.ts"
import { ArrivedAt } from "./GroundingRpc.ts"

/** Calls of one connection that are in progress or whose responses are unread. */
const connectionCallsMax = 4

const contentType = "application/x-ndjson"

interface RpcAnswer {
  readonly write: (message: unknown, isLast: boolean) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

const lineOf = (message: unknown): string => `${JSON.stringify(message)}\n`

const encodeFailure = Schema.encodeEffect(
  Schema.toCodecJson(
    Schema.Exit(Schema.Void, Schema.Union([InvalidInput, VersionMismatch]), Schema.Defect())
  )
)

const refusalBy = (id: string | number, failure: InvalidInput | VersionMismatch) =>
  encodeFailure(Exit.fail(failure)).pipe(
    Effect.orDie,
    Effect.map((exit): unknown => ({ _tag: "Exit", requestId: id, exit }))
  )

const refusal = ({ field, id, problem }: BadFrame) =>
  refusalBy(id, new InvalidInput({ field, problem }))

/** A call with its own trace joins that one, else its request's. */
const joined = <A, E, R>(
  headers: CallFrame["headers"],
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Option.match(HttpTraceContext.w3c(Headers.fromInput(headers)), {
    onNone: () => call,
    onSome: (parent) => Effect.withParentSpan(call, parent)
  })

type Decode = (tag: string, input: Schema.Json) => Effect.Effect<unknown, InvalidInput>

type DecodedFrame = Omit<CallFrame, "payload"> & { readonly payload: unknown }

/** One response for each request. `tags` are the methods of the served group. */
export const make = Effect.fnUntraced(function*(
  tags: ReadonlyMap<string, unknown>,
  decode: Decode
) {
  const serialization = yield* RpcSerialization.RpcSerialization
  const waiting = yield* WaitingAnswers.make
  const disconnects = yield* Queue.make<number>()
  const answers = new Map<number, RpcAnswer>()
  const places = new WeakMap<Socket, Semaphore.Semaphore>()
  let clientsCount = 0
  let receive: (clientId: number, message: RpcMessage.FromClientEncoded) => Effect.Effect<void> =
    () => Effect.void

  const placesOf = (socket: Socket): Semaphore.Semaphore => {
    const known = places.get(socket)
    if (known !== undefined) return known
    const made = Semaphore.makeUnsafe(connectionCallsMax)
    places.set(socket, made)
    return made
  }

  /** Starts the calls in order, each when the connection is below its limit. */
  const feed = Effect.fnUntraced(function*(
    clientId: number,
    answer: RpcAnswer,
    frames: ReadonlyArray<DecodedFrame | BadFrame>,
    { headers, place }: {
      readonly headers: ReadonlyArray<[string, string]>
      readonly place: Effect.Effect<unknown>
    }
  ) {
    for (const frame of frames) {
      yield* place
      yield* frame._tag === "Bad"
        ? Effect.flatMap(refusal(frame), (line) => answer.write(line, true))
        : joined(
          frame.headers,
          receive(clientId, {
            _tag: "Request",
            id: frame.id,
            tag: frame.tag,
            payload: frame.payload,
            headers: [...headers, ...frame.headers]
          })
        )
    }
    yield* receive(clientId, { _tag: "Eof" })
  })

  const answered = Effect.fnUntraced(function*(
    frames: ReadonlyArray<DecodedFrame | BadFrame>,
    request: HttpServerRequest.HttpServerRequest,
    socket: Socket
  ) {
    const scope = yield* Scope.Scope
    const clientId = clientsCount++
    const response = yield* waiting.open(request)
    const semaphore = placesOf(socket)
    let held = 0
    const place = Effect.andThen(semaphore.take(1), Effect.sync(() => held += 1))
    const giveBack = (count: number) =>
      Effect.suspend(() => {
        const back = Math.min(held, count)
        held -= back
        return semaphore.release(back)
      })

    const answer: RpcAnswer = {
      write: (message, isLast) =>
        response.write(lineOf(message), isLast ? giveBack(1) : Effect.void),
      end: response.end
    }
    answers.set(clientId, answer)
    yield* Scope.addFinalizer(
      scope,
      Effect.gen(function*() {
        answers.delete(clientId)
        yield* Queue.offer(disconnects, clientId)
        yield* giveBack(held)
      })
    )
    const headers = Object.entries(request.headers)
    yield* Effect.forkIn(feed(clientId, answer, frames, { headers, place }), scope)
    return response.response({ contentType })
  })

  const refused = Effect.fnUntraced(function*(refusals: ReadonlyArray<Effect.Effect<unknown>>) {
    const lines = yield* Effect.all(refusals)
    return HttpServerResponse.text(lines.map(lineOf).join(""), {
      status: 400,
      contentType,
      headers: WaitingAnswers.always
    })
  })

  const httpEffect = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const arrivedAtMs = yield* Clock.currentTimeMillis
    const source = request.source
    if (!(source instanceof IncomingMessage)) return HttpServerResponse.empty({ status: 500 })
    const body = yield* Effect.result(HttpRequest.readBody(request))
    if (Result.isFailure(body)) return HttpServerResponse.empty({ status: body.failure })
    const sent = readFrames(body.success, tags)
    const mismatch = versionMismatchOf(request.headers[versionHeader])
    if (mismatch !== undefined) {
      return yield* refused(sent.map(({ id }) => refusalBy(id, mismatch)))
    }
    const frames = yield* Effect.forEach(
      sent,
      (frame) =>
        frame._tag === "Bad"
          ? Effect.succeed(frame)
          : Effect.match(decode(frame.tag, frame.payload), {
            onSuccess: (payload): DecodedFrame => ({ ...frame, payload }),
            onFailure: ({ field, problem }) => badFrame(frame.id, field, problem)
          })
    )
    const bad = frames.filter((frame) => frame._tag === "Bad")
    return yield* bad.length === frames.length
      ? refused(bad.map(refusal))
      : Effect.provideService(answered(frames, request, source.socket), ArrivedAt, arrivedAtMs)
  })

  const protocol = yield* RpcServer.Protocol.make((write) => {
    receive = write
    return Effect.succeed({
      disconnects,
      send: (clientId, response) =>
        answers.get(clientId)?.write(response, response._tag !== "Chunk") ?? Effect.void,
      end: (clientId) => answers.get(clientId)?.end ?? Effect.void,
      clientIds: Effect.sync(() => new Set(answers.keys())),
      initialMessage: Effect.succeedNone,
      supportsAck: false,
      supportsTransferables: false,
      supportsSpanPropagation: false,
      supportsNotifications: false,
      codecFor: serialization.codecFor
    })
  })

  return { protocol, httpEffect }
})

// Decodes frames one by one: a fault in one is reported for that one.

const framesMax = 32
const idCharsMax = 200

interface CallFrame {
  readonly _tag: "Call"
  readonly id: string | number
  readonly tag: string
  readonly payload: Schema.Json
  readonly headers: ReadonlyArray<[string, string]>
}

interface BadFrame {
  readonly _tag: "Bad"
  /** Empty if unknown. */
  readonly id: string | number
  /** A key of the frame, e.g. `payload.deadline_ms`, or `frame N`, counted from 1. */
  readonly field: string
  readonly problem: string
}

const badFrame = (id: string | number, field: string, problem: string): BadFrame => ({
  _tag: "Bad",
  id,
  field,
  problem
})

/**
 * Calls in a body, one a line, and faults of others. `tags` are the existing methods. Beyond 32
 * frames, one `BadFrame` covers the rest, which is not read.
 */
export const readFrames = (
  body: string,
  tags: ReadonlyMap<string, unknown>
): ReadonlyArray<CallFrame | BadFrame> => {
  const ids = new Set<string | number>()
  return linesOf(body, framesMax + 1).map((line, index): CallFrame | BadFrame => {
    const place = `frame ${index + 1}`
    if (index >= framesMax) {
      const problem = `More than ${framesMax} in one body: this one and the rest were not read`
      return badFrame("", place, problem)
    }
    const frame = frameOf(line, place, tags)
    if (frame._tag === "Bad" || !ids.has(frame.id)) {
      ids.add(frame.id)
      return frame
    }
    return badFrame("", "id", `${frame.id} was used twice in one body`)
  })
}

/** Read one by one: a body may be nothing but line breaks. */
const linesOf = (body: string, linesMax: number): ReadonlyArray<string> =>
  Array.from(Iterable.take(body.matchAll(/\S[^\n]*/g), linesMax), ([line]) => line.trimEnd())

const frameOf = (
  line: string,
  place: string,
  tags: ReadonlyMap<string, unknown>
): CallFrame | BadFrame => {
  const size = BoundedJson.sizeFaultOf(line)
  if (size !== undefined) return badFrame("", place, size)
  const parsed = BoundedJson.parse(line)
  if (Option.isNone(parsed)) return badFrame("", place, "Expected one JSON object a line")
  const frame = parsed.value
  if (!Predicate.isObject(frame) || Array.isArray(frame)) {
    return badFrame("", place, "Expected an object with _tag, id, tag and payload")
  }
  const { _tag, headers = [], id, payload = null, tag }: Record<string, unknown> = { ...frame }
  if (!isId(id)) {
    return badFrame("", `${place}.id`, `Expected a whole number or 1 to ${idCharsMax} characters`)
  }
  if (_tag !== "Request") return badFrame(id, `${place}._tag`, `Expected "Request"`)
  if (!Predicate.isString(tag) || !tags.has(tag)) {
    return badFrame(id, "tag", `Expected one of ${[...tags.keys()].join(", ")}`)
  }
  if (!isHeaders(headers)) return badFrame(id, "headers", "Expected pairs of texts")
  const faulty = BoundedJson.notFinite(payload, "payload")
  if (faulty !== undefined) return badFrame(id, faulty, "Expected a number that JSON can hold")
  return BoundedJson.isJson(payload)
    ? { _tag: "Call", id, tag, payload, headers }
    : badFrame(id, "payload", "Expected JSON")
}

const isId = (id: unknown): id is string | number =>
  typeof id === "string" ? id !== "" && id.length <= idCharsMax : Number.isSafeInteger(id)

const isHeaders = (headers: unknown): headers is ReadonlyArray<[string, string]> =>
  Array.isArray(headers) &&
  headers.every((pair) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string")
  )
