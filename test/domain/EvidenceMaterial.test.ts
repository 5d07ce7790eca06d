/** What is brought to the evidence store becomes entries with ids, metadata and exact offsets. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as SearchEvidence from "../../src/application/evidence/SearchEvidence.ts"
import { sourceKeyOfEntry } from "../../src/domain/store/Entry.ts"
import * as Material from "../../src/domain/store/Material.ts"
import { textOf } from "../../src/domain/store/StoredPage.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { draw, makeDice } from "../support/dice.ts"
import { collectedAt, collection, longText, note, webPage } from "../support/evidenceEntries.ts"

const react = {
  node_id: "m:react",
  node_label: "Method",
  name: "ReAct",
  description: "Interleaving reasoning traces\nand task-specific actions.",
  attributes: [{ name: "family", value: "agent_loop_pattern" }],
  relations: [
    { relation: "ADDRESSES", target: "Tool Use & Action", role: "primary" },
    { relation: "IMPLEMENTED_BY", target: "LangChain", role: "core" },
    { relation: "ADDRESSES", target: "Reasoning", role: "secondary" },
    { relation: "Seminal paper", target: "Yao et al. 2022" }
  ]
}

describe("a node of a knowledge graph", () => {
  it("is one text with its relations", () => {
    assert.strictEqual(
      textOf(react),
      [
        "[Method] ReAct",
        "Description: Interleaving reasoning traces and task-specific actions.",
        "Family: agent_loop_pattern",
        "Addresses: Tool Use & Action (primary), Reasoning (secondary)",
        "Implemented by: LangChain (core)",
        "Seminal paper: Yao et al. 2022"
      ].join("\n")
    )
  })

  it("is one entry under its own id", () => {
    const { entries, key } = collection({ source_type: "kg_node", node: react })
    assert.lengthOf(entries, 1)
    assert.strictEqual(entries[0].id, "kg:m:react")
    assert.strictEqual(key, "kg:m:react")
    assert.deepInclude(entries[0], {
      source_type: "kg_node",
      source_id: "m:react",
      node_id: "m:react",
      node_label: "Method",
      title: "ReAct",
      chunk_index: 0,
      total_chunks: 1
    })
    const again = { ...react, description: "Described anew." }
    assert.strictEqual(collection({ source_type: "kg_node", node: again }).key, key)
  })
})

describe("a page of the web", () => {
  it("is known by its canonical address, however it is spelt", () => {
    const spelt = ["https://A.example/x?utm_source=y#z", "https://a.example:443/x"]
    const keys = spelt.map((url) => collection(webPage(url, "Text.")).key)
    const address = "https://a.example/x"
    assert.deepStrictEqual(keys, [`web:${sha256(address)}`, `web:${sha256(address)}`])
    const [entry] = collection(webPage(address, "Text.")).entries
    assert.strictEqual(entry.id, `web:${sha256(address)}:0`)
    assert.strictEqual(entry.source_url, address)
  })

  it("is refused when its address is none of the web, or when there is nothing to see", () => {
    const refused = (material: Material.Material) =>
      Result.map(
        Material.collectionOf(material, { collected_at: collectedAt, collector: "c" }, sha256),
        () => "taken"
      )
    assert.deepStrictEqual(
      refused(webPage("ftp://a.example/", "Text.")),
      Result.fail({ field: "source_url", problem: "Expected an http or https address" })
    )
    const odd = "javascript:alert(1)"
    assert.deepStrictEqual(
      refused({ source_type: "paper", source_id: "p", title: "P", text: "T.", source_url: odd }),
      Result.fail({ field: "source_url", problem: "Expected an http or https address" })
    )
    assert.deepStrictEqual(
      refused({ source_type: "kg_node", node: { ...react, source_url: odd } }),
      Result.fail({ field: "node.source_url", problem: "Expected an http or https address" })
    )
    assert.deepStrictEqual(
      refused(note("n", "\u200B\u200B")),
      Result.fail({ field: "text", problem: "Expected text with visible characters" })
    )
  })

  it("keeps the dates that could be true when it was collected", () => {
    const datesOf = (dates: { published_date?: string; modified_date?: string }) => {
      const page = webPage("https://a.example/x", "Text.")
      const { modified_date, published_date } = collection({ ...page, ...dates }).entries[0]
      return [published_date, modified_date]
    }
    const dates = { published_date: "2019-03-01", modified_date: "2026-02-03" }
    assert.deepStrictEqual(datesOf(dates), ["2019-03-01", "2026-02-03"])
    assert.deepStrictEqual(datesOf({ ...dates, modified_date: "2099-01-01" }), [
      "2019-03-01",
      undefined
    ])
    assert.deepStrictEqual(datesOf({}), [undefined, undefined])
  })

  it("counts the invisible characters that it takes out", () => {
    const { removed_chars_count } = collection(webPage("https://a.example/x", "A\u200B\u202Eb."))
    assert.strictEqual(removed_chars_count, 2)
  })

  it("keeps a provider's words as one entry", () => {
    const page = webPage("https://a.example/", "First.\n\nSecond.")
    assert.lengthOf(collection({ ...page, extent: "snippet" }).entries, 1)
  })
})

describe("entries", () => {
  it("are found where their offsets say, and know their source by their id", () => {
    const text = `A\u200B note\r\n${longText(20, "copper")}`
    const clean = text.replace("\u200B", "").replace("\r\n", "\n")
    for (const material of [webPage("https://a.example/", text), note("a:b:1", text)]) {
      const { content_sha256, entries, key } = collection(material)
      assert.isAbove(entries.length, 2)
      assert.strictEqual(content_sha256, sha256(clean))
      entries.forEach(({ chunk_index, end, id, start, text, text_sha256, total_chunks }, place) => {
        assert.strictEqual(text, clean.slice(start, end))
        assert.strictEqual(text_sha256, sha256(text))
        assert.deepStrictEqual([chunk_index, total_chunks], [place, entries.length])
        assert.strictEqual(sourceKeyOfEntry(id), key)
      })
    }
  })
})

describe("alternating rankings", () => {
  const byMeaning = ["near", "both", "far"]
  const byWords = ["words", "both"]

  it("put all of the first before what only the second has", () => {
    const ranked = SearchEvidence.inTurn([byMeaning, byWords])
    assert.deepStrictEqual(ranked.map(({ id }) => id), ["near", "both", "far", "words"])
    assert.deepStrictEqual(ranked.map(({ ranks }) => ranks)[1], [2, 2])
    const scores = ranked.map(({ score }) => score)
    assert.deepStrictEqual(scores, scores.toSorted((one, other) => other - one))
  })

  it("differ from their fusion, which favours what both rank", () => {
    const fused = SearchEvidence.fuse([byMeaning, byWords]).map(({ id }) => id)
    assert.deepStrictEqual(fused, ["both", "near", "words", "far"])
    const turned = SearchEvidence.inTurn([byWords, byMeaning]).map(({ id }) => id)
    assert.notDeepEqual(turned, SearchEvidence.inTurn([byMeaning, byWords]).map(({ id }) => id))
  })

  it("are the words' alone where no meaning was compared", () => {
    assert.deepStrictEqual(SearchEvidence.inTurn([[], byWords]).map(({ id }) => id), byWords)
  })
})

describe("rank fusion", () => {
  it("does not depend on the order of the rankings, and favours what several rank well", () => {
    const dice = makeDice(7)
    for (let round = 0; round < 50; round++) {
      const names = ["a", "b", "c", "d", "e", "f"]
      const rankings = Array.from(
        { length: 3 },
        () => Array.from(new Set(Array.from({ length: 5 }, () => draw(dice, names))))
      )
      const fused = SearchEvidence.fuse(rankings)
      assert.deepStrictEqual(
        SearchEvidence.fuse(rankings.toReversed()).map(({ id, score }) => [id, score]),
        fused.map(({ id, score }) => [id, score])
      )
      assert.sameMembers(fused.map(({ id }) => id), Array.from(new Set(rankings.flat())))
    }
    const [best] = SearchEvidence.fuse([["x", "both"], ["y", "both"]])
    assert.deepStrictEqual([best?.id, best?.ranks], ["both", [2, 2]])
    assert.deepStrictEqual(SearchEvidence.fuse([["only"], []])[0]?.ranks, [1, undefined])
  })
})
