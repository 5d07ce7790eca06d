import { assert, describe, it } from "@effect/vitest"
import * as ClaimScore from "../../src/domain/pack/ClaimScore.ts"
import * as Verification from "../../src/domain/pack/Verification.ts"

const quoted = "The office in Osaka handled many disputes of tenants after the earthquake. " +
  "Most of them were about deposits that a landlord kept."
const score = (claim: string, quote = quoted) =>
  Verification.check(claim, { quotes: [quote], title: "" }).score

describe("the score of a claim", () => {
  it("lies between 0 and 1 and grows with its signs", () => {
    const steps = Array.from({ length: 161 }, (_, step) => ClaimScore.likelihood(step / 100 - 0.3))
    assert.strictEqual(steps[0], 0)
    assert.strictEqual(steps.at(-1), 1)
    assert.isTrue(steps.every((share, place) => share >= (steps[place - 1] ?? 0)))
  })

  it("is 1 for what is copied and low for what is not there", () => {
    assert.strictEqual(score("the office in Osaka handled many disputes of tenants"), 1)
    assert.isBelow(score("Trains to Nagoya run every hour at night."), 0.1)
  })

  const claim = "After the earthquake the Osaka office handled 900 tenants' disputes."

  it("is lower where the quotation states another number than where it states none", () => {
    assert.isBelow(score(claim, `${quoted} It has 12 clerks.`), score(claim))
    assert.isBelow(score(claim), score(claim.replace("900 ", "")))
  })

  it("loses less for a small count, which may be the writer's own", () => {
    const clerks = `${quoted} It has 12 clerks.`
    assert.isBelow(score(claim, clerks), score(claim.replace("900", "two"), clerks))
  })

  it("is lower for a writer who speaks of themselves, and who asks", () => {
    const plain = "Osaka office handled tenants' disputes about deposits"
    assert.isBelow(score(`I think the ${plain}.`), score(`The ${plain}.`))
    assert.isBelow(score(`The ${plain}?`), score(`The ${plain}.`))
  })

  it("takes the numeral of a war for no writer", () => {
    const war = "World War I ended when the armistice of Compiègne was signed by all sides."
    const said = "The armistice of Compiègne ended World War I."
    assert.strictEqual(score(said, war), score(said.replace("War I.", "War."), war))
  })

  it("is lower for the opposite of a near sentence", () => {
    assert.isBelow(
      score("Most were not about deposits that some landlord kept."),
      score("Most were about deposits that some landlord kept.")
    )
  })

  it("is lower for a place that is nowhere named, not for a subject the page calls it", () => {
    const page = "It was founded in 1902 by a glass maker and was closed after the war. " +
      "The works stood beside the river."
    const named = "Harlow Glass was founded in 1902 by a maker of glass beside the river"
    const plain = "The works was founded in 1902 by a maker of glass beside the river"
    assert.isAbove(score(`${named}.`, page), score(`${plain} in Vienna.`, page))
    assert.isBelow(score(`${plain} in Vienna.`, page), score(`${plain} in LDN.`, page))
  })

  it("counts the name of the subject where the rest is a copy", () => {
    const page = "Harlow Glass opened its second office for tenants in the old harbour last year."
    assert.isBelow(
      score(page.replace("Harlow", "Vesper"), page),
      score(page.replace("its", "a"), page)
    )
  })

  it("is lower where one part of a claim is nowhere said", () => {
    const page = "The harbour office opened in May. Tenants asked about deposits. " +
      "The landlord kept the deposits of many tenants."
    const both = "The harbour office opened in May and tenants asked about deposits."
    const one = "The harbour office opened in May and pilots trained about gliders."
    assert.isBelow(score(one, page), score(both, page))
  })

  it("is lower where only the quotation denies something", () => {
    const page = "Masks of cloth do little against the smallest drops, doctors said."
    const denies = page.replace("do little", "do nothing") + " They were never tested on children."
    const claim = "Cloth masks protect children against drops, as doctors said."
    assert.isBelow(score(claim, denies), score(claim, denies.replace("never", "then")))
  })

  it("is higher where the same thing rises in other words, lower where it falls", () => {
    const claim = "Rents in the harbour quarter of Osaka increased sharply over ten years."
    const page = (verb: string) => `Over ten years rents of the harbour quarter in Osaka ${verb}.`
    assert.isAbove(score(claim, page("grew")), score(claim, page("stayed")))
    assert.isBelow(score(claim, page("declined")), score(claim, page("stayed")))
  })
})
