/** A made-up internet on loopback: what is dialled is written down and led to a local server. */
import { Effect, type Scope } from "effect"
import { createServer, type RequestListener, type Server } from "node:http"
import { connect, type Socket } from "node:net"
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

export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export interface Internet {
  /** `address:port`, in the order of the dials. */
  readonly dials: Array<string>
  /** Requests at servers that stand for somebody's inside. */
  readonly canaryHits: () => number
  /** Names that were resolved, each time. */
  readonly lookups: Array<string>
  readonly network: (options?: Partial<Network>) => Network
  readonly openSockets: () => number
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
      openSockets: () => sockets.size
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
