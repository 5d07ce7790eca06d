/**
 * How a fetch reaches a host: who may be asked for, where it is, a socket to exactly there, and why
 * nothing was fetched.
 */
import { Data, Effect, Result, type Scope } from "effect"
import ipaddr from "ipaddr.js"
import { Resolver } from "node:dns"
import { connect as connectTcp, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { parse } from "tldts"
import { credentialsOf, type Destination, Proxies, tunnel } from "./Proxy.ts"

/** Why nothing was fetched. One word and a status, so that no address and no text can leak. */
export type FetchFault =
  /** No absolute http(s) address, or one that is too long. */
  | "address_invalid"
  | "scheme_forbidden"
  /** There is a user or a password in the address. */
  | "userinfo_forbidden"
  | "port_forbidden"
  /** A name that no public registry has: `localhost`, one label, `*.internal`. */
  | "name_forbidden"
  /** Written in the address or among a name's answers: not an address of the public internet. */
  | "address_forbidden"
  /** The caller does not let this site be asked. */
  | "site_not_allowed"
  /** A redirect from https to http. */
  | "downgrade_forbidden"
  | "too_many_redirects"
  /** The site's robots.txt says no, or cannot be read for now. */
  | "robots"
  | "name_unresolved"
  | "unreachable"
  /** The proxy did not connect: it wants a user, or forbids the site. */
  | "proxy_refused"
  /** The certificate is not the host's, has run out, or there is no TLS at all. */
  | "tls_failed"
  | "timeout"
  /** This process holds as much of other pages as it may. */
  | "busy"
  | "headers_too_large"
  | "too_large"
  /** The connection or the compression ended before the body did. */
  | "truncated"
  /** The answer is not HTTP, or its compression does not unpack. */
  | "malformed"
  | "encoding_unknown"
  /** Neither HTML, plain text, Markdown nor PDF; or one thing served as another. */
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

/** Longest address that is accepted, in UTF-16 code units. */
const addressCharsMax = 2_048

/** Its host is punycode. */
export interface WebTarget extends Destination {
  readonly url: URL
  readonly isLiteral: boolean
}

/** Registered with the public suffixes, and never the web. */
const reservedSuffixes: ReadonlySet<string> = new Set(["arpa", "onion"])

/** A name under a public suffix: neither one label nor a name that only a private network knows. */
export const isPublicName = (host: string): boolean => {
  const { domain, isIcann, publicSuffix } = parse(host)
  if (domain === null || isIcann !== true || host.endsWith(".")) return false
  return !reservedSuffixes.has(publicSuffix?.split(".").at(-1) ?? "")
}

/**
 * The form alone: http or https, no user, port 80 or 443. Whether the host may be asked for is the
 * network's to say. `base` is the address that redirected here.
 */
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

/**
 * The library calls some of `::/3` unicast (the IPv4-compatible form of a metadata service, for
 * one), so global unicast is asked for by name as well.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Public by number, yet answered by the machine's own cloud. */
const insideAnyway: ReadonlySet<string> = new Set(["168.63.129.16"])

/**
 * Whether an IPv4 or IPv6 address, as resolvers write it, is on the public internet. False for
 * every other text.
 */
export const isPublic = (text: string): boolean => {
  if (isIP(text) === 0 || text.includes("%")) return false
  const address = ipaddr.process(text)
  if (address.range() !== "unicast" || insideAnyway.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/** The host's certificate is expected; it is not resolved again, but by a proxy that may. */
export interface Endpoint extends Destination {
  readonly address: string
}

export interface Connection {
  /** HTTP can be spoken over it. */
  readonly socket: Socket
  /** Headers for a proxy that passes the request on and is asked by the whole address. */
  readonly passing?: Readonly<Record<string, string>>
}

export interface Network {
  /** Names that may be resolved at all. Lower case. */
  readonly isNameAllowed: (host: string) => boolean
  /** Asked of every address of a name, and of an address in the URL. */
  readonly isAddressAllowed: (address: string) => boolean
  /** Every address of a name, in the order to try them. Fails with `name_unresolved`. */
  readonly resolve: (to: Destination) => Effect.Effect<ReadonlyArray<string>, FetchFailed>
  /** Closed with the scope. */
  readonly connect: (endpoint: Endpoint) => Effect.Effect<Connection, FetchFailed, Scope.Scope>
}

/** Opens a TCP connection; not yet connected when it is returned. */
export type Dial = (address: string, port: number) => Socket

export interface PublicNetworkOptions {
  /** Default: the servers that the system is set to, asked for A and AAAA. */
  readonly resolve?: (host: string) => Effect.Effect<ReadonlyArray<string>, FetchFailed>
  /** Default: a TCP connection to that address. */
  readonly dial?: Dial
}

/** Address of a name that the proxy alone resolves; never dialled as such. */
const atProxy = "proxy"

/**
 * Network that connects to public addresses only, by the proxies of this process where it has some.
 * A proxy is told the address that was looked at, or the name where names are left to it: one that
 * this process resolves to an inside address is refused all the same.
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

/** A network that leaves names to its proxy may not answer those who ask for them. */
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

/** The socket is given: the host is only compared with the certificate, a name also sent as SNI. */
const tlsOver = (socket: Socket, host: string): Socket =>
  connectTls({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    ...(isIP(host) === 0 ? { servername: host } : {})
  })

/** Waits for `event`; the socket is destroyed with the scope, which also ends the waiting. */
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
        socket.once("close", () => resume(Effect.fail(new FetchFailed({ fault }))))
      })
  )

/** An error is followed by `close`, which is what is listened to. */
const ignore = () => {}

const resolveTimeoutMs = 2_000
const resolveTriesMax = 2

/**
 * Straight to the name servers: it can be cancelled and takes no thread of the pool that unpacks
 * bodies. A name without one kind of address is served by the other.
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
          ? Effect.fail(new FetchFailed({ fault: "name_unresolved" }))
          : Effect.succeed(all)
      )
    }
    resolver.resolve4(host, settle(0))
    resolver.resolve6(host, settle(1))
    return Effect.sync(() => resolver.cancel())
  })

/** What names of the sandbox resolve to; never dialled as such. */
const sandboxAddress = "sandbox"

const isOfSandbox = (host: string): boolean => host.endsWith(".example")

/**
 * Network of the sandbox's sites. Hosts are spoken to without TLS, whatever the page's address
 * says: nothing leaves this machine.
 */
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
        : Effect.fail(new FetchFailed({ fault: "name_forbidden" }))
  }
}
