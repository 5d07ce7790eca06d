/**
 * Answers written by people for a fixed set of requests: good, passable, wrong and malicious.
 * Nothing here uses a rule of the product, so that the product can be tested against it.
 */
import courses from "./answers/courses.json" with { type: "json" }
import elsewhere from "./answers/elsewhere.json" with { type: "json" }
import halvern from "./answers/halvern.json" with { type: "json" }
import japanHomes from "./answers/japanHomes.json" with { type: "json" }
import japanLife from "./answers/japanLife.json" with { type: "json" }
import korea from "./answers/korea.json" with { type: "json" }
import type { Excerpt, Judged } from "./ChatRequestRead.ts"

export const kinds = ["good", "mediocre", "wrong", "hostile"] as const
/** Kind of a written answer. All of them are well formed. */
export type Kind = (typeof kinds)[number]

type ByKind<A> = Readonly<Record<Kind, A>>

export interface WrittenNeed {
  /** The main one first. */
  readonly reasons: ReadonlyArray<string>
  /** 0: no search is needed. */
  readonly queries: number
  /** Default: general. */
  readonly topic?: string | undefined
}

/**
 * Quotes are word for word from one of the request's pages, unless invented. A reader's verdicts:
 * by the quotes alone, and whether it answers the request.
 */
export type WrittenClaim = Written["claims"][number]

/**
 * `pages`: names of corpus files, without `.md`. `expects`: whether a search is needed; what its
 * first query has: one of the regions, and the scripts (`latin`, `hangul` or `japanese`); empty for
 * none or any. `plan`: absent if no search is needed.
 */
export interface Written extends Omit<(typeof elsewhere)[number], "gate" | "plan"> {
  readonly also?: ReadonlyArray<string>
  readonly region?: { readonly country: string; readonly city?: string | undefined }
  readonly gate: ByKind<WrittenNeed>
  readonly plan?: ByKind<{ readonly queries: ReadonlyArray<string> }> | undefined
}

/** An excerpt is words of its source; empty: of none. */
export type WrittenCourse = typeof courses[number]
export type WrittenFindings = WrittenCourse["answers"]["good"]

export const requests: ReadonlyArray<Written> = [
  ...japanHomes,
  ...japanLife,
  ...korea,
  ...halvern,
  ...elsewhere
]

export { courses }

/** Ignores spaces, case and final marks. */
const plain = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").replace(/[\s?!.。]+$/u, "").trim()

const byQuestion = new Map(
  requests.flatMap((one) =>
    [one.question, ...one.also ?? []].map((said) => [plain(said), one] as const)
  )
)
const byTitle = new Map(
  courses.flatMap((one) =>
    [one.course_title, ...one.also ?? []].map((said) => [plain(said), one] as const)
  )
)

/** The request of the set with one of these wordings. */
export const requestOf = (...said: ReadonlyArray<string | undefined>): Written | undefined =>
  said.flatMap((text) => byQuestion.get(plain(text ?? "")) ?? [])[0]

export const courseOf = (title: string): WrittenCourse | undefined => byTitle.get(plain(title))

/** Text on one line: a quote may span several lines of a page. */
export const flat = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Numbers of the sentences of one source that form the quote. */
export const numbersOf = (
  quote: string,
  sentences: ReadonlyArray<Excerpt>
): ReadonlyArray<string> => {
  const wanted = flat(quote)
  const held = sentences.filter(({ text }) =>
    wanted.includes(flat(text)) || flat(text).includes(wanted)
  )
  return held.filter(({ source }) => source === held[0]?.source).map(({ number }) => number)
}

/** The claim of the set with this text and one of these quotes, first of the request itself. */
export const claimOf = (
  question: string,
  text: string,
  quotes: ReadonlyArray<string>
): WrittenClaim | undefined => {
  const asked = requestOf(question)
  const sent = quotes.map(flat)
  const isQuoted = (quote: string) =>
    sent.some((one) => one.includes(flat(quote)) || flat(quote).includes(one))
  return [...asked === undefined ? [] : [asked], ...requests]
    .flatMap(({ claims }) => claims)
    .find((claim) => flat(claim.text) === flat(text) && claim.quotes.some(isQuoted))
}

/** A supported claim by that kind of model on one of the quotes, in a request of that language. */
export const translationOf = (
  quotes: ReadonlyArray<string>,
  language: string,
  kind: Kind
): string | undefined => {
  const sent = quotes.map(flat)
  return requests.filter(({ locale }) => locale.split("-")[0] === language)
    .flatMap(({ claims }) => claims)
    .find(({ by, judgement, quotes: own }) =>
      by.includes(kind) && judgement === "supported" &&
      own.some((quote) => sent.some((one) => one.includes(flat(quote))))
    )?.text
}

// Answers to other requests: short, and only from what was sent.

const claimsMax = 5
const topicsMax = 4
const titleWordsMax = 6

/** Answer of a gate without knowledge of the question: search. */
export const need = {
  need_search: true,
  reason_codes: ["COMMON_PRACTICE"],
  queries: [],
  topic: "general"
}

const sentenceEnd = /(?<=[.!?])\s|(?<=[。！？])/u

const firstSentence = (text: string): string => text.trim().split(sentenceEnd)[0] ?? ""

const firstOfEach = (excerpts: ReadonlyArray<Excerpt>): ReadonlyArray<Excerpt> => {
  const usable = excerpts.filter(({ isMarked }) => !isMarked)
  return usable.filter(({ source }, place) =>
    usable.findIndex((other) => other.source === source) === place
  )
}

export const claims = (sentences: ReadonlyArray<Excerpt>) => ({
  claims: firstOfEach(sentences).slice(0, claimsMax)
    .map(({ number, text }) => ({ from: [number], section: "key_points", text })),
  questions: []
})

/** Verdict on a claim: supported only if its quotes contain it word for word. */
export const verdict = ({ quotes, text }: Judged) =>
  flat(quotes.join(" ")).includes(flat(text))
    ? { judgement: "supported", answering: "answers" }
    : { judgement: "unsupported", answering: "beside" }

/** A module of each source, titled by its first words. Topics are words of its title. */
export const findings = (title: string, excerpts: ReadonlyArray<Excerpt>) => {
  const whole = excerpts.map(({ text }) => text.toLowerCase()).join("\n")
  return {
    key_topics: (title.match(/\p{L}{3,}/gu) ?? []).filter((word) =>
      whole.includes(word.toLowerCase())
    ).slice(0, topicsMax),
    modules: firstOfEach(excerpts).map(({ source, text }) => {
      const description = flat(firstSentence(text))
      return {
        title: description.split(" ").slice(0, titleWordsMax).join(" "),
        description,
        source
      }
    }),
    learning_objectives: [],
    skills: []
  }
}

/** A module for each source, supported by its beginning, without made-up outcomes. */
export const outline = (excerpts: ReadonlyArray<Excerpt>) => ({
  modules: firstOfEach(excerpts).map(({ source, text }) => {
    const quote = firstSentence(text)
    return {
      title: flat(quote).split(" ").slice(0, titleWordsMax).join(" "),
      description: flat(quote),
      support: [{ source, quote }]
    }
  }),
  outcomes: []
})
