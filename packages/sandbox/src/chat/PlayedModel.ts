/**
 * The sandbox's models that answer in good form: what was written for a request of the set, and for
 * any other what a careful model might say that knows none of the product's rules.
 */
import {
  askedOf,
  type ChatRequest,
  courseOf,
  excerptsOf,
  isOutlined,
  type Judged,
  judgedOf,
  judgedQuestionOf,
  taskOf
} from "./ChatRequestRead.ts"
import * as GenericModel from "./GenericModel.ts"
import * as MaliciousModel from "./MaliciousModel.ts"
import * as WrittenAnswers from "./WrittenAnswers.ts"

const sourcesPerQuery = 5
/** A number that no source has. */
const nowhere = 0

export const answer = (request: ChatRequest, kind: WrittenAnswers.Kind): object => {
  switch (taskOf(request)) {
    case "gate":
      return need(request, kind)
    case "planner":
      return plan(request, kind)
    case "writer":
      return claims(request, kind)
    case "judge":
      return kind === "hostile" ? MaliciousModel.answer(request) : judgements(request, kind)
    case "translator":
      return kind === "hostile" ? MaliciousModel.answer(request) : translations(request, kind)
    case "researcher":
      return findings(request, kind)
  }
}

const writtenFor = (request: ChatRequest): WrittenAnswers.Written | undefined => {
  const { as_asked, question, topic } = askedOf(request)
  return WrittenAnswers.requestOf(question, as_asked, topic)
}

const need = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const written = writtenFor(request)?.gate[kind]
  if (written === undefined) return GenericModel.need
  return {
    need_search: written.queries > 0,
    reason_codes: written.reasons,
    max_queries: written.queries,
    max_sources_per_query: sourcesPerQuery,
    search_depth: written.depth ?? "basic",
    topic: written.topic ?? "general"
  }
}

const plan = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const asked = askedOf(request)
  const written = writtenFor(request)?.plan?.[kind]
  if (written === undefined) return GenericModel.plan(asked)
  return {
    queries: written.queries.slice(0, asked.queries_max),
    must_have_evidence: written.must,
    official_source: written.official,
    agreeing_sources: written.agreeing,
    enough_results: written.enough
  }
}

/** Each quote is looked for among what was sent; a claim none of whose quotes was is left out. */
const claims = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const written = writtenFor(request)
  const excerpts = excerptsOf(request)
  if (written === undefined) return GenericModel.claims(askedOf(request), excerpts)
  const shown = excerpts.filter(({ isMarked }) => !isMarked || kind === "hostile")
  const found = (quote: string) => {
    const source = shown.find(({ text }) =>
      WrittenAnswers.flat(text).includes(WrittenAnswers.flat(quote))
    )
    return source === undefined ? [] : [{ quote, source: source.source }]
  }
  return {
    claims: written.claims.filter(({ by }) => by.includes(kind)).flatMap((claim) => {
      const quotes = claim.invented === true
        ? claim.quotes.map((quote) => ({ quote, source: shown[0]?.source ?? nowhere }))
        : claim.quotes.flatMap(found)
      return quotes.length === 0 ? [] : [{ quotes, text: claim.text, section: claim.section }]
    }),
    what_to_ask_user: written.ask[kind]
  }
}

const judgements = (request: ChatRequest, kind: "good" | "mediocre" | "wrong") => {
  const question = judgedQuestionOf(request)
  return {
    judgements: judgedOf(request).map((judged) => ({
      claim: judged.claim,
      ...inThe(kind, verdictOn(question, judged)),
      against: []
    }))
  }
}

/** Translations that were written as claims on the same quotes, by a model of that kind. */
const translations = (request: ChatRequest, kind: WrittenAnswers.Kind) => ({
  translations: judgedOf(request).flatMap(({ claim, quotes, text: language }) => {
    const text = WrittenAnswers.translationOf(quotes, language, kind)
    return text === undefined ? [] : [{ number: claim, text }]
  })
})

interface Verdict {
  readonly judgement: string
  readonly answering: string
}

const verdictOn = (question: string, judged: Judged): Verdict =>
  WrittenAnswers.claimOf(question, judged.text, judged.quotes) ?? GenericModel.verdict(judged)

/** A reader's verdict as a judge of that kind gives it. */
const inThe = (
  kind: "good" | "mediocre" | "wrong",
  { answering, judgement }: Verdict
): Verdict => {
  switch (kind) {
    case "good":
      return { judgement, answering }
    case "mediocre":
      // Takes most for all, and what is told for what was asked.
      return {
        judgement: judgement === "partly" ? "supported" : judgement,
        answering: "answers"
      }
    case "wrong":
      return {
        judgement: judgement === "supported" ? "unsupported" : "supported",
        answering: answering === "answers" ? "beside" : "answers"
      }
  }
}

const findings = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const excerpts = excerptsOf(request).filter(({ isMarked }) => !isMarked)
  const title = courseOf(request)
  const written = WrittenAnswers.courseOf(title)?.answers[kind]
  if (written === undefined) {
    const said = GenericModel.findings(title, excerpts)
    return isOutlined(request) ? { ...said, outline: GenericModel.outline(excerpts) } : said
  }
  const sourceOf = (words: string) =>
    excerpts.find(({ text }) => WrittenAnswers.flat(text).includes(WrittenAnswers.flat(words)))
      ?.source
  const { outcomes, ...said } = written
  const modules = written.modules.flatMap(({ description, excerpt, title }) => {
    const source = excerpt === "" ? nowhere : sourceOf(excerpt)
    return source === undefined ? [] : [{ title, description, source, quote: excerpt }]
  })
  const findings = { ...said, modules: modules.map(({ quote: _, ...module }) => module) }
  if (!isOutlined(request)) return findings
  return {
    ...findings,
    outline: {
      modules: modules.map(({ description, quote, source, title }) => ({
        title,
        description,
        support: [{ source, quote }]
      })),
      outcomes: outcomes.flatMap(({ excerpt, text }) => {
        const source = excerpt === "" ? nowhere : sourceOf(excerpt)
        return source === undefined ? [] : [{ text, source, quote: excerpt }]
      })
    }
  }
}
