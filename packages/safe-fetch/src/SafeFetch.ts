/** Fetches an untrusted URL safely: no non-public addresses (SSRF), bounded time and memory. */
import { Effect, RcMap, Result, Scope, Semaphore } from "effect"
import { FetchFailed, type FetchFault, parseTarget, type WebTarget } from "./Network.ts"
import { mediaTypeOf, refreshOf } from "./PageKind.ts"
import * as RobotsRules from "./RobotsRules.ts"
import {
  collect,
  exchange,
  type ExchangeOptions,
  type HeldBytes,
  heldBytes,
  type WebHead
} from "./WebExchange.ts"

/** Most bytes of a page: on the wire, decompressed, and in between. */
export const bodyBytesMax = 5 * 1_024 * 1_024
/** Milliseconds from the call to the last byte: robots.txt, redirects and queueing included. */
export const totalTimeoutMs = 10_000

/** Most bytes of all bodies held by a process. */
const heldBytesMax = 12 * 1_024 * 1_024
/** Requests at a time, to one host and to all. */
const perHostMax = 2
const allHostsMax = 32

export interface FetchedBytes {
  /** URL after the last redirect. */
  readonly url: string
  /**
   * `text/html`, `application/xhtml+xml`, `text/plain`, `text/markdown` or `application/pdf`; for
   * text with the server's charset.
   */
  readonly contentType: string
  /** May be empty. */
  readonly body: Uint8Array
}

export interface SafeFetch {
  /**
   * GET without referrer or data of the caller; cookies go back to their host within this call
   * only. A status other than 2xx fails with `http_status`. Interruption closes the connection.
   * Bytes are freed when the scope ends. `isAllowed` is called before each hop, robots.txt
   * included.
   */
  readonly open: (
    address: string,
    isAllowed?: (address: string) => boolean
  ) => Effect.Effect<FetchedBytes, FetchFailed, Scope.Scope>
}

export interface SafeFetchOptions extends ExchangeOptions {
  /** Whether a site's robots.txt is fetched before its pages. */
  readonly robots: "respected" | "ignored"
  /** Default `totalTimeoutMs`. */
  readonly timeoutMs?: number
}

export const make = Effect.fnUntraced(
  function*(options: SafeFetchOptions): Effect.fn.Return<SafeFetch, never, Scope.Scope> {
    const gate = yield* hostGate
    const held = heldBytes(heldBytesMax)
    const follow = redirectChain({ ...options, gate, held })
    const byRobots = yield* RobotsRules.make({
      textOf: (target, bytesMax) =>
        follow(target, {
          admit: () => Effect.void,
          bytesMax,
          read: ({ body }) => Effect.succeed({ value: new TextDecoder().decode(body) })
        }),
      userAgent: options.userAgent
    })
    const errand: Errand<FetchedBytes> = {
      admit: options.robots === "respected" ? byRobots : () => Effect.void,
      bytesMax: bodyBytesMax,
      read: pageOf
    }
    return {
      open: Effect.fnUntraced(function*(address, isAllowed = () => true) {
        const holder = yield* Effect.scope
        const target = yield* Effect.fromResult(parseTarget(address))
        const admit = (hop: WebTarget) =>
          isAllowed(hop.url.href) ? errand.admit(hop) : failed("site_not_allowed")
        return yield* Effect.timeoutOrElse(follow(target, { ...errand, admit, holder }), {
          duration: options.timeoutMs ?? totalTimeoutMs,
          orElse: () => new FetchFailed({ fault: "timeout" })
        })
      })
    }
  }
)

const pageOf = (
  { body, contentType, refresh, target }: HopAnswer
): Effect.Effect<Step<FetchedBytes>, FetchFailed> =>
  Effect.gen(function*() {
    const type = mediaTypeOf(contentType, body)
    if (type === undefined) return yield* failed("type_forbidden")
    const leads = /html/.test(type) ? refreshOf(refresh, body) : undefined
    if (leads !== undefined) {
      const next = yield* Effect.fromResult(nextOf(target, leads))
      // A page that only reloads itself is a page.
      if (withoutHash(next.url) !== withoutHash(target.url)) return { next }
    }
    const charset = type === "application/pdf" ? "" : charsetIn(contentType)
    return { value: { url: target.url.href, contentType: type + charset, body } }
  })

const withoutHash = ({ hash, href }: URL): string => href.slice(0, href.length - hash.length)

/** Charset parameter of a content type, as `; charset=…`; empty without one. */
const charsetIn = (contentType: string): string => {
  const label = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  return label === undefined ? "" : `; charset=${label}`
}

const redirectsMax = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface HopAnswer {
  readonly target: WebTarget
  readonly contentType: string
  readonly refresh: string
  readonly body: Uint8Array
}

/** The result, or the next target. */
type Step<A> = { readonly value: A; readonly next?: never } | { readonly next: WebTarget }

interface Errand<A> {
  readonly admit: (target: WebTarget) => Effect.Effect<void, FetchFailed>
  readonly bytesMax: number
  /** The body counts as held until this ends. Default: until it is read. */
  readonly holder?: Scope.Scope
  readonly read: (answered: HopAnswer) => Effect.Effect<Step<A>, FetchFailed>
}

interface ChainOptions extends ExchangeOptions {
  readonly gate: HostGate
  readonly held: HeldBytes
}

const redirectChain = (options: ChainOptions) => {
  /** The next target is requested after the socket is closed. */
  const hop = <A>(target: WebTarget, { bytesMax, holder, read }: Errand<A>, jar: CookieJar) =>
    Effect.gen(function*() {
      const { body, lines, status } = yield* exchange(target, {
        ...options,
        cookie: cookiesFor(jar, target.host)
      })
      keepCookies(jar, target.host, lines("set-cookie"))
      if (redirects.has(status)) {
        return { next: yield* Effect.fromResult(nextOf(target, lines("location")[0] ?? "")) }
      }
      yield* refuseAtSight(status, lines, bytesMax)
      const bytes = yield* collect(body, lines("content-encoding").join(), {
        bytesMax,
        held: options.held
      }).pipe(Effect.provideService(Scope.Scope, holder ?? (yield* Effect.scope)))
      return yield* read({
        target,
        contentType: lines("content-type").at(-1) ?? "",
        refresh: lines("refresh")[0] ?? "",
        body: bytes
      })
    }).pipe(Effect.scoped, options.gate(target.host))

  const from = <A>(
    target: WebTarget,
    errand: Errand<A>,
    jar: CookieJar,
    left: number
  ): Effect.Effect<A, FetchFailed> =>
    Effect.gen(function*() {
      yield* errand.admit(target)
      const step = yield* hop(target, errand, jar)
      if (step.next === undefined) return step.value
      if (left === 0) return yield* failed("too_many_redirects")
      return yield* from(step.next, errand, jar, left - 1)
    })
  return <A>(first: WebTarget, errand: Errand<A>) =>
    Effect.suspend(() => from(first, errand, new Map(), redirectsMax))
}

// Some sites redirect to themselves until they receive their cookie.

/** Cookies by host, then by name. */
type CookieJar = Map<string, Map<string, string>>

const cookiesMax = 50
const cookieCharsMax = 4_096
const cookiesCharsMax = 8_192
const cookieForm = /^([^\x00-\x20\x7f-\uffff=;,"]{1,256})=([\x21-\x3a\x3c-\x7e]*)$/

const keepCookies = (jar: CookieJar, host: string, lines: ReadonlyArray<string>): void => {
  const cookies = jar.get(host) ?? new Map<string, string>()
  for (const line of lines.slice(0, cookiesMax)) {
    const [pair = "", ...attributes] = line.split(";", 32).map((part) => part.trim())
    const [, name, value = ""] = cookieForm.exec(pair) ?? []
    if (name === undefined || line.length > cookieCharsMax) continue
    const isGone = attributes.some((attribute) => /^max-age\s*=\s*["']?(?:0|-\d+)/i.test(attribute))
    if (isGone || cookies.size >= cookiesMax) cookies.delete(name)
    else cookies.set(name, value)
  }
  jar.set(host, cookies)
}

const cookiesFor = (jar: CookieJar, host: string): string => {
  const cookies = Array.from(jar.get(host) ?? [], ([name, value]) => `${name}=${value}`)
  const header = cookies.join("; ")
  return header.length > cookiesCharsMax ? "" : header
}

const failed = (fault: FetchFault) => new FetchFailed({ fault })

const refuseAtSight = (status: number, lines: WebHead["lines"], bytesMax: number) => {
  if (status < 200 || status > 299) {
    return new FetchFailed({ fault: "http_status", status })
  }
  return Number(lines("content-length")[0]) > bytesMax ? failed("too_large") : Effect.void
}

/** Relative to the redirecting hop; https is never downgraded. Raw bytes are encoded once. */
const nextOf = (
  { secure, url }: WebTarget,
  location: string
): Result.Result<WebTarget, FetchFailed> =>
  location === ""
    ? Result.fail(new FetchFailed({ fault: "malformed" }))
    : Result.flatMap(parseTarget(asAscii(location), url.href), (target) =>
      secure && !target.secure
        ? Result.fail(new FetchFailed({ fault: "downgrade_forbidden" }))
        : Result.succeed(target))

const asAscii = (bytes: string): string =>
  bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)

type HostGate = (
  host: string
) => <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const hostGate: Effect.Effect<HostGate, never, Scope.Scope> = Effect.gen(function*() {
  const all = yield* Semaphore.make(allHostsMax)
  const hosts = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(perHostMax) })
  return (host) => (request) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(hosts, host), (one) => one.withPermit(all.withPermit(request)))
    )
})
