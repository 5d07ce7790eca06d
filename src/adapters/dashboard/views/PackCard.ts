/** A pack: claims by section with their quotations in context, and disputes side by side. */
import type { CitedSource, Claim } from "../../../domain/pack/GroundingPack.ts"
import type { CitedPack } from "../../../domain/summary/CitedPack.ts"
import {
  asidesOf,
  isMadeUp,
  madeUpText,
  noteTexts,
  originText,
  reasonTexts
} from "../../../domain/view/PackTexts.ts"
import {
  bar,
  card as cardOf,
  duration,
  empty,
  type Html,
  html,
  isWebAddress,
  shortHash,
  timeOf,
  webLink,
  words
} from "./Shell.ts"

type Section = CitedPack["contexts"][number]["section"]

const titles = [
  ["constraints_and_rules", "Rules"],
  ["norms_and_expectations", "Norms and expectations"],
  ["key_points", "Key points"]
] as const

export const card = (cited: CitedPack): Html => {
  const { cached_age_ms, llm_context, mode, pack, reused_from_request_id } = cited
  const origin = reused_from_request_id === undefined
    ? cached_age_ms === undefined ? "" : `another session's, ${duration(cached_age_ms)} old`
    : `of request ${reused_from_request_id}`
  const about = [
    words(mode),
    ...(cited.reason === undefined ? [] : [words(cited.reason)]),
    ...(pack.as_of === undefined ? [] : [`as of ${pack.as_of.slice(0, 10)}`]),
    ...(origin === "" ? [] : [origin])
  ].join(" · ")
  const claims = titles.flatMap(([section, title]) =>
    pack[section].length === 0 ? [] : [
      html`<h3>${title}</h3>`,
      pack[section].map((claim, index) => claimOf(cited, section, claim, index))
    ]
  )
  return cardOf(
    "Pack",
    [
      isMadeUp(pack) ? html`<p class="sandbox">${madeUpText}</p>` : "",
      pack.notes.map((note) => html`<p class="small muted">${noteTexts[note]}</p>`),
      claims.length === 0
        ? empty("This pack has no claims.", llm_context.split("\n")[0] ?? "")
        : claims,
      asidesOf(pack).map(({ claims, title }) => [
        html`<h3>${title}</h3>`,
        claims.map((claim) => disputed(cited, claim, pack.disputed_or_uncertain.indexOf(claim)))
      ]),
      pack.what_to_ask_user.length === 0 ? "" : [
        html`<h3>To ask the user</h3>`,
        html`<ul>${
          pack.what_to_ask_user.map(({ q, why }) =>
            html`<li dir="auto">${q} <span class="muted small">${why}</span></li>`
          )
        }</ul>`
      ],
      html`<h3>For the model</h3>`,
      html`<details><summary>The context as the caller's model was given it</summary><pre dir="auto" tabindex="0">${llm_context}</pre></details>`
    ],
    html`${about} · confidence <b class="num">${pack.confidence.toFixed(2)}</b>`
  )
}

const claimOf = (cited: CitedPack, section: Section, claim: Claim, index: number): Html =>
  html`<div class="claim">
    <div><p class="text" dir="auto" lang=${claim.language}>${claim.text}</p>
      <div class="about">${chips(claim)}</div></div>
    <div><div class="score">${claim.confidence.toFixed(2)}</div>${
    bar(claim.confidence, `confidence ${claim.confidence.toFixed(2)}`)
  }</div>
    ${sourcesOf(cited, section, claim, index)}
  </div>`

const chips = ({ as_of, reason, support, wording, ...claim }: Claim): Html => [
  chip(wording),
  html`<span class=${`chip ${
    support === "supported" && reason === undefined ? "ok" : support === "contradicted" ? "bad" : ""
  }`}>${words(support)}</span>`,
  chip(as_of === undefined ? undefined : `as of ${as_of.slice(0, 10)}`),
  chip(originText(claim)),
  reason === undefined ? "" : html`<span class="warn">${reasonTexts[reason]}</span>`
]

const chip = (text: string | undefined): Html =>
  text === undefined ? "" : html`<span class="chip">${text}</span>`

const disputed = (cited: CitedPack, claim: Claim, index: number): Html => {
  const against = claim.against ?? []
  return html`<div class="claim">
    ${
    against.length === 0
      ? html`<p class="text" dir="auto">${claim.text}</p>`
      : html`<div class="versus">
        <div><p dir="auto">${claim.text}</p><p class="small muted">${siteOf(claim)}</p></div>
        ${
        against.map((other) =>
          html`<div><p dir="auto">${other}</p><p class="small muted">another claim of this pack</p></div>`
        )
      }</div>`
  }
    <div class="about">${chips(claim)}<span class="muted">confidence ${
    claim.confidence.toFixed(2)
  }</span></div>
    ${sourcesOf(cited, "disputed_or_uncertain", claim, index)}
  </div>`
}

const siteOf = ({ sources }: Claim): string => sources.map(({ site }) => site).join(", ")

type QuotePosition = Pick<CitedPack["contexts"][number], "claim" | "section" | "source">

const sourcesOf = (cited: CitedPack, section: Section, { sources }: Claim, claim: number): Html =>
  html`<div class="sources">${
    sources.map((one, source) => sourceOf(cited, { section, claim, source }, one))
  }</div>`

/** Shows the text around each quotation, or why there is none, and how it was found. */
const sourceOf = (cited: CitedPack, place: QuotePosition, source: CitedSource): Html => {
  const origin = cited.sources.find(({ text_sha256, url }) =>
    url === source.url && text_sha256 === source.text_sha256
  )
  return html`<details>
    <summary>${source.n === undefined ? "" : `[${source.n}] `}<span dir="auto">${
    source.title === "" ? source.site : source.title
  }</span> · ${source.site}${source.official ? " · official" : ""}${
    source.published_date === undefined
      ? ""
      : html` · <time>${source.published_date.slice(0, 10)}</time>`
  }</summary>
    ${source.quotes.map((quote, index) => quotationOf(cited, { ...place, quote: index }, quote))}
    <dl class="facts">
      <dt>Address</dt><dd>${isWebAddress(source.url) ? webLink(source.url) : source.url}</dd>
      ${
    origin === undefined ? "" : [
      html`<dt>Found by</dt><dd dir="auto">${
        origin.found_by.length === 0
          ? "no search: the store or the caller named it"
          : origin.found_by.map(({ provider, query, rank }) =>
            `${provider}, place ${rank}: “${query}”`
          )
            .join("; ")
      }</dd>`,
      html`<dt>Read</dt><dd>${timeOf(origin.read_at)} by ${origin.reader}</dd>`
    ]
  }
      <dt>Text</dt><dd class="mono" title=${source.text_sha256}>sha-256 ${
    shortHash(source.text_sha256)
  }</dd>
    </dl>
  </details>`
}

const notKept = "The text around it was not kept: page texts are kept with consent only."

const quotationOf = (
  { contexts }: CitedPack,
  place: QuotePosition & { readonly quote: number },
  quote: CitedSource["quotes"][number]
): Html => {
  const context = contexts.find((one) =>
    one.section === place.section && one.claim === place.claim && one.source === place.source &&
    one.quote === place.quote
  )
  const { after, before, quoted } = context ?? { before: "", quoted: quote.text, after: "" }
  return html`<blockquote class="source" dir="auto">${before}<mark>${quoted}</mark>${after}
    <span class="mono where">characters ${quote.start}–${quote.end}, ${quote.match}</span>
    ${context === undefined ? html`<span class="where">${notKept}</span>` : ""}</blockquote>`
}
