/** Words of a writer as plain text: no markup, no invisible characters, no address it made up. */
import * as CleanText from "./CleanText.ts"

const escape = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
const image = /!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)?|\[[^\]\n]{0,300}\])?/g
const link = /\[([^\]\n]{1,300})\]\([^)\n]{0,2000}\)?/g
const referenceLink = /^[ \t]{0,3}\[[^\]\n]{1,300}\]:\s*\S.{0,2000}$/gm
const element = /<\/?[a-z!?][^<>]{0,2000}>?/gi
const markup = /```+|~~~+|`|\*\*|__|^\s{0,3}(?:#{1,6}|>+)\s+/gm

const scheme = new RegExp(
  "(?:[a-z0-9+.-]{0,20}:\\/\\/|\\bwww\\.|\\b(?:javascript|data|mailto|vbscript|tel|blob|" +
    "file):(?=\\S))" +
    "[^\\s\"'<>)\\]」』）]*",
  "giu"
)
/** Sign of an address: most text has none, and is not searched at each letter. */
const schemeSign = /:|www\./iu
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})\\."
/** A word run together with the next sentence is no host: only endings in use, or with a path. */
const ending = "com|net|org|info|biz|gov|edu|mil|int|io|ai|app|dev|xyz|top|site|online|shop|" +
  "club|live|" +
  "link|click|page|store|tech|me|tv|cc|co|example|test|onion|jp|kr|cn|ru|uk|de|fr|us|eu|in|br|" +
  "au|ca|" +
  "it|es|nl|se|ch|tw|hk|sg|to|ly|gg"
const host = new RegExp(
  `(?<![\\p{L}\\p{N}.-])(?:${label}){1,8}` +
    `(?:(?:${ending}|${ending.toUpperCase()})(?![\\p{L}\\p{N}])` +
    "|xn--[a-z0-9-]{2,59}|[a-z]{2,24}(?=[/:]))(?::\\d{2,5})?(?:/[^\\s\"'<>)\\]]*)?",
  "gu"
)

/**
 * Text fit to be shown as it stands, at most `charsMax` UTF-16 code units, cut between words.
 * A host name stays only where `isKnown` says that fetched text holds it; full addresses never do.
 */
export const clean = (
  text: string,
  charsMax: number,
  isKnown: (host: string) => boolean
): string => {
  // Addresses may hide in full-width or mathematical letters.
  const bare = withoutMarkup(text.slice(0, charsMax * 4))
  const folded = bare.normalize("NFKC")
  const shown = folded !== bare && addressCount(folded) > addressCount(bare) ? folded : bare
  const schemeless = schemeSign.test(shown) ? shown.replace(scheme, " ") : shown
  const addressless = schemeless.replace(host, (name) => isKnown(name) ? name : " ")
  return cutBetweenWords(addressless.replace(/\s+/g, " ").trim(), charsMax)
}

/** Whether text holds an address that a reader could follow, even in full-width letters. */
export const hasLink = (text: string): boolean => {
  const folded = text.normalize("NFKC")
  return schemeSign.test(folded) && folded.search(scheme) >= 0
}

const addressCount = (text: string): number =>
  (text.match(scheme)?.length ?? 0) + (text.match(host)?.length ?? 0)

const withoutMarkup = (text: string): string =>
  CleanText.clean(text.replace(escape, "").replace(/[\t\u0085\u2028\u2029]+/g, "\n")).text
    .replace(image, " ").replace(link, "$1").replace(referenceLink, " ")
    .replace(element, " ").replace(markup, "")

/** Cuts a text between words where there are any, and never within a character. */
export const cutBetweenWords = (text: string, charsMax: number): string => {
  if (text.length <= charsMax) return text
  const space = text.lastIndexOf(" ", charsMax)
  return CleanText.cut(text, space > charsMax / 2 ? space : charsMax).trimEnd()
}
