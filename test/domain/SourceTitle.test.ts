/** Titles are plain words wherever they are shown. */
import { assert, describe, it } from "@effect/vitest"
import * as Page from "../../src/domain/page/Page.ts"
import { draw, makeDice } from "../support/dice.ts"
import { hostileTitles, isActive } from "../support/hostileTitles.ts"

const url = "https://housing.gov.example/notice"

describe("a source's title", () => {
  it.each(hostileTitles)("%j is shown as %j", (title, shown) => {
    assert.strictEqual(Page.clean(title, url), shown)
    assert.isFalse(isActive(shown))
  })

  it.each([
    "Ending a residential lease in Japan",
    "Tenancy (housing.gov.example): § 573 BGB – Fristen",
    "임대차 계약 해지 통보 | 국토교통부",
    "What's new in Node.js 24?",
    "C++ <-> Rust: 3 < 4",
    "A & B [2026] * \"quoted\""
  ])("%j stays as it is", (title) => {
    assert.strictEqual(Page.clean(title, url), title)
  })

  it("is active in most of them as they came", () => {
    const active = hostileTitles.filter(([title]) => isActive(title))
    assert.isAtLeast(active.length, hostileTitles.length - 3)
  })

  it("is clean once cleaned, whatever the parts of markup are put together to", () => {
    const dice = makeDice(7)
    const parts = ["![", "](", ")", "[", "]", "<", ">", "img src=", "https://evil.com/", "a", " "]
      .concat("javascript:", "evil.com", "`", "**", "(", "!", "<b>", "www.", "//", "Notice")
    for (let round = 0; round < 3_000; round++) {
      const title = Array.from({ length: 12 }, () => draw(dice, parts)).join("")
      const shown = Page.clean(title, url)
      const active = /!\[|\]\(|<[a-z!/]|javascript:|(?<![\w.-])evil\.com(?!\w)/i
      assert.notMatch(shown, active, title)
      assert.strictEqual(Page.clean(shown, url), shown, title)
    }
  })
})
