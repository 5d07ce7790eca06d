/** Sites' rules for crawlers: robots.txt (RFC 9309), cached for a while. */
import { Cache, Duration, Effect, Exit } from "effect"
import { FetchFailed, type FetchFault, parseTarget, type WebTarget } from "./Network.ts"

const originsMax = 500
/** The standard requires at least 500 KiB; a longer file counts as unreadable. */
const robotsBytesMax = 512 * 1_024
const robotsTimeoutMs = 5_000
const rememberedFor = Duration.hours(1)
/** Time for which a site with an unreadable robots.txt is not fetched. */
const unknownFor = Duration.minutes(5)
/** Most rules of one user agent, and their characters; more counts as unreadable. */
const rulesMax = 5_000
const ruleCharsMax = 200_000
/** Product of the rules' and the path's characters: the worst cost of matching. */
const matchingStepsMax = 100_000_000

interface Rule {
  readonly isAllowed: boolean
  /** Matches from the path's start; `*` is any run of characters, a final `$` the path's end. */
  readonly pattern: string
}

/** In order of precedence. `undefined`: unreadable, or beyond the limits. */
type Rules = ReadonlyArray<Rule> | undefined

export interface RobotsOptions {
  /** The body behind a target, over redirects. */
  readonly textOf: (target: WebTarget, bytesMax: number) => Effect.Effect<string, FetchFailed>
  readonly userAgent: string
}

/**
 * Admits a target. Fails with `robots` if the site forbids it, or its rules are temporarily
 * unreadable.
 */
export const make = Effect.fnUntraced(function*(options: RobotsOptions) {
  const cache = yield* Cache.makeWith((origin: string) => read(options, origin), {
    capacity: originsMax,
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: (known) => known === undefined ? unknownFor : rememberedFor
    })
  })
  return ({ url }: WebTarget) =>
    Effect.flatMap(
      Cache.get(cache, url.origin),
      (known) =>
        known !== undefined && isAllowed(known, url.pathname + url.search)
          ? Effect.void
          : new FetchFailed({ fault: "robots" })
    )
})

/** Faults of the connection, not of the file: fetching the page would meet them, too. */
const ownFaults: ReadonlySet<FetchFault> = new Set<FetchFault>([
  "address_forbidden",
  "busy",
  "name_forbidden",
  "name_unresolved",
  "tls_failed",
  "unreachable"
])

/** A 4xx means no rules; a 5xx, a timeout or invalid HTTP means unknown rules. */
const read = (
  { textOf, userAgent }: RobotsOptions,
  origin: string
): Effect.Effect<Rules, FetchFailed> =>
  Effect.fromResult(parseTarget(`${origin}/robots.txt`)).pipe(
    Effect.flatMap((target) => textOf(target, robotsBytesMax)),
    Effect.map((text): Rules => rulesOf(text, userAgent)),
    Effect.timeoutOrElse({
      duration: robotsTimeoutMs,
      orElse: () => Effect.succeed<Rules>(undefined)
    }),
    Effect.catch((failed) =>
      ownFaults.has(failed.fault)
        ? Effect.fail(failed)
        : Effect.succeed<Rules>(hasNoFile(failed) ? [] : undefined)
    )
  )

const hasNoFile = ({ status = 0 }: FetchFailed): boolean =>
  status >= 400 && status < 500 && status !== 429

/** Rules of the groups for the user agent, else of those for all, in order of precedence. */
export const rulesOf = (text: string, userAgent: string): Rules => {
  const own = agentOf(userAgent)
  const groups: Record<"all" | "own", Map<string, Rule>> = { all: new Map(), own: new Map() }
  const named = new Set<keyof typeof groups>()
  let isNamed = false
  let areAgents = false
  for (const line of text.split(/[\r\n]+/)) {
    const [said = ""] = line.split("#", 1)
    const colon = said.indexOf(":")
    if (colon < 0) continue
    const field = said.slice(0, colon).trim().toLowerCase()
    const value = said.slice(colon + 1).trim()
    if (field === "user-agent") {
      if (!areAgents) named.clear()
      const agent = agentOf(value)
      if (agent === own) named.add("own")
      if (agent === "*") named.add("all")
      isNamed ||= agent === own
    }
    areAgents = field === "user-agent"
    if ((field !== "allow" && field !== "disallow") || value === "") continue
    const rule = { isAllowed: field === "allow", pattern: encoded(value) }
    // Of two rules of the same length, the allowing one wins.
    for (const name of named) {
      if (rule.isAllowed || !groups[name].has(rule.pattern)) groups[name].set(rule.pattern, rule)
    }
  }
  const rules = [...groups[isNamed ? "own" : "all"].values()]
  return rules.length > rulesMax || charsOf(rules) > ruleCharsMax ? undefined : rules.toSorted(
    (left, right) =>
      right.pattern.length - left.pattern.length ||
      Number(right.isAllowed) - Number(left.isAllowed)
  )
}

export const isAllowed = (rules: ReadonlyArray<Rule>, address: string): boolean => {
  const path = escapesInCapitals(address)
  return charsOf(rules) * path.length <= matchingStepsMax &&
    (rules.find(({ pattern }) => isMatch(pattern, path))?.isAllowed ?? true)
}

const charsOf = (rules: ReadonlyArray<Rule>): number =>
  rules.reduce((sum, { pattern }) => sum + pattern.length, 0)

const agentOf = (name: string): string => (name.split("/", 1)[0] ?? "").trim().toLowerCase()

const encoded = (pattern: string): string =>
  escapesInCapitals(encodeURI(pattern.toWellFormed()).replaceAll("%25", "%"))

const escapesInCapitals = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

/** Each part between two stars is searched once, after the previous match. */
const isMatch = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith("$")
  const [head = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*")
  if (!path.startsWith(head)) return false
  let from = head.length
  const last = isWhole ? pieces.pop() ?? "" : ""
  const isExact = isWhole && !pattern.includes("*")
  for (const piece of pieces) {
    const at = path.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return isExact ? from === path.length : path.length - from >= last.length && path.endsWith(last)
}
