/** Server of the service: RPC over HTTP, other routes, documents, probes, and shutdown. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { HttpRouter, HttpServer, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Access } from "../../application/Access.ts"
import * as Admission from "../../application/Admission.ts"
import { CheckServing, Draining } from "../../application/CheckServing.ts"
import * as ServiceCalls from "../../application/operations/ServiceCalls.ts"
import { contractVersion, versionHeader } from "../../contract/PublicFailure.ts"
import * as SentInput from "../../contract/SentInput.ts"
import * as AccessGuard from "./AccessGuard.ts"
import * as DocumentRoute from "./DocumentRoute.ts"
import * as RpcHandlers from "./RpcHandlers.ts"
import * as RpcHttpProtocol from "./RpcHttpProtocol.ts"
import { ServiceRpc } from "./ServiceRpc.ts"

const rpcPath = "/rpc"

const pollEvery = "20 millis"
/** Longest time for writing finished answers at shutdown. */
export const flushMsMax = 1_000

class AddressUnusable extends Schema.TaggedError<AddressUnusable>()("AddressUnusable", {
  host: Schema.String,
  port: Schema.Int,
  problem: Schema.String
}) {
  override get message(): string {
    return `Cannot listen on ${this.host}:${this.port}: ${this.problem}`
  }
}

export interface ServerOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Concurrent calls. Default: 32 groundings, 32 reads, 4 for health, 2 documents. */
  readonly places?: Admission.Places
  /** Default 1,000. */
  readonly connectionsMax?: number
  /** Limits of an uploaded document. Default: 16 MiB, in 10 s. */
  readonly documents?: DocumentRoute.DocumentLimits
  /** Additional host names and origins. Default: none. */
  readonly allowed?: Pick<RpcHandlers.Allowed, "hosts" | "origins">
  /** Shutdown times in milliseconds. Default: no delay, 5 s of grace. */
  readonly ending?: Ending
  /** Other routes on the same address, behind the same guard. Default: none. */
  readonly beside?: ReadonlyArray<Beside>
  /** Observer of every request and call. Default: none. */
  readonly observed?: Observed
}

interface Observed {
  readonly request: <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E,
    R | HttpServerRequest.HttpServerRequest
  >
  readonly call: ServiceCalls.ObservedCall
}

interface Beside {
  readonly layer: Layer.Layer<
    never,
    never,
    HttpRouter.HttpRouter | ServiceCalls.ServiceCalls | Draining | Access | Admission.Admission
  >
  /** Whether it checks the credential of this address itself. Default: the guard does. */
  readonly identifies?: (url: string) => boolean
  /** Whether a link from another site may open this address. Default: none. */
  readonly isPage?: (url: string) => boolean
  /** Response to a request of its paths that the guard refused; `undefined`: not its path. */
  readonly refused?: RpcHandlers.Refused
  /** For a connection without a readable request. The first interface with a response is used. */
  readonly unread?: (status: RefusedStatus) => RefusedBody | undefined
}

export interface Ending {
  /** Time for which the process serves as before after readiness turns false. */
  readonly delayMs: number
  /** Time for which running groundings and uploads may then continue. */
  readonly graceMs: number
}

export const placesDefault: Admission.Places = {
  grounding: 32,
  read: 32,
  health: 4,
  document: 2
}
const connectionsMaxDefault = 1_000
const endingDefault: Ending = { delayMs: 0, graceMs: 5_000 }

/** Listens until its scope closes, then shuts down in order: see `Draining`. */
export const layer = (options: ServerOptions) => {
  const beside = options.beside ?? []
  const observed = options.observed ?? unobserved
  const connections = makeConnections(
    options.connectionsMax ?? connectionsMaxDefault,
    beside.flatMap(({ unread }) => unread ?? [])[0]
  )
  const refused: RpcHandlers.Refused = (request, status, because) =>
    beside.map(({ refused }) => refused?.(request, status, because))
      .find((told) => told !== undefined)
  const { host, port } = options
  const guard = RpcHandlers.make({
    host,
    hosts: options.allowed?.hosts ?? [],
    origins: options.allowed?.origins ?? [],
    isPage: (url) => beside.some(({ isPage }) => isPage?.(url) === true)
  }, refused)
  const documents = DocumentRoute.layer(options.documents ?? DocumentRoute.documentLimits)
  const access = AccessGuard.make({
    refused,
    identifies: ({ url }) => beside.some(({ identifies }) => identifies?.(url) === true)
  })
  const served = HttpRouter.serve(
    Layer.mergeAll(
      rpc,
      ...beside.map(({ layer }) => layer),
      documents,
      liveness,
      startUp,
      readiness
    ).pipe(
      Layer.provide(RpcHandlers.layer),
      Layer.provide(ServiceCalls.layer(observed.call)),
      Layer.provide(
        HttpRouter.middleware((app) => observed.request(leaving(versioned(guard(access(app))))), {
          global: true
        })
      )
    ),
    { disableListenLog: true, disableLogger: true }
  )
  return inOrder(connections, options.ending ?? endingDefault).pipe(
    Layer.provideMerge(served),
    Layer.provide(Admission.layer(options.places ?? placesDefault)),
    Layer.provideMerge(listener(connections, host, port))
  )
}

const unobserved: Observed = { request: (app) => app, call: () => (call) => call }

const versioned = Effect.map(HttpServerResponse.setHeader(versionHeader, contractVersion))

/** Callers reconnect to another replica: a balancer moves only new connections. */
const leaving = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    const response = yield* app
    const { isDraining } = yield* Draining
    return (yield* isDraining)
      ? HttpServerResponse.setHeader(response, "connection", "close")
      : response
  })

const rpc = RpcServer.layer(ServiceRpc, { concurrency: "unbounded" }).pipe(
  Layer.provide(Layer.effect(
    RpcServer.Protocol,
    Effect.gen(function*() {
      const { httpEffect, protocol } = yield* RpcHttpProtocol.make(
        ServiceRpc.requests,
        SentInput.decodeUnknown
      )
      const router = yield* HttpRouter.HttpRouter
      yield* router.add("POST", rpcPath, httpEffect)
      return protocol
    })
  )),
  Layer.provide(RpcSerialization.layerNdjson)
)

/** Checks only that the event loop answers: a restart repairs nothing else. */
const liveness = Layer.merge(
  HttpRouter.add("GET", "/livez", HttpServerResponse.json({ status: "alive" })),
  HttpRouter.add("GET", "/health", HttpServerResponse.json({ status: "ok" }))
)

/** Migrations were applied before listening; read models catch up in the background. */
const startUp = HttpRouter.add(
  "GET",
  "/startupz",
  Effect.gen(function*() {
    const { isStarted } = yield* CheckServing
    return yield* (yield* isStarted)
      ? HttpServerResponse.json({ status: "started" })
      : HttpServerResponse.json({ status: "starting" }, { status: 503 })
  })
)

const readiness = HttpRouter.add(
  "GET",
  "/readyz",
  Effect.gen(function*() {
    const { reason } = yield* CheckServing
    return yield* Option.match(yield* reason, {
      onNone: () => HttpServerResponse.json({ status: "ready" }),
      onSome: (reason) => HttpServerResponse.json({ status: "not_ready", reason }, { status: 503 })
    })
  })
)

const listener = (connections: Connections, host: string, port: number) =>
  NodeHttpServer.layer(() => connections.server, {
    host,
    port,
    gracefulShutdownTimeout: Duration.millis(flushMsMax)
  }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effect(
        HttpServer.HttpServer,
        new AddressUnusable({ host, port, problem: problemOf(cause) })
      ))
  )

/** Built last, so that its finalizer runs first, while the server still answers. */
const inOrder = (connections: Connections, { delayMs, graceMs }: Ending) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { begin, cut, refuse } = yield* Draining
    const { running } = yield* Admission.Admission
    const isDone = Effect.zipWith(
      running("grounding"),
      running("document"),
      (groundings, documents) => groundings + documents === 0
    )
    const answersWritten = waitUntil(Effect.sync(() => connections.busyCount() === 0))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function*() {
        yield* begin
        yield* Effect.sleep(delayMs)
        yield* refuse
        yield* Effect.timeoutOption(waitUntil(isDone), graceMs)
        yield* cut
        yield* Effect.timeoutOption(answersWritten, flushMsMax)
        yield* Effect.sync(connections.closeAll)
      })
    )
  }))

const waitUntil = (isSo: Effect.Effect<boolean>) =>
  Effect.repeat(isSo, { until: (so) => so, schedule: Schedule.spaced(pollEvery) })

const problemOf = (cause: unknown): string => {
  const text = String(cause)
  if (text.includes("EADDRINUSE")) return "the port is in use by another process"
  if (text.includes("EACCES")) return "this user may not use the port"
  if (text.includes("ENOTFOUND") || text.includes("EADDRNOTAVAIL")) {
    return "the host is no address of this machine"
  }
  return text
}

// Beyond the maximum a new connection replaces an idle one, or is refused.

const headMsMax = 10_000
const requestMsMax = 15_000
const checkMs = 1_000
/** Concurrent requests on one connection: HTTP/1.1 answers them in order. */
const pipelinedMax = 8

const refusalMsMax = 1_000

/** Before a request is read. 503: too many connections; else a bad, late or large head. */
type RefusedStatus = 400 | 408 | 431 | 503

interface RefusedBody {
  readonly contentType: string
  readonly text: string
}

const phrases: Readonly<Record<RefusedStatus, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable"
}

const statusByCode: Readonly<Record<string, RefusedStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

const refusalOf = (status: RefusedStatus, body: RefusedBody | undefined): string =>
  `HTTP/1.1 ${status} ${phrases[status]}\r\n` +
  (status === 503 ? "Retry-After: 1\r\n" : "") +
  (body === undefined ? "" : `Content-Type: ${body.contentType}\r\n`) +
  `Content-Length: ${Buffer.byteLength(body?.text ?? "")}\r\nConnection: close\r\n\r\n` +
  (body?.text ?? "")

interface Connections {
  readonly server: Server
  readonly closeAll: () => void
  readonly busyCount: () => number
}

const makeConnections = (
  connectionsMax: number,
  bodyOf: (status: RefusedStatus) => RefusedBody | undefined = () => undefined
): Connections => {
  const server = createServer({
    headersTimeout: headMsMax,
    requestTimeout: requestMsMax,
    connectionsCheckingInterval: checkMs,
    // An upgraded connection would escape every time limit here.
    shouldUpgradeCallback: () => false
  })
  /** Open sockets, oldest first, with the number of requests in progress. */
  const underWay = new Map<Socket, number>()

  const change = (socket: Socket, by: number): number => {
    const count = (underWay.get(socket) ?? 0) + by
    if (underWay.has(socket)) underWay.set(socket, count)
    return count
  }

  const idle = (): Socket | undefined => {
    for (const [socket, count] of underWay) {
      if (count === 0) return socket
    }
    return undefined
  }

  server.on("connection", (socket: Socket) => {
    if (underWay.size >= connectionsMax) {
      const evicted = idle()
      if (evicted === undefined) {
        socket.on("error", () => {})
        socket.end(refusalOf(503, bodyOf(503)))
        // The client may never end its side.
        const timer = setTimeout(() => socket.destroy(), refusalMsMax)
        socket.on("close", () => clearTimeout(timer))
        return
      }
      underWay.delete(evicted)
      evicted.destroy()
    }
    underWay.set(socket, 0)
    socket.on("close", () => underWay.delete(socket))
  })

  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A refused connection is not counted; further data on it is not answered.
    if (!underWay.has(socket) || change(socket, 1) > pipelinedMax) {
      socket.destroy()
      return
    }
    response.on("close", () => change(socket, -1))
  }
  server.on("request", begin)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A response that has begun cannot be replaced.
    if (!socket.writable || (socket instanceof Socket && socket.bytesWritten > 0)) {
      socket.destroy()
      return
    }
    const status = statusByCode[error.code ?? ""] ?? 400
    socket.end(refusalOf(status, bodyOf(status)))
  })
  // Replaces `request` where the client waits for `100 Continue`.
  server.on("checkContinue", begin)

  return {
    server,
    closeAll: () => {
      for (const socket of underWay.keys()) socket.destroy()
      server.closeAllConnections()
    },
    busyCount: () => [...underWay.values()].filter((count) => count > 0).length
  }
}
