/** Which of several sources prevails: time, authority, agreement, and the question. */
import { assert, describe, it } from "@effect/vitest"
import type { GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { claimOf, materialsOf, pageOf, quotedOf } from "../support/evidencePages.ts"
import { standingClaims } from "../support/packChecker.ts"
import { requestOf } from "../support/sessionFacts.ts"

type Told = readonly [text: string, published: string, kind?: "official"]

/** One site for each text, each a claim of its own by the local writer. */
const packOf = (question: string, texts: ReadonlyArray<Told>, confidenceMax = 0.75) =>
  PackAssembly.assemble(materialsOf({
    request: requestOf({ topic: question, user_question: question }),
    confidenceMax,
    ...quotedOf(
      texts.map((
        [text, published_date, kind]
      ) => [text, { published_date, official: kind === "official" }])
    )
  }))

const standing = (pack: GroundingPack) => standingClaims(pack).map(({ text }) => text)
const reasonOf = (pack: GroundingPack, text: string) =>
  pack.disputed_or_uncertain.find((claim) => claim.text === text)?.reason

describe("a newer page with several cases", () => {
  const question = "How much notice must a tenant give in Orlen?"
  const usual =
    "A tenant in Orlen who ends an ordinary lease must usually give the landlord one month's " +
    "notice, because most lease contracts set a notice period of one month."
  const silent =
    "Where such a lease of a building says nothing about notice, the lease ends three months " +
    "after the tenant asks to end the lease."
  const union =
    "Our advice desk read 412 lease contracts brought in between April 2024 and March 2025, and " +
    "351 of the contracts asked the tenant for one month's notice."
  const wrong = "Tenants in Orlen must give two months' notice before moving out."
  const page = (id: string, published_date: string, official: boolean, ...texts: Array<string>) =>
    pageOf(texts.join(" "), { source_id: id, site: `${id}.example`, published_date, official })

  it("overtakes no older figure that it gives too", () => {
    const pages = [
      page("s1", "2026-03-02", true, usual, silent),
      page("s2", "2025-10-14", false, union),
      page("s3", "2015-06-08", false, wrong)
    ]
    const pack = PackAssembly.assemble(materialsOf({
      request: requestOf({ topic: question, user_question: question }),
      confidenceMax: 0.75,
      pages,
      draft: {
        claims: [
          claimOf(silent, { s1: silent }),
          claimOf(usual, { s1: usual }),
          claimOf(union, { s2: union }),
          claimOf(wrong, { s3: wrong })
        ],
        what_to_ask_user: []
      }
    }))
    assert.notStrictEqual(reasonOf(pack, union), "overtaken_by_newer_source")
    assert.notStrictEqual(reasonOf(pack, union), "overtaken_by_newer_source")
    assert.isDefined(reasonOf(pack, wrong))
  })
})

describe("what ended", () => {
  const question = "Does the Lantern Levy still apply in Orlen?"
  const ended = "The Lantern Levy was abolished in Orlen on 1 March 2026."
  const before = "Households in Orlen pay the Lantern Levy by the end of June."

  it("overtakes what an older source says of it, and not what a newer one does", () => {
    const pack = packOf(question, [[ended, "2026-03-02", "official"], [before, "2023-05-01"]])
    assert.deepStrictEqual(standing(pack), [ended])
    assert.strictEqual(reasonOf(pack, before), "overtaken_by_newer_source")
    const later = packOf(question, [[ended, "2023-03-02", "official"], [before, "2026-05-01"]])
    assert.notStrictEqual(reasonOf(later, before), "overtaken_by_newer_source")
  })

  it("overtakes nothing of another name", () => {
    const other = "Households in Orlen pay the Harbour Levy by the end of June."
    const pack = packOf("Does the Lantern Levy of Orlen still apply?", [
      [ended, "2026-03-02", "official"],
      [other, "2023-05-01"]
    ])
    assert.notStrictEqual(reasonOf(pack, other), "overtaken_by_newer_source")
  })

  it.each([
    [
      "Gilt die Laternenabgabe in Orlen noch?",
      "Die Laternenabgabe in Orlen wurde abgeschafft.",
      "Die Laternenabgabe in Orlen zahlen alle Haushalte."
    ],
    [
      "올렌시 등불세는 아직 있나요?",
      "올렌시 등불세는 2026년에 폐지되었다.",
      "올렌시 등불세는 모든 가구가 낸다."
    ]
  ])("is told in other languages: %s", (asked, now, then) => {
    const pack = packOf(asked, [[now, "2026-03-02", "official"], [then, "2023-05-01"]])
    assert.isFalse(standing(pack).includes(then), JSON.stringify(pack))
  })
})

describe("a draft", () => {
  const question = "What is the minimum wage in Orlen?"
  const decided = "The minimum wage in Orlen is 12.40 marks an hour from 1 July 2026."
  const draft = "The minimum wage in Orlen is expected to be 12.90 marks an hour in July 2026."

  it("is overtaken by a decision of the following weeks", () => {
    const pack = packOf(question, [[decided, "2026-06-10", "official"], [draft, "2026-05-28"]])
    assert.deepStrictEqual(standing(pack), [decided])
    assert.strictEqual(reasonOf(pack, draft), "overtaken_by_newer_source")
  })
})

describe("figures of two voices", () => {
  const question = "How much is a single tram ticket in Port Orlen?"
  const official = "The adult fare on Orlen Transit trams and buses is 2.80 marks with a pass."
  const news =
    "A single adult ride in Port Orlen will cost 2.80 marks with a pass from 1 September 2026."
  const blog =
    "A single tram ride in Port Orlen now costs 3.40 marks, says a sticker of 12 September 2026."

  it("are settled by an authority that gives one of them", () => {
    const pack = packOf(question, [
      [official, "2026-09-01", "official"],
      [news, "2026-08-19"],
      [blog, "2026-09-20"]
    ])
    assert.deepStrictEqual(standing(pack), [official])
    assert.deepStrictEqual(
      standingClaims(pack).flatMap(({ sources }) => sources.map(({ site }) => site)),
      ["site1.example"]
    )
    assert.strictEqual(reasonOf(pack, blog), "contradicted_by_other_source")
  })

  it("leave the pack no surer than what is left", () => {
    const beside = "Six single tram lines of Port Orlen meet at the market, 20 minutes from here."
    const pack = packOf(question, [[news, "2026-08-19"], [blog, "2026-09-20"], [
      beside,
      "2026-09-01"
    ]])
    assert.strictEqual(reasonOf(pack, news), "contradicted_by_other_source")
    assert.strictEqual(reasonOf(pack, blog), "contradicted_by_other_source")
    assert.strictEqual(reasonOf(pack, beside), "beside_question")
    assert.isAtMost(pack.confidence, 0.2)
  })

  it("make the pack no surer than a claim that gives one of them for another time", () => {
    const stays = "Single tram tickets in Port Orlen stay at 2.80 marks until February 2027."
    const pack = packOf(question, [[news, "2026-08-19"], [blog, "2026-09-20"], [
      stays,
      "2026-09-01"
    ]])
    assert.strictEqual(reasonOf(pack, news), "contradicted_by_other_source")
    const [claim, ...others] = standingClaims(pack)
    assert.deepStrictEqual([claim?.text, others], [stays, []])
    assert.strictEqual(pack.confidence, claim?.confidence)
  })

  it("are no dispute where they count different things", () => {
    const asked = "What does the glass museum cost for children?"
    const admission = "Adult admission to the glass museum costs 9 marks."
    const lunch = "Lunch in the café of the glass museum cost 38 marks for a family."
    const pack = packOf(asked, [[admission, "2026-01-01"], [lunch, "2026-02-01"]])
    assert.notStrictEqual(reasonOf(pack, admission), "contradicted_by_other_source")
  })
})

describe("a claim without the figure that was asked for", () => {
  const question = "How much does the glass museum of Orlen cost?"
  const closed = "The glass museum of Orlen is closed on Tuesdays."

  it("is no answer of the local writer, unless it denies", () => {
    assert.deepStrictEqual(standing(packOf(question, [[closed, "2026-01-01"]])), [])
    const free = "The glass museum of Orlen costs nothing."
    assert.deepStrictEqual(standing(packOf(question, [[free, "2026-01-01"]])), [free])
    assert.include(standing(packOf(question, [[closed, "2026-01-01"]], 1)), closed)
  })
})

describe("a source of long ago", () => {
  it("makes no pack surer than its claim", () => {
    const text = "Travellers to Orlen should write down 119 for a fire or an ambulance, and 112."
    const [old, recent] = (["2011-06-30", "2025-06-30"] as const).map((date) => {
      const { confidence, key_points } = packOf(
        "What number do I call for an ambulance in Orlen?",
        [[text, date], ["Guests of Orlen call a taxi by the number 555 at night.", date]]
      )
      return { pack: confidence, claim: key_points[0]?.confidence ?? 0 }
    })
    assert.isAbove(old?.claim ?? 0, 0)
    assert.strictEqual(old?.pack, old?.claim)
    assert.isBelow(old?.pack ?? 1, recent?.pack ?? 0)
  })
})

describe("a question about a past year", () => {
  const question = "How much was a single tram ticket in Port Orlen in 2024?"
  const official = "A single tram ticket in Port Orlen was 2.80 marks."
  const other = "A single tram ticket in Port Orlen was 3.40 marks."

  it("is answered by a public body's later page, whatever date another page bears", () => {
    const pack = packOf(question, [[official, "2026-03-01", "official"], [other, "2024-05-01"]])
    assert.deepStrictEqual(standing(pack), [official])
  })
})
