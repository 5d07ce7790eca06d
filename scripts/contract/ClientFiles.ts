/** The files of the client that are made of the contract's tables and schemas. */
import { Schema } from "effect"
import * as Problem from "../../src/adapters/http/Problem.ts"
import { routeOf } from "../../src/adapters/http/Problem.ts"
import { EventView } from "../../src/contract/EventView.ts"
import { operations } from "../../src/contract/Operations.ts"
import { contractVersion, versionHeader } from "../../src/contract/PublicFailure.ts"
import * as ReasonCodes from "../../src/domain/need/ReasonCodes.ts"
import {
  deadlineMsMin,
  deadlineMsOf,
  GroundingRequest
} from "../../src/domain/request/GroundingRequest.ts"
import * as Research from "../../src/domain/research/Research.ts"
import * as SearchStatus from "../../src/domain/search/SearchStatus.ts"
import { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"
import { formatted } from "../Formatter.ts"
import * as ContractTypes from "./ContractTypes.ts"

export interface ClientFile {
  readonly path: string
  readonly text: string
}

type Name = keyof typeof operations

const folder = "packages/client/src"
const written = "Written by `node scripts/clientContract.ts`; do not edit."

const meaningsIn = (table: Readonly<Record<string, { readonly meaning: string }>>) =>
  Object.fromEntries(Object.entries(table).map(([code, { meaning }]) => [code, `${meaning}.`]))

const meanings: ContractTypes.Meanings = {
  SearchStatus: meaningsIn(SearchStatus.table),
  OutcomeReason: meaningsIn(OutcomeReason.table),
  ReasonCode: Object.fromEntries(
    ReasonCodes.table.map(({ code, meaning }) => [code, `${meaning}.`])
  )
}

const contract = (file: string, text: string) => ({ file: `src/contract/${file}.ts`, text })
const domain = (file: string, text: string) => ({ file: `src/domain/${file}.ts`, text })

const inputs: Readonly<Record<Name, ReturnType<typeof contract>>> = {
  Ground: contract("Input", "GroundInput"),
  GetSession: contract("Input", "SessionPageInput"),
  GetPack: contract("Input", "PackInput"),
  GetPackView: contract("Input", "ViewInput"),
  RecordShown: contract("Input", "ShownInput"),
  Research: domain("research/Research", "ResearchInput"),
  Outline: domain("research/Research", "ResearchInput"),
  GetHealth: contract("Input", "HealthInput"),
  SearchEvidence: contract("EvidenceSearch", "EvidenceSearchInput")
}

/** What lacks nothing but what has a default. */
const samples: Readonly<Record<Name, unknown>> = {
  Ground: { session_id: "s", topic: "t" },
  GetSession: { session_id: "s" },
  GetPack: { session_id: "s", request_id: "r" },
  GetPackView: { session_id: "s", request_id: "r", audience: "coach" },
  RecordShown: { session_id: "s", request_id: "r", audience: "coach" },
  Research: { course_title: "t" },
  Outline: { course_title: "t" },
  GetHealth: {},
  SearchEvidence: { query: "q" }
}

const outputs: Readonly<Record<Name, ReturnType<typeof contract> | undefined>> = {
  Ground: domain("session/GroundingOutcome", "GroundingOutcome"),
  GetSession: contract("EventView", "SessionPage"),
  GetPack: domain("session/GroundingOutcome", "GroundingOutcome"),
  GetPackView: domain("view/ViewSchemas", "PackView"),
  RecordShown: undefined,
  Research: domain("research/Research", "Research"),
  Outline: domain("research/Research", "OutlineAnswer"),
  GetHealth: contract("HealthView", "HealthView"),
  SearchEvidence: contract("EvidenceSearch", "EvidenceFound")
}

const names: ReadonlyArray<Name> = [
  "Ground",
  "GetSession",
  "GetPack",
  "GetPackView",
  "RecordShown",
  "Research",
  "Outline",
  "GetHealth",
  "SearchEvidence"
]

/** Only what the caller left out has a default. */
const defaultsOf = (name: Name): unknown => {
  const input: Schema.Codec<unknown, unknown> = operations[name].input
  const sample = samples[name]
  const decoded = Schema.decodeUnknownSync(input)(sample)
  return typeof decoded !== "object" || decoded === null || typeof sample !== "object"
    ? {}
    : Object.fromEntries(
      Object.entries(decoded).filter(([field]) => !Object.hasOwn(sample ?? {}, field))
    )
}

const types = (): string => {
  const made = ContractTypes.make(meanings)
  made.add(EventView, contract("EventView", "EventView"))
  for (const name of names) {
    made.add(operations[name].input, inputs[name], defaultsOf(name))
    const output = outputs[name]
    if (output === undefined) continue
    made.add(name === "Ground" ? GroundingOutcome : operations[name].output, output)
  }
  return `/**
 * Shapes of inputs and answers as they go over the wire. Fields that an answer gains later are no
 * break of it. ${written}
 */

${made.text()}`
}

/** Fields that every answer has, whichever of its forms it takes. */
const required = (schema: Schema.Top): ReadonlyArray<string> => {
  const document: ContractTypes.JsonDocument = Schema.toJsonSchemaDocument(schema)
  const name = document.schema.$ref?.split("/").at(-1)
  const whole = name === undefined ? document.schema : document.definitions[name] ?? {}
  const [first = [], ...rest] = (whole.anyOf ?? [whole]).map(({ required = [] }) => required)
  return first.filter((field) => rest.every((fields) => fields.includes(field)))
}

const typeOf = (name: Name): string => outputs[name]?.text ?? "ShownAnswer"

const deadlineMsMax = (): number => {
  const { schema }: ContractTypes.JsonDocument = Schema.toJsonSchemaDocument(
    GroundingRequest.fields.deadline_ms
  )
  if (schema.maximum === undefined) throw new Error("a deadline without a ceiling")
  return schema.maximum
}

const routesText = (): string => {
  const rows = names.map((name) => {
    const { method, path } = routeOf(name)
    const requires = typeOf(name) === "GroundingOutcome"
      ? "outcomeFields"
      : JSON.stringify(required(operations[name].output))
    return `  ${name}: { method: "${method}", path: "${path}", requires: ${requires} }`
  })
  const answers = names.map((name) => `  readonly ${name}: ${typeOf(name)}`)
  const imported = [...new Set(names.map(typeOf))].filter((name) => name !== "ShownAnswer").sort()
  const perAttempt = Research.deadlineMsOf(1) - Research.deadlineMsOf(0)
  return `/**
 * Routes of the operations: method and path, fields of the answer, and how long it may take.
 * ${written}
 */
import type { ${imported.join(", ")} } from "./Contract.ts"

/** Version of the contract; the service refuses what it does not understand. */
export const contractVersion = "${contractVersion}"
export const versionHeader = "${versionHeader}"

/** Method and path of an operation, and the fields of its answer. */
export interface Route {
  readonly method: "GET" | "POST"
  /** Names in braces are fields of the input. */
  readonly path: string
  /** Fields that every answer has. */
  readonly requires: ReadonlyArray<string>
}

/** Whether the pack was recorded as shown; \`false\` when it was already. */
export interface ShownAnswer {
  readonly recorded: boolean
}

/** Type of the answer, by operation. */
export interface Answers {
${answers.join("\n")}
}

const outcomeFields = ${JSON.stringify(required(GroundingOutcome))} as const
export const routes = {
${rows.join(",\n")}
} as const satisfies Readonly<Record<keyof Answers, Route>>

/** Milliseconds from arrival to answer: \`default\` by tier, and what a caller may ask for. */
export const deadlineMs = {
  default: {
    standard: ${deadlineMsOf({ tier: "standard" })},
    premium: ${deadlineMsOf({ tier: "premium" })}
  },
  least: ${deadlineMsMin},
  most: ${deadlineMsMax()}
} as const

/** Milliseconds of a research: a fixed part, and so often the time of one attempt at a provider. */
export const researchMs = {
  fixed: ${Research.deadlineMsOf(0)},
  attempts: ${perAttempt},
  attemptDefault: ${(Research.deadlineMsOf() - Research.deadlineMsOf(0)) / perAttempt}
} as const
`
}

const classOf = (kind: string): string =>
  kind.split("-").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")

const problemsText = (): string => {
  const kinds = Object.entries(Problem.kinds)
  const classes = kinds.map(([kind, { status, title }]) =>
    `/** ${title}. Status ${status}. */
export class ${classOf(kind)} extends named("${classOf(kind)}") {}
`
  )
  return `/** A class for each kind of problem that the service answers with. ${written} */
import { type Problem, ServiceProblem } from "./Failure.ts"

type Named<Title> = new (
  problem: Problem,
  hasRun: boolean
) => ServiceProblem & { readonly name: Title; readonly _tag: Title }

const named = <Title extends string>(title: Title): Named<Title> =>
  class extends ServiceProblem {
    override readonly name = title
    readonly _tag = title
  }

${classes.join("\n")}`
}

export const clientFiles = (): ReadonlyArray<ClientFile> =>
  [
    { path: `${folder}/Contract.ts`, text: types() },
    { path: `${folder}/Routes.ts`, text: routesText() },
    { path: `${folder}/Problems.ts`, text: problemsText() }
  ].map(({ path, text }) => ({ path, text: formatted(path, text) }))
