/**
 * Text as comparable words. Runs of Chinese, Japanese and Korean become overlapping pairs of
 * characters: a dictionary's segmentation could change with its version.
 */
import { remembered } from "../language/Languages.ts"
import families from "./EnglishForms.json" with { type: "json" }
import listed from "./StopWords.json" with { type: "json" }

// Porter stemmer for English words (M. F. Porter, 1980). Other words pass unchanged.

/** Longer "words" are ids or broken text; they pass unchanged. */
const wordCharsMax = 40

const c = "[^aeiou][^aeiouy]*"
const v = "[aeiouy][aeiou]*"
const hasOneTurn = new RegExp(`^(?:${c})?${v}${c}`)
const hasExactlyOneTurn = new RegExp(`^(?:${c})?${v}${c}(?:${v})?$`)
const hasTwoTurns = new RegExp(`^(?:${c})?${v}${c}${v}${c}`)
const hasVowel = new RegExp(`^(?:${c})?[aeiouy]`)
const isShort = new RegExp(`^${c}[aeiouy][^aeiouwxy]$`)
const endsDouble = /([^aeiouylsz])\1$/

const endingsOf = (list: string): ReadonlyArray<readonly [ending: string, instead: string]> =>
  list.split(/,\s*/).map((pair) => {
    const [ending = "", instead = ""] = pair.split(" ")
    return [ending, instead]
  })
const endings = endingsOf(`ational ate,tional tion,enci ence,anci ance,izer ize,bli ble,alli al,
  entli ent,eli e,ousli ous,ization ize,ation ate,ator ate,alism al,iveness ive,fulness ful,
  ousness ous,aliti al,iviti ive,biliti ble,logi log`)
const laterEndings = endingsOf("icate ic,ative,alize al,iciti ic,ical ic,ful,ness")
const lastEnding =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/

const known = new Map<string, string>()
const knownMax = 20_000

export const stem = (word: string): string => {
  if (word.length < 3 || word.length > wordCharsMax) return word
  const kept = known.get(word)
  if (kept !== undefined) return kept
  const stemmed = /^[a-z]+$/.test(word) ? stripped(word) : word
  if (known.size >= knownMax) known.clear()
  known.set(word, stemmed)
  return stemmed
}

const stripped = (word: string): string => {
  const replaced = replace(laterEndings)(replace(endings)(yToI(pastAndGerund(plural(word)))))
  return finalE(dropLast(replaced))
}

const plural = (word: string): string => {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

const pastAndGerund = (word: string): string => {
  if (word.endsWith("eed")) return hasOneTurn.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const root = /^(.*)(?:ed|ing)$/.exec(word)?.[1]
  if (root === undefined || !hasVowel.test(root)) return word
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`
  if (endsDouble.test(root)) return root.slice(0, -1)
  return isShort.test(root) ? `${root}e` : root
}

const yToI = (word: string): string =>
  word.endsWith("y") && hasVowel.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

const replace = (pairs: ReadonlyArray<readonly [string, string]>) => (word: string): string => {
  const pair = pairs.find(([ending]) => word.endsWith(ending))
  if (pair === undefined) return word
  const root = word.slice(0, -pair[0].length)
  return hasOneTurn.test(root) ? root + pair[1] : word
}

const dropLast = (word: string): string => {
  const root = lastEnding.exec(word)?.[1] ?? /^(.+[st])ion$/.exec(word)?.[1]
  return root !== undefined && hasTwoTurns.test(root) ? root : word
}

const finalE = (word: string): string => {
  const root = word.slice(0, -1)
  const drops = word.endsWith("e") &&
    (hasTwoTurns.test(root) || (hasExactlyOneTurn.test(root) && !isShort.test(root)))
  const rest = drops ? root : word
  return rest.endsWith("ll") && hasTwoTurns.test(rest) ? rest.slice(0, -1) : rest
}

/** Longest part of a text that is split into words, in UTF-16 code units. */
const textCharsMax = 1_000_000

const stopWords = new Set(Object.values(listed).flatMap((list) => list.split(" ")))

/** Interrogatives of Chinese, Japanese and Korean, which no document repeats. */
const asking =
  /^(?:何|什么|怎么|多少|どの|どれ|いつ|どこ|なぜ|얼마|어떤|언제|어디|무슨|나요|까요|ですか)/u

const grammar = /^\p{Script=Hiragana}{2}$|^[はがをにでとのもへ]|[はがをにでとのもへ]$/u

const cjk = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}"
const pattern = new RegExp(
  `\\p{N}+(?:[.,]\\p{N}+)*|[[${cjk}]&&[\\p{L}\\p{Lm}ー々]]+|` +
    `[[\\p{L}\\p{M}]--[${cjk}]]+(?:['’][[\\p{L}]--[${cjk}]]+)?`,
  "gv"
)
const isCjk = new RegExp(`^[[${cjk}]&&[\\p{L}\\p{Lm}ー々]]`, "v")

/** Differs from the pronoun only by its capitals. */
const unitedStates = /\bU\.?S\.?(?:A\.?)?(?![\p{L}\p{N}])|\bUnited States(?: of America)?\b/gu

/** Every word in order: lower case, NFKC, without accents; numbers without separators. */
export const words = remembered((text: string): ReadonlyArray<string> =>
  (plain(text).match(pattern) ?? []).flatMap(split)
)

const plain = (text: string): string =>
  compatible(text.slice(0, textCharsMax)).replace(joiners, "").replace(unitedStates, "usa")
    .toLowerCase()

/** Joiners, which many writers of some scripts omit. */
const joiners = /[\u200c\u200d]/g

/** NFKC; a superscript or fraction digit after a number is not joined to it. */
export const compatible = (text: string): string =>
  text.replace(/(?<=\p{Nd})(?=[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅟])/gu, " ").normalize("NFKC")

/** Content words, English ones stemmed. */
export const terms = (text: string): ReadonlyArray<string> => termsOf(words(text))

export const termsOf = (list: ReadonlyArray<string>): ReadonlyArray<string> =>
  list.filter(isContent).map(stem)

export const isStopWord = (word: string): boolean => stopWords.has(word)

const isContent = (word: string): boolean => !stopWords.has(word) && !asking.test(word)

const split = (run: string): string | ReadonlyArray<string> => {
  if (ordinary.test(run)) return run
  if (isCjk.test(run)) return pairs(run)
  if (unspaced.test(run)) return Array.from(segmenter.segment(run), ({ segment }) => segment)
  if (/^\p{N}/u.test(run)) return [run.replace(/,(?=\d{3}(?!\d))/g, "")]
  return [withoutAccents(run).replace(/['’]s$/, "").replace(/['’]/g, "")]
}

const ordinary = /^[a-z]+$/

/** Scripts without spaces, segmented by a dictionary. */
const unspaced = /^[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}]/u
const segmenter = new Intl.Segmenter("th", { granularity: "word" })

/** Marks that are accents or vowel points, in scripts whose letters have variants without them. */
const accented =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u

const withoutAccents = (word: string): string =>
  /^[a-z'’]+$/.test(word) || !accented.test(word)
    ? word
    : word.normalize("NFD").replace(/\p{M}+/gu, "").normalize("NFC")

/** Pairs in Hiragana, or with a particle at an edge, are grammar. */
const pairs = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  const all = characters.slice(1).map((second, place) => `${characters[place] ?? ""}${second}`)
  return /^\p{scx=Hiragana}+$/u.test(run) ? all : all.filter((pair) => !grammar.test(pair))
}

// English irregular forms: "won" of "win", "wrote" of "write". Compared by one form.

/** The plain form first. Ambiguous forms such as "saw" and "left" are excluded. */
const plainForms: ReadonlyMap<string, string> = new Map(
  families.flatMap((family) => {
    const [plain = "", ...others] = family.split(" ")
    return others.map((form) => [stem(form), stem(plain)] as const)
  })
)

/** Base form of a stemmed term; most pass unchanged. */
export const plainForm = (term: string): string => plainForms.get(term) ?? term

export const plainTerms = (text: string): ReadonlySet<string> => new Set(terms(text).map(plainForm))

// Proper names of a text, as far as spelling shows them.

/** Above this share of capitalised words a text is in title case, which shows no names. */
const capitalsShareMax = 0.75

/** Capitalised inside a sentence, or at its start with a second capital or digit in the name. */
const latin = new RegExp(
  "(?=\\p{Lu})(?<=[\\p{L}\\p{N},;:)”\"'’]\\s+|^|[.!?]\\s+)(\\p{Lu}[\\p{L}\\p{M}'’.&-]*" +
    "(?:\\s+(?:(?:of|the|de|van|von|and|&)\\s+)?\\p{Lu}[\\p{L}\\p{M}'’.-]*)*)",
  "gu"
)
/** Toponyms and laws that end in their kind; other names cannot be recognised by spelling. */
const cjkName = new RegExp(
  "\\p{Script=Han}{2,6}(?:県|府|市|区|町|村|省|庁|法)(?!\\p{Script=Han})|" +
    "\\p{Script=Hangul}{2,6}(?:특별시|광역시|보호법)",
  "gu"
)

export const nameTerms = (text: string): ReadonlyArray<string> =>
  Array.from(new Set([...latinNames(text), ...(text.match(cjkName) ?? [])].flatMap(terms)))

const latinNames = (text: string): ReadonlyArray<string> => {
  const starts = text.match(/(?<![\p{L}\p{N}'’-])\p{L}/gu) ?? []
  const capitals = starts.filter((letter) => /\p{Lu}/u.test(letter))
  if (starts.length > 3 && capitals.length / starts.length > capitalsShareMax) return []
  return Array.from(text.matchAll(latin)).flatMap((match) => {
    const name = (match[1] ?? "").replace(/(?<![.'’])[.'’]+$/, "").split(/\s+/)
    const opens = match.index === 0 ||
      /[.!?]/.test(text.slice(0, match.index).trimEnd().slice(-1))
    const rest = name.length > 1 && isStopWord((name[0] ?? "").toLowerCase()) ? name.slice(1) : name
    const isOrdinary = rest.length === 1 && name.length === 1 && opens &&
      !/\p{Lu}.*\p{Lu}|\d/u.test(rest[0] ?? "")
    return isOrdinary ? [] : [rest.join(" ")]
  })
}

// Shingles of three terms: measures shared text including word order.

const shingleTerms = 3

/** Empty for a text without terms; a shorter text is one shingle. */
export const shinglesOf = (text: string): ReadonlySet<string> => {
  const list = terms(text)
  const size = Math.max(1, list.length - shingleTerms + 1)
  return new Set(
    Array.from(
      { length: list.length === 0 ? 0 : size },
      (_, place) => list.slice(place, place + shingleTerms).join(" ")
    )
  )
}

/** 0 to 1: share of the smaller set that is in the other; 0 if one is empty. */
export const sharedShare = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const least = Math.min(left.size, right.size)
  return least === 0 ? 0 : left.intersection(right).size / least
}

/** Maximum of a list of any length: `Math.max` takes too few arguments for a page's numbers. */
export const largest = (numbers: ReadonlyArray<number>, least = 0): number =>
  numbers.reduce((most, one) => Math.max(most, one), least)

// Okapi BM25 over a few passages, titles included in the text.

export type Bm25Index = ReturnType<typeof indexOf>

/** BM25's k1 and b. */
const saturation = 1.2
const lengthWeight = 0.6

export const index = (
  documents: ReadonlyArray<{ readonly title?: string; readonly text: string }>
) => indexOf(documents.map(({ text, title = "" }) => terms(`${title} ${text}`)))

export const indexOf = (termLists: ReadonlyArray<ReadonlyArray<string>>) => {
  const lengths = termLists.map((list) => list.length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return {
    counts: termLists.map(countTerms),
    lengths,
    lengthMean: total / Math.max(1, lengths.length)
  }
}

/** Score of each document, in index order; 0 without a shared term. */
export const scores = (bm25: Bm25Index, query: string): ReadonlyArray<number> =>
  weightedScores(bm25, new Map(terms(query).map((term) => [term, rarity(bm25, term)])))

/** BM25 score of each document, in index order, for weighted terms. */
export const weightedScores = (
  bm25: Bm25Index,
  weights: ReadonlyMap<string, number>
): ReadonlyArray<number> =>
  bm25.counts.map((counts, document) => {
    const length = (bm25.lengths[document] ?? 0) / (bm25.lengthMean || 1)
    const norm = saturation * (1 - lengthWeight + lengthWeight * length)
    let sum = 0
    for (const [term, weight] of weights) {
      const count = counts.get(term) ?? 0
      if (count > 0) sum += (weight * count * (saturation + 1)) / (count + norm)
    }
    return sum
  })

/** Inverse document frequency. */
export const rarity = (bm25: Bm25Index, term: string): number => {
  const holders = bm25.counts.filter((counts) => counts.has(term)).length
  return Math.log(1 + (bm25.counts.length - holders + 0.5) / (holders + 0.5))
}

const countTerms = (list: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
