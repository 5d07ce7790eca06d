/** Other paths than the usual one: an earlier answer, the store alone, lost texts, a course. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import {
  EvidenceRanked,
  SearchStopped,
  type SessionEvent
} from "../../src/domain/session/SessionEvent.ts"
import {
  cacheUsed,
  called,
  callStarted,
  decided,
  evidenceRanked,
  evidenceRead,
  finished,
  hit,
  need,
  packCreated,
  packReused,
  planned,
  requested,
  researched,
  rung
} from "../support/sessionFacts.ts"

const stepOf = (request_id: string, ...facts: ReadonlyArray<SessionEvent>) =>
  NextStep.next(fold(Session, facts), request_id)
const after = (...facts: ReadonlyArray<SessionEvent>) => stepOf("r", ...facts)

const one = hit("https://a.example/1")
const two = hit("https://b.example/2")
const { pack } = packCreated()
const writtenWith = (confidence: number) => packCreated({ pack: { ...pack, confidence } })
const searched = [requested(), decided(), planned(["one"]), callStarted(), called(0, [one])]

describe("a question that the session has answered", () => {
  const answered = [requested(), decided(), writtenWith(0.6), finished()]
  const again = requested({ request_id: "r2" })

  it("is answered by the earlier pack, also in another phase and when more urgent", () => {
    const other = requested({ request_id: "r2", phase: "mid_chat", deadline_ms: 1_000 })
    for (const fact of [again, other]) {
      const step = stepOf("r2", ...answered, fact)
      assert.strictEqual(step._tag === "Reuse" ? step.fromRequestId : step._tag, "r")
    }
  })

  it.each<[string, ReadonlyArray<SessionEvent>]>([
    ["the question is another", [...answered, requested({ request_id: "r2", topic: "Deposit" })]],
    ["the pack is not written", [requested(), decided(), again]],
    ["the pack claims nothing", [requested(), decided(), writtenWith(0), finished(), again]]
  ])("is asked anew when %s", (_, facts) => {
    assert.strictEqual(stepOf("r2", ...facts)._tag, "Decide")
  })

  it("is not answered by its own pack", () => {
    assert.strictEqual(stepOf("r", requested(), writtenWith(0.6))._tag, "Conclude")
    assert.strictEqual(stepOf("r", requested(), requested({ request_id: "r2" }))._tag, "Decide")
  })

  it("is concluded with the earlier facts under the later request, and not as finished", () => {
    const step = stepOf("r2", ...answered, again, packReused("r2", "r"))
    assert.strictEqual(step._tag, "Conclude")
    if (step._tag !== "Conclude") return
    assert.strictEqual(step.grounding.request.request_id, "r2")
    assert.strictEqual(step.grounding.written?.pack.confidence, 0.6)
    assert.strictEqual(step.grounding.reused?.from_request_id, "r")
    assert.isUndefined(step.grounding.finished)
  })
})

describe("the evidence store", () => {
  const policy = { ...requested().policy, entries_max: 4 }
  const asking = (input: Parameters<typeof requested>[0] = {}) => ({ ...requested(input), policy })
  const storeAlone = {
    overrides: { sources: "store" as const, include_domains: [], exclude_domains: [] }
  }
  const exhausted = decided({
    need: { ...need, need_search: false, reason_codes: ["BUDGET_EXHAUSTED"], max_queries: 0 }
  })

  it("is read without a search when the caller wants none, or none is left", () => {
    for (const facts of [[asking(storeAlone), decided()], [asking(), exhausted]]) {
      assert.deepInclude(after(...facts), { _tag: "Read", hits: [] })
    }
  })

  it("is not read where no entries are to be had, nor without a need", () => {
    assert.strictEqual(after(requested(), exhausted)._tag, "Conclude")
    assert.strictEqual(after(requested(storeAlone), decided())._tag, "Plan")
    const unneeded = { ...need, need_search: false }
    const refused = decided({ proposed: unneeded, need: unneeded })
    assert.strictEqual(after(asking(storeAlone), refused)._tag, "Conclude")
    const ineligible = decided({
      need: { ...need, need_search: false, reason_codes: ["PHASE_NOT_ELIGIBLE"] }
    })
    assert.strictEqual(after(asking(), ineligible)._tag, "Conclude")
  })

  it("is asked in addition to a search that found nothing", () => {
    const nothing = [decided(), planned(["one"]), callStarted(), called()]
    assert.deepInclude(after(asking(), ...nothing), { _tag: "Read", hits: [] })
    assert.strictEqual(after(requested(), ...nothing)._tag, "Write")
  })

  it("gives the writer the need that the gate proposed", () => {
    const { pages, ...facts } = evidenceRead(one.url)
    const stored = {
      ...facts,
      pages: pages.map((page) => ({ ...page, reader: "store" as const, text: "Content" }))
    }
    const step = after(asking(), exhausted, stored, evidenceRanked("s1"))
    assert.deepInclude(step, { _tag: "Write", need })
  })
})

describe("the next step", () => {
  it("goes on with the queries that the cache did not answer", () => {
    const facts = [requested(), decided(), planned()]
    assert.deepInclude(after(...facts, cacheUsed(0, [one])), { _tag: "Search", queryIndex: 1 })
    assert.deepInclude(after(...facts, cacheUsed(1, [one])), { _tag: "Search", queryIndex: 0 })
    const both = [cacheUsed(0, [one]), cacheUsed(1, [two])]
    const step = after(...facts, ...both)
    assert.strictEqual(step._tag, "Read")
    if (step._tag !== "Read") return
    assert.sameMembers(step.hits.map((fused) => fused.hit.url), [one.url, two.url])
  })

  it("waits for a running call before anything else, also once the search was stopped", () => {
    const stopped = SearchStopped.make({ request_id: "r", reason: "deadline" })
    const facts = [requested(), decided(), planned(), callStarted(0), called(0, [one])]
    assert.strictEqual(after(...facts, callStarted(1))._tag, "AwaitCall")
    assert.strictEqual(after(...facts, callStarted(1), stopped)._tag, "AwaitCall")
  })

  it("reads pages again whose texts are lost, and ranks what needs none", () => {
    const { pages, ...facts } = evidenceRead(one.url)
    const lost = { ...facts, pages: pages.map((page) => ({ ...page, reader: "web" as const })) }
    assert.strictEqual(after(...searched, lost)._tag, "Read")
    assert.strictEqual(after(...searched, lost, evidenceRanked("s1"))._tag, "Read")
    const kept = { ...facts, pages: lost.pages.map((page) => ({ ...page, text: "Content" })) }
    assert.strictEqual(after(...searched, kept)._tag, "Rank")
  })

  it("writes without a ranking when the pages hold no passage", () => {
    const { pages, ...facts } = evidenceRead(one.url)
    const bare = { ...facts, pages: pages.map((page) => ({ ...page, chunks: [] })) }
    const step = after(...searched, bare)
    assert.strictEqual(step._tag, "Write")
    if (step._tag !== "Write") return
    assert.lengthOf(step.pages, 1)
    assert.deepStrictEqual(step.chunks, [])
  })

  it("hands the writer of each page only the passages that the ranking names", () => {
    const { pages, ...facts } = evidenceRead(one.url)
    const spans = [{ start: 0, end: 7 }, { start: 8, end: 10 }]
    const read = { ...facts, pages: pages.map((page) => ({ ...page, chunks: spans })) }
    const second = { source_id: "s1", index: 1, score: 1 }
    const ranked = EvidenceRanked.make({
      request_id: "r",
      scored: [second],
      ranked: [second],
      rung
    })
    const step = after(...searched, read, ranked)
    if (step._tag !== "Write") return assert.fail(step._tag)
    assert.deepStrictEqual(step.chunks.map(({ text }) => text), ["of"])
  })
})

describe("a request that names a course", () => {
  const course = {
    course_title: "Renting a flat",
    audience_category: "general",
    depth_requirement: "introduction",
    learning_mode: "self_paced"
  }
  const [, ...rest] = searched
  const written = [requested({ course }), ...rest, packCreated()]

  it("has its sources read once, after the pack", () => {
    assert.strictEqual(after(requested({ course }), ...rest)._tag, "Read")
    const step = after(...written)
    assert.deepInclude(step, { _tag: "Research", course })
    if (step._tag !== "Research") return
    assert.deepStrictEqual(step.sources.map(({ url }) => url), [one.url])
    assert.strictEqual(after(...written, researched())._tag, "Conclude")
  })

  it("is outlined once, also where nothing was found or nothing is searched", () => {
    const outlined = requested({ course: { ...course, purpose: "outline" } })
    const unsearched = decided({ need: { ...need, need_search: false } })
    for (const facts of [[outlined, decided(), packCreated()], [outlined, unsearched]]) {
      assert.deepInclude(after(...facts), { _tag: "Research", isOutlined: true, sources: [] })
      assert.strictEqual(after(...facts, researched())._tag, "Conclude")
    }
    assert.strictEqual(after(requested({ course }), unsearched)._tag, "Conclude")
  })

  it("has nothing to read where nothing was found", () => {
    assert.strictEqual(after(requested({ course }), decided(), packCreated())._tag, "Conclude")
  })
})
