/** Which sentences of the pages a caller's model is given. */
import { assert, describe, it } from "@effect/vitest"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import type { Claim, GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import { emptyPack } from "../../src/domain/pack/GroundingPack.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import * as EvidenceBlock from "../../src/domain/view/EvidenceBlock.ts"
import { pageOf } from "../support/evidencePages.ts"

const boundary = "9f3c2b7ad15e4f0886c1b2d3e4f5a6b7"
const question = "How many days of notice must a tenant give?"
const answer = "A tenant must give 45 days of notice under the rules of the city."

const page = (text: string, source_id: string, fields: Partial<Page> = {}): Page =>
  pageOf(text, {
    source_id,
    site: `${source_id}.example`,
    reader: "web",
    chunks: chunksOfText(text),
    ...fields
  })

const select = (pages: ReadonlyArray<Page>, fields: object = {}) =>
  EvidenceBlock.select({
    chunks: chunksOf(pages),
    question,
    boundary,
    charsMax: 1_400,
    pack: emptyPack,
    ...fields
  })

const claimOf = (from: Page, quote: string, fields: Partial<Claim> = {}): Claim => {
  const start = from.text.indexOf(quote)
  const quotes = [{ text: quote, start, end: start + quote.length, match: "exact" as const }]
  return {
    text: quote,
    sources: [{ ...from, quotes }],
    confidence: 0.8,
    support: "supported",
    ...fields
  }
}

const packOf = (fields: Partial<GroundingPack>): GroundingPack => ({ ...emptyPack, ...fields })

const gardens = Array.from(
  { length: 20 },
  (_, place) => `Garden ${place} of the city is open in spring and closed in the winter months.`
).join(" ")

describe("a block is chosen", () => {
  it("of the sentence that answers, wherever it is, with the one before it", () => {
    const before = "Last spring the council of the old harbour met on a Monday evening, and what " +
      "it agreed on after three hours was printed in the gazette."
    const after = "The days of notice that a tenant must give are counted in full."
    const text = `${gardens} ${before} ${answer} ${after} ${gardens}`
    const [first] = select([page(gardens, "s1"), page(text, "s2")])
    assert.strictEqual(first?.page.source_id, "s2")
    assert.include(first?.text, `${before} ${answer}`)
    // Where there is room for one of the two, the one before is needed more.
    const charsMax = 320 + answer.length + before.length
    const [tight] = select([page(text, "s2")], { charsMax })
    assert.strictEqual(tight?.text, `${before} ${answer}`)
  })

  it("of whole sentences, each once, within its bound", () => {
    for (const charsMax of [500, 900, 1_400]) {
      const pages = [page(`${answer} ${gardens}`, "s1"), page(`${gardens} ${answer}`, "s2")]
      const excerpts = select(pages, { charsMax })
      const { text } = EvidenceBlock.build({ excerpts, boundary, charsMax })
      assert.isAtMost(text.length, charsMax)
      assert.strictEqual(text.split(answer).length, 2)
      for (const excerpt of excerpts) assert.match(excerpt.text, /^[A-Z].*\.$/s)
    }
  })

  it("with what sources without a class agree on marked, unless it is sure", () => {
    const from = page(answer, "s1")
    const marked = (confidence: number, fields: Partial<Page> = {}) => {
      const source = { ...from, ...fields }
      const key_points = [claimOf(source, answer, { confidence, origins: 2 })]
      const [first] = select([source], { pack: packOf({ key_points }) })
      return first?.isUnconfirmed
    }
    assert.deepStrictEqual(
      [marked(0.55), marked(0.65), marked(0.55, { source_class: "known" })],
      [true, false, false]
    )
  })

  it("with what a page without a class adds to a better source's claim, marked", () => {
    const added = "A letter counts from the morning after it has arrived."
    const better = page(answer, "s1", { source_class: "known" })
    const other = page(added, "s2")
    const [one] = claimOf(better, answer).sources
    const [two] = claimOf(other, added).sources
    const sources = [one, two].flatMap((source) => source ?? [])
    const pack = packOf({ key_points: [{ ...claimOf(better, answer), sources, origins: 2 }] })
    assert.deepStrictEqual(
      select([better, other], { pack })
        .map(({ isUnconfirmed, text }) => [text, isUnconfirmed]),
      [[answer, false], [added, true]]
    )
  })

  it("not of sentences that would only fill it", () => {
    const [only, ...others] = select([page(answer, "s1"), page("Cats sleep in the sun.", "s2")])
    assert.strictEqual(only?.text, answer)
    assert.deepStrictEqual(others, [])
  })

  it("of what the pack holds before all else, in its order, and once", () => {
    const law = "Notice ends with a month."
    const pages = [page(`${gardens} ${law} ${gardens}`, "s1"), page(`${gardens} ${answer}`, "s2")]
    const [first, second] = pages.map((one) => claimOf(one, one === pages[0] ? law : answer))
    const pack = packOf({
      constraints_and_rules: first === undefined ? [] : [first],
      key_points: second === undefined ? [] : [second]
    })
    const shown = select(pages, { pack })
    assert.deepStrictEqual(
      shown.slice(0, 2).map(({ isDoubted, page: { source_id }, text }) => [
        source_id,
        text.includes(source_id === "s1" ? law : answer),
        isDoubted
      ]),
      [["s1", true, false], ["s2", true, false]]
    )
    const block = EvidenceBlock.build({ excerpts: shown, boundary })
    assert.strictEqual(block.text.split(law).length, 2)
    assert.deepStrictEqual(block.source_ids, ["s1", "s2"])
  })

  it("with a mark on what the pack holds to be disputed, after what is accepted", () => {
    const pages = [page(answer, "s1"), page("Notice is 30 days, says the union.", "s2")]
    const [standing, disputed] = pages.map((one) => claimOf(one, one.text))
    assert.deepStrictEqual(
      select(pages, {
        pack: packOf({
          key_points: disputed === undefined ? [] : [disputed],
          disputed_or_uncertain: standing === undefined
            ? []
            : [{ ...standing, reason: "contradicted_by_other_source" }]
        })
      }).map(({ isDoubted, page: { source_id } }) => [source_id, isDoubted]),
      [["s2", false], ["s1", true]]
    )
  })

  it("with a mark on an older page of an authority that no claim quotes", () => {
    const fare = (year: number, price: string) =>
      page(
        `In ${year} a single tram ride in Port Halvern costs ${price} marks for an adult.`,
        `s${year}`,
        { official: true, site: "trams.example", published_date: `${year}-01-02` }
      )
    const [old, current] = [fare(2024, "2.40"), fare(2026, "2.75")]
    const shown = (pack: GroundingPack) =>
      select([old, current], { question: "What does a single tram ride cost?", pack })
        .map(({ isDoubted, page: { source_id } }) => [source_id, isDoubted])
    assert.deepStrictEqual(shown(packOf({ key_points: [claimOf(current, current.text)] })), [
      ["s2026", false],
      ["s2024", true]
    ])
    assert.sameDeepMembers(shown(emptyPack), [["s2026", false], ["s2024", true]])
  })

  it("without a mark on what agrees with one claim, though another has a figure of its own", () => {
    const own = "A tenant in Orlen must usually give one month's notice."
    const other = "Where the lease says nothing, it ends three months after a tenant gives notice."
    const office = page(`${own} ${other}`, "s1", {
      official: true,
      source_class: "primary",
      published_date: "2026-03-02"
    })
    const older = { published_date: "2025-10-14" }
    const agreeing = page("Most tenants in Orlen have to give one month's notice.", "s2", older)
    const shown = select([office, agreeing], {
      question: "How much notice must a tenant give in Orlen?",
      pack: packOf({ constraints_and_rules: [own, other].map((text) => claimOf(office, text)) })
    })
    assert.sameMembers(shown.map(({ page }) => page.source_id), ["s1", "s2"])
    assert.deepStrictEqual(shown.filter(({ isDoubted }) => isDoubted), [])
  })

  it("without joining what a search cut apart", () => {
    const text = `${answer} [...] It is free of charge for tenants who give 45 days of notice.`
    const excerpts = select([pageOf(text)])
    assert.isTrue(excerpts.every((excerpt) => !excerpt.text.includes("[...]")))
  })

  it("without what has no word, and without fields of an address", () => {
    const [first] = select([page(`!\n\n${answer}`, "s1")])
    assert.strictEqual(first?.text, answer)
    const cut = select([page(`${answer}\n\nnotice=tenant&q=Japan)`, "s1")])
    assert.notInclude(cut.map(({ text }) => text).join(), "&q=")
    const spaceless = "A&B社の2025年の売上高は100億円で、R&D=5億円でした。"
    const [held] = select([page(spaceless, "s1")], {
      question: "A&B社の2025年の売上高はいくらですか"
    })
    assert.strictEqual(held?.text, spaceless)
    assert.deepStrictEqual(select([]), [])
  })
})
