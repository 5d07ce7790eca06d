/** The country and the language that a search is for, as far as the caller says. */
import { Option } from "effect"
import type { Region } from "../request/GroundingRequest.ts"

export interface SearchMarket {
  /** ISO 639, lower case. */
  readonly language: string
  /** ISO 3166-1 alpha-2, upper case: the region's, else the one named in the locale. */
  readonly country: Option.Option<string>
}

export const marketOf = (
  { locale, region }: { readonly locale: string; readonly region?: Region }
): SearchMarket => {
  const [language = "", ...subtags] = locale.split("-")
  const ofLocale = subtags.find((subtag) => /^[A-Za-z]{2}$/.test(subtag))?.toUpperCase()
  return {
    language: language.toLowerCase(),
    country: Option.fromUndefinedOr(region?.country ?? ofLocale)
  }
}
