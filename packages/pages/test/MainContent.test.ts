/** What is read off pages of each kind, where their headings stand, and what they say of themselves. */
import { assert, describe, it, vi } from "@effect/vitest"
import { clean } from "@web-grounding/language/Sentences"
import { Result } from "effect"
import { type Dice, draw, makeDice } from "../../language/test/support/dice.ts"
import type { ExtractedPage } from "../src/ExtractedPage.ts"
import * as MainContent from "../src/MainContent.ts"
import { samples } from "./support/webPages.ts"

const url = "https://www.example.org/a/b?c=1"
const read = (html: string): ExtractedPage => Result.getOrThrow(MainContent.readContent(html, url))

const headingsOf = ({ headings, text }: ExtractedPage) =>
  headings.map(({ end, start }) => text.slice(start, end))

const wideNodes = 24_000
/** Of processor time; with all nodes below one element it takes ten times as much. */
const wideMsMax = 4_000
const mangledPages = process.env["WG_TEST_FULL"] === "1" ? 3_000 : 150
const shards = [
  "<",
  "</p>",
  "<div",
  "<table>",
  "<!--",
  "</",
  "<pre>",
  "\0",
  "<svg>",
  "\uD800",
  "&#x",
  "<o:p>",
  "<a\"b='c",
  "<x/y"
]

/** A sample page with shards thrown into it, and its end cut off. */
const mangledPage = (dice: Dice): string => {
  const { html } = draw(dice, Object.values(samples))
  const place = () => Math.floor(dice() * html.length)
  const thrown = Array.from(
    { length: Math.floor(dice() * 12) },
    () => [place(), draw(dice, shards)] as const
  )
  return thrown.reduce((text, [at, shard]) => text.slice(0, at) + shard + text.slice(at + 3), html)
    .slice(0, place() * 2)
}

describe("MainContent", () => {
  it.each(Object.entries(samples))("keeps what a reader came for: %s", (_, sample) => {
    const { text } = read(sample.html)
    let from = 0
    for (const piece of sample.kept) {
      const place = text.indexOf(piece, from)
      assert.isAtLeast(place, from, `${piece} in\n${text}`)
      from = place
    }
    for (const piece of sample.dropped) assert.notInclude(text, piece)
  })

  it("says where the headings stand in the text, also behind characters that were taken out", () => {
    const zeroWidth = "\u200B\u200D"
    const page = read(
      samples.article.html.replace("The first", `The${zeroWidth} first`)
        .replace("What it costs", `What${zeroWidth} it costs`)
    )
    assert.deepStrictEqual(headingsOf(page), ["What it costs"])
    assert.strictEqual(page.removed_chars_count, 4)
  })

  it("gives title, dates, language and address as the page says, in one spelling", () => {
    const page = read(`<html lang="en_gb"><head><title>Notice | Example</title>
      <link rel="canonical" href="/a/b/?utm_source=x#top"><meta property="article:published_time"
      content="2026-03-02T10:00:00+09:00"><script type="application/ld+json">{"@graph": [
      {"dateModified": "2026-04-01", "datePublished": "2020-01-01"}]}</script></head>
      <body><h1>Notice</h1><p>One month of notice is given.</p></body></html>`)
    assert.deepStrictEqual(page, {
      text: "One month of notice is given.",
      title: "Notice",
      published_date: "2026-03-02T01:00:00.000Z",
      modified_date: "2026-04-01",
      language: "en-GB",
      canonical_url: "https://www.example.org/a/b/?utm_source=x#top",
      headings: [],
      removed_chars_count: 0
    })
  })

  it("leaves out what a page says of itself when it makes no sense", () => {
    const page = read(`<html lang="?!"><head><link rel="canonical" href="javascript:alert(1)">
      <meta name="date" content="yesterday"><meta name="last-modified" content="2026-13-45">
      <script type="application/ld+json">{"datePublished":</script></head><body>Text.</body></html>`)
    assert.deepStrictEqual(Object.keys(page), ["text", "headings", "removed_chars_count"])
  })

  it("takes elements of any name for plain ones, and says nothing of them on the console", () => {
    const spoken = vi.spyOn(console, "log").mockImplementation(() => undefined)
    try {
      const page = read(
        `<body><p>Open <o:p>until</o:p> <a"b>six</a"b> <x=y>today</x=y>.</p><p>Not on Monday.</p></body>`
      )
      assert.strictEqual(page.text, "Open until six today.\nNot on Monday.")
      assert.deepStrictEqual(spoken.mock.calls, [])
    } finally {
      spoken.mockRestore()
    }
  })

  it("reads a page whose body holds tens of thousands of nodes, to its end", () => {
    const from = process.cpuUsage()
    const { text } = read(`<body>${"t<b></b>".repeat(wideNodes)}`)
    const { system, user } = process.cpuUsage(from)
    assert.strictEqual(text, "t".repeat(wideNodes))
    assert.isBelow((system + user) / 1_000, wideMsMax)
  })

  it("reads a page of any mangled HTML without failing otherwise than for want of text", () => {
    for (let seed = 1; seed <= mangledPages; seed++) {
      const answer = MainContent.readContent(mangledPage(makeDice(seed)), url)
      if (Result.isFailure(answer)) {
        assert.strictEqual(answer.failure, "no_text", `seed ${seed}`)
        continue
      }
      const { headings, text } = answer.success
      assert.deepStrictEqual(clean(text), { text, removedCount: 0 }, `seed ${seed}`)
      assert.strictEqual(text, text.trim())
      let from = 0
      for (const { end, start } of headings) {
        assert.isTrue(start >= from && end > start && end <= text.length, `seed ${seed}`)
        assert.isTrue(start === 0 || text.charAt(start - 1) === "\n", `seed ${seed}`)
        from = end
      }
    }
  })
})
