/** Sentences that hold an identifier behind its word, for fitting the tagger of private words. */
import { spacedWords, unspacedWords } from "../src/privacy/PrivateText.ts"
import type { Row } from "./nameTexts.ts"

/** `9` stands for any digit, `A` and `a` for any letter. */
const codes = [
  ...["99999", "999999", "99999999", "9999999999", "99999999999", "999-999-999", "999.999.999-99"],
  ...["99999999A", "A9999999", "AA999999", "AAA-999999", "AA99 9999 9999 9999 9999 99", "AAAAAA"],
  ...["A9A9A9", "AA9A9A", "9999/99", "99/9999/9999", "AA-99-999999", "9999-9999999-9999999"],
  ...["A-9999", "AAA9999", "999 999 999", "9A9999999A", "999999-9999999", "AAA/9999/99", "99-999"],
  ...["AA 9999 99", "9999-99-9999", "aaa99999", "99-9999-99999", "AAA 999", "9999 AAA"],
  ...["9999 9999 9999 9999", "99 99 99 99 9999"]
]
const phones = [
  ...["0999 9999999", "+99 999 999 9999", "099.99.99.99.99", "(999) 999-9999", "999-999-9999"],
  ...["09 99 99 99 99", "+9 (999) 999-99-99", "999 999 999", "010-9999-9999", "090-9999-9999"],
  ...["139 9999 9999", "+999999999999", "09999/999999"]
]
const passwords = [
  ...["aaaa9999!", "9999", "Aaaaa_9999", "aaaa-aaaa-99", "AaaaaAaaa99", "999999", "Aaaaaa9#"]
]

/** What is between the word and its value, `_`, and after that. */
const joins: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [" _", ": _", " is _", " no. _", " number _", " #_", " (_)", " is: _"],
  de: [" _", ": _", " ist _", " lautet _", " Nr. _", " (_)"],
  fr: [" _", " : _", " est _", " n° _", " est le _", " (_)"],
  es: [" _", ": _", " es _", " nº _", " es el _", " (_)"],
  it: [" _", ": _", " è _", " n. _", " (_)"],
  pt: [" _", ": _", " é _", " nº _", " é o _", " (_)"],
  ru: [" _", ": _", " № _", " — _", " (_)"],
  ko: [" _", ": _", "는 _인데", "가 _입니다", " (_)"],
  ja: ["は_です", "：_", "が_ですが", " _", "（_）", ":_"],
  zh: ["是_", "：_", "为_", " _", "（_）", ":_"]
}
const isUnspaced = (language: string): boolean => ["ko", "ja", "zh"].includes(language)

const shares = { password: 0.12, phone: 0.2, bare: 0.5, owned: 0.6, first: 0.7 }

/** `count` sentences a language, each next to one of the questions. */
export const drawnCodes = (
  count: number,
  asked: ReadonlyArray<Row>,
  random: () => number
): ReadonlyArray<Row> => {
  const isOnce = (share: number): boolean => random() < share
  const below = (size: number): number => Math.floor(random() * size)
  const picked = (all: ReadonlyArray<string> | undefined): string => all?.[below(all.length)] ?? ""
  const filled = (form: string): string =>
    form.replace(
      /[9Aa]/g,
      (place) =>
        place === "9" ? `${below(10)}` : String.fromCharCode(place.charCodeAt(0) + below(26))
    )
  return Object.entries({ ...spacedWords, ...unspacedWords }).flatMap(([language, words]) => {
    const questions = asked.filter((row) => row.language === language).map(({ text }) => text)
    return Array.from({ length: count }, (): Row => {
      const isPassword = isOnce(shares.password)
      const isPhone = !isPassword && isOnce(shares.phone)
      const value = filled(picked(isPassword ? passwords : isPhone ? phones : codes))
      const entries = (isPassword ? words.pass : words.code).split("|")
      const word = picked(entries.filter((entry) => entry !== "" && !entry.includes("*")))
      const name = language === "de" ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word
      const isOwned = !isUnspaced(language) && isOnce(shares.owned)
      const told = isPhone && isOnce(shares.bare)
        ? value
        : `${isOwned ? `${picked(words.my.split("|"))} ` : ""}${name}` +
          picked(joins[language]).replace("_", () => value)
      const gap = picked(["ja", "zh"].includes(language) ? ["。", "，", "\n"] : [". ", "\n", ", "])
      const question = picked(questions)
      const text = isOnce(shares.first) ? `${told}${gap}${question}` : `${question} ${told}`
      return { set: "drawn", language, text, secrets: [value], needed: [] }
    })
  })
}
