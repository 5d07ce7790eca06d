/**
 * What the recorded questions cost a model: requests and answers as they were recorded, and as the
 * same questions, pages and answers make them today. A token is taken as four characters.
 */
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import { Effect, Option, Result, Schema } from "effect"
import * as ChatClaimJudge from "../../src/adapters/openai/ChatClaimJudge.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as Eligibility from "../../src/domain/need/Eligibility.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { bareRequest } from "../bareRequest.ts"
import * as Inputs from "./inputs.ts"
import * as Recorded from "./recorded.ts"

const tokenChars = 4

interface Call {
  readonly step: string
  readonly input: string
  readonly output: string
}

const Body = Schema.Struct({
  request: Schema.Struct({
    messages: Schema.Array(Schema.Struct({ content: Schema.String })),
    response_format: Schema.Struct({ json_schema: Schema.Struct({ schema: Schema.Unknown }) })
  }),
  response: Schema.Struct({
    choices: Schema.Array(
      Schema.Struct({ message: Schema.Struct({ content: Schema.NullOr(Schema.String) }) })
    )
  })
})

const minified = (said: string): string =>
  Result.match(Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))(said), {
    onFailure: () => said,
    onSuccess: (value) => JSON.stringify(value)
  })

const asRecorded = (entry: Recorded.Entry): Call => {
  const { request, response } = Recorded.read(entry.file, Body)
  return {
    step: entry.step,
    input: inputOf(request.messages, request.response_format.json_schema.schema),
    output: minified(response.choices[0]?.message.content ?? "")
  }
}

const inputOf = (messages: ReadonlyArray<{ readonly content: string }>, schema: unknown): string =>
  [...messages.map(({ content }) => content), JSON.stringify(schema)].join("")

/** A model that notes what it is asked and answers by the form's name. */
const noting = (answers: Readonly<Record<string, (prompt: string) => unknown>>) => {
  const calls: Array<Call> = []
  const model: ChatModel.ChatModel = {
    model: "noting",
    ask: <A>(task: ChatModel.ChatTask<A>) =>
      Effect.suspend(() => {
        const { messages, shape } = task
        const answer = answers[shape.name]?.(messages.at(-1)?.content ?? "")
        calls.push({
          step: stepOf[shape.name] ?? shape.name,
          input: inputOf(
            ChatModel.bodyOf("noting", task, ChatModel.initial).messages,
            shape.jsonSchema
          ),
          output: JSON.stringify(answer)
        })
        return Effect.orDie(Schema.decodeUnknownEffect(shape.schema)(answer))
      })
  }
  return { calls, model }
}

const stepOf: Readonly<Record<string, string>> = {
  search_need: "gate",
  grounding_claims: "writer",
  claim_judgements: "judge",
  quote_translations: "translator"
}

/** Numbers of the shown sentences that a recorded quotation is made of. */
const numbersOf = (
  said: string,
  pages: ReturnType<typeof Recorded.pagesOf>,
  { sources }: ReturnType<typeof ChatPackWriter.shownOf>
): ReadonlyArray<string> => {
  const [, source = "", quote = ""] = /^\[(-?\d*)\]\s*(.*)$/s.exec(said) ?? []
  const page = pages.find(({ source_id }) => source_id === `s${source}`)
  const own = sources.findIndex(({ source_id }) => source_id === `s${source}`)
  if (page === undefined || own < 0) return []
  const found = QuotedPassage.find(QuotedPassage.searchable(page.text, page.chunks), quote)
  const quotations = sources[own]?.quotations ?? []
  return Option.match(found, {
    onNone: () => [],
    onSome: ({ end, start }) =>
      quotations.flatMap((one, place) => {
        const from = Math.max(quotations[place - 1]?.end ?? 0, one.start)
        return from < end && start < one.end ? [`${own + 1}.${place + 1}`] : []
      })
  })
}

const asToday = (
  persona: string,
  { qid, request: fields }: (typeof Recorded.Questions.Type)[number]
) => {
  const entryOf = (step: string) =>
    Recorded.first.find((one) =>
      one.persona === persona && one.question === qid && one.step === step
    )
  const valueOf = <A>(step: string, shape: ChatModel.OutputShape<A>): A | undefined => {
    const entry = entryOf(step)
    return entry === undefined ? undefined : Recorded.valueOf(shape, entry)
  }
  const { course_title } = fields
  const request = Schema.decodeUnknownSync(GroundingRequest)({
    ...bareRequest(String(course_title ?? ""), { user_asked_for_facts: false }),
    ...fields
  })
  const gate = valueOf("gate", ChatNeedGate.shape)
  const allowed = valueOf("gate", allowedShape)
  const planned = valueOf("planner", planShape)
  const draft = valueOf("writer", ChatPackWriter.shape)
  const judged = valueOf("judge", ChatClaimJudge.shape)
  const writing = entryOf("writer")
  const pages = writing === undefined ? [] : Recorded.pagesOf(Recorded.promptOf(writing))
  const chunks = chunksOf(pages)
  const shown = ChatPackWriter.shownOf({
    chunks,
    boundary: Inputs.boundary,
    question: Eligibility.questionOf(request)
  })
  const quotes = (draft?.claims ?? []).flatMap(({ from }) => from)
  const isShown = (quote: string) => numbersOf(quote, pages, shown).length > 0
  const { calls, model } = noting({
    search_need: () => ({
      ...gate,
      queries: (planned?.queries ?? []).slice(0, Math.max(0, (allowed?.max_queries ?? 1) - 1))
    }),
    grounding_claims: () => ({
      ...draft,
      claims: (draft?.claims ?? []).map(({ from, section, text }) => ({
        from: from.flatMap((quote) => numbersOf(quote, pages, shown)),
        section,
        text: section === "constraints_and_rules" ? "" : text
      }))
    }),
    claim_judgements: (prompt) => ({
      judgements: Array.from(prompt.matchAll(/^\[(\d+)\]>/gm), ([, number], place) => ({
        judgement: "supported",
        answering: "answers",
        against: [],
        ...judged?.judgements[place],
        claim: Number(number)
      }))
    }),
    quote_translations: (prompt) => ({
      translations: Array.from(prompt.matchAll(/^\[(\d+)\]= (.*)$/gm), ([, number, text]) => ({
        number: Number(number),
        text
      }))
    })
  })
  const asking = Effect.gen(function*() {
    if (gate !== undefined) yield* Effect.ignore(ChatNeedGate.make(model).ask(request))
    if (draft === undefined) return
    const written = yield* ChatPackWriter.make(model).ask({
      request,
      need: NeedRules.decide(request).search,
      chunks,
      boundary: Inputs.boundary,
      now: Inputs.now
    })
    const claims = PackAssembly.judgeable({ draft: written, pages })
    if (claims.length > 0) {
      yield* ChatClaimJudge.make(model).ask({
        claims,
        request,
        now: Inputs.now,
        boundary: Inputs.boundary
      })
    }
  })
  return Effect.as(Effect.ignore(asking), {
    calls,
    quotes: quotes.length,
    missing: quotes.filter((quote) => !isShown(quote)).map((quote) => `${qid}: ${quote}`)
  })
}

// Fields of recorded answers that no model is asked for today.

const allowedShape = ChatModel.shapeOf("allowed", Schema.Struct({ max_queries: Schema.Finite }))
const planShape = ChatModel.shapeOf(
  "search_plan",
  Schema.Struct({ queries: Schema.Array(Schema.String) })
)

const tokensIn = (texts: ReadonlyArray<string>): number =>
  Math.round(texts.reduce((sum, { length }) => sum + length, 0) / tokenChars)

const sumOf = (calls: ReadonlyArray<Call>) => ({
  calls: calls.length,
  input: tokensIn(calls.map(({ input }) => input)),
  output: tokensIn(calls.map(({ output }) => output))
})

/** Calls and tokens of the groundings of a persona, by step, before and today. */
export const tokens = (persona: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const questions = Recorded.index.length === 0
      ? []
      : Recorded.read("questions.json", Recorded.Questions)
    const before = Recorded.first.filter(({ persona: own, step }) =>
      own === persona && [...Object.values(stepOf), "planner"].includes(step)
    ).map(asRecorded)
    const asked = yield* Effect.forEach(questions, (one) => asToday(persona, one))
    const today = asked.flatMap(({ calls }) => calls)
    const missing = asked.flatMap(({ missing }) => missing)
    const lineOf = (name: string, isOf: (call: Call) => boolean) => {
      const [was, is] = [sumOf(before.filter(isOf)), sumOf(today.filter(isOf))]
      const change = (of: "input" | "output") =>
        `${was[of]} -> ${is[of]} (${
          (100 * (is[of] - was[of]) / Math.max(1, was[of])).toFixed(0)
        } %)`
      return `${name.padEnd(11)}calls ${was.calls} -> ${is.calls}  input ${change("input")}  ` +
        `output ${change("output")}`
    }
    const steps = new Set([...before, ...today].map(({ step }) => step))
    return [
      ...Array.from(steps, (step) => lineOf(step, (call) => call.step === step)),
      lineOf("all", () => true),
      `quotations not shown: ${missing.length} of ${
        asked.reduce((sum, { quotes }) => sum + quotes, 0)
      }`,
      ...missing
    ]
  })
