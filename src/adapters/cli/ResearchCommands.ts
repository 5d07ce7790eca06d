/** `research` and `outline`: web and internal documents on a course's subject. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import * as Input from "../../contract/Input.ts"
import type { SentOf } from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { type OutlineAnswer, type Research, ResearchInput } from "../../domain/research/Research.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent, type Style } from "./terminal/Terminal.ts"
import { command, part } from "./Wiring.ts"

/** Named after their fields of the input. */
const fields = {
  course_title: Flags.argument("title", "The course's title or subject"),
  audience_category: Flags.text("audience", "For whom, e.g. professionals"),
  depth_requirement: Flags.text("depth", "How deep, e.g. introduction or implementation"),
  learning_mode: Flags.text("mode", "How it is taught, e.g. self_paced"),
  session_id: Flags.text(
    "session",
    "Session id; default: a new one. An existing one's budget applies"
  ),
  search_budget: Flags.whole("search-budget", "Most queries, 1 to 3; default: 3"),
  min_results: Flags.whole(
    "min-results",
    "Number of results below which the confidence falls, 1 to 10; default: 2"
  ),
  confidence_threshold: Flag.Finite("confidence-threshold").pipe(
    Flag.withDescription("Confidence that counts as high, 0.3 to 1; default: 0.7"),
    Flag.optional
  ),
  mode: Flags.choice(
    "web",
    ["enabled", "blocking", "skip"],
    "The web step: never fails, must be answered, or is skipped"
  ),
  request_id: Flags.text("request", "Request id; a repeated one gives the recorded answer")
}

const flags = {
  fields,
  model: Flags.model,
  sandbox: Flags.sandbox,
  json: Flags.json("Print all fields as JSON")
}

const freshSession = () => `research-${randomUUID().slice(0, 8)}`

const checkInput = Input.decode(ResearchInput)

const courseCommand = <A>(
  name: "research" | "outline",
  { ask, description, render }: {
    readonly description: string
    readonly ask: (calls: AskedCalls, input: SentOf<"Research">) => Effect.Effect<A, Error>
    readonly render: (answer: A, style: Style) => string
  }
) =>
  command(
    name,
    description,
    flags,
    function*(asked) {
      const { course_title, ...rest } = asked.fields
      const input = { course_title, session_id: freshSession(), ...asGiven(rest) }
      yield* checkInput(input)
      const options = { mock: asked.sandbox, model: Option.getOrUndefined(asked.model) }
      const answer = yield* part(({ calls }) => calls(options)).pipe(
        Effect.flatMap(({ calls, warned }) => Effect.andThen(warned, ask(calls, input))),
        Effect.scoped
      )
      yield* Terminal.print(asked.json, answer, render)
    }
  )

const listing = ({ columns }: Style) => (heading: string, lines: ReadonlyArray<string>) =>
  lines.length === 0
    ? []
    : ["", heading, ...lines.flatMap((line) => indent(`• ${line}`, columns, 2))]

const bandOf = ({ is_high_confidence, is_usable }: Research): string => {
  if (is_high_confidence) return "high"
  return is_usable ? "usable" : "not usable"
}

const researchText = (found: Research, style: Style): string => {
  const listed = listing(style)
  const lines = (text: string) => indent(text, style.columns)
  return [
    ...lines(
      `${found.search_query}: confidence ${found.confidence_score.toFixed(2)} (${bandOf(found)})`
    ),
    ...lines(`Why: ${found.search_notes}`),
    ...lines(found.search_summary),
    ...listed("Topics", found.key_topics_found),
    ...listed("Modules", found.recommended_modules.map(({ title }) => title)),
    ...listed("Learning objectives", found.learning_objectives_found),
    ...listed("Skills", found.skillset_recommendations),
    ...listed("Sources", found.source_links.map(({ title, url }) => `${title} ${url}`)),
    "",
    `${counted(found.result_count, "result")} (${found.tool_used}, ${found.execution_time_ms} ms)`
  ].join("\n")
}

const outlineText = (found: OutlineAnswer, style: Style): string => {
  const listed = listing(style)
  return [
    ...indent(
      `${found.course_title}: ${counted(found.modules.length, "module")}, ` +
        counted(found.total_duration_hours, "hour"),
      style.columns
    ),
    ...indent(found.outline_notes, style.columns),
    ...listed(
      "Modules",
      found.modules.map(({ description, references_from, title }) =>
        `${title} (${references_from.map(({ type }) => type).join(", ")}): ${description}`
      )
    ),
    ...listed("Learning outcomes", found.learning_outcomes),
    ...listed(
      "References",
      found.references.map(({ from, title, url }) => `${title} ${url} (${from})`)
    )
  ].join("\n")
}

export const research = courseCommand("research", {
  description: "Research a course's subject on the web with up to three queries",
  ask: ({ Research }, input) => Research(input),
  render: researchText
})

export const outline = courseCommand("outline", {
  description: "Outline a course from internal documents and the web",
  ask: ({ Outline }, input) => Outline(input),
  render: outlineText
})
