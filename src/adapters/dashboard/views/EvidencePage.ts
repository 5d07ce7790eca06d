/** The evidence store: what it holds, a search in it, and a page's way into the knowledge graph. */
import type { FoundEntry } from "../../../contract/EvidenceSearch.ts"
import { counted, moment, number, words } from "./Figures.ts"
import { type Html, html, webAddress } from "./Html.ts"
import { card, empty, header, type Viewer } from "./Shell.ts"

export interface Asked {
  readonly query?: string
  readonly type?: string
}

export interface Shown {
  readonly entries: Readonly<Record<string, number>>
  readonly sources: number
  /** Absent: nothing was asked. */
  readonly found?: ReadonlyArray<FoundEntry>
}

const typeNames: Readonly<Record<string, string>> = {
  web_search: "Web pages",
  paper: "Papers",
  user_note: "Notes",
  kg_node: "Nodes"
}

export const body = (viewer: Viewer, asked: Asked, shown: Shown): Html => [
  header("Evidence", html`<span class="muted">${counted(shown.sources, "source")}</span>`),
  html`<div class="figures" data-part="counts">${
    Object.entries(shown.entries).map(([type, count]) =>
      html`<div><div class="muted">${typeNames[type] ?? words(type)}</div><div class="figure">${
        number(count)
      }</div><div class="muted small">entries</div></div>`
    )
  }</div>`,
  html`<form class="filters" method="get" action="/evidence" role="search">
    <label class="sr" for="query">What is sought</label>
    <input type="search" id="query" name="query" value=${asked.query ?? ""} maxlength="2000"
      placeholder="What is sought, in words" autocomplete="off" />
    <label class="sr" for="type">Kind</label>
    <select id="type" name="type">
      <option value="">Every kind</option>
      ${
    Object.keys(shown.entries).map((type) =>
      html`<option value=${type} selected=${type === asked.type}>${
        typeNames[type] ?? words(type)
      }</option>`
    )
  }
    </select>
    <button class="button" type="submit">Search</button>
  </form>`,
  html`<div id="verdict" role="status"></div>`,
  results(viewer, shown)
]

const results = (viewer: Viewer, { entries, found }: Shown): Html => {
  if (found === undefined) {
    return Object.values(entries).every((count) => count === 0)
      ? card(
        "Entries",
        empty(
          "The store is empty.",
          "Collect pages with `evidence collect`, or let groundings collect what they read."
        )
      )
      : card("Entries", empty("Search for words to see entries."))
  }
  return card(
    counted(found.length, "entry", "entries"),
    found.length === 0
      ? empty("Nothing fits.")
      : found.map((entry) => entryOf(viewer, entry)),
    "best first"
  )
}

const entryOf = (viewer: Viewer, entry: FoundEntry): Html => {
  const { text, title, ...metadata } = entry
  const href = metadata.source_url === undefined ? undefined : webAddress(metadata.source_url)
  return html`<div class="claim">
    <div><p><b dir="auto">${title}</b></p><p class="text" dir="auto">${text}</p>
      <div class="about"><span class="chip">${
    typeNames[metadata.source_type] ?? words(metadata.source_type)
  }</span>
        ${
    href === undefined
      ? html`<span class="mono">${metadata.source_id}</span>`
      : html`<a href=${href} rel="noreferrer noopener nofollow" target="_blank">${metadata.source_url}</a>`
  }
        ${
    metadata.node_id === undefined ? "" : html`<span class="mono">${metadata.node_id}</span> `
  }<time class="muted" datetime=${metadata.collected_at}>${
    moment(metadata.collected_at)
  }</time></div>
      ${
    viewer.isAdmin && href !== undefined && metadata.source_type === "web_search"
      ? approval(href, title)
      : ""
  }
    </div>
    <div class="score">${entry.score.toFixed(2)}</div>
  </div>`
}

/** Puts a node of the knowledge graph in the page's place. */
const approval = (url: string, title: string): Html =>
  html`<details><summary>Approve into the knowledge graph</summary>
    <form data-post="/evidence/approve" data-into="verdict">
      <input type="hidden" name="source_url" value=${url} />
      <label class="field">Node id<input name="node_id" required maxlength="200" autocomplete="off" /></label>
      <label class="field">Label<input name="node_label" required maxlength="200" placeholder="e.g. Rule" autocomplete="off" /></label>
      <label class="field">Name<input name="name" required maxlength="200" value=${
    title.slice(0, 200)
  } /></label>
      <button class="button" type="submit">Approve</button>
    </form></details>`
