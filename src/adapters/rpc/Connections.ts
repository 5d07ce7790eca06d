/**
 * The connections of the HTTP server, up to a maximum. Beyond it a new connection replaces an idle
 * one, or is refused when none is idle.
 */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Socket } from "node:net"

/** Time within which a request's head must have arrived. */
const headMsMax = 10_000
/** Time within which the whole request, with its body, must have arrived. */
const requestMsMax = 15_000
/** Poll interval of the search for connections that take longer. */
const checkMs = 1_000
/** Requests of one connection at the same time: HTTP/1.1 answers them one after the other. */
const pipelinedMax = 8

/** Turns of the event loop without a new connection after which no more are expected. */
const quietTurnsMin = 2
/** How long `quiet` waits at most, however many connections arrive. */
const quietMsMax = 50

/** How long a refused connection has for reading the refusal. */
const refusalMsMax = 1_000

/**
 * HTTP statuses sent on a connection before a request is read. 503: too many connections; 400, 408
 * and 431: a head that is malformed, late or too large.
 */
export type RefusedStatus = 400 | 408 | 431 | 503

/** A body for it, in the form that callers know. */
export interface RefusedBody {
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

export interface Connections {
  readonly server: Server
  /** Ends all of them, whatever they are at. */
  readonly closeAll: () => void
  /** Connections with a request under way. */
  readonly busyCount: () => number
  /**
   * Waits until the connections that arrived together are accepted, at most 50 ms. Node accepts one
   * connection a turn: work that begins before the last of them is accepted makes the turns long,
   * and a health check among them waits for all of them.
   */
  readonly quiet: Effect.Effect<void>
}

export const make = (
  connectionsMax: number,
  bodyOf: (status: RefusedStatus) => RefusedBody | undefined = () => undefined
): Connections => {
  const server = createServer({
    headersTimeout: headMsMax,
    requestTimeout: requestMsMax,
    connectionsCheckingInterval: checkMs,
    // An upgraded connection would be outside of every limit of time here.
    shouldUpgradeCallback: () => false
  })
  let acceptedCount = 0
  /** Open sockets, oldest first, with the number of requests under way. */
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
    acceptedCount += 1
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
    // A refused connection has no place, and what it sends all the same is not answered.
    if (!underWay.has(socket) || change(socket, 1) > pipelinedMax) {
      socket.destroy()
      return
    }
    response.on("close", () => change(socket, -1))
  }
  server.on("request", begin)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // An answer that has begun cannot be told otherwise.
    if (!socket.writable || (socket instanceof Socket && socket.bytesWritten > 0)) {
      socket.destroy()
      return
    }
    const status = statusByCode[error.code ?? ""] ?? 400
    socket.end(refusalOf(status, bodyOf(status)))
  })
  // Instead of `request` where the client waits to be told to send its body.
  server.on("checkContinue", begin)

  return {
    server,
    closeAll: () => {
      for (const socket of underWay.keys()) socket.destroy()
      server.closeAllConnections()
    },
    busyCount: () => [...underWay.values()].filter((count) => count > 0).length,
    quiet: quietAfter(() => acceptedCount)
  }
}

const quietAfter = (accepted: () => number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const startMs = performance.now()
    let seen = accepted()
    let quietTurns = 0
    const look = () => {
      const isLate = performance.now() - startMs >= quietMsMax
      quietTurns = accepted() === seen ? quietTurns + 1 : 0
      seen = accepted()
      if (quietTurns >= quietTurnsMin || isLate) resume(Effect.void)
      else handle = setImmediate(look)
    }
    let handle = setImmediate(look)
    return Effect.sync(() => clearImmediate(handle))
  })
