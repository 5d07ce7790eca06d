/** The names Tavily knows countries by: full English ones in lower case; it refuses ISO codes. */
import { Option } from "effect"
import countries from "./TavilyCountries.json" with { type: "json" }

/**
 * Tavily's country names by ISO 3166-1 alpha-2 code. Every name of Tavily's OpenAPI document of
 * 2026-08 stands here once.
 */
const nameByCode: Readonly<Record<string, string>> = countries

/**
 * Name that Tavily gives a country (ISO 3166-1 alpha-2). None for one that it does not list: the
 * hint is left out then, not refused.
 */
export const nameOf = (code: string): Option.Option<string> =>
  Object.hasOwn(nameByCode, code) ? Option.fromNullishOr(nameByCode[code]) : Option.none()

export const names: ReadonlySet<string> = new Set(Object.values(nameByCode))

const codeByName = new Map(Object.entries(nameByCode).map(([code, name]) => [name, code]))

/** ISO 3166-1 alpha-2 of a name as Tavily spells it, in whichever case. */
export const codeOf = (name: string): Option.Option<string> =>
  Option.fromUndefinedOr(codeByName.get(name.trim().toLowerCase()))
