/** One numbering for an answer's sources, and the answer as hosts of models cite. */
import { assert, describe, it } from "@effect/vitest"
import { emptyPack, type GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import * as Citations from "../../src/domain/view/Citations.ts"
import * as CoachView from "../../src/domain/view/CoachView.ts"
import * as PackTexts from "../../src/domain/view/PackTexts.ts"

const source = (source_id: string, quote: string) => ({
  source_id,
  url: `https://${source_id}.example/`,
  title: `Title ${source_id}`,
  site: `${source_id}.example`,
  official: source_id === "s3",
  text_sha256: "0".repeat(64),
  quotes: [{ text: quote, start: 0, end: quote.length, match: "exact" as const }]
})

const claim = (text: string, ...ids: ReadonlyArray<string>) => ({
  text,
  confidence: 0.5,
  support: "supported" as const,
  sources: ids.map((id) => source(id, text))
})

const pack: GroundingPack = {
  ...emptyPack,
  key_points: [claim("요금은 2크라운입니다.", "s3", "s1")],
  constraints_and_rules: [claim("A fare is 2 crowns.", "s1")],
  disputed_or_uncertain: [claim("A fare is 3 crowns.", "s4")]
}

const read = ["s1", "s2", "s3", "s4"].map((id) => ({
  ...source(id, ""),
  reader: id === "s4" ? "store" : "web",
  published_date: "2026-01-02"
}))
const read_at = "2026-02-03T00:00:00.000Z"

const { citations, pack: numbered, read: readNumbered } = Citations.numbered({
  pack,
  block: ["s3", "s1"],
  read,
  read_at
})

describe("the numbers of an answer's sources", () => {
  it("are those of the block, then those of the pack, and of nothing that no one sees", () => {
    assert.deepStrictEqual(citations.map(({ n, url }) => [n, url]), [
      [1, "https://s3.example/"],
      [2, "https://s1.example/"],
      [3, "https://s4.example/"]
    ])
    assert.deepStrictEqual(numbered.key_points[0]?.sources.map(({ n }) => n), [1, 2])
    assert.deepStrictEqual(numbered.disputed_or_uncertain[0]?.sources.map(({ n }) => n), [3])
    assert.deepStrictEqual(readNumbered.map((one) => "n" in one ? one.n : undefined), [
      2,
      undefined,
      1,
      3
    ])
  })

  it("come with origin and dates, and when the text was read, unless it was kept before", () => {
    assert.deepStrictEqual(citations[0], {
      n: 1,
      url: "https://s3.example/",
      title: "Title s3",
      site: "s3.example",
      official: true,
      published: "2026-01-02",
      read_at
    })
    assert.notProperty(citations[2], "read_at")
  })

  it("are the coach's numbers too, and an older pack is numbered in its own order", () => {
    const shown = { boundary: "0".repeat(32), locale: "en" }
    const sites = (given: GroundingPack) =>
      CoachView.coachView(given, shown).sources.map(({ number, site }) => `${number} ${site}`)
    assert.deepStrictEqual(sites(numbered), ["1 s3.example", "2 s1.example", "3 s4.example"])
    assert.deepStrictEqual(sites(pack), ["1 s1.example", "2 s3.example", "3 s4.example"])
  })
})

const text = "A fare is 2 crowns. [2]\n요금은 2크라운입니다. [1][2]"

describe("an answer in a host's own shape", () => {
  it("is search results for Anthropic, with the quotations of accepted claims", () => {
    const view = CoachView.anthropicOf(numbered)
    assert.strictEqual(view.text, text)
    assert.deepStrictEqual(
      view.content.map(({ content, source }) => [
        source,
        content.map((block) => block.text)
      ]),
      [
        ["https://s1.example/", ["A fare is 2 crowns.", "요금은 2크라운입니다."]],
        ["https://s3.example/", ["요금은 2크라운입니다."]]
      ]
    )
  })

  it("has annotations for OpenAI that span the numbers in the text", () => {
    const [content] = CoachView.openAiOf(numbered).content
    assert.deepStrictEqual(
      content?.annotations.map(({ end_index, start_index, url }) => [
        content.text.slice(start_index, end_index),
        url
      ]),
      [
        ["[2]", "https://s1.example/"],
        ["[1]", "https://s3.example/"],
        ["[2]", "https://s1.example/"]
      ]
    )
  })

  it("has supports for Gemini that span the claims in bytes", () => {
    const { groundingMetadata, text } = CoachView.geminiOf(numbered)
    const bytes = new TextEncoder().encode(text)
    for (const { segment } of groundingMetadata.groundingSupports) {
      const { endIndex, startIndex } = segment
      assert.strictEqual(new TextDecoder().decode(bytes.slice(startIndex, endIndex)), segment.text)
    }
    assert.deepStrictEqual(
      groundingMetadata.groundingSupports.map(({ groundingChunkIndices }) =>
        groundingChunkIndices.map((place) => groundingMetadata.groundingChunks[place]?.web.uri)
      ),
      [["https://s1.example/"], ["https://s3.example/", "https://s1.example/"]]
    )
  })
})

describe("the origins of a claim", () => {
  it("are named where the number of sites misleads", () => {
    const of = (origins: number | undefined, credited_to?: string, ...ids: ReadonlyArray<string>) =>
      PackTexts.originText({
        ...claim("A fare is 2 crowns.", ...ids),
        ...(origins === undefined ? {} : { origins }),
        ...(credited_to === undefined ? {} : { credited_to })
      })
    assert.isUndefined(of(undefined, undefined, "s1", "s2"))
    assert.isUndefined(of(2, undefined, "s1", "s2"))
    assert.strictEqual(of(1, undefined, "s1", "s2"), "2 sites, one origin")
    assert.strictEqual(of(2, undefined, "s1", "s2", "s3"), "3 sites, 2 origins")
    assert.strictEqual(
      of(1, "agency.example", "s1"),
      "credited to agency.example, which was not read"
    )
  })
})

describe("a short answer", () => {
  const told = (...claims: ReadonlyArray<GroundingPack["key_points"][number]>) =>
    PackTexts.shortAnswer({ ...pack, constraints_and_rules: [], key_points: claims })

  it("is made of the surest claims that answer, with the numbers of their sources", () => {
    assert.strictEqual(
      PackTexts.shortAnswer(numbered),
      "A fare is 2 crowns. [2] 요금은 2크라운입니다. [1][2]"
    )
    assert.strictEqual(
      told({ ...claim("Low.", "s1"), confidence: 0.4 }, {
        ...claim("High.", "s3"),
        confidence: 0.9
      }),
      "High. [1] Low. [2]"
    )
  })

  it("has four sentences at most, but for a first claim that has more", () => {
    const two = claim("One is so. Two is so.", "s1")
    const long = claim("One is so. Two is so. Three is so. Four is so. Five is so.", "s3")
    assert.strictEqual(told(two, long, two, two), `${two.text} [1] ${two.text} [1]`)
    assert.strictEqual(told(long, two), `${long.text} [1]`)
  })

  it("leaves out background, and marks that a page has of its own", () => {
    const beside = { ...claim("It rains.", "s1"), beside_question: true as const }
    assert.strictEqual(told(beside), "")
    assert.strictEqual(PackTexts.shortAnswer({ ...emptyPack, disputed_or_uncertain: [beside] }), "")
    assert.strictEqual(
      told(claim("A fare is 2 crowns.[7] It rose [1, 2].", "s3")),
      "A fare is 2 crowns. It rose. [1]"
    )
  })
})
