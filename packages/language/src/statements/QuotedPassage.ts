/**
 * What must be quoted for a sentence to be understood alone: its antecedent, the introduction of a
 * list, the head of a table, the question before an answer, and words that retract it.
 */
import { Option } from "effect"
import * as InjectionFlag from "../injection/InjectionFlag.ts"
import * as Languages from "../language/Languages.ts"
import { remembered } from "../language/Languages.ts"
import * as Sentences from "../text/Sentences.ts"
import { sentences, type Span } from "../text/Sentences.ts"

// Extracted pages have lost their markup, so lines are classified by form alone.

interface TextBlock extends Span {
  readonly kind: "prose" | "heading" | "item" | "row"
}

/** A shorter line that does not end like a sentence is a heading. In code units. */
const headingCharsMax = 90
/** A longer line that does not end a sentence continues in the next. In code units. */
const wrappedCharsMin = 30

const item = /^\s*(?:[-*•▪‣·◦–—✓✗✔✘]|\(?\d{1,2}[.)](?=\s)|[①-⑳]|\(?[a-z][.)](?=\s))\s*\S/u
/** Cells of a row: between bars, or separated by a tab or several spaces. */
const row = /^\s*\|.*\||\S\s+\|\s+\S|\S\t+\S|\S {3,}\S/u
/** A longer line with such a mark is prose. In UTF-16 code units. */
const rowCharsMax = 200
const blockEnds = /[\p{STerm}…:：;；"”’」』)）\]»]\s*$/u

/** Without blank lines. Lines broken within a sentence are joined. */
const blocksOf = (text: string, { end, start }: Span): ReadonlyArray<TextBlock> => {
  const blocks: Array<TextBlock> = []
  let at = start
  let isParted = true
  for (const line of text.slice(start, end).split("\n")) {
    const from = at + (line.length - line.trimStart().length)
    const to = at + line.trimEnd().length
    at += line.length + 1
    if (to <= from) {
      isParted = true
      continue
    }
    const previous = blocks.at(-1)
    const kind = kindOf(line)
    if (previous !== undefined && !isParted && goesOn(text, previous, line, kind)) {
      blocks[blocks.length - 1] = {
        start: previous.start,
        end: to,
        kind: previous.kind === "item" ? "item" : "prose"
      }
    } else blocks.push({ start: from, end: to, kind })
    isParted = false
  }
  return blocks
}

const kindOf = (line: string): TextBlock["kind"] => {
  if (/^\s*#{1,6}\s/.test(line)) return "heading"
  if (line.length <= rowCharsMax && row.test(line)) return "row"
  if (item.test(line)) return "item"
  const charsMax = unmarked.test(line) ? unmarkedHeadingCharsMax : headingCharsMax
  return line.trim().length <= charsMax && !blockEnds.test(line) ? "heading" : "prose"
}

/** A line that ends within a sentence, and is too long for a heading or is followed by its rest. */
const goesOn = (
  text: string,
  previous: TextBlock,
  line: string,
  kind: TextBlock["kind"]
): boolean => {
  if (previous.kind === "row" || kind === "row" || kind === "item") return false
  const before = text.slice(previous.start, previous.end)
  if (/[\p{STerm}…:：]["”’」』)）»]?\s*$/u.test(before)) return false
  if (unmarked.test(before)) return false
  const last = before.slice(before.lastIndexOf("\n") + 1)
  const next = line.trimStart()
  return /^\p{Ll}/u.test(next) || /[-‐,，、]\s*$/u.test(last) ||
    (last.length >= wrappedCharsMin && !/^\p{Lu}\S*(?:\s+\p{Lu}\S*)*$/u.test(next))
}

/** Longest quotation, with its completion. In UTF-16 code units. */
export const charsMax = 600
/** Shortest statement, in UTF-16 code units. */
const charsMin = 15
const unspacedCharsMin = 8
/** Longest menu or invitation, and where its words begin in a longer one, in UTF-16 code units. */
const furnitureCharsMax = 60
const unspacedFurnitureMax = 24
const furnitureOpeningMax = 16
/** Most previous sentences quoted for an antecedent. */
const sentencesBeforeMax = 2
/** Longest sentence that can retract the previous one. In UTF-16 code units. */
const verdictCharsMax = 80
/** A shorter answer needs its question. In characters. */
const answerCharsMin = 60

/** In Greek a semicolon asks. */
const question = /(?:[?？؟՞፧⁇⁈⁉]|\p{Script=Greek}["”’»)]?\s?[;\u037e])["”’」』)）»]?\s*$/u
const cutOff = /(?:\.{3}|…)["”’)]?\s*$/u
/** End of a sentence, with notes as in encyclopaedias: "[12]", ":133–134". */
const ends = /(?![?？؟՞፧⁇⁈⁉])\p{STerm}["”’」』)）\]»]*(?:\[[^\]\n]{1,40}\]|:\d[\d:–-]*)*\s*$/u
/** Scripts without sentence marks: a paragraph is one statement. */
const unmarked = /[\p{scx=Thai}\p{scx=Lao}]\P{L}*$/u
const unmarkedHeadingCharsMax = 40
/** Endings of Korean and Japanese sentences, absent from headlines and tables. */
const easternEnds = /(?:[다요음함죠까]|です|ます|ません|した|でした|する|ある|ない|こと)\s*$/u
/** "Opening hours: 9 to 5" names its subject. */
const labelled = /^[^:：]{2,60}[:：]\s*\S/u
/** A footnote mark: the note may change the statement. */
const footnoted = new RegExp(
  "[\\p{L}\\p{N}%)\"”.!?]\\s?(?:\\*{1,3}(?![\\p{L}\\p{N}*])|[†‡]|[¹²³⁴-⁹])|" +
    "[\\p{L}%”.]\\s?\\((?:\\d|[a-z])\\)(?=\\s*(?:[.,;]|$))",
  "u"
)
/** In scripts without blanks a longer stretch is a sentence. */
const oneWord =
  /^\P{L}*(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+|\p{L}{1,8})\P{L}*$/u
const oneQuotationMark = /["“”„«»「」『』]/gu

type Readable = ReturnType<typeof readable>

/** Text divided for quotation. Nothing is quoted across the ends of `within`. */
export const readable = (text: string, within: Span) => ({
  text,
  blocks: blocksOf(text, within).map((block) => ({
    ...block,
    sentences: sentencesOf(text, block)
  })),
  words: Languages.patternsOf(Languages.languageOf(text.slice(within.start, within.end)))
})

/** The quote completed to a self-contained passage; none if too long or no statement. */
export const passageAround = (passage: Readable, quoted: Span): Option.Option<Span> => {
  const { blocks, text } = passage
  const first = blocks.findIndex((block) => touches(block, quoted))
  const last = blocks.findLastIndex((block) => touches(block, quoted))
  const begin = beginOf(passage, first, quoted)
  const finish = finishOf(passage, last, quoted)
  if (begin === undefined || finish === undefined) return Option.none()
  const whole = { start: begin, end: finish }
  const isNoted = footnoted.test(text.slice(begin, finish + 2))
  return !isNoted && isSound(passage, text.slice(begin, finish))
    ? Option.some(whole)
    : Option.none()
}

/** Self-contained passages, in order: one for each sentence or row that has one. Idempotent. */
export const passagesIn = (passage: Readable): ReadonlyArray<Span> =>
  passage.blocks.flatMap((block) => block.kind === "row" ? [block] : block.sentences)
    .flatMap((said) => {
      const whole = passageAround(passage, said)
      const again = Option.flatMap(whole, (span) => passageAround(passage, span))
      return Option.toArray(again)
    })

/** Passage on one line, without end-of-line hyphens. */
export const shown = (text: string): string =>
  text.replace(/(\p{Ll})[-‐]\n\s*(?=\p{Ll})/gu, "$1").replace(/\s+/gu, " ").trim()

const isSound = ({ words }: Readable, passage: string): boolean => {
  const isUnspaced = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]{4}/u.test(passage)
  return passage.length >= (isUnspaced ? unspacedCharsMin : charsMin) &&
    passage.length <= charsMax &&
    !InjectionFlag.isSuspicious(passage) && !Sentences.hasLink(passage) &&
    !isFurniture(words, passage, isUnspaced)
}

/** Menus and invitations of a page are short, or begin with their words. */
const isFurniture = (
  { furniture }: Languages.Patterns,
  passage: string,
  isUnspaced: boolean
): boolean => {
  const found = furniture.exec(passage)
  return found !== null &&
    (found.index < furnitureOpeningMax ||
      passage.length < (isUnspaced ? unspacedFurnitureMax : furnitureCharsMax))
}

/** Sentences of a paragraph; a line break ends none. */
const sentencesOf = (text: string, { end, start }: Span): ReadonlyArray<Span> =>
  sentences(text.slice(start, end).replace(/\n/g, " ")).map((span) => ({
    start: span.start + start,
    end: span.end + start
  }))

const touches = (span: Span, quoted: Span): boolean =>
  span.start < quoted.end && quoted.start < span.end

const beginOf = (look: Readable, place: number, quoted: Span): number | undefined => {
  const { blocks } = look
  const block = blocks[place]
  if (block === undefined || block.kind === "heading") return undefined
  if (block.kind === "row") return headOf(look, place)
  const parts = block.sentences
  const index = parts.findIndex((part) => touches(part, quoted))
  const own = parts[index]
  if (own === undefined) return undefined
  if (block.kind === "item") return leadIn(look, block, place)
  const start = leadOf(look, parts, index)
  if (start === undefined) return undefined
  return start === block.start ? openedBy(look, place) : start
}

/** The nearest previous sentence without an antecedent, within the paragraph. */
const leadOf = (
  { text, words }: Readable,
  parts: ReadonlyArray<Span>,
  index: number
): number | undefined => {
  const oldest = Math.max(0, index - sentencesBeforeMax)
  for (let place = index; place >= oldest; place -= 1) {
    const part = parts[place]
    if (part === undefined) return undefined
    const sentence = text.slice(part.start, part.end)
    const isOpen = place > 0 && isInQuotation(text.slice(parts[0]?.start, part.start))
    if (!words.pointsBack.test(sentence) && !isOpen && !isBroken(sentence)) return part.start
  }
  return undefined
}

const isInQuotation = (before: string): boolean => {
  const marks = before.match(oneQuotationMark) ?? []
  const opened = marks.filter((mark) => /["“„«「『]/u.test(mark)).length
  const closed = marks.filter((mark) => /[”»」』]/u.test(mark)).length
  const straight = marks.filter((mark) => mark === "\"").length
  return straight % 2 === 1 || opened - straight > closed
}

/** A sentence whose beginning is missing. */
const isBroken = (sentence: string): boolean =>
  /^(?:\p{Ll}|[^\p{L}\p{N}"“„«‘'「『(（¿¡$€£¥₩-])/u.test(sentence)

const openedBy = ({ blocks, text, words }: Readable, place: number): number | undefined => {
  const [own] = blocks[place]?.sentences ?? []
  if (own === undefined) return undefined
  const sentence = text.slice(own.start, own.end)
  const before = blocks[place - 1]
  const said = before === undefined ? "" : text.slice(before.start, before.end)
  const asksFirst = question.test(said) || words.questionMark.test(said)
  const isAnswer = words.answerMark.test(sentence) || words.yesNo.test(sentence)
  if (asksFirst && (isAnswer || sentence.length < answerCharsMin || before?.kind !== "prose")) {
    return before?.sentences.at(-1)?.start
  }
  if (isAnswer) return undefined
  return before?.kind === "heading" && words.takesBack.test(said) ? before.start : own.start
}

/** The introduction of a list; a numbered paragraph, as in laws, has none. */
const leadIn = (look: Readable, own: Span, place: number): number | undefined => {
  const { blocks, text } = look
  const block = blocks.findLast(({ kind }, index) => index < place && kind !== "item")
  if (block?.kind === "row") return undefined
  if (block?.kind === "heading") return block.start
  const parts = block?.sentences ?? []
  const last = parts.at(-1)
  if (last !== undefined && /[:：]\s*$/u.test(text.slice(last.start, last.end))) {
    return leadOf(look, parts, parts.length - 1)
  }
  // After a paragraph that introduces nothing the items are independent sentences.
  return ends.test(text.slice(own.start, own.end)) ? own.start : undefined
}

/** The head of the table, with the caption above it. */
const headOf = ({ blocks, text }: Readable, place: number): number | undefined => {
  const before = blocks.findLastIndex(({ kind }, index) => index < place && kind !== "row")
  const head = blocks[before + 1]
  if (head === undefined || before + 1 === place) return undefined
  const caption = blocks[before]
  const isCaption = caption !== undefined &&
    (caption.kind === "heading" || /[:：]\s*$/u.test(text.slice(caption.start, caption.end)))
  return isCaption ? caption.start : head.start
}

const finishOf = (look: Readable, place: number, quoted: Span): number | undefined => {
  const { blocks, text, words } = look
  const block = blocks[place]
  if (block === undefined || block.kind === "heading") return undefined
  if (block.kind === "row") return block.end
  const parts = block.sentences
  const index = parts.findLastIndex((part) => touches(part, quoted))
  const own = parts[index]
  if (own === undefined) return undefined
  const sentence = text.slice(own.start, own.end)
  if (question.test(sentence) || cutOff.test(sentence)) return undefined
  const isWhole = block.kind === "item" || ends.test(sentence) || easternEnds.test(sentence) ||
    labelled.test(sentence) || unmarked.test(sentence)
  if (!isWhole) return undefined
  const isOpen = isInQuotation(text.slice(parts[0]?.start, own.end))
  const next = parts[index + 1] ?? firstSentence(look, place + 1)
  if (next === undefined) return isOpen ? undefined : own.end
  const following = text.slice(next.start, next.end)
  const takesBack = following.length <= verdictCharsMax && words.takesBack.test(following) &&
    (words.pointsBack.test(following) || oneWord.test(following) ||
      /[!！]\s*$/u.test(following))
  return takesBack || isOpen ? next.end : own.end
}

const firstSentence = ({ blocks }: Readable, place: number): Span | undefined => {
  const block = blocks[place]
  return block?.kind === "prose" ? block.sentences[0] : undefined
}

// Finds a quotation in fetched text, word for word. Over 1,000 sentences and fifteen kinds of
// cosmetic change, exact search finds an eighth; a fuzzy threshold also accepts changed words.

export interface Location {
  /** UTF-16 code units of the page's text; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly match: "exact" | "normalised"
}

export type Searchable = ReturnType<typeof searchable>
type Passage = ReturnType<typeof passageOf>

/** A longer quotation is a copy of the page. In UTF-16 code units. */
const quoteCharsMax = 2_000
/** Most tokens that `…` inside a quotation may replace, and the fewest on each side of it. */
const elidedTokensMax = 120
const beside = 3
/** A shorter quotation has no near match. */
const nearTokensMin = 6

export const searchable = (text: string, chunks: ReadonlyArray<Span>) => ({
  text,
  passages: chunks.map(({ end, start }) => passageOf(text, { start, end }))
})

/** The first occurrence of the quotation inside one of the chunks. */
export const locate = (
  text: string,
  chunks: ReadonlyArray<Span>,
  quote: string
): Option.Option<Location> => find(searchable(text, chunks), quote)

export const find = (page: Searchable, quote: string): Option.Option<Location> => {
  const wanted = quote.trim()
  if (wanted.length > quoteCharsMax || tokens(wanted).length === 0) return Option.none()
  return Option.firstSomeOf([
    ...page.passages.map((passage) => exactly(page.text, passage, wanted)),
    ...page.passages.map((passage) => wordByWord(page.text, passage, wanted))
  ])
}

/** Least share of words in common for a near match. */
const nearShareMin = 0.8

/** A sentence with the same numbers and nearly the same words. */
export const nearest = (page: Searchable, quote: string): Option.Option<Span> => {
  const wanted = tokens(quote.slice(0, quoteCharsMax)).map(({ word }) => word)
  const heldBy = (list: ReadonlyArray<string>, has: (word: string) => boolean) =>
    list.length < nearTokensMin ? 0 : list.filter(has).length / list.length
  const shares = page.passages.map(({ places }) => heldBy(wanted, (word) => places.has(word)))
  const best = shares.reduce((most, share) => Math.max(most, share), 0)
  const passage = page.passages[shares.indexOf(best)]
  if (passage === undefined || best < nearShareMin) return Option.none()
  const said = new Set(wanted)
  const figures = wanted.filter((word) => /\p{N}/u.test(word)).toSorted().join(" ")
  return Option.fromUndefinedOr(
    sentencesOf(page.text, passage).find(({ end, start }) => {
      const read = tokens(page.text.slice(start, end)).map(({ word }) => word)
      const own = new Set(read)
      return heldBy(wanted, (word) => own.has(word)) >= nearShareMin &&
        heldBy(read, (word) => said.has(word)) >= nearShareMin &&
        read.filter((word) => /\p{N}/u.test(word)).toSorted().join(" ") === figures
    })
  )
}

const passageOf = (text: string, { end, start }: Span) => {
  const list = tokens(text.slice(start, end)).map((token) => ({
    ...token,
    start: token.start + start,
    end: token.end + start
  }))
  const places = new Map<string, Array<number>>()
  list.forEach(({ word }, place) => {
    const known = places.get(word)
    if (known === undefined) places.set(word, [place])
    else known.push(place)
  })
  return { start, end, tokens: list, places }
}

/** Finds a quotation exactly, but not within a word: "art" does not match "part". */
const exactly = (text: string, passage: Passage, quote: string): Option.Option<Location> => {
  const start = text.slice(passage.start, passage.end).indexOf(quote)
  if (start < 0) return Option.none()
  const from = passage.start + start
  const to = from + quote.length
  const wholeWords = passage.tokens.every((token) =>
    (token.start >= from || token.end <= from) && (token.start >= to || token.end <= to)
  )
  return wholeWords ? Option.some({ start: from, end: to, match: "exact" }) : Option.none()
}

const wordByWord = (text: string, passage: Passage, quote: string): Option.Option<Location> => {
  const parts = withoutEntities(quote)
    .split(/\[\s*(?:\.{3}|…)\s*\]|…|\.{3,}/)
    .map((part) => tokens(part))
    .filter((part) => part.length > 0)
  if (parts.length > 1 && parts.some((part) => part.length < beside)) return Option.none()
  const found = parts.reduce<Option.Option<Span>>(
    (sofar, part) => Option.flatMap(sofar, (left) => after(passage, left, part)),
    Option.some({ start: -1, end: 0 })
  )
  return Option.map(found, ({ end, start }) => {
    const from = passage.tokens[start]?.start ?? passage.start
    const to = passage.tokens[end - 1]?.end ?? from
    return { start: from, end: closed(text, passage, quote, to), match: "normalised" }
  })
}

const after = (
  passage: Passage,
  left: Span,
  part: ReadonlyArray<Token>
): Option.Option<Span> => {
  const last = left.start < 0 ? Infinity : left.end + elidedTokensMax
  const next = sequence(passage, part, left.end, last)
  return Option.map(next, ({ end, start }) => ({ start: left.start < 0 ? start : left.start, end }))
}

/** Starts from the quotation's rarest word: most pages are excluded at once. */
const sequence = (
  passage: Passage,
  part: ReadonlyArray<Token>,
  from: number,
  to: number
): Option.Option<Span> => {
  const counts = part.map(({ word }) => passage.places.get(word)?.length ?? 0)
  const rarest = counts.reduce(
    (least, count) => count > 0 && count < least ? count : least,
    Infinity
  )
  const anchor = counts.indexOf(rarest)
  const starts = (passage.places.get(part[anchor]?.word ?? "") ?? [])
    // A hyphenated line break makes two tokens in one of the texts.
    .flatMap((place) => anchor === 0 ? [place] : [0, -1, 1].map((step) => place - anchor + step))
    .filter((start) => start >= from && start <= to)
  return Option.firstSomeOf(
    starts.map((start) => Option.map(endOf(passage.tokens, part, start), (end) => ({ start, end })))
  )
}

/** A word hyphenated in one text may be whole in the other. */
const endOf = (
  text: ReadonlyArray<Token>,
  part: ReadonlyArray<Token>,
  start: number
): Option.Option<number> => {
  let place = start
  for (let wanted = 0; wanted < part.length; wanted += 1) {
    const [quoted, quotedNext] = [part[wanted], part[wanted + 1]]
    const [read, readNext] = [text[place], text[place + 1]]
    if (read === undefined || quoted === undefined) return Option.none()
    if (read.word === quoted.word) place += 1
    else if (readNext?.wrapped === true && read.word + readNext.word === quoted.word) place += 2
    else if (quotedNext?.wrapped === true && quoted.word + quotedNext.word === read.word) {
      place += 1
      wanted += 1
    } else return Option.none()
  }
  return Option.some(place)
}

/** With the stop or bracket after it if the quotation closes its sentence, too. */
const closed = (text: string, passage: Passage, quote: string, end: number): number => {
  if (/[\p{L}\p{N}]$/u.test(quote)) return end
  const closing = /^[\p{STerm}"'”’」』)）»]{1,3}/u.exec(text.slice(end, passage.end))
  return end + (closing?.[0].length ?? 0)
}

const entities: ReadonlyArray<readonly [RegExp, string]> = [
  [/&nbsp;/g, " "],
  [/&quot;|&[lr]dquo;/g, "\""],
  [/&#39;|&apos;|&[lr]squo;/g, "'"],
  [/&[nm]dash;/g, "-"],
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&amp;/g, "&"]
]

const withoutEntities = (quote: string): string =>
  entities.reduce((text, [entity, character]) => text.replace(entity, character), quote)

// Tokens that a quotation must repeat one by one. Typography is folded: case, white space, width,
// ligatures, quotes, dashes, separators, soft hyphens, Markdown emphasis. Meaning is kept: every
// word, accents, digits, signs, comparison and currency.

interface Token extends Span {
  readonly word: string
  /** Whether a hyphen and a line break separate it from the previous token: perhaps one word. */
  readonly wrapped: boolean
}

const letterPattern =
  /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*|\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu
/** Ignored characters: invisible ones and the marks of Markdown emphasis. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}*_`~]/gu
const apostrophe = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9]/g
const dash = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Written without spaces: each character is a token. */
const cjk = "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]"
const letter = "[\\p{L}\\p{N}\\p{M}]"
const joined = `[${letter}--${cjk}]`
const digit = `[\\p{N}--${cjk}]`
/** Meaningful marks, characters of scripts without spaces, and words with inner marks. */
const token = new RegExp(
  `[%‰$€£¥₩<>=≤≥≠±§°]|[${letter}&&${cjk}]|` +
    `${joined}(?:${joined}|'(?=${joined})|(?<=\\p{N})[.,](?=${digit}))*`,
  "gv"
)
/** A dash after a space and before a digit is a sign; between words it is punctuation. */
const signed = /(?:^|[\s(])[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/

export const tokens = remembered((text: string): ReadonlyArray<Token> => {
  const places: Array<Span> = []
  let plain = ""
  for (const { 0: cluster, index } of text.matchAll(letterPattern)) {
    const read = folded(cluster)
    const place = { start: index, end: index + cluster.length }
    for (let unit = 0; unit < read.length; unit++) places.push(place)
    plain += read
  }
  let read = 0
  return Array.from(plain.matchAll(token), ({ 0: found, index }) => {
    const start = places[index]?.start ?? 0
    const end = places[index + found.length - 1]?.end ?? start
    const gap = text.slice(read, start)
    read = end
    const word = found.replace(/[',]/g, "")
    const sign = signed.test(gap) && /^\d/.test(word) ? "-" : ""
    return { word: sign + word, start, end, wrapped: /^[-\u2010]\s*\n\s*$/.test(gap) }
  })
})

const folded = (cluster: string): string => {
  if (/^[a-z0-9 .,]$/.test(cluster)) return cluster
  // A superscript digit is not part of the number before it.
  if (/^[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅟]$/.test(cluster)) return ` ${cluster.normalize("NFKC")}`
  return cluster.replace(invisible, "").replace(apostrophe, "'").replace(dash, "-")
    .normalize("NFKC").toLowerCase()
}
