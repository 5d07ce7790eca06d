/** A made-up internet on loopback: what is dialled is written down and led to a local server. */
import { Effect, type Scope } from "effect"
import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestListener,
  type Server
} from "node:http"
import { connect, type Server as TcpServer, type Socket } from "node:net"
import {
  FetchFailed,
  isPublic,
  type Network,
  publicNetwork,
  type PublicNetworkOptions
} from "../../src/Network.ts"
import * as SafeFetch from "../../src/SafeFetch.ts"

/** A documented host of the public internet; nothing is ever sent there. */
export const publicAddress = "93.184.215.14"

export const listening = (
  listener: RequestListener,
  host = "127.0.0.1"
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener)
      server.listen(0, host, () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

export const portOf = (server: TcpServer): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export interface Internet {
  /** `address:port`, in the order of the dials. */
  readonly dials: Array<string>
  /** Requests at servers that represent an inside network. */
  readonly canaryHits: () => number
  /** Names that were resolved, each time. */
  readonly lookups: Array<string>
  readonly network: (options?: Partial<Network>) => Network
  readonly openSockets: () => number
  readonly sitePort: number
}

export interface InternetOptions {
  /** Answers at public addresses; or the local port where something does. */
  readonly site: RequestListener | number
  /** Default: `publicAddress` for every name. */
  readonly resolve?: (host: string, lookup: number) => ReadonlyArray<string>
}

/** Public addresses lead to `site`, all others to a canary. */
export const internet = Effect.fnUntraced(
  function*({ resolve, site }: InternetOptions): Effect.fn.Return<Internet, never, Scope.Scope> {
    let canaryHits = 0
    const dials: Array<string> = []
    const lookups: Array<string> = []
    const sockets = new Set<Socket>()
    const sitePort = typeof site === "number" ? site : portOf(yield* listening(site))
    const canary = yield* listening((_, response) => {
      canaryHits++
      response.writeHead(200, { "content-type": "text/html" }).end("<p>secret-of-the-inside</p>")
    })
    const dial: PublicNetworkOptions["dial"] = (address, port) => {
      dials.push(`${address}:${port}`)
      const socket = connect({
        host: "127.0.0.1",
        port: isPublic(address) ? sitePort : portOf(canary)
      })
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      return socket
    }
    const real = publicNetwork({
      dial,
      resolve: (host) =>
        Effect.suspend(() => {
          lookups.push(host)
          const found = resolve?.(host, lookups.length) ?? [publicAddress]
          return found.length === 0
            ? Effect.fail(new FetchFailed({ fault: "name_unresolved" }))
            : Effect.succeed(found)
        })
    })
    return {
      dials,
      lookups,
      canaryHits: () => canaryHits,
      network: (options) => ({ ...real, ...options }),
      openSockets: () => sockets.size,
      sitePort
    }
  }
)

/** `fetch` is `open` with the body as text of UTF-8. */
export const fetcher = (network: Network, options?: Partial<SafeFetch.SafeFetchOptions>) =>
  Effect.map(
    SafeFetch.make({ network, userAgent: "web-grounding/test", robots: "ignored", ...options }),
    ({ open }) => ({
      open,
      fetch: (address: string) =>
        Effect.scoped(
          Effect.map(open(address), (page) => ({
            ...page,
            body: new TextDecoder().decode(page.body)
          }))
        )
    })
  )

/** The fault's word with its status, or `fetched`. */
export const outcome = (fetch: Effect.Effect<unknown, FetchFailed>) =>
  Effect.match(fetch, {
    onFailure: (failed) => failed.message,
    onSuccess: () => "fetched"
  })

export interface PlayedProxy {
  /** With its user and password. */
  readonly address: string
  /** Authorities of tunnels and whole addresses of requests, of those that had the password. */
  readonly asked: Array<string>
  /** Requests without it. */
  readonly refusals: () => number
}

/** A proxy with a user: resolves names to ports of this machine, forbids every other name. */
export const playedProxy = Effect.fnUntraced(
  function*(
    portOfName: (authority: string) => number | undefined
  ): Effect.fn.Return<PlayedProxy, never, Scope.Scope> {
    const asked: Array<string> = []
    let refusals = 0
    const words = `Basic ${Buffer.from(`staff:${proxyPassword}`).toString("base64")}`
    const isKnown = ({ headers }: IncomingMessage) => {
      if (headers["proxy-authorization"] === words) return true
      refusals++
      return false
    }
    const server = yield* listening((request, response) => {
      const url = URL.parse(request.url ?? "")
      if (!isKnown(request)) return void response.writeHead(407).end()
      asked.push(request.url ?? "")
      const port = url === null ? undefined : portOfName(`${url.hostname}:${url.port || 80}`)
      if (url === null || port === undefined) return void response.writeHead(403).end()
      const { "proxy-authorization": _, ...headers } = request.headers
      const path = url.pathname + url.search
      request.pipe(
        send({ host: "127.0.0.1", port, path, method: request.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
      )
    })
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      socket.on("error", () => {})
      if (!isKnown(request)) return void socket.end("HTTP/1.1 407 Who are you\r\n\r\n")
      asked.push(request.url ?? "")
      const port = portOfName(request.url ?? "")
      if (port === undefined) return void socket.end("HTTP/1.1 403 No\r\n\r\n")
      const site = connect({ host: "127.0.0.1", port }, () => {
        socket.write("HTTP/1.1 200 Go\r\n\r\n")
        site.pipe(socket).pipe(site)
      }).on("error", () => socket.destroy())
      socket.on("close", () => site.destroy())
    })
    return {
      address: `http://staff:${encodeURIComponent(proxyPassword)}@127.0.0.1:${portOf(server)}`,
      asked,
      refusals: () => refusals
    }
  }
)

export const proxyPassword = "p@ss/CANARY:7f3a9"
