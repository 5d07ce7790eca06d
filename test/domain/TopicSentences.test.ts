/** Background on a topic that is to be set up, where nothing is asked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import { materialsOf, needOf, pageOf } from "../support/evidencePages.ts"
import { standingClaims } from "../support/packChecker.ts"
import { requestOf } from "../support/sessionFacts.ts"

const manners = pageOf(
  "Guests take their shoes off at the entrance. A small gift is expected on a first visit to a " +
    "home. It is rude to open it at once. The house was built in 1990.",
  { source_id: "s1", site: "manners.example", title: "Visiting a home in Japan" }
)
const museum = pageOf(
  "Visitors must leave bags in the lockers. The first visit is free, and the gift shop of the " +
    "home collection opens at nine.",
  { source_id: "s2", site: "museum.example", title: "Opening hours" }
)
const korea = pageOf(
  "A small gift is expected on a first visit to a home in Korea.",
  { source_id: "s3", site: "seoul.example", title: "Visiting a home in Korea" }
)
const pages = [manners, museum, korea]
const scene = { topic: "A first visit to a home in Japan with a gift", region: { country: "JP" } }

const packOf = (input: Parameters<typeof requestOf>[0], read: ReadonlyArray<Page> = pages) => {
  const request = requestOf(input)
  const need = needOf("CULTURE_NORMS")
  const draft = Effect.runSync(LocalEngines.writer.ask({
    request,
    need,
    chunks: chunksOf(read),
    boundary: "0".repeat(32),
    now: "2026-01-01T00:00:00.000Z"
  }))
  return PackAssembly.assemble(
    materialsOf({ draft, pages: read, request, need, confidenceMax: 0.75 })
  )
}

describe("a topic without a question", () => {
  it("is answered by norms and rules of pages on it, and by nothing else", () => {
    const pack = packOf(scene)
    const told = standingClaims(pack)
    assert.isAtLeast(told.length, 3)
    assert.deepStrictEqual(pack.key_points, [])
    assert.isTrue(told.every(({ beside_question }) => beside_question === undefined))
    assert.deepStrictEqual(
      told.flatMap(({ sources }) => sources.map(({ site }) => site)).filter((site, place, all) =>
        all.indexOf(site) === place
      ),
      ["manners.example"]
    )
    assert.isAbove(pack.confidence, 0)
  })

  it("is distinguished from the same words as a question", () => {
    const pack = packOf({ ...scene, user_question: "When was the house built?" })
    assert.isNotEmpty(pack.key_points)
  })

  it("is answered from pages without a title by their text alone", () => {
    const untitled = pageOf(
      `On a first visit to a home in Japan a gift is customary. ${manners.text}`,
      { source_id: "s1", title: "" }
    )
    assert.isAtLeast(standingClaims(packOf(scene, [untitled, { ...museum, title: "" }])).length, 3)
  })

  it("gets nothing where no page is on it", () => {
    assert.deepStrictEqual(
      standingClaims(packOf({ topic: "Sailing from Brest to the Azores" })),
      []
    )
  })
})
