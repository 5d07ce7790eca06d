/** Permitted hosts, name resolution, and a socket to exactly the checked address. */
import { Data, Effect, Result, type Scope } from "effect"
import ipaddr from "ipaddr.js"
import { Resolver } from "node:dns"
import { connect as connectTcp, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { parse } from "tldts"
import { credentialsOf, type Destination, Proxies, tunnel } from "./Proxy.ts"

/** Why nothing was fetched. One word and a status, so that no URL and no text can leak. */
export type FetchFault =
  /** No absolute http(s) URL, or one that is too long. */
  | "address_invalid"
  | "scheme_forbidden"
  /** The URL contains a user or a password. */
  | "userinfo_forbidden"
  | "port_forbidden"
  /** A name outside the public registries: `localhost`, one label, `*.internal`. */
  | "name_forbidden"
  /** A non-public address, in the URL or among a name's addresses. */
  | "address_forbidden"
  /** The caller does not permit this site. */
  | "site_not_allowed"
  | "downgrade_forbidden"
  | "too_many_redirects"
  /** The site's robots.txt forbids it, or is temporarily unreadable. */
  | "robots"
  | "name_unresolved"
  | "unreachable"
  /** The proxy did not connect: it requires a user, or forbids the site. */
  | "proxy_refused"
  /** The certificate is another host's or expired, or there is no TLS at all. */
  | "tls_failed"
  | "timeout"
  /** The process's memory limit for pages is exhausted. */
  | "busy"
  | "headers_too_large"
  | "too_large"
  /** The connection or the compression ended before the body did. */
  | "truncated"
  /** The answer is not HTTP, or its compression is invalid. */
  | "malformed"
  | "encoding_unknown"
  /** Neither HTML, plain text, Markdown nor PDF; or one served as another. */
  | "type_forbidden"
  | "http_status"

export class FetchFailed extends Data.TaggedError("FetchFailed")<{
  readonly fault: FetchFault
  /** HTTP status, with `http_status` only. */
  readonly status?: number
}> {
  override get message(): string {
    return this.status === undefined ? this.fault : `http_${this.status}`
  }
}

/** Longest accepted URL, in UTF-16 code units. */
const addressCharsMax = 2_048

/** Its host is punycode. */
export interface WebTarget extends Destination {
  readonly url: URL
  readonly isLiteral: boolean
}

/** Registered with the public suffixes, but not on the web. */
const reservedSuffixes: ReadonlySet<string> = new Set(["arpa", "onion"])

/** A name under a public suffix: neither one label nor a private network's. */
export const isPublicName = (host: string): boolean => {
  const { domain, isIcann, publicSuffix } = parse(host)
  if (domain === null || isIcann !== true || host.endsWith(".")) return false
  return !reservedSuffixes.has(publicSuffix?.split(".").at(-1) ?? "")
}

/** By form alone: http or https, no user, port 80 or 443. `base`: the redirecting URL. */
export const parseTarget = (
  address: string,
  base?: string
): Result.Result<WebTarget, FetchFailed> => {
  const url = address.length > addressCharsMax ? null : URL.parse(address, base)
  if (url === null || url.href.length > addressCharsMax) return refused("address_invalid")
  if (url.protocol !== "https:" && url.protocol !== "http:") return refused("scheme_forbidden")
  if (url.username !== "" || url.password !== "") return refused("userinfo_forbidden")
  const secure = url.protocol === "https:"
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  if (port !== 80 && port !== 443) return refused("port_forbidden")
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return Result.succeed({ url, host, isLiteral: isIP(host) !== 0, secure, port })
}

const refused = (fault: FetchFault) => Result.fail(new FetchFailed({ fault }))

/** The library calls parts of `::/3` unicast, such as IPv4-compatible addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Public by number, yet answered by the machine's own cloud. */
const insideAnyway: ReadonlySet<string> = new Set(["168.63.129.16"])

/** IPv4 or IPv6 on the public internet. False for every other text. */
export const isPublic = (text: string): boolean => {
  if (isIP(text) === 0 || text.includes("%")) return false
  const address = ipaddr.process(text)
  if (address.range() !== "unicast" || insideAnyway.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/**
 * The host's certificate is required; the host is not resolved again, except by a proxy that may.
 */
export interface Endpoint extends Destination {
  readonly address: string
}

export interface Connection {
  readonly socket: Socket
  /** Headers for a forwarding proxy, which expects the whole URL. */
  readonly passing?: Readonly<Record<string, string>>
}

export interface Network {
  /** Whether a name may be resolved. Lower case. */
  readonly isNameAllowed: (host: string) => boolean
  /** Called for every address of a name, and for an address in the URL. */
  readonly isAddressAllowed: (address: string) => boolean
  /** Every address of a name, in the order to try. Fails with `name_unresolved`. */
  readonly resolve: (to: Destination) => Effect.Effect<ReadonlyArray<string>, FetchFailed>
  /** Closed with the scope. */
  readonly connect: (endpoint: Endpoint) => Effect.Effect<Connection, FetchFailed, Scope.Scope>
}

/** Opens a TCP connection; returned before it is established. */
export type Dial = (address: string, port: number) => Socket

export interface PublicNetworkOptions {
  /** Default: the system's name servers, for A and AAAA. */
  readonly resolve?: (host: string) => Effect.Effect<ReadonlyArray<string>, FetchFailed>
  /** Default: a TCP connection to that address. */
  readonly dial?: Dial
}

/** Address of a name that the proxy alone resolves; never dialled. */
const atProxy = "proxy"

/**
 * Network that connects to public addresses only, through the process's proxies, if any. A proxy
 * gets the checked address, or the name if names are left to it: inside addresses are refused all
 * the same.
 */
export const publicNetwork = (options: PublicNetworkOptions = {}): Network => {
  const { dial = dialTcp, resolve = resolvePublic } = options
  return {
    isNameAllowed: isPublicName,
    isAddressAllowed: (address) => address === atProxy || isPublic(address),
    resolve: (to) =>
      Effect.flatMap(Proxies, ({ names, of }) =>
        names === "resolved here" || of(to) === undefined
          ? resolve(to.host)
          : resolve(to.host).pipe(
            Effect.timeout(proxyNameTimeoutMs),
            Effect.orElseSucceed(() => [atProxy])
          )),
    connect: Effect.fnUntraced(function*(to: Endpoint) {
      const { names, of } = yield* Proxies
      const proxy = of(to)
      if (proxy !== undefined && names === "left to the proxy" && !to.secure) {
        return { socket: yield* dialProxy(proxy), passing: credentialsOf(proxy) }
      }
      const reached = names === "left to the proxy" ? to.host : to.address
      const socket = proxy === undefined
        ? yield* opened(() => dial(to.address, to.port), "connect", "unreachable")
        : yield* Effect.mapError(
          tunnel(proxy, authorityOf(reached, to.port)),
          (status) => new FetchFailed({ fault: status === 0 ? "unreachable" : "proxy_refused" })
        )
      return {
        socket: to.secure
          ? yield* opened(() => tlsOver(socket, to.host), "secureConnect", "tls_failed")
          : socket
      }
    })
  }
}

/** On a network that leaves names to its proxy, name servers may not answer. */
const proxyNameTimeoutMs = 1_000

const authorityOf = (host: string, port: number): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`

const dialProxy = ({ hostname, port, protocol }: URL) => {
  const secure = protocol === "https:"
  const host = hostname.replace(/^\[(.*)\]$/, "$1")
  return Effect.flatMap(
    opened(() => dialTcp(host, Number(port) || (secure ? 443 : 80)), "connect", "unreachable"),
    (socket) =>
      secure
        ? opened(() => tlsOver(socket, host), "secureConnect", "unreachable")
        : Effect.succeed(socket)
  )
}

const dialTcp: Dial = (host, port) => connectTcp({ host, port, autoSelectFamily: false })

/** The host is compared with the certificate; a name is also sent as SNI. */
const tlsOver = (socket: Socket, host: string): Socket =>
  connectTls({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    ...(isIP(host) === 0 ? { servername: host } : {})
  })

/** Waits for `event`; the scope destroys the socket, which also ends the wait. */
const opened = (
  open: () => Socket,
  event: "connect" | "secureConnect",
  fault: FetchFault
): Effect.Effect<Socket, FetchFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => open().on("error", ignore)),
      (socket) => Effect.sync(() => void socket.destroy())
    ),
    (socket) =>
      Effect.callback<Socket, FetchFailed>((resume) => {
        socket.once(event, () => resume(Effect.succeed(socket)))
        socket.once("close", () => resume(new FetchFailed({ fault })))
      })
  )

/** An error is followed by `close`, which is handled. */
const ignore = () => {}

const resolveTimeoutMs = 2_000
const resolveTriesMax = 2

/**
 * Queries the name servers directly: cancellable, and without a thread of the pool that
 * decompresses bodies.
 */
const resolvePublic = (host: string): Effect.Effect<ReadonlyArray<string>, FetchFailed> =>
  Effect.callback((resume) => {
    const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: resolveTriesMax })
    const found: Array<ReadonlyArray<string>> = []
    const settle = (kind: number) => (_: unknown, addresses: ReadonlyArray<string> = []) => {
      found[kind] = addresses
      if (found[0] === undefined || found[1] === undefined) return
      const all = found.flat()
      resume(
        all.length === 0
          ? new FetchFailed({ fault: "name_unresolved" })
          : Effect.succeed(all)
      )
    }
    resolver.resolve4(host, settle(0))
    resolver.resolve6(host, settle(1))
    return Effect.sync(() => resolver.cancel())
  })

/** Address of the sandbox's names; never dialled. */
const sandboxAddress = "sandbox"

const isOfSandbox = (host: string): boolean => host.endsWith(".example")

/** Always without TLS: nothing leaves this machine. */
export const sandboxNetwork = (baseUrl: string): Network => {
  const { hostname, port } = new URL(baseUrl)
  return {
    isNameAllowed: isOfSandbox,
    isAddressAllowed: (address) => address === sandboxAddress,
    resolve: () => Effect.succeed([sandboxAddress]),
    connect: ({ host }) =>
      isOfSandbox(host)
        ? Effect.map(
          opened(() => dialTcp(hostname, Number(port)), "connect", "unreachable"),
          (socket) => ({ socket })
        )
        : new FetchFailed({ fault: "name_forbidden" })
  }
}
