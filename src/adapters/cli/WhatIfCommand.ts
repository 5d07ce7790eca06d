/** `what-if`: how a recorded session would have ended under other settings. Nothing is sent. */
import { Console, Effect, Option, Predicate } from "effect"
import type { WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import type { SentOf } from "../../contract/ServiceOperations.ts"
import type { OutcomeChange } from "../../domain/audit/OutcomeChange.ts"
import * as NearestName from "../../infrastructure/NearestName.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, indent, type Style } from "./terminal/Terminal.ts"
import { ask, type Wiring } from "./Wiring.ts"

/** Fields of a supposition by the name of the setting or request field that they change. */
const names = {
  INTERNET_RAG_MAX_EXTRACT_URLS: "pages_max",
  INTERNET_RAG_TOP_K: "passages_max",
  MAX_EVIDENCE_CHARS: "evidence_chars_max",
  SEARCH_SCORE_MIN: "score_min",
  max_queries: "queries_max",
  search_depth: "search_depth",
  tier: "tier"
} as const

/** `local` is this build's own engine; other values are models, which have no recorded answers. */
const engineNames = {
  LLM_GATE_MODEL: "gate",
  LLM_PLANNER_MODEL: "planner",
  JINA_RERANKER_MODEL: "ranker",
  LLM_WRITER_MODEL: "writer",
  LLM_JUDGE_MODEL: "judge",
  LLM_RESEARCHER_MODEL: "researcher"
} as const

const isName = (name: string): name is keyof typeof names => Object.hasOwn(names, name)
const isEngineName = (name: string): name is keyof typeof engineNames =>
  Object.hasOwn(engineNames, name)

const flags = {
  session_id: Flags.session,
  set: Flags.many(
    "set",
    `NAME=value; may be given again: ${Object.keys({ ...names, ...engineNames }).join(", ")}`
  ),
  json: Flags.json()
}

export const make = (wiring: Wiring) =>
  Flags.command(
    "what-if",
    "Recompute a recorded session under other limits, rules or engines",
    flags,
    Effect.fnUntraced(function*({ json, session_id, set }) {
      const suppose = yield* suppositionOf(set)
      const result = yield* ask(wiring, "WhatIfSession", { session_id, suppose })
      const style = yield* Terminal.style
      yield* Console.log(json ? JSON.stringify(result, undefined, 2) : textOf(result, style))
    })
  )

type Fields = Readonly<Record<string, unknown>>
type Supposed = SentOf<"WhatIfSession">["suppose"]

/** Supposition for the service to check; unknown names are refused here. */
const suppositionOf = (set: ReadonlyArray<string>): Effect.Effect<Supposed, CommandFailed> =>
  Effect.reduce(set, (): Fields => ({}), (fields, given) => {
    const place = given.indexOf("=")
    const [name, value] = [given.slice(0, Math.max(0, place)), given.slice(place + 1)]
    if (isName(name)) {
      return Effect.succeed({ ...fields, [names[name]]: numberOrText(value) })
    }
    if (isEngineName(name)) {
      const engines = {
        ...Object(fields["engines"]),
        [engineNames[name]]: value === "local" ? "local" : "other"
      }
      return Effect.succeed({ ...fields, engines })
    }
    const near = NearestName.nearestName(name, Object.keys({ ...names, ...engineNames }))
    return Effect.fail(
      new CommandFailed({
        sentence: `Expected NAME=value and not ${oneLine(given)}` +
          Option.match(near, { onNone: () => "", onSome: (one) => `: did you mean ${one}?` })
      })
    )
  })

const numberOrText = (value: string): number | string =>
  value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value

const textOf = ({ requests, rules, session_id }: WhatIf, { columns }: Style): string =>
  [
    ...indent(`Session ${oneLine(session_id)}, rules ${rules.from} → ${rules.to}`, 0, 2, columns),
    ...requests.flatMap(({ change = {}, needs, request_id, verdict }) => [
      ...indent(`Request ${oneLine(request_id)}: ${verdict}`, 2, 4, columns),
      ...[...changeLines(change), ...needs.map(needLine)].flatMap((line) =>
        indent(line, 4, 6, columns)
      )
    ])
  ].join("\n")

const changeLines = ({ claims = [], ...pairs }: OutcomeChange): ReadonlyArray<string> => [
  ...Object.entries(pairs).map(([name, { after, before }]) =>
    `${name.replaceAll("_", " ")}: ${valueText(before)} → ${valueText(after)}`
  ),
  ...claims.map(({ after, before, text }) =>
    `${before === undefined ? "appears" : after === undefined ? "goes" : "changes"}: ` +
    `“${oneLine(text)}” ${standing(before)}${before && after ? " → " : ""}${standing(after)}`
  )
]

/** `one, two` of a list, `name value` of a record's fields. */
const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(valueText).join(", ") || "none"
    : Predicate.isObject(value)
    ? Object.entries(value).map(([name, one]) => `${name.replaceAll("_", " ")} ${valueText(one)}`)
      .join(", ")
    : oneLine(String(value ?? "none"))

type Claim = NonNullable<OutcomeChange["claims"]>[number]

const standing = (one: Claim["before"]): string =>
  one === undefined ? "" : `${one.section.replaceAll("_", " ")} ${one.confidence.toFixed(2)}`

const needLine = ({ fact, step, what }: WhatIfRequest["needs"][number]): string =>
  `not recorded: ${fact.replaceAll("_", " ")} at ${step}${what === "" ? "" : `: ${oneLine(what)}`}`
