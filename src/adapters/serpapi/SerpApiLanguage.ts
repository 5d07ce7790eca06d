/** The interface languages that Google knows; SerpAPI refuses a search in any other. */
import { Option } from "effect"
import type { SearchMarket } from "../../domain/search/WebAddress.ts"

/** A part of SerpAPI's list: those that are written as in ISO 639-1. */
const languages: ReadonlySet<string> = new Set(
  (`af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu hi hr hu hy id is it
ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl ro ru si sk sl sq sr sv sw ta te th
tr uk ur uz vi zu`).split(/\s+/)
)

const otherNames: Readonly<Record<string, string>> = { fil: "tl", he: "iw", nb: "no", nn: "no" }

export const languageCode = ({ country, language }: SearchMarket): Option.Option<string> => {
  const place = Option.getOrElse(country, () => "")
  if (language === "zh") return Option.some(/^(?:TW|HK|MO)$/.test(place) ? "zh-tw" : "zh-cn")
  if (language === "pt") return Option.some(place === "BR" ? "pt-br" : "pt-pt")
  const name = otherNames[language] ?? language
  return name === "iw" || name === "tl" || languages.has(name) ? Option.some(name) : Option.none()
}
