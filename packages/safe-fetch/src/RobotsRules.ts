/** Rules of sites for programs that read them: robots.txt (RFC 9309), remembered for a while. */
import { Cache, Duration, Effect, Exit, Predicate } from "effect"
import robotsParser from "robots-parser"
import { FetchFailed, type FetchFault, parseTarget, type WebTarget } from "./Network.ts"

const originsMax = 1_000
/** The standard asks readers to take in at least 500 KiB; a longer file is not understood. */
const robotsBytesMax = 512 * 1_024
const robotsTimeoutMs = 5_000
const rememberedFor = Duration.hours(1)
/** A site that cannot say what it wants is left alone for so long. */
const unknownFor = Duration.minutes(5)
/** Characters of the file times those of the path: what matching may cost at worst. */
const matchingStepsMax = 100_000_000

export interface RobotsRules {
  /** Fails with `robots` where the site says no, or cannot be asked for now. */
  readonly admit: (target: WebTarget) => Effect.Effect<void, FetchFailed>
}

/** `undefined`: the site could not say. */
type Rules = string | undefined

export interface RobotsOptions {
  /** The body behind a target, over redirects. */
  readonly textOf: (target: WebTarget, bytesMax: number) => Effect.Effect<string, FetchFailed>
  readonly userAgent: string
}

export const make = Effect.fnUntraced(function*({ textOf, userAgent }: RobotsOptions) {
  const cache = yield* Cache.makeWith((origin: string) => read(textOf, origin), {
    capacity: originsMax,
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: (text) => text === undefined ? unknownFor : rememberedFor
    })
  })
  const rules: RobotsRules = {
    admit: ({ url }) =>
      Effect.flatMap(
        Cache.get(cache, url.origin),
        (text) =>
          text !== undefined && isAllowed(text, url, userAgent)
            ? Effect.void
            : Effect.fail(new FetchFailed({ fault: "robots" }))
      )
  }
  return rules
})

/** Faults of the connection, not of the file: the page would meet them itself. */
const ownFaults: ReadonlySet<FetchFault> = new Set<FetchFault>([
  "address_forbidden",
  "busy",
  "name_forbidden",
  "name_unresolved",
  "tls_failed",
  "unreachable"
])

/** A 4xx means that there are no wishes; a 5xx, silence and nonsense that they are not known. */
const read = (
  textOf: RobotsOptions["textOf"],
  origin: string
): Effect.Effect<Rules, FetchFailed> =>
  Effect.fromResult(parseTarget(`${origin}/robots.txt`)).pipe(
    Effect.flatMap((target): Effect.Effect<Rules, FetchFailed> => textOf(target, robotsBytesMax)),
    Effect.timeoutOrElse({
      duration: robotsTimeoutMs,
      orElse: () => Effect.succeed<Rules>(undefined)
    }),
    Effect.catch((failed) =>
      ownFaults.has(failed.fault)
        ? Effect.fail(failed)
        : Effect.succeed(hasNoFile(failed) ? "" : undefined)
    )
  )

const hasNoFile = ({ status = 0 }: FetchFailed): boolean =>
  status >= 400 && status < 500 && status !== 429

/** Matching is at worst one step for each pair of characters, which a hostile file may ask for. */
const isAllowed = (text: string, url: URL, userAgent: string): boolean => {
  const pathChars = url.pathname.length + url.search.length
  if (text.length * pathChars > matchingStepsMax) return false
  const rules = rulesOf(`${url.origin}/robots.txt`, text)
  return Predicate.hasProperty(rules, "isAllowed") && Predicate.isFunction(rules.isAllowed) &&
    rules.isAllowed(url.href, userAgent) === true
}

/** Parser of robots.txt. Its types name a default export, yet the module is the function itself. */
const parser: unknown = robotsParser
const rulesOf = (address: string, text: string): unknown =>
  Predicate.isFunction(parser) ? parser(address, text) : undefined
