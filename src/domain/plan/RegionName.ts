/** A region in words, in the language its query is written in. */
import { alsoCalled } from "@web-grounding/language/QuestionTerms"
import type { Region } from "../request/GroundingRequest.ts"

/** The language of a query: told by its script, else the locale's if that is written alike. */
const languageOf = (text: string, locale: string): string => {
  if (/\p{Script=Hangul}/u.test(text)) return "ko"
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja"
  const language = locale.split("-")[0]?.toLowerCase() ?? "en"
  if (/\p{Script=Han}/u.test(text)) return language === "ja" ? "ja" : "zh"
  return ["ko", "ja", "zh"].includes(language) ? "en" : language
}

/** City and country, whichever the text does not name yet; empty when it names both. */
export const missingFrom = (text: string, region: Region, locale: string): string => {
  const country = countryName(region.country, languageOf(text, locale))
  const english = countryName(region.country, "en")
  const isNamed = [country, english].some((name) => includes(text, name)) ||
    alsoCalled.get(region.country)?.test(text) === true
  const city = region.city?.trim() ?? ""
  const parts = [city !== "" && !includes(text, city) ? city : "", isNamed ? "" : country]
  return parts.filter((part) => part !== "").join(" ")
}

export const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames([language, "en"], { type: "region", fallback: "code" }).of(code) ?? code

const includes = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase())
