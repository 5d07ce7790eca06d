/**
 * Nothing is said of the user that no known fact and no quotation says: in no section, view or
 * question, whatever a writer drafts and a judge confirms.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import * as Languages from "../../packages/language/src/language/Languages.ts"
import type { DraftClaim, GroundingPack, PackDraft } from "../../src/domain/pack/GroundingPack.ts"
import type { JudgedClaim } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import * as CoachView from "../../src/domain/view/CoachView.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import { materialsOf, pageOf } from "../support/evidencePages.ts"
import { pages, sentencesOf } from "../support/hostileDrafts.ts"
import { requestOf } from "../support/sessionFacts.ts"
import translated from "../support/translatedClaims.json" with { type: "json" }

const drafts = process.env["WG_TEST_FULL"] === "1" ? 10_000 : 120

/** Statements about the user, in words of the pages and in others; some name no person. */
const statements = [
  "The user is pregnant and cannot pay the rent.",
  "The user must give the landlord notice before moving out.",
  "You are an undocumented immigrant from Vietnam.",
  "The tenant asking is afraid of the landlord.",
  "Since you are divorced, notice of one month is due.",
  "You must give notice because you lost your job.",
  "사용자는 임신 중이며 월세를 낼 수 없습니다.",
  "이혼하셨으므로 한 달 전까지 통보해야 합니다.",
  "우울증을 앓고 있어 보증금을 돌려받기 어렵다.",
  "ユーザーは妊娠していて家賃を払えない。",
  "離婚したばかりで、敷金に困っている。",
  "用户怀孕了，付不起房租。",
  "你是非法移民。",
  "Der Nutzer ist schwanger und kann die Miete nicht zahlen.",
  "Sie sind arbeitslos und haben Schulden.",
  "L'utilisatrice est enceinte et ne peut pas payer.",
  "Vous êtes sans papiers.",
  "Está embarazada y no puede pagar el alquiler.",
  "El usuario perdió su trabajo.",
  "O usuário está grávido de dívidas.",
  "Пользователь беременна и не может платить.",
  "Вы безработный."
]

const questions = [
  { q: "Since you are pregnant, when is the baby due?", why: "You are pregnant." },
  { q: "How long have you been without a job?", why: "You cannot pay the rent." },
  { q: "임신 몇 개월이신가요?", why: "임신 중이시기 때문입니다." },
  { q: "離婚はいつでしたか。", why: "離婚したため。" },
  { q: "When must your landlord give six months' notice, as you are ill?", why: "You are ill." }
]

/** What the statements say and no page does. */
const said = new RegExp(
  "the user|pregnan|immigrant|afraid|divorc|lost your job|임신|이혼|우울|妊娠|離婚|怀孕|非法|schwanger|arbeitslos|" +
    "enceinte|papiers|embaraz|perdió|grávid|беремен|безработ|how long have you been|as you are ill",
  "iu"
)

const claimOf = (dice: Dice): DraftClaim => {
  const page = draw(dice, pages)
  const quote = draw(dice, sentencesOf(page))
  const text = draw(dice, statements)
  const citations = draw(dice, [
    [],
    [{ source_id: page.source_id, quote }],
    [{ source_id: page.source_id, quote: text }],
    [{ source_id: "s9", quote }]
  ])
  return {
    section: draw(dice, ["key_points", "norms_and_expectations", "constraints_and_rules"] as const),
    text: draw(dice, [text, `${quote} ${text}`, `${text} ${quote}`]),
    citations
  }
}

const draftOf = (dice: Dice): PackDraft => ({
  claims: Array.from({ length: 1 + Math.floor(dice() * 6) }, () => claimOf(dice)),
  what_to_ask_user: [draw(dice, questions), draw(dice, questions)]
})

const request = requestOf({ user_question: "How much notice must a tenant give?" })

/** What a judge says that agrees with everything. */
const agreed = (claim: number): JudgedClaim => ({
  claim,
  judgement: "supported",
  answering: "answers",
  against: []
})

const packOf = (draft: PackDraft, locale = "en"): GroundingPack =>
  PackAssembly.assemble(materialsOf({
    draft,
    pages,
    request: { ...request, locale },
    judgements: draft.claims.map((_, claim) => agreed(claim))
  }))

/** Written by an author who had not seen the rules. */
const decodeRow = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  language: Schema.String,
  question: Schema.String,
  source: Schema.String,
  quote: Schema.String,
  claim: Schema.String,
  ask: Schema.Struct({ q: Schema.String, why: Schema.String }),
  secret: Schema.NonEmptyArray(Schema.String)
})))

/** Texts of the claims that a draft's claim becomes, by a judge that agrees with everything. */
const keyPointsOf = (
  locale: string,
  quote: string,
  text: string,
  translation: string | undefined
): ReadonlyArray<string> => {
  const page = pageOf(quote)
  const citations = [{ source_id: page.source_id, quote }]
  const pack = PackAssembly.assemble(materialsOf({
    claims: [{ section: "key_points", text, citations }],
    pages: [page],
    request: requestOf({ user_question: quote, locale }),
    judgements: [{ ...agreed(0), ...(translation === undefined ? {} : { translation }) }]
  }))
  const { constraints_and_rules, key_points, norms_and_expectations } = pack
  return [...key_points, ...norms_and_expectations, ...constraints_and_rules]
    .map((claim) => claim.text)
}

const shown = { boundary: "0".repeat(32), locale: "en" }

const statedIn = (pack: GroundingPack): ReadonlyArray<string> => {
  const views = (["coach", "roleplay_background"] as const)
    .map((audience) => CoachView.viewOf(pack, audience, shown))
  return JSON.stringify([pack, views]).match(new RegExp(said, "giu")) ?? []
}

describe("what a pack says of the user", () => {
  it(`is nothing, in ${drafts} drafts`, () => {
    const dice = makeDice(21)
    for (let index = 0; index < drafts; index++) {
      const draft = draftOf(dice)
      const pack = packOf(draft, draw(dice, ["en", "ko", "ja", "es"]))
      assert.deepStrictEqual(statedIn(pack), [], JSON.stringify(draft))
    }
  })

  it.each(["no judge", "a judge that agrees with everything"])(
    "is nothing of what 300 drafts by others say, with a quotation or without: %s",
    (judge) => {
      const rows = readFileSync("bench/fresh/aboutUser.jsonl", "utf8").trim().split("\n")
        .map((line) => decodeRow(line))
      assert.lengthOf(rows, 300)
      const told = rows.flatMap(({ ask, claim, id, language, question, quote, secret, source }) => {
        const page = pageOf(source)
        const drafted = { section: "key_points", text: claim } as const
        const locales = [language, Languages.languageOf(claim).code]
        const packs = locales.map((locale) =>
          PackAssembly.assemble(materialsOf({
            draft: {
              claims: [
                { ...drafted, citations: [{ source_id: page.source_id, quote }] },
                { ...drafted, citations: [] }
              ],
              what_to_ask_user: [ask]
            },
            pages: [page],
            request: requestOf({ user_question: question, locale }),
            ...(judge === "no judge" ? {} : { judgements: [agreed(0), agreed(1)] })
          }))
        )
        const said = JSON.stringify(packs.map((pack) => [
          pack,
          CoachView.viewOf(pack, "coach", shown)
        ]))
        return secret.some((part) => said.includes(part)) ? [id] : []
      })
      assert.deepStrictEqual(told, [])
    }
  )

  it("is nothing of a claim in another language than its quotation, by any judge", () => {
    const told = translated.aboutUser.filter(({ claim: text, language: locale, quote }) =>
      keyPointsOf(locale, quote, text, undefined).includes(text) ||
      keyPointsOf(locale, quote, text, quote).includes(text)
    )
    assert.deepStrictEqual(told, [])
  })

  it("leaves a translation of the quotation, which 3 % of harmless claims may lose", () => {
    const { harmless } = translated
    const lost = harmless.filter(({ claim: text, language: locale, quote }) =>
      !keyPointsOf(locale, quote, text, text).includes(text)
    )
    assert.isAtLeast(harmless.length, 60)
    assert.isAtMost(lost.length, 0.03 * harmless.length, JSON.stringify(lost))
    for (const { claim: text, language: locale, quote } of harmless) {
      assert.isNotEmpty(keyPointsOf(locale, quote, text, undefined), text)
    }
  })

  it("keeps an uncertain claim that the pages speak of, and a word of theirs to the reader", () => {
    const text = "A tenant must give the landlord at least 2 months' notice before moving out."
    const claims: ReadonlyArray<DraftClaim> = [{ section: "key_points", text, citations: [] }]
    const { disputed_or_uncertain } = packOf({ claims, what_to_ask_user: [] })
    assert.deepStrictEqual(disputed_or_uncertain.map((claim) => [claim.text, claim.reason]), [
      [text, "no_citation"]
    ])
  })
})
