/**
 * Writes the names of countries, languages and great cities that may leave with any statement.
 *
 * Writes `PublicNames.json` from the names that this
 * Node knows, so that every other Node reads the same. Cities are those that name a time zone.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const languages = ["en", "de", "fr", "es", "it", "pt", "ru", "ko", "ja", "zh"]
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
const codes = letters.flatMap((first) => letters.map((second) => first + second))

const namesIn = (language: string): ReadonlyArray<string> => {
  const regions = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
  const tongues = new Intl.DisplayNames(language, { type: "language", fallback: "none" })
  return codes.flatMap((code) => [regions.of(code), tongues.of(code.toLowerCase())])
    .filter((name) => name !== undefined)
    .flatMap((name) => name.toLowerCase().split(/ \(|\)|, | & /))
    .map((name) => name.trim()).filter((name) =>
      name.length > 1 && name !== "islands" && !/pseudo|unknown|unbekannt/.test(name)
    )
}

const cities = Intl.supportedValuesOf("timeZone")
  .filter((zone) => /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)\//.test(zone))
  .map((zone) => (zone.split("/").at(-1) ?? "").replaceAll("_", " ").toLowerCase())

const lines = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(names)].sort().reduce<ReadonlyArray<string>>((all, name) => {
    const last = all.at(-1) ?? ""
    return last.length + name.length < 95 && all.length > 0
      ? [...all.slice(0, -1), `${last}|${name}`]
      : [...all, name]
  }, [])

const written = {
  countriesAndLanguages: lines(languages.flatMap(namesIn)),
  zoneCities: lines(cities)
}
writeFileSync(
  join(import.meta.dirname, "../src/privacy/PublicNames.json"),
  `${JSON.stringify(written, undefined, 1)}\n`
)
