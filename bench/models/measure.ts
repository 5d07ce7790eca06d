/**
 * One model against what people wrote: the five tasks, each by itself, over the same requests and
 * pages. What the product does with the answers is the product's own code.
 */
import { Effect } from "effect"
import { courses, requests } from "../../packages/sandbox/src/chat/WrittenAnswers.ts"
import * as ChatClaimJudge from "../../src/adapters/openai/ChatClaimJudge.ts"
import type { ChatModel } from "../../src/adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as ChatResearcher from "../../src/adapters/openai/ChatResearcher.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import * as OutlineFindings from "../../src/domain/research/OutlineFindings.ts"
import { bareRequest } from "../bareRequest.ts"
import { all, type Answered, type Cost } from "./asking.ts"
import * as Inputs from "./inputs.ts"
import * as Standing from "./standing.ts"

/** Of so many. */
export interface Share {
  readonly held: number
  readonly of: number
}

export interface Measured {
  readonly cost: Cost
  readonly shares: Readonly<Record<string, Share>>
}

export type Task = "gate" | "writer" | "judge" | "researcher"
export type Report = Readonly<Record<Task, Measured>>

export const model = Effect.fnUntraced(function*(asked: ChatModel) {
  const report: Report = {
    gate: yield* gate(asked),
    writer: yield* writer(asked),
    judge: yield* judge(asked),
    researcher: yield* researcher(asked)
  }
  return report
})

/** How many of them hold; what was not answered does not. */
const share = <A>(list: ReadonlyArray<A>, holds: (one: A) => boolean): Share => ({
  held: list.filter(holds).length,
  of: list.length
})

const answeredWell =
  <Input, Answer>(holds: (input: Input, answer: Answer) => boolean) =>
  ({ answer, input }: Answered<Input, Answer>): boolean =>
    answer !== undefined && holds(input, answer)

const scripts: Readonly<Record<string, RegExp>> = {
  latin: /\p{Script=Latin}/u,
  hangul: /\p{Script=Hangul}/u,
  japanese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
}

const gate = Effect.fnUntraced(function*(asked: ChatModel) {
  const engine = ChatNeedGate.make(asked)
  const { answers, cost } = yield* all(requests, (one) => engine.ask(Inputs.requestOf(one)))
  type Check = ReturnType<typeof answeredWell<(typeof requests)[number], Proposed>>
  const agrees: Check = answeredWell(({ expects }, { need_search }) =>
    need_search === expects.search
  )
  const isPlaced: Check = answeredWell(({ expects }, { queries: [first = ""] = [] }) =>
    expects.region.length === 0 ||
    expects.region.some((word) => first.toLowerCase().includes(word))
  )
  const isRead: Check = answeredWell(({ expects }, { queries = [] }) =>
    queries.every((query) => expects.scripts.some((name) => scripts[name]?.test(query) === true))
  )
  const labelled = (search: boolean) =>
    answers.filter(({ input }) => input.expects.search === search)
  const planned = answers.filter(({ answer, input }) =>
    input.expects.search && (answer?.queries ?? []).length > 0
  )
  return {
    cost,
    shares: {
      "searches what is to be searched": share(labelled(true), agrees),
      "leaves what is not": share(labelled(false), agrees),
      "region in the first query": share(planned, isPlaced),
      "queries in a fitting script": share(planned, isRead)
    }
  }
})

interface Proposed {
  readonly need_search: boolean
  readonly queries?: ReadonlyArray<string>
}

/** The model judges its own claims, as it would in a grounding. */
const writer = Effect.fnUntraced(function*(asked: ChatModel) {
  const corpus = yield* Inputs.corpus
  const engine = ChatPackWriter.make(asked)
  const own = ChatClaimJudge.make(asked)
  const shown = requests.filter(({ pages }) => pages.length > 0)
  const { answers, cost } = yield* all(shown, (one) => {
    const pages = Inputs.pagesOf(corpus, one)
    return engine.ask({
      request: Inputs.requestOf(one),
      need: Inputs.need,
      chunks: chunksOf(pages),
      boundary: Inputs.boundary,
      now: Inputs.now
    })
  })
  const fates = yield* Effect.forEach(answers, ({ answer, input }) =>
    answer === undefined
      ? Effect.succeed(Standing.none)
      : Standing.fatesOf(own, Inputs.requestOf(input), Inputs.pagesOf(corpus, input), answer))
  const claims = fates.flatMap((one) => one.claims)
  const of = (fate: Standing.Fate) => share(claims, (one) => one.fate === fate)
  const read = claims.filter(({ verdict }) => verdict !== undefined && verdict !== "supported")
  return {
    cost,
    shares: {
      "requests answered": share(fates, ({ isAnswered }) => isAnswered),
      "claims that stand in their words": of("own words"),
      "claims that stand as quoted": of("as quoted"),
      "claims refused by its judge": of("refused"),
      "claims vetoed": of("vetoed"),
      "claims set aside": of("set aside"),
      "claims without a quotation": of("unfound"),
      "untrue claims told all the same": share(read, ({ fate }) => fate === "own words")
    }
  }
})

/** Claims of people with their verdicts, one question's claims at a time. */
const judge = Effect.fnUntraced(function*(asked: ChatModel) {
  const engine = ChatClaimJudge.make(asked)
  const judged = requests.flatMap(({ claims, question }) => {
    const quoted = claims.filter(({ invented }) => invented !== true)
    return quoted.length === 0 ? [] : [{ question, claims: quoted }]
  })
  const { answers, cost } = yield* all(judged, ({ claims, question }) =>
    engine.ask({
      request: bareRequest(question, { user_asked_for_facts: true }),
      now: Inputs.now,
      boundary: Inputs.boundary,
      claims: claims.map(({ quotes, text }, claim) => ({ claim, text, quotes, from: [] }))
    }))
  const pairs = answers.flatMap(({ answer, input }) =>
    input.claims.map((claim, place) => ({
      claim,
      said: answer?.filter((one) => one.claim === place)[0]
    }))
  )
  const isTrue = ({ claim }: (typeof pairs)[number]) => claim.judgement === "supported"
  return {
    cost,
    shares: {
      "lies caught": share(
        pairs.filter((pair) => !isTrue(pair)),
        ({ said }) => said !== undefined && said.judgement !== "supported"
      ),
      "truths passed": share(pairs.filter(isTrue), ({ said }) => said?.judgement === "supported"),
      "same judgement": share(pairs, ({ claim, said }) => said?.judgement === claim.judgement),
      "same bearing on the question": share(
        pairs,
        ({ claim, said }) =>
          said !== undefined &&
          (said.answering === "answers") === (claim.answering === "answers")
      )
    }
  }
})

const researcher = Effect.fnUntraced(function*(asked: ChatModel) {
  const corpus = yield* Inputs.corpus
  const engine = ChatResearcher.make(asked)
  const { answers, cost } = yield* all(courses, (one) =>
    engine.ask({
      course: {
        course_title: one.course_title,
        audience_category: "general",
        depth_requirement: "introduction",
        learning_mode: "self_paced"
      },
      locale: one.locale,
      sources: Inputs.sourcesOf(corpus, one),
      boundary: Inputs.boundary
    }))
  const kept = answers.map(({ answer, input }) => {
    const draft = answer ??
      { key_topics: [], modules: [], learning_objectives: [], skills: [] }
    return {
      draft,
      findings: OutlineFindings.checkedFindings(draft, Inputs.sourcesOf(corpus, input))
    }
  })
  const sum = (of: (one: (typeof kept)[number]) => number) =>
    kept.reduce((total, one) => total + of(one), 0)
  return {
    cost,
    shares: {
      "topics that a source bears": {
        held: sum(({ findings }) => findings.key_topics_found.length),
        of: sum(({ draft }) => draft.key_topics.length)
      },
      "modules that their source bears": {
        held: sum(({ findings }) => findings.recommended_modules.length),
        of: sum(({ draft }) => draft.modules.length)
      }
    }
  }
})
