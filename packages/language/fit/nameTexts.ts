/**
 * Texts that the tagger of private names is fitted to: rows with their secrets, the same with other
 * names, and sentences drawn from `training/names`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { spacedWords, unspacedWords } from "../src/privacy/PrivateText.ts"

export const training = join(import.meta.dirname, "training")

/** Files that the weights depend on, as patterns. */
export const fittedFiles: ReadonlyArray<string> = [
  "privacy/*.jsonl",
  "gate/??.jsonl",
  "names/*.json",
  "requests/*.jsonl"
].map((pattern) => join(training, pattern))

export interface Row {
  readonly set: string
  readonly language: string
  readonly text: string
  readonly secrets: ReadonlyArray<string>
  readonly needed: ReadonlyArray<string>
}

const parsed = (name: string) => JSON.parse(readFileSync(join(training, "names", name), "utf8"))

type Pool = Record<"first" | "last", ReadonlyArray<string>>
const pools: Record<string, Pool> = Object.fromEntries(
  Object.entries<Pool>(parsed("names.json")).map(([language, { first, last }]) => [
    language,
    { first: first.join("|").split("|"), last: last.join("|").split("|") }
  ])
)
type ByLanguage = Record<string, ReadonlyArray<string>>
const sentences: {
  readonly things: Record<string, ByLanguage>
  /** Full of public names. */
  readonly harmless: ByLanguage
  /** Relations and roles with what they have, take or ask for. */
  readonly related: ByLanguage
  readonly personal: ByLanguage
  readonly house: ByLanguage
} = parsed("sentences.json")

export const languages = ["en", "de", "fr", "es", "it", "pt", "ru", "ko", "ja", "zh"]
const ownScript = new Set(["ru", "ko", "ja", "zh"])
const unspaced = new Set(["ko", "ja", "zh"])

/** A number below 1 that is the same in each run. */
export const seeded = (start: number) => {
  let seed = start
  return (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}
export const random = seeded(777)
const isOnce = (share: number): boolean => random() < share
const picked = (all: ReadonlyArray<string> | undefined): string =>
  all?.[Math.floor(random() * all.length)] ?? ""

const poolOf = (language: string): Pool => {
  const isForeign = !ownScript.has(language) && isOnce(0.25)
  const pool = pools[isForeign ? "others" : language] ?? pools["en"]
  if (pool === undefined) throw new Error(`No names of ${language}`)
  return pool
}
const one = (name: string): string => name.split(" ")[0] ?? ""
const givenOf = (language: string): string => {
  const { first } = poolOf(language)
  const name = picked(first)
  if (language === "zh" && name.length === 1) return name + picked(first).slice(0, 1)
  return name.slice(0, language === "ko" ? 2 : 9)
}
const fullOf = (language: string): string => {
  const { first, last } = poolOf(language)
  return language === "ja"
    ? picked(last) + picked(first)
    : one(picked(last)) + givenOf(language)
}

const generic =
  /^(?:the|and|school|primary|high|hospital|lane|road|street|clinic|gmbh|ag|ltd|llc|inc|sarl|rue|calle|via|colegio|escola|university|dr|prof|mr|mrs|ms|herr|frau|sons|logistics|bakery|von|van|de|da|del|la|le|el|di|do|dos)\.?$/iu

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
/** The same form with other digits, and other letters next to them. */
const otherCode = (secret: string): string =>
  secret
    .replace(/\d/g, (digit) => digit === "0" && isOnce(0.5) ? digit : picked([..."0123456789"]))
    .replace(
      /(?<=\d|[A-Z]-?)[A-Z](?![a-z])|(?<![A-Za-z])[A-Z](?=\d|-\d|[A-Z]\d)/g,
      () => picked([...letters])
    )

/** Another secret of the same form; none of an address. */
const otherName = (secret: string, language: string): string | undefined => {
  if (/[@_]|^[\d\p{L}]+\.\p{Ll}{2}/u.test(secret)) return undefined
  if (/\d/.test(secret)) return otherCode(secret)
  if (/\.(?! )/u.test(secret)) return undefined
  if (/^\p{Script=Han}{2,4}$/u.test(secret)) {
    if (secret.length > 2) return fullOf(language === "ja" ? "ja" : "zh")
    if (language === "ja") return isOnce(0.5) ? picked(pools["ja"]?.last) : givenOf("ja")
    return isOnce(0.4) ? picked(pools["zh"]?.last) + givenOf("zh").slice(0, 1) : givenOf("zh")
  }
  if (/^[가-힣]{2,3}$/u.test(secret)) return secret.length > 2 ? fullOf("ko") : givenOf("ko")
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}'’. &-]+$/u.test(secret)) return undefined
  const words = secret.split(" ")
  const spaced = unspaced.has(language) ? "en" : language
  return words.map((word, at) => {
    if (generic.test(word) || word.length < 3) return word
    const { first, last } = poolOf(spaced)
    const isFirst = words.length === 1 ? isOnce(0.8) : at === 0
    const name = one(picked(isFirst ? first : last))
    if (/^\p{Ll}/u.test(word)) return name.toLowerCase()
    return /^\p{Lu}{3,}$/u.test(word) ? name.toUpperCase() : name
  }).join(" ")
}

/** As in a chat, without capitals. */
export const lowered = (row: Row): Row => ({
  ...row,
  text: row.text.toLowerCase().replace(/[!.](?=\s|$)/gu, (mark) => isOnce(0.5) ? "" : mark),
  secrets: row.secrets.map((secret) => secret.toLowerCase())
})

/** The row with other names in the place of its secrets, now and then without capitals. */
export const renamed = (row: Row): Row => {
  const names = new Map<string, string>()
  const secrets = row.secrets.toSorted((left, right) => right.length - left.length)
  for (const secret of secrets) {
    const name = otherName(secret, row.language)
    if (name === undefined) continue
    const parts = secret.split(" ")
    if (!parts.every((part) => names.has(part))) names.set(secret, name)
    parts.forEach((part, at) => {
      const own = name.split(" ")[at]
      if (own !== undefined && !names.has(part)) names.set(part, own)
    })
  }
  const nameOf = (secret: string) =>
    names.get(secret) ?? secret.split(" ").map((part) => names.get(part) ?? part).join(" ")
  const placed = secrets.reduce(
    (text, secret, at) => text.split(secret).join(String.fromCharCode(0xe000 + at)),
    row.text
  )
  const own = secrets.map(nameOf)
  const text = placed.replace(
    /[\ue000-\uf8ff]/gu,
    (mark) => own[mark.charCodeAt(0) - 0xe000] ?? mark
  )
  const other = { ...row, text, secrets: own }
  return /\p{Lu}/u.test(row.text) && isOnce(0.3) ? lowered(other) : other
}

const scriptOf = (language: string): string => ownScript.has(language) ? language : "latin"

const thingOf = (language: string, kind: string): string => {
  const isLatin = kind === "product" && isOnce(0.4)
  const things = sentences.things[language]?.[kind] ??
    sentences.things[isLatin ? "latin" : scriptOf(language)]?.[kind]
  return picked(things?.flatMap((some) => some.split("|")))
}
const harmlessText = (language: string): string =>
  filled(picked(sentences.harmless[language]), language, [])

/** The sentence with its slots filled, and what of it is private. */
const filled = (sentence: string, language: string, secrets: Array<string>): string => {
  const words = Object.entries({ ...spacedWords, ...unspacedWords })
    .find(([name]) => name === language)?.[1]
  const pool = poolOf(language)
  const secret = (name: string): string => {
    secrets.push(name)
    return name
  }
  return sentence.replace(/\{(\w+)\}/g, (slot, kind: string) => {
    if (kind === "first" || kind === "last") return secret(one(picked(pool[kind])))
    if (kind === "given") return secret(givenOf(language))
    if (kind === "full") return secret(fullOf(language))
    if (kind === "org") {
      return secret(filled(picked(sentences.house[scriptOf(language)]), language, []))
    }
    if (kind === "kin" || kind === "role" || kind === "title") {
      const least = unspaced.has(language) ? 1 : 3
      const word = picked(
        words?.[kind].split("|").filter((word) => word.length >= least && !word.includes("*"))
      )
      return language === "de" ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word
    }
    return thingOf(language, kind) || slot
  })
}

/** Sentences of which nothing is private. */
export const drawnHarmless = (
  kind: "harmless" | "related",
  count: number
): ReadonlyArray<Row> =>
  languages.flatMap((language) =>
    Array.from({ length: count }, () => {
      const text = filled(picked(sentences[kind][language]), language, [])
      const row = { set: "drawn", language, text, secrets: [], needed: [] }
      return isOnce(0.15) ? lowered(row) : row
    })
  )

const closing =
  /^(?:Thanks|Cheers|Best|Danke|Gruß|Merci|Bises|Gracias|Grazie|Obrigada|Спасибо|Regards|Viele|Cordial|Salu|Un abb|Un abr|Um abr|Abra|С ув)|드림$|より$|^——/u

const marks = [..." ,.;:!?…)]}(\"'*_~|/-–—·=#，。、；：！？）（】【」「』《》“”«»・～"]
/** Now and then between marks, as keyboards and other programs put them. */
const marked = (told: string): string =>
  isOnce(0.1) ? `${picked(marks)}${told}${picked(marks)}` : told

/** Sentences about a person, next to a question or as one. */
export const drawnPersonal = (count: number, asked: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  languages.flatMap((language) => {
    const questions = asked.filter((row) => row.language === language).map(({ text }) => text)
    return Array.from({ length: count }, () => {
      const secrets: Array<string> = []
      const told = Array.from(
        { length: isOnce(0.3) ? 2 : 1 },
        () => marked(filled(picked(sentences.personal[language]), language, secrets))
      )
      const question = isOnce(0.4) ? harmlessText(language) : picked(questions)
      const isAlone = told.length === 1 && /[?？か]$/u.test(told[0] ?? "") && isOnce(0.8)
      const isLast = told.some((sentence) => closing.test(sentence)) || isOnce(0.25)
      const gap = picked(language === "ja" || language === "zh" ? ["", "，"] : [" ", "\n", ", "])
      const open = gap === ", " ? told.map((sentence) => sentence.replace(/\.$/, "")) : told
      const parts = isAlone ? told : isLast ? [question, ...told] : [...open, question]
      const row = {
        set: "drawn",
        language,
        text: parts.join(gap),
        secrets,
        needed: []
      }
      return !unspaced.has(language) && isOnce(0.35) ? lowered(row) : row
    })
  })
