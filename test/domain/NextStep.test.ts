import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { SearchStopped, type SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import {
  called,
  callStarted,
  decided,
  evidenceRanked,
  evidenceRead,
  finished,
  hit,
  need,
  packCreated,
  planned,
  requested,
  rung
} from "../support/sessionFacts.ts"

const after = (...facts: ReadonlyArray<SessionEvent>) => NextStep.next(fold(Session, facts), "r")

const refused = { ...need, need_search: false, max_queries: 0 }
const one = hit("https://a.example/1")
const two = hit("https://b.example/2", { official: true })
const upTo = (
  ...facts: ReadonlyArray<SessionEvent>
) => [requested(), decided(), planned(), ...facts]

describe("the next step", () => {
  it.each<[string, ReadonlyArray<SessionEvent>]>([
    ["Request", []],
    ["Decide", [requested()]],
    ["Conclude", [requested(), decided({ need: refused })]],
    ["Plan", [requested(), decided()]],
    ["Search", upTo()],
    ["AwaitCall", upTo(callStarted())],
    ["Search", upTo(callStarted(), called(0, [one]))],
    ["Read", upTo(callStarted(), called(0, [one]), callStarted(1), called(1))],
    ["Write", upTo(callStarted(), called(), callStarted(1), called(1))],
    [
      "Rank",
      upTo(callStarted(), called(0, [one]), callStarted(1), called(1), evidenceRead(one.url))
    ],
    ["Conclude", upTo(callStarted(), called(), callStarted(1), called(1), packCreated())],
    ["Finish", upTo(callStarted(), called(), callStarted(1), called(1), packCreated(), finished())]
  ])("is %s after the facts so far", (tag, facts) => {
    assert.strictEqual(after(...facts)._tag, tag)
  })

  it("searches the queries in their order, one after the other", () => {
    const first = after(...upTo())
    const second = after(...upTo(callStarted(), called(0, [one])))
    assert.deepInclude(first, { queryIndex: 0, query: "one" })
    assert.deepInclude(second, { queryIndex: 1, query: "two" })
  })

  it("does not send a query again whose outcome was lost", () => {
    const step = after(...upTo(
      callStarted(),
      called(0, [], { status: "unknown_error", detail: "in_doubt" })
    ))
    assert.deepInclude(step, { _tag: "Search", queryIndex: 1 })
  })

  it("searches a lost query once more, after the others, where a search is left", () => {
    const lost = (call_id: string) => [
      callStarted(0, { call_id }),
      called(0, [], { call_id, status: "unknown_error", detail: "in_doubt" })
    ]
    const others = [...lost("a"), callStarted(1), called(1)]
    const premium = [requested({ tier: "premium" }), decided(), planned()]
    assert.deepInclude(after(...premium, ...others), { _tag: "Search", queryIndex: 0 })
    assert.strictEqual(after(...premium, ...others, ...lost("b"))._tag, "Write")
    // The standard tier has none left: the search ends as it would have.
    assert.strictEqual(after(...upTo(...others))._tag, "Write")
  })

  it("spares queries that the stop conditions make needless", () => {
    const stopping = planned(["one", "two"], {
      plan: {
        queries: ["one", "two"],
        must_have_evidence: [],
        stop_conditions: [
          { _tag: "OFFICIAL_SOURCE_FOUND" },
          { _tag: "N_REPUTABLE_SOURCES_AGREE", count: 2 }
        ]
      }
    })
    const facts = [requested(), decided(), stopping, callStarted()]
    const content = "A tenant must give one month's notice."
    const [agreeing, other] = [{ ...one, content, official: true }, { ...two, content }]
    assert.strictEqual(after(...facts, called(0, [agreeing, other]))._tag, "Read")
    assert.strictEqual(after(...facts, called(0, [agreeing]))._tag, "Search")
    assert.strictEqual(after(...facts, called(0, [agreeing, two]))._tag, "Search")
  })

  it("sends no more queries than the decision grants", () => {
    const step = after(
      requested(),
      decided({ need: { ...need, max_queries: 1 } }),
      planned(),
      callStarted(),
      called(0, [one])
    )
    assert.strictEqual(step._tag, "Read")
  })

  it("stops searching when other requests have spent the session's budget", () => {
    const other = { request_id: "r2" }
    const step = after(
      ...upTo(),
      requested({ ...other, topic: "Other" }),
      callStarted(0, other),
      callStarted(1, other)
    )
    assert.strictEqual(step._tag, "StopSearch")
  })

  it("reads what was found once the deadline has stopped the search", () => {
    const stopped = SearchStopped.make({ request_id: "r", reason: "deadline" })
    assert.strictEqual(after(...upTo(callStarted(), called(0, [one]), stopped))._tag, "Read")
    assert.strictEqual(after(...upTo(stopped))._tag, "Write")
  })

  it("hands the writer the passages in the ranking's order", () => {
    const step = after(
      ...upTo(callStarted(), called(0, [one, two]), callStarted(1), called(1)),
      evidenceRead(one.url, two.url),
      evidenceRanked("s2", "s1")
    )
    assert.strictEqual(step._tag, "Write")
    if (step._tag !== "Write") return
    assert.deepStrictEqual(step.chunks.map(({ page }) => page.source_id), ["s2", "s1"])
    assert.deepStrictEqual(step.chunks.map(({ text }) => text), ["Content", "Content"])
    assert.strictEqual(rung.engine, "rules")
  })
})
