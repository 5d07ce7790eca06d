/**
 * Keeps what the caller knows out of queries that something else than a rule has written.
 *
 * The question, the topic and the region may be searched for. Known facts and open slots may not:
 * no eight characters of them in a row, nor a whole code, as they stand or in the disguises that a
 * model could be talked into. Over all queries together, so that parts do not pass one by one.
 */
import * as Disguise from "@web-grounding/language/Disguise"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { standaloneQuestion } from "../need/StandaloneQuestion.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as RegionName from "./RegionName.ts"

/** Least run of shared letters and digits that counts as a leak. */
const runCharsMin = 8
/** A code with a digit in it tells something as a whole from here on. */
const codeCharsMin = 4
/** A longer word with digits or capitals inside is no word to search by, unless it was asked. */
const oddCharsMax = 10
/** The languages in which a region is told. */
const languages = ["en", "ko", "ja", "zh", "de", "fr", "es"]

/** Queries in their order, without those that would disclose something private. */
export const withoutLeaks = (
  queries: ReadonlyArray<string>,
  request: GroundingRequest
): ReadonlyArray<string> => {
  const open = openWords(request)
  const secrets = secretsOf(request, open)
  const isClean = (text: string) =>
    isEmpty(secrets) ||
    !Disguise.readings(text).some((reading) => holds(secrets, reading))
  const clean = queries.filter((query) => isPlain(query, open) && isClean(query))
  const rest = clean.map((query) => residue(query, open))
  return [clean, rest, rest.toReversed()].every((parts) => isClean(parts.join(" ")))
    ? clean
    : clean.filter((_, place) => rest[place] === "")
}

interface OpenWords {
  /** Letters and digits of everything that may be searched for, text by text. */
  readonly runs: ReadonlyArray<string>
  readonly words: ReadonlySet<string>
}

const openWords = (request: GroundingRequest): OpenWords => {
  const { locale, overrides, region, topic, user_question } = request
  const places = region === undefined ? [] : [
    region.city ?? "",
    ...[...languages, locale.split("-")[0] ?? "en"].map((language) =>
      RegionName.countryName(region.country, language)
    )
  ]
  const asked = [
    standaloneQuestion(request),
    topic,
    user_question ?? "",
    ...(overrides?.queries ?? [])
  ].map(QueryPrivacy.strip)
  const texts = [...asked, ...places]
  return {
    runs: texts.map(Disguise.compact),
    words: new Set(texts.flatMap((text) => wordsOf(text)))
  }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").split(/\s+/).map(Disguise.compact).filter((word) => word !== "")

interface Secrets {
  readonly runs: ReadonlySet<string>
  readonly codes: ReadonlyArray<string>
}

const secretsOf = (request: GroundingRequest, { runs, words }: OpenWords): Secrets => {
  const texts = [...request.known_facts, ...request.unknown_required_slots]
  const isOpen = (run: string) => runs.some((open) => open.includes(run))
  const secret = texts.map(Disguise.compact).flatMap((text) =>
    Array.from(
      { length: Math.max(0, text.length - runCharsMin + 1) },
      (_, start) => text.slice(start, start + runCharsMin)
    )
  )
  const codes = texts.flatMap(wordsOf).filter((word) =>
    /\p{N}/u.test(word) && word.length >= codeCharsMin && word.length < runCharsMin &&
    !words.has(word) && !year.test(word)
  )
  return {
    runs: new Set(secret.filter((run) => !isOpen(run))),
    codes: [...new Set(codes)].filter((code) => !isOpen(code))
  }
}

const isEmpty = ({ codes, runs }: Secrets): boolean => runs.size === 0 && codes.length === 0

const holds = ({ codes, runs }: Secrets, text: string): boolean => {
  for (let start = 0; start + runCharsMin <= text.length; start++) {
    if (runs.has(text.slice(start, start + runCharsMin))) return true
  }
  return codes.some((code) => text.includes(code))
}

/** Words of the query beyond those that were asked. */
const residue = (query: string, { words }: OpenWords): string =>
  query.split(/\s+/).filter((word) => !words.has(Disguise.compact(word))).join(" ")

/** No word that could only be a cipher, and no number but a year, unless it was asked. */
const isPlain = (query: string, { runs, words }: OpenWords): boolean =>
  query.split(/\s+/).every((word) => {
    const plain = Disguise.compact(word)
    if (plain === "" || words.has(plain) || runs.some((open) => open.includes(plain))) return true
    if (/^\p{N}+$/u.test(plain)) return year.test(plain)
    return plain.length <= oddCharsMax || !odd.test(word.replace(/^\p{P}+|\p{P}+$/gu, ""))
  })

const year = /^(?:19|20)\d\d$/
const odd = /\p{N}|[%+/=_\\]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
