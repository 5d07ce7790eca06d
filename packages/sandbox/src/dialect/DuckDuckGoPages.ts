/** DuckDuckGo's pages in the layout recorded in 2026: results with an ad, none, a bot check. */
import { createHash } from "node:crypto"

export const type = "text/html; charset=UTF-8"

export interface Result {
  readonly url: string
  readonly title: string
  readonly content: string
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Page with a form at its top, and `list` in the place of the results. */
const page = (query: string, list: string): string =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
  <meta http-equiv="content-type" content="text/html; charset=UTF-8" />
  <meta name="robots" content="noindex, nofollow" />
  <title>${escape(query)} at DuckDuckGo</title>
</head>
<body class="body--html">
  <form action="/html/" method="post"><input type="text" name="state_hidden" /></form>
  <div>
    <div id="header" class="header cw header--html">
      <form name="x" class="header__form" action="/html/" method="post">
        <input name="q" autocomplete="off" type="text" value="${escape(query)}" />
        <input name="b" class="search__button search__button--html" value="" type="submit" />
      </form>
    </div>
${list}
  </div>
  <div id="bottom_spacing2"></div>
  <img src="//duckduckgo.com/t/sl_h"/>
</body>
</html>
`

const listOf = (items: ReadonlyArray<string>): string =>
  `    <div class="serp__results">
      <div id="links" class="results">
${items.join("\n")}
        <div class="clear"></div>
      </div>
    </div>`

/** The first page of results, an ad before them. */
export const results = (query: string, found: ReadonlyArray<Result>): string =>
  page(query, listOf([ad(query), ...found.map(item)]))

const redirectOf = (url: string): string => {
  const token = createHash("sha256").update(url.toWellFormed()).digest("hex")
  return `//duckduckgo.com/l/?uddg=${encodeURIComponent(url.toWellFormed())}&amp;rut=${token}`
}

const item = ({ content, day, title, url }: Result): string =>
  block("web-result ", redirectOf(url), {
    title,
    content,
    shown: url.replace(/^https?:\/\//, "").replace(/\/$/, ""),
    extras: day === "" ? "" : `<span>&nbsp; &nbsp; ${day}T00:00:00.0000000</span>`
  })

const ad = (query: string): string =>
  block("result--ad ", "//duckduckgo.com/y.js?ad_domain=advert.example&amp;ad_provider=bing", {
    title: `${query}: all offers`,
    content: "Bought words that answer nothing.",
    shown: "advert.example",
    extras: `<button class="badge--ad">Ad</button>`
  })

interface Shown {
  readonly title: string
  readonly content: string
  readonly shown: string
  readonly extras: string
}

const block = (kind: string, href: string, { content, extras, shown, title }: Shown): string =>
  `        <div class="result results_links results_links_deep ${kind}">
          <div class="links_main links_deep result__body"> <!-- This is the visible part -->
            <h2 class="result__title">
              <a rel="nofollow" class="result__a" href="${href}">${escape(title)}</a>
            </h2>
            <div class="result__extras">
              <div class="result__extras__url">
                <a class="result__url" href="${href}">
                  ${escape(shown)}
                </a>
                ${extras}
              </div>
            </div>
            <a class="result__snippet" href="${href}">${escape(content)}</a>
            <div class="clear"></div>
          </div>
        </div>`

/**
 * Page without results, as recorded: a search elsewhere listed as a result named `EOF`, then an
 * empty result.
 */
export const emptyPage = (query: string): string => {
  const elsewhere = `http://www.google.com/search?hl=en&amp;q=${encodeURIComponent(query)}`
  return page(
    query,
    listOf([
      block("web-result ", elsewhere, {
        title: "EOF",
        content: "",
        shown: "google.com search",
        extras: ""
      }),
      `        <div class="result results_links results_links_deep web-result result--no-result">
          <div class="links_main links_deep result__body">
            <h2 class="result__title"></h2>
            <div class="no-results"></div>
          </div>
        </div>`
    ])
  )
}

/** The other recorded way to say it. */
export const noneInWords = (query: string): string =>
  page(query, listOf([`        <div class="no-results">No more results.</div>`]))

/** The page before any search: neither results nor a word that there are none. */
export const home = page("", "")

/** Page with a puzzle against robots, served with status 200 as clients report. */
export const challenge = `<!DOCTYPE html>
<html lang="en">
<head><title>DuckDuckGo</title></head>
<body>
  <center id="lite_wrapper">
    <form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=botnet" method="POST">
      <div class="anomaly-modal__mask">
        <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
        <div class="anomaly-modal__description">Please complete the following challenge.</div>
      </div>
    </form>
  </center>
</body>
</html>
`
