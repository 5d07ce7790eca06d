/** A page that was read, as material for the evidence store. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Option, Schema } from "effect"
import * as Page from "../page/Page.ts"
import { asGiven } from "../request/GivenFields.ts"
import * as WebAddress from "../search/WebAddress.ts"
import { DocumentDate, Instant, titleCharsMax } from "./Entry.ts"
import { materialCharsMax, WebMaterial } from "./Material.ts"

export const ReadPage = Schema.Struct({
  material: WebMaterial,
  /** The page that was found, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  official: Schema.optionalKey(Schema.Literal(true)),
  /** The page goes on where the text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  removed_chars_count: Schema.optionalKey(Schema.Natural),
  /** Arrival time of the request that it was read for. */
  read_at: Instant
})

export type ReadPage = typeof ReadPage.Type

/** None for pages of the store, for the sandbox's invented ones, and without an address or text. */
export const ofPage = (page: Page.Page, read_at: string): Option.Option<ReadPage> => {
  const { hit_url, official, providers, reader } = page
  const text = cut(page.text, materialCharsMax)
  const title = cut(clean(page.title).text.trim(), titleCharsMax)
  if (reader === "store" || providers.includes("mock") || text.trim() === "") return Option.none()
  return Option.map(WebAddress.canonical(page.url), ({ href }) => ({
    material: {
      ...materialOf(href, { ...page, title: title === "" ? href : title, text }),
      ...(reader === "snippet" ? { extent: "snippet" as const } : {})
    },
    ...asGiven({ asked_url: hit_url }),
    // A snippet is the provider's text, not the page's.
    ...(official && reader !== "snippet" ? { official } : {}),
    ...(page.truncated === undefined && text === page.text ? {} : { truncated: true as const }),
    ...asGiven({ removed_chars_count: page.removed_chars_count }),
    read_at
  }))
}

/** Dates that the store does not take are left out. */
export const materialOf = (
  source_url: string,
  { modified_date, published_date, text, title }: Pick<
    Page.Page,
    "modified_date" | "published_date" | "text" | "title"
  >
): typeof WebMaterial.Type => ({
  source_type: "web_search",
  source_url,
  title,
  text,
  ...(isDate(published_date) ? { published_date } : {}),
  ...(isDate(modified_date) ? { modified_date } : {})
})

const isDate = Schema.is(DocumentDate)
