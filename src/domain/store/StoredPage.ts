/** An entry of the evidence store as a page of a grounding. */
import { Option } from "effect"
import type { Page } from "../page/Page.ts"
import * as SourceTitle from "../page/SourceTitle.ts"
import { isOfficial } from "../search/OfficialSite.ts"
import * as WebAddress from "../search/WebAddress.ts"
import type { Entry } from "./Entry.ts"

export interface KnownEntry {
  readonly entry: Entry
  /** Publisher of the entry: a registrable domain, or the source where it has no address. */
  readonly site: string
}

/**
 * Canonical address of an entry. None for what is no plain web address: nothing else may stand in a
 * pack as one.
 */
export const addressOf = ({ source_url = "" }: Entry): Option.Option<WebAddress.WebAddress> =>
  WebAddress.canonical(source_url)

/**
 * Page of one passage, since an entry was cut when it was collected. An entry without an address is
 * named by its source, and the time it was collected is no date of it. It is official when this
 * service fetched it from a public body's site: a note or a node that names such an address is
 * somebody else's word.
 */
export const pageOfEntry = (source_id: string, { entry, site }: KnownEntry): Page => ({
  source_id,
  url: Option.match(addressOf(entry), {
    onNone: () => `evidence:${encodeURIComponent(site)}`,
    onSome: ({ href }) => href
  }),
  title: SourceTitle.clean(
    entry.title,
    Option.match(addressOf(entry), { onNone: () => site, onSome: ({ href }) => href })
  ),
  site,
  official: entry.official === true && entry.source_type === "web_search" &&
    Option.exists(addressOf(entry), ({ host }) => isOfficial(host)),
  ...(entry.published_date === undefined ? {} : { published_date: entry.published_date }),
  ...(entry.modified_date === undefined ? {} : { modified_date: entry.modified_date }),
  providers: ["store"],
  reader: "store",
  text: entry.text,
  text_sha256: entry.text_sha256,
  chunks: [{ start: 0, end: entry.text.length }]
})
