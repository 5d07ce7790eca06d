/** A page of the corpus as a site would send it: the words among all that is around them. */
import { createHash } from "node:crypto"
import type { CorpusPage } from "../corpus/Corpus.ts"

/** Links to other pages, as sites have them beside and below. */
const relatedMax = 4

/**
 * Words that every page of a site hides from readers; a page reader that returns them is faulty.
 */
export const hiddenWords = "Hidden words of the sandbox: the office has moved to the moon."

export const render = (page: CorpusPage, others: ReadonlyArray<CorpusPage>): string => {
  const place = createHash("sha256").update(page.url).digest().readUInt32BE(0)
  const related = Array.from(
    { length: Math.min(relatedMax, others.length) },
    (_, step) => others[(place + step * 7) % others.length]
  ).filter((other) => other !== undefined && other.url !== page.url)
  const middle = Math.ceil(page.paragraphs.length / 2)
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<title>${escaped(page.title)} | ${escaped(page.site)}</title>
<link rel="canonical" href="${escaped(page.url)}">
<meta property="og:title" content="${escaped(page.title)}">
<meta property="og:site_name" content="${escaped(page.site)}">
${dated(page, (date) => `<meta property="article:published_time" content="${date}">`)}
<script>window.dataLayer = window.dataLayer || [];</script>
<style>.unseen { position: absolute; left: -9999px }</style>
</head>
<body>
<a class="unseen" href="#main">Skip to main content</a>
<div role="dialog" class="cookie-banner"><p>We use cookies to improve your experience. By clicking
“Accept all” you agree to our use of cookies.</p><button>Accept all</button></div>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li>
<li><a href="/about">About us</a></li><li><a href="/contact">Contact</a></li>
<li><a href="/login">Log in</a></li></ul></nav></header>
<main id="main"><article>
<h1>${escaped(page.title)}</h1>
${dated(page, (date) => `<p class="byline"><time datetime="${date}">${date}</time></p>`)}
${page.paragraphs.slice(0, middle).map(paragraph).join("\n")}
<p style="display:none">${hiddenWords}</p>
${page.paragraphs.slice(middle).map(paragraph).join("\n")}
</article></main>
<aside><h2>Related</h2><ul>
${
    related.map((other) =>
      `<li><a href="${escaped(other?.url ?? "")}">${escaped(other?.title ?? "")}</a></li>`
    )
      .join("\n")
  }
</ul></aside>
<footer><p>Share this page</p><p>© ${escaped(page.site)}. All rights reserved.
<a href="/privacy">Privacy</a> <a href="/terms">Terms of use</a></p></footer>
</body>
</html>
`
}

const dated = ({ publishedDate }: CorpusPage, line: (date: string) => string): string =>
  publishedDate === undefined ? "" : line(publishedDate)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;"
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark)
