/** Whether a text is the page at all: CAPTCHAs, walls, soft errors and garbled text are not. */
import * as Languages from "@web-grounding/language/Languages"
import { Schema } from "effect"
import listed from "./GateWords.json" with { type: "json" }

/**
 * - `captcha`, `blocked`: the site requires a human, or refuses access.
 * - `consent_wall`, `login_wall`: consent or an account is required to see the page.
 * - `moved`: only a link to another page.
 * - `soft_404`: there is no such page, or only a domain.
 * - `js_shell`: it requires scripts.
 * - `garbled`: decoded with the wrong charset.
 */
export const NoPage = Schema.Literals([
  "captcha",
  "blocked",
  "consent_wall",
  "login_wall",
  "moved",
  "soft_404",
  "js_shell",
  "garbled"
])
export type NoPage = typeof NoPage.Type

interface ReadText {
  readonly title?: string
  readonly text: string
}

/**
 * A text longer than `charsMax` is a page, whatever words it holds; the words are at most
 * `openingCharsMax` from its start. In UTF-16 code units.
 */
const formOf = (
  fault: keyof typeof listed.forms,
  { charsMax, openingCharsMax, words }: typeof listed.forms.captcha
) => ({ fault, charsMax, openingCharsMax, words: new RegExp(words.join("|"), "iu") })

const consentWall = formOf("consent_wall", listed.forms.consent_wall)
const forms = [
  formOf("captcha", listed.forms.captcha),
  formOf("blocked", listed.forms.blocked),
  formOf("soft_404", listed.forms.soft_404),
  formOf("moved", listed.forms.moved),
  formOf("js_shell", listed.forms.js_shell),
  formOf("login_wall", listed.forms.login_wall),
  consentWall
]
/** A page with such a title is about the subject. */
const aboutConsent = new RegExp(listed.consentSubject.join("|"), "iu")
/** Share of the text in sentences about consent from which it is a consent wall. */
const consentShareMin = 0.6
const sentenceEnds = /\p{STerm}\s*|\n/u

export const noPageOf = ({ text, title = "" }: ReadText): NoPage | undefined => {
  if (isGarbled(text)) return "garbled"
  const found = forms.find(({ charsMax, fault, openingCharsMax, words }) =>
    text.length <= charsMax &&
    (words.test(title) || words.test(text.slice(0, openingCharsMax))) &&
    (fault !== "consent_wall" || isOfConsent(title, text)) &&
    (fault !== "captcha" && fault !== "blocked" || isChallenge({ text, title }, words))
  )
  return found?.fault ?? (isPaidConsent(title, text) ? "consent_wall" : undefined)
}

/** Prose of its own from which a text only speaks of a challenge; less where it quotes words. */
const ownProseCharsMin = 1_000
const quotingProseCharsMin = 300
const ownSentenceCharsMin = 40
const quoted = /["“”„«»「」『』][^"“”„«»「」『』\n]{1,160}["“”„«»「」『』]/gu

const isChallenge = ({ text, title = "" }: ReadText, words: RegExp): boolean => {
  const own =
    sentencesOf(text).filter((sentence) =>
      sentence.length >= ownSentenceCharsMin && !words.test(sentence)
    ).join("").length
  if (own < quotingProseCharsMin) return true
  return own < ownProseCharsMin && words.test(`${title}\n${text}`.replace(quoted, ""))
}

/** A longer text is a page, whatever its markup holds. In UTF-16 code units. */
const wallCharsMax = 2_000
/** Challenges are short; the scripts of other pages are not searched for one. */
const challengeCharsMax = 100_000
/** Longest remaining text of a page with a password field, whatever its title. */
const formCharsMax = 250
const challengeMarks = new RegExp(listed.challengeMarks.join("|"), "i")
const loginTitle = new RegExp(`(?:^|[|–—:·-]\\s*)(?:${listed.loginTitles})`, "iu")

interface ReadMarkup extends ReadText {
  readonly html: string
  /** The page's heading; empty without one. */
  readonly heading: string
  readonly hasPassword: boolean
}

/** The same for HTML, also by its markup and heading. */
export const noPageIn = (page: ReadMarkup): NoPage | undefined => {
  const { hasPassword, heading, html, text, title = "" } = page
  if (text.length > wallCharsMax) return undefined
  const names = [title, heading]
  if (challengeMarks.test(html.slice(0, challengeCharsMax))) return "captcha"
  const isLogin = text.length <= formCharsMax || names.some((name) => loginTitle.test(name))
  if (hasPassword && isLogin) return "login_wall"
  return noPageOf({ text, title: heading })
}

/** Whether a part of a page asks for consent: in the words of a wall, or in two on the subject. */
export const asksConsent = (text: string): boolean =>
  consentWall.words.test(text) ||
  new Set(text.toLowerCase().match(new RegExp(aboutConsent, "giu"))).size > 1

const sentencesOf = (text: string) =>
  text.split(sentenceEnds).filter((sentence) => sentence.trim().length > 8)

const isOfConsent = (title: string, text: string, subject = aboutConsent): boolean => {
  const sentences = sentencesOf(text)
  const about = sentences.filter((sentence) => subject.test(sentence))
  return !aboutConsent.test(title) &&
    about.join("").length >= consentShareMin * sentences.join("").length
}

const paidConsent = new RegExp(
  [...listed.consentSubject, ...listed.advertising, ...listed.subscription].join("|"),
  "iu"
)
const subscription = new RegExp(listed.subscription.join("|"), "iu")
/** Words that speak to the reader, in languages without patterns of their own. */
const otherReader = new RegExp(listed.reader.join("|"), "iu")

/** Consent or a subscription, as the reader likes: the wall speaks of both, and to the reader. */
const isPaidConsent = (title: string, text: string): boolean => {
  if (text.length > consentWall.charsMax || !subscription.test(text)) return false
  const { reader } = Languages.patternsOf(Languages.languageOf(text))
  const isTwiceOf = (...subjects: ReadonlyArray<RegExp>) =>
    sentencesOf(text).filter((of) => subjects.some((form) => form.test(of))).length > 1
  return isTwiceOf(aboutConsent) && isTwiceOf(reader, otherReader) &&
    isOfConsent(title, text, paidConsent)
}

/** Start of a text that is tested for wrong decoding, in UTF-16 code units. */
const lookedCharsMax = 20_000
/** Fewer odd letters may be a name or a formula. */
const oddLettersMin = 8
const garbledShareMin = 0.1
const partlyShareMin = 0.01
const mojibakeShareMin = 0.3

const lostLetters = /[\ufffd\p{Co}\u0080-\u009f]/gu
/** UTF-8 decoded as windows-1252, and Asian letters as Latin ones among signs. */
const mojibake =
  /[ÂÃâãåæçèéìíêëïÐÑØÙ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[À-ÿ][¡-¬®-¿]|[¡-¬®-¿][À-ÿ]/gu

const countOf = (text: string, form: RegExp): number => text.match(form)?.length ?? 0

const isGarbled = (text: string): boolean => {
  const start = text.slice(0, lookedCharsMax)
  const letters = countOf(start, /[^\p{ASCII}\s]/gu)
  if (letters < oddLettersMin) return false
  return countOf(start, lostLetters) > garbledShareMin * countOf(start, /\S/gu) ||
    countOf(start, mojibake) > mojibakeShareMin * letters
}

const goesOnBehind = new RegExp(listed.goesOnBehind.join("|"), "iu")
const endCharsMax = 300

/** Whether a text is only part of its page: its end asks for an account, or letters are lost. */
export const isPartial = (text: string): boolean => {
  const start = text.slice(0, lookedCharsMax)
  return goesOnBehind.test(text.slice(-endCharsMax)) ||
    countOf(start, lostLetters) > Math.max(1, partlyShareMin * countOf(start, /\S/gu))
}
