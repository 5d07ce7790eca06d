/** The sandbox's web: one Markdown file a page, front matter first, then plain paragraphs. */
import { Effect, FileSystem, Path, Schema } from "effect"

const pagesMax = 2_000
const pageCharsMax = 100_000

const FrontMatter = Schema.Struct({
  url: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]+(\/\S*)?$/)),
  title: Schema.NonEmptyString,
  site: Schema.NonEmptyString,
  /** `YYYY-MM-DD`. */
  published_date: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))),
  language: Schema.String.check(Schema.isPattern(/^[a-z]{2}$/)),
  topic: Schema.Literals(["general", "news", "finance"])
})
const decodeFrontMatter = Schema.decodeUnknownEffect(FrontMatter)

export interface CorpusPage {
  readonly url: string
  readonly title: string
  readonly site: string
  /** ISO 639-1. */
  readonly language: string
  readonly publishedDate: string | undefined
  readonly topic: "general" | "news" | "finance"
  /** Paragraphs in order, none empty. */
  readonly paragraphs: ReadonlyArray<string>
}

export class CorpusUnreadable extends Schema.TaggedError<CorpusUnreadable>()("CorpusUnreadable", {
  file: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The sandbox cannot read its page ${this.file}`
  }
}

/**
 * Loads the pages in the order of their file names; `README.md` and what is no Markdown are left
 * out.
 */
export const load = Effect.fn("Corpus.load")(function*(directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* files.readDirectory(directory).pipe(
    Effect.mapError((cause) => new CorpusUnreadable({ file: directory, cause }))
  )
  const pageNames = names.filter((name) => name.endsWith(".md") && name !== "README.md").sort()
  return yield* Effect.forEach(
    pageNames.slice(0, pagesMax),
    (name) =>
      files.readFileString(path.join(directory, name)).pipe(
        Effect.flatMap(parse),
        Effect.mapError((cause) => new CorpusUnreadable({ file: name, cause }))
      )
  )
})

/** Exported for its tests. */
const parse = Effect.fnUntraced(function*(source: string) {
  const [, head = "", body = ""] = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(
    source.slice(0, pageCharsMax)
  ) ?? []
  const fields = head.split(/\r?\n/).map((line): readonly [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
  })
  const front = yield* decodeFrontMatter(Object.fromEntries(fields))
  const paragraphs = body.split(/(?:\r?\n[ \t]*){2,}/).map((text) => text.trim())
  const page: CorpusPage = {
    url: front.url,
    title: front.title,
    site: front.site,
    language: front.language,
    publishedDate: front.published_date,
    topic: front.topic,
    paragraphs: paragraphs.filter((text) => text !== "")
  }
  return page
})
