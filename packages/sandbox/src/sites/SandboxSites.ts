/** The sites of the corpus over HTTP, selected by the requested host; with faults. */
import type { ServerAnswer } from "@web-grounding/dialects/Dialect"
import { Effect, Option, Ref } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import type { CorpusPage } from "../corpus/Corpus.ts"
import * as FaultAnswer from "../dialect/FaultAnswer.ts"

const type = "text/html; charset=utf-8"
/** robots.txt forbids the paths below; below the other one a fault occurs. */
const closedPath = "/private/"
const faultPath = "/_fault/"
const robots = `User-agent: *\nDisallow: ${closedPath}\n`
/** Site with a robots.txt of maximum length and cost. */
const hostileHost = "hostile.example"
const hostileRobots = "user-agent: *\n".repeat(18_000) + "allow: /*a*a*a*b\n".repeat(14_000)

export type SandboxSites = Effect.Success<ReturnType<typeof make>>

const askedMax = 200

export const make = Effect.fnUntraced(function*(pages: ReadonlyArray<CorpusPage>) {
  const asked = yield* Ref.make<ReadonlyArray<string>>([])
  const standing = yield* Ref.make("")
  const byPlace = new Map(pages.map((page) => [placeOf(page.url), page]))
  return {
    /** Requested URLs, oldest first; the latest `askedMax`. */
    asked: Ref.get(asked),
    /** Applies to every page until an empty word is set. */
    setFault: (word: string) => Ref.set(standing, word),
    answer: Effect.gen(function*() {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      const host = headers["host"] ?? ""
      yield* Ref.update(asked, (all) => [...all, `${host}${url}`].slice(-askedMax))
      if (!host.endsWith(".example")) return say(notFound)
      if (url === "/robots.txt") {
        return HttpServerResponse.text(host === hostileHost ? hostileRobots : robots)
      }
      const page = byPlace.get(placeOf(`http://${host}${url}`))
      const html = page === undefined ? undefined : render(page, pages)
      const word = url.startsWith(faultPath)
        ? url.slice(faultPath.length).replace(/\?.*$/, "")
        : headers["x-sandbox-fault"] ??
          (host === hostileHost ? "numbers" : yield* Ref.get(standing))
      if (word !== "") return yield* faulty(word, html ?? filler)
      return html === undefined
        ? say(notFound)
        : HttpServerResponse.text(html, { contentType: type })
    })
  }
})

/** Host and path, without scheme and trailing slash. */
const placeOf = (address: string): string => {
  const url = URL.parse(address)
  return url === null ? "" : `${url.hostname}${url.pathname.replace(/\/$/, "")}`
}

const htmlPage = (title: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body>`
const filler = htmlPage("A page of the sandbox")
const notFound: ServerAnswer = { status: 404, body: htmlPage("Page not found"), type }

const say = ({ body = "", status, type: contentType = type }: ServerAnswer) =>
  HttpServerResponse.text(body, { status, contentType })

const pageFaults: Readonly<
  Record<string, (html: string) => HttpServerResponse.HttpServerResponse>
> = {
  "redirect-loop": () => HttpServerResponse.empty({ status: 302, headers: { location: "?again" } }),
  /** Encoded in one charset, declared in another. */
  charset: (html) =>
    HttpServerResponse.uint8Array(Buffer.from(html.replace(/[^\0-\xFF]/g, "?"), "latin1"), {
      contentType: type
    }),
  pdf: () =>
    HttpServerResponse.uint8Array(Buffer.from("%PDF-1.7\n%%EOF\n"), {
      contentType: "application/pdf"
    }),
  numbers: () =>
    HttpServerResponse.text(
      Array.from({ length: 28_000 }, (_, place) => 100_000 + place).join(" ")
    ),
  /** A PDF of a few hundred bytes whose one page decompresses to 60 MB of operators. */
  "pdf-bomb": () => HttpServerResponse.uint8Array(pdfBomb(), { contentType: "application/pdf" }),
  text: () => HttpServerResponse.text("A page of plain text. It has two sentences.\n"),
  zip: () =>
    HttpServerResponse.uint8Array(Buffer.from("PK\x03\x04", "latin1"), { contentType: type })
}

const faulty = (word: string, html: string) => {
  const own = pageFaults[word]
  if (own !== undefined) return Effect.succeed(own(html))
  return Option.match(FaultAnswer.inWord(word), {
    onNone: () => Effect.succeed(say(notFound)),
    onSome: (fault) =>
      FaultAnswer.respond(fault, {
        query: "",
        answer: {},
        render: () => html,
        contentType: type,
        faults: {
          403: { status: 403, body: htmlPage("Forbidden"), type },
          404: notFound
        },
        secret: ""
      })
  })
}

// A page of the corpus as a site would send it: the text among navigation and boilerplate.

/** Links to other pages, next to and below the text. */
const relatedMax = 4

/** Words that every page of a site hides: a page reader that returns them is faulty. */
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

const dated = ({ published_date }: CorpusPage, line: (date: string) => string): string =>
  published_date === undefined ? "" : line(published_date)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;"
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark)

/** 60 MB of operators, compressed three times. */
const bomb =
  "eNqruPX2rrXX4kSJtocqLD0KjxaGmmhwBPMo+yiy8WusmBq9YcMGAe7ZCdMdWw+6bWY8yNvB3rGWg5F1o1mGcpJk4JoQp30P/5cbyl8/urdpe21X+euFkfLn04xidy6W517e+/70/Na+++XB/eLSk1Q8wUhzGR+fuptxZ3+A9El2BhBQMHNeenZpCU8F5+vu1m3NYDGHnLRT56+W8Ozg/P7bVpedESTWcCNk1tckM0nmVQ9TNvx4qQBWKDD32L0aPUnmtsNeme/u2kIMtEr/W//5pITB7X067+12QmxxSS9ds9tYkvnfFq31rdrfwWINL2L0+b8slW/Zf8j5/bZqiM0lIPddNnygfMXt0zuwxQwXJbVy9ZYmH/COiNfZIssCFksyDq5btyz5gO+O++8zLTnAYkeWXVojvvmkRACvevNRf6irX5h8e1YMdIxMmFfxe5iBK7/GL08+4Pe64u31b09+HnvcqvJXfG9qXv+2Zf8ZNz3W2AUA0yyfkQ=="

const pdfBomb = (): Uint8Array => {
  const packed = Buffer.from(bomb, "base64")
  const head = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n" +
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
    "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n" +
    `4 0 obj<</Length ${packed.length}/Filter[/FlateDecode/FlateDecode/FlateDecode]>>stream\n`
  const tail = "\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\n%%EOF\n"
  return Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
}
