import { assert, describe, it } from "@effect/vitest"
import type { DraftClaim, GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import type { JudgedClaim } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { draw, makeDice } from "../support/dice.ts"
import { claimOf, materialsOf, pageOf } from "../support/evidencePages.ts"
import { brokenPromises, inventedNumbers, standingClaims } from "../support/packChecker.ts"
import { requestOf } from "../support/sessionFacts.ts"

const drafts = process.env["WG_TEST_FULL"] === "1" ? 5_000 : 150

const office = pageOf(
  "A tenant must give one month's notice. The fee is 50 euros. The office closes at five.",
  { source_id: "s1", site: "housing.gov.example", official: true }
)
const union = pageOf(
  "A tenant must give two months' notice. The fee is 50 euros, says the union.",
  { source_id: "s2", site: "union.example" }
)
const pages = [office, union]
const notice = "A tenant must give one month's notice."
const fee = "The fee is 50 euros."
const closing = "The office closes at five."

const materials = (
  claims: ReadonlyArray<DraftClaim>,
  judgements?: ReadonlyArray<JudgedClaim>
): PackAssembly.Materials =>
  materialsOf({ pages, claims, ...(judgements === undefined ? {} : { judgements }) })
const assemble = (claims: ReadonlyArray<DraftClaim>, judgements?: ReadonlyArray<JudgedClaim>) =>
  PackAssembly.assemble(materials(claims, judgements))

const claims = [
  claimOf(notice, { s1: notice }),
  claimOf("The fee is 70 euros.", { s1: fee }),
  claimOf(fee, { s1: fee }),
  claimOf(closing, { s1: closing })
]

const asked = "How much notice must a tenant give?"
const reworded = "A month of notice must be given by a tenant."

/** Accepted claims, and claims that answer another question. */
const toldIn = (pack: GroundingPack) => [
  ...standingClaims(pack),
  ...pack.disputed_or_uncertain.filter(({ reason }) => reason === "beside_question")
]

describe("a judgement", () => {
  it("is asked of what has a quotation, with the quotes that were found", () => {
    const told = PackAssembly.judgeable(materials(claims))
    assert.deepStrictEqual(told.map(({ from }) => from.length), [1, 1, 1, 1])
    assert.deepStrictEqual(told.map(({ from: _, ...claim }) => claim), [
      { claim: 0, text: notice, quotes: [notice] },
      { claim: 1, text: "The fee is 70 euros.", quotes: [fee] },
      { claim: 2, text: fee, quotes: [fee] },
      { claim: 3, text: closing, quotes: [closing] }
    ])
    assert.deepStrictEqual(
      PackAssembly.judgeable(
        materials([claimOf(fee, { s9: "Nobody says so." }), claimOf(fee, {})])
      ),
      []
    )
  })

  it("keeps other words than the source's, and nothing else does", () => {
    const rephrased = [claimOf(reworded, { s1: notice })]
    const stands = (judgements?: ReadonlyArray<JudgedClaim>) =>
      toldIn(assemble(rephrased, judgements)).map(({ text, wording }) => [text, wording])
    assert.deepStrictEqual(stands([{ claim: 0, judgement: "supported" }]), [[reworded, "judged"]])
    for (const judgement of ["partly", "unsupported", "contradicted"] as const) {
      assert.deepStrictEqual(stands([{ claim: 0, judgement }]), [[notice, "verbatim"]])
    }
    const both = [
      { claim: 0, judgement: "supported" },
      { claim: 0, judgement: "contradicted" }
    ] as const
    assert.deepStrictEqual(stands(both), [[notice, "verbatim"]])
    assert.deepStrictEqual(stands([]), [[notice, "verbatim"]])
    assert.deepStrictEqual(stands(), [[notice, "verbatim"]])
  })

  it("accepts no words whose figures no source gives together", () => {
    const [cut, further] = [
      "The central bank lowered its rate to 3.00 percent.",
      "The central bank went down with its rate to 2.75 percent, further than expected."
    ]
    const told = (text: string) =>
      standingClaims(PackAssembly.assemble(materialsOf({
        pages: [
          pageOf(cut, { source_id: "s1", site: "one.example" }),
          pageOf(further, { source_id: "s2", site: "two.example" })
        ],
        claims: [claimOf(text, { s1: cut, s2: further })],
        judgements: [{ claim: 0, judgement: "supported", answering: "answers" }],
        request: requestOf({ user_question: "What is the rate of the central bank?" })
      }))).map((claim) => [claim.text, claim.wording])
    const mixed = told("The rate of the central bank is between 2.75 and 3.00 percent.")
    assert.isTrue(mixed.every(([, wording]) => wording === "verbatim"))
    assert.deepStrictEqual(told("The rate was lowered to 3.00 percent by the central bank."), [
      ["The rate was lowered to 3.00 percent by the central bank.", "judged"]
    ])
  })

  it("accepts no rule in other words, and none where the caller wants the sources' own", () => {
    const yes = [{ claim: 0, judgement: "supported" as const }]
    const rule = assemble([claimOf(reworded, { s1: notice }, "constraints_and_rules")], yes)
    assert.deepStrictEqual(rule.constraints_and_rules.map(({ text }) => text), [notice])
    const wanted = PackAssembly.assemble({
      ...materials([claimOf(reworded, { s1: notice })], yes),
      request: requestOf({ user_question: asked, wording: "verbatim" })
    })
    assert.deepStrictEqual(wanted.key_points.map(({ text }) => text), [notice])
  })

  it("is not believed where the words hold what the quotes lack", () => {
    for (
      const [text, quote] of [
        ["The fee is 70 euros.", fee],
        ["The fee is 50 dollars.", fee],
        ["The fee is 50 euros in Osaka.", fee],
        ["You have to pay 50 euros.", fee],
        ["The fee is not 50 euros.", fee],
        ["The office closes at five in March 2027.", closing]
      ] as const
    ) {
      const pack = assemble([claimOf(text, { s1: quote })], [{ claim: 0, judgement: "supported" }])
      assert.deepStrictEqual(standingClaims(pack).map((claim) => claim.text), [quote], text)
    }
  })

  it("shows which claims are background, and which claims are against each other", () => {
    const aside = assemble(claims, [
      { claim: 2, judgement: "supported", answering: "beside" },
      { claim: 3, judgement: "supported", answering: "other_place" }
    ])
    assert.deepStrictEqual(
      aside.disputed_or_uncertain.filter(({ reason }) => reason === "beside_question")
        .map(({ text }) => text).toSorted(),
      [closing, fee].toSorted()
    )
    const opening = "The office opens its doors until nine, says the union."
    const read = [office, pageOf(opening, { source_id: "s2", site: "union.example" })]
    const against = PackAssembly.assemble(materialsOf({
      pages: read,
      claims: [claimOf(closing, { s1: closing }), claimOf(opening, { s2: opening })],
      judgements: [
        { claim: 0, judgement: "supported", answering: "answers", against: [1] },
        { claim: 1, judgement: "supported", answering: "answers", against: [] }
      ]
    }))
    // The office itself prevails over a single other voice.
    assert.deepStrictEqual(against.key_points.map(({ text }) => text), [closing])
    assert.deepStrictEqual(
      against.disputed_or_uncertain.map(({ reason, text }) => [text, reason]),
      [[opening, "contradicted_by_other_source"]]
    )
  })

  it("marks what got none, which is no surer by that", () => {
    const without = assemble(claims)
    assert.isTrue(standingClaims(without).every((claim) => claim.unverified_infra === undefined))
    const failed = assemble(claims, [])
    assert.isAtMost(failed.confidence, without.confidence)
    assert.include(failed.notes, "judge_failed")
    assert.notInclude(without.notes, "judge_failed")
    assert.isTrue(standingClaims(failed).every(({ unverified_infra }) => unverified_infra === true))
  })
})

const texts = [
  notice,
  "A tenant must give two months' notice.",
  fee,
  "The fee is 70 euros.",
  "The fee is not 50 euros.",
  closing,
  "Nobody pays.",
  "The office closes at nine."
]
const quotes = [notice, fee, closing, "A tenant must give two months' notice.", "made up"]

/** Accepted words outside the sources' own, with a number, name or denial that these lack. */
const lies = (pack: GroundingPack): ReadonlyArray<string> =>
  [...brokenPromises(pack, pages), ...inventedNumbers(pack)].concat(
    standingClaims(pack).flatMap(({ sources, text, wording }) => {
      const quoted = sources.flatMap(({ quotes }) => quotes.map((quote) => quote.text)).join(" ")
      if (wording === "verbatim") return quoted.includes(text) ? [] : [`not the source's: ${text}`]
      return /\bnot\b|nobody/i.test(text) && !/\bnot\b/.test(quoted) ? [`denied: ${text}`] : []
    })
  )

const kinds = ["supported", "partly", "unsupported", "contradicted"] as const
const drawn = (dice: () => number) => ({
  draft: Array.from({ length: 5 }, () =>
    claimOf(
      draw(dice, texts),
      { [draw(dice, ["s1", "s2", "s9"])]: draw(dice, quotes) },
      draw(dice, ["key_points", "constraints_and_rules"] as const)
    )),
  judged: Array.from({ length: Math.floor(dice() * 8) }, () => ({
    claim: Math.floor(dice() * 7),
    judgement: draw(dice, kinds)
  }))
})

describe("no judge", () => {
  it(`is believed against numbers and denials: ${drafts} drafts with made-up judgements`, () => {
    const dice = makeDice(26)
    for (let run = 0; run < drafts; run++) {
      const { draft, judged } = drawn(dice)
      const all = draft.map((_, claim) => ({ claim, judgement: "supported" as const }))
      assert.deepStrictEqual(lies(assemble(draft, judged)), [], JSON.stringify({ draft, judged }))
      assert.deepStrictEqual(lies(assemble(draft, all)), [], JSON.stringify(draft))
    }
  })
})
