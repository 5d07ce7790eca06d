/** What research makes of a session's facts: how many results, of whom, on what, and by whom read. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { bandsOf } from "../../src/domain/research/Research.ts"
import * as ResearchReading from "../../src/domain/session/ResearchReading.ts"
import * as ResearchSources from "../../src/domain/session/ResearchSources.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { claimOf, materialsOf, pageOf } from "../support/evidencePages.ts"
import {
  called,
  callStarted,
  decided,
  hit,
  moment,
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

interface Facts {
  readonly of?: ReadonlyArray<ReturnType<typeof researched> | ReturnType<typeof packCreated>>
  readonly fallback_used?: boolean
}

const groundingOf = (
  hits: ReadonlyArray<ReturnType<typeof hit>>,
  { fallback_used = false, of = [packCreated(), researched()] }: Facts = {}
) =>
  fold(Session, [
    requested({ course }),
    decided(),
    planned(["one"]),
    callStarted(),
    called(0, hits, { fallback_used }),
    ...of
  ]).groundings.get("r") ?? assert.fail()

const read = (
  hits: ReadonlyArray<ReturnType<typeof hit>>,
  { given = asked, ...facts }: Facts & { readonly given?: ResearchReading.CourseQuestion } = {}
) => ResearchReading.researchOf(given, groundingOf(hits, facts))

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

  it("names what was left out where nothing is left, and what an official page disputes", () => {
    const near = hit("https://a.example/moving", {
      title: "Moving in Japan",
      content: "A tenant in Japan pays a deposit."
    })
    assert.include(
      read([near]).search_notes,
      "Left out: “Moving in Japan” speaks of tenant, and not of notice."
    )
    assert.notInclude(read([about("a"), near]).search_notes, "Left out")
    const said = "Tenants in Japan do not have to give one month's notice, whatever they say."
    const official = "Tenants in Japan have to give one month's notice."
    const disputed = read([
      hit("https://www.go.example/notice", {
        title: "Tenant notice in Japan",
        content: official,
        official: true
      }),
      hit("https://blog.example/notice", { title: "Tenant notice in Japan, my way", content: said })
    ], { of: [packCreated()] })
    assert.include(
      disputed.search_notes,
      `Disputed: “${said}” (blog.example); official: “${official}” (www.go.example).`
    )
  })

  it("wants as many results as the caller does, and is high from where the caller says", () => {
    const hits = [about("a"), about("b")]
    const wanted = (fields: object) => read(hits, { given: { ...asked, ...fields } })
    assert.strictEqual(wanted({ min_results: 4 }).confidence_score, 0.15)
    assert.isTrue(wanted({ confidence_threshold: 0.3 }).is_high_confidence)
    assert.isFalse(wanted({ confidence_threshold: 0.31 }).is_high_confidence)
  })

  it("is at most 0.3 where a model failed, whichever engine read", () => {
    const hits = [about("a"), about("b")]
    assert.isAbove(read(hits, { of: [sure, byModel] }).confidence_score, 0.3)
    const failedWriter = packCreated({ pack: sure.pack, rung: failed })
    assert.strictEqual(read(hits, { of: [failedWriter, byModel] }).confidence_score, 0.3)
    const failedReader = researched({ ...byModel, rung: failed })
    assert.strictEqual(read(hits, { of: [sure, failedReader] }).confidence_score, 0.3)
  })

  it("says when it was asked, how long it took, who answered most and who had to", () => {
    const results = [
      hit("https://a.example/1", { provider: "duckduckgo", score: 0.4 }),
      hit("https://b.example/2", { provider: "serpapi", score: 0.5 }),
      hit("https://c.example/3", { provider: "serpapi", score: 0.1, official: true })
    ]
    const written = packCreated({ written_at: "2026-01-01T00:00:02.500Z" })
    const found = read(results, { of: [written, researched()], fallback_used: true })
    assert.deepInclude(found, {
      search_query: course.course_title,
      execution_timestamp: moment,
      execution_time_ms: 2_500,
      tool_used: "serpapi",
      fallback_used: true,
      result_count: 3,
      high_quality_result_count: 2
    })
    assert.isFalse(read([about("a")]).fallback_used)
    assert.strictEqual(read([about("a")]).tool_used, "tavily")
  })

  it.each([
    [0, false, false],
    [0.29, false, false],
    [0.3, true, false],
    [0.69, true, false],
    [0.7, true, true]
  ])("at %d is usable %s, and of high confidence %s", (score, is_usable, is_high_confidence) => {
    assert.deepStrictEqual(bandsOf(score), { is_usable, is_high_confidence })
  })

  it("reads the ten best results: address, title, snippet and what the pack quotes", () => {
    const results = Array.from(
      { length: 12 },
      (_, place) =>
        hit(`https://s${place}.example/`, { rank: place + 1, content: `Said by ${place}.` })
    )
    const sources = ResearchSources.sourceTexts(groundingOf(results))
    assert.deepStrictEqual(
      sources.map(({ text, title, url }) => [url, title, text]),
      results.slice(0, 10).map(({ content, title, url }) => [url, title, content])
    )
    const page = pageOf("A tenant gives one month's notice.")
    const claims = [claimOf(page.text, { s1: page.text })]
    const pack = PackAssembly.assemble(materialsOf({ pages: [page], claims }))
    const quoted = groundingOf([hit(page.url, { content: "A snippet." })], {
      of: [packCreated({ pack })]
    })
    assert.deepStrictEqual(
      ResearchSources.sourceTexts(quoted).map(({ text }) => text),
      [`A snippet.\n${page.text}`]
    )
  })

  it("says what the session's budget kept from being asked", () => {
    const grounding = (reason: "BUDGET_EXHAUSTED" | "POLICY_LEGAL", fields: object) =>
      fold(Session, [
        requested({ course }),
        decided({ need: { ...need, reason_codes: [reason], ...fields } }),
        planned(["one", "two", "three"])
      ]).groundings.get("r") ?? assert.fail()
    const notes = (...given: Parameters<typeof grounding>) =>
      ResearchReading.researchOf(asked, grounding(...given)).search_notes
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
