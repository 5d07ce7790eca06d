/** A query as DuckDuckGo takes it: searched for, never obeyed. */
import { type Domains, withSites } from "../../domain/search/WebAddress.ts"

/** Longest query, in UTF-16 code units; a longer one is refused. */
export const queryCharsMax = 499

export const queryText = (query: string, domains: Domains): string =>
  withSites(withoutCommands(query.toWellFormed()), domains, queryCharsMax)

/**
 * `!w` and `w!` lead to another site, a lone `!` and a leading backslash to the first result. The
 * first form is quoted, as SearXNG does; a mark at a word's end is only punctuation and goes.
 */
const withoutCommands = (query: string): string =>
  query.replace(/"[^"]*"|\S+/g, (word) => {
    if (/^[!\\]/.test(word)) return `'${word.replaceAll("'", "")}'`
    return word.startsWith("\"") ? word : word.replace(/!+$/, "")
  })
