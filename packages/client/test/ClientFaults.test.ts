/** The client of promises before a service that is away, silent, cut off, busy or something else. */
import { assert, describe, it, vi } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { inspect } from "node:util"
import * as Client from "../src/connect.ts"
import {
  answering,
  bodyOf,
  eventsHead,
  headerOf,
  listening,
  type RawServer,
  whole
} from "./support/rawServer.ts"

const question = { session_id: "s", topic: "How much notice must a tenant give in Japan?" }

/** More than enough for what should happen at once; a failure of the test otherwise. */
const soonMs = 20_000

/** A hanging call ends before the test of faults gives up. */
const testMsMax = 60_000

const during = async <A>(serving: Promise<RawServer>, use: (server: RawServer) => Promise<A>) => {
  const server = await serving
  try {
    return await use(server)
  } finally {
    server.close()
  }
}

/** The failure of a call that must not succeed. */
const failureOf = (call: Promise<unknown>): Promise<Client.GroundingError> =>
  call.then(
    () => assert.fail("the call succeeded"),
    (error) => error instanceof Client.GroundingError ? error : assert.fail(inspect(error))
  )

const outcomeOf = (request_id: unknown) => ({
  session_id: "s",
  request_id,
  mode: "not_searched",
  need: {},
  searches: [],
  pack: {},
  evidence_block: "",
  llm_context: "",
  rungs: {},
  budget: {}
})

const outcomeFrame = (request_id: unknown) =>
  `event: outcome\ndata: ${JSON.stringify(outcomeOf(request_id))}\n\n`

const factFrame = (version: number) =>
  `id: ${version}\nevent: fact\ndata: ${
    JSON.stringify({ stream_version: version, type: "WEB_GROUNDING_REQUESTED" })
  }\n\n`

const problem = (kind: string, status: number, more: object = {}) =>
  JSON.stringify({
    type: `urn:web-grounding:problem:${kind}`,
    title: "A title",
    status,
    detail: "A detail",
    ...more
  })

const asProblem = { "Content-Type": "application/problem+json" }

const collected = async <A>(elements: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const element of elements) all.push(element)
  return all
}

const until = async (isSo: () => boolean): Promise<void> => {
  const untilMs = Date.now() + soonMs
  while (!isSo()) {
    assert.isBelow(Date.now(), untilMs, "it did not come to be")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe("the client of promises", { timeout: testMsMax }, () => {
  it("says that no server listens, where, and that nothing was done", async () => {
    const { url } = await during(listening(() => {}), async (server) => server)
    const failure = await failureOf(Client.connect(url, { retries: 1 }).ground(question))
    assert.instanceOf(failure, Client.ServiceUnreachable)
    assert.deepInclude(failure, { url, reason: "refused", detail: "ECONNREFUSED" })
    assert.isFalse(failure.may_have_run)
    assert.isString(failure.request_id)
    assert.include(failure.message, url)
  })

  it("gives up on a silent server, having handed it the time that it has", () =>
    during(answering(() => {}), async ({ open, requests, url }) => {
      const client = Client.connect(url, { timeoutMs: 1_000 })
      const failure = await failureOf(client.ground(question))
      assert.instanceOf(failure, Client.CallTimedOut)
      assert.strictEqual(failure.name, "TimeoutError")
      assert.isTrue(failure.may_have_run)
      const [request = ""] = requests
      assert.strictEqual(bodyOf(request)["deadline_ms"], 800)
      assert.strictEqual(failure.request_id, bodyOf(request)["request_id"])
      await until(() => open() === 0)
    }))

  it("hands on the caller's deadline, and leaves the service its own", () =>
    during(
      answering((socket, request) =>
        socket.end(eventsHead + outcomeFrame(bodyOf(request)["request_id"]))
      ),
      async ({ requests, url }) => {
        const client = Client.connect(url)
        await client.ground(question)
        await client.ground({ ...question, deadline_ms: 3_000 })
        await client.ground({ ...question, deadline_ms: 60_000 }, { timeoutMs: 10_000 })
        assert.deepStrictEqual(
          requests.map((request) => bodyOf(request)["deadline_ms"]),
          [undefined, 3_000, 8_000]
        )
      }
    ))

  it("sends a call that was cut off again, under the same request id, and then gives up", () =>
    during(answering((socket) => socket.destroy()), async ({ requests, url }) => {
      const failure = await failureOf(Client.connect(url).ground(question))
      assert.lengthOf(requests, 4)
      assert.instanceOf(failure, Client.ServiceUnreachable)
      assert.isTrue(failure.may_have_run)
      const ids = new Set(requests.map((request) => bodyOf(request)["request_id"]))
      assert.deepStrictEqual([...ids], [failure.request_id])
      assert.include(failure.message, failure.request_id ?? "-")
    }))

  it("goes on after the last fact that it sent, and sends none twice", () =>
    during(
      answering((socket, request, count) => {
        if (count === 1) return void socket.write(eventsHead, () => socket.destroy())
        const after = Number(headerOf(request, "last-event-id") ?? "NaN")
        if (count === 2) {
          return void socket.write(eventsHead + factFrame(1) + factFrame(2), () =>
            setTimeout(() => socket.destroy(), 50))
        }
        // A service that sends fields which the client does not know.
        const rest = [after, after + 1, after + 2].map(factFrame).join("")
        socket.end(eventsHead + rest + outcomeFrame(bodyOf(request)["request_id"]))
      }),
      async ({ requests, url }) => {
        const told: Array<number | string> = []
        for await (const step of Client.connect(url).progress(question)) {
          told.push(step.type === "fact" ? step.fact.stream_version : step.type)
        }
        assert.deepStrictEqual(told, [1, 2, 3, 4, "outcome"])
        assert.deepStrictEqual(
          requests.map((request) =>
            headerOf(request, "last-event-id")
          ),
          [undefined, "0", "2"]
        )
        assert.lengthOf(new Set(requests.map((one) => bodyOf(one)["request_id"])), 1)
      }
    ))

  it("waits as long as a busy service says, comes at once but once, each time by the same id", () =>
    during(
      answering((socket, request, count) => {
        if (count === 1) {
          return void socket.end(
            whole("503 Busy", problem("store-unavailable", 503), {
              ...asProblem,
              "Retry-After": "1"
            })
          )
        }
        if (count === 2) {
          return void socket.end(whole("503 Busy", "<html>", { "Retry-After": "0" }))
        }
        socket.end(eventsHead + outcomeFrame(bodyOf(request)["request_id"]))
      }),
      async ({ requests, url }) => {
        vi.spyOn(Math, "random").mockReturnValue(0)
        const { mock } = vi.spyOn(globalThis, "setTimeout")
        const outcome = await Client.connect(url).ground(question)
        assert.includeMembers(mock.calls.map(([, ms]) => ms), [1_000, 100])
        const ids = requests.map((request) => bodyOf(request)["request_id"])
        assert.deepStrictEqual(ids, Array(3).fill(outcome.request_id))
      }
    ).finally(() => vi.restoreAllMocks()))

  it("does not wait longer than its own time, and says when to come again", () =>
    during(
      answering((socket) =>
        socket.end(
          whole("429 Busy", problem("overloaded", 429, { retry_after_ms: 60_000 }), asProblem)
        )
      ),
      async ({ requests, url }) => {
        const failure = await failureOf(
          Client.connect(url).ground(question, { timeoutMs: 30_000 })
        )
        assert.instanceOf(failure, Client.Overloaded)
        assert.deepInclude(failure, { kind: "overloaded", retry_after_ms: 60_000, status: 429 })
        assert.isFalse(failure.may_have_run)
        assert.lengthOf(requests, 1)
      }
    ))

  it("repeats nothing that would fail again", async () => {
    const kinds = [
      ["invalid-input", "400 Bad Request", Client.InvalidInput],
      ["request-conflict", "409 Conflict", Client.RequestConflict],
      ["session-erased", "410 Gone", Client.SessionErased],
      ["research-failed", "502 Bad Gateway", Client.ResearchFailed],
      ["internal-failure", "500 Internal", Client.InternalFailure],
      ["of-a-later-release", "418 New", Client.UnknownProblem]
    ] as const
    for (const [kind, status, Class] of kinds) {
      const errors = [{ field: "topic", problem: "Expected text" }]
      const body = problem(kind, Number(status.slice(0, 3)), { errors })
      await during(
        answering((socket) => socket.end(whole(status, body, asProblem))),
        async ({ requests, url }) => {
          const failure = await failureOf(Client.connect(url).ground(question))
          assert(failure instanceof Client.ServiceProblem && failure instanceof Class, kind)
          assert.deepInclude(failure, { kind, errors })
          assert.strictEqual(failure.request_id, bodyOf(requests[0] ?? "")["request_id"])
          assert.lengthOf(requests, 1, kind)
        }
      )
    }
  })

  it("recognises what is not this service, and asks that once", async () => {
    const fact = { stream_version: 1, type: "T" }
    const answers = [
      whole("200 OK", "<html>not this service</html>", { "Content-Type": "text/html" }),
      whole("200 OK", "{\"hello\":1}"),
      whole("200 OK", "{nonsense"),
      whole("404 Not Found", "nothing"),
      whole("302 Found", "", { Location: "http://127.0.0.1:1/" }),
      whole("400 Bad", "[]", asProblem),
      `${eventsHead}event: fact\ndata: {"a":\n\n`,
      `${eventsHead}event: fact\ndata: ["a"]\n\n`,
      `${eventsHead}event: failed\ndata: {"status":"x"}\n\n`,
      eventsHead + outcomeFrame("of another request"),
      `${eventsHead}event: fact\ndata: ${JSON.stringify(fact)}\n\nevent: outcome\ndata: 7\n\n`
    ]
    for (const text of answers) {
      await during(answering((socket) => socket.end(text)), async ({ requests, url }) => {
        const failure = await failureOf(Client.connect(url).ground(question))
        assert.instanceOf(failure, Client.UnexpectedAnswer, text)
        assert.lengthOf(requests, 1, text)
      })
    }
    const garbage = answering((socket) => socket.end(Buffer.from([0, 1, 2, 3, 255, 254, 10, 13])))
    await during(garbage, async ({ url }) => {
      const failure = await failureOf(Client.connect(url, { retries: 0 }).ground(question))
      assert.instanceOf(failure, Client.ServiceUnreachable)
    })
  })

  it("leaves what it does not know in a stream", () =>
    during(
      answering((socket, request) =>
        socket.end(
          `${eventsHead}event: later\ndata: {}\n\n: comment\n\n${factFrame(1)}` +
            outcomeFrame(bodyOf(request)["request_id"])
        )
      ),
      async ({ url }) => {
        const steps = await collected(Client.connect(url).progress(question))
        assert.deepStrictEqual(steps.map(({ type }) => type), ["fact", "outcome"])
      }
    ))

  it("reads a stream in pieces of one byte", () =>
    during(
      answering((socket, request) => {
        const bytes = Buffer.from(
          eventsHead + factFrame(1) + factFrame(2) + outcomeFrame(bodyOf(request)["request_id"])
        )
        socket.setNoDelay(true)
        let at = 0
        const next = () => {
          if (at === bytes.length) return void socket.end()
          socket.write(bytes.subarray(at, at + 1), () => setImmediate(next))
          at += 1
        }
        next()
      }),
      async ({ url }) => {
        const steps = await collected(Client.connect(url).progress(question))
        assert.deepStrictEqual(steps.map(({ type }) => type), ["fact", "fact", "outcome"])
      }
    ))

  it("stops reading an event, and an answer, that has no end", async () => {
    const piece = Buffer.alloc(1_024 * 1_024, "x")
    /** 32 MiB more than the client should accept. */
    const piecesMax = 64
    for (
      const head of [
        `${eventsHead}data: `,
        eventsHead.replace("text/event-stream", "application/json")
      ]
    ) {
      let written = 0
      const pouring = answering((socket) => {
        const pour = (): void => {
          if (socket.destroyed || written === piecesMax) return
          written += 1
          socket.write(piece, () => setImmediate(pour))
        }
        socket.write(head, pour)
      })
      await during(pouring, async ({ open, url }) => {
        const failure = await failureOf(Client.connect(url).ground(question))
        assert.instanceOf(failure, Client.UnexpectedAnswer)
        assert.match(failure.message, /more than \d+ characters/)
        await until(() => open() === 0)
        assert.isBelow(written, piecesMax)
      })
    }
  })

  it("ends twenty calls at once, each with its request, and leaves no line open", () =>
    during(answering((socket) => socket.write(eventsHead + factFrame(1))), async (server) => {
      const client = Client.connect(server.url)
      const controller = new AbortController()
      const calls = Array.from(
        { length: 20 },
        (_, at) => failureOf(client.ground({ ...question, session_id: `s-${at}` }, controller))
      )
      await until(() => server.requests.length === 20)
      assert.lengthOf(getEventListeners(controller.signal, "abort"), 1)
      controller.abort()
      const failures = await Promise.all(calls)
      for (const failure of failures) {
        assert.instanceOf(failure, Client.CallAborted)
        assert.strictEqual(failure.name, "AbortError")
        assert.isTrue(failure.may_have_run)
      }
      assert.lengthOf(new Set(failures.map(({ request_id }) => request_id)), 20)
      await until(() => server.open() === 0)
      assert.lengthOf(server.requests, 20, "none was sent again")
    }))

  it("sends nothing when its signal has ended before", () =>
    during(answering(() => {}), async ({ requests, url }) => {
      const failure = await failureOf(
        Client.connect(url).ground(question, { signal: AbortSignal.abort() })
      )
      assert.instanceOf(failure, Client.CallAborted)
      assert.isFalse(failure.may_have_run)
      assert.isEmpty(requests)
    }))

  it("ends a wait between two tries, and a fetch that knows no signal", async () => {
    const busy = whole(
      "503 Busy",
      problem("overloaded", 503, { retry_after_ms: 20_000 }),
      asProblem
    )
    await during(answering((socket) => socket.end(busy)), async ({ requests, url }) => {
      const controller = new AbortController()
      const failure = failureOf(Client.connect(url, controller).ground(question))
      await until(() => requests.length === 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
      controller.abort()
      assert.instanceOf(await failure, Client.CallAborted)
    })
    const deaf = Client.connect("http://127.0.0.1:1", { fetch: () => new Promise(() => {}) })
    const failure = await failureOf(deaf.ground(question, { timeoutMs: 300 }))
    assert.instanceOf(failure, Client.CallTimedOut)
  })

  it("takes a line that falls silent for lost, and goes on by another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
    try {
      let count = 0
      const ids = new Set<unknown>()
      const encoder = new TextEncoder()
      const fetch: Client.Fetch = (_, { body = "" }) => {
        count += 1
        const request_id = JSON.parse(body).request_id
        ids.add(request_id)
        const text = count === 1 ? factFrame(1) : outcomeFrame(request_id)
        const stream = new ReadableStream({
          start: (controller) => controller.enqueue(encoder.encode(text))
        })
        const headers = { "content-type": "text/event-stream" }
        return Promise.resolve(new Response(stream, { headers }))
      }
      const client = Client.connect("http://127.0.0.1:1", { fetch, timeoutMs: 60_000 })
      const steps = collected(client.progress(question))
      await vi.advanceTimersByTimeAsync(29_000)
      assert.strictEqual(count, 1, "the service has time to say something")
      await vi.advanceTimersByTimeAsync(2_000)
      assert.deepStrictEqual((await steps).map(({ type }) => type), ["fact", "outcome"])
      assert.strictEqual(count, 2)
      assert.strictEqual(ids.size, 1)
    } finally {
      vi.useRealTimers()
    }
  })

  it("closes its line when its reader stops", () =>
    during(answering((socket) => socket.write(eventsHead + factFrame(1))), async (server) => {
      for await (const step of Client.connect(server.url).progress(question)) {
        assert.strictEqual(step.type, "fact")
        break
      }
      await until(() => server.open() === 0)
    }))

  it("refuses what cannot be sent, by its field and without its value", async () => {
    const fieldOf = (make: () => unknown): string => {
      try {
        make()
      } catch (error) {
        if (error instanceof Client.InvalidArgument) {
          assert.notInclude(inspect(error), "hidden")
          return error.field
        }
      }
      return assert.fail("it was taken")
    }
    const url = "http://127.0.0.1:1"
    assert.strictEqual(fieldOf(() => Client.connect("no address")), "url")
    assert.strictEqual(fieldOf(() => Client.connect("ftp://a.example")), "url")
    assert.strictEqual(fieldOf(() => Client.connect("http://me:hidden@a.example")), "url")
    assert.strictEqual(fieldOf(() => Client.connect(url, { token: "hidden\r\nx: y" })), "token")
    assert.strictEqual(fieldOf(() => Client.connect(url, { timeoutMs: Number.NaN })), "timeoutMs")
    assert.strictEqual(fieldOf(() => Client.connect(url, { retries: 1.5 })), "retries")
    const headers = { "x-a": "hidden\n" }
    assert.strictEqual(fieldOf(() => Client.connect(url, { headers })), "headers.x-a")
    const up = Client.connect(url).pack({ session_id: "..", request_id: "r" })
    const failure = await failureOf(up)
    assert.instanceOf(failure, Client.InvalidArgument)
    assert.strictEqual(failure.field, "session_id")
  })
})

describe("a token", { timeout: testMsMax }, () => {
  const token = "wg_0123456789abcdefghijklmnop"

  /** Everything that a program may print of a thing. */
  const printed = (thing: unknown): string =>
    [
      String(thing),
      JSON.stringify(thing),
      inspect(thing, { depth: Infinity, showHidden: true, getters: true }),
      thing instanceof Error ? `${thing.stack} ${inspect(thing.cause)}` : ""
    ].join("\n")

  it("is sent with every call, and is in nothing that can be printed", async () => {
    const echo = (kind: string, status: number) =>
      problem(kind, status, { detail: `You sent ${token}`, request_id: token, reason: token })
    const answers = [
      whole("401 Unauthorized", echo("unauthorized", 401), asProblem),
      whole("400 Bad Request", echo("invalid-input", 400), asProblem),
      whole("500 Internal", `Bearer ${token}`),
      whole("200 OK", `Bearer ${token}`),
      `${eventsHead}event: failed\ndata: ${echo("interrupted", 503)}\n\n`,
      ""
    ]
    for (const text of answers) {
      await during(answering((socket) => socket.end(text)), async ({ requests, url }) => {
        const client = Client.connect(url, { token, retries: 0 })
        assert.notInclude(printed(client), token)
        const failures = [
          await failureOf(client.ground(question)),
          await failureOf(client.pack({ session_id: "s", request_id: "r" }))
        ]
        for (const failure of failures) assert.notInclude(printed(failure), token, text)
        for (const request of requests) {
          assert.strictEqual(headerOf(request, "authorization"), `Bearer ${token}`)
        }
        assert.lengthOf(requests, 2)
      })
    }
  })

  it("is not revealed by a fetch that prints what it was given", async () => {
    const telling: Client.Fetch = (url, init) =>
      Promise.reject(new Error(`${url} ${JSON.stringify(init)}`, { cause: init }))
    const client = Client.connect("http://127.0.0.1:1", { token, fetch: telling, retries: 0 })
    assert.notInclude(printed(await failureOf(client.ground(question))), token)
  })

  it("has no control characters of a stranger", async () => {
    const body = problem("invalid-input", 400, { detail: "\u001b[2J\u202eevil\u0007" })
    await during(
      answering((socket) => socket.end(whole("400 Bad", body, asProblem))),
      async ({ url }) => {
        const failure = await failureOf(Client.connect(url).ground(question))
        assert.notMatch(failure.message, /[\p{Cc}\p{Cf}]/u)
        assert.include(failure.message, "evil")
      }
    )
  })
})
