/** What was written for the sandbox's models is what it says it is. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import * as WrittenAnswers from "../../packages/sandbox/src/chat/WrittenAnswers.ts"
import { Section } from "../../src/domain/pack/GroundingPack.ts"
import { Answering, Judgement } from "../../src/domain/pack/Judgement.ts"

const requestsMin = 35
const koreanMin = 6
const liesMin = 80

const { courses, flat, kinds, requests } = WrittenAnswers

const fileOf = (page: string) => `packages/sandbox/corpus/${page}.md`
const textOf = (page: string) => flat(readFileSync(fileOf(page), "utf8"))
const isOn = (pages: ReadonlyArray<string>, words: string) =>
  pages.some((page) => textOf(page).includes(flat(words)))

const claims = requests.flatMap((request) =>
  request.claims.map((claim) => ({ ...claim, id: request.id, pages: request.pages }))
)

describe("the answers that people wrote", () => {
  it("are for enough requests, in the languages of the corpus and one more", () => {
    assert.isAtLeast(requests.length, requestsMin)
    const languages = Map.groupBy(requests, ({ locale }) => locale)
    assert.sameMembers([...languages.keys()], ["en", "ko", "ja", "de"])
    assert.isAtLeast(languages.get("ko")?.length ?? 0, koreanMin)
  })

  it("name each request once, and pages that there are", () => {
    const ids = [...requests, ...courses].map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    const pages = [...requests, ...courses].flatMap((one) => one.pages)
    assert.deepStrictEqual(pages.filter((page) => !existsSync(fileOf(page))), [])
  })

  it("quote the request's pages word for word, but for what is said to be invented", () => {
    const misquoted = claims.flatMap(({ id, invented, pages, quotes }) =>
      quotes.filter((quote) => isOn(pages, quote) === (invented === true))
        .map((quote) => `${id}: ${quote}`)
    )
    assert.deepStrictEqual(misquoted, [])
  })

  it("have verdicts and sections that a model may give, and a writer for each claim", () => {
    for (const { answering, by, id, judgement, section } of claims) {
      assert.include(Judgement.literals, judgement, id)
      assert.include(Answering.literals, answering, id)
      assert.include(Section.literals, section, id)
      assert.isNotEmpty(by, id)
      assert.deepStrictEqual(by.filter((kind) => !kinds.some((known) => known === kind)), [], id)
    }
    assert.isAtLeast(claims.filter(({ judgement }) => judgement !== "supported").length, liesMin)
  })

  it("give one verdict on one claim with the same quotes", () => {
    const same = Map.groupBy(claims, ({ quotes, text }) => JSON.stringify([text, quotes]))
    for (const [claim, twins] of same) {
      const verdicts = twins.map(({ answering, judgement }) => `${judgement} ${answering}`)
      assert.strictEqual(new Set(verdicts).size, 1, claim)
    }
  })

  it("have a good gate that agrees with the label, and a plan where one is needed", () => {
    for (const { expects, gate, id, plan } of requests) {
      assert.strictEqual(gate.good.queries > 0, expects.search, id)
      assert.strictEqual(plan !== undefined, expects.search, id)
      assert.notStrictEqual(gate.wrong.queries > 0, expects.search, id)
    }
  })

  it("are found by the request in other letters, and not by another", () => {
    const [first] = requests
    assert.strictEqual(
      WrittenAnswers.requestOf(undefined, ` ${first?.question.toUpperCase()}`),
      first
    )
    assert.isUndefined(WrittenAnswers.requestOf("How much notice must a tenant give in Peru?", ""))
  })

  it("take modules and outcomes of a course from its pages", () => {
    for (const { answers, id, pages } of courses) {
      const excerpts = kinds.flatMap((kind) =>
        [...answers[kind].modules, ...answers[kind].outcomes].map((one) => one.excerpt)
      )
      assert.deepStrictEqual(
        excerpts.filter((words) => words !== "" && !isOn(pages, words)),
        [],
        id
      )
    }
  })
})
