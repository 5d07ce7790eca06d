/** A text as the PII finders read it: language, sentences, clauses, and which of them ask. */
import { Function, Record } from "effect"
import type { Span } from "../text/Sentences.ts"
import words from "./PrivacyWords.json" with { type: "json" }

const pairs =
  "張张劉刘陳陈楊杨黃黄趙赵吳吴孫孙馬马羅罗鄭郑謝谢許许鄧邓馮冯韓韩蕭萧葉叶蔣蒋蘇苏呂吕盧卢鍾钟鐘钟譚谭陸陆賈贾韋韦鄒邹閻阎錢钱湯汤賀贺龔龚龐庞顏颜嚴严溫温蘆芦倫伦魯鲁畢毕聶聂婁娄齊齐莊庄歐欧蘭兰時时會会關关費费紀纪單单車车華华衛卫項项陰阴應应樂乐萬万歲岁麗丽靜静強强軍军傑杰豔艳濤涛剛刚輝辉國国瓊琼瑩莹鳳凤潔洁榮荣愛爱蓮莲環环媽妈婭娅嫻娴寧宁寶宝嵐岚憶忆慶庆懷怀勝胜義义興兴謙谦賢贤達达遠远運运銘铭鋒锋銳锐長长順顺頌颂飛飞鴻鸿鶴鹤龍龙諾诺語语詩诗雲云電电號号碼码訊讯證证護护銀银帳账戶户單单駕驾駛驶執执險险編编稱称職职業业學学園园師师醫医闆板經经總总務务員员長长課课處处隊队臺台灣湾幣币圓圆資资稅税後后領领導导顧顾問问題题請请嗎吗麼么誰谁為为幾几個个們们這这裡里裏里對对給给從从來来還还沒没讓让說说講讲話话聽听買买賣卖開开關关門门間间過过進进動动種种現现點点類类約约級级結结給给統统線线續续維维繳缴罰罚訴诉報报場场屬属樓楼層层號号棟栋鄉乡鎮镇縣县區区爺爷婦妇孫孙兒儿嬰婴貓猫內内僱雇傭佣離离職职辦办認认識识該该誤误錯错續续須须願愿顯显駐驻體体黨党儀仪價价優优億亿亞亚係是喺在嘅的唔不冇没佢他哋们嗰那咗了啲些俾给乜什點点諗想睇看攞拿搵找"

const read = new Map(
  Array.from(pairs.matchAll(/(.)(.)/gu), (pair) => [pair[1] ?? "", pair[2] ?? ""] as const)
)

/** Text in simplified characters. One for one, so offsets stay. */
const simplified = (text: string): string =>
  Array.from(text, (letter) => read.get(letter) ?? letter).join("")

/** Spans of a pattern's matches: its group `secret` if present, else the whole match. */
export const spansOf = (text: string, pattern: RegExp): ReadonlyArray<Span> =>
  Array.from(text.matchAll(pattern), (match) => {
    const secret = match.groups?.["secret"]
    const start = match.index + (secret === undefined ? 0 : match[0].lastIndexOf(secret))
    return { start, end: start + (secret ?? match[0]).length }
  })

export interface Clause extends Span {
  readonly isAsking: boolean
  readonly isOfQuestion: boolean
}

export type PrivateText = ReturnType<typeof readText>

export const spacedLanguages = ["en", "de", "fr", "es", "it", "pt", "ru"] as const

type Field = keyof PrivacyWords

const letterOrDigit = "[\\p{L}\\p{N}]"
/** Pattern of a word field's entries, longest first; `*` stands for any letters. */
const alternatives = (entries: string): string =>
  entries.split("|").filter((entry) => entry !== "")
    .sort((left, right) => right.length - left.length)
    .map((entry) => entry.replace(/[.?+()]/g, "\\$&").replaceAll("*", "\\p{L}*"))
    .join("|")
const bounded = (some: string): string =>
  `(?<!${letterOrDigit})(?:${some})(?:(?<!\\p{L})|(?!${letterOrDigit}))`

/** Accents are optional in the fields of `loose`; words for relatives may be diminutives. */
const whole = (entries: string, field: string): string => {
  const some = alternatives(entries)
  if (!loose.has(field)) return bounded(some)
  const small = field === "kin" ? some.replace(/(?<=\p{L}{3}[^aeio|])[oa](?=\||$)/gu, dear) : some
  return bounded(small.replace(/[áéíóúâêôãõçèàù]/gu, (letter) => `[${letter}${bare(letter)}]`))
}
const loose = new Set(["code", "pass", "kin", "role", "job", "street", "home", "sign", "self"])
const dear = "(?:[oa]|(?:e?c)?it[oa]|z?inh[oa]|in[oa]|ett[oa])"
const bare = (letter: string): string => letter.normalize("NFD").slice(0, 1)

const patterns = new Map<string, RegExp>()

const patternOf = (language: SpacedLanguage | UnspacedLanguage, field: Field): RegExp => {
  if (language === "ko" || language === "ja" || language === "zh") {
    const entries = unspacedWords[language][field]
    return new RegExp(entries === "" ? "(?!)" : `(?:${alternatives(entries)})`, "gu")
  }
  const entries = spacedWords[language][field]
  return new RegExp(entries === "" ? "(?!)" : whole(entries, field), "gu")
}

/** Pattern of a field's words, for lower-case text. Global: use with `matchAll` only. */
export const wordsOf = (language: SpacedLanguage | UnspacedLanguage, field: Field): RegExp => {
  const name = `${language} ${field}`
  const pattern = patterns.get(name) ?? patternOf(language, field)
  patterns.set(name, pattern)
  return pattern
}

export const count = (
  text: string,
  language: SpacedLanguage | UnspacedLanguage,
  field: Field
): number => text.match(wordsOf(language, field))?.length ?? 0

export const isOf = (language: SpacedLanguage, field: Field, word: string): boolean =>
  tables[language][field].has(word)

/** Fields of phrases, which no single word is looked up in. */
const phraseFields: ReadonlySet<string> = new Set(["self", "am", "called", "job", "home"])
const fieldsByWord = new Map<string, ReadonlyArray<string>>()

// `|` separates entries, `*` stands for any letters. An empty field has no such words.

export const spacedWords: Readonly<Record<SpacedLanguage, PrivacyWords>> = words.spaced

const tables = Record.map(
  spacedWords,
  (fields) => Record.map(fields, (entries): ReadonlySet<string> => new Set(entries.split("|")))
)

for (const fields of Object.values(tables)) {
  for (const [field, entries] of Object.entries(fields)) {
    if (phraseFields.has(field)) continue
    for (const entry of entries) {
      const known = fieldsByWord.get(entry) ?? []
      if (!known.includes(field)) fieldsByWord.set(entry, [...known, field])
    }
  }
}

/** Fields that hold the lower-case word, in any language with spaces. */
export const fieldsOf = (word: string): ReadonlyArray<string> => fieldsByWord.get(word) ?? []

export const readText = (raw: string) => {
  const unspaced = unspacedOf(raw)
  const plain = unspaced === "zh" ? simplified(raw) : raw
  const low = lowerOf(plain)
  const spaced = spacedOf(low)
  const isOwn = unspaced !== undefined && isOfPeople(low, unspaced) ||
    spacedLanguages.some((language) => language !== spaced && introduces(low, language)) ||
    isOnesOwn(low, spaced) ||
    isOfSomebody(low, spaced)
  const inner = raw.match(/(?<=[\p{L},] )\p{Lu}\p{Ll}/gu)?.length ?? 0
  return {
    raw,
    /** The same in simplified characters, if Chinese. */
    plain,
    /** `plain` in lower case, character by character. */
    low,
    spaced,
    /** Its language without spaces, if any. */
    unspaced,
    clauses: clausesOf(raw, low, unspaced ?? spaced, isOwn),
    isOwn,
    /** Written without capitals, as in a chat: names have none, either. */
    isSmall: inner === 0 && spaced !== "de" || inner === 0 && /^\p{Ll}/u.test(raw)
  }
}

const lowerOf = (written: string): string => {
  const text = written.replaceAll("’", "'")
  const low = text.toLowerCase()
  return low.length === text.length
    ? low
    : Array.from(text, (letter) => {
      const small = letter.toLowerCase()
      return small.length === letter.length ? small : letter
    }).join("")
}

const unspacedOf = (text: string): UnspacedLanguage | undefined => {
  if (/\p{Script=Hangul}/u.test(text)) return "ko"
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja"
  return /\p{Script=Han}/u.test(text) ? "zh" : undefined
}

const marks: ReadonlyArray<readonly [SpacedLanguage, RegExp]> = [
  ["es", /[¿¡ñ]/u],
  ["de", /[ßäöü]/u],
  ["pt", /[ãõ]|ção|nh[aeo]s?(?!\p{L})/u],
  ["fr", /[œêçèù]|(?<!\p{L})[jldcnmst]['’]|\s[?!]/u],
  ["it", /(?<!\p{L})(?:dell|nell|un|all)['’]|[ìò]/u]
]

const telling = Record.map(
  tables,
  ({ code, kin, me, plain, role }) => new Set([plain, me, kin, role, code].flatMap((of) => [...of]))
)

const spacedOf = (low: string): SpacedLanguage => {
  if (/\p{Script=Cyrillic}/u.test(low)) return "ru"
  const words = low.match(/[\p{L}’']+/gu) ?? []
  const scores = spacedLanguages.filter((language) => language !== "ru").map((language) => {
    const known = words.filter((word) => telling[language].has(word)).length
    const marked = marks.some(([of, mark]) => of === language && mark.test(low))
      ? 1.5
      : 0
    return [language, known + marked] as const
  })
  return scores.reduce((best, one) => one[1] > best[1] ? one : best)[0]
}

const isOnesOwn = (low: string, language: SpacedLanguage): boolean => {
  const rest = low.replace(
    /(?<!\p{L})(?:tell|show|give|help|let|for|remind|teach) (?:me|us)(?!\p{L})|(?<!\p{L})(?:dis|dites|dime|dígame|diz|sag|zeig|nenn|erklär)[- ]?(?:moi|mir|me)(?!\p{L})/gu,
    " "
  )
  return (["me", "self"] as const).some((field) => count(rest, language, field) > 0)
}

/** Asked about people or what they have, rather than a fragment about a thing. */
const isOfPeople = (low: string, language: UnspacedLanguage): boolean =>
  (["me", "kin", "role", "code", "pass", "self", "home", "job", "born", "called", "am"] as const)
    .some((field) => count(low, language, field) > 0)

const relationOf = Function.memoize(({ kin, my, role }: PrivacyWords) =>
  new RegExp(`${whole(my, "my")} (?:${alternatives(`${kin}|${role}`)})(?!\\p{L})`, "gu")
)

/** "my husband". Global: use with `matchAll` or `search`. */
export const relationsOf = (language: SpacedLanguage): RegExp => relationOf(spacedWords[language])

/** "my name is", "my husband" in that language. */
const introduces = (low: string, language: SpacedLanguage): boolean =>
  count(low, language, "self") > 0 || low.search(relationsOf(language)) !== -1

const dated =
  /(?<!\p{L})(?:dob|d\.o\.b\.?|date of birth|geburtsdatum|date de naissance|fecha de nacimiento|data di nascita|data de nascimento|дата рождения)\s?[:=]?\s?\d/u

/** A sentence next to the question that opens with a relation, or names a code and its digits. */
const isOfSomebody = (low: string, language: SpacedLanguage): boolean => {
  const sentences = low.split(/[.!?\n]\s+/u)
  if (dated.test(low)) return true
  return sentences.length > 1 && sentences.some((sentence) =>
    !opensAsking(sentence, language) &&
    (["kin", "role", "code", "home", "title"] as const).some((field) => {
      const [first] = sentence.matchAll(wordsOf(language, field))
      if (first === undefined || isOf(language, "plain", first[0])) return false
      return field === "title" ||
        first.index < 12 && (field !== "code" || /\d/.test(sentence.slice(first.index)))
    })
  )
}

/** Sentences end at a mark before a space, at Chinese and Japanese marks, and at line ends. */
const sentenceEnd = /(?<![\p{STerm}…])[\p{STerm}…]+["»”)]?\s+|[。？！]+|\n+|\?\s+|$/gu
const clauseEnd = /(?:,(?!\d)|[;:—–、，；：(（)）])\s*|\s[-–—]\s|$/gu
const clauseEndKorean =
  /(?<=는데|은데|인데|이고|지만|니까|어서|아서|하고|해서|려고|인데요|는데요),?\s+|[,、]\s*|$/gu
const clauseEndJapanese = /(?<=が|けど|ので|けれど|から|して)、|[、,]|$/gu

const partsOf = (text: string, ends: RegExp, from: number): ReadonlyArray<Span> => {
  let start = 0
  const parts: Array<Span> = []
  for (const end of text.matchAll(ends)) {
    const to = end.index + end[0].length
    if (to > start) parts.push({ start: from + start, end: from + to })
    start = to
  }
  return parts
}

const abbreviation =
  /(?<!\p{L})(?:dr|mr|mrs|ms|prof|st|sr|sra|dra|lic|fr|hr|sig|dott|nr|no|art|geb|ca|str|av|vs|etc|ul|ул|кв|д|г|sta|m|mme|jr|\p{L})\.$/u
/** Longest abbreviation, with its dot and the letter that must not precede it. */
const abbreviationCharsMax = 8

const sentencesOf = (raw: string, low: string): ReadonlyArray<Span> => {
  const all: Array<Span> = []
  for (const part of partsOf(raw, sentenceEnd, 0)) {
    const last = all.at(-1)
    const before = last === undefined ? "" : low.slice(last.start, last.end).trimEnd()
    const goesOn = last !== undefined && abbreviation.test(before.slice(-abbreviationCharsMax))
    if (goesOn) all.pop()
    all.push({ start: goesOn ? last.start : part.start, end: part.end })
  }
  return all
}

const clausesOf = (
  raw: string,
  low: string,
  language: SpacedLanguage | UnspacedLanguage,
  isOwn: boolean
): ReadonlyArray<Clause> => {
  const ends = language === "ko"
    ? clauseEndKorean
    : language === "ja"
    ? clauseEndJapanese
    : clauseEnd
  const isUnspaced = language === "ko" || language === "ja" || language === "zh"
  const sentences = sentencesOf(raw, low)
  const hasQuestion = /[?？]/.test(raw)
  // Chats omit the question mark: a sentence that opens as a question is one.
  const opens = !isUnspaced &&
    sentences.some(({ end, start }) => opensAsking(low.slice(start, end), language))
  return sentences.flatMap(({ start, end }) => {
    const asks = isUnspaced
      ? (part: Span) => count(low.slice(part.start, part.end), language, "ask") > 0
      : (part: Span) => opensAsking(low.slice(part.start, part.end), language)
    const isMarked = /[?？]["»”)]?\s*$/u.test(raw.slice(start, end))
    const spans = partsOf(raw.slice(start, end), ends, start)
    const isOfQuestion = isMarked ||
      spans.some((part, at) =>
        (isUnspaced ? at === spans.length - 1 : at === 0 || !hasQuestion) && asks(part)
      )
    const parts = spans.map((part) => ({ ...part, isOfQuestion }))
    const first = parts.findIndex((part, at) =>
      asks(part) && (at === 0 || isMarked || !relative.test(low.slice(part.start, part.end)))
    )
    if (first !== -1) {
      return parts.map((part, at) => ({
        ...part,
        isAsking: isUnspaced ? at === parts.length - 1 || asks(part) : at >= first
      }))
    }
    const isFragment = !isUnspaced && !isOnesOwn(low.slice(start, end), language) &&
      (!hasQuestion && !(isOwn && opens) || !isOwn)
    const areStatements = parts.map((part) => isTelling(low.slice(part.start, part.end), language))
    // All clauses before a colon count as statements as soon as one does.
    const colon = parts.findLastIndex((part) => /:\s*$/u.test(raw.slice(part.start, part.end)))
    const isToldBefore = areStatements.slice(0, colon + 1).includes(true)
    const telling = areStatements.map((is, at) => is || at <= colon && isToldBefore)
    return parts.map((part, at) => ({
      ...part,
      isAsking: isMarked && (at === parts.length - 1 || !isUnspaced && telling[at] === false) ||
        isFragment
    }))
  })
}

/** Tells something of the writer or the writer's people. Always in Korean, Japanese, Chinese. */
const isTelling = (part: string, language: SpacedLanguage | UnspacedLanguage): boolean =>
  (language === "ko" || language === "ja" || language === "zh") ||
  part.search(relationsOf(language)) !== -1 ||
  (["self", "me"] as const).some((field) => count(part, language, field) > 0)

/** "who works there": a question only if its sentence ends as one. */
const relative =
  /^\s*(?:que|qui|che|who|which|where|when|wo|wie|was|der|где|что|кто|как|когда)(?!\p{L})(?! (?:hago|puedo|faire|fare|tun|tue|do|can|should|could|is the|are the|fais|hacer|делать|how)(?!\p{L}))/u

const opening =
  /^[\s¿¡"«“„(–—-]*(?:(?:and|und|et|y|e|и|but|aber|mais|pero|also|so|ah|ps|pps)[\s:,]+)?/u

const opensAsking = (part: string, language: SpacedLanguage): boolean => {
  const at = opening.exec(part)?.[0].length ?? 0
  const [first] = part.slice(at).matchAll(wordsOf(language, "ask"))
  return first !== undefined && first.index === 0
}

export const clauseAt = ({ clauses }: PrivateText, at: number): Clause | undefined =>
  clauses.find(({ end, start }) => start <= at && at < end)

export const blanked = (text: string, { end, start }: Span, spans: ReadonlyArray<Span>): string =>
  spans.filter((span) => span.start < end && start < span.end).reduce((rest, span) => {
    const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)]
    return rest.slice(0, from - start) + " ".repeat(to - from) + rest.slice(to - start)
  }, text.slice(start, end))

/**
 * Entries by field. `plain`: function words, which identify the language and do not resemble names.
 * `ask`: words that begin a question, and requests for an answer. `sign`: before a name at the end
 * of a letter. `self`: phrases only used before the writer's name. `am`: a name may follow, or
 * anything. `called`: between a relation and the name. `kin`: relations of private life, pets
 * included. `role`: of people whom others may know, too. `job`: directly before an employer or a
 * school. `org`: institutions named after something. `code`: for identifiers, before the value.
 * `home`: directly before a home address. `place`: before a town. `does`: verbs of a person at the
 * beginning of a statement.
 */
export type PrivacyWords = typeof words.spaced.en

type SpacedLanguage = keyof typeof words.spaced
export type UnspacedLanguage = keyof typeof words.unspaced

/** Matched within longer runs. */
export const unspacedWords: Readonly<Record<UnspacedLanguage, PrivacyWords>> = words.unspaced
