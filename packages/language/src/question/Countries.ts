/** Finds the countries that a text names, in its own language or in English. */
import { Function } from "effect"
import * as Languages from "../language/Languages.ts"
import { remembered } from "../language/Remembered.ts"
import type { Language } from "../language/words/Language.ts"
import called from "./CountryNames.json" with { type: "json" }

/** How a country is also called, and its people; its names are known without this. */
export const alsoCalled: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(called).map(([code, form]) => [code, new RegExp(form, "iu")])
)

/** Two capitals of ISO 3166, without codes that were given up for another. */
const codes = Array.from(
  { length: 26 * 26 },
  (_, place) => String.fromCharCode(65 + Math.floor(place / 26), 65 + place % 26)
)
  .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)

/** A shorter name is also an ordinary word, or a part of one. */
const nameCharsMin = 4

interface Names {
  readonly pattern: RegExp
  readonly codeByName: ReadonlyMap<string, string>
}

/** Names in a language, made by the first text in it. */
const namesIn = Function.memoize(({ code: language, isSpaced }: Language): Names => {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" })
  const least = isSpaced ? nameCharsMin : 2
  const codeByName = new Map(
    codes.flatMap((code) => {
      const name = names.of(code)?.toLowerCase()
      return name === undefined || name.length < least ? [] : [[name, code] as const]
    })
  )
  const longestFirst = Array.from(codeByName.keys())
    .toSorted((left, right) => right.length - left.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const before = isSpaced ? "(?<!\\p{L})" : ""
  return { pattern: new RegExp(`${before}(?:${longestFirst.join("|")})`, "giu"), codeByName }
})

/**
 * Countries that a text names, as ISO 3166 codes of two letters. A name's beginning counts:
 * "Japanese" names Japan.
 */
export const countriesIn: (text: string) => ReadonlySet<string> = remembered((text) => {
  const found = new Set<string>()
  for (const language of new Set([Languages.languageOf(text), Languages.ofLocale("en")])) {
    const { codeByName, pattern } = namesIn(language)
    for (const [name] of text.matchAll(pattern)) {
      const code = codeByName.get(name.toLowerCase())
      if (code !== undefined) found.add(code)
    }
  }
  for (const [code, pattern] of alsoCalled) if (pattern.test(text)) found.add(code)
  return found
})

/** The country of a site's last label, if it is one; `gov.uk` is of `GB`. */
export const ofSite = (site: string): string | undefined => {
  const label = site.slice(site.lastIndexOf(".") + 1).toUpperCase()
  return label === "UK" ? "GB" : codes.find((code) => code === label)
}
