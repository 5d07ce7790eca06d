import { assert, describe, it } from "@effect/vitest"
import manifest from "../package.json" with { type: "json" }
import * as Languages from "../src/language/Languages.ts"

it("what answers has the version of the package", () => {
  assert.strictEqual(Languages.version, manifest.version)
})

describe("a language", () => {
  it.each(Languages.all.map((language) => [language.code, language] as const))(
    "%s has every field, and its words are found in a text",
    (_, language) => {
      const { code: __, common, isSpaced, numerals, ...lists } = language
      for (const [field, list] of Object.entries(lists)) {
        const entries = list === "" ? [] : list.split("|")
        assert.isTrue(entries.every((entry) => entry !== ""), field)
        assert.strictEqual(new Set(entries).size, entries.length, `${field}: one entry twice`)
      }
      assert.include([0, 11], numerals === "" ? 0 : numerals.split("|").length)
      assert.strictEqual(common === "", !isSpaced)
      const patterns = Languages.patternsOf(language)
      const [denial = ""] = language.negates.split("|")
      assert.isTrue(patterns.negates.test(isSpaced ? `x ${denial} y` : `x${denial}y`))
      const [month = ""] = language.months.split("|")
      assert.isTrue(patterns.calendar.test(`5 ${month} 2026`))
    }
  )

  it.each([
    ["en", "How long may I stay without a visa?"],
    ["de", "Wie lange darf ich ohne Visum bleiben?"],
    ["fr", "Combien de temps puis-je rester sans visa ?"],
    ["es", "¿Cuánto tiempo puedo quedarme sin visado?"],
    ["it", "Quanto tempo posso restare senza visto?"],
    ["pt", "Quanto tempo posso ficar sem visto?"],
    ["ru", "Сколько можно оставаться без визы?"],
    ["ko", "비자 없이 얼마나 머물 수 있나요?"],
    ["ja", "ビザなしで何日滞在できますか。"],
    ["zh", "没有签证可以停留多久？"],
    ["de", "Gebühr in Orlen abgeschafft?"],
    ["fr", "Congé parental : durée d'indemnisation"],
    ["es", "Horario Biblioteca Nacional mañana"],
    ["pt", "Subsídio de férias, cálculo: quanto ganham?"]
  ])("%s is told by its script and most common words: %s", (code, text) => {
    assert.strictEqual(Languages.languageOf(text).code, code)
  })

  it("is English where nothing shows it, and one of a mixed text's scripts", () => {
    assert.strictEqual(Languages.languageOf("").code, "en")
    assert.strictEqual(Languages.languageOf("17 * 23").code, "en")
    assert.strictEqual(Languages.languageOf("Kim에게 보낸 email을 확인했습니다").code, "ko")
  })
})
