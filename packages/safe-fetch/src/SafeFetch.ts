/**
 * Fetches a page that a stranger names, so that the stranger gets nothing from it: not a
 * non-public address, not this machine's time and not its memory.
 */
import { Effect, RcMap, Result, Scope, Semaphore } from "effect"
import { FetchFailed, type FetchFault, parseTarget, type WebTarget } from "./Network.ts"
import * as RobotsRules from "./RobotsRules.ts"
import {
  collect,
  exchange,
  type ExchangeOptions,
  type HeldBytes,
  heldBytes,
  kindOf,
  mediaTypes,
  type WebHead
} from "./WebExchange.ts"

/** Bytes of a page, at most: on the wire, unpacked, and in between. */
export const bodyBytesMax = 5 * 1_024 * 1_024
/**
 * Milliseconds from the call to the last byte: robots.txt, redirects, waiting for a turn and all.
 */
export const totalTimeoutMs = 10_000

/** All bodies that a process holds at one moment. */
export const heldBytesMax = 12 * 1_024 * 1_024
const gateBounds: GateBounds = { perHostMax: 2, allHostsMax: 32 }

export interface FetchedBytes {
  /** Address that the last redirect led to. */
  readonly url: string
  /**
   * `text/html`, `application/xhtml+xml`, `text/plain`, `text/markdown` or `application/pdf`; of a
   * text with the charset that the server named.
   */
  readonly contentType: string
  /** May be empty. */
  readonly body: Uint8Array
}

export interface SafeFetch {
  /**
   * GET without cookies, referrer or anything of the caller. What is not 2xx fails with
   * `http_status`. Interruption closes the connection. The bytes count as held until the scope
   * ends, and are gone then.
   */
  readonly open: (address: string) => Effect.Effect<FetchedBytes, FetchFailed, Scope.Scope>
}

export interface SafeFetchOptions extends ExchangeOptions {
  /** Whether a site's robots.txt is asked before its pages. */
  readonly robots: "respected" | "ignored"
  /** Default `totalTimeoutMs`. */
  readonly timeoutMs?: number
}

export const make = Effect.fnUntraced(
  function*(options: SafeFetchOptions): Effect.fn.Return<SafeFetch, never, Scope.Scope> {
    const gate = yield* hostGate(gateBounds)
    const held = heldBytes(heldBytesMax)
    const chain = redirectChain({ ...options, gate, held })
    const rules = yield* RobotsRules.make({
      textOf: (target, bytesMax) =>
        chain.follow(target, {
          admit: () => Effect.void,
          bytesMax,
          read: ({ body }) => Effect.succeed(new TextDecoder().decode(body))
        }),
      userAgent: options.userAgent
    })
    const errand: Errand<FetchedBytes> = {
      admit: options.robots === "respected" ? rules.admit : () => Effect.void,
      bytesMax: bodyBytesMax,
      read: pageOf
    }
    return {
      open: Effect.fnUntraced(function*(address: string) {
        const holder = yield* Effect.scope
        const target = yield* Effect.fromResult(parseTarget(address))
        return yield* Effect.timeoutOrElse(chain.follow(target, { ...errand, holder }), {
          duration: options.timeoutMs ?? totalTimeoutMs,
          orElse: () => Effect.fail(new FetchFailed({ fault: "timeout" }))
        })
      })
    }
  }
)

const pageOf = (
  { body, contentType, target }: HopAnswer
): Effect.Effect<FetchedBytes, FetchFailed> =>
  Effect.suspend(() => {
    const kind = kindOf(contentType, body)
    if (kind === undefined) return Effect.fail(new FetchFailed({ fault: "type_forbidden" }))
    const charset = kind === "pdf" ? "" : charsetIn(contentType)
    return Effect.succeed({ url: target.url.href, contentType: mediaTypes[kind] + charset, body })
  })

/** Charset parameter of a content type, as `; charset=…`; empty when it names none. */
const charsetIn = (contentType: string): string => {
  const label = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  return label === undefined ? "" : `; charset=${label}`
}

/** More are refused. */
const redirectsMax = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A body with the target and the header that it came with. */
interface HopAnswer {
  readonly target: WebTarget
  readonly contentType: string
  readonly body: Uint8Array
}

interface Errand<A> {
  /** Asked before each hop. */
  readonly admit: (target: WebTarget) => Effect.Effect<void, FetchFailed>
  readonly bytesMax: number
  /** The body counts as held until this ends. Default: until it is read. */
  readonly holder?: Scope.Scope
  readonly read: (answered: HopAnswer) => Effect.Effect<A, FetchFailed>
}

interface RedirectChain {
  readonly follow: <A>(first: WebTarget, errand: Errand<A>) => Effect.Effect<A, FetchFailed>
}

interface ChainOptions extends ExchangeOptions {
  readonly gate: HostGate
  readonly held: HeldBytes
}

const redirectChain = (options: ChainOptions): RedirectChain => {
  /** Answers a function where the way goes on: the target is asked for after the socket is gone. */
  const hop = <A>(target: WebTarget, { bytesMax, holder, read }: Errand<A>) =>
    Effect.gen(function*() {
      const head = yield* exchange(target, options)
      if (redirects.has(head.status)) {
        return { next: yield* Effect.fromResult(nextOf(target, head.header("location"))) }
      }
      yield* refuseAtSight(head, bytesMax)
      const body = yield* collect(head.body, head.header("content-encoding"), {
        bytesMax,
        held: options.held
      }).pipe(Effect.provideService(Scope.Scope, holder ?? (yield* Effect.scope)))
      return { value: yield* read({ target, contentType: head.header("content-type"), body }) }
    }).pipe(Effect.scoped, options.gate.pass(target.host))

  const from = <A>(
    target: WebTarget,
    errand: Errand<A>,
    left: number
  ): Effect.Effect<A, FetchFailed> =>
    Effect.gen(function*() {
      yield* errand.admit(target)
      const step = yield* hop(target, errand)
      if (step.next === undefined) return step.value
      if (left === 0) return yield* failed("too_many_redirects")
      return yield* from(step.next, errand, left - 1)
    })
  return { follow: (first, errand) => from(first, errand, redirectsMax) }
}

const failed = (fault: FetchFault) => Effect.fail(new FetchFailed({ fault }))

const refuseAtSight = ({ header, status }: WebHead, bytesMax: number) => {
  if (status < 200 || status > 299) {
    return Effect.fail(new FetchFailed({ fault: "http_status", status }))
  }
  return Number(header("content-length")) > bytesMax ? failed("too_large") : Effect.void
}

/** Relative to the hop that said so. What was asked for over https is not asked for over http. */
const nextOf = (
  { secure, url }: WebTarget,
  location: string
): Result.Result<WebTarget, FetchFailed> =>
  location === ""
    ? Result.fail(new FetchFailed({ fault: "malformed" }))
    : Result.flatMap(parseTarget(location, url.href), (target) =>
      secure && !target.secure
        ? Result.fail(new FetchFailed({ fault: "downgrade_forbidden" }))
        : Result.succeed(target))

interface HostGate {
  /** Waits its turn. */
  readonly pass: (
    host: string
  ) => <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface GateBounds {
  readonly perHostMax: number
  readonly allHostsMax: number
}

const hostGate = (bounds: GateBounds): Effect.Effect<HostGate, never, Scope.Scope> =>
  Effect.gen(function*() {
    const all = yield* Semaphore.make(bounds.allHostsMax)
    const hosts = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(bounds.perHostMax) })
    return {
      pass: (host) => (request) =>
        Effect.scoped(Effect.flatMap(
          RcMap.get(hosts, host),
          (one) => one.withPermit(all.withPermit(request))
        ))
    }
  })
