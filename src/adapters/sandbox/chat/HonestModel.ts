/** The sandbox's good model: answers from what it is sent, by rule, and from nothing else. */
import { Option } from "effect"
import * as NeedRules from "../../../domain/need/NeedRules.ts"
import * as KeySentences from "../../../domain/pack/KeySentences.ts"
import { sectionOf } from "../../../domain/pack/SectionOf.ts"
import { withoutCourtesy } from "../../../domain/plan/PlanRules.ts"
import * as TopicExtraction from "../../../domain/research/TopicExtraction.ts"
import { sentences } from "../../../domain/text/Sentences.ts"
import * as EvidenceBlock from "../../../domain/view/EvidenceBlock.ts"
import {
  askedOf,
  blockOf,
  type ChatRequest,
  courseOf,
  groundingOf,
  judgedOf,
  taskOf
} from "./ChatRequestRead.ts"

const claimsMax = 5
/** Of what stands for a module's title. */
const titleWordsMax = 8

export const answer = (request: ChatRequest): object => {
  switch (taskOf(request)) {
    case "gate":
      return need(request)
    case "planner":
      return plan(request)
    case "writer":
      return claims(request)
    case "judge":
      return judgements(request)
    case "researcher":
      return findings(request)
  }
}

/** Share of a claim's longer words that its quotes must hold. */
const heldMin = 0.6

/** By the longer words alone, which tells a claim of something else and no subtler lie. */
const judgements = (request: ChatRequest) => ({
  judgements: judgedOf(request).map(({ claim, quotes, text }) => {
    const said = text.toLowerCase().match(/\p{L}{4,}|\d+/gu) ?? []
    const quoted = quotes.join(" ").toLowerCase()
    const held = said.filter((word) => quoted.includes(word)).length
    const isSaid = held >= heldMin * said.length
    return {
      claim,
      judgement: isSaid ? "supported" : "unsupported",
      answering: "answers",
      against: []
    }
  })
})

/** Off the unmarked excerpts, each the text of its source. */
const findings = (request: ChatRequest) => {
  const excerpts = excerptsOf(request)
  const sources = Array.from(
    Map.groupBy(excerpts, ({ source }) => source),
    ([source, parts]) => ({
      url: String(source),
      title: "",
      site: "",
      official: false,
      text: parts.map(({ text }) => text).join("\n"),
      headings: []
    })
  )
  const draft = TopicExtraction.draftOf(courseOf(request), sources)
  const opening = ({ text, url }: (typeof sources)[number]) => {
    const [first] = sentences(text)
    const told = first === undefined ? "" : text.slice(first.start, first.end)
    const [clause = ""] = told.split(/[,;:.(]/)
    const title = clause.split(" ").slice(0, titleWordsMax).join(" ")
    return { title, description: told, source: Number(url) }
  }
  return { ...draft, modules: sources.map(opening) }
}

const need = (request: ChatRequest) => {
  const found = Option.map(groundingOf(askedOf(request)), (asked) => NeedRules.decide(asked).search)
  return Option.getOrElse(found, () => ({
    need_search: true,
    reason_codes: ["COMMON_PRACTICE"],
    max_queries: 1,
    max_sources_per_query: 5,
    search_depth: "basic",
    topic: "general"
  }))
}

const plan = (request: ChatRequest) => {
  const { queries_max = 1, question, region } = askedOf(request)
  const first = withoutCourtesy(question)
  const isNamed = region === undefined || first.includes(region)
  return {
    queries: [isNamed ? first : `${first} ${region}`, `${first} official rules`]
      .slice(0, queries_max),
    must_have_evidence: question.match(/\p{L}{5,}/gu)?.slice(0, 4) ?? [],
    official_source: false,
    agreeing_sources: 0,
    enough_results: 5
  }
}

const excerptsOf = (request: ChatRequest) =>
  Option.match(blockOf(request), {
    onNone: () => [],
    onSome: ({ boundary, text }) => EvidenceBlock.parse(text, boundary)
  })

/** Sentences of the unmarked excerpts, word for word. */
const claims = (request: ChatRequest) => {
  const { open_slots, question } = askedOf(request)
  const passages = excerptsOf(request).map(({ source, text }) => ({
    title: "",
    text,
    page: String(source)
  }))
  const found = KeySentences.select(question, passages, claimsMax)
  return {
    claims: found.flatMap(({ passage, text }) => {
      const source = Number(passages[passage]?.page)
      return [{
        quotes: [{ quote: text, source }],
        text: text.replace(/\s+/g, " "),
        section: sectionOf(text, [])
      }]
    }),
    what_to_ask_user: open_slots.slice(0, 2).map((slot) => ({
      q: `What is the ${slot.replaceAll("_", " ")}?`,
      why: "The answer depends on it."
    }))
  }
}
