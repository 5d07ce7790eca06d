/** Topics, modules, aims and skills of texts by hand-written rules, without a model. */
import { sentenceTexts } from "@web-grounding/language/Sentences"
import { isStopWord, terms, words } from "@web-grounding/language/Words"
import listed from "./CourseWords.json" with { type: "json" }
import * as Fit from "./Fit.ts"
import type { SourceText } from "./Fit.ts"
import {
  aimsMax,
  type CourseDraft,
  type Material,
  modulesMax,
  type OutlineDraft,
  topicsMax
} from "./OutlineFindings.ts"

const sentenceCharsMin = 25
const topicWordCharsMin = 4
/** Words on every course page, and words that name no subject. */
const noTopic = new Set(`${listed.ofEveryCourse} ${listed.ofNoSubject}`.split(" "))

export const draftOf = (title: string, sources: ReadonlyArray<SourceText>): CourseDraft => {
  const fitting = Fit.fitting(title, sources).map(({ source }) => source)
  return {
    key_topics: topics(fitting, title),
    modules: modules(title, fitting).map(({ description, source, title }) => ({
      title,
      description,
      source: sources.indexOf(source) + 1
    })),
    learning_objectives: saying(fitting, aim),
    skills: saying(fitting, skill)
  }
}

/**
 * Modules of documents and of the web's sources, and sentences that state what a learner will be
 * able to do, in the source's words.
 */
export const outlineOf = (
  course_title: string,
  { documents, draft, sources }: {
    readonly documents: ReadonlyArray<Material>
    readonly draft: CourseDraft
    readonly sources: ReadonlyArray<SourceText>
  }
): OutlineDraft => {
  const numbered = documents.map((document, index) => ({
    ...document,
    source: sources.length + index + 1
  }))
  const modules = numbered.map(({ source, text, title }) => ({
    title,
    description: describing({ text }, `${title} ${course_title}`),
    source
  }))
  const outcomes = numbered.flatMap(({ source, text }) =>
    sentencesOf(text).filter((line) => aim.test(line)).map((quote) => ({ quote, source }))
  )
  const found = draft.learning_objectives.map((quote) => ({
    quote,
    source: sources.findIndex(({ text }) => text.includes(quote)) + 1
  }))
  return {
    modules: [...modules, ...draft.modules].map(({ description, source, title }) => ({
      title,
      description,
      support: [{ source, quote: description }]
    })),
    outcomes: [...outcomes, ...found].map((one) => ({ ...one, text: one.quote }))
  }
}

/** Texts, or occurrences, that establish a pair of words; texts that establish a single word. */
const tellingMin = 2
const tellingAloneMin = 3
const repeatedMin = 3
const pairWeight = 2

const topics = (texts: ReadonlyArray<SourceText>, title: string): ReadonlyArray<string> => {
  const own = new Set(terms(title))
  const counts = new Map<string, { name: string; texts: number; times: number }>()
  for (const source of texts) {
    const seen = new Set<string>()
    for (const found of candidates(source)) {
      const parts = terms(found)
      if (parts.every((term) => own.has(term))) continue
      const key = parts.join(" ")
      const { name, texts, times } = counts.get(key) ?? { name: found, texts: 0, times: 0 }
      counts.set(key, { name, texts: texts + (seen.has(key) ? 0 : 1), times: times + 1 })
      seen.add(key)
    }
  }
  const ranked = [...counts]
    .filter(([, { name, texts: held, times }]) =>
      isPair(name) ? held >= tellingMin || times >= repeatedMin : held >= tellingAloneMin
    )
    .map(([key, { name, texts: held, times }]) => ({
      key,
      name,
      weight: held * (isPair(name) ? pairWeight : 1) + times / 100
    }))
    .toSorted((left, right) => right.weight - left.weight || (left.key < right.key ? -1 : 1))
  const covered = new Set<string>()
  const chosen = ranked.filter(({ key }) => {
    const parts = key.split(" ")
    if (parts.some((part) => covered.has(part))) return false
    for (const part of parts) if (!own.has(part)) covered.add(part)
    return true
  })
  return chosen.map(({ name }) => name).slice(0, topicsMax)
}

/**
 * Words of titles and headings, and pairs of neighbours. A single word of a text names no subject.
 */
const candidates = ({ headings, text, title }: SourceText): ReadonlyArray<string> => [
  ...[title, ...headings].flatMap((line) => [...pairs(line), ...singles(line)]),
  ...pairs(text)
]

const isPair = (name: string): boolean => name.includes(" ")

const clausesOf = (text: string): ReadonlyArray<string> => text.split(/[.,;:!?()"“”\n。、！？]/u)

/** Words of scripts without gaps are pairs of characters, whose neighbours overlap. */
const pairs = (text: string): ReadonlyArray<string> =>
  clausesOf(text).flatMap((clause) => {
    const all = words(clause)
    return all.slice(1).flatMap((word, index) => {
      const before = all[index] ?? ""
      return isTopic(before) && isTopic(word) && !gapless.test(before + word)
        ? [`${before} ${word}`]
        : []
    })
  })

const singles = (text: string): ReadonlyArray<string> => [
  ...words(text).filter((word) => isTopic(word) && !gapless.test(word)),
  ...Array.from(text.matchAll(gaplessName), ([name]) => name.replace(particle, "$1"))
]

const gapless = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}\p{Script=Hiragana}]/u
const gaplessName = /\p{Script=Han}{2,8}|[\p{Script=Katakana}ー]{3,12}|\p{Script=Hangul}{2,8}/gu
/** Particles that Korean adds to a noun of two syllables or more. */
const particle = /^(\p{Script=Hangul}{2,})(?:[은는이가을를의에와과도]|에서|으로|하는)$/u

const isTopic = (word: string): boolean =>
  (word.length >= topicWordCharsMin || !/^[a-z]/.test(word)) && !isStopWord(word) &&
  !noTopic.has(word) && !/^\p{N}/u.test(word)

interface FoundModule {
  readonly title: string
  readonly description: string
  readonly source: SourceText
}

/** Numbered parts that the pages name, else headings, else pages; similar pages once. */
const modules = (
  course: string,
  texts: ReadonlyArray<SourceText>
): ReadonlyArray<FoundModule> => {
  const titled = (titlesOf: (text: SourceText) => ReadonlyArray<string>) =>
    texts.flatMap((source) =>
      titlesOf(source).map((title): FoundModule => ({
        title,
        description: describing(source, `${title} ${course}`),
        source
      }))
    )
  const named = titled(({ text }) => Array.from(text.matchAll(part), ([, name = ""]) => name))
  const headed = titled(({ headings }) => headings)
  const found = [named, headed].find(({ length }) => length > 1) ??
    titled(({ title }) => [title]).filter((one, index, all) =>
      !all.some((other, at) =>
        (other.source.official && !one.source.official ||
          other.source.official === one.source.official && at < index) && isSame(course, other, one)
      )
    )
  return found.slice(0, 2 * modulesMax)
}

const isSame = (course: string, one: FoundModule, other: FoundModule): boolean =>
  Fit.isSameMatter(course, one.source.text, other.source.text) ||
  Fit.isSameMatter(
    course,
    `${one.title}\n${one.description}`,
    `${other.title}\n${other.description}`
  )

const describing = ({ text }: Pick<SourceText, "text">, title: string): string => {
  const wanted = new Set(terms(title))
  const shared = (sentence: string) => new Set(terms(sentence)).intersection(wanted).size
  return sentencesOf(text).map((sentence) => ({ sentence, share: shared(sentence) }))
    .toSorted((left, right) => right.share - left.share)[0]?.sentence ?? ""
}

const part =
  /(?:^|[\s;.])(?:Module|Unit|Week|Lesson|Chapter|Part|단원|第)\s?\d{1,2}\s?[:.–-]\s?([^\n.;:]{4,80})/gu

const aim = new RegExp(listed.aim, "iu")
const skill = new RegExp(listed.skill, "iu")

const saying = (texts: ReadonlyArray<SourceText>, cue: RegExp): ReadonlyArray<string> => {
  const found = texts.flatMap(({ text }) => sentencesOf(text).filter((line) => cue.test(line)))
  return [...new Set(found)].slice(0, 2 * aimsMax)
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  sentenceTexts(text).filter((sentence) => sentence.length >= sentenceCharsMin)
