/** `POST /search`: one query through the chain of providers, answered in Tavily's format. */
import { rangeBy, rangeOf as shortestRange } from "@web-grounding/dialects/Dialect"
import { countryCode, searchBody } from "@web-grounding/dialects/Tavily"
import { Clock, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { RemoteCaller } from "../../application/Access.ts"
import * as FindHits from "../../application/FindHits.ts"
import type { Listed, Seen, SeenPage } from "../../application/FindHits.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import * as Input from "../../contract/Input.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { TimeRange } from "../../domain/request/GroundingRequest.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import * as CoachView from "../../domain/view/CoachView.ts"
import { type ExtractBody, hostOf, type SearchBody, type TavilyCall as Asked } from "./Fields.ts"
import * as Refused from "./Refused.ts"

const resultsDefault = 5

export const answer = Effect.fn("SearchCall.answer")(
  function*(asked: Asked<SearchBody>, caller: RemoteCaller, arrivedAtMs: number) {
    const { values } = asked
    const input = inputOf(values)
    const listed = yield* list(input, caller)
    yield* checked(values, listed)
    const claims = yield* claimsOf(values, input, caller)
    return { ...answerOf(asked, listed, yield* secondsSince(arrivedAtMs)), ...claims }
  }
)

/** Checked claims replace the text of Tavily's model; none without accepted claims. */
const claimsOf = Effect.fnUntraced(
  function*(
    { include_answer = false }: SearchBody,
    { listing: _, ...input }: ReturnType<typeof inputOf>,
    caller: RemoteCaller
  ) {
    if (include_answer === false) return {}
    const { askedBy } = yield* ServiceCalls
    const { pack } = yield* askedBy(caller).Ground(input, () => Effect.void)
    const { text } = CoachView.openAiOf(pack)
    return text === "" ? {} : { answer: text }
  },
  Effect.mapError(Refused.ofFailure)
)

const isRaw = ({ include_raw_content = false }: SearchBody): boolean =>
  include_raw_content !== false

const inputOf = (body: SearchBody) => {
  const {
    country,
    end_date,
    max_results = resultsDefault,
    query,
    search_depth,
    start_date,
    timeout
  } = body
  const { consent_raw_content = false, redact = false } = body.web_grounding ?? {}
  const time_range = rangeOf(body)
  const input = FindHits.inputOf({
    query,
    topic: body.topic ?? "general",
    search_depth: search_depth === "advanced" ? "advanced" : "basic",
    ...asGiven({
      time_range,
      published_from: start_date,
      published_until: end_date,
      region: Option.map(countryCode(country ?? ""), (code) => ({ country: code }))
    }),
    include_domains: hostsOf(body.include_domains),
    exclude_domains: hostsOf(body.exclude_domains),
    sources: "web",
    ...(max_results === 0 ? {} : { max_sources: max_results })
  }, freshSession())
  return {
    ...input,
    consent_raw_content,
    ...(timeout === undefined ? {} : { deadline_ms: deadlineMsOf(timeout) }),
    overrides: { ...input.overrides, max_queries: Math.min(1, max_results) },
    listing: {
      of: isRaw(body) ? "pages" : "hits",
      ...(max_results === 0 ? {} : { hits_max: max_results }),
      ...(redact ? {} : { queries_as_given: true })
    }
  }
}

const hostsOf = (domains: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  domains.flatMap((domain) => Option.toArray(hostOf(domain)))

const rangeOf = (body: SearchBody): TimeRange | undefined => {
  const { days, end_date, start_date, time_range, topic } = body
  if ((start_date ?? end_date) !== undefined) return undefined
  if (time_range !== undefined) return rangeBy(time_range.slice(0, 1)).timeRange
  if (days === undefined || topic !== "news") return undefined
  return shortestRange(days)
}

/** Fails if no provider could be queried: an outage is not reported as an empty result. */
const checked = (
  { max_results }: SearchBody,
  { outcome, seen }: Listed
): Effect.Effect<void, Refused.Refused> => {
  const { request_id, searches: [search], session_id } = outcome
  const status = search?.status ?? outcome.status ?? "timeout"
  if (max_results === 0 || seen.hits.length > 0) return Effect.void
  if (status === "success" || status === "no_results" || status === "stale") return Effect.void
  const waits = seen.attempts.flatMap(({ retry_after_ms }) => retry_after_ms ?? [])
  return Effect.fail(
    Refused.ofSearch(
      status,
      { session_id, request_id },
      waits.length === 0 ? undefined : Math.min(...waits)
    )
  )
}

const answerOf = (
  { notes, values }: Asked<SearchBody>,
  { outcome, seen }: Listed,
  response_time: number
) => {
  const { request_id, searches: [search], session_id } = outcome
  const age_ms = search?.cached_age_ms ?? search?.stale_age_ms
  const provider = search?.tool_used ?? seen.hits[0]?.provider
  const pages = pagesByAddress(seen)
  return searchBody({
    query: values.query,
    results: seen.hits.map(({ content, published_date, score, title, url }, place, hits) => ({
      title,
      url,
      content,
      // Clients compare scores: without one, the rank is converted to a score.
      score: score ?? 1 - place / hits.length,
      raw_content: isRaw(values) ? pages.get(url)?.text ?? null : null,
      ...asGiven({ published_date })
    })),
    response_time,
    usage: { credits: creditsOf(seen) },
    request_id,
    web_grounding: {
      session_id,
      request_id,
      ...asGiven({ status: search?.status, provider }),
      fallback_used: search?.fallback_used ?? false,
      cached: search?.cached_age_ms !== undefined,
      stale: search?.stale_age_ms !== undefined,
      ...asGiven({ age_ms }),
      notes: [...notes, ...notesOf(values)]
    }
  })
}

/** Notes on values that were replaced by a near one. */
const notesOf = (
  { days, include_answer = false, include_raw_content, search_depth, time_range, topic }: SearchBody
): ReadonlyArray<string> =>
  [
    search_depth === "fast" || search_depth === "ultra-fast"
      ? "search_depth is answered as basic."
      : "",
    include_answer === false
      ? ""
      : "answer is the checked claims, or null; /v1/groundings returns their evidence.",
    include_raw_content === "markdown" ? "raw_content is plain text." : "",
    days === undefined
      ? ""
      : time_range === undefined && topic === "news"
      ? "days is answered as the shortest time_range that holds them."
      : "days is ignored: it counts with topic news and without time_range."
  ].filter((note) => note !== "")

// `POST /extract`: texts of named pages, by the service's own readers.

/** Tavily's clients wait 30 s by default. */
const secondsDefault = 25

/** Topic of every call: the URLs decide what is read. */
const topic = "Pages that the caller named"

interface Named {
  readonly url: string
  readonly href: string | undefined
}

export const extractAnswer = Effect.fn("ExtractCall.answer")(
  function*(asked: Asked<ExtractBody>, caller: RemoteCaller, arrivedAtMs: number) {
    const { values } = asked
    const named = (typeof values.urls === "string" ? [values.urls] : values.urls).map(namedOf)
    const hrefs = [...new Set(named.flatMap(({ href }) => href ?? []))]
    const listed = hrefs.length === 0
      ? undefined
      : yield* list(extractInputOf(values, hrefs), caller)
    return extractAnswerOf(asked, named, listed, yield* secondsSince(arrivedAtMs))
  }
)

const namedOf = (url: string): Named => ({
  url,
  href: Option.getOrUndefined(Option.map(WebAddress.canonical(url), ({ href }) => href))
})

const extractInputOf = (
  { timeout = secondsDefault, web_grounding = {} }: ExtractBody,
  urls: ReadonlyArray<string>
) => ({
  session_id: freshSession(),
  topic,
  phase: "mid_chat",
  consent_raw_content: web_grounding.consent_raw_content ?? false,
  deadline_ms: deadlineMsOf(timeout),
  listing: { of: "pages", urls }
})

const extractAnswerOf = (
  { notes, values }: Asked<ExtractBody>,
  named: ReadonlyArray<Named>,
  listed: Listed | undefined,
  response_time: number
) => {
  const pages = listed === undefined ? new Map() : pagesByAddress(listed.seen)
  const unread = new Map(listed?.seen.unread.map(({ reason, url }) => [url, reason]))
  const read = named.map(({ href = "", url }) => ({ url, page: pages.get(href), href }))
  const request_id = listed?.outcome.request_id ?? randomUUID()
  return {
    results: read.flatMap(({ page, url }) =>
      page === undefined
        ? []
        : [{ url, title: page.title, raw_content: page.text, images: [] }]
    ),
    failed_results: read.flatMap(({ href, page, url }) =>
      page === undefined
        ? [{ url, error: `The page was not read: ${unread.get(href) ?? reasonOf(href)}` }]
        : []
    ),
    response_time,
    usage: { credits: listed === undefined ? 0 : creditsOf(listed.seen) },
    request_id,
    web_grounding: {
      // Unreadable URLs are not recorded: they may hold a password.
      ...asGiven({ session_id: listed?.outcome.session_id }),
      request_id,
      notes: [
        ...notes,
        ...(values.format === "markdown" ? ["raw_content is plain text."] : []),
        ...(values.extract_depth === "advanced" ? ["extract_depth is answered as basic."] : [])
      ]
    }
  }
}

const reasonOf = (href: string): string => href === "" ? "address_invalid" : "empty"

// Shared by both calls: a session for each, and our own fields in an answer.

const msInSecond = 1_000

/** Id of a new session, so that the call has its own budget. */
const freshSession = (): string => `tavily-${randomUUID()}`

const deadlineMsOf = (seconds: number): number => Math.round(seconds * msInSecond)

const decode = Input.decode(Input.ListingInput)

/** Calls the listing operation. Its failures become Tavily's. */
const list = Effect.fnUntraced(function*(input: unknown, caller: RemoteCaller) {
  const service = yield* ServiceCalls
  return yield* service.list(yield* decode(input), caller)
}, Effect.mapError(Refused.ofFailure))

const secondsSince = (arrivedAtMs: number): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, nowMs - arrivedAtMs) / msInSecond)

/** Credits reported by the providers; a call without a report counts as none. */
const creditsOf = ({ attempts }: Seen): number =>
  attempts.reduce((sum, { credits = 0 }) => sum + credits, 0)

/** Pages that were read, by each of their URLs; a provider's snippet does not count. */
const pagesByAddress = ({ pages }: Seen): ReadonlyMap<string, SeenPage> =>
  new Map(
    pages.filter(({ reader, text }) => reader !== "snippet" && text !== "").flatMap((page) =>
      page.addresses.map((address) => [address, page] as const)
    )
  )
