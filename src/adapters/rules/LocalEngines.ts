/** The local engines: gate, planner, reader and so on. They need no network and cannot fail. */
import { chunksOfSnippet } from "@web-grounding/language/Chunking"
import * as KeySentences from "@web-grounding/language/KeySentences"
import { passagesOf } from "@web-grounding/language/PassageWords"
import * as Relevance from "@web-grounding/language/Relevance"
import { Array as Arr, Effect } from "effect"
import type { Engine, PageText, WritingTask } from "../../application/ports/Engines.ts"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import * as ClaimPlacement from "../../domain/pack/ClaimPlacement.ts"
import type { DraftClaim, PackDraft } from "../../domain/pack/GroundingPack.ts"
import { sectionOf } from "../../domain/pack/PackAssembly.ts"
import * as PrimaryWord from "../../domain/pack/PrimaryWord.ts"
import * as TopicSentences from "../../domain/pack/TopicSentences.ts"
import type { Chunk } from "../../domain/page/Page.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import * as TopicExtraction from "../../domain/research/TopicExtraction.ts"

export const gate: Engine<"gate", never> = {
  info: { engine: "rules", version: "gate-6" },
  ask: (request) =>
    Effect.sync(() => NeedRules.decide(request).search).pipe(
      Effect.withSpan("RuleNeedGate.decide")
    )
}

export const planner: Engine<"planner", never> = {
  info: { engine: "rules", version: "planner-6" },
  ask: ({ need, now, request }) =>
    Effect.sync(() => PlanRules.plan(request, need, yearOf(now))).pipe(
      Effect.withSpan("RuleQueryPlanner.plan")
    )
}

/** The request's moment is ISO 8601 UTC, so its year comes first. */
const yearOf = (iso: string): number => Number(iso.slice(0, 4))

// The provider's snippet is the page.

export const reader: Engine<"reader", never> = {
  info: { engine: "snippet", version: "2" },
  ask: ({ content }) =>
    Effect.sync(() => pageOf(content)).pipe(Effect.withSpan("SnippetPageReader.read"))
}

const pageOf = (text: string): PageText | undefined => {
  const chunks = chunksOfSnippet(text)
  return chunks.length === 0 ? undefined : { reader: "snippet", text, chunks }
}

export const ranker: Engine<"ranker", never> = {
  info: { engine: "lexical", version: "5" },
  ask: ({ chunks, question }) =>
    Effect.sync(() => Relevance.scores(question, passagesOf(chunks)))
      .pipe(Effect.withSpan("LexicalReranker.score"))
}

// Extractive writer: quotes sentences word for word. Related ones that do not answer are marked.

const claimsMax = 6
/** Most claims of a topic, before duplicates are merged. */
const topicClaimsMax = 10
/** Candidates before weak ones are dropped; agreement between sources shows only among many. */
const candidatesMax = 14
/** Least shares of the question's words and of the best score; lower for character pairs. */
const coverageMin = { words: 0.3, pairs: 0.21, han: 0.21 } as const
const scoreShareMin = 0.5
/** Most related sentences shown when nothing answers. */
const besideMax = 3

export const writer: Engine<"writer", never> = {
  info: { engine: "rules", version: "writer-21" },
  ask: (task) => Effect.sync(() => draft(task)).pipe(Effect.withSpan("QuotingPackWriter.write"))
}

const draft = (task: WritingTask): PackDraft =>
  Eligibility.isTopicAlone(task.request) ? topicDraft(task) : answerDraft(task)

/** Draft on a topic: the rules that hold in its world, else its norms. */
const topicDraft = ({ chunks, request }: WritingTask): PackDraft => {
  const topic = Eligibility.questionOf(request)
  const place = request.region === undefined
    ? ""
    : PlanRules.missingFrom(topic, request.region, request.locale)
  const found = TopicSentences.select(`${topic} ${place}`, passagesOf(chunks), topicClaimsMax)
  const claims = found.flatMap(({ passage, text }): ReadonlyArray<DraftClaim> => {
    const source_id = chunks[passage]?.page.source_id
    const section = sectionOf(text, [])
    return source_id === undefined ? [] : [{
      section: section === "key_points" ? "norms_and_expectations" : section,
      text: text.replace(/\s+/g, " "),
      citations: [{ source_id, quote: text }]
    }]
  })
  return { claims: claims.reduce(withCorroboration, []), what_to_ask_user: [] }
}

/** Least share of the question's terms in a sentence that may give its answer. */
const agreeingShareMin = 0.3
type Citation = DraftClaim["citations"][number]

const answerDraft = ({ chunks, need, request }: WritingTask): PackDraft => {
  const question = Eligibility.questionOf(request)
  const passages = passagesOf(chunks)
  const found = KeySentences.select(question, passages, candidatesMax)
  const best = Math.max(0, ...found.map(({ score }) => score))
  const least = coverageMin[KeySentences.scriptOf(question)]
  const judged = KeySentences.judge(question, passages, found).filter(
    ({ answering, coverage, score }) =>
      answering === "answers" || (coverage >= least && score >= scoreShareMin * best)
  )
  const isAnswered = judged.some(({ answering }) => answering === "answers")
  const told = isAnswered ? besideLast(officialFirst(judged, chunks)) : judged.slice(0, besideMax)
  const quotations = ClaimPlacement.quotationsIn(chunks)
    .map(({ end, page: { source_id, text }, start }) => ({
      source_id,
      quote: text.slice(start, end)
    }))
    .filter(({ quote }) => PrimaryWord.speaksOf(question, quote, agreeingShareMin))
  const claims = told.flatMap(({ answering, passage, text }): ReadonlyArray<DraftClaim> => {
    const source_id = chunks[passage]?.page.source_id
    if (source_id === undefined) return []
    const own = { source_id, quote: text }
    return [{
      section: sectionOf(text, need.reason_codes),
      text: text.replace(/\s+/g, " "),
      citations: answering === "answers" ? [own, ...agreeing(question, own, quotations)] : [own],
      ...(answering === "beside" ? { beside_question: true } : {})
    }]
  })
  return { claims: claims.reduce(withCorroboration, []), what_to_ask_user: [] }
}

/** A sentence of each other page that gives the same answer in other words. */
const agreeing = (
  question: string,
  answer: Citation,
  quotations: ReadonlyArray<Citation>
): ReadonlyArray<Citation> => {
  const found = quotations.filter(({ quote, source_id }) =>
    source_id !== answer.source_id && PrimaryWord.agree(question, answer.quote, quote)
  )
  return Arr.dedupeWith(found, (one, other) => one.source_id === other.source_id)
}

/** Puts the best answer of each official page first, so that others do not fill the last slots. */
const officialFirst = (
  list: ReadonlyArray<KeySentences.AnsweringSentence>,
  chunks: ReadonlyArray<Chunk>
): ReadonlyArray<KeySentences.AnsweringSentence> => {
  const best = new Map<string, KeySentences.AnsweringSentence>()
  for (const sentence of list) {
    const page = chunks[sentence.passage]?.page
    if (sentence.answering !== "answers" || page?.official !== true) continue
    const known = best.get(page.source_id)
    if (known === undefined || known.score < sentence.score) best.set(page.source_id, sentence)
  }
  const ahead = Array.from(best.values())
  return [...ahead, ...list.filter((sentence) => !ahead.includes(sentence))]
}

/** Puts related sentences last, so that they displace no sentence that adds to an answer. */
const besideLast = (
  list: ReadonlyArray<KeySentences.AnsweringSentence>
): ReadonlyArray<KeySentences.AnsweringSentence> => [
  ...list.filter(({ answering }) => answering !== "beside"),
  ...list.filter(({ answering }) => answering === "beside")
]

/** A sentence equal in meaning to a selected claim becomes its second source. */
const withCorroboration = (
  claims: ReadonlyArray<DraftClaim>,
  claim: DraftClaim
): ReadonlyArray<DraftClaim> => {
  const place = claims.findIndex(({ beside_question, text }) =>
    beside_question === claim.beside_question && ClaimPlacement.isAlike(text, claim.text)
  )
  const other = claims[place]
  if (other !== undefined) {
    return claims.with(place, { ...other, citations: [...other.citations, ...claim.citations] })
  }
  return claims.length < claimsMax ? [...claims, claim] : claims
}

// Judge that leaves the verdicts of the code's checks unchanged.

export const judge: Engine<"judge", never> = {
  info: { engine: "rules", version: "judge-1" },
  ask: () => Effect.succeed([])
}

// Researcher without a model: copies words, titles and sentences from the sources.

export const researcher: Engine<"researcher", never> = {
  info: { engine: "rules", version: "researcher-4" },
  ask: ({ course: { course_title }, documents, sources }) =>
    Effect.sync(() => {
      const draft = TopicExtraction.draftOf(course_title, sources)
      return documents === undefined
        ? draft
        : {
          ...draft,
          outline: TopicExtraction.outlineOf(course_title, { documents, draft, sources })
        }
    })
}
