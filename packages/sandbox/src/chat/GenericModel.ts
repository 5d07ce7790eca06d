/**
 * Answers of the sandbox's models to requests that nobody wrote answers for: little, and nothing
 * that was not sent. It shares no rule with the product.
 */
import type { Asked, Excerpt, Judged } from "./ChatRequestRead.ts"
import { flat } from "./WrittenAnswers.ts"

const claimsMax = 5
const questionsMax = 3
const topicsMax = 4
/** Most words of what stands for a module's title. */
const titleWordsMax = 6

/** Gate's answer of a model that knows nothing of the question: search. */
export const need = {
  need_search: true,
  reason_codes: ["COMMON_PRACTICE"],
  max_queries: 1,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
}

export const plan = ({ question, region }: Asked) => ({
  queries: [region === undefined || question.includes(region) ? question : `${question} ${region}`],
  must_have_evidence: [],
  official_source: false,
  agreeing_sources: 0,
  enough_results: 0
})

/** Break after a sentence, where the text goes on. */
const sentenceEnd = /(?<=[.!?])\s|(?<=[。！？])/u

const firstSentence = (text: string): string => text.trim().split(sentenceEnd)[0] ?? ""

/** The first usable excerpt of each source. */
const firstOfEach = (excerpts: ReadonlyArray<Excerpt>): ReadonlyArray<Excerpt> => {
  const usable = excerpts.filter(({ isMarked }) => !isMarked)
  return usable.filter(({ source }, place) =>
    usable.findIndex((other) => other.source === source) === place
  )
}

/** Writer's answer that quotes the beginning of each source, word for word. */
export const claims = ({ open_slots }: Asked, excerpts: ReadonlyArray<Excerpt>) => ({
  claims: firstOfEach(excerpts).slice(0, claimsMax).flatMap(({ source, text }) => {
    const quote = firstSentence(text)
    return quote === ""
      ? []
      : [{ quotes: [{ quote, source }], text: flat(quote), section: "key_points" }]
  }),
  what_to_ask_user: open_slots.slice(0, questionsMax).map((slot) => ({
    q: `What is the ${slot.replaceAll("_", " ")}?`,
    why: "It is not known."
  }))
})

/** Verdict on a claim: supported only where it stands word for word in its quotes. */
export const verdict = ({ quotes, text }: Judged) =>
  flat(quotes.join(" ")).includes(flat(text))
    ? { judgement: "supported", answering: "answers" }
    : { judgement: "unsupported", answering: "beside" }

/** A module of each source, called by how it begins. Topics are words of the title that it has. */
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

/** A module for each source, supported by its beginning; what is to be learnt is not made up. */
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
