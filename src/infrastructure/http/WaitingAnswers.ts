/** Writes responses in pieces without waiting for the client, with a bound on unread bytes. */
import { Array as Arr, type Cause, Effect, Queue, Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage } from "node:http"
import * as UnreadAnswers from "./UnreadAnswers.ts"

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

export const make: Effect.Effect<Answers, never, Scope.Scope> = Effect.map(
  UnreadAnswers.make,
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
        yield* waiting.take(taken.reduce((sum, { bytes }) => sum + bytes.length, 0))
        yield* Effect.forEach(taken, ({ read }) => read, { discard: true })
        taken = []
        const more = yield* Queue.takeAll(pieces)
        taken = more
        return Arr.map(more, ({ bytes }) => bytes)
      })
      return {
        write: (text: string, read = Effect.void) => {
          const bytes = encoder.encode(text)
          return Effect.andThen(waiting.add(bytes.length), Queue.offer(pieces, { bytes, read }))
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
