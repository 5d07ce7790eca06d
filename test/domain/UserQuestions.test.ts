import { assert, describe, it } from "@effect/vitest"
import * as UserQuestions from "../../src/domain/pack/UserQuestions.ts"
import { requestWith } from "../support/groundingRequest.ts"

const isAsked = (slot: string, claims: ReadonlyArray<string>, known: ReadonlyArray<string> = []) =>
  UserQuestions.forSlots(
    requestWith({ unknown_required_slots: [slot], known_facts: known }),
    claims
  )
    .length > 0

const spokenOf: ReadonlyArray<readonly [slot: string, claim: string]> = [
  ["visa_type", "Whether you may work depends on the visa type."],
  ["visa_type", "The visa type determines how many hours a student may work."],
  ["visa_type", "The visa type is shown on the residence card."],
  ["visa_type", "The visa type is important for the right to work."],
  ["visa_type", "If the visa type is student, 28 hours a week are allowed."],
  ["visa_type", "Which visa type is right?"],
  ["visa_type", "The visa type is not known."],
  ["visa_type", "Each type of visa has rules of its own."],
  ["visa_type", "In 2024 the visa type was checked at 3 airports."],
  ["visa_type", "The visa type matters in Japan."],
  ["visa_type", "Applicants state the visa type, their name and their address in Osaka."],
  ["city", "The city is large and expensive."],
  ["city", "Rules differ from city to city."],
  ["city", "Residents register at the city office within 14 days."],
  ["notice_period", "The notice period depends on the contract."],
  ["notice_period", "The notice period is set out in the contract."],
  ["notice_period", "No notice period was agreed in writing."],
  ["budget", "A budget helps when renting."],
  ["在留資格", "在留資格によって働ける時間が異なる。"],
  ["在留資格", "在留資格は確認が必要です。"],
  ["签证类型", "签证类型决定能否工作。"],
  ["비자 종류", "비자 종류에 따라 근무 시간이 다르다."],
  ["비자 종류", "비자 종류는 확인이 필요합니다."]
]

const given: ReadonlyArray<readonly [slot: string, claim: string]> = [
  ["visa_type", "The visa type is student."],
  ["visa_type", "Your visa type is a working holiday visa."],
  ["visa_type", "Type of visa: student"],
  ["visa_type", "Holders of the visa type D-7 may work."],
  ["contract_type", "The contract type is fixed-term."],
  ["city", "The city is Osaka."],
  ["city", "The office is in the city of Osaka."],
  ["city", "Osaka is the city."],
  ["notice_period", "The notice period is one month."],
  ["notice_period", "A notice period of 30 days applies."],
  ["notice_period", "The law asks for a 30 day notice period."],
  ["notice period", "The notice period runs for three months."],
  ["在留資格", "在留資格は留学です。"],
  ["签证类型", "签证类型是学生签证。"],
  ["비자 종류", "비자 종류는 유학입니다."]
]

describe("what only the user can know", () => {
  it.each(spokenOf)("%s is asked for, though a claim speaks of it: %s", (slot, claim) => {
    assert.isTrue(isAsked(slot, [claim]))
  })

  it.each(given)("%s is not asked for where a claim gives it: %s", (slot, claim) => {
    assert.isFalse(isAsked(slot, [claim]))
  })

  it.each([
    ["city", "The city is Osaka."],
    ["city", "City Osaka"],
    ["budget", "The user's budget: 900 euros"],
    ["contract_type", "fixed-term contract type"]
  ])("%s is not asked for where the caller knows it: %s", (slot, fact) => {
    assert.isFalse(isAsked(slot, [], [fact]))
  })

  it.each([
    ["city", "The user has not named the city of the flat."],
    ["city", "The user's city is unknown"],
    ["city", "The city"],
    ["visa_type", "The user asks which visa type fits."],
    ["visa_type", "The user has a student visa"]
  ])("%s is asked for though the caller speaks of it: %s", (slot, fact) => {
    assert.isTrue(isAsked(slot, [], [fact]))
  })

  it.each([
    ["landlord_name", "the landlord's name"],
    ["first_name", "the first name"],
    ["move_in_date", "the move in date"]
  ])("%s is asked for in words: %s", (slot, words) => {
    const [question] = UserQuestions.forSlots(requestWith({ unknown_required_slots: [slot] }), [])
    assert.include(question?.q, words)
  })

  it("is asked for slot by slot, with a reason, however many are open", () => {
    const slots = Array.from({ length: 50 }, (_, place) => `detail_${place}`)
    const asked = UserQuestions.forSlots(requestWith({ unknown_required_slots: slots }), [])
    assert.lengthOf(asked, slots.length)
    asked.forEach(({ q, why }, place) => {
      assert.include(q, `detail ${place}`)
      assert.isNotEmpty(why)
    })
  })
})
