import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option } from "effect"
import { connect } from "node:net"
import { GroundingRpc } from "../../src/adapters/rpc/GroundingRpc.ts"
import * as RpcHttpProtocol from "../../src/adapters/rpc/RpcHttpProtocol.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { scripted } from "../support/grounding.ts"
import { slowness } from "../support/machine.ts"
import {
  dial,
  failureIn,
  frame,
  get,
  host,
  linesOf,
  post,
  rawPost,
  serving,
  url
} from "../support/service.ts"

const asked = {
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
}
const groundingPlaces = 8
const callersCount = 70
/** What hangs, hangs for good; an answer is waited for longer where the machine is slow. */
const patienceMsMin = 5_000
const patienceFactor = 100

/** How long an answer is waited for: by what a call takes before anything else is asked. */
const patienceMs = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.timed(call),
    ([took]) => Math.max(patienceMsMin, patienceFactor * Duration.toMillis(took))
  )

/** Whether a call is answered at all while the others hang. */
const isAnswered = <A, E, R>(call: Effect.Effect<A, E, R>, waitMs = patienceMsMin) =>
  Effect.map(Effect.timeoutOption(call, waitMs), Option.isSome)

/** A session with events of about 1.5 MB. */
const fill = Effect.gen(function*() {
  const store = yield* EventStore
  const { head } = yield* store.read({ tenant_id: "default", session_id: "long" })
  yield* store.append(
    head,
    Array.from({ length: 60 }, (_, index) => ({
      eventId: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      type: "WEB_GROUNDING_NOTED",
      schemaVersion: 1,
      data: { text: "x".repeat(25_000) },
      metadata: { correlation_id: "r", causation_id: "c", actor: "test" }
    }))
  )
})

const manyFrames = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => frame(`f${index}`, "GetSession", { session_id: "long" })
  ).join("")

const read = (service: string) =>
  Effect.map(
    post(service, frame("1", "GetSession", { session_id: "none" })),
    ({ text }) => failureIn(text, "1")
  )

const health = (service: string) =>
  Effect.map(post(service, frame("1", "GetHealth", {})), ({ text }) => failureIn(text, "1"))

describe("slow groundings", () => {
  /** Groundings that take until their deadline, more than there are places for. */
  const groundings = (service: string) =>
    Effect.forEach(
      Array.from({ length: callersCount }, (_, index) => index),
      (index) =>
        post(
          service,
          frame("1", "Ground", { ...asked, session_id: `s${index}`, deadline_ms: 8_000 })
        ),
      { concurrency: "unbounded" }
    )

  const places = { grounding: groundingPlaces, read: 8, health: 2, document: 2 }
  it.layer(serving(scripted("hangs"), { places }), { excludeTestServices: true })((it) => {
    it.effect(
      "keep no read and no health check waiting, and are refused beyond their places",
      () =>
        Effect.gen(function*() {
          const service = yield* url
          const running = yield* Effect.forkChild(groundings(service))
          yield* Effect.sleep("1 second")
          assert.isTrue(yield* isAnswered(read(service)))
          assert.isTrue(yield* isAnswered(health(service)))
          assert.strictEqual((yield* get(service, "/readyz")).status, 200)
          const answers = yield* Fiber.join(running)
          const refused = answers.filter(({ text }) => text.includes("\"Overloaded\""))
          assert.isAtLeast(refused.length, callersCount - 3 * groundingPlaces)
          assert.deepInclude(failureIn(refused[0]?.text ?? "", "1"), { retry_after_ms: 1_000 })
        }),
      120_000
    )
  })
})

describe("a client that reads nothing of its answers", () => {
  const greedy = Effect.fnUntraced(function*(connections: number, framesCount: number) {
    yield* fill
    const service = yield* url
    const body = manyFrames(framesCount)
    const sockets = yield* Effect.forEach(
      Array.from({ length: connections }),
      () => dial(service),
      { concurrency: "unbounded" }
    )
    for (const socket of sockets) socket.write(rawPost(body).repeat(4))
    yield* Effect.sleep("1 second")
    return service
  })

  it.layer(serving(scripted("hangs")), { excludeTestServices: true })((it) => {
    it.effect(
      "keeps nobody else waiting, and costs a bounded amount of memory",
      () =>
        Effect.gen(function*() {
          const aloneMs = yield* patienceMs(Effect.flatMap(url, read))
          const before = process.memoryUsage.rss()
          const service = yield* greedy(64, 30)
          const waitMs = 3 * aloneMs * Math.min(4, slowness())
          assert.isTrue(yield* isAnswered(read(service), waitMs))
          assert.isTrue(yield* isAnswered(health(service), waitMs))
          const grownMib = (process.memoryUsage.rss() - before) / 1_048_576
          assert.isBelow(grownMib, 192, "the test's own sockets and the log in memory included")
        }).pipe(Effect.scoped),
      120_000
    )
  })
})

describe("connections", () => {
  const connectionsMax = 20
  /** Enough that no grounding is refused: all stay under way. */
  const places = { grounding: 200, read: 8, health: 2, document: 2 }
  const options = { connectionsMax, places }

  it.layer(serving(scripted("hangs"), options), { excludeTestServices: true })((it) => {
    it.effect(
      "beyond the cap take the place of idle ones, so that live callers are served",
      () =>
        Effect.gen(function*() {
          const service = yield* url
          yield* Effect.forEach(Array.from({ length: 4 * connectionsMax }), () => dial(service))
          assert.strictEqual((yield* get(service, "/health")).status, 200)
          assert.isTrue(yield* isAnswered(read(service)))
        }).pipe(Effect.scoped),
      120_000
    )

    it.effect.each(["", "Expect: 100-continue", "Connection: Upgrade\r\nUpgrade: other"])(
      "are refused where all have a call under way that was sent with \"%s\"",
      (header) =>
        Effect.gen(function*() {
          const service = yield* url
          // The connections of the row before are gone by then.
          yield* Effect.sleep("500 millis")
          const sockets = yield* Effect.forEach(
            Array.from({ length: connectionsMax }),
            () => dial(service)
          )
          sockets.forEach((socket, index) => {
            const body = frame("1", "Ground", { ...asked, session_id: `${header.length}-${index}` })
            const [head = "", ...rest] = rawPost(body).split("\r\n")
            socket.write([head, ...(header === "" ? [] : [header]), ...rest].join("\r\n"))
          })
          yield* Effect.sleep("500 millis")
          const late = yield* dial(service)
          const answer = yield* Effect.promise(() =>
            new Promise<string>((resolve) => {
              const timer = setTimeout(() => resolve("nothing"), 5_000)
              late.once("data", (data) => {
                clearTimeout(timer)
                resolve(String(data))
              }).resume()
            })
          )
          assert.match(answer, /^HTTP\/1\.1 503 /)
          assert.match(answer, /Retry-After: 1/)
        }).pipe(Effect.scoped),
      60_000
    )

    it.effect(
      "that were refused are closed, also where the client keeps its side open",
      () =>
        Effect.gen(function*() {
          const service = yield* url
          // The connections of the row before are gone by then.
          yield* Effect.sleep("500 millis")
          const sockets = yield* Effect.forEach(
            Array.from({ length: connectionsMax }),
            () => dial(service)
          )
          // Bodies that never come whole keep their connections busy.
          for (const socket of sockets) socket.write(rawPost("{", 4_000))
          yield* Effect.sleep("500 millis")
          const isClosed = yield* Effect.forEach(
            Array.from({ length: 5 }),
            () => Effect.promise(() => closedByPeer(service)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(isClosed, [true, true, true, true, true])
        }).pipe(Effect.scoped),
      60_000
    )
  })
})

/**
 * Whether the server lets go of a connection whose client never ends its side: writing to it then
 * fails. A connection that is only half closed takes what is written, a request byte by byte.
 */
const closedByPeer = (service: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port: Number(new URL(service).port), host, allowHalfOpen: true })
    const bytes = [..."GET /health"]
    const pulse = setInterval(() => socket.write(bytes.shift() ?? ""), 350)
    const end = (isClosed: boolean) => {
      clearInterval(pulse)
      clearTimeout(timer)
      socket.destroy()
      resolve(isClosed)
    }
    const timer = setTimeout(() => end(false), 4_000)
    socket.on("error", () => end(true)).resume()
  })

describe("a body", () => {
  const good = frame("good", "GetSession", { session_id: "none" })
  const deep = `${"[".repeat(40)}${"]".repeat(40)}`
  const wide = `[${Array.from({ length: 3_000 }, () => "1").join()}]`
  const request = (payload: string) =>
    `{"_tag":"Request","id":"1","tag":"Ground","payload":${payload},"headers":[]}`

  it.layer(serving(scripted("hangs")), { excludeTestServices: true })((it) => {
    it.effect.each([
      { body: "null", id: "", field: "frame 1" },
      { body: "7", id: "", field: "frame 1" },
      { body: "{\"_tag\":\"Request\"", id: "", field: "frame 1" },
      { body: "{}", id: "", field: "frame 1.id" },
      { body: "{\"_tag\":\"Eof\",\"id\":\"1\"}", id: "1", field: "frame 1._tag" },
      { body: frame("1", "Nope", {}), id: "1", field: "tag" },
      { body: request("{}").replace("[]}", "7}"), id: "1", field: "headers" },
      { body: request("{\"deadline_ms\":1e999}"), id: "1", field: "payload.deadline_ms" },
      { body: request(deep), id: "", field: "frame 1" },
      { body: request(wide), id: "", field: "frame 1" }
    ])(
      "with $body gets a typed failure, and the good frame beside it its answer",
      (row) =>
        Effect.gen(function*() {
          const service = yield* url
          const alone = yield* post(service, `${row.body}\n`)
          assert.strictEqual(alone.status, 400)
          assert.deepInclude(failureIn(alone.text, row.id), {
            _tag: "InvalidInput",
            field: row.field
          })
          const both = yield* post(service, `${row.body}\n${good}`)
          assert.strictEqual(both.status, 200)
          assert.deepInclude(failureIn(both.text, row.id), {
            _tag: "InvalidInput",
            field: row.field
          })
          assert.deepInclude(failureIn(both.text, "good"), { _tag: "SessionNotFound" })
        })
    )

    it.effect("uses an id once, and has at most 32 frames", () =>
      Effect.gen(function*() {
        const service = yield* url
        const twice = yield* post(service, good + good)
        assert.lengthOf(linesOf(twice.text), 2)
        assert.include(twice.text, "used twice")
        const many = yield* post(service, manyFrames(40).replaceAll("long", "none"))
        const refused = linesOf(many.text).filter((line) => line["requestId"] === "")
        assert.lengthOf(refused, 1)
        assert.lengthOf(linesOf(many.text), 33)
      }))

    it.effect(
      "of tens of thousands of lines costs as many refusals as one of 33",
      () =>
        Effect.gen(function*() {
          const service = yield* url
          const body = "{}\n".repeat(80_000)
          const refused = yield* post(service, body)
          assert.strictEqual(refused.status, 400)
          assert.lengthOf(linesOf(refused.text), 33)
          const lineByLine = body.split("\n").flatMap((line) =>
            RpcHttpProtocol.readFrames(line, GroundingRpc.requests)
          )
          assert.lengthOf(lineByLine, 80_000)
        }),
      60_000
    )

    it.effect("of more than 256 KiB, in another form or from a web page is refused", () =>
      Effect.gen(function*() {
        const service = yield* url
        const large = frame("1", "Ground", { text: "x".repeat(600_000) })
        assert.strictEqual((yield* post(service, large)).status, 413)
        const statusOf = (headers: Readonly<Record<string, string>>) =>
          Effect.map(post(service, good, headers), ({ status }) => status)
        assert.strictEqual(yield* statusOf({ "content-type": "text/plain" }), 415)
        assert.strictEqual(yield* statusOf({ origin: "http://evil.example" }), 403)
        assert.strictEqual(yield* statusOf({}), 200)
        const foreign = yield* dial(service)
        foreign.write(rawPost(good).replace("Host: 127.0.0.1", "Host: evil.example"))
        const answer = yield* Effect.promise(() =>
          new Promise<string>((resolve) => {
            foreign.once("data", (data) => resolve(String(data))).resume()
          })
        )
        assert.match(answer, /^HTTP\/1\.1 421 /)
      }).pipe(Effect.scoped))
  })
})
