/** `POST /extract`: the texts of named pages, read by the service's own readers. */
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { RemoteCaller } from "../../application/Access.ts"
import type { Listed } from "../../application/ListResults.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { Asked } from "./AskedBody.ts"
import type { ExtractBody } from "./Fields.ts"
import * as Listing from "./Listing.ts"

/** Tavily's clients wait for 30 s where they are told nothing else. */
const secondsDefault = 25

/** Topic of every call: the addresses decide what is read. */
const topic = "Pages that the caller named"

/** An address as it was sent, and how it is read. */
interface Named {
  readonly url: string
  readonly href: string | undefined
}

export const answer = Effect.fn("ExtractCall.answer")(
  function*(asked: Asked<ExtractBody>, caller: RemoteCaller, arrivedAtMs: number) {
    const { values } = asked
    const named = (typeof values.urls === "string" ? [values.urls] : values.urls).map(namedOf)
    const hrefs = [...new Set(named.flatMap(({ href }) => href ?? []))]
    const listed = hrefs.length === 0
      ? undefined
      : yield* Listing.list(inputOf(values, hrefs), caller)
    return answerOf(asked, named, listed, yield* Listing.secondsSince(arrivedAtMs))
  }
)

const namedOf = (url: string): Named => ({
  url,
  href: Option.getOrUndefined(Option.map(WebAddress.canonical(url), ({ href }) => href))
})

const inputOf = (
  { timeout = secondsDefault, web_grounding = {} }: ExtractBody,
  urls: ReadonlyArray<string>
) => ({
  session_id: Listing.freshSession(),
  topic,
  phase: "mid_chat",
  consent_raw_content: web_grounding.consent_raw_content ?? false,
  deadline_ms: Listing.deadlineMsOf(timeout),
  listing: { of: "pages", urls }
})

const answerOf = (
  { notes, values }: Asked<ExtractBody>,
  named: ReadonlyArray<Named>,
  listed: Listed | undefined,
  response_time: number
) => {
  const pages = listed === undefined ? new Map() : Listing.pagesByAddress(listed.seen)
  const unread = new Map(listed?.seen.unread.map(({ reason, url }) => [url, reason]))
  const read = named.map(({ href = "", url }) => ({ url, page: pages.get(href), href }))
  const request_id = listed?.outcome.request_id ?? randomUUID()
  return {
    results: read.flatMap(({ page, url }) =>
      page === undefined
        ? []
        : [{ url, title: page.title, raw_content: page.text, images: [] }]
    ),
    failed_results: read.flatMap(({ href, page, url }) =>
      page === undefined
        ? [{ url, error: `The page was not read: ${unread.get(href) ?? reasonOf(href)}` }]
        : []
    ),
    response_time,
    usage: { credits: listed === undefined ? 0 : Listing.creditsOf(listed.seen) },
    request_id,
    web_grounding: {
      // Addresses that nobody can read are not recorded: they may hold a password.
      ...(listed === undefined ? {} : { session_id: listed.outcome.session_id }),
      request_id,
      notes: [
        ...notes,
        ...(values.format === "markdown" ? ["raw_content is plain text."] : []),
        ...(values.extract_depth === "advanced" ? ["extract_depth is answered as basic."] : [])
      ]
    }
  }
}

const reasonOf = (href: string): string => href === "" ? "address_invalid" : "empty"
