/** What becomes of claims, in the form the offline quality harness asks for. */
import { Effect } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import type { GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import type { JudgedClaim } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { bareRequest } from "../bareRequest.ts"

export interface AssembledClaim {
  readonly text: string
  readonly wording: string
  readonly section: string
}

interface Assembly {
  readonly question: string
  readonly sources: ReadonlyArray<{ readonly id: string; readonly text: string }>
  readonly claims: ReadonlyArray<{
    readonly text: string
    readonly quote: string
    readonly source_id: string
  }>
  /** A judge's verdict on each claim with its quotes. Absent: no judge. */
  readonly judge?: Judge
  /** What that judge says of the question; by default nothing. */
  readonly answering?: (
    pairs: ReadonlyArray<JudgedPair>
  ) => ReadonlyArray<NonNullable<JudgedClaim["answering"]>>
}

interface JudgedPair {
  readonly claim: string
  readonly quotes: ReadonlyArray<string>
}

type Judge = (
  pairs: ReadonlyArray<JudgedPair>
) => Promise<ReadonlyArray<JudgedClaim["judgement"]>>

const need: SearchNeed = {
  need_search: true,
  reason_codes: ["USER_ASKED"],
  max_queries: 1,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
}

const now = "2026-11-22T00:00:00.000Z"

const pageOf = (id: string, text: string): Page => ({
  source_id: id,
  url: `https://${id}.example/`,
  title: "",
  site: `${id}.example`,
  official: false,
  providers: ["mock"],
  reader: "web",
  text,
  text_sha256: sha256(text),
  chunks: chunksOfText(text)
})

/** Accepted and disputed claims. A judge that fails counts as silent. */
export const assemble = async (
  { answering, claims, judge, question, sources }: Assembly
): Promise<ReadonlyArray<AssembledClaim>> => {
  const pages = sources.map(({ id, text }) => pageOf(id, text))
  const draft = {
    claims: claims.map(({ quote, source_id, text }) => ({
      section: "key_points" as const,
      text,
      citations: [{ source_id, quote }]
    })),
    what_to_ask_user: []
  }
  const asked = PackAssembly.judgeable({ draft, pages })
  const pairs = asked.map(({ quotes, text }) => ({ claim: text, quotes }))
  const said = judge === undefined ? undefined : await judge(pairs).catch(() => [])
  const fits = answering?.(pairs)
  const judgements = said?.flatMap((judgement, place) => {
    const claim = asked[place]?.claim
    const fit = fits?.[place]
    return claim === undefined
      ? []
      : [{ claim, judgement, ...(fit === undefined ? {} : { answering: fit }) }]
  })
  return shown(PackAssembly.assemble({
    draft,
    pages,
    request: bareRequest(question, { user_asked_for_facts: true }),
    need,
    confidenceMax: 1,
    ...(judgements === undefined ? {} : { judgements }),
    now
  }))
}

/** Key points and rules that the local writer finds on one page. */
export const writtenHere = async (
  question: string,
  text: string
): Promise<ReadonlyArray<AssembledClaim>> => {
  const pages = [pageOf("s1", text)]
  const request = {
    ...bareRequest(question, { user_asked_for_facts: true }),
    user_question: question
  }
  const chunks = chunksOf(pages)
  const task = { request, need, chunks, boundary: "0".repeat(32), now }
  const draft = await Effect.runPromise(LocalEngines.writer.ask(task))
  const confidenceMax = Confidence.localMax
  const pack = PackAssembly.assemble({ draft, pages, request, need, confidenceMax, now })
  return shown(pack).filter(({ section }) =>
    section !== "disputed" && section !== "beside_question"
  )
}

const shown = (pack: GroundingPack): ReadonlyArray<AssembledClaim> => {
  const sections = [
    ["key_points", pack.key_points],
    ["norms_and_expectations", pack.norms_and_expectations],
    ["constraints_and_rules", pack.constraints_and_rules],
    ["disputed", pack.disputed_or_uncertain]
  ] as const
  return sections.flatMap(([section, claims]) =>
    claims.map(({ beside_question, text, wording = "none" }) => ({
      text,
      wording,
      section: beside_question === true ? "beside_question" : section
    }))
  )
}
