/**
 * Writes responses in pieces without waiting for the client. Bounds the bytes that clients leave
 * unread, and disconnects slow ones. A response's bytes count until the connection has taken them.
 */
import { Array as Arr, type Cause, Clock, Effect, Queue, Schedule, Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage } from "node:http"

const unreadBytesMax = 24 * 1_048_576
/** A client with unread data that reads nothing for this time is disconnected. */
const idleMsMax = 10_000
const pollEvery = "1 second"

export interface WaitingAnswer {
  /** Writes without waiting. Nothing is written after the end. `read`: once the client took it. */
  readonly write: (text: string, read?: Effect.Effect<void>) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
  readonly response: (
    head: { readonly contentType: string; readonly status?: number } & Headed
  ) => HttpServerResponse.HttpServerResponse
}

interface Piece {
  readonly bytes: Uint8Array
  readonly read: Effect.Effect<void>
}

interface Headed {
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answers {
  readonly open: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<WaitingAnswer, never, Scope.Scope>
}

/** Headers of every response: not cacheable, and no content sniffing. */
export const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

interface Open {
  bytes: number
  /** Time when the client last read, or its first unread byte was written. */
  movedAtMs: number
  readonly cutOff: () => void
}

/** Bounds the bytes that clients leave unread, until the scope closes. */
const bounding = Effect.gen(function*() {
  const open = new Set<Open>()
  let totalBytes = 0

  const forget = (answer: Open) => {
    if (open.delete(answer)) totalBytes -= answer.bytes
  }

  const cut = (answer: Open) => {
    forget(answer)
    answer.cutOff()
  }

  /** Disconnects the longest idle clients first. */
  const makeRoom = () => {
    const waiting = [...open].filter(({ bytes }) => bytes > 0)
      .sort((left, right) => left.movedAtMs - right.movedAtMs)
    for (const answer of waiting) {
      if (totalBytes <= unreadBytesMax) return
      cut(answer)
    }
  }

  const cutIdle = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    for (const answer of [...open]) {
      if (answer.bytes > 0 && nowMs - answer.movedAtMs > idleMsMax) cut(answer)
    }
  })
  yield* Effect.forkScoped(Effect.repeat(cutIdle, Schedule.spaced(pollEvery)))

  const opened = (cutOff: () => void) =>
    Effect.sync(() => {
      const answer: Open = { bytes: 0, movedAtMs: 0, cutOff }
      open.add(answer)
      const move = (bytes: number) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (!open.has(answer)) return
          if (bytes < 0 || answer.bytes === 0) answer.movedAtMs = nowMs
          answer.bytes += bytes
          totalBytes += bytes
          if (totalBytes > unreadBytesMax) makeRoom()
        })
      return {
        /** Adds unread bytes; negative: the connection has taken them. */
        move,
        close: Effect.sync(() => forget(answer))
      }
    })

  return { opened }
})

export const make: Effect.Effect<Answers, never, Scope.Scope> = Effect.map(
  bounding,
  (unread) => {
    const encoder = new TextEncoder()
    const open = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const source = request.source
      const pieces = yield* Queue.unbounded<Piece, Cause.Done>()
      const waiting = yield* unread.opened(() => {
        if (source instanceof IncomingMessage) source.socket.destroy()
      })
      yield* Effect.addFinalizer(() => Effect.andThen(Queue.shutdown(pieces), waiting.close))

      // A piece counts as read when the connection pulls the next.
      let taken: ReadonlyArray<Piece> = []
      const next = Effect.gen(function*() {
        yield* waiting.move(-taken.reduce((sum, { bytes }) => sum + bytes.length, 0))
        yield* Effect.forEach(taken, ({ read }) => read, { discard: true })
        taken = []
        const more = yield* Queue.takeAll(pieces)
        taken = more
        return Arr.map(more, ({ bytes }) => bytes)
      })
      return {
        write: (text: string, read = Effect.void) => {
          const bytes = encoder.encode(text)
          return Effect.andThen(waiting.move(bytes.length), Queue.offer(pieces, { bytes, read }))
        },
        end: Effect.asVoid(Queue.end(pieces)),
        response: ({ contentType, headers = {}, status = 200 }) =>
          HttpServerResponse.stream(Stream.fromPull(Effect.succeed(next)), {
            contentType,
            status,
            headers: { ...always, ...headers }
          })
      } satisfies WaitingAnswer
    })
    return { open }
  }
)
