/** An honest answer of the sandbox: pages of the corpus in the shape that Tavily answers in. */
import { DateTime, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { CorpusPage } from "../corpus/Corpus.ts"
import type { Parameters } from "./SandboxProtocol.ts"
import * as SandboxRanking from "./SandboxRanking.ts"

const hitsDefault = 5
/** Fewer than Tavily's three: pages are short here, and their snippets are not to be the pages. */
const passagesDefault = 1
/** Said of every answer: a measured time would make two equal answers differ. */
const responseTimeSeconds = 0.42

const daysByRange = { day: 1, d: 1, week: 7, w: 7, month: 31, m: 31, year: 366, y: 366 } as const

export const creditsOf = ({ search_depth }: Parameters): number =>
  search_depth === "advanced" ? 2 : 1

/** Answer without results in its full shape, for faults. */
export const empty = (query: string) => ({
  query,
  follow_up_questions: null,
  answer: null,
  images: [],
  results: [],
  response_time: responseTimeSeconds,
  request_id: randomUUID()
})

export const answer = Effect.fn("SandboxAnswer.answer")(function*(
  ranking: SandboxRanking.Ranking,
  query: string,
  parameters: Parameters
) {
  const now = yield* DateTime.now
  const topic = parameters.topic ?? "general"
  const ranked = SandboxRanking.rank(ranking, {
    query,
    topic,
    passagesMax: parameters.chunks_per_source ?? passagesDefault,
    isWanted: (page) => isDomainWanted(page, parameters) && isDayWanted(page, parameters, now)
  })
  const isRaw = (parameters.include_raw_content ?? false) !== false
  return {
    ...empty(query),
    results: ranked.slice(0, parameters.max_results ?? hitsDefault).map((found) => ({
      url: found.page.url,
      title: found.page.title,
      content: found.passages.join(" [...] "),
      score: Math.round(found.score * 1e8) / 1e8,
      raw_content: isRaw ? found.page.paragraphs.join("\n\n") : null,
      ...publishedDateOf(found.page, topic)
    })),
    ...(parameters.include_usage === true ? { usage: { credits: creditsOf(parameters) } } : {})
  }
})

const isDomainWanted = (page: CorpusPage, parameters: Parameters): boolean => {
  const host = URL.parse(page.url)?.hostname ?? ""
  const matches = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  const included = parameters.include_domains ?? []
  return (included.length === 0 || included.some(matches)) &&
    !(parameters.exclude_domains ?? []).some(matches)
}

/** A page without a date is kept: nobody knows that it is too old. */
const isDayWanted = (
  { publishedDate }: CorpusPage,
  { end_date, start_date, time_range }: Parameters,
  now: DateTime.Utc
): boolean => {
  if (publishedDate === undefined) return true
  const days = time_range == null ? undefined : daysByRange[time_range]
  const since = days === undefined
    ? start_date ?? ""
    : DateTime.formatIsoDateUtc(DateTime.subtract(now, { days }))
  return publishedDate >= since && publishedDate <= (end_date ?? "9999-12-31")
}

/**
 * Publication date in Tavily's forms, as seen: RFC 1123 with topic news; else the plain day, where
 * known.
 */
const publishedDateOf = ({ publishedDate }: CorpusPage, topic: CorpusPage["topic"]) => {
  if (publishedDate === undefined) return {}
  if (topic !== "news") return { published_date: publishedDate }
  return {
    published_date: Option.match(DateTime.make(publishedDate), {
      onNone: () => publishedDate,
      onSome: (date) => DateTime.toDateUtc(date).toUTCString()
    })
  }
}
