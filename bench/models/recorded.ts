/**
 * Recorded answers of models, read by today's parser and assembled by today's rules: how many are
 * taken at once, and what became of their claims. The pages are what the writer was shown. The
 * recordings lie in `../shared/data/real_model`; without them nothing is printed.
 */
import * as ChatAnswer from "@web-grounding/dialects/ChatAnswer"
import { Effect, Result, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as ChatClaimJudge from "../../src/adapters/openai/ChatClaimJudge.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import * as Eligibility from "../../src/domain/need/Eligibility.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import { standing } from "../../src/domain/pack/GroundingPack.ts"
import type { JudgedClaim } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import * as EvidenceBlock from "../../src/domain/view/EvidenceBlock.ts"
import { bareRequest } from "../bareRequest.ts"
import * as Inputs from "./inputs.ts"

const folder = join(import.meta.dirname, "../../../shared/data/real_model")
const shapes = {
  gate: ChatNeedGate.shape,
  writer: ChatPackWriter.shape,
  judge: ChatClaimJudge.shape
}

const Index = Schema.Array(Schema.Struct({
  file: Schema.String,
  persona: Schema.String,
  question: Schema.String,
  step: Schema.String,
  turn: Schema.Int,
  habit: Schema.String
}))
const Recording = Schema.Struct({
  request: Schema.Struct({ messages: Schema.Array(Schema.Struct({ content: Schema.String })) }),
  response: Schema.Unknown
})
export const Questions = Schema.Array(Schema.Struct({
  qid: Schema.String,
  request: Schema.Record(Schema.String, Schema.Unknown)
}))
export const read = <A>(path: string, schema: Schema.Codec<A, unknown>): A =>
  Schema.decodeUnknownSync(Schema.fromJsonString(schema))(readFileSync(join(folder, path), "utf8"))

export type Entry = (typeof Index.Type)[number]

export const valueOf = <A>(shape: ChatModel.OutputShape<A>, { file }: Entry): A | undefined => {
  const { text } = ChatAnswer.readAnswer(JSON.stringify(read(file, Recording).response))
  return Result.getOrUndefined(
    Result.flatMap(text, (said) => ChatModel.valueOf({ messages: [], shape, tokensMax: 0 }, said))
  )
}

export const promptOf = ({ file }: Entry): string =>
  read(file, Recording).request.messages[1]?.content ?? ""
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:\\|u\{([0-9a-f]+)\})/g,
    (_, code?: string) =>
      code === undefined ? "\\" : String.fromCodePoint(Number.parseInt(code, 16))
  )

/** Pages of a block: its excerpts of each, every one a passage. */
export const pagesOf = (prompt: string): ReadonlyArray<Page> => {
  const texts = new Map<string, Array<string>>()
  for (const [, source = "", more, text = ""] of prompt.matchAll(/^\[(\d+)\](\+)?[>!?] (.*)$/gm)) {
    const own = texts.get(source) ?? []
    texts.set(source, more === undefined ? [...own, text] : own.with(-1, `${own.at(-1)}\n${text}`))
  }
  return Array.from(prompt.matchAll(/^\[(\d+)\] (\S+)(?: \(([^)]*)\))?(.*)$/gm), (found) => {
    const [, source = "", site = "", aside = "", title = ""] = found
    const passages = (texts.get(source) ?? []).map(unescaped)
    const starts = passages.map((_, place) => passages.slice(0, place).join("\n\n").length)
    const [published_date] = /^\d{4}\S*/.exec(aside.replace(/^official, /, "")) ?? []
    return {
      source_id: `s${source}`,
      url: `https://${site}/${source}`,
      title: title.trim(),
      site,
      official: aside.startsWith("official"),
      ...(published_date === undefined ? {} : { published_date }),
      providers: ["mock" as const],
      reader: "web" as const,
      text: passages.join("\n\n"),
      text_sha256: source,
      chunks: passages.map((text, place) => {
        const start = (starts[place] ?? 0) + (place === 0 ? 0 : 2)
        return { start, end: start + text.length }
      })
    }
  })
}

/** Judgements by the words of the claims that were judged, as those that they are against. */
const judgedIn = (entry: Entry) => {
  const texts = new Map(
    Array.from(
      promptOf(entry).matchAll(/^\[(\d+)\]> (.*)$/gm),
      ([, number, text = ""]) => [Number(number), unescaped(text)] as const
    )
  )
  const textOf = (claim: number) => texts.get(claim) ?? ""
  return (valueOf(ChatClaimJudge.shape, entry)?.judgements ?? []).map((one) => ({
    ...one,
    text: textOf(one.claim),
    against: one.against.map(textOf)
  }))
}

export const index = existsSync(folder) ? read("index.json", Index) : []
export const first = index.filter(({ turn }) => turn === 1)
const share = (list: ReadonlyArray<boolean>) => `${list.filter((is) => is).length}/${list.length}`
const decoded = (step: string, entry: Entry): boolean => {
  const shape = Object.entries(shapes).find(([name]) => name === step)?.[1]
  return shape !== undefined && valueOf<unknown>(shape, entry) !== undefined
}

/** What is taken of first answers, by persona and step, and by the habits of reasoning models. */
export const taken = (): ReadonlyArray<string> => {
  const known = first.filter(({ step }) => step in shapes)
  const groups = Map.groupBy(
    known,
    ({ habit, persona, step }) => persona === "reason" ? `reason: ${habit}` : `${persona} ${step}`
  )
  return Array.from(
    groups,
    ([name, own]) =>
      `${name}: ${share(own.map((entry) => decoded(entry.step, entry)))} taken at once`
  )
}

/** Writers' answers of a persona to groundings, with the pages that they were shown. */
const draftsOf = (persona: string) => {
  const questions = index.length === 0 ? [] : read("questions.json", Questions)
  return first.filter((one) => one.persona === persona && one.step === "writer")
    .flatMap((entry) => {
      const asked = questions.find(({ qid }) => qid === entry.question)
      const said = valueOf(ChatPackWriter.shape, entry)
      if (asked === undefined || said === undefined || "course_title" in asked.request) return []
      const pages = pagesOf(promptOf(entry))
      const request = Schema.decodeUnknownSync(GroundingRequest)({
        ...bareRequest("", { user_asked_for_facts: false }),
        ...asked.request
      })
      const sources = pages.map(({ source_id }) => ({ source_id, quotations: [] }))
      const materials = {
        draft: ChatPackWriter.draftOf(said, sources),
        pages,
        request,
        need: NeedRules.decide(request).search,
        now: "2026-11-26T00:00:00.000Z"
      }
      return [{ entry, materials }]
    })
}

/** What became of the claims of a persona, with its judge and without one. */
export const packs = (persona: string): ReadonlyArray<string> => {
  const rows = draftsOf(persona).map(({ entry, materials }) => {
    const { draft, pages, request } = materials
    const judge = first.find((one) =>
      one.persona === persona && one.step === "judge" && one.question === entry.question
    )
    const judged = judge === undefined ? [] : judgedIn(judge)
    const asJudged = PackAssembly.judgeable({ draft, pages })
    const placesOf = (text: string) =>
      asJudged.flatMap((one) => one.text === text ? [one.claim] : [])
    const judgements = judged.flatMap(({ against, answering, judgement, text }) =>
      placesOf(text).map((claim): JudgedClaim => ({
        claim,
        judgement,
        answering,
        against: against.flatMap(placesOf)
      }))
    )
    const pack = PackAssembly.assemble({ ...materials, confidenceMax: 1, judgements })
    const charsMax = EvidenceBlock.evidenceCharsMax
    const block = EvidenceBlock.build({
      excerpts: EvidenceBlock.select({
        chunks: chunksOf(pages),
        question: Eligibility.questionOf(request),
        boundary: Inputs.boundary,
        charsMax,
        pack
      }),
      boundary: Inputs.boundary,
      charsMax
    }).excerpts.map(({ text }) => text).join("\n")
    const told = standing(pack).map(({ claim }) => claim)
    const quotes = told.flatMap(({ sources }) => sources.flatMap((source) => source.quotes))
    return { question: entry.question, proposed: draft.claims.length, pack, told, quotes, block }
  })
  const held = rows.flatMap(({ block, quotes }) => quotes.map(({ text }) => block.includes(text)))
  return [
    ...rows.map(({ block, pack, proposed, question, quotes, told }) =>
      `${question}  proposed ${proposed}  stand ${told.length}  set aside ` +
      `${pack.disputed_or_uncertain.map(({ reason }) => reason).join(", ") || "-"}  confidence ` +
      `${pack.confidence}  in the block ${share(quotes.map(({ text }) => block.includes(text)))}`
    ),
    `${persona}: ${rows.reduce((sum, { proposed }) => sum + proposed, 0)} claims proposed, ` +
    `${rows.reduce((sum, { told }) => sum + told.length, 0)} stand, ${share(held)} of their ` +
    "quotations in the block"
  ]
}

/** Claims of a persona that a pack keeps where the judge is not heard, and their confidence. */
export const unheard = (persona: string): Effect.Effect<string> =>
  Effect.gen(function*() {
    const rows = yield* Effect.forEach(draftsOf(persona), ({ materials }) =>
      Effect.gen(function*() {
        const { need, now, pages, request } = materials
        const local = PackAssembly.assemble({
          ...materials,
          confidenceMax: Confidence.localMax,
          draft: yield* LocalEngines.writer.ask({
            request,
            need,
            now,
            chunks: chunksOf(pages),
            boundary: Inputs.boundary
          })
        })
        const pack = PackAssembly.assemble({
          ...materials,
          confidenceMax: Confidence.localMax,
          unjudgedMax: local.confidence,
          judgements: []
        })
        const told = standing(pack).map(({ claim }) => claim)
        return { told, isSurer: pack.confidence > local.confidence }
      }))
    const told = rows.flatMap((row) => row.told)
    return `${persona}, its judge not heard: ${told.length} claims stand, ` +
      `${share(told.map(({ wording }) => wording !== "verbatim"))} in the model's words, ` +
      `${share(rows.map(({ isSurer }) => isSurer))} packs surer than without a model`
  })
