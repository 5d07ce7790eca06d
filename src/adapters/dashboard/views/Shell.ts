/** Frame of every page: head, navigation, and the viewer. */
import { DateTime, Record } from "effect"
import { type Html, html } from "htm/preact"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { renderToString } from "preact-render-to-string"

export interface Viewer {
  readonly tenantId: string
  readonly canRead: boolean
  readonly canGround: boolean
  readonly canAudit: boolean
  readonly canErase: boolean
  readonly isAdmin: boolean
  /** Whether the viewer signed in by the dashboard's cookie and can sign out. */
  readonly isSignedIn: boolean
  readonly isSandbox: boolean
}

export interface Page {
  readonly title: string
  readonly view: string
  readonly body: Html
  readonly isLive?: boolean
  readonly alerts?: number
}

const views = [
  ["/", "Health"],
  ["/sessions", "Sessions"],
  ["/evidence", "Evidence"],
  ["/try", "Try it"]
] as const

const mark = () =>
  html`<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
    <path d="M2.5 4.5h13M2.5 9h7M2.5 13.5h4" fill="none" stroke="currentColor" stroke-width="2"
      stroke-linecap="round" />
    <path d="M9.5 12.5l2.2 2.2 4-4.4" fill="none" stroke="currentColor" stroke-width="2"
      stroke-linecap="round" stroke-linejoin="round" />
  </svg>`

const head = (title: string) =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · web-grounding</title>
    <link rel="icon" href=${assetUrl("icon.svg")} type="image/svg+xml" />
    <link rel="stylesheet" href=${assetUrl("uplot.css")} />
    <link rel="stylesheet" href=${assetUrl("style.css")} />
    <script src=${assetUrl("theme.js")}></script>
    <script src=${assetUrl("uplot.js")} defer></script>
    <script src=${assetUrl("htm-preact.js")} defer></script>
    <script src=${assetUrl("charts.js")} defer></script>
    <script src=${assetUrl("dashboard.js")} defer></script>
  </head>`

/** Page for a viewer who is signed in, or needs no token. */
export const page = (viewer: Viewer, { alerts = 0, body, isLive = false, title, view }: Page) =>
  rendered([
    head(title),
    html`<body data-live=${isLive ? "yes" : undefined}>
      <a class="skip" href="#main">Skip to content</a>
      <div class="app">
        <nav aria-label="Views">
          <a class="brand" href="/" aria-label="web-grounding">${mark()}<span>web-grounding</span></a>
          <div class="views">${
      views.map(([path, name]) =>
        html`<a href=${path} aria-current=${path === view ? "page" : undefined}>
            <span>${name}</span>${
          path === "/" && alerts > 0
            ? html`<span class="count" aria-label=${`${alerts} open alerts`}>${alerts}</span>`
            : ""
        }</a>`
      )
    }</div>
          <div class="foot">
            ${viewer.isSandbox ? html`<p class="sandbox">Sandbox: made-up web</p>` : ""}
            <p>Tenant <b>${viewer.tenantId}</b></p>
            <p>Times in UTC</p>
            <p class="tools">
              <button type="button" class="plain" data-theme-button>Theme</button>
              ${
      viewer.isSignedIn
        ? html`<button type="button" class="plain" data-post="/sign-out">Sign out</button>`
        : ""
    }
            </p>
          </div>
        </nav>
        <main id="main" tabindex="-1">
          <p class="banner" role="status" data-banner hidden></p>
          ${body}
        </main>
      </div>
    </body>`
  ])

/** Page for an unidentified viewer, or without navigation. */
export const barePage = (title: string, body: Html) =>
  rendered([
    head(title),
    html`<body>
      <main id="main" class="bare">
        <p class="brand">${mark()}<span>web-grounding</span></p>
        ${body}
      </main>
    </body>`
  ])

export const header = (title: Html, beside: Html = "", above: Html = "") =>
  html`<header>
    <div><div class="crumbs">${above}</div><h1 dir="auto">${title}</h1></div>
    <div class="beside">${beside}</div>
  </header>`

export const card = (title: Html, body: Html, beside: Html = "") =>
  html`<section class="card"><div class="head"><h2>${title}</h2><div class="muted small">${beside}</div></div>${body}</section>`

/** Notice for an empty list: what is missing, and how to add it. */
export const empty = (what: Html, how: Html = "") =>
  html`<div class="empty"><p>${what}</p><p class="muted">${how}</p></div>`

/** Table that scrolls sideways if too wide, also by keyboard. */
export const scrolled = (label: string, table: Html) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${table}</div>`

/** Name of a column, and its class: a number, or left out where the screen is narrow. */
type Column = readonly [name: Html, kind?: "num" | "wide" | "num wide"]

export const table = (columns: ReadonlyArray<Column>, rows: Html) =>
  html`<table>
    <thead><tr>${
    columns.map(([name, kind]) => html`<th scope="col" class=${kind}>${name}</th>`)
  }</tr></thead>
    <tbody data-rows>${rows}</tbody>
  </table>`

export const numberCell = (value: Html, kind: "num" | "num wide" = "num") =>
  html`<td class=${kind}>${value}</td>`

/** A bar for a share, 0 to 1. */
export const bar = (share: number, label: string) => {
  const percent = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`
  return html`<svg class="bar" role="img" aria-label=${label}>
    <rect class="whole" width="100%" height="100%" rx="3" />
    <rect class="part" width=${percent} height="100%" rx="3" />
  </svg>`
}

export const dot = (tone: Tone) => html`<span class=${`dot ${tone}`} aria-hidden="true"></span>`

/** A dot, and a text in its colour. */
export const toned = (tone: Tone, text: Html = "") =>
  html`<span class=${tone}>${dot(tone)}${text}</span>`

export type Tone = "ok" | "warn" | "bad" | "idle" | "accent"

/** What came of an action: a word, and the text. */
export const notice = (tone: "critical" | "info", word: string, text: Html) =>
  html`<div class=${`notice ${tone}`}><span class=${
    tone === "critical" ? "bad" : "ok"
  }>${word}</span><div>${text}</div></div>`

// Every text and attribute is escaped when rendered, so that web text stays text.

export { type Html, html }

/** Whole HTML document as text. `inside` is its head and body. */
const rendered = (inside: Html): string =>
  `<!doctype html>\n${renderToString(html`<html lang="en">${inside}</html>`)}`

/** Only these become links: another scheme could run code. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

/** Link to a page of the web, which learns nothing of this one. */
export const webLink = (url: string) =>
  html`<a href=${url} rel="noreferrer noopener nofollow" target="_blank">${url}</a>`

// Sign-in form, if the service requires a token; with the error of the last try.

export const signIn = (to: string): string =>
  barePage(
    "Sign in",
    html`<section class="card"><div class="head"><h1>Sign in</h1></div>
      <form data-post="/sign-in" data-to=${to}>
        <label class="field">Token<input type="password" name="token" required maxlength="4000"
          autocomplete="current-password" /></label>
        <p class="bad small" role="alert" data-failure hidden></p>
        <button class="button main" type="submit">Sign in</button>
      </form>
      <p class="muted small">Make one with <code>web-grounding tokens create --name me</code> (in a
        clone: <code>npm run -s wg -- tokens …</code>). What it allows decides what is shown.</p>
      <noscript><p class="warn">This form needs the page's script.</p></noscript></section>`
  )

/** A page that could not be shown: as its content, or as a page of its own. */
export const problem = (title: string, detail: Html): Html => [
  header(title),
  html`<section class="card" role="alert"><p>${detail}</p>
    <p><a href="">Reload</a>, or go to <a href="/sessions">Sessions</a> or <a href="/">Health</a></p></section>`
]

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

export const number = (value: number): string => numbers.format(value)

/** A share, 0 to 1; `undefined` without a whole. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${numbers.format(100 * part / whole)} %`

const microsInDollar = 1_000_000

export const dollars = (micros: number): string =>
  micros === 0 ? "–" : `$${(micros / microsInDollar).toFixed(micros < 10_000 ? 4 : 2)}`

const msInSecond = 1_000
const secondsInMinute = 60

/** "640 ms", "2.1 s", "3 min". */
export const duration = (ms: number): string => {
  if (ms < msInSecond) return `${Math.round(ms)} ms`
  const seconds = ms / msInSecond
  if (seconds < secondsInMinute) return `${numbers.format(seconds)} s`
  const minutes = seconds / secondsInMinute
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`
}

const moments = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})

/** Instant in UTC as "22 Nov 2026, 13:04:11"; other text is unchanged. */
export const moment = (iso: string): string => {
  const ms = epochMs(iso)
  return ms === undefined ? iso : moments.format(ms)
}

export const timeOf = (iso: string) => html`<time datetime=${iso}>${moment(iso)}</time>`

/** "3 min ago"; for the future "in 3 min". */
export const timeAgo = (iso: string, nowIso: string): string => {
  const then = epochMs(iso)
  const now = epochMs(nowIso)
  if (then === undefined || now === undefined) return iso
  return then > now ? `in ${duration(then - now)}` : `${duration(now - then)} ago`
}

const epochMs = (iso: string): number | undefined => {
  const at = DateTime.make(iso)
  return at._tag === "Some" ? at.value.epochMilliseconds : undefined
}

/** A code of the contract as words: `key_points` as "key points". */
export const words = (code: string): string => code.toLowerCase().replaceAll("_", " ")

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

export const shortHash = (hash: string): string =>
  hash.length <= 12 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`

// URLs contain a fingerprint of the content: browsers may cache it forever.

const { resolve } = createRequire(import.meta.url)
const own = (name: string) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url))

const script = "text/javascript; charset=utf-8"
const style = "text/css; charset=utf-8"

const files = {
  "style.css": { path: own("style.css"), type: style },
  "icon.svg": { path: own("icon.svg"), type: "image/svg+xml" },
  "theme.js": { path: own("theme.js"), type: script },
  "charts.js": { path: own("charts.js"), type: script },
  "dashboard.js": { path: own("dashboard.js"), type: script },
  "uplot.js": { path: resolve("uplot/dist/uPlot.iife.min.js"), type: script },
  "uplot.css": { path: resolve("uplot/dist/uPlot.min.css"), type: style },
  "htm-preact.js": {
    path: join(dirname(resolve("htm")), "../preact/standalone.umd.js"),
    type: script
  }
} as const satisfies Readonly<Record<string, { readonly path: string; readonly type: string }>>

const hashChars = 12

const assets = Record.map(files, ({ path, type }, name) => {
  const bytes = readFileSync(path)
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, hashChars)
  return { url: `/assets/${hash}/${name}`, type, bytes, gzipped: gzipSync(bytes) }
})

const assetUrl = (name: keyof typeof files): string => assets[name].url

/** Asset at a URL; none for a URL of another release. */
export const assetAt = (url: string) => Object.values(assets).find((asset) => asset.url === url)
