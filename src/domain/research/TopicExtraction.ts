/** Topics, modules, aims and skills off texts by hand-written rules: what needs no model. */
import { sentences } from "../text/Sentences.ts"
import { isStopWord, terms, words } from "../text/Words.ts"
import { aimsMax, modulesMax, type ResearchDraft, topicsMax } from "./ResearchFindings.ts"
import type { SourceText } from "./SourceText.ts"

const sentenceCharsMin = 25
const topicWordCharsMin = 4
/** Fewer titles than these say nothing of what is usual. */
const titledMin = 3

/** Words of a query for courses, which every page has. */
const common = "course courses syllabus curriculum outline learning objectives module modules " +
  "week weeks introduction students learners training class lesson general page overview guide"
/** Words that name no subject of their own. */
const plain = "days months years hours first second third last next give gives given take takes " +
  "taken make makes made used using need needs want find part parts kind number many much well " +
  "time times people person thing things ways work works good best better most less least often " +
  "usually always never still even however therefore including example important different " +
  "following between during within without against whole half every another either about " +
  "information read more know year month like since around across become comes says said"
const noTopic = new Set(`${common} ${plain}`.split(" "))

/** What the sources hold for a course of the title. */
export const draftOf = (title: string, sources: ReadonlyArray<SourceText>): ResearchDraft => {
  const fitting = fittingOf(title, sources)
  return {
    key_topics: topics(fitting, title),
    modules: modules(fitting).map(({ description, source, title }) => ({
      title,
      description,
      source: sources.indexOf(source) + 1
    })),
    learning_objectives: saying(fitting, aim),
    skills: saying(fitting, skill)
  }
}

/**
 * A search for a course also finds pages that share a word with it and treat something else: the
 * title of such a page has nothing in common with the course's or another page's, but for words
 * that all of them have.
 */
const fittingOf = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<SourceText> => {
  const titles = [title, ...sources.map((source) => source.title)].map((text) =>
    new Set(terms(text))
  )
  const isEverywhere = (term: string) => titles.every((other) => other.has(term))
  return sources.length < titledMin ? sources : sources.filter((_, place) => {
    const own = [...titles[place + 1] ?? []].filter((term) => !isEverywhere(term))
    return own.length === 0 ||
      own.some((term) => titles.filter((other) => other.has(term)).length > 1)
  })
}

interface Count {
  readonly name: string
  readonly texts: number
  readonly times: number
}

/** Pairs of words, then words, by how many of the texts hold them; told by two, or often by one. */
const tellingMin = 2
const repeatedMin = 3
const pairWeight = 2

const topics = (texts: ReadonlyArray<SourceText>, title: string): ReadonlyArray<string> => {
  const own = new Set(terms(title))
  const counts = new Map<string, Count>()
  for (const { headings, text, title: name } of texts) {
    const seen = new Set<string>()
    for (const found of [name, ...headings, text].flatMap(candidates)) {
      const key = terms(found)
      if (key.length === 0 || key.every((term) => own.has(term))) continue
      const known = counts.get(key.join(" ")) ?? { name: found, texts: 0, times: 0 }
      const isNew = !seen.has(key.join(" "))
      seen.add(key.join(" "))
      counts.set(key.join(" "), {
        ...known,
        texts: known.texts + (isNew ? 1 : 0),
        times: known.times + 1
      })
    }
  }
  const weight = ({ name, texts: held, times }: Count) =>
    held * (name.includes(" ") ? pairWeight : 1) + times / 100
  const ranked = [...counts]
    .filter(([, { texts: held, times }]) => held >= tellingMin || times >= repeatedMin)
    .toSorted((left, right) => weight(right[1]) - weight(left[1]) || (left[0] < right[0] ? -1 : 1))
  const chosen: Array<readonly [ReadonlyArray<string>, string]> = []
  for (const [key, { name }] of ranked) {
    const parts = key.split(" ")
    const isTold = chosen.some(([other]) => parts.some((part) => other.includes(part)))
    if (!isTold) chosen.push([parts.filter((part) => !own.has(part)), name])
  }
  return chosen.map(([, name]) => name).slice(0, topicsMax)
}

/** Words and pairs of neighbours that stand in one clause. */
const candidates = (text: string): ReadonlyArray<string> =>
  text.split(/[.,;:!?()"“”\n。、！？]/u).flatMap((clause) => {
    const all = words(clause)
    const pairs = all.slice(1).flatMap((word, place) => {
      const before = all[place] ?? ""
      return isTopic(before) && isTopic(word) ? [`${before} ${word}`] : []
    })
    return [...pairs, ...all.filter(isTopic)]
  })

const isTopic = (word: string): boolean =>
  (word.length >= topicWordCharsMin || !/^[a-z]/.test(word)) && !isStopWord(word) &&
  !noTopic.has(word) && !/^\p{N}/u.test(word)

interface FoundModule {
  readonly title: string
  readonly description: string
  readonly source: SourceText
}

/** Numbered parts that the pages name, else their headings, else the pages themselves. */
const modules = (texts: ReadonlyArray<SourceText>): ReadonlyArray<FoundModule> => {
  const of = (titlesOf: (text: SourceText) => ReadonlyArray<string>) =>
    texts.flatMap((source) =>
      titlesOf(source).map((title): FoundModule => ({
        title,
        description: describing(source, title),
        source
      }))
    )
  const named = of(({ text }) => Array.from(text.matchAll(part)).map(([, name = ""]) => name))
  const headed = of(({ headings }) => headings)
  const found = [named, headed].find(({ length }) => length > 1) ?? of(({ title }) => [title])
  return found.slice(0, 2 * modulesMax)
}

/** The sentence that shares most words with the title, the first of equals. */
const describing = ({ text }: SourceText, title: string): string => {
  const wanted = new Set(words(title))
  const shares = sentencesOf(text).map((sentence) => ({
    sentence,
    share: words(sentence).filter((word) => wanted.has(word)).length
  }))
  return shares.toSorted((left, right) => right.share - left.share)[0]?.sentence ?? ""
}

const part =
  /(?:^|[\s;.])(?:Module|Unit|Week|Lesson|Chapter|Part|단원|第)\s?\d{1,2}\s?[:.–-]\s?([^\n.;:]{4,80})/gu

/** Sentences that say what a learner will be able to do. */
const aim = new RegExp(
  "\\b(?:learn(?:s|ers)?|be able to|objectives?|outcomes?|understand|master|apply|explain|" +
    "practi[cs]e|goals?)\\b|학습 목표|목표|이해|目標|理解|学ぶ",
  "iu"
)
/** Sentences that say what a learner needs or gains. */
const skill = new RegExp(
  "\\b(?:prerequisites?|skills?|familiar(?:ity)? with|knowledge of|experience (?:in|with)|" +
    "background in|competenc(?:e|ies|y))\\b|선수|역량|기술|前提|スキル",
  "iu"
)

const saying = (texts: ReadonlyArray<SourceText>, cue: RegExp): ReadonlyArray<string> => {
  const found = texts.flatMap(({ text }) => sentencesOf(text).filter((line) => cue.test(line)))
  return [...new Set(found)].slice(0, 2 * aimsMax)
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end))
    .filter((sentence) => sentence.length >= sentenceCharsMin)
