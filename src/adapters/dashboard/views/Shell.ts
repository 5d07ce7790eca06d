/** Frame of every page: head, navigation, and the viewer. */
import { assetUrl } from "./Assets.ts"
import { type Html, html, rendered } from "./Html.ts"

/** Viewer of a page, and the data shown to them. */
export interface Viewer {
  readonly tenantId: string
  readonly canRead: boolean
  readonly canGround: boolean
  readonly canAudit: boolean
  readonly canErase: boolean
  readonly isAdmin: boolean
  /** Whether a cookie of these pages signed the viewer in, which can be given up. */
  readonly isSignedIn: boolean
  /** The bundled sandbox is searched instead of the web. */
  readonly isSandbox: boolean
}

export interface Page {
  readonly title: string
  /** Path of the view it belongs to. */
  readonly view: string
  readonly body: Html
  /** Whether it is fetched again while somebody looks at it. */
  readonly isLive?: boolean
  /** Open alerts, told beside the navigation. */
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

/** Page for somebody who is signed in, or needs no token. */
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

/** A page for somebody who is not known yet, or for whom there is nothing else. */
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

/** Title of a page, with what may be done beside it. */
export const header = (title: Html, beside: Html = "", above: Html = "") =>
  html`<header>
    <div><div class="crumbs">${above}</div><h1 dir="auto">${title}</h1></div>
    <div class="beside">${beside}</div>
  </header>`

export const card = (title: Html, body: Html, beside: Html = "") =>
  html`<section class="card"><div class="head"><h2>${title}</h2><div class="muted small">${beside}</div></div>${body}</section>`

/** Notice for a list without entries: what is missing, and what would bring some. */
export const empty = (what: Html, how: Html = "") =>
  html`<div class="empty"><p>${what}</p><p class="muted">${how}</p></div>`

/** Table that can be scrolled sideways where it is too wide, by the keyboard too. */
export const scrolled = (label: string, table: Html) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${table}</div>`

/** A bar as long as a share of the whole, 0 to 1. */
export const bar = (share: number, label: string) => {
  const percent = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`
  return html`<svg class="bar" role="img" aria-label=${label}>
    <rect class="whole" width="100%" height="100%" rx="3" />
    <rect class="part" width=${percent} height="100%" rx="3" />
  </svg>`
}

export const dot = (tone: Tone) => html`<span class=${`dot ${tone}`} aria-hidden="true"></span>`

export type Tone = "ok" | "warn" | "bad" | "idle" | "accent"
