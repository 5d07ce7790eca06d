/** The requests that people wrote answers for, as the engines are given them. */
import { NodeServices } from "@effect/platform-node"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import type { Written, WrittenCourse } from "../../packages/sandbox/src/chat/WrittenAnswers.ts"
import * as Corpus from "../../packages/sandbox/src/corpus/Corpus.ts"
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import type { Page, Span } from "../../src/domain/page/Page.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import type { SourceText } from "../../src/domain/research/Fit.ts"
import { isOfficial } from "../../src/domain/search/SourceClass.ts"
import * as RegistrableDomain from "../../src/infrastructure/RegistrableDomain.ts"

const corpusDirectory = "packages/sandbox/corpus"
/** When the questions are asked: after the youngest page of the corpus. */
export const now = "2026-11-22T00:00:00.000Z"
/** Of a prompt's box; not to be guessed by a page, and the corpus was there before. */
export const boundary = "5f0c1e9ab77d4c3286d1f4ab90e3c7d8"

const decodeRequest = Schema.decodeUnknownSync(GroundingRequest)

export const requestOf = ({ id, locale, question, region }: Written): GroundingRequest =>
  decodeRequest({
    session_id: "bench",
    request_id: id,
    phase: "mid_chat",
    topic: question,
    locale,
    ...(region === undefined ? {} : { region })
  })

/** The same for every request, so that planner and writer are measured by themselves. */
export const need: SearchNeed = {
  need_search: true,
  reason_codes: ["USER_ASKED"],
  max_queries: 2,
  max_sources_per_query: 5,
  search_depth: "basic",
  topic: "general"
}

/** The pages of the corpus by their file's name without `.md`. */
export const corpus = Effect.map(
  Corpus.load(corpusDirectory).pipe(Effect.provide(NodeServices.layer)),
  (pages): ReadonlyMap<string, Corpus.CorpusPage> => {
    const names = readdirSync(corpusDirectory)
      .filter((name) => name.endsWith(".md") && name !== "README.md").sort()
    return new Map(
      pages.map((page, place) => [names[place]?.replace(/\.md$/, "") ?? "", page] as const)
    )
  }
)

type Pages = ReadonlyMap<string, Corpus.CorpusPage>

const named = (pages: Pages, names: ReadonlyArray<string>): ReadonlyArray<Corpus.CorpusPage> =>
  names.flatMap((name) => pages.get(name) ?? [])

/** Whole pages, a passage for each paragraph. */
export const pagesOf = (pages: Pages, { pages: names }: Written): ReadonlyArray<Page> =>
  named(pages, names).map((page, place) => {
    const { paragraphs, published_date, title, url } = page
    const { hostname } = new URL(url)
    const text = paragraphs.join("\n\n")
    return {
      source_id: `s${place + 1}`,
      url,
      title,
      site: RegistrableDomain.registrableDomain(hostname),
      official: isOfficial(hostname),
      ...(published_date === undefined ? {} : { published_date }),
      providers: ["mock"],
      reader: "web",
      text,
      text_sha256: createHash("sha256").update(text).digest("hex"),
      chunks: spansOf(paragraphs)
    }
  })

const separatorChars = 2

const spansOf = (paragraphs: ReadonlyArray<string>): ReadonlyArray<Span> =>
  paragraphs.reduce<ReadonlyArray<Span>>((spans, paragraph) => {
    const last = spans.at(-1)
    const start = last === undefined ? 0 : last.end + separatorChars
    return [...spans, { start, end: start + paragraph.length }]
  }, [])

export const sourcesOf = (pages: Pages, { pages: names }: WrittenCourse) =>
  named(pages, names).map(({ paragraphs, title, url }): SourceText => {
    const { hostname } = new URL(url)
    return {
      url,
      title,
      site: RegistrableDomain.registrableDomain(hostname),
      official: isOfficial(hostname),
      text: paragraphs.join("\n\n"),
      headings: []
    }
  })
