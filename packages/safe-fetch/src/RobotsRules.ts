/** Rules of sites for programs that read them: robots.txt (RFC 9309), remembered for a while. */
import { Cache, Duration, Effect, Exit } from "effect"
import { FetchFailed, type FetchFault, parseTarget, type WebTarget } from "./Network.ts"

const originsMax = 500
/** The standard asks readers to take in at least 500 KiB; a longer file is not understood. */
const robotsBytesMax = 512 * 1_024
const robotsTimeoutMs = 5_000
const rememberedFor = Duration.hours(1)
/** A site that cannot say what it wants is left alone for so long. */
const unknownFor = Duration.minutes(5)
/** Most rules of one program, and most characters of them all; a longer list is not understood. */
const rulesMax = 5_000
const ruleCharsMax = 200_000
/** Characters of the rules times those of the path: what matching may cost at worst. */
const matchingStepsMax = 100_000_000

export interface RobotsRules {
  /** Fails with `robots` where the site says no, or cannot be asked for now. */
  readonly admit: (target: WebTarget) => Effect.Effect<void, FetchFailed>
}

interface Rule {
  readonly isAllowed: boolean
  /** From the path's start; `*` is any run of characters, a last `$` the path's end. */
  readonly pattern: string
}

/** The one that decides first. `undefined`: the site could not say, or says more than is read. */
type Rules = ReadonlyArray<Rule> | undefined

export interface RobotsOptions {
  /** The body behind a target, over redirects. */
  readonly textOf: (target: WebTarget, bytesMax: number) => Effect.Effect<string, FetchFailed>
  readonly userAgent: string
}

export const make = Effect.fnUntraced(function*(options: RobotsOptions) {
  const cache = yield* Cache.makeWith((origin: string) => read(options, origin), {
    capacity: originsMax,
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: (known) => known === undefined ? unknownFor : rememberedFor
    })
  })
  const rules: RobotsRules = {
    admit: ({ url }) =>
      Effect.flatMap(
        Cache.get(cache, url.origin),
        (known) =>
          known !== undefined && isAllowed(known, url.pathname + url.search)
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

/** Rules of the groups that name the program, else of those for all, in the order they decide. */
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
    // Of two rules of the same length, the one that allows decides.
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

/** Its version says nothing to a site. */
const agentOf = (name: string): string => (name.split("/", 1)[0] ?? "").trim().toLowerCase()

const encoded = (pattern: string): string =>
  escapesInCapitals(encodeURI(pattern.toWellFormed()).replaceAll("%25", "%"))

const escapesInCapitals = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

/** What stands between two stars is looked for once, after what came before it. */
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
