/** The protocol of Jina's Reader: an address in, its page as Markdown out. */
import { Effect, Option, Result, Schema } from "effect"
import type { CorpusPage } from "../corpus/Corpus.ts"
import { type Answer, type Dialect, resultsOf, textAt } from "../dialect/Dialect.ts"
import * as PageAddress from "../dialect/PageAddress.ts"
import * as JinaWords from "./JinaWords.ts"

export interface Reading {
  readonly url: string
  readonly tokensMax: number
}

const tokensDefault = 200_000

const decodeUrl = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.NonEmptyString }))

export const JinaReaderDialect: Dialect<Reading> = {
  provider: "jina",
  contentType: "application/json; charset=utf-8",
  noKey: JinaWords.noKey,
  plainFaults: JinaWords.plainFaults,
  errorBody: JinaWords.errorBody,
  asked: Effect.map(JinaWords.askedInput, (request) => {
    const url = Option.match(decodeUrl(request.body), {
      onNone: () => "",
      onSome: ({ url }) => url
    })
    const tokens = Number(request.headers["x-max-tokens"] ?? tokensDefault)
    return {
      ...request,
      query: `${url}${directivesOf(url)}`,
      parameters: Option.isNone(PageAddress.plain(url))
        ? Result.fail(JinaWords.refusal(400, "ParamValidationError", "Invalid URL."))
        : Result.succeed({ url, tokensMax: Number.isInteger(tokens) ? tokens : tokensDefault })
    }
  }),
  render: (answer) => JSON.stringify(bodyOf(answer))
}

/** An address has no place for words: `?fault=404` asks for it, `?body=id` for a recording. */
const directivesOf = (url: string): string => {
  const given = URL.parse(url)?.searchParams
  return ["fault", "body"].map((name) => given?.get(name) ?? "").map((value, place) =>
    value === "" ? "" : ` ${place === 0 ? "fault" : "body"}:${value}`
  ).join("")
}

/** The page of that address, else what Jina says of a page that is not there. */
export const readCorpusPage = (
  pages: ReadonlyArray<CorpusPage>,
  { tokensMax, url }: Reading
): Answer => {
  const wanted = addressOf(url)
  const page = pages.find((known) => addressOf(known.url) === wanted)
  if (page === undefined) {
    return {
      results: [{ url, title: "", content: "Not Found" }],
      warning: "Target URL returned error 404: Not Found"
    }
  }
  const content = markdownOf(page).slice(0, tokensMax * 4)
  return {
    results: [{ url, title: page.title, content, published_date: page.publishedDate ?? "" }]
  }
}

/** Address without its query: directives are no part of a page's address. */
const addressOf = (url: string): string =>
  Option.match(PageAddress.plain(url), {
    onNone: () => "",
    onSome: (href) => href.replace(/\?.*$/, "")
  })

/**
 * Markdown as Jina's converter writes it: the title underlined, what could be markup with a
 * backslash.
 */
const markdownOf = ({ paragraphs, title }: CorpusPage): string =>
  [`${title}\n===============`, ...paragraphs.map(escaped)].join("\n\n")

const escaped = (text: string): string => text.replace(/[\\`*_[\]]|^(?=[-+#>=])/gm, "\\$&")

/** Always with status 200, whatever the page's own server said. */
const bodyOf = (answer: Answer) => {
  const page = resultsOf(answer)[0]
  const content = page === undefined ? "" : Reflect.get(Object(page), "content")
  const day = textAt(page, "published_date")
  const usage = { tokens: JinaWords.tokensOf(textAt(page, "content")) }
  return {
    code: 200,
    status: 20000,
    data: {
      title: textAt(page, "title"),
      description: "",
      url: textAt(page, "url"),
      content,
      ...(day === "" ? {} : { publishedTime: `${day}T00:00:00.000Z` }),
      metadata: {},
      ...("warning" in answer ? { warning: answer.warning } : {}),
      usage
    },
    meta: { usage }
  }
}
