/**
 * Engines that cost next to nothing: a gate, planner, reader, reranker, writer and judge whose
 * answers follow from their input alone, and which fail, hang or are slow as the scenario says.
 */
import { Effect } from "effect"
import {
  EngineFailed,
  type EngineInfo,
  type PageText
} from "../../src/application/ports/Engines.ts"
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import type { EngineStep, Fault, Recorded } from "./Scenario.ts"
import type { Process, World } from "./World.ts"

type Trouble = Extract<Fault, { readonly kind: "engine" }>["how"]

export interface EnginesOptions {
  readonly world: World
  readonly process: Process
  /** What is wrong with the step's engine now. */
  readonly troubleOf: (step: EngineStep) => Trouble | undefined
  /** What gate and planner answered in an incident. */
  readonly recorded: Recorded | undefined
}

/** What an engine takes that works, and one that is slow, in milliseconds. */
const usualMsMax = 30
const slowMsMax = 3_000
const queriesMax = 2

/** In front of the service's own local engines. */
export const layer = ({ process, recorded, troubleOf, world }: EnginesOptions) => {
  const infoOf = (step: EngineStep): EngineInfo => ({
    engine: `scripted-${step}`,
    version: "1",
    upstream: `scripted-${step}`
  })

  const after = <A>(step: EngineStep, answer: () => A): Effect.Effect<A, EngineFailed> =>
    Effect.callback<A, EngineFailed>((resume) => {
      const trouble = troubleOf(step)
      if (trouble === "hangs") return
      const ms = world.dice() * (trouble === "slow" ? slowMsMax : usualMsMax)
      world.after(process, ms, () =>
        resume(
          trouble === "fails"
            ? Effect.fail(new EngineFailed({ engine: infoOf(step).engine, reason: "unreachable" }))
            : Effect.sync(answer)
        ))
    })

  return Engines.layer({
    gate: [{
      info: infoOf("gate"),
      ask: ({ request_id, topic }) =>
        after("gate", () => recorded?.needs.get(request_id) ?? needOf(topic))
    }],
    planner: [{
      info: infoOf("planner"),
      ask: ({ need: { max_queries }, request: { request_id, topic } }) =>
        after("planner", () => {
          const plan = recorded?.plans.get(request_id)
          if (plan !== undefined) return plan
          const number = numberOf(topic)
          const [first, ...rest] = [
            `Rule ${number} Halvern`,
            `Halvern days ${number}`
          ]
          return {
            queries: [first ?? topic, ...rest.slice(0, max_queries - 1)] as const,
            must_have_evidence: [],
            stop_conditions: []
          }
        })
    }],
    reader: [{
      info: infoOf("reader"),
      ask: ({ content }) => after("reader", () => pageOf(content))
    }],
    ranker: [{
      info: infoOf("reranker"),
      ask: ({ chunks }) => after("reranker", () => chunks.map((_, place) => 1 / (place + 1)))
    }],
    writer: [{
      info: infoOf("writer"),
      ask: ({ chunks }) =>
        after("writer", () => ({
          claims: chunks.slice(0, 1).map(({ page, text }) => ({
            section: "constraints_and_rules" as const,
            text,
            citations: [{ source_id: page.source_id, quote: text }]
          })),
          what_to_ask_user: []
        }))
    }],
    judge: [{
      info: infoOf("judge"),
      ask: ({ claims }) =>
        after(
          "judge",
          () => claims.map(({ claim }) => ({ claim, judgement: "supported" as const }))
        )
    }]
  })
}

const numberOf = (text: string): string => /\d+/.exec(text)?.[0] ?? "0"

/** One topic of six needs no search, and of the others every second one needs two queries. */
const needOf = (topic: string): SearchNeed => {
  const number = Number(numberOf(topic))
  const need = { max_sources_per_query: 3, search_depth: "basic", topic: "general" } as const
  if (number === 6) {
    return { ...need, need_search: false, reason_codes: ["PERSONAL_OR_CREATIVE"], max_queries: 0 }
  }
  const max_queries = number % 2 === 0 ? queriesMax : 1
  return { ...need, need_search: true, reason_codes: ["POLICY_LEGAL"], max_queries }
}

const pageOf = (content: string): PageText | undefined =>
  content === ""
    ? undefined
    : { reader: "web", text: content, chunks: [{ start: 0, end: content.length }] }
