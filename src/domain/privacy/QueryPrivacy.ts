/**
 * Takes personal data out of words that leave for a search provider.
 *
 * What the question is about stays: institutions, years, amounts, places. A person the user names
 * without claiming to be or know them, as by a role of private life, is taken for a public matter
 * and stays too.
 */
import { addressPatterns } from "./PersonalAddresses.ts"
import { datePatterns } from "./PersonalDates.ts"
import { namePatterns } from "./PersonalNames.ts"
import { numberPatterns, secretPatterns } from "./PersonalNumbers.ts"
import { placePatterns } from "./PersonalPlaces.ts"
import { isOnesOwn, ownRolePatterns, rolePatterns } from "./PrivateRoles.ts"

/** Read of a text; a query is cut far below it. In UTF-16 code units. */
const textCharsMax = 4_000
/** Taking one thing out may lay another bare. */
const passesMax = 3

/** Idempotent. Empty when nothing but personal data was there. */
export const strip = (text: string): string => {
  const start = tidy(hostsOnly(text.slice(0, textCharsMax).toWellFormed().normalize("NFKC")))
  return pass(start, passesMax)
}

const pass = (text: string, passesLeft: number): string => {
  const rest = tidy(once(text))
  return rest === text || passesLeft === 1 ? rest : pass(rest, passesLeft - 1)
}

const once = (text: string): string =>
  [
    ...addressPatterns,
    ...secretPatterns,
    // A date or number beside a name shows whose it is, so the names go first.
    ...namePatterns,
    ...rolePatterns,
    ...(isOnesOwn(text) ? ownRolePatterns : []),
    ...(/\p{N}/u.test(text) ? [...datePatterns, ...numberPatterns, ...placePatterns] : [])
  ].reduce((rest, pattern) => rest.replace(pattern, " "), text)

/** A link is reduced to its host when it carries credentials, a query, a fragment or an id. */
const hostsOnly = (text: string): string =>
  text.replace(
    link,
    (whole, host: string, path: string) =>
      /[@?#=&]/.test(whole) || /(?=[\w-]*\d)[\w-]{12,}/.test(path)
        ? `${host} ${path.match(glued)?.[0] ?? ""}`
        : whole
  )

/** A phone number written right behind a link stays in sight of the patterns. */
const glued = /\+\d{1,3}$/

const link = /https?:\/\/(?:[^\s/@]*@)?([\p{L}\p{N}.-]+)(?::\d+)?([^\s<>"']*)/giu

const dangling = new RegExp(
  "(?<!\\p{L})(?:(?:and |or )?(?:my|our) (?:e-?mail|phone|mobile|account|card|passport|" +
    "iban|address|name|number)(?: (?:address|number))? is|(?:you can )?(?:reach|contact|call|" +
    "e-?mail) me (?:at|on))(?=\\s*(?:[,.;:!?]|$|and\\b|or\\b))",
  "giu"
)

const tidy = (text: string): string =>
  text.replace(dangling, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replace(/\(\s*\)|\[\s*\]|"\s*"|「\s*」/gu, " ")
    .replace(/\s+([,.;:!?、。])/gu, "$1")
    .replace(/([,;:、])(?:\s*[,;:、])+/gu, "$1")
    .replace(/^(?:[\s,.;:!、。-]|(?:and|but|so|or)(?=[\s,]))+|[\s,;:、(-]+$/giu, "")
    .replace(/\s+/gu, " ")
    .trim()
