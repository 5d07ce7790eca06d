/**
 * Questions with pages from public sets outside the repository, with and without the answering
 * passage, for fitting and measuring confidence.
 */
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { jsonLines, namesIn, wholeText } from "../../packages/language/bench/jsonLines.ts"
import { chunksOfSnippet, chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as Words from "../../packages/language/src/text/Words.ts"
import type { Page } from "../../src/domain/page/Page.ts"

export interface Item {
  readonly set: string
  /** By a hash of the question: rules are fitted on half 0. */
  readonly half: 0 | 1
  readonly question: string
  readonly pages: ReadonlyArray<Page>
  /** No page holds the answer. */
  readonly isUnanswerable: boolean
  readonly isRight: (text: string) => boolean
  /** Neither question nor sentence: a subject. */
  readonly isTopic: boolean
}

export interface SetOfItems {
  readonly name: string
  readonly licence: string
  /** Its licence allows weights to be made of it. */
  readonly isFitted: boolean
  readonly items: () => ReadonlyArray<Item>
}

interface Article {
  readonly title: string
  readonly text: string
}

const pagesCount = 5
const onePageEvery = 3
const documentsMax = 8
/** Of each set and kind. */
const itemsMax = 200
/** Of a corpus that is one long text. In UTF-16 code units. */
const partChars = 3_000

const halfOf = (question: string): 0 | 1 =>
  (createHash("sha256").update(question).digest()[3] ?? 0) % 2 === 0 ? 0 : 1

const pageOf = (
  { text, title }: Article,
  place: number,
  reader: "snippet" | "web"
): Page => ({
  source_id: `s${place + 1}`,
  url: `https://site${place + 1}.example/`,
  title,
  site: `site${place + 1}.example`,
  official: false,
  providers: ["mock"],
  reader,
  text,
  text_sha256: createHash("sha256").update(text).digest("hex"),
  chunks: reader === "snippet" ? chunksOfSnippet(text) : chunksOfText(text)
})

const pagesOf = (articles: ReadonlyArray<Article>, reader: "snippet" | "web" = "web") =>
  articles.filter(({ text }) => text.trim() !== "")
    .map((article, place) => pageOf(article, place, reader))

const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
const plain = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()
const tight = (text: string): string => plain(text).replaceAll(" ", "")

/** Whether the text holds one of the answers, as words; pairs of characters have no words. */
const holdsAny = (text: string, answers: ReadonlyArray<string>): boolean =>
  answers.some((answer) =>
    plain(answer) === ""
      ? false
      : cjk.test(answer)
      ? tight(text).includes(tight(answer))
      : ` ${plain(text)} `.includes(` ${plain(answer)} `)
  )

/** Every n-th, so that no more than `itemsMax` are left. */
const thinned = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const step = Math.max(1, Math.ceil(list.length / itemsMax))
  return list.filter((_, place) => place % step === 0)
}

/** Places of the articles that a search would find, best first, the wanted one among them. */
const foundBy = (index: Words.Bm25Index, query: string, own: number): ReadonlyArray<number> => {
  const scores = Words.scores(index, query)
  const byScore = (left: number, right: number) => (scores[right] ?? 0) - (scores[left] ?? 0)
  const others = scores.map((_, place) => place).filter((place) => place !== own)
    .toSorted(byScore).slice(0, pagesCount - 1)
  return [own, ...others].filter((place) => place >= 0).toSorted(byScore)
}

const Passage = Schema.Struct({ pid: Schema.String, title: Schema.String, text: Schema.String })
const Query = Schema.Struct({
  query: Schema.String,
  gold_pids: Schema.Array(Schema.String),
  answers: Schema.Array(Schema.String)
})

interface Asked {
  readonly query: string
  readonly gold_pids: ReadonlyArray<string>
  readonly answers: ReadonlyArray<string>
}

/** Each question with its article among others, and once more without the answering paragraph. */
const ofArticles = (
  set: string,
  passages: ReadonlyArray<typeof Passage.Type>,
  queries: ReadonlyArray<Asked>
): ReadonlyArray<Item> => {
  const titles = Array.from(new Set(passages.map(({ title }) => title)))
  const textOf = (title: string, without: ReadonlyArray<string>) =>
    passages.filter((passage) => passage.title === title && !without.includes(passage.pid))
      .map(({ text }) => text.replace(/^.{0,200}?\[SEP\]\s*/, "")).join("\n\n")
  const articles = titles.map((title) => ({ title, text: textOf(title, []) }))
  const index = Words.index(articles)
  const shown = (title: string) => title.replaceAll("_", " ")
  return thinned(queries).flatMap(({ answers, gold_pids, query }, place) => {
    const own = titles.indexOf(passages.find(({ pid }) => gold_pids.includes(pid))?.title ?? "")
    // Every third was read on one page alone.
    const found = place % onePageEvery === 0 ? [own] : foundBy(index, query, own)
    const item = (without: ReadonlyArray<string>): Item => ({
      set,
      half: halfOf(query),
      question: query,
      pages: pagesOf(found.map((place) => ({
        title: shown(titles[place] ?? ""),
        text: textOf(titles[place] ?? "", without)
      }))),
      isUnanswerable: without.length > 0,
      isRight: (text) => without.length === 0 && holdsAny(text, answers),
      isTopic: false
    })
    const without = item(gold_pids)
    // What other paragraphs say too is no question without an answer.
    const isLeft = without.pages.some(({ text }) => holdsAny(text, answers))
    return isLeft ? [item([])] : [item([]), without]
  })
}

const searchSet = (name: string): SetOfItems => ({
  name,
  licence: "CC BY-SA 4.0",
  isFitted: true,
  items: () =>
    ofArticles(
      name,
      jsonLines(`passage_retrieval/dev/${name}.passages.jsonl`, Passage),
      jsonLines(`passage_retrieval/dev/${name}.queries.jsonl`, Query)
    )
})

const Korean = Schema.Struct({
  title: Schema.String,
  paragraphs: Schema.Array(Schema.Struct({
    context: Schema.String,
    qas: Schema.Array(Schema.Struct({
      question: Schema.String,
      answers: Schema.Array(Schema.Struct({ text: Schema.String }))
    }))
  }))
})

const korquad = (): ReadonlyArray<Item> => {
  const articles = jsonLines("passage_retrieval/dev/korquad_v1_dev.articles.jsonl", Korean)
  const paragraphs = articles.flatMap(({ paragraphs, title }) =>
    paragraphs.map((paragraph, place) => ({ ...paragraph, title, pid: `${title}-${place}` }))
  )
  return ofArticles(
    "korquad-ko",
    paragraphs.map(({ context, pid, title }) => ({ pid, title, text: context })),
    paragraphs.flatMap(({ pid, qas }) =>
      qas.map(({ answers, question }) => ({
        query: question,
        gold_pids: [pid],
        answers: answers.map(({ text }) => text)
      }))
    )
  )
}

const ClapNq = Schema.Struct({
  question: Schema.String,
  answerable: Schema.Boolean,
  passage: Schema.Struct({ title: Schema.String }),
  sentences: Schema.Array(Schema.String),
  outputs: Schema.Array(Schema.Struct({
    selected_sentences: Schema.optionalKey(Schema.Array(Schema.String))
  }))
})

/** One passage each, or that passage as one of five that were found. */
const clapnq = (set: string, isSearch: boolean) => (): ReadonlyArray<Item> => {
  const rows = jsonLines("grounded_answering/dev/clapnq_dev.jsonl", ClapNq)
  const articles = rows.map(({ passage, sentences }) => ({
    title: passage.title,
    text: sentences.join(" ")
  }))
  const index = Words.index(articles)
  return rows.flatMap(({ answerable, outputs, question }, own) => {
    const chosen = outputs.flatMap(({ selected_sentences }) => selected_sentences ?? []).map(plain)
      .filter((sentence) => sentence !== "")
    const item = (places: ReadonlyArray<number>, isUnanswerable: boolean): Item => ({
      set,
      half: halfOf(question),
      question,
      pages: pagesOf(places.flatMap((place) => articles[place] ?? []), "snippet"),
      isUnanswerable,
      isRight: (text) =>
        !isUnanswerable && chosen.some((sentence) => {
          const said = plain(text)
          return said.includes(sentence) || sentence.includes(said)
        }),
      isTopic: false
    })
    if (!isSearch) return [item([own], !answerable)]
    const found = foundBy(index, question, own)
    return answerable
      ? [item(found, false), item(found.filter((place) => place !== own), true)]
      : [item(found, true)]
  })
}

const RamDocs = Schema.Struct({
  question: Schema.String,
  documents: Schema.Array(Schema.Struct({
    text: Schema.String,
    type: Schema.String,
    answer: Schema.String
  })),
  gold_answers: Schema.Array(Schema.String)
})

/** Without an answer: other results of the question, filled up with results of other questions. */
const ramdocs = (): ReadonlyArray<Item> => {
  const rows = jsonLines("grounded_answering/dev/ramdocs_test.jsonl.gz", RamDocs)
  const noises = rows.flatMap(({ documents, question }) =>
    documents.filter(({ type }) => type === "noise").map(({ text }) => ({ text, question }))
  )
  const index = Words.index(noises)
  return rows.flatMap(({ documents, gold_answers, question }) => {
    const item = (texts: ReadonlyArray<string>, isUnanswerable: boolean): Item => ({
      set: "ramdocs",
      half: halfOf(question),
      question,
      pages: pagesOf(
        texts.slice(0, documentsMax).map((text) => ({ title: "", text })),
        "snippet"
      ),
      isUnanswerable,
      isRight: (text) => !isUnanswerable && holdsAny(text, gold_answers),
      isTopic: false
    })
    const none = foundBy(index, question, -1).flatMap((place) => noises[place]?.text ?? [])
      .filter((text) => !holdsAny(text, gold_answers))
    const whole = item(documents.map(({ text }) => text), false)
    return none.length === 0 ? [whole] : [whole, item(none, true)]
  })
}

const Marked = Schema.Struct({
  corpus: Schema.String,
  question: Schema.String,
  references: Schema.Array(Schema.Struct({
    content: Schema.String,
    start_index: Schema.Natural,
    end_index: Schema.Natural
  }))
})

/** Long texts cut into pages; right is a sentence that the marked passages share. */
const chroma = (): ReadonlyArray<Item> => {
  const rows = jsonLines("chunking_eval/dev/questions.jsonl", Marked)
  const corpora = Array.from(new Set(rows.map(({ corpus }) => corpus)))
  return corpora.flatMap((corpus) => {
    const whole = wholeText(`chunking_eval/shared/${corpus}.md`)
    const parts = chunksOfText(whole, [], partChars)
      .map(({ end, start }) => ({ title: "", text: whole.slice(start, end) }))
    const index = Words.index(parts)
    return rows.filter((row) => row.corpus === corpus).flatMap(({ question, references }) => {
      const marked = references.map(({ content }) => plain(content))
      const isOwn = (text: string) =>
        references.some(({ content }) => plain(text).includes(plain(content).slice(0, 80)))
      const own = parts.findIndex(({ text }) => isOwn(text))
      const found = foundBy(index, question, own)
      const item = (places: ReadonlyArray<number>, isUnanswerable: boolean): Item => ({
        set: "chroma",
        half: halfOf(question),
        question,
        pages: pagesOf(places.flatMap((place) => parts[place] ?? [])),
        isUnanswerable,
        isRight: (text) =>
          !isUnanswerable && marked.some((one) => {
            const said = plain(text)
            return said.length > 0 && (one.includes(said) || said.includes(one))
          }),
        isTopic: false
      })
      const none = found.filter((place) => !isOwn(parts[place]?.text ?? ""))
      return own < 0 ? [] : [item(found, false), item(none, true)]
    })
  })
}

/** How callers put a subject: bare, or as a scene. In turn. */
const scenes = {
  en: [
    (subject: string) => subject,
    (subject: string) => `A lesson about ${subject} for adult learners`,
    (subject: string) => `Two colleagues talk over lunch about ${subject}`,
    (subject: string) => `Role-play: a journalist interviews an expert on ${subject}`,
    (subject: string) => `I want to practise a conversation on ${subject}`
  ],
  ja: [
    (subject: string) => subject,
    (subject: string) => `${subject}についての授業`,
    (subject: string) => `友人と${subject}について話す練習`,
    (subject: string) => `記者が${subject}の専門家に話を聞く場面`
  ]
} as const

/** A subject and nothing asked of it: right is what its own article says, among others. */
const topics = (name: string, all: () => ReadonlyArray<Article>) => (): ReadonlyArray<Item> => {
  const articles = all()
  const index = Words.index(articles)
  return thinned(articles.map((_, own) => own)).flatMap((own) => {
    const title = articles[own]?.title ?? ""
    const worded = scenes[cjk.test(title) ? "ja" : "en"]
    const question = worded[own % worded.length]?.(title) ?? title
    const found = foundBy(index, title, own)
    const told = tight(articles[own]?.text ?? "")
    const item = (places: ReadonlyArray<number>, isUnanswerable: boolean): Item => ({
      set: name,
      half: halfOf(question),
      question,
      // The subject is the article's own title, which would give the answer away.
      pages: pagesOf(places.map((place) => ({ title: "", text: articles[place]?.text ?? "" }))),
      isUnanswerable,
      isRight: (text) => !isUnanswerable && told.includes(tight(text)),
      isTopic: true
    })
    return [item(found, false), item(found.filter((place) => place !== own), true)]
  })
}

const searchArticles = (name: string) => (): ReadonlyArray<Article> => {
  const passages = jsonLines(`passage_retrieval/dev/${name}.passages.jsonl`, Passage)
  return Array.from(new Set(passages.map(({ title }) => title))).map((title) => ({
    title: title.replaceAll("_", " "),
    text: passages.filter((passage) => passage.title === title)
      .map(({ text }) => text.replace(/^.{0,200}?\[SEP\]\s*/, "")).join("\n\n")
  }))
}

const clapnqArticles = (): ReadonlyArray<Article> => {
  const rows = jsonLines("grounded_answering/dev/clapnq_dev.jsonl", ClapNq)
  return Array.from(new Set(rows.map(({ passage }) => passage.title))).map((title) => ({
    title,
    text: rows.filter(({ passage }) => passage.title === title)
      .map(({ sentences }) => sentences.join(" ")).join("\n\n")
  }))
}

const Rgb = Schema.Struct({
  query: Schema.String,
  answer: Schema.Json,
  fakeanswer: Schema.String,
  positive: Schema.Array(Schema.String),
  positive_wrong: Schema.Array(Schema.String),
  negative: Schema.Array(Schema.String)
})

const spellings = (answer: Schema.Json): ReadonlyArray<string> =>
  Array.isArray(answer) ? answer.flatMap(spellings) : typeof answer === "string" ? [answer] : []

const rgb = (): ReadonlyArray<Item> =>
  jsonLines("grounded_answering/dev/rgb_en_fact.jsonl", Rgb).flatMap((row) => {
    const answers = spellings(row.answer)
    const item = (texts: ReadonlyArray<string>, isUnanswerable: boolean): Item => ({
      set: "rgb",
      half: halfOf(row.query),
      question: row.query,
      pages: pagesOf(texts.slice(0, 4).map((text) => ({ title: "", text })), "snippet"),
      isUnanswerable,
      isRight: (text) => !isUnanswerable && holdsAny(text, answers),
      isTopic: false
    })
    const none = row.negative.filter((text) => !holdsAny(text, answers))
    return [
      item(row.positive, false),
      item([...row.positive.slice(0, 2), ...row.positive_wrong.slice(0, 2)], false),
      ...(none.length === 0 ? [] : [item(none, true)])
    ]
  })

const News = Schema.Struct({
  question: Schema.String,
  answer: Schema.Array(Schema.String),
  search_result: Schema.Array(Schema.Struct({
    title: Schema.optionalKey(Schema.NullOr(Schema.String)),
    text: Schema.optionalKey(Schema.NullOr(Schema.String))
  }))
})

const news = (): ReadonlyArray<Item> =>
  namesIn("search_and_pages/dev").filter((name) => name.startsWith("realtimeqa_")).flatMap((name) =>
    jsonLines(`search_and_pages/dev/${name}`, News).map(({ answer, question, search_result }) => {
      const pages = pagesOf(search_result.map(({ text, title }) => ({
        title: title ?? "",
        text: text ?? ""
      })))
      const isUnanswerable = !pages.some(({ text }) => holdsAny(text, answer))
      return {
        set: "realtimeqa",
        half: halfOf(question),
        question,
        pages,
        isUnanswerable,
        isRight: (text: string) => holdsAny(text, answer),
        isTopic: false
      }
    })
  )

const set = (
  name: string,
  licence: string,
  isFitted: boolean,
  items: () => ReadonlyArray<Item>
): SetOfItems => ({ name, licence, isFitted, items })

export const sets: ReadonlyArray<SetOfItems> = [
  set("clapnq", "Apache-2.0", true, clapnq("clapnq", false)),
  set("clapnq-search", "Apache-2.0", true, clapnq("clapnq-search", true)),
  set("ramdocs", "MIT", true, ramdocs),
  set("chroma", "MIT", true, chroma),
  searchSet("xquad-en"),
  searchSet("xquad-zh"),
  searchSet("jsquad-ja"),
  set("korquad-ko", "CC BY-ND 2.0 KR", false, korquad),
  set("rgb", "CC BY-NC-SA 4.0", false, rgb),
  set("realtimeqa", "none stated", false, news)
]

const topicSet = (name: string, licence: string, all: () => ReadonlyArray<Article>): SetOfItems =>
  set(name, licence, true, topics(name, all))

export const topicSets: ReadonlyArray<SetOfItems> = [
  topicSet("clapnq-topics", "Apache-2.0", clapnqArticles),
  topicSet("xquad-en-topics", "CC BY-SA 4.0", searchArticles("xquad-en")),
  topicSet("jsquad-topics", "CC BY-SA 4.0", searchArticles("jsquad-ja"))
]
