/**
 * A caller's request: one topic or question of a session, with hints. Also the rules of new ids.
 */
import { DateTime, Effect, Option, Schema } from "effect"

/** 1–2 sentences; more is a document, not a topic. In UTF-16 code units. */
const topicCharsMax = 2_000
export const questionCharsMax = 2_000
/** Longest query that a caller fixes, in UTF-16 code units. */
export const queryCharsMax = 400
const factCharsMax = 1_000
const factsMax = 50
const idCharsMax = 200
export const domainsMax = 50
/** A caller's deadline, in milliseconds from arrival. */
export const deadlineMsMin = 250
export const deadlineMsMax = 120_000

const empty = Effect.succeed<ReadonlyArray<string>>([])

const flag = Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

export const Tier = Schema.Literals(["standard", "premium"])
export type Tier = typeof Tier.Type

export const Phase = Schema.Literals(["session_setup", "mid_chat"])
export type Phase = typeof Phase.Type

export const SearchDepth = Schema.Literals(["basic", "advanced"])
export type SearchDepth = typeof SearchDepth.Type

export const SearchTopic = Schema.Literals(["general", "news", "finance"])
export type SearchTopic = typeof SearchTopic.Type

export const TimeRange = Schema.Literals(["day", "week", "month", "year"])
export type TimeRange = typeof TimeRange.Type

/** A day of the calendar, `YYYY-MM-DD`. */
export const Day = Schema.String.check(
  Schema.isMaxLength(10),
  Schema.makeFilter((text: string) =>
    Option.exists(
        DateTime.make(`${text}T00:00:00Z`),
        (day) => DateTime.formatIsoDateUtc(day) === text
      )
      ? undefined
      : "Expected a day of the calendar as YYYY-MM-DD"
  )
)

const notBlank = Schema.makeFilter((text: string) =>
  text.trim() === "" ? "Expected text that is not blank" : undefined
)
const storable = Schema.makeFilter((text: string) =>
  text.isWellFormed() && !text.includes("\0")
    ? undefined
    : "Expected text without NUL characters and lone surrogates"
)

/** Text that is not blank, without NUL and lone surrogates; `charsMax` in UTF-16 code units. */
export const keptText = (charsMax: number) =>
  Schema.String.check(notBlank, Schema.isMaxLength(charsMax), storable)

export const wholeBetween = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const wholeOr = (otherwise: number, minimum: number, maximum: number) =>
  wholeBetween(minimum, maximum).pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

/** Country, and perhaps city, that the question is about. */
export const Region = Schema.Struct({
  /** ISO 3166-1 alpha-2, upper case. */
  country: Schema.String.check(
    Schema.isPattern(/^[A-Z]{2}$/, { expected: "two capital letters, e.g. JP" })
  ),
  city: Schema.optionalKey(keptText(idCharsMax))
})
export type Region = typeof Region.Type

const LanguageTag = Schema.String.check(
  Schema.isPattern(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, {
    expected: "a language tag, e.g. en or ko-KR"
  })
)
const HostName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { expected: "a host name, e.g. city.example" })
)
const HostNames = Schema.Array(HostName).check(Schema.isMaxLength(domainsMax))

/**
 * Sources of the evidence, and how the store ranks it.
 * - `web_and_store`, or `hybrid`: the web, and the store by words and meaning fused.
 * - `web`: the web alone.
 * - `store`: the store alone, without a search.
 * - `store_first`: the store, and the web only where it knows too little.
 * - `vector_first`: likewise, with vector matches before word matches.
 */
const Sources = Schema.Literals([
  "web_and_store",
  "hybrid",
  "web",
  "store",
  "store_first",
  "vector_first"
])

/** Values that the caller fixes instead of leaving them to gate and planner. */
export const Overrides = Schema.Struct({
  search_depth: Schema.optionalKey(SearchDepth),
  topic: Schema.optionalKey(SearchTopic),
  /** 0 to 3. 0 forbids searching. */
  max_queries: Schema.optionalKey(wholeBetween(0, 3)),
  /** Sent unchanged but for PII, instead of a gate's and a planner's queries. */
  queries: Schema.optionalKey(
    Schema.Array(keptText(queryCharsMax)).check(Schema.isMinLength(1), Schema.isMaxLength(3))
  ),
  include_domains: HostNames.pipe(Schema.withDecodingDefaultKey(empty)),
  exclude_domains: HostNames.pipe(Schema.withDecodingDefaultKey(empty)),
  time_range: Schema.optionalKey(TimeRange),
  /** First and last day of publication. Undated results are kept. */
  published_from: Schema.optionalKey(Day),
  published_until: Schema.optionalKey(Day),
  /** Milliseconds for one attempt at one provider, where fewer than the service's own. */
  search_timeout_ms: Schema.optionalKey(wholeBetween(250, 30_000)),
  /** Pages that are read for this request, best first. Default: the service's own. */
  max_sources: Schema.optionalKey(wholeBetween(1, 20)),
  /**
   * Length from which a passage ends with its paragraph, in UTF-16 code units. Default: the
   * service's own.
   */
  chunk_size: Schema.optionalKey(wholeBetween(200, 4_000)),
  /** Passages given to the writer, the best of all pages. Default: the service's own. */
  top_k: Schema.optionalKey(wholeBetween(1, 20)),
  /** Default: `web_and_store`. */
  sources: Schema.optionalKey(Sources)
})
export type Overrides = typeof Overrides.Type

/** Longest word that describes the course, in UTF-16 code units. */
const wordCharsMax = 100
/** Leaves room for what the queries add to it. */
const titleCharsMax = 250

const word = (otherwise: string) =>
  keptText(wordCharsMax).pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

export const CourseSubject = Schema.Struct({
  course_title: keptText(titleCharsMax),
  /** Audience of the course, e.g. `professionals`. */
  audience_category: word("general"),
  /** How deep, e.g. `implementation`. */
  depth_requirement: word("introduction"),
  /** How it is taught, e.g. `self_paced`. */
  learning_mode: word("self_paced")
})
export type CourseSubject = typeof CourseSubject.Type

const CourseWish = Schema.Struct({
  ...CourseSubject.fields,
  /** `outline`: its modules and outcomes are recorded too. */
  purpose: Schema.optionalKey(Schema.Literal("outline"))
})

export const pagesNamedMax = 20
export const hitsListedMax = 20

/** Longest address that is accepted, in UTF-16 code units. */
export const addressCharsMax = 2_048

/** Request for hits or page texts instead of a pack: nothing is ranked, written or checked. */
export const Listing = Schema.Struct({
  /** `hits`: the grounding ends with its searches. `pages`: the texts of pages are read too. */
  of: Schema.Literals(["hits", "pages"]),
  /** Canonical addresses, which are read without a search. */
  urls: Schema.optionalKey(
    Schema.Array(keptText(addressCharsMax)).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(pagesNamedMax)
    )
  ),
  /** Most hits of one query. Default: the gate's. */
  hits_max: Schema.optionalKey(wholeBetween(1, hitsListedMax)),
  /** The caller's queries are sent unchanged, PII included. */
  queries_as_given: Schema.optionalKey(Schema.Literal(true))
})
export type Listing = typeof Listing.Type

export const CallerRequest = Schema.Struct({
  session_id: keptText(idCharsMax),
  /** Idempotency key within the session: the same key asks for the same answer. */
  request_id: keptText(idCharsMax),
  /** Of the whole session, by its first request. */
  tier: Tier.pipe(Schema.withDecodingDefaultKey(Effect.succeed("standard" as const))),
  /** Absent: `session_setup` until the set-up has been answered, then `mid_chat`. */
  phase: Schema.optionalKey(Phase),
  /** The question, or what `user_question` is about. */
  topic: keptText(topicCharsMax),
  /** The application's name for this kind of conversation. */
  template_id: Schema.optionalKey(keptText(idCharsMax)),
  region: Schema.optionalKey(Region),
  /** Pseudonym of the session's user, to erase all sessions of a user. Sent nowhere. */
  subject: Schema.optionalKey(keptText(idCharsMax)),
  /** BCP 47. Language of pack and messages; `en` unless it starts with `ko`. */
  locale: LanguageTag.pipe(Schema.withDecodingDefaultKey(Effect.succeed("en"))),
  /** The user's words. No earlier turn is read: of "and in winter?" the `topic` is the subject. */
  user_question: Schema.optionalKey(keptText(questionCharsMax)),
  /** What the conversation holds already: a question that one of them answers is not searched. */
  known_facts: Schema.Array(keptText(factCharsMax)).check(Schema.isMaxLength(factsMax)).pipe(
    Schema.withDecodingDefaultKey(empty)
  ),
  /** What it still lacks, e.g. `monthly_rent`: searched in the set-up, else asked of the user. */
  unknown_required_slots: Schema.Array(keptText(idCharsMax)).check(Schema.isMaxLength(factsMax))
    .pipe(Schema.withDecodingDefaultKey(empty)),
  /** The user wants something looked up: searched in either phase. */
  user_asked_for_facts: flag,
  /** The conversation cannot go on without a real fact: searched in `mid_chat`, too. */
  realism_blocked: flag,
  /** Raw page text and model output are stored only with it. */
  consent_raw_content: flag,
  /** Pages read for it may be kept in the evidence store, where the operator collects pages. */
  allow_collecting: Schema.optionalKey(Schema.Boolean),
  /** `verbatim`: claims keep their sources' own words, even if a judge confirmed others. */
  wording: Schema.optionalKey(Schema.Literal("verbatim")),
  /** `short`: the outcome has an `answer` of a few sentences, made of its claims. */
  answer: Schema.optionalKey(Schema.Literal("short")),
  /** Milliseconds from arrival to answer. Default: 45,000 standard, 90,000 premium. */
  deadline_ms: Schema.optionalKey(wholeBetween(deadlineMsMin, deadlineMsMax)),
  overrides: Schema.optionalKey(Overrides),
  /** The sources are also read for a course: its topics, modules, aims and skills are recorded. */
  course: Schema.optionalKey(CourseWish)
})

export const GroundingRequest = Schema.Struct({
  ...CallerRequest.fields,
  /** Hits or page texts instead of a pack. Set by faces that offer it, never by callers. */
  listing: Schema.optionalKey(Listing)
})
export type GroundingRequest = typeof GroundingRequest.Type

/** The words the pipeline works on: the user's question, else the topic. */
export const questionOf = (request: GroundingRequest): string =>
  request.user_question ?? request.topic

/** Words of an identifier, as programs name slots and templates: `move_in_date`, `rent-talk`. */
export const wordsOf = (identifier: string): string => identifier.replace(/[_-]+/g, " ").trim()

/** Not where the request needs what the store lacks: own queries or sites, dates, a course. */
export const isStoreFirst = ({ course, overrides }: GroundingRequest): boolean =>
  (overrides?.sources === "store_first" || overrides?.sources === "vector_first") &&
  course === undefined && overrides.queries === undefined && overrides.time_range === undefined &&
  overrides.published_from === undefined && overrides.published_until === undefined &&
  overrides.include_domains.length === 0 && overrides.exclude_domains.length === 0

/** Milliseconds a request may take when it names no deadline. Source: the service's own promise. */
export const deadlineMsOf = (
  request: Pick<GroundingRequest, "deadline_ms" | "tier">
): number => request.deadline_ms ?? (request.tier === "premium" ? 90_000 : 45_000)

/** Whether two requests of a session ask for the same facts, whenever and however urgently. */
export const isSameNeed = (left: GroundingRequest, right: GroundingRequest): boolean => {
  const { realism_blocked, request_id, user_asked_for_facts } = right
  const { answer: _, phase: __, ...asked } = left
  const { answer: ___, ...wanted } = right
  return isSame({ ...asked, realism_blocked, request_id, user_asked_for_facts }, wanted)
}

const sameRequest = Schema.toEquivalence(GroundingRequest)

/** Whether a repeated `request_id` asks the same, whatever its deadline and user. */
export const isSame = (left: GroundingRequest, right: GroundingRequest): boolean =>
  sameRequest(asQuestion(left, right), asQuestion(right, left))

const asQuestion = (
  { subject: _, ...request }: GroundingRequest,
  { phase }: GroundingRequest
): GroundingRequest => ({
  ...phase === undefined ? {} : { phase },
  ...request,
  deadline_ms: 0
})

export class RequestConflict extends Schema.TaggedError<RequestConflict>()("RequestConflict", {
  request_id: Schema.String
}) {
  override get message(): string {
    return `Request ${this.request_id} was already made with other fields: use a new request_id`
  }
}

/** Another caller runs the same request, and this one's time is up. Retry later. */
export class RequestInProgress
  extends Schema.TaggedError<RequestInProgress>()("RequestInProgress", {
    request_id: Schema.String,
    retry_after_ms: Schema.Int
  })
{
  override get message(): string {
    return `Request ${this.request_id} is in progress; ask again in ${this.retry_after_ms} ms`
  }
}

/**
 * Default-ignorable characters are invisible, though some are letters (Hangul fillers) or marks.
 */
const alphabet = /^[[\p{L}\p{M}\p{N}._:@\/\-]--\p{Default_Ignorable_Code_Point}]+$/v

const composed = Schema.makeFilter((id: string) =>
  id === id.normalize("NFC") ? undefined : "Expected an id in Unicode's composed form (NFC)"
)

/** Longest language tag that RFC 5646 asks implementations to accept, and longest host name. */
const tagCharsMax = 35
const hostCharsMax = 253

const newHosts = Schema.Array(HostName.check(Schema.isMaxLength(hostCharsMax)))
  .check(Schema.isMaxLength(domainsMax)).pipe(Schema.withDecodingDefaultKey(empty))

/** Fields with a bound that older records need not keep. */
export const newLocale = LanguageTag.check(Schema.isMaxLength(tagCharsMax)).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("en"))
)
export const newOverrides = Schema.optionalKey(
  Schema.Struct({ ...Overrides.fields, include_domains: newHosts, exclude_domains: newHosts })
    .check(Schema.makeFilter((overrides) => datesFault(overrides)))
)

/** Fault of publication days that no search can apply, by its field. */
export const datesFault = (
  { published_from, published_until, time_range }: Pick<
    Overrides,
    "published_from" | "published_until" | "time_range"
  >
) => {
  if (published_from === undefined && published_until === undefined) return undefined
  if (time_range !== undefined) {
    return { path: ["time_range"], issue: "Expected without published_from and published_until" }
  }
  return published_from === undefined || published_until === undefined ||
      published_from <= published_until
    ? undefined
    : { path: ["published_until"], issue: "Expected no day before published_from" }
}

/** 1 to 200 UTF-16 code units of the alphabet, in normalization form C. */
export const newId = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(idCharsMax),
  Schema.makeFilter((id: string) =>
    alphabet.test(id) ? undefined : "Expected letters, digits and . _ : @ / - alone"
  ),
  composed
)
