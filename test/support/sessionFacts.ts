/** Facts of one grounding in their usual order, to build scenarios from. */
import { Schema } from "effect"
import { emptyPack } from "../../src/domain/pack/GroundingPack.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import type { SearchHit } from "../../src/domain/search/SearchStatus.ts"
import { rulesVersion } from "../../src/domain/session/RulesVersion.ts"
import {
  CachedPackUsed,
  CacheUsed,
  Called,
  CallStarted,
  Decided,
  EvidenceRanked,
  EvidenceRead,
  Finished,
  PackCreated,
  PackReused,
  QueryPlanned,
  Requested,
  Researched,
  StoreAsked
} from "../../src/domain/session/SessionEvent.ts"

type Input = Partial<typeof GroundingRequest.Encoded>

export const rung = { engine: "rules", version: "test", faults: [] }
export const moment = "2026-01-01T00:00:00.000Z"

export const requestOf = (input: Input = {}) =>
  Schema.decodeUnknownSync(GroundingRequest)({
    session_id: "s",
    request_id: "r",
    topic: "How much notice must a tenant give?",
    phase: "session_setup",
    ...input
  })

export const need = {
  need_search: true,
  reason_codes: ["POLICY_LEGAL"],
  max_queries: 2,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
} as const

export const hit = (url: string, fields: Partial<SearchHit> = {}): SearchHit => ({
  url,
  title: `Title of ${url}`,
  content: `Content of ${url}.`,
  score: 0.5,
  provider: "tavily",
  rank: 1,
  site: new URL(url).host,
  official: false,
  ...fields
})

/** What a provider answers with these hits. */
export const answerWith = (hits: ReadonlyArray<SearchHit>) => ({ droppedCount: 0, hits })

export const requested = (input: Input = {}) => {
  const request = requestOf(input)
  return Requested.make({
    request_id: request.request_id,
    request,
    requested_at: moment,
    policy: { pages_max: 5, chunks_max: 6, evidence_chars_max: 1_400 },
    boundary: "0".repeat(32),
    rules_version: rulesVersion
  })
}

export const decided = (fields: Partial<typeof Decided.Type> = {}) =>
  Decided.make({ request_id: "r", proposed: need, need, rung, ...fields })

export const planned = (
  queries: readonly [string, ...ReadonlyArray<string>] = ["one", "two"],
  fields: Partial<typeof QueryPlanned.Type> = {}
) =>
  QueryPlanned.make({
    request_id: "r",
    plan: { queries, must_have_evidence: [], stop_conditions: [] },
    rung,
    ...fields
  })

export const callStarted = (query_index = 0, fields: Partial<typeof CallStarted.Type> = {}) =>
  CallStarted.make({
    request_id: "r",
    call_id: `call-${fields.request_id ?? "r"}-${query_index}`,
    query_index,
    query: query_index === 0 ? "one" : "two",
    owner: "p1",
    expires_at: moment,
    ...fields
  })

export const called = (
  query_index = 0,
  hits: ReadonlyArray<SearchHit> = [],
  fields: Partial<typeof Called.Type> = {}
) =>
  Called.make({
    request_id: "r",
    call_id: `call-${fields.request_id ?? "r"}-${query_index}`,
    query_index,
    status: hits.length === 0 ? "no_results" : "success",
    attempts: [],
    hits,
    fallback_used: false,
    duration_ms: 1,
    ...fields
  })

export const cacheUsed = (
  query_index = 0,
  hits: ReadonlyArray<SearchHit> = [],
  fields: Partial<typeof CacheUsed.Type> = {}
) =>
  CacheUsed.make({
    request_id: "r",
    query_index,
    query: query_index === 0 ? "one" : "two",
    status: hits.length === 0 ? "no_results" : "success",
    hits,
    age_ms: 1,
    source_event_id: "e",
    ...fields
  })

export const packReused = (request_id: string, from_request_id: string) =>
  PackReused.make({ request_id, from_request_id })

export const evidenceRead = (...urls: ReadonlyArray<string>) =>
  EvidenceRead.make({
    request_id: "r",
    pages: urls.map((url, index) => ({
      source_id: `s${index + 1}`,
      url,
      title: "",
      site: new URL(url).host,
      official: false,
      providers: ["tavily"],
      reader: "snippet",
      text_sha256: "",
      chunks: [{ start: 0, end: 7 }]
    })),
    rung
  })

export const evidenceRanked = (...sources: ReadonlyArray<string>) => {
  const refs = sources.map((source_id) => ({ source_id, index: 0, score: 1 }))
  return EvidenceRanked.make({ request_id: "r", scored: refs, ranked: refs, rung })
}

export const packCreated = (fields: Partial<typeof PackCreated.Type> = {}) =>
  PackCreated.make({
    request_id: "r",
    draft: { claims: [], what_to_ask_user: [] },
    pack: emptyPack,
    confidence_max: 1,
    written_at: moment,
    rung,
    ...fields
  })

export const researched = (fields: Partial<typeof Researched.Type> = {}) =>
  Researched.make({
    request_id: "r",
    draft: { key_topics: [], modules: [], learning_objectives: [], skills: [] },
    findings: {
      key_topics_found: [],
      recommended_modules: [],
      learning_objectives_found: [],
      skillset_recommendations: []
    },
    researched_at: moment,
    rung,
    ...fields
  })

export const finished = (fields: Partial<typeof Finished.Type> = {}) =>
  Finished.make({
    request_id: "r",
    outcome: {
      session_id: "s",
      request_id: "r",
      mode: "not_searched",
      need,
      searches: [],
      pack: emptyPack,
      evidence_block: "",
      llm_context: "",
      rungs: {},
      budget: { tier: "standard", limit: 2, spent_by_request: 0 }
    },
    texts_version: 1,
    finished_at: moment,
    ...fields
  })

/** Enough for any question unless `knowledge` says otherwise. */
export const storeAsked = (
  knowledge: Partial<typeof StoreAsked.Type["knowledge"]> = {},
  fields: { readonly request_id?: string } = {}
) =>
  StoreAsked.make({
    request_id: "r",
    knowledge: {
      entries: 1,
      coverage: 1,
      missing_names: 0,
      holds_kind: true,
      sites: 1,
      official: true,
      ...knowledge
    },
    entries: [{ url: "https://a.example/1", text_sha256: "0".repeat(64) }],
    ...fields
  })

export const cachedPackUsed = (fields: Partial<typeof CachedPackUsed.Type> = {}) =>
  CachedPackUsed.make({
    request_id: "r",
    source_stream_id: "00000000-0000-7000-8000-000000000001",
    source_event_id: "00000000-0000-7000-8000-000000000002",
    made_at: moment,
    age_ms: 60_000,
    answer: {
      mode: "grounded",
      need,
      pack: emptyPack,
      evidence_block: "",
      llm_context: "",
      rungs: { writer: rung }
    },
    ...fields
  })
