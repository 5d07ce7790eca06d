/** Pages and requests to build packs from. */
import { createHash } from "node:crypto"
import { chunksOfSnippet } from "../../packages/language/src/passages/Chunking.ts"
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import type { Section } from "../../src/domain/pack/GroundingPack.ts"
import type { Materials } from "../../src/domain/pack/PackAssembly.ts"
import type { Page } from "../../src/domain/page/Page.ts"
import { requestOf } from "./sessionFacts.ts"

export const pageOf = (text: string, fields: Partial<Page> = {}): Page => ({
  source_id: "s1",
  url: `https://${fields.site ?? "one.example"}/${fields.source_id ?? "s1"}`,
  title: "Leaving a rented home",
  site: "one.example",
  official: false,
  providers: ["mock"],
  reader: "snippet",
  text,
  text_sha256: createHash("sha256").update(text).digest("hex"),
  chunks: chunksOfSnippet(text),
  ...fields
})

export const needOf = (
  ...reason_codes: ReadonlyArray<SearchNeed["reason_codes"][number]>
): SearchNeed => ({
  need_search: true,
  reason_codes: [reason_codes[0] ?? "USER_ASKED", ...reason_codes.slice(1)],
  max_queries: 2,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
})

export const claimOf = (
  text: string,
  citations: Readonly<Record<string, string>>,
  section: Section = "key_points"
) => ({
  section,
  text,
  citations: Object.entries(citations).map(([source_id, quote]) => ({ source_id, quote }))
})

/** A site for each text, `site1.example` and on, each with a claim in its own words. */
export const quotedOf = (
  texts: ReadonlyArray<string | readonly [text: string, fields: Partial<Page>]>
) => {
  const pages = texts.map((told, place) => {
    const [text, fields] = typeof told === "string" ? [told] : told
    return pageOf(text, {
      source_id: `s${place + 1}`,
      site: `site${place + 1}.example`,
      ...fields
    })
  })
  return { pages, claims: pages.map(({ source_id, text }) => claimOf(text, { [source_id]: text })) }
}

/** `claims`: a draft that asks the user nothing. */
export const materialsOf = (
  { claims = [], ...fields }: Partial<Materials> & {
    readonly claims?: Materials["draft"]["claims"]
  }
): Materials => ({
  draft: { claims, what_to_ask_user: [] },
  pages: [],
  request: requestOf({ user_question: "How much notice must a tenant give?" }),
  need: needOf("USER_ASKED"),
  confidenceMax: 1,
  now: "2026-11-21T00:00:00.000Z",
  ...fields
})
