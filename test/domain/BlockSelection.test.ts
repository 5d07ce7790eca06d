/** Which sentences of the pages a caller's model is given. */
import { assert, describe, it } from "@effect/vitest"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
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
    doubted: new Map(),
    ...fields
  })

const gardens = Array.from(
  { length: 20 },
  (_, place) => `Garden ${place} of the city is open in spring and closed in the winter months.`
).join(" ")

describe("a block is chosen", () => {
  it("of the sentence that answers, wherever it stands, with the one before it", () => {
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

  it("not of sentences that would only fill it", () => {
    const [only, ...others] = select([page(answer, "s1"), page("Cats sleep in the sun.", "s2")])
    assert.strictEqual(only?.text, answer)
    assert.deepStrictEqual(others, [])
  })

  it("with a mark where the pack holds a passage to be disputed", () => {
    const doubted = new Map([["s1", [{ start: 0, end: answer.length }]]])
    assert.deepStrictEqual(
      select([page(answer, "s1"), page(`${answer.slice(0, -1)}, says the union.`, "s2")], {
        doubted
      }).map(({ isDoubted, page: { source_id } }) => [source_id, isDoubted]),
      [["s1", true], ["s2", false]]
    )
  })

  it("without joining what a search cut apart", () => {
    const text = `${answer} [...] It is free of charge for tenants who give 45 days of notice.`
    const excerpts = select([pageOf(text)])
    assert.isTrue(excerpts.every((excerpt) => !excerpt.text.includes("[...]")))
  })

  it("empty where there is nothing", () => assert.deepStrictEqual(select([]), []))
})
