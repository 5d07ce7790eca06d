/** The client in Effect: its failures by tag, and calls that end with their fiber. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { type ClientOptions, GroundingClient, layer } from "../src/effect.ts"
import { answering, eventsHead, listening, type RawServer, whole } from "./support/rawServer.ts"

const question = { session_id: "s", topic: "How much notice must a tenant give in Japan?" }
const testMsMax = 30_000

const server = (made: () => Promise<RawServer>) =>
  Effect.acquireRelease(Effect.promise(made), ({ close }) => Effect.sync(close))

/** Ends when every connection of the server is closed. */
const closed = ({ open }: RawServer) =>
  Effect.promise(async () => {
    while (open() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  })

const fact = `event: fact\ndata: {"stream_version":1,"type":"WEB_GROUNDING_REQUESTED"}\n\n`

describe("the client in Effect", { timeout: testMsMax }, () => {
  it.live("fails with what went wrong, by its tag", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({
        type: "urn:web-grounding:problem:pack-not-found",
        title: "No pack",
        status: 404,
        detail: "No pack is recorded"
      })
      const head = { "Content-Type": "application/problem+json" }
      const { url } = yield* server(() =>
        answering((socket) => socket.end(whole("404 Not Found", body, head)))
      )
      const away = yield* Effect.scoped(server(() => listening(() => {})))
      const failureOf = (options: ClientOptions) =>
        Effect.flatMap(GroundingClient, (api) => api.pack({ session_id: "s", request_id: "r" }))
          .pipe(
            Effect.as("answered"),
            Effect.catchTag("PackNotFound", ({ status }) => Effect.succeed(`status ${status}`)),
            Effect.provide(layer({ retries: 0, ...options }), { local: true }),
            Effect.catchTag("ServiceUnreachable", ({ reason }) => Effect.succeed(reason)),
            Effect.catchTag("InvalidArgument", ({ field }) => Effect.succeed(field))
          )
      assert.strictEqual(yield* failureOf({ url }), "status 404")
      assert.strictEqual(yield* failureOf({ url: away.url }), "refused")
      assert.strictEqual(yield* failureOf({ url: "ftp://example" }), "url")
      assert.strictEqual(yield* failureOf({ url, token: "two words" }), "token")
    }).pipe(Effect.scoped))

  it.live("closes the connection of a call that is interrupted", () =>
    Effect.gen(function*() {
      const silent = yield* server(() => answering(() => {}))
      const { health, progress } = yield* Effect.provide(GroundingClient, layer(silent))
      for (const call of [health(), Stream.runDrain(progress(question))]) {
        const calling = yield* Effect.forkChild(call)
        while (silent.open() === 0) yield* Effect.sleep("10 millis")
        yield* Fiber.interrupt(calling)
        yield* closed(silent)
      }
    }).pipe(Effect.scoped))

  it.live("hands on each fact at once, and closes the connection of a reader that stops", () =>
    Effect.gen(function*() {
      const slow = yield* server(() => answering((socket) => socket.write(eventsHead + fact)))
      const { progress } = yield* Effect.provide(GroundingClient, layer(slow))
      const [first] = yield* Stream.runCollect(Stream.take(progress(question), 1))
      assert.strictEqual(first?.type, "fact")
      yield* closed(slow)
      // The second fact never comes: the reader ends while it waits.
      const waiting = Stream.interruptWhen(progress(question), Effect.sleep("300 millis"))
      assert.lengthOf(yield* Stream.runCollect(waiting), 1)
      yield* closed(slow)
    }).pipe(Effect.scoped))
})
