/** What the answer says of the facts that it is made of. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import type { GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import type { GroundingMode } from "../../src/domain/session/GroundingOutcome.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Outcome from "../../src/domain/session/Outcome.ts"
import * as Session from "../../src/domain/session/Session.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { claimOf, materialsOf, pageOf } from "../support/evidencePages.ts"
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
  requested
} from "../support/sessionFacts.ts"

const answerOf = (request_id: string, ...facts: ReadonlyArray<SessionEvent>) => {
  const step = NextStep.next(fold(Session, facts), request_id)
  return step._tag === "Conclude" || step._tag === "Finish"
    ? Outcome.outcomeOf(step.grounding)
    : assert.fail(step._tag)
}
const answer = (...facts: ReadonlyArray<SessionEvent>) => answerOf("r", ...facts)

const notice = "A tenant must give one month's notice before moving out."
const page = pageOf(notice)
const packOf = (fields: { readonly beside_question?: true } = {}): GroundingPack =>
  PackAssembly.assemble(materialsOf({
    pages: [page],
    claims: [{ ...claimOf(notice, { s1: notice }), ...fields }]
  }))

const one = hit(page.url, { content: notice })
const asked = [requested(), decided(), planned(["one"])]
const found = [callStarted(), called(0, [one])]
const snippets = evidenceRead(one.url)
const onWeb = {
  ...snippets,
  pages: snippets.pages.map((read) => ({ ...read, reader: "web" as const, text: notice }))
}
const written = packCreated({ pack: packOf() })
const failed = (index: number) => called(index, [], { status: "network_error" })
const stale = called(0, [one], { status: "network_error", stale_age_ms: 5 })

describe("an answer", () => {
  it.each<[GroundingMode, ReadonlyArray<SessionEvent>]>([
    ["grounded", [...asked, ...found, onWeb, evidenceRanked("s1"), written]],
    ["snippets_only", [...asked, ...found, snippets, evidenceRanked("s1"), written]],
    ["partial", [...asked, ...found, callStarted(1), failed(1), onWeb, written]],
    ["stale_cache", [...asked, callStarted(), stale, snippets, written]],
    ["ungrounded", [...asked, callStarted(), failed(0), packCreated()]],
    ["ungrounded", [
      ...asked,
      ...found,
      onWeb,
      packCreated({ pack: packOf({ beside_question: true }) })
    ]],
    ["not_searched", [requested(), decided({ need: { ...need, need_search: false } })]]
  ])("is called %s by what it rests on", (mode, facts) => {
    assert.strictEqual(answer(...facts).mode, mode)
  })

  it("lists the searches of providers and of the cache, and counts what was spent", () => {
    const told = answer(
      ...asked,
      ...found,
      cacheUsed(1, [one], { age_ms: 7 }),
      snippets,
      evidenceRanked("s1"),
      written
    )
    assert.deepStrictEqual(
      told.searches.map(({ cached_age_ms, hits_count, query }) => [
        query,
        hits_count,
        cached_age_ms
      ]),
      [["one", 1, undefined], ["two", 1, 7]]
    )
    assert.deepStrictEqual(told.budget, { tier: "standard", limit: 2, spent_by_request: 1 })
    // The first passage of the snippet.
    assert.include(told.llm_context, notice.slice(0, 7))
    assert.match(told.llm_context, /^\[Search finished\] Sources were found for "How much notice/)
    assert.isTrue(told.llm_context.endsWith(`\n\n${told.evidence_block}`))
  })

  it("given again says of which request it is, and that nothing was spent", () => {
    const pack = { ...packOf(), confidence: 0.6 }
    const confident = packCreated({ pack })
    const facts = [...asked, ...found, snippets, evidenceRanked("s1"), confident, finished()]
    const again = answerOf("r2", ...facts, requested({ request_id: "r2" }), packReused("r2", "r"))
    assert.deepInclude(again, { request_id: "r2", reused_from_request_id: "r" })
    assert.strictEqual(again.budget.spent_by_request, 0)
    assert.deepStrictEqual(again.pack, answerOf("r", ...facts.slice(0, -1)).pack)
    assert.deepStrictEqual(again.citations?.map(({ n }) => n), [1])
  })

  it("is the recorded one, whatever today's rules derive", () => {
    const { outcome } = finished()
    const recorded = { ...outcome, llm_context: "As it was given." }
    assert.deepStrictEqual(
      answer(...asked, ...found, snippets, written, finished({ outcome: recorded })),
      recorded
    )
  })

  it("reports a search that failed and one that found nothing", () => {
    const both = [callStarted(0), called(0), callStarted(1), failed(1)]
    const told = answer(requested(), decided(), planned(), ...both, packCreated())
    assert.include(told, { mode: "ungrounded", reason: "not_answered_in_part" })
    assert.match(told.llm_context, /^\[Search incomplete\].*1 of 2 searches failed/)
    const nothing = answer(...asked, callStarted(), called(), packCreated())
    assert.include(nothing, { status: "no_results", reason: "nothing_found" })
    const down = answer(...asked, callStarted(), failed(0), packCreated())
    assert.include(down, { status: "network_error", reason: "search_failed" })
    assert.match(down.llm_context, /^\[Web search unavailable\] /)
    const beside = packCreated({ pack: packOf({ beside_question: true }) })
    const pages = onWeb.pages.map((read) => ({ ...read, reader: "store" as const }))
    const background = [{ ...onWeb, pages }, evidenceRanked("s1"), beside]
    const stored = answer(...asked, callStarted(), failed(0), ...background)
    assert.include(stored, { mode: "ungrounded", reason: "search_failed" })
    assert.match(stored.llm_context, /^\[Web search unavailable\] .*\n\[Made up .*\]\n\n<</)
    const spent = { ...need, need_search: false, reason_codes: ["BUDGET_EXHAUSTED"] } as const
    const unsearched = answer(requested(), decided({ need: spent }), ...background)
    assert.include(unsearched, { mode: "ungrounded", reason: "budget_exhausted" })
  })

  it.each(
    [
      ["BUDGET_EXHAUSTED", "budget_exhausted"],
      ["PHASE_NOT_ELIGIBLE", "phase_not_eligible"],
      ["KNOWN_ENOUGH", "known_enough"],
      ["PERSONAL_OR_CREATIVE", "nothing_to_look_up"],
      ["REFERS_TO_NOTHING", "refers_to_nothing"]
    ] as const
  )("says that nobody looked, and why: %s", (code, reason) => {
    const refused = { ...need, need_search: false, reason_codes: [code] } as const
    const told = answer(requested(), decided({ need: refused }))
    assert.include(told, { mode: "not_searched", reason })
    assert.isUndefined(told.status)
    assert.match(told.llm_context, /^\[Not searched\] /)
    assert.lengthOf(told.pack.what_to_ask_user, code === "REFERS_TO_NOTHING" ? 1 : 0)
  })

  it("reports what was read and gives no answer for background", () => {
    const beside = packCreated({ pack: packOf({ beside_question: true }) })
    const told = answer(...asked, ...found, snippets, evidenceRanked("s1"), beside)
    assert.include(told, { mode: "ungrounded", reason: "question_not_answered" })
    assert.match(told.llm_context, /^\[Search finished\] Pages were read, and none answers/)
    assert.include(told.llm_context, told.evidence_block)
  })

  it("shows the evidence as it was kept where the pages' texts are gone", () => {
    const kept = packCreated({ pack: packOf(), evidence_block: "[EVIDENCE EXCERPTS]\nkept" })
    assert.strictEqual(
      answer(...asked, ...found, snippets, evidenceRanked("s1"), kept).evidence_block,
      "[EVIDENCE EXCERPTS]\nkept"
    )
  })
})
