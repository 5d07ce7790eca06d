/** `what-if`: how a recorded session would have ended under other settings. Nothing is sent. */
import { Effect, Option, Predicate } from "effect"
import type { WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import type { OutcomeChange } from "../../domain/audit/OutcomeChange.ts"
import type { Supposition } from "../../domain/audit/Supposition.ts"
import { plain } from "../../domain/session/FactText.ts"
import * as NearestName from "../../infrastructure/NearestName.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import { CommandFailed, indent, type Style } from "./terminal/Terminal.ts"
import { answering, asking, askUnknown } from "./Wiring.ts"

// Spelled here, as help loads none of the schemas.

const fields: ReadonlyArray<string> = [
  "pages_max",
  "passages_max",
  "evidence_chars_max",
  "score_min",
  "queries_max",
  "tier"
] satisfies ReadonlyArray<keyof Supposition>

const engineNames: ReadonlyArray<string> = [
  "gate",
  "planner",
  "ranker",
  "writer",
  "judge",
  "researcher"
] satisfies ReadonlyArray<keyof NonNullable<Supposition["engines"]>>

const names = [...fields, ...engineNames]

export const whatIf = answering(
  "what-if",
  "Recompute a recorded session under other limits, rules or engines",
  {
    session_id: Flags.session,
    set: Flags.many(
      "set",
      `FIELD=value or ENGINE=local, may be repeated; of ${names.join(", ")}`
    )
  },
  Effect.fnUntraced(function*({ session_id, set }) {
    const pairs = yield* Effect.forEach(Option.toArray(set).flat(), pairOf)
    const local = pairs.filter(([name]) => engineNames.includes(name))
    const suppose = {
      ...Object.fromEntries(pairs.filter(([name]) => fields.includes(name))),
      engines: Object.fromEntries(local)
    }
    return yield* asking((calls) => askUnknown(calls, "WhatIfSession", { session_id, suppose }))
  }),
  (result, style) => textOf(result, style)
)

/** The service checks the value. */
const pairOf = (
  given: string
): Effect.Effect<readonly [string, number | string], CommandFailed> => {
  const [name = "", value = ""] = given.split(/=(.*)/s)
  const number = Number(value)
  if (!names.includes(name)) {
    const hint = Option.match(NearestName.nearestName(name, names), {
      onNone: () => `; one of ${names.join(", ")}`,
      onSome: (one) => `: did you mean ${one}?`
    })
    return new CommandFailed({ sentence: `Unknown name ${oneLine(name)}${hint}` })
  }
  return value.trim() === ""
    ? new CommandFailed({ sentence: `Expected NAME=value and not ${oneLine(given)}` })
    : Effect.succeed([name, Number.isNaN(number) ? value : number])
}

const textOf = ({ requests, rules, session_id }: WhatIf, { columns }: Style): string =>
  [
    ...indent(`Session ${oneLine(session_id)}, rules ${rules.from} → ${rules.to}`, columns),
    ...requests.flatMap(({ change = {}, needs, request_id, verdict }) => [
      ...indent(`Request ${oneLine(request_id)}: ${verdict}`, columns, 2),
      ...[...changeLines(change), ...needs.map(needLine)].flatMap((line) =>
        indent(line, columns, 4)
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
  `not recorded: ${plain(fact)} at ${step}${what === "" ? "" : `: ${oneLine(what)}`}` +
  (fact === "page_texts" ? ", kept where a request sets consent_raw_content" : "")
