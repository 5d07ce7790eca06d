/** Vetoes on a rephrasing: what it may not add to the sentences that it rests on, and what it may. */
import { assert, describe, it } from "@effect/vitest"
import * as Sameness from "../src/statements/Sameness.ts"

const quote = "A tenant must give the landlord one month's notice before moving out."

describe("a claim in a writer's own words", () => {
  it.each([
    ["number", "A tenant must give the landlord two months' notice before moving out."],
    ["name", "A tenant in Norway must give the landlord one month's notice before moving out."],
    ["reader", "You must give the landlord one month's notice before moving out."],
    ["negation", "A tenant must not give the landlord one month's notice before moving out."],
    ["words", "A tenant must give one month's notice, and whoever forgets it loses every deposit."]
  ])("is refused for a %s that its quotation lacks", (veto, claim) => {
    assert.strictEqual(Sameness.find(claim, [quote], "en"), veto)
  })

  it.each([
    ["one month's notice", "A tenant must give one month's notice before moving out.", quote],
    ["an order that the source gives", "You must call 119.", "In a fire, you must call 119."]
  ])("may say %s", (_, claim, said) => {
    assert.isUndefined(Sameness.find(claim, [said], "en"))
  })

  it("may not move to another place of the country, and may name it in another language", () => {
    const moved = Sameness.find(
      "Key money is common in Tokyo.",
      ["Key money is common in Osaka."],
      "en"
    )
    assert.strictEqual(moved, "name")
    const said = "El empadronamiento es obligatorio para quienes residen en España."
    assert.isUndefined(
      Sameness.find("Registration is compulsory for those who live in Spain.", [said], "en")
    )
  })

  it("may not speak to the reader in another language either", () => {
    assert.strictEqual(Sameness.find("당신은 한 달 전에 통지해야 합니다.", [quote], "ko"), "reader")
    assert.isUndefined(Sameness.find("임차인은 한 달 전에 통지해야 한다.", [quote], "ko"))
  })
})
