/** A region in words, in the language its query is written in. */
import type { Region } from "../request/GroundingRequest.ts"

/** How a country is also called; its name in the query's language is known without this. */
const alsoCalled: ReadonlyMap<string, RegExp> = new Map([
  [
    "US",
    new RegExp(
      "\\b(?:usa?|u\\.s\\.(?:a\\.)?|america|united states|california|texas|new york)\\b|미국|米国|" +
        "アメリカ",
      "iu"
    )
  ],
  ["GB", /\b(?:uk|u\.k\.|britain|british|england|scotland|wales)\b|영국|英国|イギリス/iu],
  ["KR", /\b(?:korean?|rok|seoul|busan)\b|한국|韓国/iu],
  ["JP", /\b(?:japan(?:ese)?|tokyo|osaka|kyoto)\b|일본|日本/iu],
  ["CN", /\b(?:china|chinese|prc|beijing|shanghai)\b|중국|中国/iu],
  ["DE", /\b(?:german(?:y)?|berlin|munich)\b|독일|ドイツ|deutsch/iu],
  ["FR", /\b(?:france|french|paris)\b|프랑스|フランス/iu],
  ["ES", /\b(?:spain|spanish|madrid|barcelona)\b|스페인|スペイン|españa/iu],
  ["NL", /\b(?:netherlands|dutch|holland|amsterdam)\b|네덜란드|オランダ/iu],
  ["AE", /\b(?:uae|emirates|dubai|abu dhabi)\b/iu]
])

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
