import { assert, describe, it } from "@effect/vitest"
import * as Relevance from "../../packages/language/src/passages/Relevance.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import * as Ranking from "../../src/domain/retrieval/Ranking.ts"
import { draw, makeDice } from "../support/dice.ts"
import { pageOf } from "../support/evidencePages.ts"
import { cpuMsSince } from "../support/machine.ts"

const page = (id: number, site: string, ...passages: ReadonlyArray<string>): Page =>
  pageOf(passages.join(" [...] "), { source_id: `s${id}`, site })

const names = (pages: ReadonlyArray<Page>, scores: ReadonlyArray<number>, limit?: number) =>
  Ranking.top(chunksOf(pages), scores, limit).map(({ index, source_id }) => `${source_id}#${index}`)

it("a passage has the heading above it", () => {
  const text = "Fees\n\nRent is due. Cleaning is paid."
  const starts = [text.indexOf("Rent"), text.indexOf("Cleaning")]
  const chunks = starts.map((start, place) => ({ start, end: starts[place + 1] ?? text.length }))
  const read = chunksOf([pageOf(text, { headings: [{ start: 0, end: 4 }], chunks })])
  assert.deepStrictEqual(read.map(({ heading }) => heading), ["Fees", "Fees"])
})

describe("top", () => {
  it("takes at most two passages of a page while others have something", () => {
    const pages = [
      page(1, "a.example", "Alpha one.", "Beta two.", "Gamma three.", "Delta four."),
      page(2, "b.example", "Epsilon five."),
      page(3, "c.example", "Zeta six.")
    ]
    assert.deepStrictEqual(names(pages, [9, 8, 7, 6, 2, 1], 4), ["s1#0", "s1#1", "s2#0", "s3#0"])
    assert.deepStrictEqual(names(pages.slice(0, 1), [9, 8, 7, 6], 4), [
      "s1#0",
      "s1#1",
      "s1#2",
      "s1#3"
    ])
  })

  it("lets no site fill the list", () => {
    const pages = [1, 2, 3, 4].map((id) => page(id, "a.example", `Passage number ${id} of ours.`))
    const other = page(5, "b.example", "Something else entirely.")
    assert.deepStrictEqual(names([...pages, other], [9, 8, 7, 6, 1], 4), [
      "s1#0",
      "s2#0",
      "s3#0",
      "s5#0"
    ])
  })

  it("keeps a passage of a public body among the best of many sites", () => {
    const many = [1, 2, 3].map((id) => page(id, `${id}.example`, `One ${id}.`, `Two ${id}.`))
    const body = { ...page(4, "x.gov.example", "Lower alone."), official: true }
    assert.include(names([...many, body], [9, 8, 7, 6, 5, 4, 1]), "s4#0")
    assert.notInclude(names([...many, body], [9, 8, 7, 6, 5, 4, 0]), "s4#0")
  })

  it("takes a near-copy once", () => {
    const words =
      "A tenant must give one month's notice in writing before moving out of a rented flat"
    const pages = [page(1, "a.example", `${words}.`), page(2, "b.example", `${words} in Japan.`)]
    assert.deepStrictEqual(names(pages, [5, 4]), ["s1#0"])
  })

  it("keeps the order given where scores tie, and names at most six by default", () => {
    const pages = Array.from(
      { length: 9 },
      (_, place) => page(place + 1, `${place}.example`, `Text ${place} alone.`)
    )
    assert.deepStrictEqual(names(pages, pages.map(() => 1)), [
      "s1#0",
      "s2#0",
      "s3#0",
      "s4#0",
      "s5#0",
      "s6#0"
    ])
    assert.deepStrictEqual(names([], []), [])
  })
})

describe("Relevance", () => {
  const passages = [
    { title: "Cats", text: "Cats sleep all day.", page: "1" },
    { title: "Notice", text: "A tenant must give one month's notice.", page: "2" },
    { title: "Rent", text: "Rent is paid by the tenant.", page: "3" }
  ]

  it("puts the passage that answers first, in three languages", () => {
    const [cats = 0, notice = 0, rent = 0] = Relevance.scores(
      "How much notice must a tenant give?",
      passages
    )
    assert.isTrue(notice > rent && rent > cats)
    for (
      const [question, text] of [
        ["解約予告は何か月前ですか", "解約予告は1か月前である。"],
        ["퇴거 통보는 언제 하나요", "퇴거 통보는 한 달 전에 한다."]
      ] as const
    ) {
      const scored = Relevance.scores(question, [...passages, { title: "", text, page: "4" }])
      assert.strictEqual(scored.indexOf(Math.max(...scored)), 3)
    }
  })

  it("looks at the heading as at the title", () => {
    const text = "It is one month, in writing."
    const [headed = 0, bare = 0] = Relevance.scores("How much notice must a tenant give?", [
      { title: "Housing", text, page: "1", heading: "Notice by the tenant" },
      { title: "Housing", text, page: "2" }
    ])
    assert.isAbove(headed, bare)
  })

  it("prefers what several pages name to what one page names", () => {
    const question = "Which town won the garden award this spring?"
    const said = (town: string) => `The garden award of this spring went to ${town}, the jury said.`
    const towns = ["Otaru", "Nemuro", "Otaru", "Otaru"]
    const found = towns.map((town, place) => ({ title: "", text: said(town), page: `${place}` }))
    const [otaru = 0, nemuro = 0] = Relevance.scores(question, found)
    assert.isAbove(otaru, nemuro)
    // A page that says it three times is still one page.
    const alone = found.map((passage) => ({ ...passage, page: passage.text }))
    const [once = 0, other = 0] = Relevance.scores(question, alone)
    assert.isBelow(once - other, otaru - nemuro)
  })

  it("takes little from a page that alone names something", () => {
    const question = "Which town won the garden award this spring?"
    const lead = (...others: ReadonlyArray<string>) => {
      const found = ["In Otaru", "Up here", ...others].map((where, place) => ({
        title: "",
        text: `${where} a garden was opened to everybody, it is said.`,
        page: `${place}`
      }))
      const [named = 0, unnamed = 0] = Relevance.scores(question, found)
      return named - unnamed
    }
    assert.isBelow(lead(), 1)
    assert.isAbove(lead("In Otaru", "In Otaru"), 2 * lead())
  })

  it("finds another form of a word by its spelling", () => {
    const texts = ["Each lessee gave notification early.", "Each lessee gave it early."]
    const found = texts.map((text, place) => ({ title: "", text, page: `${place}` }))
    const [spelled = 0, bare = 0] = Relevance.scores("When is a lessee to give notice?", found)
    assert.isAbove(spelled, bare)
  })

  it("trusts the search's order where there is one", () => {
    const text = "Notice is one month."
    const ranked = [1, 0].map((rank) => ({ title: "", text, page: `${rank}`, rank }))
    const [second = 0, first = 0] = Relevance.scores("How long is the notice?", ranked)
    assert.isAbove(first, second)
  })

  it("answers for five hundred passages in seconds on a busy machine", () => {
    const dice = makeDice(3)
    const list = "tenant notice rent month written contract Japan deposit 30 days".split(" ")
    const word = () => draw(dice, list)
    const many = Array.from({ length: 500 }, (_, place) => ({
      title: word(),
      text: Array.from({ length: 10 }, () => `${Array.from({ length: 14 }, word).join(" ")}.`)
        .join(" "),
      page: `${place % 5}`,
      rank: place % 5
    }))
    const before = process.cpuUsage()
    const scored = Relevance.scores("How much notice must a tenant give in Japan?", many)
    const pages = many.map(({ text }, place) => page(place + 1, `site${place % 5}.example`, text))
    assert.lengthOf(Ranking.top(chunksOf(pages), scored), 6)
    assert.isBelow(cpuMsSince(before), 8_000)
  })

  it("gives finite scores for anything", () => {
    assert.deepStrictEqual(Relevance.scores("", []), [])
    for (const score of Relevance.scores("", [{ title: "", text: "", page: "" }])) {
      assert.isTrue(Number.isFinite(score))
    }
  })
})
