/** `ground`: asks one question and prints the pack, or the whole outcome as JSON. */
import { Console, Effect, Option, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
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
import { isOpenTo, ViewAudience } from "../../domain/view/ViewSchemas.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as PackText from "./rendering/PackText.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, commandFailed, indent, jsonFlag, type Style } from "./terminal/Terminal.ts"
import { asking, askUnknown, part, type Wiring } from "./Wiring.ts"

const checkInput = Input.decode(Input.GroundInput)

export const make = (wiring: Wiring) =>
  Command.make(
    "ground",
    flags,
    Effect.fnUntraced(
      function*(asked) {
        const input = inputOf(asked)
        // Reports invalid input before anything is loaded or opened.
        yield* checkInput(input)
        const style = yield* Terminal.style
        const progress = yield* Terminal.progressStyle
        const audience = Option.getOrUndefined(asked.audience)
        if (audience !== undefined && !isOpenTo(audience, asked.tier)) {
          return yield* new CommandFailed({
            sentence: `--audience ${audience} needs --tier premium`
          })
        }
        const recorded = yield* Ref.make(Option.none<string>())
        const reported = Effect.flatMap(
          Ref.get(recorded),
          Option.match({
            onNone: () => Effect.void,
            onSome: (requestId) =>
              Console.error(PackText.cutOff(input.session_id, requestId, progress))
          })
        )
        const { outcome, view } = yield* Effect.gen(function*() {
          const options = { mock: asked.sandbox, model: Option.getOrUndefined(asked.model) }
          const { calls, warned } = yield* part(wiring, ({ calls }) => calls(options))
          if (!asked.stored) yield* warned
          const outcome = yield* askUnknown(calls, "Ground", input, ({ event, stored }) =>
            Effect.andThen(
              Ref.set(recorded, Option.some(event.request_id)),
              asked.json ? Effect.void : Console.error(PackText.factText(event, stored, progress))
            ))
          const { request_id, session_id } = outcome
          return {
            outcome,
            view: audience === undefined
              ? undefined
              : yield* calls.GetPackView({ session_id, request_id, audience })
          }
        }).pipe(
          Effect.scoped,
          Effect.onInterrupt(() =>
            reported
          )
        )
        if (view !== undefined) {
          return yield* Console.log(asked.json ? JSON.stringify(view, undefined, 2) : view.text)
        }
        yield* Console.log(
          asked.json ? JSON.stringify(outcome, undefined, 2) : PackText.render(outcome, style)
        )
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Ground one question and print the cited pack"),
    Command.withExamples([{
      command: "ground \"How much notice must a tenant give in Japan?\" --sandbox",
      description: "Try it without a key and without internet"
    }])
  )

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const many = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

const bool = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const flags = {
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
  answer: Flag.Literals("answer", ["short"]).pipe(
    Flag.withDescription("A few sentences made of the claims, before them"),
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
  from: text("published-from", "First day of publication, e.g. 2026-03-01"),
  until: text("published-until", "Last day of publication"),
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

type GroundArguments = Command.Command.Config.Infer<typeof flags>

/** A question without a session has its own session and budget. Short: users type it again. */
const freshSession = () => `cli-${randomUUID().slice(0, 8)}`

/** A question typed at a terminal counts as the user's wish for facts. */
const inputOf = (asked: GroundArguments) => ({
  topic: asked.topic,
  session_id: Option.getOrElse(asked.session, freshSession),
  tier: asked.tier,
  phase: asked.phase,
  user_asked_for_facts: true,
  ...asGiven({
    overrides: overridesOf(asked),
    request_id: asked.request,
    user_question: asked.question,
    known_facts: listed(asked.fact),
    unknown_required_slots: listed(asked.slot),
    template_id: asked.template,
    wording: asked.wording,
    answer: asked.answer,
    locale: asked.locale,
    deadline_ms: asked.deadline,
    region: whereAny(asGiven({ country: asked.country, city: asked.city }))
  }),
  ...(asked.collect ? { allow_collecting: true } : {}),
  ...(asked["realism-blocked"] ? { realism_blocked: true } : {}),
  ...(asked.consent ? { consent_raw_content: true } : {})
})

/** `undefined` without overrides: requests are compared by their fields. */
const overridesOf = (asked: GroundArguments) =>
  whereAny({
    ...(asked.stored ? { sources: "store" } : {}),
    ...asGiven({
      queries: listed(asked.query),
      max_queries: asked.queries,
      search_depth: asked.depth,
      topic: asked.field,
      time_range: asked.within,
      published_from: asked.from,
      published_until: asked.until,
      include_domains: listed(asked.include),
      exclude_domains: listed(asked.exclude)
    })
  })

const whereAny = <Fields extends object>(fields: Fields): Fields | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields

const listed = (values: ReadonlyArray<string>) => values.length === 0 ? undefined : values

// `search`: one query through the chain of providers, recorded and budgeted, and its hits.

/** Longest excerpt shown, in UTF-16 code units. */
const excerptCharsMax = 240

export const makeSearchCommand = (wiring: Wiring) =>
  Command.make(
    "search",
    {
      query: Argument.String("query").pipe(Argument.withDescription("What to search for")),
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      json: jsonFlag("Print status and hits as JSON")
    },
    Effect.fnUntraced(
      function*({ json, query, sandbox }) {
        const input = FindHits.inputOf({ query }, `search-${randomUUID().slice(0, 8)}`)
        yield* checkInput(input)
        const { found } = yield* asking(wiring, { mock: sandbox }, ({ Ground }) =>
          FindHits.findHits((report) =>
            Ground(input, report), () => Effect.void))
        const style = yield* Terminal.style
        yield* Console.log(json ? JSON.stringify(found, undefined, 2) : textOf(found, style))
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Send one query to the search providers and list the hits"))

const textOf = (
  { cached_age_ms, hits, status, tool_used }: SearchFound,
  { columns, doubtful, faint, strong }: Style
): string =>
  [
    ...(tool_used === "mock" ? indent(madeUpText, 0, 2, columns).map(doubtful) : []),
    `${counted(hits.length, "hit")}${tool_used === undefined ? "" : ` by ${tool_used}`} ` +
    `(${status}${cached_age_ms === undefined ? "" : ", as another session found"})`,
    ...hits.flatMap(({ content, published_date, title, url }, place) => [
      "",
      ...indent(`${place + 1}. ${oneLine(title)}`, 0, 3, columns).map(strong),
      ...indent(
        oneLine(url) + (published_date === undefined ? "" : ` (${published_date})`),
        3,
        3,
        columns
      )
        .map(faint),
      ...indent(excerptOf(content), 3, 3, columns)
    ])
  ].join("\n")

const excerptOf = (content: string): string => {
  const line = oneLine(content)
  return line.length <= excerptCharsMax ? line : `${line.slice(0, excerptCharsMax).trimEnd()}…`
}
