import { assert, describe, it } from "@effect/vitest"
import type { DraftClaim } from "../../src/domain/pack/GroundingPack.ts"
import type { JudgedClaim } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { draw, makeDice } from "../support/dice.ts"
import { claimOf, materialsOf, needOf, pageOf } from "../support/evidencePages.ts"
import { brokenPromises, standingClaims } from "../support/packChecker.ts"

const drafts = process.env["WG_TEST_FULL"] === "1" ? 5_000 : 500

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
  materialsOf({
    pages,
    draft: { claims, what_to_ask_user: [] },
    ...(judgements === undefined ? {} : { judgements })
  })
const assemble = (claims: ReadonlyArray<DraftClaim>, judgements?: ReadonlyArray<JudgedClaim>) =>
  PackAssembly.assemble(materials(claims, judgements))

const claims = [
  claimOf(notice, { s1: notice }),
  claimOf("The fee is 70 euros.", { s1: fee }),
  claimOf(fee, { s1: fee }),
  claimOf(closing, { s1: closing })
]

describe("a judgement", () => {
  it("is asked of claims that stand, with the quotes that were found", () => {
    assert.deepStrictEqual(PackAssembly.judgeable(materials(claims)), [
      { claim: 0, text: notice, quotes: [notice] },
      { claim: 2, text: fee, quotes: [fee] },
      { claim: 3, text: closing, quotes: [closing] }
    ])
  })

  it("demotes or confirms, the worst of several, and marks what got none", () => {
    const pack = assemble(claims, [
      { claim: 0, judgement: "partly" },
      { claim: 2, judgement: "supported" },
      { claim: 2, judgement: "contradicted" }
    ])
    const told = standingClaims(pack).map(({ support, text, unverified_infra = false }) => ({
      text,
      support,
      unverified_infra
    }))
    assert.deepStrictEqual(told, [
      { text: closing, support: "supported", unverified_infra: true },
      { text: notice, support: "partly", unverified_infra: false }
    ])
    assert.deepStrictEqual(
      pack.disputed_or_uncertain.map(({ reason, support, text }) => [text, support, reason]),
      [
        ["The fee is 70 euros.", "unsupported", "number_not_in_quote"],
        [fee, "contradicted", "judged_contradicted"]
      ]
    )
  })

  it("changes nothing where none was to be asked, and no confidence where none came", () => {
    const without = assemble(claims)
    assert.isTrue(standingClaims(without).every((claim) => claim.unverified_infra === undefined))
    const failed = assemble(claims, [])
    assert.deepStrictEqual(
      standingClaims(failed).map(({ confidence, text }) => [text, confidence]),
      standingClaims(without).map(({ confidence, text }) => [text, confidence])
    )
    assert.strictEqual(failed.confidence, without.confidence)
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

type Assembly = typeof assemble

/** What stands with judgements and would not stand without, or stands higher. */
const lifted = (
  build: Assembly,
  drawn: ReadonlyArray<DraftClaim>,
  judged: ReadonlyArray<JudgedClaim>
): ReadonlyArray<string> => {
  const without = new Map(
    standingClaims(assemble(drawn)).map(({ confidence, text }) => [text, confidence])
  )
  const pack = build(drawn, judged)
  return [
    ...brokenPromises(pack, pages),
    ...standingClaims(pack).flatMap(({ confidence, text }) =>
      confidence > (without.get(text) ?? -1) ? [`lifted: ${text}`] : []
    )
  ]
}

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
  it(`lifts what the checks refused: ${drafts} drafts with made-up judgements`, () => {
    const dice = makeDice(26)
    for (let run = 0; run < drafts; run++) {
      const { draft, judged } = drawn(dice)
      const all = draft.map((_, claim) => ({ claim, judgement: "supported" as const }))
      assert.deepStrictEqual(lifted(assemble, draft, judged), [], JSON.stringify({ draft, judged }))
      assert.deepStrictEqual(lifted(assemble, draft, all), [], JSON.stringify(draft))
      const legal = PackAssembly.assemble({
        ...materials(draft, all),
        need: needOf("POLICY_LEGAL")
      })
      assert.deepStrictEqual(brokenPromises(legal, pages), [])
    }
  })

  it("saboteur: a judge that is believed is noticed", () => {
    const believing: Assembly = (draft, judged = []) => {
      const pack = assemble(draft, judged)
      const believed = pack.disputed_or_uncertain.map(({ reason: _, ...claim }) => claim)
      return { ...pack, key_points: [...pack.key_points, ...believed], disputed_or_uncertain: [] }
    }
    assert.isNotEmpty(lifted(believing, claims, [{ claim: 1, judgement: "supported" }]))
  })
})
