/**
 * What is asked of the running service for the rows of the source documents, in this order and each
 * once. `fault` is what the sandbox does wrong meanwhile to every provider, `pageFault` to every
 * page.
 */
import type { OperationName } from "../../src/contract/ServiceOperations.ts"

export interface SourceCall {
  readonly operation: OperationName
  readonly input: object
  readonly fault?: string
  readonly pageFault?: string
}

const asked = {
  topic: "Moving out of a rented flat",
  user_question: "How much notice must a tenant give in Japan?",
  region: { country: "JP" },
  phase: "mid_chat",
  user_asked_for_facts: true
}

const ground = (session_id: string, fields: object = {}, fault = ""): SourceCall => ({
  operation: "Ground",
  input: { ...asked, session_id, request_id: "r", ...fields },
  fault
})

/** One query of its own, so that no earlier answer stands in for it. */
const query = (words: string, fields: object = {}) => ({
  overrides: { queries: [words], ...fields }
})

/** The words of an earlier search, whose answer is known and whose sites said what may be read. */
const unread = (max_sources: number) => query("tenant lease notice Japan contract", { max_sources })

/** A question by itself, as its user put it. */
const topic = (session_id: string, question: string, fields: object = {}): SourceCall => ({
  operation: "Ground",
  input: { session_id, request_id: "r", topic: question, ...fields },
  fault: ""
})

const rest = (operation: OperationName, input: object = {}, fault = ""): SourceCall => ({
  operation,
  input,
  fault
})

const premium = (place: number) =>
  ground("premium", {
    tier: "premium",
    request_id: `r${place}`,
    ...query(`tenant lease notice Japan premium ${place}`)
  })

const course = (fields: object = {}) => ({
  request_id: "r",
  course_title: "Tenant notice in Japan",
  ...fields
})

const node = {
  node_id: "m:react",
  node_label: "Method",
  name: "ReAct",
  description: "Reasoning and acting in turns.",
  attributes: [{ name: "family", value: "agents" }, { name: "Seminal paper", value: "Yao 2022" }],
  relations: [{ relation: "ADDRESSES", target: "Planning" }]
}

/** Some 2,400 words in paragraphs. */
const paper = Array.from(
  { length: 40 },
  (_, index) =>
    `Section ${index + 1} tells of leases. ${
      `Tenants of house ${index + 1} give written notice one month before they leave. `.repeat(5)
    }`
).join("\n\n")

const page = "https://www.housing.gov.example/japan/ending-a-lease"

export const sourceCalls = {
  grounded: ground("g", {
    tier: "premium",
    consent_raw_content: true,
    template_id: "tenancy",
    known_facts: ["The flat is in Kyoto."],
    unknown_required_slots: ["move_out_date", "contract_type"]
  }),
  again: ground("g", {
    tier: "premium",
    consent_raw_content: true,
    template_id: "tenancy",
    known_facts: ["The flat is in Kyoto."],
    unknown_required_slots: ["move_out_date", "contract_type"]
  }),
  coach: rest("GetPackView", { session_id: "g", request_id: "r", audience: "coach" }),
  shown: rest("RecordShown", { session_id: "g", request_id: "r", audience: "user" }),
  shownAgain: rest("RecordShown", { session_id: "g", request_id: "r", audience: "user" }),
  events: rest("GetSession", { session_id: "g" }),
  otherSession: ground("g2"),
  sameSession: ground("g2", { request_id: "r2" }),
  thirdSession: ground("g3"),
  role: rest("GetPackView", {
    session_id: "g2",
    request_id: "r",
    audience: "roleplay_background"
  }),
  coachOfStandard: rest("GetPackView", { session_id: "g2", request_id: "r", audience: "coach" }),
  limited: ground("limits", {
    overrides: {
      queries: ["tenant lease notice Japan contract"],
      max_sources: 2,
      chunk_size: 200,
      top_k: 3
    }
  }),
  advanced: ground(
    "advanced",
    query("tenant lease notice Japan depth", {
      search_depth: "advanced"
    })
  ),
  news: topic("news", "What did the news say this week about tram fares in Halvern?", {
    user_asked_for_facts: true
  }),
  poem: topic("poem", "Write a poem about the sea"),
  culture: topic("culture", "What is the etiquette of okaeshi in Japan?"),
  law: topic("law", "Is it legal for a landlord in Germany to raise the rent twice a year?"),
  timely: topic("timely", "What is the current policy rate of the central bank of Veldmark?"),
  niche: topic("niche", "Which complaints does the Halvern Housing Ombudsman take?"),
  korean: ground("ko", { locale: "ko" }),
  none: ground("none", query("tenant notice nowhere"), "empty"),
  noneKorean: ground("none-ko", { locale: "ko", ...query("tenant notice nowhere ko") }, "empty"),
  second: ground("second", query("tenant lease notice Japan two fault:500x1")),
  third: ground("third", query("tenant lease notice Japan three fault:500x2")),
  scarce: ground("scarce", query("tenant lease notice Japan four fault:emptyx1")),
  down: ground("down", query("tenant lease notice Japan five"), "reset"),
  downKorean: ground("down-ko", { locale: "ko", ...query("tenant notice Japan five ko") }, "reset"),
  recovered: ground("recovered", query("tenant lease notice Japan six fault:500x1,turn=2")),
  healthy: ground("healthy", query("tenant lease notice Japan six again")),
  late: ground(
    "late",
    query("tenant lease notice Japan seven", { search_timeout_ms: 400 }),
    "hang"
  ),
  odd: ground("odd", query("tenant lease notice Japan eight"), "invalid-json"),
  mended: ground("mended", query("tenant lease notice Japan nine fault:500x2,turn=3")),
  extracted: { ...ground("extracted", unread(2)), pageFault: "503" },
  unread: { ...ground("unread", unread(3), "500"), pageFault: "503" },
  first: ground("budget", query("tenant lease notice Japan budget one")),
  unasked: ground("budget", {
    request_id: "r2",
    user_asked_for_facts: false,
    ...query("tenant lease notice Japan budget two")
  }),
  realism: ground("budget", {
    request_id: "r3",
    user_asked_for_facts: false,
    realism_blocked: true,
    ...query("tenant lease notice Japan budget three")
  }),
  spent: ground("budget", {
    request_id: "r4",
    ...query("tenant lease notice Japan budget four")
  }),
  premium1: premium(1),
  premium2: premium(2),
  premium3: premium(3),
  premium4: premium(4),
  premium5: premium(5),
  setup: ground("setup", {
    phase: "session_setup",
    ...query("tenant lease notice Japan setup one")
  }),
  setupAgain: ground("setup", {
    phase: "session_setup",
    request_id: "r2",
    user_asked_for_facts: false,
    ...query("tenant lease notice Japan setup two")
  }),
  research: rest("Research", course({ session_id: "research" })),
  researchBudget: rest("Research", course({ session_id: "research-1", search_budget: 1 })),
  researchStrict: rest(
    "Research",
    course({ session_id: "research-2", confidence_threshold: 0.95, min_results: 10 })
  ),
  outline: rest("Outline", course({ session_id: "outline" })),
  outlineSkipped: rest("Outline", course({ session_id: "outline-2", mode: "skip" })),
  badInput: rest("Research", { course_title: "", timeout_ms: "x" }),
  nodeCollected: rest("CollectEvidence", { material: { source_type: "kg_node", node } }),
  nodeAgain: rest("CollectEvidence", { material: { source_type: "kg_node", node } }),
  paper: rest("CollectEvidence", {
    material: { source_type: "paper", source_id: "lease-paper", title: "Leases", text: paper },
    collector: "librarian"
  }),
  note: rest("CollectEvidence", {
    material: { source_type: "user_note", source_id: "desk", title: "Desk", text: "One desk." }
  }),
  snippet: rest("CollectEvidence", {
    material: {
      source_type: "web_search",
      source_url: "https://tenants-union.example/snippet",
      title: "A snippet",
      text: "Tenants tell the landlord in writing. They keep a copy.",
      extent: "snippet"
    }
  }),
  page: rest("CollectPage", { source_url: `${page}?utm_source=mail` }),
  pageAgain: rest("CollectPage", { source_url: page }),
  found: rest("SearchEvidence", { query: "notice of a tenant", limit: 20 }),
  foundNear: rest("SearchEvidence", {
    query: "notice of a tenant",
    limit: 20,
    retrieval: "vector_first"
  }),
  foundPapers: rest("SearchEvidence", {
    query: "notice",
    limit: 50,
    filter: { source_type: "paper", collector: "librarian" }
  }),
  foundNode: rest("SearchEvidence", { query: "ReAct", filter: { node_id: "m:react" } }),
  foundSnippet: rest("SearchEvidence", {
    query: "landlord in writing",
    filter: { title: "A snippet" }
  }),
  storeFirst: ground("store", { overrides: { sources: "vector_first" } }),
  storeLittle: topic(
    "little",
    "Which complaints does the Halvern Housing Ombudsman take in 2026?",
    {
      overrides: { sources: "store_first" }
    }
  ),
  promoted: rest("PromoteEvidence", {
    source_url: page,
    node: { node_id: "lease", node_label: "Rule", name: "Ending a lease" }
  }),
  foundPage: rest("SearchEvidence", {
    query: "notice",
    filter: { source_type: "web_search", source_id: page }
  }),
  reembedded: rest("ReembedEvidence"),
  store: rest("GetEvidenceStatus"),
  projections: rest("GetProjections"),
  readiness: rest("CheckReadiness"),
  replayed: rest("ReplaySession", { session_id: "g" }),
  replayedFailure: rest("ReplaySession", { session_id: "late" }),
  replayedResearch: rest("ReplaySession", { session_id: "research" }),
  refused: ground("refused", query("tenant lease notice Japan last"), "429"),
  researchDown: rest(
    "Research",
    course({ session_id: "research-3", course_title: "Tipping in restaurants" }),
    "500"
  ),
  outlineDown: rest(
    "Outline",
    course({ session_id: "outline-3", course_title: "Tipping at the bar" }),
    "500"
  ),
  health: rest("GetHealth")
} as const satisfies Readonly<Record<string, SourceCall>>

export type SourceCallName = keyof typeof sourceCalls
