/** Searches as a list of hits, without a pack. */
import { Effect, Ref } from "effect"
import type {
  AgentAnswer,
  EvidenceReading,
  SearchFound,
  SourceRead
} from "../contract/AgentTools.ts"
import { InvalidInput } from "../contract/PublicFailure.ts"
import { sections } from "../domain/pack/GroundingPack.ts"
import type { Page } from "../domain/page/Page.ts"
import { addressesOf } from "../domain/page/PageOrigin.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import type { Overrides, Region } from "../domain/request/GroundingRequest.ts"
import type { SearchAttempt, SearchHit } from "../domain/search/SearchStatus.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import type { SessionEvent } from "../domain/session/SessionEvent.ts"
import type { Report } from "./GroundQuestion.ts"

interface Sought extends Partial<Omit<Overrides, "queries" | "max_queries">> {
  readonly query: string
  readonly region?: Region
  readonly locale?: string
}

export const inputOf = ({ locale, query, region, ...overrides }: Sought, sessionId: string) => ({
  topic: query,
  session_id: sessionId,
  phase: "mid_chat" as const,
  user_asked_for_facts: true,
  ...asGiven({ locale, region }),
  overrides: { ...overrides, queries: [query], max_queries: 1 }
})

export interface Seen {
  readonly hits: ReadonlyArray<SearchHit>
  /** In the order they were made. */
  readonly attempts: ReadonlyArray<SearchAttempt>
  /** Pages with their text, whether the log may keep it or not. */
  readonly pages: ReadonlyArray<SeenPage>
  readonly unread: ReadonlyArray<{ readonly url: string; readonly reason: string }>
}

/** Outcome of a search for hits, and the texts of its pages, which the log does not keep. */
export interface Listed {
  readonly outcome: GroundingOutcome
  readonly seen: Seen
}

export interface SeenPage extends Pick<Page, "title" | "text" | "reader"> {
  readonly addresses: ReadonlyArray<string>
}

const nothingSeen: Seen = { hits: [], attempts: [], pages: [], unread: [] }

/** Grounds one query and collects what it met. `outcome` is the grounding's own answer. */
export const findHits = <E>(
  ground: (report: Report) => Effect.Effect<GroundingOutcome, E>,
  report: Report
) =>
  Effect.gen(function*() {
    const all = yield* Ref.make(nothingSeen)
    const outcome = yield* ground((fact, texts) =>
      Effect.andThen(
        Ref.update(all, (before) => ({ ...before, ...seenIn(fact.event, texts) })),
        report(fact, texts)
      )
    )
    const seen = yield* Ref.get(all)
    return { outcome, seen, found: foundOf(outcome, seen.hits) }
  })

const seenIn = (event: SessionEvent, texts: ReadonlyMap<string, string>): Partial<Seen> => {
  switch (event._tag) {
    case "WEB_GROUNDING_CALLED":
      return { hits: event.hits, attempts: event.attempts }
    case "WEB_GROUNDING_CACHE_USED":
      return { hits: event.hits }
    case "WEB_GROUNDING_EVIDENCE_READ":
      return {
        unread: event.unread ?? [],
        pages: event.pages.map(({ reader, text, text_sha256, title, ...page }) => ({
          addresses: addressesOf(page),
          title,
          reader,
          text: text ?? texts.get(text_sha256) ?? ""
        }))
      }
    default:
      return {}
  }
}

const foundOf = (
  outcome: GroundingOutcome,
  recorded: ReadonlyArray<SearchHit>
): SearchFound => {
  const { cached, request_id, searches: [search], session_id, status } = outcome
  return {
    session_id,
    request_id,
    ...asGiven({ query: search?.query }),
    status: search?.status ?? (status === "stale" ? undefined : status) ??
      (cached === undefined ? "timeout" : "success"),
    ...asGiven({ tool_used: search?.tool_used }),
    fallback_used: search?.fallback_used ?? false,
    ...asGiven({ cached_age_ms: cached?.age_ms }),
    hits: cached === undefined
      ? recorded.map(({ rank: _, ...hit }) => hit)
      : sourcesOf(outcome).map(hitOf)
  }
}

const hitOf = ({ official, published_date, quotes, site, title, url }: SourceRead) => ({
  url,
  title,
  site,
  official,
  content: quotes.map(({ text }) => text).join(" … "),
  ...asGiven({ published_date })
})

export const answerOf = (
  { pack, ...outcome }: GroundingOutcome
): AgentAnswer => ({
  ...outcome,
  confidence: pack.confidence,
  claims: sections.flatMap((section) =>
    pack[section].map(({ sources, ...claim }) => ({
      ...claim,
      section,
      cites: sources.flatMap(({ n }) => n ?? [])
    }))
  )
})

/** Pages that an answer cites, or the one with the id; fails for an id that is not cited. */
export const readSources = (
  outcome: GroundingOutcome,
  sourceId: string | undefined
): Effect.Effect<EvidenceReading, InvalidInput> => {
  const { request_id, session_id } = outcome
  const sources = sourcesOf(outcome)
  const wanted = sources.filter(({ source_id }) => (sourceId ?? source_id) === source_id)
  return sourceId !== undefined && wanted.length === 0
    ? new InvalidInput({
      field: "source_id",
      problem: `Expected one of ${sources.map(({ source_id }) => source_id).join(", ")}`
    })
    : Effect.succeed({ session_id, request_id, sources: wanted })
}

const sourcesOf = ({ evidence, pack }: GroundingOutcome): ReadonlyArray<SourceRead> => {
  const cited = sections.flatMap((section) =>
    pack[section].flatMap(({ sources, text: claim }) =>
      sources.map((source) => ({ claim, section, source }))
    )
  )
  const known = [...evidence?.sources ?? [], ...cited.map(({ source }) => source)]
  const sources = [...Map.groupBy(known, ({ source_id }) => source_id).values()]
    .flatMap(([source]) => source ?? [])
  const places = evidence?.sources.map(({ source_id }) => source_id) ?? []
  return sources.map((source) => {
    const { n, official, published_date, site, source_id, title, url } = source
    const own = cited.filter((one) => one.source.source_id === source_id)
    const [first] = own
    return {
      source_id,
      ...asGiven({ n }),
      url,
      title,
      site,
      official,
      ...asGiven({ published_date, text_sha256: first?.source.text_sha256 }),
      quotes: own.flatMap(({ claim, section, source: { quotes } }) =>
        quotes.map((quote) => ({ ...quote, claim, section }))
      ),
      passages: (evidence?.chunks ?? [])
        .filter(({ source_index }) => places[source_index] === source_id)
        .map(({ source_index: _, ...passage }) => passage)
    }
  })
}
