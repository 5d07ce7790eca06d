/** Titles are plain words wherever they are shown. */
import { assert, describe, it } from "@effect/vitest"
import * as Page from "../../src/domain/page/Page.ts"
import * as EvidenceBlock from "../../src/domain/view/EvidenceBlock.ts"
import { draw, makeDice } from "../support/dice.ts"
import { pageOf } from "../support/evidencePages.ts"
import { hostileTitles, isActive } from "../support/hostileTitles.ts"

const url = "https://housing.gov.example/notice"
const boundary = "0123456789abcdef0123456789abcdef"

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

describe("an evidence block that was recorded with hostile titles", () => {
  it.each(hostileTitles)("is shown without %j", (title) => {
    const page = pageOf("A tenant must give one month's notice in writing before moving out.", {
      url,
      title,
      official: true,
      published_date: "2026-03-02"
    })
    /** As an older release wrote it, with the source's address. */
    const build = (name: string) =>
      [
        `<<${boundary}>> Web text`,
        "[SOURCES]",
        EvidenceBlock.sourceLine({ ...page, title: name }, 1, boundary),
        "[EVIDENCE EXCERPTS]",
        `[1]> ${page.text}`,
        `<</${boundary}>>`
      ].join("\n")
    const shown = EvidenceBlock.withCleanTitles(build(title))
    const [, sources = ""] = shown.split("[SOURCES]")
    assert.isFalse(isActive(sources.split("[EVIDENCE EXCERPTS]")[0] ?? ""))
    const clean = build(Page.clean(title, url))
    assert.strictEqual(EvidenceBlock.withCleanTitles(clean), clean)
    assert.include(shown, `\n[1]> ${page.text}\n`)
  })
})
