/** Features for the fitted gate: structural ones, equal in all languages, and hashed n-grams. */
import words from "./GateWords.json" with { type: "json" }

/** UTF-16 code units read at a text's start and end; the middle is skipped. */
const startCharsMax = 700
const endCharsMax = 300

/** A shorter quotation is a name. */
const quotedWordsMin = 3
const quotedUnspacedMin = 8

const code = /```|[{};]\s*$|=>|\w\(\w*\)\s*[{:]|[!=]=|<\/?\w+>|\w\(["'\d]|\bselect\b.+\bfrom\b/m

const known = new RegExp(
  ["Latin", "Cyrillic", "Hangul", "Han", "Hiragana", "Katakana"]
    .map((script) => `\\p{Script=${script}}{2}`).join("|"),
  "u"
)

type TextShape = ReturnType<typeof shapeOf>

const shapeOf = (text: string) => {
  const trimmed = bounded(text.normalize("NFKC").replace(/[ \t]+/g, " ").trim())
  const language = languageOf(wordedOf(trimmed))
  const { body, greets } = withoutCourtesy(trimmed, language)
  const { asking, material } = partsOf(body, language)
  const spoken = sentencesOf(asking)
  const numbers = body.match(/\d+(?:[.,]\d+)*/g) ?? []
  const bare = asking.replace(/["“”„«»「」『』'’]/g, "")
  return {
    language,
    /** Text without greetings, courtesy and quoted material. Lower case. */
    asking: wordedOf(asking),
    whole: wordedOf(body),
    /** Imperative positions: beginnings of sentences, or ends in verb-final languages. */
    orders: wordedOf(spoken.map((one) => orderOf(one, language)).join(" . ")),
    material,
    greets,
    /** Hardly a letter is in a script of the known languages. */
    isUnread: /\p{L}/u.test(body) && !known.test(body),
    isAsked: /[?？؟¿՞፧]/.test(asking),
    sentences: spoken.length,
    hasLines: body.includes("\n"),
    hasCode: code.test(body.toLowerCase()),
    numbers: numbers.length,
    years: yearsOf(body),
    operators: (body.match(/\d\s?[+×*÷=^√%]|\d\s[-−/:]\s\d/g) ?? []).length,
    names: namesIn(bare, language),
    hasMoney: /[$€£¥₩]/.test(body),
    /** Words; in scripts without spaces, half of the characters. */
    length: unspaced.has(language)
      ? Math.round([...asking].length / 2)
      : asking.split(/\s+/).filter((word) => word !== "").length
  }
}

const bounded = (text: string): string =>
  text.length <= startCharsMax + endCharsMax
    ? text
    : `${text.slice(0, startCharsMax)} ${text.slice(-endCharsMax)}`

const courtesiesMax = 4

const withoutCourtesy = (text: string, language: Language) => {
  const start = { body: text, greets: false }
  return Array.from({ length: courtesiesMax }).reduce<typeof start>(({ body, greets }) => {
    const plain = plainOf(body)
    const greeting = opening(plain, language, "court")
    const found = greeting ?? opening(plain, language, "polite")
    if (found === undefined) return { body, greets }
    const after = body.slice(found.length)
    // "ありがとうの語源" asks about the word itself.
    if (unspaced.has(language) && /^[\p{L}\p{M}]/u.test(after)) return { body, greets }
    const rest = after.replace(/^[\s,.!~。、，！—–-]+/u, "")
    return rest.length < 3
      ? { body, greets: true }
      : { body: rest, greets: greets || greeting !== undefined }
  }, start)
}

const quotation =
  /"[^"\n]{2,}"|“[^”\n]{2,}”|„[^“”\n]{2,}[“”]|«[^»\n]{2,}»|「[^」]{2,}」|『[^』]{2,}』|《[^》]{2,}》/gu

interface Parts {
  readonly asking: string
  readonly material: "none" | "quoted" | "introduced"
}

/** Separates material: text given to be worked on is no question, whatever it says. */
const partsOf = (body: string, language: Language): Parts => {
  const quoted = body.match(quotation)?.some((part) => isLong(part, language)) ?? false
  const unquoted = body.replace(
    quotation,
    (part) => isLong(part, language) ? " \u25a0 " : part
  )
  const [head = "", ...after] = unquoted.split(/:\s+|:(?=[\u25a0"“„«「]|\p{Lo})|\n+/u)
  const rest = after.join(" ")
  const isIntroduced = isLong(rest, language) && works(head, language)
  if (isIntroduced) return { asking: `${head} \u25a0`, material: "introduced" }
  return { asking: unquoted, material: quoted ? "quoted" : "none" }
}

const isLong = (part: string, language: Language): boolean =>
  unspaced.has(language)
    ? [...part].length >= quotedUnspacedMin
    : part.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= quotedWordsMin

/** Whether the text before a colon is an order about the text after it. */
const works = (head: string, language: Language): boolean => {
  const worded = wordedOf(head)
  return working.some((field) => hasWord(worded, language, field)) &&
    !breaking.some((field) => hasWord(worded, language, field))
}
const working = ["edit", "given", "manner", "work"] as const
const breaking = ["verify", "play"] as const

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[\p{STerm}…])\s+|(?<=[。？！!?])|\n+/u).filter((part) =>
    /[\p{L}\p{N}]/u.test(part)
  )

const orderWordsMax = 3
const orderEndCharsMax = 14
const orderStartCharsMax = 8

const orderOf = (sentence: string, language: Language): string => {
  if (verbLast.has(language)) return sentence.slice(-orderEndCharsMax)
  if (language === "zh") return sentence.slice(0, orderStartCharsMax)
  return sentence.trim().split(/\s+/).slice(0, orderWordsMax).join(" ")
}

const yearsOf = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/(?<![\d.,-])(?:1[5-9]|20)\d\d(?![\d-]|[.,]\d)/g)].map(([digits]) =>
    Number(digits)
  )

/** Capitalised within a sentence. German nouns all are, so only whole capitals count there. */
const namesIn = (text: string, language: Language): number => {
  if (unspaced.has(language)) {
    return (text.match(/[A-Z][A-Za-z]{2,}|[\p{Script=Katakana}ー]{4,}/gu) ?? []).length
  }
  const inner = sentencesOf(text).map((one) => one.replace(/^\P{L}*\S+/u, "")).join(" ")
  const capital = language === "de" ? /(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu : /(?<!\p{L})\p{Lu}\p{L}+/gu
  return (inner.match(capital) ?? []).filter((found) => !/^I(?:'|$)/.test(found)).length
}

/** Number of hashed features. A model may fold them into fewer; both are powers of two. */
export const buckets = 2 ** 16

/** Code points at a text's start and end from which features are hashed. */
const startPointsMax = 300
const endPointsMax = 100

export type GateFeatures = ReturnType<typeof featuresOf>

/** Word fields that are no features. */
const unsaid = new Set(["id", "court", "polite", "finance", "news", "changing", "settled"])

// `|` separates entries, `*` matches any ending. Chinese, Japanese and Korean entries match
// anywhere, others as whole words.

const isField = (name: string): name is WordField => Object.hasOwn(words.en, name)
export const fields: ReadonlyArray<WordField> = Object.keys(words.en).filter(isField)

const fieldsSaid = fields.filter((field) => !unsaid.has(field))

const fieldsOrdered = ["ask", "tell", "edit", "make", "play", "you", "me"] as const

const worldly = ["law", "culture", "practice", "price", "time", "health", "verify"] as const

type Facts = ReturnType<typeof factsOf>

type Test = readonly [name: string, holds: (facts: Facts) => boolean]

const wordTests: ReadonlyArray<Test> = [
  ...fieldsSaid.map((field): Test => [`says ${field}`, ({ said }) => said(field) > 0]),
  ...fieldsOrdered.map((
    field
  ): Test => [`opens with ${field}`, ({ ordered }) => ordered.has(field)])
]

const form: ReadonlyArray<Test> = [
  ["asked", ({ shape }) => shape.isAsked],
  ["asked, not about the world", (facts) => facts.shape.isAsked && facts.world === 0],
  ["asked, about the world", ({ shape, world }) => shape.isAsked && world > 0],
  ["asks without a mark", ({ ordered, shape }) => !shape.isAsked && ordered.has("ask")],
  [
    "neither asks nor orders",
    ({ ordered, said, shape }) => !shape.isAsked && said("ask") === 0 && ordered.size === 0
  ],
  ["quoted material", ({ shape }) => shape.material === "quoted"],
  ["introduced material", ({ shape }) => shape.material === "introduced"],
  ["edits material", ({ said, shape }) => said("edit") > 0 && shape.material !== "none"],
  ["lines", ({ shape }) => shape.hasLines],
  ["code", ({ shape }) => shape.hasCode],
  ["operator", ({ shape }) => shape.operators > 0],
  ["one number", ({ shape }) => shape.numbers === 1],
  ["two numbers", ({ shape }) => shape.numbers === 2],
  ["more numbers", ({ shape }) => shape.numbers > 2],
  ["sum told", ({ said, shape, world }) => shape.numbers > 1 && said("much") > 0 && world < 2],
  [
    "sum ordered",
    ({ said, shape, world }) =>
      said("sums") > 0 && shape.numbers + said("number") > 1 && world === 0
  ],
  [
    "sum, world",
    ({ said, shape, world }) => said("sums") > 0 && shape.numbers + said("number") > 1 && world > 0
  ],
  ["numbers alone", ({ shape }) => shape.numbers > 1 && shape.length <= shape.numbers * 3],
  ["year", ({ shape }) => shape.years.length > 0],
  ["money", ({ shape }) => shape.hasMoney],
  ["no letters", ({ shape }) => !/\p{L}/u.test(shape.whole.plain)],
  ["one name", ({ shape }) => shape.names === 1],
  ["more names", ({ shape }) => shape.names > 1],
  ["greets", ({ shape }) => shape.greets],
  ["one or two words", ({ shape }) => shape.length <= 2],
  ["three to five words", ({ shape }) => shape.length > 2 && shape.length <= 5],
  ["six to ten words", ({ shape }) => shape.length > 5 && shape.length <= 10],
  ["over twenty words", ({ shape }) => shape.length > 20],
  ["more sentences", ({ shape }) => shape.sentences > 1],
  ["world once", ({ world }) => world === 1],
  ["world twice", ({ world }) => world === 2],
  ["world more", ({ world }) => world > 2]
]

const isOfNow = ({ said }: Facts): boolean =>
  (["time", "law", "price", "verify", "practice", "culture"] as const).some((field) =>
    said(field) > 0
  )

const together: ReadonlyArray<Test> = [
  ["makes a work", ({ said }) => said("make") > 0 && said("work") > 0],
  [
    "makes a work, not of now",
    (facts) => facts.said("make") > 0 && facts.said("work") > 0 && !isOfNow(facts)
  ],
  [
    "numbers in a story",
    ({ said, shape, world }) =>
      shape.numbers + said("number") > 1 && shape.years.length === 0 && shape.sentences > 1 &&
      world === 0 && (said("much") > 0 || shape.isAsked)
  ],
  [
    "story that ends in how many",
    ({ said, shape }) =>
      shape.isAsked && shape.sentences > 2 && said("much") > 0 &&
      shape.numbers + said("number") > 2 && shape.years.length === 0
  ]
]

const tests = [...wordTests, ...form, ...together]

export const structureNames: ReadonlyArray<string> = tests.map(([name]) => name)

export const featuresOf = (text: string) => {
  const shape = shapeOf(text)
  const facts = factsOf(shape)
  return {
    shape,
    /** Indexes into `structureNames`, each at most once. */
    structure: tests.flatMap(([, holds], index) => holds(facts) ? [index] : []),
    /** Indexes below `buckets`, each at most once. */
    hashed: hashedOf(shape)
  }
}

const factsOf = (shape: TextShape) => {
  const counts = new Map(
    fieldsSaid.map((field) => [field, count(shape.asking, shape.language, field)])
  )
  /** Number of different words of a field in the text. */
  const said = (field: WordField) => counts.get(field) ?? 0
  const ordered = fieldsOrdered.filter((field) => hasWord(shape.orders, shape.language, field))
  const world = worldly.filter((field) => said(field) > 0).length
  return { shape, said, ordered: new Set<string>(ordered), world }
}

const gramMin = 2
const gramMax = 5
const unspacedGramMin = 1
const unspacedGramMax = 4

/** Start and end are marked, so that n-grams there differ from those within. */
const hashedOf = (shape: TextShape): ReadonlyArray<number> => {
  const isUnspaced = unspaced.has(shape.language)
  const text = shape.asking.plain.replace(/\d+/g, "0").replace(/[\s?!.,;…。、，！？]+/gu, " ")
    .trim()
  const all = [...`^${text}$`]
  const points = all.length <= startPointsMax + endPointsMax
    ? all
    : [...all.slice(0, startPointsMax), " ", ...all.slice(-endPointsMax)]
  const codes = points.map((point) => point.codePointAt(0) ?? 0)
  const found = new Set<number>()
  const longest = isUnspaced ? unspacedGramMax : gramMax
  const shortest = isUnspaced ? unspacedGramMin : gramMin
  for (let start = 0; start < codes.length; start++) {
    const end = Math.min(start + longest, codes.length)
    let hash = gramSeed
    for (let at = start; at < end; at++) {
      hash = mixed(hash, codes[at] ?? 0)
      if (at - start + 1 >= shortest) found.add(bucketOf(hash))
    }
  }
  if (!isUnspaced) { for (const hash of wordHashes(points.join(""))) found.add(hash) }
  return [...found]
}

const wordHashes = (text: string): ReadonlyArray<number> => {
  const spoken = text.slice(1, -1).split(" ").filter((word) => word !== "")
  const hashes = spoken.map((word) =>
    [...word].reduce((hash, point) => mixed(hash, point.codePointAt(0) ?? 0), wordSeed)
  )
  return hashes.flatMap((hash, index) => {
    const next = hashes[index + 1]
    return next === undefined ? [bucketOf(hash)] : [bucketOf(hash), bucketOf(mixed(hash, next))]
  })
}

/** FNV-1a over code points. */
const gramSeed = 0x811c9dc5
const wordSeed = 0x2b1d4f63
const mixed = (hash: number, value: number): number =>
  Math.imul(Math.imul(hash ^ (value & 0xffff), 0x01000193) ^ (value >>> 16), 0x01000193) >>> 0
const bucketOf = (hash: number): number => ((hash ^ (hash >>> 15)) >>> 0) % buckets

export type WordField = keyof (typeof words)["en"]
type Language = keyof typeof words

const isLanguage = (name: string): name is Language => Object.hasOwn(words, name)
const languages = Object.keys(words).filter(isLanguage)

const latin = languages.filter((language) => !["ru", "ko", "ja", "zh"].includes(language))
const unspaced: ReadonlySet<Language> = new Set<Language>(["ko", "ja", "zh"])
const verbLast: ReadonlySet<Language> = new Set<Language>(["ko", "ja"])

/** Text prepared for matching: lower case, one space around each word. */
type Worded = ReturnType<typeof wordedOf>

const wordedOf = (text: string) => {
  const plain = plainOf(text)
  const spaced = spacedOf(plain)
  return { plain, spaced: ` ${spaced} `, words: new Set(spaced.split(" ")) }
}

/** Text as the gate's word lists have it: NFKC, lower case, plain apostrophes. */
const plainOf = (text: string): string =>
  text.normalize("NFKC").replace(/[’‘`]/g, "'").toLowerCase()

const spacedOf = (plain: string): string => plain.replace(/[^\p{L}\p{M}\p{N}'%]+/gu, " ").trim()

/** Single words are looked up in a set; phrases, prefixes and unspaced scripts are searched. */
interface List {
  readonly words: ReadonlyArray<string>
  readonly needles: ReadonlyArray<string>
}

const listOf = (language: Language, entries: string): List => {
  const all = entries.split("|").filter((entry) => entry !== "")
  if (unspaced.has(language)) {
    return { words: [], needles: all.map((entry) => plainOf(entry).replace(/\*$/, "")) }
  }
  const isWord = (entry: string) => !entry.endsWith("*") && !spacedOf(plainOf(entry)).includes(" ")
  return {
    words: all.filter(isWord).map((entry) => spacedOf(plainOf(entry))),
    needles: all.filter((entry) => !isWord(entry)).map((entry) => {
      const bare = spacedOf(plainOf(entry.replace(/\*$/, "")))
      return entry.endsWith("*") ? ` ${bare}` : ` ${bare} `
    })
  }
}

const lists = new Map<string, List>()

const listIn = (language: Language, field: WordField): List => {
  const name = `${language} ${field}`
  const list = lists.get(name) ?? listOf(language, words[language][field])
  lists.set(name, list)
  return list
}

export const count = (text: Worded, language: Language, field: WordField): number => {
  const where = unspaced.has(language) ? text.plain : text.spaced
  const { needles, words } = listIn(language, field)
  return words.filter((word) => text.words.has(word)).length +
    needles.filter((needle) => where.includes(needle)).length
}

const hasWord = (text: Worded, language: Language, field: WordField): boolean =>
  count(text, language, field) > 0

/** Longest entry of a word list that a lower-case text begins with; `undefined` for none. */
export const opening = (text: string, language: Language, field: WordField): string | undefined => {
  const { needles, words } = listIn(language, field)
  const where = unspaced.has(language)
    ? text
    : ` ${text.slice(0, openingCharsMax).replace(/[^\p{L}\p{M}\p{N}'%]/gu, " ")} `
  return [...words.map((word) => ` ${word} `), ...needles]
    .filter((needle) => where.startsWith(needle))
    .toSorted((left, right) => right.length - left.length)[0]?.trim()
}

const openingCharsMax = 60

const marks: ReadonlyArray<readonly [language: Language, letters: RegExp]> = [
  ["de", /[ßäöü]/],
  ["es", /[¿¡ñ]/],
  ["pt", /[ãõ]/],
  ["fr", /[œêçèàù]/]
]

/** Language of a text by its script, then by its commonest words; English if neither decides. */
const languageOf = (text: Worded): Language => {
  const { plain } = text
  if (/\p{Script=Hangul}/u.test(plain)) return "ko"
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(plain)) return "ja"
  if (/\p{Script=Han}/u.test(plain)) return "zh"
  if (/\p{Script=Cyrillic}/u.test(plain)) return "ru"
  const start: Worded = { ...text, spaced: text.spaced.slice(0, tellingCharsMax) }
  const scored = latin.map((language) => {
    const mark = marks.some(([marked, letters]) => marked === language && letters.test(plain))
    const said = telling.reduce((sum, field) => sum + count(start, language, field), 0)
    return { language, score: said + (mark ? 2 : 0) }
  })
  return scored.reduce((best, next) => next.score > best.score ? next : best).language
}

/** UTF-16 code units at a text's start that are searched for a language's phrases. */
const tellingCharsMax = 200
/** Word fields that distinguish languages of one script. */
const telling: ReadonlyArray<WordField> = [
  "id",
  "ask",
  "me",
  "you",
  "edit",
  "make",
  "court",
  "polite",
  "number",
  "now",
  "tell",
  "feel",
  "chat",
  "work",
  "device"
]
