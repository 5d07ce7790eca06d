/** Topics, modules, aims and skills off texts by hand-written rules: what needs no model. */
import * as InjectionFlag from "../evidence/InjectionFlag.ts"
import * as PlainText from "../pack/PlainText.ts"
import { sentences } from "../text/Sentences.ts"
import { isStopWord, words } from "../text/Words.ts"

export interface SourceText {
  readonly url: string
  readonly title: string
  readonly text: string
  /** As the page sets them off; empty for a snippet. */
  readonly headings: ReadonlyArray<string>
}

const topicsMax = 8
const modulesMax = 8
const aimsMax = 6
const sentenceCharsMax = 240
const sentenceCharsMin = 25
const topicWordCharsMin = 4
const moduleCharsMax = 80

/** Words of a query for courses, which every page has. */
const common = new Set(
  ("course courses syllabus curriculum outline learning objectives module modules week weeks " +
    "introduction students learners training class lesson general page").split(" ")
)

/** A topic is told by so many texts, or so often by one. */
const tellingMin = 2
const repeatedMin = 3

/** Pairs of words, then words, by how many of the texts hold them. */
export const topics = (texts: ReadonlyArray<SourceText>, title: string): ReadonlyArray<string> => {
  const own = new Set(words(title))
  const isTopic = (word: string) =>
    word.length >= topicWordCharsMin && !isStopWord(word) && !common.has(word) && !own.has(word) &&
    !/^\p{N}/u.test(word)
  const counts = new Map<string, Count>()
  for (const { headings, text, title: name } of texts) {
    const all = words([name, ...headings, text].join("\n"))
    const pairs = all.slice(1).flatMap((word, place) => {
      const before = all[place] ?? ""
      return isTopic(before) && isTopic(word) ? [`${before} ${word}`] : []
    })
    const said = [...pairs, ...all.filter(isTopic)]
    const seen = new Set(said)
    said.forEach((found) => {
      const { texts: held, times } = counts.get(found) ?? { texts: 0, times: 0 }
      counts.set(found, { texts: held + (seen.delete(found) ? 1 : 0), times: times + 1 })
    })
  }
  const weight = ([found, { texts: held, times }]: readonly [string, Count]) =>
    held * (found.includes(" ") ? 1.5 : 1) + times / 100
  const ranked = [...counts]
    .filter(([, { texts: held, times }]) => held >= tellingMin || times >= repeatedMin)
    .toSorted((left, right) => weight(right) - weight(left) || (left[0] < right[0] ? -1 : 1))
    .map(([found]) => found)
  return ranked.filter((found, place) =>
    !ranked.slice(0, place).some((earlier) => earlier.includes(found) || found.includes(earlier))
  ).slice(0, topicsMax)
}

interface Count {
  readonly texts: number
  readonly times: number
}

export interface FoundModule {
  readonly title: string
  readonly description: string
  readonly source_url: string
}

/** Numbered parts that the pages name, else their headings, else the pages themselves. */
export const modules = (texts: ReadonlyArray<SourceText>): ReadonlyArray<FoundModule> => {
  const of = (titlesOf: (text: SourceText) => ReadonlyArray<string>) =>
    texts.flatMap((source) =>
      titlesOf(source).map((name): FoundModule => {
        const title = shown(name, moduleCharsMax)
        return { title, description: describing(source, title), source_url: source.url }
      })
    ).filter(({ title }, place, all) =>
      title !== "" &&
      all.findIndex((other) => other.title.toLowerCase() === title.toLowerCase()) === place
    )
  const named = of(({ text }) => Array.from(text.matchAll(part)).map(([, name = ""]) => name))
  const headed = of(({ headings }) => headings)
  const found = [named, headed].find(({ length }) => length > 1) ?? of(({ title }) => [title])
  return found.slice(0, modulesMax)
}

/** The sentence that shares most words with the title, the first of equals. */
const describing = ({ text }: SourceText, title: string): string => {
  const wanted = new Set(words(title))
  const shares = fitSentences(text).map((sentence) => ({
    sentence,
    share: words(sentence).filter((word) => wanted.has(word)).length
  }))
  return shares.toSorted((left, right) => right.share - left.share)[0]?.sentence ?? ""
}

const part =
  /(?:^|[\s;.])(?:Module|Unit|Week|Lesson|Chapter|Part|단원|第)\s?\d{1,2}\s?[:.–-]\s?([^\n.;:]{4,80})/gu

/** Sentences that say what a learner will be able to do. */
export const objectives = (texts: ReadonlyArray<SourceText>): ReadonlyArray<string> =>
  saying(texts, aim)

/** Sentences that say what a learner needs or gains. */
export const skills = (texts: ReadonlyArray<SourceText>): ReadonlyArray<string> =>
  saying(texts, skill)

const aim = new RegExp(
  "\\b(?:learn(?:s|ers)?|be able to|objectives?|outcomes?|understand|master|apply|explain|" +
    "practi[cs]e|goals?)\\b|학습 목표|목표|이해|目標|理解|学ぶ",
  "iu"
)
const skill = new RegExp(
  "\\b(?:prerequisites?|skills?|familiar(?:ity)? with|knowledge of|experience (?:in|with)|" +
    "require[sd]?|background in)\\b|선수|역량|기술|前提|スキル",
  "iu"
)

const saying = (texts: ReadonlyArray<SourceText>, cue: RegExp): ReadonlyArray<string> => {
  const found = texts.flatMap(({ text }) => fitSentences(text).filter((line) => cue.test(line)))
  return [...new Set(found)].slice(0, aimsMax)
}

/** What addresses a model instead of a reader is not repeated, nor any address. */
const fitSentences = (text: string): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end))
    .filter((sentence) => sentence.length >= sentenceCharsMin)
    .map((sentence) => shown(sentence, sentenceCharsMax)).filter((sentence) => sentence !== "")

const shown = (text: string, charsMax: number): string =>
  InjectionFlag.isSuspicious(text) ? "" : PlainText.clean(text, charsMax, () => false)
