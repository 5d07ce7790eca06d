/** One query through the chain of providers, as a grounding that is asked for its hits. */
import { Effect, Ref } from "effect"
import type { SearchFound, SourceRead } from "../contract/AgentTools.ts"
import type { Overrides, Region } from "../domain/request/GroundingRequest.ts"
import type { SearchHit } from "../domain/search/SearchHit.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import type { Caller, Report } from "./GroundQuestion.ts"
import type { PublicApi } from "./PublicApi.ts"
import * as ReadSources from "./ReadSources.ts"

export interface Sought extends Partial<Omit<Overrides, "queries" | "max_queries">> {
  readonly query: string
  readonly region?: Region
  readonly locale?: string
}

/** What is asked of the service: one query, sent as it is. */
export const inputOf = ({ locale, query, region, ...overrides }: Sought, sessionId: string) => ({
  topic: query,
  session_id: sessionId,
  phase: "mid_chat",
  user_asked_for_facts: true,
  ...(locale === undefined ? {} : { locale }),
  ...(region === undefined ? {} : { region }),
  overrides: { ...overrides, queries: [query], max_queries: 1 }
})

/** `outcome` has what is ready for a prompt. */
export const findHits = (
  { ground }: Pick<PublicApi["Service"], "ground">,
  input: ReturnType<typeof inputOf>,
  caller: Caller,
  report: Report
) =>
  Effect.gen(function*() {
    const recorded = yield* Ref.make<ReadonlyArray<SearchHit>>([])
    const outcome = yield* ground(input, caller, (fact) =>
      Effect.andThen(
        fact.event._tag === "WEB_GROUNDING_CALLED" ||
          fact.event._tag === "WEB_GROUNDING_CACHE_USED"
          ? Ref.set(recorded, fact.event.hits)
          : Effect.void,
        report(fact)
      ))
    return { outcome, found: foundOf(outcome, yield* Ref.get(recorded)) }
  })

/** Another session's answer comes without its hits: its sources stand for them. */
const foundOf = (
  outcome: GroundingOutcome,
  recorded: ReadonlyArray<SearchHit>
): SearchFound => {
  const { cached, request_id, searches: [search], session_id, status } = outcome
  return {
    session_id,
    request_id,
    ...(search === undefined ? {} : { query: search.query }),
    status: search?.status ?? status ?? (cached === undefined ? "timeout" : "success"),
    ...(search?.tool_used === undefined ? {} : { tool_used: search.tool_used }),
    fallback_used: search?.fallback_used ?? false,
    ...(cached === undefined ? {} : { cached_age_ms: cached.age_ms }),
    hits: cached === undefined
      ? recorded.map(({ rank: _, ...hit }) => hit)
      : ReadSources.sourcesOf(outcome).map(hitOf)
  }
}

const hitOf = ({ official, published_date, quotes, site, title, url }: SourceRead) => ({
  url,
  title,
  site,
  official,
  content: quotes.map(({ text }) => text).join(" … "),
  ...(published_date === undefined ? {} : { published_date })
})
