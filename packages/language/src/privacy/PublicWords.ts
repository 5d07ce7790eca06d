/** Words with a capital that may leave with any statement: countries, peoples, places, things. */
import names from "./PublicNames.json" with { type: "json" }
import words from "./PublicWords.json" with { type: "json" }

const countriesAndLanguages = names.countriesAndLanguages.join("|")

const sets: ReadonlyArray<ReadonlySet<string>> = [
  countriesAndLanguages,
  names.zoneCities.join("|"),
  words.peoples,
  words.places,
  words.things
].map((list) => new Set(list.split("|")))

/** Whether the word, with or without an ending, names no private person. */
export const isPublic = (word: string): boolean => {
  const low = word.toLowerCase().replace(/['’]s?$|[.,]$/u, "")
  return sets.some((set) => set.has(low) || set.has(low.replace(/s$/, "")))
}

const countries: ReadonlySet<string> = new Set(countriesAndLanguages.split("|"))

/** Whether the word names a country, a language or what is of either. */
export const isCountry = (word: string): boolean => countries.has(word.toLowerCase())
