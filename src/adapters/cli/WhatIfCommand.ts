/** `what-if`: how a recorded session would have ended under other settings. Nothing is sent. */
import { Effect, Option, Predicate } from "effect"
import type { WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import type { OutcomeChange } from "../../domain/audit/OutcomeChange.ts"
import { plain } from "../../domain/session/FactText.ts"
import * as NearestName from "../../infrastructure/NearestName.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, indent, type Style } from "./terminal/Terminal.ts"
import { asking, askUnknown, type Wiring } from "./Wiring.ts"

/** Fields of a supposition by the name of the setting or request field that they change. */
const names = {
  INTERNET_RAG_MAX_EXTRACT_URLS: "pages_max",
  INTERNET_RAG_TOP_K: "passages_max",
  MAX_EVIDENCE_CHARS: "evidence_chars_max",
  SEARCH_SCORE_MIN: "score_min",
  max_queries: "queries_max",
  tier: "tier"
}

/** `local` is this build's own engine; other values are models, which have no recorded answers. */
const engineNames = {
  LLM_GATE_MODEL: "gate",
  LLM_PLANNER_MODEL: "planner",
  JINA_RERANKER_MODEL: "ranker",
  LLM_WRITER_MODEL: "writer",
  LLM_JUDGE_MODEL: "judge",
  LLM_RESEARCHER_MODEL: "researcher"
}

export const make = (wiring: Wiring) =>
  Flags.command(
    "what-if",
    "Recompute a recorded session under other limits, rules or engines",
    {
      session_id: Flags.session,
      set: Flags.many(
        "set",
        `NAME=value; may be given again: ${
          [...Object.keys(names), ...Object.keys(engineNames)].join(", ")
        }`
      ),
      json: Flags.json()
    },
    Effect.fnUntraced(function*({ json, session_id, set }) {
      const suppose = yield* suppositionOf(set)
      const result = yield* asking(wiring, (calls) =>
        askUnknown(calls, "WhatIfSession", { session_id, suppose }))
      yield* Terminal.print(json, result, textOf)
    })
  )

/** Supposition for the service to check; unknown names are refused here. */
const suppositionOf = Effect.fnUntraced(function*(set: ReadonlyArray<string>) {
  const given = yield* Effect.forEach(set, pairOf)
  const fieldsIn = (table: Readonly<Record<string, string>>, valueOf: (value: string) => unknown) =>
    Object.fromEntries(given.flatMap(([name, value]) => {
      const field = table[name]
      return field === undefined ? [] : [[field, valueOf(value)]]
    }))
  const engines = fieldsIn(engineNames, (value) => value === "local" ? value : "other")
  return { ...fieldsIn(names, numberOrText), engines }
})

const pairOf = (given: string): Effect.Effect<readonly [string, string], CommandFailed> => {
  const [name = "", value] = given.split(/=(.*)/s)
  const known = { ...names, ...engineNames }
  if (value !== undefined && Object.hasOwn(known, name)) return Effect.succeed([name, value])
  const near = NearestName.nearestName(name, Object.keys(known))
  const hint = Option.match(near, { onNone: () => "", onSome: (one) => `: did you mean ${one}?` })
  return new CommandFailed({ sentence: `Expected NAME=value and not ${oneLine(given)}${hint}` })
}

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
  ...Object.entries(pairs).map(([name, pair]) => pairLine(plain(name), pair)),
  ...claims.map(({ text, ...pair }) => pairLine(`“${oneLine(text)}”`, pair))
]

const pairLine = (name: string, { after, before }: Readonly<Record<string, unknown>>): string =>
  `${name}: ${valueText(before)} → ${valueText(after)}`

/** `one, two` of a list, `name value` of a record's fields. */
const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(valueText).join(", ") || "none"
    : Predicate.isObject(value)
    ? Object.entries(value).map(([name, one]) => `${plain(name)} ${valueText(one)}`).join(", ")
    : oneLine(String(value ?? "none"))

const needLine = ({ fact, step, what }: WhatIfRequest["needs"][number]): string =>
  `not recorded: ${plain(fact)} at ${step}${what === "" ? "" : `: ${oneLine(what)}`}`
