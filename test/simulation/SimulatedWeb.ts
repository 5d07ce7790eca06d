/**
 * The providers of a simulated web: they answer, refuse, fail and hang as the scenario says, and
 * count what reached them and what they charged for it.
 */
import { Effect } from "effect"
import {
  type KeySlots,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../src/application/ports/SearchProvider.ts"
import type { ProviderName, SearchHit } from "../../src/domain/search/SearchStatus.ts"
import type { ProviderFault, Recorded, RecordedSearch } from "./Scenario.ts"
import type { Process, World } from "./World.ts"

/** A search that reached a provider. */
export interface Hit {
  readonly process: string
  readonly provider: ProviderName
  /** 0: the provider has no keys. */
  readonly keySlot: number
  readonly query: string
  /** What it was charged with. */
  readonly charged: number
}

export interface WebOptions {
  readonly world: World
  readonly process: Process
  /** What is wrong with the provider now. */
  readonly faultOf: (provider: ProviderName, keySlot: number) => ProviderFault | undefined
  /** What was answered in an incident. */
  readonly recorded: Recorded | undefined
  /** Called when a search reaches its provider. */
  readonly reached: (hit: Hit) => void
  /** Called when a process learns that its key is refused. */
  readonly refused: (keySlot: number, process: string) => void
}

const tavilyKeys = [1, 2] as const
const credits = { basic: 1, advanced: 2 } as const
/** What a search takes, and what it takes of a provider that is slow, in milliseconds. */
const usualMs = [2, 40, 250] as const
const slowMsMax = 9_000
const hitsMax = 3

/** Tavily with two keys, then DuckDuckGo, which needs none and charges nothing. */
export const providers = (options: WebOptions): ReadonlyArray<KeySlots> => {
  const [first, second] = tavilyKeys.map((slot) => provider(options, "tavily", slot))
  const last = provider(options, "duckduckgo", 0)
  return first === undefined || second === undefined ? [[last]] : [[first, second], [last]]
}

const provider = (
  { faultOf, process, reached, recorded, refused, world }: WebOptions,
  name: ProviderName,
  keySlot: number
): SearchProvider => ({
  name,
  ...(keySlot === 0 ? {} : { keySlot, creditsByDepth: credits }),
  search: (request) =>
    Effect.callback<SearchAnswer, SearchFailed>((resume) => {
      const known = recorded?.searches.get(request.query)
      const fault = faultOf(name, keySlot) ?? known?.faults.get(`${name} ${keySlot}`)
      const isRefused = keySlot > 0 && fault !== undefined && refusals.has(fault)
      let isHeard = true
      const answers = (ms: number, answer: Effect.Effect<SearchAnswer, SearchFailed>) =>
        world.after(process, ms, () => {
          if (isHeard && isRefused) refused(keySlot, process.name)
          resume(answer)
        })
      const stopped = Effect.sync(() => {
        isHeard = false
      })
      if (fault === "unsent") {
        answers(usualMs[0], failed(name, { status: "network_error", detail: "unsent" }))
        return stopped
      }
      const takesMs = usualMs[Math.floor(world.dice() * usualMs.length)] ?? 0
      world.after(world.outside, takesMs / 2, () => {
        const { query } = request
        const charged = keySlot > 0 ? chargeOf(fault, request) : 0
        world.note(`${process.name} reaches ${name} ${keySlot} ${fault ?? "well"} ${query}`)
        reached({ process: process.name, provider: name, keySlot, query, charged })
        if (fault === "hangs") return
        const ms = fault === "slow" ? world.dice() * slowMsMax : takesMs / 2
        answers(ms, answerOf(name, request, fault, { chance: world.dice(), known }))
      })
      return stopped
    })
})

/** A provider that searched has charged, whatever became of its answer. */
const chargeOf = (fault: ProviderFault | undefined, { depth }: SearchRequest): number => {
  if (fault === undefined || fault === "slow" || fault === "garbage" || fault === "hangs") {
    return credits[depth]
  }
  return 0
}

const refusals: ReadonlySet<ProviderFault> = new Set([
  "rate_limited",
  "quota",
  "invalid_key",
  "forbidden"
])

const failed = (
  provider: ProviderName,
  fields: Omit<ConstructorParameters<typeof SearchFailed>[0], "provider">
) => Effect.fail(new SearchFailed({ provider, ...fields }))

const answerOf = (
  provider: ProviderName,
  request: SearchRequest,
  fault: ProviderFault | undefined,
  { chance, known }: { readonly chance: number; readonly known: RecordedSearch | undefined }
): Effect.Effect<SearchAnswer, SearchFailed> => {
  switch (fault) {
    case "rate_limited":
      return failed(provider, { status: "rate_limited", http_status: 429, retry_after_ms: 2_000 })
    case "quota":
      return failed(provider, { status: "quota_exhausted", http_status: 432 })
    case "invalid_key":
      return failed(provider, { status: "invalid_key", http_status: 401 })
    case "forbidden":
      return failed(provider, { status: "unknown_error", detail: "forbidden", http_status: 403 })
    case "unavailable":
      return failed(provider, { status: "network_error", detail: "upstream_5xx", http_status: 503 })
    case "garbage":
      return failed(provider, { status: "unknown_error", detail: "bad_body", http_status: 200 })
    case "nothing_found":
      return Effect.succeed({ hits: [], droppedCount: 0, ...reportOf(provider, 0) })
    default: {
      const count = 1 + Math.floor(chance * hitsMax)
      const hits = known?.hits.slice(0, request.hitsMax).map((hit) => ({ ...hit, provider })) ??
        Array.from({ length: count }, (_, place) => hitOf(provider, request, place))
      return Effect.succeed({
        hits,
        droppedCount: 0,
        ...reportOf(provider, credits[request.depth])
      })
    }
  }
}

/** Only who charges says so. */
const reportOf = (provider: ProviderName, amount: number) =>
  provider === "tavily" ? { credits: amount } : {}

const numberOf = (query: string): string => /\d+/.exec(query)?.[0] ?? "0"

const hitOf = (provider: ProviderName, { query }: SearchRequest, place: number): SearchHit => {
  const number = numberOf(query)
  const site = `site${place + 1}.example`
  return {
    url: `https://www.${site}/rule-${number}`,
    title: `Rule ${number}`,
    content: sentenceOf(number, place),
    score: 0.9 - place / 10,
    provider,
    rank: place + 1,
    site,
    official: place === 0
  }
}

/** What the pages of the simulated web say of a rule. */
const sentenceOf = (number: string, place: number): string =>
  `Rule ${number} in Halvern says that desks are kept for ${number} days, by page ${place}.`
