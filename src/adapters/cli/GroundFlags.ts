/** The flags of `ground`, and the request that they make. */
import { Option } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import {
  Phase,
  SearchDepth,
  SearchTopic,
  Tier,
  TimeRange
} from "../../domain/request/GroundingRequest.ts"
import { ViewAudience } from "../../domain/view/ViewSchemas.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** Given any number of times. */
const many = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

const bool = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** Flags of a grounding, in the order in which help shows them. */
export const flags = {
  topic: Argument.String("topic").pipe(
    Argument.withDescription("The question or topic, in one or two sentences")
  ),
  session: text("session", "Session id; a fresh one when absent"),
  request: text("request", "Request id; the same one gives the recorded answer"),
  tier: Flag.Literals("tier", Tier.literals).pipe(
    Flag.withDescription("Budget tier"),
    Flag.withDefault("standard")
  ),
  phase: Flag.Literals("phase", Phase.literals).pipe(
    Flag.withDescription("Where in the session the question arises"),
    Flag.withDefault("mid_chat")
  ),
  audience: Flag.Literals("audience", ViewAudience.literals).pipe(
    Flag.withDescription("Print the pack as this audience may see it; coach needs --tier premium"),
    Flag.optional
  ),
  question: text("question", "The user's question, where the argument is the topic it is about"),
  fact: many("fact", "What is known already; may be given again"),
  slot: many("slot", "What is needed and unknown, e.g. move_in_date; may be given again"),
  template: text("template", "The kind of conversation, as the application calls it"),
  "realism-blocked": bool("realism-blocked", "Reality stands in the way of the scene"),
  consent: bool("consent", "Keep page texts and model answers in the log"),
  wording: Flag.Literals("wording", ["verbatim"]).pipe(
    Flag.withDescription("Claims in their sources' own words alone"),
    Flag.optional
  ),
  country: text("country", "ISO 3166 country code, e.g. JP"),
  city: text("city", "City, together with --country"),
  locale: text("locale", "Language of messages, e.g. en or ko"),
  deadline: Flag.Int("deadline-ms").pipe(
    Flag.withDescription("Milliseconds the answer may take"),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("Search the bundled sandbox: no key, no internet"),
    Flag.withDefault(false)
  ),
  query: many(
    "query",
    "A query to send as it is; may be given again, up to 3, instead of planned ones"
  ),
  queries: Flag.Int("max-queries").pipe(
    Flag.withDescription("Searches at most, 0 to 3"),
    Flag.optional
  ),
  depth: Flag.Literals("depth", SearchDepth.literals).pipe(
    Flag.withDescription("How deep the provider searches"),
    Flag.optional
  ),
  field: Flag.Literals("field", SearchTopic.literals).pipe(
    Flag.withDescription("The provider's field: general, news or finance"),
    Flag.optional
  ),
  within: Flag.Literals("within", TimeRange.literals).pipe(
    Flag.withDescription("How old results may be"),
    Flag.optional
  ),
  include: many("include-domain", "Only pages of this host; may be given again"),
  exclude: many("exclude-domain", "No pages of this host; may be given again"),
  stored: Flag.Boolean("stored").pipe(
    Flag.withDescription("Ask the evidence store alone, without a search"),
    Flag.withDefault(false)
  ),
  collect: Flag.Boolean("collect").pipe(
    Flag.withDescription("Keep pages in the evidence store, where COLLECT_WEB_PAGES is set"),
    Flag.withDefault(false)
  ),
  model: text("model", "Model to think with; with --sandbox one of its own, e.g. good"),
  json: jsonFlag("Print the whole outcome as JSON")
}

type Asked = Command.Command.Config.Infer<typeof flags>

/** Each question typed without a session has a budget of its own. Short: it is typed again. */
const freshSession = () => `cli-${randomUUID().slice(0, 8)}`

/**
 * Input of a grounding from the command line. A question typed at a terminal counts as the user's
 * wish for facts.
 */
export const inputOf = (asked: Asked) => ({
  topic: asked.topic,
  session_id: Option.getOrElse(asked.session, freshSession),
  tier: asked.tier,
  phase: asked.phase,
  user_asked_for_facts: true,
  ...overridesOf(asked),
  ...(asked.collect ? { allow_collecting: true } : {}),
  ...optional("request_id", asked.request),
  ...optional("user_question", asked.question),
  ...listed("known_facts", asked.fact),
  ...listed("unknown_required_slots", asked.slot),
  ...optional("template_id", asked.template),
  ...(asked["realism-blocked"] ? { realism_blocked: true } : {}),
  ...(asked.consent ? { consent_raw_content: true } : {}),
  ...optional("wording", asked.wording),
  ...optional("locale", asked.locale),
  ...optional("deadline_ms", asked.deadline),
  ...(Option.isSome(asked.country) || Option.isSome(asked.city)
    ? { region: { ...optional("country", asked.country), ...optional("city", asked.city) } }
    : {})
})

/** Absent when nothing is overridden: a request is compared with others by what it holds. */
const overridesOf = (asked: Asked) => {
  const overrides = {
    ...(asked.stored ? { sources: "store" } : {}),
    ...listed("queries", asked.query),
    ...optional("max_queries", asked.queries),
    ...optional("search_depth", asked.depth),
    ...optional("topic", asked.field),
    ...optional("time_range", asked.within),
    ...listed("include_domains", asked.include),
    ...listed("exclude_domains", asked.exclude)
  }
  return Object.keys(overrides).length === 0 ? {} : { overrides }
}

const listed = (key: string, values: ReadonlyArray<string>) =>
  values.length === 0 ? {} : { [key]: values }

const optional = <A>(key: string, value: Option.Option<A>) =>
  Option.match(value, { onNone: () => ({}), onSome: (some) => ({ [key]: some }) })
