/** The regions DuckDuckGo knows, by its own codes: some are neither ISO countries nor languages. */
import { Option } from "effect"
import type { SearchMarket } from "../../domain/search/WebAddress.ts"

/** No region at all. */
const worldwide = "wt-wt"

/**
 * Regions that the page's own form offers (recorded 2025 and 2026). A country's first is its
 * default.
 */
const regions = (`ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr cl-es cn-zh co-es hr-hr
cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu is-is in-en id-en ie-en il-en it-it jp-jp
kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru xa-ar
sg-en sk-sk sl-sl za-en es-es es-ca se-sv ch-de ch-fr tw-tzh th-en tr-tr us-en us-es ua-uk uk-en
vn-en`).split(/\s+/)

const countryNames: Readonly<Record<string, string>> = { GB: "uk", SA: "xa", SI: "sl" }

/**
 * Region of the country, in the language where there is a choice; `wt-wt` for an unknown country.
 */
export const regionOf = ({ country, language }: SearchMarket): string => {
  const code = Option.orElse(country, () => likelyCountry(language))
  if (Option.isNone(code)) return worldwide
  const prefix = `${countryNames[code.value] ?? code.value.toLowerCase()}-`
  const offered = regions.filter((region) => region.startsWith(prefix))
  return offered.find((region) => region === prefix + language) ?? offered[0] ?? worldwide
}

/** Country with most speakers of the language; English alone names none. */
const likelyCountry = (language: string): Option.Option<string> =>
  language === "en" ? Option.none() : Option.flatMap(
    maximized(language),
    ({ region }) => Option.fromUndefinedOr(region)
  )

const maximized = Option.liftThrowable((language: string) => new Intl.Locale(language).maximize())
