/** Part of the session's page for a what-if: its form and its answer. */
import type { NeededFact, WhatIf, WhatIfRequest } from "../../../contract/Replayed.ts"
import type { OutcomeChange } from "../../../domain/audit/OutcomeChange.ts"
import { counted, number } from "./Figures.ts"
import { type Html, html } from "./Html.ts"

/** Form with the few limits that change answers most; an empty field stays as it was recorded. */
export const form = (sessionId: string): Html =>
  html`<details class="card">
    <summary>What if the limits were others? An empty field stays as it was recorded.</summary>
    <form class="filters" data-post=${`/sessions/${encodeURIComponent(sessionId)}/what-if`}
      data-into="verdict">
      <label class="field">Passages<input name="passages_max" type="number" min="1" max="20" /></label>
      <label class="field">Pages<input name="pages_max" type="number" min="1" max="20" /></label>
      <label class="field">Least score of a hit<input name="score_min" type="number" min="0" max="1"
        step="0.05" /></label>
      <label class="field">Queries<input name="queries_max" type="number" min="0" max="3" /></label>
      <label class="field">Characters of evidence<input name="evidence_chars_max" type="number"
        min="200" max="20000" step="100" /></label>
      <label class="field">Tier<select name="tier"><option value="">as recorded</option>
        <option value="standard">standard</option><option value="premium">premium</option>
      </select></label>
      <button class="button" type="submit">What if</button>
    </form></details>`

export const answer = ({ requests, rules }: WhatIf): Html => {
  const count = (wanted: WhatIfRequest["verdict"]) =>
    requests.filter(({ verdict }) => verdict === wanted).length
  const told = (["changed", "same", "undetermined", "unfinished"] as const)
    .filter((verdict) => count(verdict) > 0)
    .map((verdict) => `${count(verdict)} ${verdict}`)
    .join(", ")
  const from = rules.from === rules.to ? "" : ` Rules ${rules.from} then, ${rules.to} now.`
  return html`<div class="notice info"><span class="ok">What if</span><div>
    <p>${counted(requests.length, "request")}: ${told}. Nobody outside was asked.${from}</p>
    ${requests.map(requestPart)}
  </div></div>`
}

const requestPart = ({ change, needs, request_id, verdict }: WhatIfRequest): Html =>
  verdict === "same" ? "" : html`<div><p><b class="mono">${request_id}</b>: ${verdict}</p>
    ${change === undefined ? "" : html`<dl class="facts">${figures(change)}</dl>`}
    ${
    (change?.claims ?? []).map(({ after, before, text }) =>
      html`<div class="small" dir="auto"><span class="chip ${
        before === undefined ? "ok" : after === undefined ? "bad" : "warn"
      }">${
        before === undefined ? "appears" : after === undefined ? "goes" : "changes"
      }</span>${` ${text} `}<span class="muted">${standing(before)}${
        before !== undefined && after !== undefined ? " → " : ""
      }${standing(after)}</span></div>`
    )
  }
    ${
    needs.map((need) =>
      html`<div class="small"><span class="chip warn">not recorded</span> ${needText(need)}</div>`
    )
  }</div>`

const figures = (
  { budget, confidence, decision, evidence_chars, planned, reason, searched }: OutcomeChange
): ReadonlyArray<Html> => [
  fact(
    "Decision",
    decision,
    ({ need_search, queries_max, reason_codes }) =>
      `${need_search ? `search, ${queries_max} queries at most` : "no search"} ` +
      `(${reason_codes.join(", ")})`
  ),
  fact("Planned", planned, (queries) => queries.join("; ") || "none"),
  fact("Searched", searched, (queries) => queries.join("; ") || "none"),
  fact("Outcome", reason, (one) => (one ?? "none").replaceAll("_", " ")),
  fact("Confidence", confidence, (one) => one.toFixed(2)),
  fact("Evidence", evidence_chars, (one) => `${number(one)} characters`),
  fact("Searches", budget, ({ limit, spent }) => `${spent} of ${limit}`)
]

const fact = <A>(
  name: string,
  pair: { readonly before: A; readonly after: A } | undefined,
  text: (one: A) => string
): Html =>
  pair === undefined
    ? ""
    : html`<dt>${name}</dt><dd dir="auto">${text(pair.before)} → ${text(pair.after)}</dd>`

type Standing = NonNullable<NonNullable<OutcomeChange["claims"]>[number]["before"]>

const standing = (one: Standing | undefined): string =>
  one === undefined ? "" : `${one.section.replaceAll("_", " ")}, ${one.confidence.toFixed(2)}`

const needText = ({ fact, step, what }: NeededFact): string =>
  `${fact.replaceAll("_", " ")} at ${step.toLowerCase()}${what === "" ? "" : `: ${what}`}`
