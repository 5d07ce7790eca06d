/**
 * Sends one request to one checked target: a socket to an address that was looked at, and the
 * answer.
 */
import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import { Client, type Dispatcher, errors } from "undici"
import { FetchFailed, type FetchFault } from "./FetchFailed.ts"
import type { Network } from "./Network.ts"
import type { WebTarget } from "./WebTarget.ts"

export interface ExchangeOptions {
  readonly network: Network
  /** Sent as `User-Agent`. Printable ASCII. */
  readonly userAgent: string
}

export interface WebHead {
  readonly status: number
  /** Empty when the header is not there, or there more than once. */
  readonly header: (name: string) => string
  readonly body: Readable
}

/** Milliseconds to connect: an address that does not answer leaves time for the next. */
const connectTimeoutMs = 3_000
const addressesTriedMax = 3
const headTimeoutMs = 5_000
/**
 * Bytes of header names and values, the default of Node. Headers of one letter cost the parser
 * most.
 */
const headBytesMax = 16 * 1_024

const accept =
  "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.8"

/**
 * The head and a body that has not been read. No cookies, no referrer, no redirect; one connection
 * a request, closed with the scope.
 */
export const exchange = Effect.fnUntraced(
  function*(
    target: WebTarget,
    { network, userAgent }: ExchangeOptions
  ): Effect.fn.Return<WebHead, FetchFailed, Scope.Scope> {
    const socket = yield* connected(target, network)
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => clientOver(socket, target)),
      (open) => Effect.sync(() => open.destroy(() => {}))
    )
    const { body, headers, statusCode } = yield* Effect.tryPromise({
      try: (signal) =>
        client.request({
          method: "GET",
          path: `${target.url.pathname}${target.url.search}`,
          headers: { "user-agent": userAgent, accept, "accept-encoding": "gzip, br, zstd" },
          signal
        }),
      catch: (cause) => new FetchFailed({ fault: faultOf(cause) })
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => void body.on("error", () => {}).destroy()))
    return { status: statusCode, header: headerIn(headers), body }
  }
)

/**
 * Every address is looked at before any is dialled: a name with one address that is not public is
 * not asked at all. The one that is dialled is the one that was looked at, so a second answer of
 * the resolver can change nothing.
 */
const connected = Effect.fnUntraced(
  function*({ host, isLiteral, port, secure }: WebTarget, network: Network) {
    if (!isLiteral && !network.isNameAllowed(host)) return yield* refuse("name_forbidden")
    const addresses = isLiteral ? [host] : yield* network.resolve(host)
    if (addresses.length === 0) return yield* refuse("name_unresolved")
    if (!addresses.every(network.isAddressAllowed)) return yield* refuse("address_forbidden")
    const [first = host, ...others] = addresses.slice(0, addressesTriedMax)
    const dial = (address: string) =>
      Effect.timeoutOrElse(network.connect({ host, address, port, secure }), {
        duration: connectTimeoutMs,
        orElse: () => refuse("unreachable")
      })
    return yield* others.reduce(
      (tried, address) => Effect.catch(tried, () => dial(address)),
      dial(first)
    )
  }
)

const refuse = (fault: FetchFault) => Effect.fail(new FetchFailed({ fault }))

/** Given the one socket: should it end early, there is no other. */
const clientOver = (socket: Socket, { url }: WebTarget): Client => {
  const sockets = [socket]
  return new Client(url.origin, {
    // The client does not take a socket while it is still asking for one.
    connect: (_, callback) =>
      queueMicrotask(() => {
        const next = sockets.pop()
        return next === undefined || next.destroyed
          ? callback(new FetchFailed({ fault: "unreachable" }), null)
          : callback(null, next)
      }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headBytesMax,
    headersTimeout: headTimeoutMs,
    // The whole has a deadline; a gap is no better reason to give up than that.
    bodyTimeout: 0
  })
}

const faultOf = (cause: unknown): FetchFault => {
  if (cause instanceof FetchFailed) return cause.fault
  if (cause instanceof errors.HTTPParserError) return "malformed"
  if (cause instanceof errors.ResponseContentLengthMismatchError) return "malformed"
  if (cause instanceof errors.HeadersOverflowError) return "headers_too_large"
  return cause instanceof errors.HeadersTimeoutError ? "timeout" : "unreachable"
}

const headerIn = (headers: Dispatcher.ResponseData["headers"]) => (name: string): string => {
  const value = headers[name]
  return typeof value === "string" ? value : ""
}
