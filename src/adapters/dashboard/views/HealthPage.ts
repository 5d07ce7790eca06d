/** Health of searches: alerts, figures, charts, providers and keys, read models, use. */
import type { FoundEntry } from "../../../contract/EvidenceSearch.ts"
import type { HealthView } from "../../../contract/HealthView.ts"
import type { Activity, AlertList, TenantList, Usage } from "../../../contract/Records.ts"
import { advice, sentence } from "../../../domain/health/AlertText.ts"
import type { Alert } from "../../../domain/health/SearchHealth.ts"
import { providerTitle } from "../../../domain/search/SearchStatus.ts"
import * as ActivityCharts from "./ActivityCharts.ts"
import {
  bar,
  card,
  counted,
  dollars,
  duration,
  empty,
  header,
  type Html,
  html,
  isWebAddress,
  moment,
  number,
  numberCell,
  scrolled,
  share,
  table,
  timeAgo,
  timeOf,
  type Tone,
  toned,
  type Viewer,
  webLink,
  words
} from "./Shell.ts"

export interface Health {
  readonly health: HealthView
  readonly activity: Activity
  readonly usage: Usage
  /** Absent for viewers without access to the deployment. */
  readonly deployment?: TenantList & AlertList & { readonly tenantId: string }
}

const spans = [[1, "1 h"], [24, "24 h"], [168, "7 d"]] as const

export const body = (shown: Health): Html => [
  header(
    "Health",
    html`<div class="range" role="group" aria-label="Time range">${
      spans.map(([hours, label]) =>
        html`<a href=${`/?hours=${hours}`}
          aria-current=${hours === shown.health.hours ? "true" : undefined}>${label}</a>`
      )
    }</div>`
  ),
  shown.deployment === undefined ? "" : html`<p class="small muted">
    Requests, packs and days are of tenant <b>${shown.deployment.tenantId}</b>;
    search times, statuses, providers and alerts of all tenants.</p>`,
  html`<div data-part="alerts">${notices(shown.health)}</div>`,
  html`<div class="figures" data-part="figures">${figures(shown)}</div>`,
  ActivityCharts.charts(shown.activity),
  html`<div data-part="providers">${providers(shown.health)}</div>`,
  html`<div class="grid same" data-part="rest">
    ${card("Searches by status", statuses(shown.health), "attempts at providers")}
    ${card("Each day", days(shown.usage), "cost of models where prices are set")}
  </div>`,
  shown.deployment === undefined ? "" : ofDeployment(shown.health, shown.deployment)
]

const ofDeployment = (health: HealthView, { tenants, ...listed }: TenantList & AlertList): Html => [
  // One tenant is the viewer's own.
  tenants.length < 2 ? "" : html`<div data-part="tenants">${
    card(
      "Tenants",
      useTable("Tenant", tenants.map(({ tenant_id, total }) => [tenant_id, total])),
      "the last 31 days"
    )
  }</div>`,
  html`<div data-part="models">${readModels(health)}</div>`,
  html`<div data-part="past">${card("Alerts so far", pastAlerts(listed, health))}</div>`
]

const notices = ({ alerts }: HealthView): Html =>
  [...Map.groupBy(alerts, ({ _tag, severity }) => `${_tag} ${severity}`).values()]
    .flatMap(([first, ...others]) => first === undefined ? [] : [notice(first, others)])

/** Alerts of one kind are one notice; the others unfold below the first. */
const notice = (alert: Alert, others: ReadonlyArray<Alert>): Html =>
  html`<div class=${`notice ${alert.severity}`}>
      ${toned(toneOf(alert.severity), alert.severity)}
      <div><p>${sentence(alert)}</p><p>${advice(alert)}</p>${
    others.length === 0
      ? ""
      : html`<details><summary>and ${number(others.length)} more of this kind</summary>${
        others.map((other) => html`<p>${sentence(other)}</p>`)
      }</details>`
  }</div>
    </div>`

const statuses = ({ figures }: HealthView): Html =>
  figures.attempts === 0 ? empty("No searches in this span.") : [
    table(
      [["Status"], ["Attempts", "num"], ["Share", "num"]],
      Object.entries(figures.web_search_total).filter(([, count]) => count > 0)
        .map(([status, count]) =>
          html`<tr><th scope="row">${words(status)}</th>
            ${[number(count), share(count, figures.attempts)].map((value) => numberCell(value))}
          </tr>`
        )
    ),
    html`<p class="small muted">${
      figures.web_search_avg_results === undefined
        ? ""
        : `${number(figures.web_search_avg_results)} results on average · `
    }${
      figures.web_search_latency_ms === undefined
        ? ""
        : `${duration(figures.web_search_latency_ms.avg)} on average`
    }</p>`
  ]

const toneOf = (severity: "critical" | "warning" | "info"): Tone =>
  ({ critical: "bad", warning: "warn", info: "idle" } as const)[severity]

const figures = (
  { activity: { total }, health: { as_of, credits, figures }, usage: { days } }: Health
): Html => {
  const { by_state } = total
  const answered = (by_state["answered"] ?? 0) + (by_state["degraded"] ?? 0)
  const failed = by_state["failed"] ?? 0
  const finished = Object.values(by_state).reduce((sum, count) => sum + count, 0)
  const latency = figures.web_search_latency_ms
  const used = days.filter(({ period }) => period.startsWith(as_of.slice(0, "YYYY-MM".length)))
    .reduce((sum, day) => sum + day.credits, 0)
  const limit = (credits ?? []).reduce((sum, { limit = 0 }) => sum + limit, 0)
  return [
    figure(
      "Requests",
      html`${number(total.requests)}`,
      `${share(answered, finished)} answered · ${share(failed, finished)} failed`
    ),
    figure(
      "Search time, p50 · p95",
      latency === undefined ? "–" : html`${timeFigure(latency.p50)} · ${timeFigure(latency.p95)}`,
      `${counted(figures.attempts, "attempt")}, ` +
        `${share(figures.web_search_total["success"] ?? 0, figures.attempts)} with results`
    ),
    figure(
      "Packs at 0.7 and above",
      html`${number(total.high_confidence)} <small>of ${number(finished)}</small>`,
      `${counted(total.asked_back, "question")} to the user · ` +
        `${number(total.packs_reused + total.cache_hits)} from caches`
    ),
    limit > 0
      ? figure(
        "This tenant's credits this month",
        html`${number(used)} <small>of ${number(limit)}</small>`,
        bar(used / limit, `${share(used, limit)} of the credits are used`)
      )
      : figure(
        "Searches",
        html`${number(total.searches)}`,
        `${counted(total.credits, "credit")} · ${
          total.cost_micros === 0 ? "no model costs" : `${dollars(total.cost_micros)} of models`
        }`
      )
  ]
}

const figure = (title: string, value: Html, below: Html): Html =>
  html`<div><div class="muted">${title}</div><div class="figure">${value}</div><div class="muted small">${below}</div></div>`

const timeFigure = (ms: number): Html => {
  const [value, unit] = duration(ms).split(" ")
  return html`${value} <small>${unit}</small>`
}

const stateTexts = {
  usable: ["in use", "ok"],
  cooling: ["resting", "warn"],
  disabled: ["disabled", "bad"],
  missing: ["no key", "idle"]
} as const satisfies Readonly<Record<string, readonly [string, Tone]>>

const known = <A>(value: A | undefined, text: (value: A) => string): string =>
  value === undefined ? "–" : text(value)

const providers = ({ as_of, by_key, credits = [], keys }: HealthView): Html => {
  const idOf = (provider: string, slot: number | undefined) => `${provider} ${slot ?? ""}`
  const ids = new Map(
    [...keys, ...by_key].map(({ key_slot, provider }) =>
      [idOf(provider, key_slot), { provider, key_slot }] as const
    )
  )
  if (ids.size === 0) {
    return card(
      "Providers and keys",
      empty("No provider was asked in this span.", "Ask something under Try it.")
    )
  }
  const rows = [...ids].map(([id, { key_slot, provider }]) => {
    const key = keys.find((one) => idOf(one.provider, one.key_slot) === id)
    const figures = by_key.find((one) => idOf(one.provider, one.key_slot) === id)
    const latency = figures?.web_search_latency_ms
    const used = credits.find((one) => idOf(one.provider, one.key_slot) === id)
    const [text, tone] = key === undefined ? ["asked", "ok"] as const : stateTexts[key.state]
    const rest = key?.until === undefined ? "" : `, back ${timeAgo(key.until, as_of)}`
    const why = key?.reason === undefined || key.state === "usable" ? "" : words(key.reason)
    return html`<tr>
      <th scope="row">${providerTitle(provider)}${
      key_slot === undefined ? "" : ` · key ${key_slot}`
    }</th>
      <td class="nowrap">${toned(tone)}${text}${rest}${
      why === "" ? "" : html` <span class="muted small">${why}</span>`
    }</td>
      ${numberCell(known(figures, ({ attempts }) => number(attempts)))}
      ${
      numberCell(
        known(figures, ({ web_search_success_rate = 0 }) => share(web_search_success_rate, 1))
      )
    }
      ${numberCell(known(latency, ({ p50 }) => duration(p50)), "num wide")}
      ${numberCell(known(latency, ({ p95 }) => duration(p95)))}
      <td class="wide">${
      used === undefined ? html`<span class="muted">–</span>` : used.limit === undefined
        ? number(used.counted)
        : bar(used.counted / used.limit, `${number(used.counted)} of ${number(used.limit)} credits`)
    }</td>
    </tr>`
  })
  return card(
    "Providers and keys",
    scrolled(
      "Providers and keys",
      table([
        ["Provider"],
        ["State"],
        ["Attempts", "num"],
        ["With results", "num"],
        ["p50", "num wide"],
        ["p95", "num"],
        ["Credits this month", "wide"]
      ], rows)
    )
  )
}

const daysShown = 10

const days = ({ days }: Usage): Html =>
  days.length === 0
    ? empty("Nothing was asked in the last days.")
    : useTable(
      "Day",
      days.toReversed().slice(0, daysShown).map((day) => [day.period, day])
    )

const useTable = (
  of: "Day" | "Tenant",
  rows: ReadonlyArray<readonly [name: string, used: Usage["total"]]>
): Html =>
  scrolled(
    `Use of each ${of.toLowerCase()}`,
    table(
      [
        [of],
        ...["Requests", "Searches", "Cached", "Credits", "Model cost"].map((name) =>
          [name, "num"] as const
        )
      ],
      rows.map(([name, used]) => {
        const { cache_hits, cost_micros, credits, packs_reused, requests, searches } = used
        const counts = [requests, searches, cache_hits + packs_reused, credits].map(number)
        return html`<tr><th scope="row" class="nowrap">${name}</th>
          ${[...counts, dollars(cost_micros)].map((value) => numberCell(value))}</tr>`
      })
    )
  )

/** Folded unless one lags. */
const readModels = ({ read_models }: HealthView): Html => {
  const table = readModelsTable(read_models)
  return read_models.every(({ parked, state }) => state === "running" && parked === 0)
    ? html`<details class="card"><summary>Read models: all ${
      number(read_models.length)
    } are running</summary>${table}</details>`
    : card("Read models", table)
}

const readModelsTable = (read_models: HealthView["read_models"]): Html =>
  scrolled(
    "Read models",
    table(
      [["Model"], ["State"], ["Behind", "num"], ["Set aside", "num"]],
      read_models.map(({ error, events, model, ms, parked, state, version }) =>
        html`<tr><th scope="row">${model} <span class="muted">@${version}</span></th>
        <td>${toned(state === "running" ? "ok" : "warn")}${state}${
          error === undefined ? "" : html`<div class="sub">${error}</div>`
        }</td>
        ${numberCell(events === 0 ? "–" : `${number(events)} · ${duration(ms)}`)}
        ${numberCell(parked === 0 ? "–" : html`<span class="warn">${number(parked)}</span>`)}</tr>`
      )
    )
  )

const pastAlerts = ({ alerts }: AlertList, { as_of }: HealthView): Html =>
  alerts.length === 0 ? empty("No alerts so far.") : scrolled(
    "Alerts so far",
    table(
      [["Alert"], ["Opened"], ["Closed"]],
      alerts.map(({ alert, closed_at, opened_at }) =>
        html`<tr><td class="what">${toned(toneOf(alert.severity))}${sentence(alert)}</td>
        <td class="nowrap">${timeOf(opened_at)}</td>
        <td class="nowrap">${
          closed_at === undefined
            ? html`<span class="warn">open, ${timeAgo(opened_at, as_of).replace(" ago", "")}</span>`
            : timeOf(closed_at)
        }</td></tr>`
      )
    )
  )

// The evidence store: its contents, a search, and approval of a page into the knowledge graph.

interface HealthQuery {
  readonly query?: string
  readonly type?: string
}

interface Shown {
  readonly entries: Readonly<Record<string, number>>
  readonly sources: number
  /** Absent without a search. */
  readonly found?: ReadonlyArray<FoundEntry>
}

const typeNames: Readonly<Record<string, string>> = {
  web_search: "Web pages",
  paper: "Papers",
  user_note: "Notes",
  kg_node: "Nodes"
}
const nameOf = (type: string): string => typeNames[type] ?? words(type)

export const evidenceBody = (viewer: Viewer, asked: HealthQuery, shown: Shown): Html => [
  header("Evidence", html`<span class="muted">${counted(shown.sources, "source")}</span>`),
  html`<div class="figures" data-part="counts">${
    Object.entries(shown.entries).map(([type, count]) =>
      figure(nameOf(type), number(count), "entries")
    )
  }</div>`,
  html`<form class="filters" method="get" action="/evidence" role="search">
    <label class="sr" for="query">Words to search for</label>
    <input type="search" id="query" name="query" value=${asked.query ?? ""} maxlength="2000"
      placeholder="Words to search for" autocomplete="off" />
    <label class="sr" for="type">Kind</label>
    <select id="type" name="type">
      <option value="">Every kind</option>
      ${
    Object.keys(shown.entries).map((type) =>
      html`<option value=${type} selected=${type === asked.type}>${nameOf(type)}</option>`
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
          html`Add files or pages with <code>web-grounding evidence ingest</code>, or set COLLECT_WEB_PAGES.`
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

const excerptCharsMax = 240

const excerpt = (text: string): Html =>
  text.length <= excerptCharsMax
    ? html`<p class="text" dir="auto">${text}</p>`
    : html`<details class="text"><summary dir="auto">${text.slice(0, excerptCharsMax)}…</summary>
      <p dir="auto">${text}</p></details>`

const entryOf = (viewer: Viewer, entry: FoundEntry): Html => {
  const { collected_at, node_id, source_id, source_type, source_url = "", text, title } = entry
  const isLinked = isWebAddress(source_url)
  return html`<div class="claim">
    <div><p><b dir="auto">${title}</b></p>${excerpt(text)}
      <div class="about"><span class="chip">${nameOf(source_type)}</span>
        ${isLinked ? webLink(source_url) : html`<span class="mono">${source_id}</span>`}
        ${
    node_id === undefined ? "" : html`<span class="mono">${node_id}</span> `
  }<time class="muted" datetime=${collected_at}>${moment(collected_at)}</time></div>
      ${
    viewer.isAdmin && isLinked && source_type === "web_search" ? approval(source_url, title) : ""
  }
    </div>
  </div>`
}

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
