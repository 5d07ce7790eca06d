/** Two papers that one registry office takes are not one, however alike their sentences are. */
import { assert, describe, it } from "vitest"
import { isAlike } from "../../src/domain/pack/Corroboration.ts"
import { namesSibling } from "../../src/domain/text/HanWords.ts"

const movingIn =
  "引っ越した人は、住み始めた日から14日以内に、市区町村の窓口へ転入届を出さなければならない。"
const movingWithin = "同じ市区町村の中で引っ越した人は、引っ越した日から14日以内に転居届を出す。"

describe("words of Chinese characters", () => {
  it("are siblings when one character of three or more differs", () => {
    assert.isTrue(namesSibling("転入届を出す", "転居届を出す"))
    assert.isTrue(namesSibling("二週間前に", "三週間前に"))
    assert.isFalse(namesSibling("転入届を出す", "転入届を窓口へ出す"))
    assert.isFalse(namesSibling("解約する", "契約する"))
    assert.isFalse(namesSibling("転入届と転居届を出す", "転居届を出す"))
    assert.isFalse(namesSibling("two weeks", "three weeks"))
  })

  it("keep claims apart that pairs of characters take for one", () => {
    assert.isFalse(isAlike(movingIn, movingWithin))
    assert.isTrue(isAlike(movingIn, movingIn.replace("引っ越した人は", "引っ越した方は")))
  })
})
