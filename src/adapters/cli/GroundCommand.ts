/** `ground`: asks one question and prints the pack, or the whole outcome as JSON. */
import { Console, Effect, Option, Ref } from "effect"
import { Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import * as FindHits from "../../application/FindHits.ts"
import type { SearchFound } from "../../contract/AgentTools.ts"
import * as Input from "../../contract/Input.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import {
  Phase,
  SearchDepth,
  SearchTopic,
  Tier,
  TimeRange
} from "../../domain/request/GroundingRequest.ts"
import { counted } from "../../domain/session/FactText.ts"
import { madeUpText } from "../../domain/view/PackTexts.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent, type Style } from "./terminal/Terminal.ts"
import { asking, askUnknown, command, part } from "./Wiring.ts"

const checkInput = Input.decode(Input.GroundInput)

/** Loaded on use: help needs no words of facts. */
const packText = Effect.promise(() => import("./rendering/PackText.ts"))

/** Named after their fields of a request. */
const overrides = {
  queries: Flags.many(
    "query",
    "An unchanged query instead of planned ones; may be repeated, up to 3"
  ),
  max_queries: Flags.whole("max-queries", "Most searches, 0 to 3"),
  search_depth: Flags.choice("depth", SearchDepth.literals, "The provider's search depth"),
  topic: Flags.choice("field", SearchTopic.literals, "The provider's topic"),
  time_range: Flags.choice("within", TimeRange.literals, "Age of results"),
  published_from: Flags.text("published-from", "First day of publication, e.g. 2026-03-01"),
  published_until: Flags.text("published-until", "Last day of publication"),
  include_domains: Flags.many("include-domain", "Only pages of this host; may be repeated"),
  exclude_domains: Flags.many("exclude-domain", "No pages of this host; may be repeated"),
  sources: Flags.given("stored", "Ask only the evidence store, without a search").pipe(
    Flag.map(Option.as("store"))
  )
}

const flags = {
  request: {
    topic: Flags.argument("topic", "The question or topic, in one or two sentences"),
    session_id: Flags.text("session", "Session id; default: a new one"),
    request_id: Flags.text("request", "Request id; a repeated one gives the recorded answer"),
    tier: Flags.choiceOr("tier", Tier.literals, "standard", "Budget tier"),
    phase: Flags.choiceOr("phase", Phase.literals, "mid_chat", "Phase of the session"),
    user_question: Flags.text("question", "The user's question, if the argument is its topic"),
    known_facts: Flags.many("fact", "A known fact; may be repeated"),
    unknown_required_slots: Flags.many(
      "slot",
      "A needed and unknown fact, e.g. move_in_date; may be repeated"
    ),
    template_id: Flags.text("template", "The application's name for this kind of conversation"),
    realism_blocked: Flags.given(
      "realism-blocked",
      "The conversation cannot go on without a real fact"
    ),
    consent_raw_content: Flags.given("consent", "Keep page texts and model answers in the log"),
    wording: Flags.choice("wording", ["verbatim"], "Claims only in their sources' own words"),
    answer: Flags.choice("answer", ["short"], "Print a short answer, made of the claims, first")
  },
  region: {
    country: Flags.text("country", "ISO 3166 country code, e.g. JP"),
    city: Flags.text("city", "City, together with --country")
  },
  locale: Flags.text("locale", "Language of messages, e.g. en or ko"),
  deadline_ms: Flags.whole("deadline-ms", "Milliseconds the answer may take"),
  sandbox: Flags.sandbox,
  overrides,
  allow_collecting: Flags.given(
    "collect",
    "Collect pages in the evidence store, if COLLECT_WEB_PAGES is set"
  ),
  model: Flags.model,
  json: Flags.json("Print the whole outcome as JSON")
}

export const ground = command(
  "ground",
  "Ground one question and print the cited pack",
  flags,
  function*(asked) {
    const input = inputOf(asked)
    // Reports invalid input before anything is loaded or opened.
    yield* checkInput(input)
    const PackText = yield* packText
    const progress = yield* Terminal.progressStyle
    const recorded = yield* Ref.make(Option.none<string>())
    const reported = Effect.flatMap(
      Ref.get(recorded),
      Option.match({
        onNone: () => Effect.void,
        onSome: (requestId) => Console.error(PackText.cutOff(input.session_id, requestId, progress))
      })
    )
    const outcome = yield* Effect.gen(function*() {
      const options = { mock: asked.sandbox, model: Option.getOrUndefined(asked.model) }
      const { calls, warned } = yield* part(({ calls }) => calls(options))
      if (Option.isNone(asked.overrides.sources)) yield* warned
      return yield* askUnknown(calls, "Ground", input, ({ event, stored }) =>
        Effect.andThen(
          Ref.set(recorded, Option.some(event.request_id)),
          asked.json ? Effect.void : Console.error(PackText.factText(event, stored, progress))
        ))
    }).pipe(
      Effect.scoped,
      Effect.onInterrupt(() => reported)
    )
    yield* Terminal.print(asked.json, outcome, PackText.render)
  }
).pipe(Command.withExamples([{
  command: "web-grounding ground \"How much notice must a tenant give in Japan?\" --sandbox",
  description: "Try it without a key and without internet"
}]))

type GroundArguments = Command.Command.Config.Infer<typeof flags>

/** A question without a session has its own session and budget. Short: users type it again. */
const freshSession = () => `cli-${randomUUID().slice(0, 8)}`

/** A question typed at a terminal counts as the user's wish for facts. */
const inputOf = (
  { allow_collecting, deadline_ms, locale, overrides, region, request }: GroundArguments
) => ({
  session_id: freshSession(),
  user_asked_for_facts: true,
  ...asGiven({ ...request, allow_collecting, deadline_ms, locale }),
  // Without overrides there is no such field: requests are compared by their fields.
  ...asGiven({ overrides: whereAny(asGiven(overrides)), region: whereAny(asGiven(region)) })
})

const whereAny = <Fields extends object>(fields: Fields): Fields | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields

// `search`: one query through the chain of providers, recorded and budgeted, and its hits.

/** Longest excerpt shown, in UTF-16 code units. */
const excerptCharsMax = 240

export const search = command(
  "search",
  "Send one query to the search providers and list the hits",
  {
    query: Flags.argument("query", "What to search for"),
    sandbox: Flags.sandbox,
    json: Flags.json("Print status and hits as JSON")
  },
  function*({ json, query, sandbox }) {
    const input = FindHits.inputOf({ query }, `search-${randomUUID().slice(0, 8)}`)
    yield* checkInput(input)
    const { found } = yield* asking(
      ({ Ground }) => FindHits.findHits((report) => Ground(input, report), () => Effect.void),
      { mock: sandbox }
    )
    yield* Terminal.print(json, found, textOf)
  }
)

const textOf = (
  { cached_age_ms, hits, status, tool_used }: SearchFound,
  { columns, doubtful, faint, strong }: Style
): string =>
  [
    ...(tool_used === "mock" ? indent(madeUpText, columns).map(doubtful) : []),
    `${counted(hits.length, "hit")}${tool_used === undefined ? "" : ` by ${tool_used}`} ` +
    `(${status}${cached_age_ms === undefined ? "" : ", as another session found"})`,
    ...hits.flatMap(({ content, published_date, title, url }, place) => [
      "",
      ...indent(`${place + 1}. ${oneLine(title)}`, columns, 0, 3).map(strong),
      ...indent(
        oneLine(url) + (published_date === undefined ? "" : ` (${published_date})`),
        columns,
        3,
        3
      )
        .map(faint),
      ...indent(excerptOf(content), columns, 3, 3)
    ])
  ].join("\n")

const excerptOf = (content: string): string => {
  const line = oneLine(content)
  return line.length <= excerptCharsMax ? line : `${line.slice(0, excerptCharsMax).trimEnd()}…`
}
