/**
 * Nothing that is printed for people is wider than a terminal of 40 columns, but an address.
 *
 * The facts are those of the golden events. Saboteur: the same lines, not wrapped.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as HealthCommand from "../../src/adapters/cli/HealthCommand.ts"
import * as PackText from "../../src/adapters/cli/rendering/PackText.ts"
import * as SessionCommands from "../../src/adapters/cli/SessionCommands.ts"
import { widthOf } from "../../src/adapters/cli/terminal/Terminal.ts"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import type { HealthView } from "../../src/contract/HealthView.ts"
import { type Claim, emptyPack } from "../../src/domain/pack/GroundingPack.ts"
import type { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { storedEvent } from "../support/storedEvent.ts"

const columns = 40
const as = (text: string) => text
const style = { strong: as, faint: as, good: as, doubtful: as, columns }
const unbound = { ...style, columns: 1_000 }
const requestId = "01a2035b-7593-7000-b0e4-b6ef6878fa35"

/** An address and a command are copied whole, each from a line of its own. */
const tooWide = (text: string) =>
  text.split("\n").filter((line) =>
    widthOf(line) > columns && !/^ *https?:\S+$|^replay: npm run /.test(line)
  )

const assertNarrow = (render: (to: typeof style) => string) => {
  assert.deepStrictEqual(tooWide(render(style)), [])
  assert.isNotEmpty(tooWide(render(unbound)))
}

const folder = "test/golden/events"

const golden = (file: string) => {
  const { data, schema_version, type } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))
  return SessionLog.codec.decode(storedEvent({ data, schemaVersion: schema_version, type }))
}

const source = (text: string): Claim["sources"][number] => ({
  source_id: "s1",
  url: "https://www.housing.gov.example/japan/ending-a-lease/and/what/comes/after/it",
  title: "賃貸借契約の終了と解約通知の期間についての公式のご案内 for tenants and landlords",
  site: "housing.gov.example",
  official: true,
  text_sha256: "",
  quotes: [{ text, start: 0, end: text.length, match: "exact" }]
})

const claim = (text: string): Claim => ({
  text,
  support: "supported",
  confidence: 0.72,
  sources: [source("一か月前までに通知しなければならないと契約に書かれていることが多い。")],
  reason: "needs_official_or_second_source"
})

const outcome: GroundingOutcome = {
  session_id: "cli-0b84a032",
  request_id: requestId,
  mode: "grounded",
  need: {
    need_search: true,
    reason_codes: ["USER_ASKED", "POLICY_LEGAL", "NICHE_ENTITY"],
    max_queries: 2,
    max_sources_per_query: 5,
    search_depth: "basic",
    topic: "general"
  },
  searches: [],
  pack: {
    ...emptyPack,
    confidence: 0.72,
    as_of: "2026-03-02",
    constraints_and_rules: [claim("A tenant in Japan must usually give the landlord one month.")],
    what_to_ask_user: [{ q: "Which country do you mean by it?", why: "the rules differ" }],
    notes: ["extractive", "suspicious_source"]
  },
  evidence_block: "",
  llm_context: "",
  rungs: {},
  budget: { tier: "standard", limit: 2, spent_by_request: 1 }
}

const statuses = { success: 12_345, no_results: 0, rate_limited: 3 }
const latency = { avg: 812, p50: 700, p95: 12_000, p99: 14_000, max: 15_000 }

const health: HealthView = {
  as_of: "2026-03-02T09:00:00.000Z",
  from: "2026-03-01T09:00Z",
  hours: 24,
  figures: {
    attempts: 12_348,
    web_search_total: statuses,
    web_search_share: { success: 0.9997, rate_limited: 0.0003 },
    web_search_avg_results: 4.8,
    web_search_timeout_rate: 0,
    web_search_latency_ms: latency
  },
  packs: { made: 0, reused: 0 },
  by_key: [{
    provider: "duckduckgo",
    key_slot: 1,
    attempts: 12_348,
    web_search_total: statuses,
    web_search_share: {},
    web_search_success_rate: 0.9997,
    web_search_avg_results: 4.8,
    web_search_latency_ms: latency
  }],
  keys: [],
  alerts: [{
    _tag: "KeyDisabled",
    severity: "info",
    provider: "tavily",
    key_slot: 2,
    since: "2026-03-02T08:00:00.000Z",
    reason: "invalid_key"
  }],
  read_models: [{
    model: "search_health",
    version: 1,
    state: "halted",
    position: "12345",
    events: 900,
    ms: 90_000,
    parked: 2
  }]
}

describe("a terminal of 40 columns", () => {
  it.effect("shows every fact", () =>
    Effect.gen(function*() {
      const files = readdirSync(folder)
      assert.isAbove(files.length, 10)
      const events = yield* Effect.forEach(files, golden)
      assertNarrow((to) =>
        events.map((event, index) => PackText.factText(event, { version: index + 1 }, to))
          .join("\n")
      )
    }))

  it("shows a pack", () => {
    assertNarrow((to) => PackText.render(outcome, to))
    const said = PackText.render(outcome, style)
    assert.match(said, /\n {2}\[1\] 賃貸借[^\n]+\n {6}\S/)
    assert.match(said, /\n {6}https:\S+it\n/)
  })

  it("shows why nothing was grounded", () => {
    for (const mode of ["not_searched", "ungrounded"] as const) {
      assertNarrow((to) => PackText.render({ ...outcome, mode, evidence_block: "x" }, to))
    }
  })

  it("shows the health of the searches", () => {
    assertNarrow((to) => HealthCommand.render(health, to))
  })

  it("shows a session's timeline and its row, and a difference in replay", () => {
    const at = "2026-03-02T09:00:00.000Z"
    const words = "How much notice must a tenant give the landlord in Japan?"
    const of = { session_id: requestId, question: words, tier: "standard", locale: "en" } as const
    const summary = {
      ...of,
      started_at: at,
      last_at: at,
      requests: 2,
      states: { answered: 1, failed: 1 },
      searches: 2,
      credits: 1,
      cost_micros: 0
    }
    const entry = { at, stream_version: 1, type: "", tone: "warning", title: "Planned" } as const
    assertNarrow((to) => SessionCommands.summaryOf(summary, to))
    assertNarrow((to) =>
      SessionCommands.timelineText({
        session: summary,
        groundings: [{
          ...of,
          request_id: requestId,
          requested_at: at,
          state: "answered",
          confidence: 0.5,
          searches: 1,
          credits: 1,
          cost_micros: 0,
          timeline: [{ ...entry, detail: words }]
        }]
      }, to)
    )
    assertNarrow((to) =>
      SessionCommands.verdictText({
        session_id: "cli-0b84a032",
        stream_id: requestId,
        events: 8,
        requests: 1,
        not_recomputed: 2,
        engines_as_recorded: [],
        other_rules: undefined,
        chain_fault: undefined,
        difference: {
          version: 8,
          type: "WEB_GROUNDING_PACK_CREATED",
          path: "pack.constraints_and_rules.0.text",
          recorded: "A tenant must give one month's notice.",
          recomputed: undefined
        }
      }, to)
    )
  })

  it("shows how a grounding that was cut off goes on", () => {
    assertNarrow((to) => PackText.cutOff("cli-0b84a032", requestId, to))
  })
})
