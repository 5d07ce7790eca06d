/** What is read off pages of each kind, where their headings stand, and what they say of themselves. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Result } from "effect"
import { clean } from "../../packages/language/src/text/Sentences.ts"
import type { ExtractedPage } from "../../packages/pages/src/ExtractedPage.ts"
import * as MainContent from "../../packages/pages/src/MainContent.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"

const sentence = (what: string) =>
  `${what} is told in a sentence of its own, which is long enough to be taken for prose, is it not?`

interface SamplePage {
  readonly html: string
  /** In this order. */
  readonly kept: ReadonlyArray<string>
  readonly dropped: ReadonlyArray<string>
}

const frame = (title: string, body: string, head = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title} - Example</title>${head}</head><body>
<header class="site-header"><a href="/">Example</a><nav><ul><li><a href="/a">Topics</a></li>
<li><a href="/b">Archive</a></li></ul></nav></header>${body}
<footer class="site-footer"><p>Imprint and privacy policy of the example.</p></footer></body></html>`

const article: SamplePage = {
  html: frame(
    "Tenants get more time",
    `<div class="row"><div class="col"><article><h1>Tenants get more time</h1>
<p class="byline">By A. Writer</p><figure><img src="a.jpg"><figcaption>A house. Photo: B</figcaption></figure>
<p>${sentence("The first fact")}</p><p>${sentence("The second fact")}</p>
<aside class="related"><h3>Related stories</h3><a href="/c">Landlords get less</a></aside>
<h2>What it costs</h2><p>${sentence("The price")}</p>
<blockquote><p>${sentence("A statement")}</p></blockquote>
<div class="share-buttons"><a href="#">Facebook</a><a href="#">Twitter</a></div></article></div>
<div class="col sidebar"><h3>Most read</h3><ul><li><a href="/d">A dog was seen</a></li></ul></div></div>
<section id="comments"><h3>2 comments</h3>
<div class="comment"><b>reader1</b><p>${sentence("An opinion")}</p></div>
<div class="comment"><b>reader2</b><p>${sentence("Another opinion")}</p></div></section>`
  ),
  kept: ["The first fact", "The second fact", "What it costs", "The price", "A statement"],
  dropped: ["Facebook", "Landlords", "A dog", "Topics", "Imprint", "Photo: B", "An opinion"]
}

const post = (place: number, text: string) =>
  `<div class="post ${place % 2 === 0 ? "bg1" : "bg2"}" id="p10${place}">
<dl class="postprofile"><dt>member${place}</dt><dd>Posts: ${place}</dd></dl>
<div class="postbody"><div class="content">${text}</div></div></div>`

const forum: SamplePage = {
  html: frame(
    "Notice in Japan",
    `<div id="page-body"><h2 class="topic-title">Notice in Japan</h2>
<div class="pagination"><a href="?p=2">2</a></div>
${post(1, "How much notice do I have to give in Japan? I rent a small flat there since May.")}
${post(2, "One month.")}
${post(3, `${sentence("The law on leases")} ${sentence("A contract")}`)}
${post(4, "Thank you, that was quick! I will write a letter to the owner then.")}
</div>`
  ),
  kept: [
    "How much notice do I have",
    "One month.",
    "The law on leases",
    "Thank you, that was quick"
  ],
  dropped: ["Topics", "Imprint"]
}

const answer = (place: number, text: string) =>
  `<div id="answer-${place}" class="answer js-answer"><div class="votecell">${place}</div>
<div class="answercell"><div class="s-prose js-post-body">${text}</div></div>
<div class="comments"><ul><li class="comment"><span class="comment-copy">Thanks</span></li></ul></div></div>`

const answers: SamplePage = {
  html: frame(
    "How to sort a map by value?",
    `<div id="mainbar"><h1><a href="/q/1">How to sort a map by value?</a></h1>
<div class="question" id="question"><div class="postcell"><div class="s-prose js-post-body">
<p>I have a map and would like to see its entries by value, largest first. How is that done?</p>
<pre><code>const map = new Map()\nmap.set("a", 1)</code></pre></div></div></div>
${
      answer(
        1,
        "<p>Spread it into an array and sort that.</p><pre><code>[...map].sort(byValue)</code></pre>"
      )
    }
${answer(2, `<p>${sentence("A heap")}</p>`)}</div>`
  ),
  kept: ["I have a map", "map.set(\"a\", 1)", "Spread it", "[...map].sort(byValue)", "A heap"],
  dropped: ["Topics", "Imprint"]
}

const documentation: SamplePage = {
  html: frame(
    "Client options",
    `<div class="layout"><nav class="toc"><ul><li><a href="#a">Install</a></li></ul></nav><main>
<h1>Client options</h1><p>${sentence("The client")}</p><h2 id="a">Install</h2>
<pre><code class="language-sh">npm install client\nnpm test</code></pre>
<p>Then call it:</p><pre>const a = 1\n  const b = 2</pre>
<h2>Options</h2><table><thead><tr><th>Name</th><th>Default</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>timeoutMs</code></td><td>5000</td><td>How long a call may take</td></tr>
<tr><td><code>retries</code></td><td>2</td><td>How often it is tried again</td></tr></tbody></table>
<ul><li>An item without an end</li><li>Another item</li></ul>
<dl><dt>close()</dt><dd>Ends the client.</dd></dl></main></div>`
  ),
  kept: [
    "The client",
    "Install",
    "npm install client\nnpm test",
    "const a = 1\n  const b = 2",
    "Name | Default | Meaning",
    "timeoutMs | 5000 | How long a call may take",
    "retries | 2 |",
    "An item without an end\nAnother item",
    "close()\nEnds the client."
  ],
  dropped: ["Topics", "Imprint"]
}

const japanese: SamplePage = {
  html: frame(
    "借家の解約予告",
    `<main><h1>借家の解約予告</h1><p>借主が普通借家契約を解約するときは、通常、<ruby>一<rt>いっ</rt></ruby>か月前に予告する必要があります。</p>
<h2>契約書の確認</h2><p>契約書に別の定めがあるときは、その期間に従います。<br>期間は二か月のこともあります。</p>
<p>詳しくは、お住まいの市区町村の窓口にお問い合わせください。電話でも相談を受け付けています。</p></main>`
  ),
  kept: [
    "通常、一か月前に予告",
    "契約書の確認",
    "期間に従います。\n期間は二か月",
    "お問い合わせください"
  ],
  dropped: ["Topics", "Imprint", "いっ"]
}

const samples = { article, forum, answers, documentation, japanese }

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
