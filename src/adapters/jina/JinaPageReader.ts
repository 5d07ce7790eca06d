/** Jina's Reader as a `PageReader`: an address goes out, the page's words come back. */
import { isPublic, isPublicName, parseTarget } from "@web-grounding/safe-fetch/Network"
import { Effect, Option, Result } from "effect"
import { isIP } from "node:net"
import type { PageReader } from "../../application/ports/PageReader.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import * as JinaClient from "./JinaClient.ts"
import * as JinaReaderAnswer from "./JinaReaderAnswer.ts"

/** Most tokens of a page; Jina trims what is longer and charges by it. */
export const tokensMax = 20_000
/** Bytes of an answer after decompression, at most. */
const bodyBytesMax = 4 * 1024 * 1024
/** Milliseconds for the way there and back, out of the time that an attempt may take. */
const wayMs = 2_000

export interface JinaPageReaderOptions extends JinaClient.JinaOptions {
  /** Milliseconds for an attempt, so that Jina gives up before we do. At least 1,000. */
  readonly timeoutMs: number
  /** Hosts whose addresses may be told to Jina. */
  readonly isHostAllowed: (host: string) => boolean
  /** Length from which a passage may be closed, in UTF-16 code units. Default: 800. */
  readonly chunkCharsMin?: number
}

/**
 * Whether a host, by name or number, is on the public internet: names of private networks are
 * nobody else's to know.
 */
export const isPublicHost = (host: string): boolean =>
  isIP(host) === 0 ? isPublicName(host) : isPublic(host)

export const make = (options: JinaPageReaderOptions): PageReader => ({
  info: { engine: JinaClient.engine, version: "1", upstream: "jina reader" },
  read: Effect.fn("JinaPageReader.read")(function*(
    { chunkCharsMin = options.chunkCharsMin, url }
  ) {
    const citable = plainAddress(options.isHostAllowed)
    if (Option.isNone(citable(url))) {
      return yield* JinaClient.failed({ reason: "refused", detail: "address_not_public" })
    }
    const body = yield* JinaClient.askJina(options, {
      path: "/",
      headers: {
        "x-max-tokens": String(tokensMax),
        "x-timeout": String(secondsOf(options.timeoutMs)),
        "x-retain-images": "none",
        "x-retain-links": "text"
      },
      body: { url },
      bodyBytesMax
    })
    const page = JinaReaderAnswer.readPage(body, {
      url,
      citable,
      tokensMax,
      chunkCharsMin
    })
    return Result.isSuccess(page) ? page.success : yield* JinaClient.failed(page.failure)
  })
})

/** A plain web address on its usual port, without a user, of a host that may be named. */
const plainAddress =
  (isHostAllowed: (host: string) => boolean) =>
  (url: string): Option.Option<WebAddress.WebAddress> => {
    const target = parseTarget(url)
    return Option.filter(
      WebAddress.canonical(url),
      () => Result.isSuccess(target) && isHostAllowed(target.success.host)
    )
  }

const secondsOf = (timeoutMs: number): number =>
  Math.max(1, Math.trunc((timeoutMs - wayMs) / 1_000))
