/** What research makes of a session's facts: how many results, of whom, on what, and by whom read. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/domain/Decider.ts"
import * as ResearchReading from "../../src/domain/session/ResearchReading.ts"
import * as Session from "../../src/domain/session/Session.ts"
import {
  called,
  callStarted,
  decided,
  hit,
  need,
  packCreated,
  planned,
  requested,
  researched,
  rung
} from "../support/sessionFacts.ts"

const course = {
  course_title: "Tenant notice in Japan",
  audience_category: "general",
  depth_requirement: "introduction",
  learning_mode: "self_paced"
}
const asked = {
  course_title: course.course_title,
  min_results: 2,
  confidence_threshold: 0.7,
  search_budget: 3
}

const about = (site: string) =>
  hit(`https://${site}.example/notice`, {
    title: "Tenant notice in Japan",
    content: "How a tenant in Japan gives notice."
  })
const aside = (site: string) =>
  hit(`https://${site}.example/overtime`, {
    title: "Overtime in Japan",
    content: "An employee in Japan resigns with notice."
  })

const read = (
  hits: ReadonlyArray<ReturnType<typeof hit>>,
  { given = asked, of = [packCreated(), researched()] }: {
    readonly given?: ResearchReading.Asked
    readonly of?: ReadonlyArray<ReturnType<typeof researched> | ReturnType<typeof packCreated>>
  } = {}
) => {
  const { groundings } = fold(Session, [
    requested({ course }),
    decided(),
    planned(["one"]),
    callStarted(),
    called(0, hits),
    ...of
  ])
  const grounding = groundings.get("r")
  return grounding === undefined ? assert.fail() : ResearchReading.of(given, grounding)
}

const model = { ...rung, engine: "openai" }
const failed = { ...rung, faults: [{ engine: "openai", reason: "malformed" as const }] }
const byModel = researched({
  rung: model,
  findings: {
    key_topics_found: [],
    recommended_modules: ["a", "b"].map((site) => ({
      title: "Notice",
      description: "",
      source_url: `https://${site}.example/notice`
    })),
    learning_objectives_found: [],
    skillset_recommendations: []
  }
})
const sure = packCreated({ pack: { ...packCreated().pack, confidence: 0.9 } })

describe("research", () => {
  it.each([
    ["two results of two sites", [about("a"), about("b")], 0.3],
    ["one result", [about("a")], 0.11],
    ["one result, and one on something else", [about("a"), aside("b")], 0.11],
    ["one on something else", [aside("b")], 0]
  ])("rests on %s", (_, hits, expected) => {
    const found = read(hits)
    assert.strictEqual(found.confidence_score, expected)
    assert.strictEqual(found.is_usable, expected >= 0.3)
    assert.isFalse(found.is_high_confidence)
    assert.strictEqual(found.result_count, hits.length)
    assert.notInclude(JSON.stringify([found.source_links, found.recommended_modules]), "overtime")
  })

  it("says how many results are about the subject, and of how many sites", () => {
    assert.match(read([about("a"), aside("b")]).search_notes, /1 of 2 results is about the subject/)
    assert.match(read([about("a")]).search_notes, /fewer than the 2 wanted, all of one site/)
  })

  it("wants as many results as the caller does, and is high from where the caller says", () => {
    const hits = [about("a"), about("b")]
    const wanted = (fields: object) => read(hits, { given: { ...asked, ...fields } })
    assert.strictEqual(wanted({ min_results: 4 }).confidence_score, 0.15)
    assert.isTrue(wanted({ confidence_threshold: 0.3 }).is_high_confidence)
    assert.isFalse(wanted({ confidence_threshold: 0.31 }).is_high_confidence)
  })

  it("is at most 0.3 where a model failed, whoever else read", () => {
    const hits = [about("a"), about("b")]
    assert.isAbove(read(hits, { of: [sure, byModel] }).confidence_score, 0.3)
    const failedWriter = packCreated({ pack: sure.pack, rung: failed })
    assert.strictEqual(read(hits, { of: [failedWriter, byModel] }).confidence_score, 0.3)
    const failedReader = researched({ ...byModel, rung: failed })
    assert.strictEqual(read(hits, { of: [sure, failedReader] }).confidence_score, 0.3)
  })

  it("says what the session's budget kept from being asked", () => {
    const grounding = (reason: "BUDGET_EXHAUSTED" | "POLICY_LEGAL", fields: object) =>
      fold(Session, [
        requested({ course }),
        decided({ need: { ...need, reason_codes: [reason], ...fields } }),
        planned(["one", "two", "three"])
      ]).groundings.get("r") ?? assert.fail()
    const notes = (...given: Parameters<typeof grounding>) =>
      ResearchReading.of(asked, grounding(...given)).search_notes
    assert.strictEqual(
      notes("BUDGET_EXHAUSTED", { need_search: false, max_queries: 0 }),
      "Nothing was searched. The session has no search left."
    )
    assert.include(
      notes("POLICY_LEGAL", { max_queries: 1 }),
      "The session had 1 of the 3 searches left."
    )
    assert.notInclude(notes("POLICY_LEGAL", { max_queries: 3 }), "session")
  })
})
