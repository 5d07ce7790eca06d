/**
 * Fetches a page that a stranger names, so that the stranger gets nothing from it: not a
 * non-public address, not this machine's time and not its memory.
 */
import { charsetIn, textOf } from "@web-grounding/pages/Charset"
import { Effect, type Scope } from "effect"
import { kindOf, mediaTypes } from "./ContentKind.ts"
import { FetchFailed } from "./FetchFailed.ts"
import * as HeldBytes from "./HeldBytes.ts"
import * as HostGate from "./HostGate.ts"
import * as RedirectChain from "./RedirectChain.ts"
import * as RobotsRules from "./RobotsRules.ts"
import type { ExchangeOptions } from "./WebExchange.ts"
import { parseTarget } from "./WebTarget.ts"

/** Bytes of a page, at most: on the wire, unpacked, and in between. */
export const bodyBytesMax = 5 * 1_024 * 1_024
/**
 * Milliseconds from the call to the last byte: robots.txt, redirects, waiting for a turn and all.
 */
export const totalTimeoutMs = 10_000

/** All bodies that a process holds at one moment. */
const heldBytesMax = 12 * 1_024 * 1_024
const gateBounds: HostGate.GateBounds = { perHostMax: 2, allHostsMax: 32 }

export interface FetchedPage {
  /** Address that the last redirect led to. */
  readonly url: string
  /**
   * `text/html`, `application/xhtml+xml`, `text/plain`, `text/markdown` or `application/pdf`. Where
   * the body is bytes of text, with the charset that the server named.
   */
  readonly contentType: string
  /** May be empty. */
  readonly body: string | Uint8Array
}

export interface FetchedBytes extends FetchedPage {
  readonly body: Uint8Array
}

export interface SafeFetch {
  /**
   * GET without cookies, referrer or anything of the caller. What is not 2xx fails with
   * `http_status`. Interruption closes the connection. Text is decoded; a PDF is bytes.
   */
  readonly fetch: (address: string) => Effect.Effect<FetchedPage, FetchFailed>
  /**
   * Fetches like `fetch`, but gives bytes, which count as held until the scope ends: text takes
   * twice as much.
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
    const gate = yield* HostGate.make(gateBounds)
    const held = HeldBytes.make(heldBytesMax)
    const chain = RedirectChain.make({ ...options, gate, held })
    const rules = yield* RobotsRules.make({ chain, userAgent: options.userAgent })
    const errand: RedirectChain.Errand<FetchedBytes> = {
      admit: options.robots === "respected" ? rules.admit : () => Effect.void,
      bytesMax: bodyBytesMax,
      read: pageOf
    }
    const open = Effect.fnUntraced(function*(address: string) {
      const holder = yield* Effect.scope
      const target = yield* Effect.fromResult(parseTarget(address))
      return yield* Effect.timeoutOrElse(chain.follow(target, { ...errand, holder }), {
        duration: options.timeoutMs ?? totalTimeoutMs,
        orElse: () => Effect.fail(new FetchFailed({ fault: "timeout" }))
      })
    })
    return { open, fetch: (address) => Effect.scoped(Effect.map(open(address), decoded)) }
  }
)

const pageOf = (
  { body, contentType, target }: RedirectChain.Answered
): Effect.Effect<FetchedBytes, FetchFailed> =>
  Effect.suspend(() => {
    const kind = kindOf(contentType, body)
    if (kind === undefined) return Effect.fail(new FetchFailed({ fault: "type_forbidden" }))
    const charset = kind === "pdf" ? "" : charsetIn(contentType)
    return Effect.succeed({ url: target.url.href, contentType: mediaTypes[kind] + charset, body })
  })

const decoded = ({ body, contentType, url }: FetchedBytes): FetchedPage =>
  contentType === mediaTypes.pdf
    ? { url, contentType, body }
    : { url, contentType: contentType.split(";", 1).join(""), body: textOf(body, contentType) }
