/** Proxies between this process and the web: the one for a URL, and a tunnel through it. */
import { Context, Effect, type Scope } from "effect"
import ipaddr from "ipaddr.js"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { Socket } from "node:net"

/** Host in lower case, an IPv6 address without brackets. */
export interface Destination {
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

export interface ProxyOptions {
  /** Proxy of `https:` URLs; its own URL is http or https, optionally with a user. */
  readonly https?: string | undefined
  readonly http?: string | undefined
  /** Hosts reached directly: names with their subdomains, addresses, CIDR ranges, `*`. */
  readonly direct?: string | undefined
  /** Who resolves names of pages: this process can check the addresses, a proxy may not. */
  readonly names?: ProxyTable["names"]
}

export interface ProxyTable {
  readonly of: (to: Destination) => URL | undefined
  readonly names: "resolved here" | "left to the proxy"
}

/** Loopback is never proxied: the proxy's loopback is another one. */
export const make = (
  { direct = "", http, https, names = "resolved here" }: ProxyOptions
): ProxyTable => {
  const entries = direct.toLowerCase().split(/[\s,]+/).filter((entry) => entry !== "")
  const [open, sealed] = [http, https].map((address) =>
    address === undefined ? null : URL.parse(address)
  )
  return {
    of: (to) => {
      const proxy = to.secure ? sealed : open
      const isDirect = isLoopback(to.host) || entries.some((entry) => isOf(entry, to))
      return isDirect ? undefined : proxy ?? undefined
    },
    names
  }
}

/** Proxies of this process. Default: none. */
export const Proxies = Context.Reference<ProxyTable>(
  "web-grounding/packages/safe-fetch/Proxy/Proxies",
  { defaultValue: () => make({}) }
)

const isLoopback = (host: string): boolean =>
  host === "localhost" || ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback"

const isOf = (entry: string, { host, port }: Destination): boolean => {
  if (entry === "*") return true
  if (ipaddr.isValidCIDR(entry)) return ipaddr.isValid(host) && isWithin(host, entry)
  if (ipaddr.isValid(entry)) return entry === host
  const [, name = entry, only = port] = /^(?:\*?\.)?\[?(.+?)\]?(?::(\d+))?$/.exec(entry) ?? []
  return Number(only) === port && (host === name || host.endsWith(`.${name}`))
}

const isWithin = (host: string, range: string): boolean => {
  const [network, bits] = ipaddr.parseCIDR(range)
  const address = ipaddr.process(host)
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Header for a proxy with a user in its URL. */
export const credentialsOf = ({ password, username }: URL): Readonly<Record<string, string>> => {
  if (username === "") return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` }
}

/** Fails with the proxy's status, or 0 if it was not reached. Closed with the scope. */
export const tunnel = (
  proxy: URL,
  authority: string
): Effect.Effect<Socket, number, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => {
        const send = proxy.protocol === "https:" ? requestHttps : requestHttp
        return send({
          host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
          port: proxy.port,
          method: "CONNECT",
          path: authority,
          headers: { host: authority, ...credentialsOf(proxy) },
          agent: false
        }).on("error", ignore)
      }),
      (request) => Effect.sync(() => void request.destroy().socket?.destroy())
    ),
    (request) =>
      Effect.callback<Socket, number>((resume) => {
        request.once("connect", ({ statusCode = 0 }, socket: Socket, early: Buffer) => {
          socket.on("error", ignore)
          if (early.length > 0) socket.unshift(early)
          resume(statusCode === 200 ? Effect.succeed(socket) : Effect.fail(statusCode))
        })
        request.once("close", () => resume(Effect.fail(0)))
        request.end()
      })
  )

/** An error is followed by `close`, which is handled. */
const ignore = () => {}
