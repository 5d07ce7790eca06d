/**
 * Text of a PDF: lines joined to paragraphs by their distance. The parser, the character maps of
 * Asian fonts and a word list are loaded for the first PDF.
 */
import * as Languages from "@web-grounding/language/Languages"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import * as Baseline from "./Baseline.ts"
import { ExtractionFailed, textCharsMax, titleCharsMax } from "./ExtractedPage.ts"
import * as PageFacts from "./PageFacts.ts"
import listed from "./PageWords.json" with { type: "json" }

/** Most pages of a document; the rest is not read. */
const pagesMax = 200
const itemsMax = 20_000
/** A new paragraph begins where lines are further apart than this share of their height. */
const paragraphGap = 1.8

/** `malformed`: invalid or encrypted. `no_text`: scanned pages. */
export const readPdf = Effect.fn("PdfReading.readPdf")(function*(bytes: Uint8Array) {
  const { getDocument } = yield* parser
  const pdf = yield* Effect.tryPromise({
    try: () =>
      getDocument({
        data: bytes,
        useSystemFonts: false,
        disableFontFace: true,
        cMapUrl,
        verbosity: 0
      }).promise,
    catch: () => new ExtractionFailed({ reason: "malformed" })
  })
  const pages: Array<ReadonlyArray<Paragraph>> = []
  let chars = 0
  let heading = ""
  for (let page = 1; page <= Math.min(pdf.numPages, pagesMax) && chars < textCharsMax; page++) {
    const items = yield* Effect.promise(() =>
      pdf.getPage(page).then((proxy) => proxy.getTextContent()).then(
        ({ items }) => items.flatMap((item) => "str" in item ? item : []).slice(0, itemsMax),
        () => []
      )
    )
    if (page === 1) heading = headingIn(items)
    const paragraphs = paragraphsOf(byColumns(items))
    pages.push(paragraphs)
    chars += paragraphs.flat().reduce((sum, line) => sum + line.length, 0)
  }
  const said = yield* Effect.promise(() => pdf.getMetadata().then(factsIn, () => noFacts))
  const facts = { ...said, title: noTitle.test(said.title) ? heading : said.title }
  const paragraphs = pages.flat()
  const words = yield* wordsOf(paragraphs, facts.title)
  const blocks = paragraphs.map((lines) => ({ kind: "text" as const, text: joined(lines, words) }))
  const read = yield* Effect.fromResult(PageFacts.page(blocks, facts)).pipe(
    Effect.mapError((reason) => new ExtractionFailed({ reason }))
  )
  // Pages without a word are images: among a few pages, one or two blank ones mean nothing.
  const empty = pages.filter((page) => page.length === 0).length
  const isWhole = pages.length === pdf.numPages && empty <= pages.length / 2
  return isWhole ? read : { ...read, truncated: true as const }
})

/** Loads the parser's worker part into this process. */
const parser = Effect.promise(() =>
  import("pdfjs-dist/legacy/build/pdf.mjs").then((pdfjs) => {
    pdfjs.GlobalWorkerOptions.workerSrc = import.meta.resolve(
      "pdfjs-dist/legacy/build/pdf.worker.mjs"
    )
    return pdfjs
  })
)

const cMapUrl = fileURLToPath(new URL("cmaps/", import.meta.resolve("pdfjs-dist/package.json")))

const noFacts = { title: "" }

const factsIn = ({ info }: { readonly info: object }) => {
  const said = (name: string): string => {
    const value: unknown = Reflect.get(info, name)
    return typeof value === "string" ? value : ""
  }
  const language = PageFacts.languageOf(said("Language"))
  return {
    title: said("Title").trim().slice(0, titleCharsMax),
    ...(language === undefined ? {} : { language })
  }
}

/** Nothing, a program's default, a printer driver's note, the name of a file. */
const noTitle = new RegExp(`^(?:${listed.noTitle})?$`, "i")
/** A title is higher than the most of the page's text by this factor. */
const titleHeightMin = 1.2
const titleCharsMin = 8

/** The first page's largest text; empty if it is hardly larger than the rest. */
const headingIn = (items: ReadonlyArray<Item>): string => {
  const chars = new Map<number, number>()
  for (const { height, str } of items) {
    chars.set(height, (chars.get(height) ?? 0) + str.trim().length)
  }
  const heights = Array.from(chars).filter(([, count]) => count > 0)
  const [common = 0] = heights.toSorted(([, left], [, right]) => right - left)[0] ?? []
  const largest = heights.reduce((most, [height]) => Math.max(most, height), 0)
  if (largest < titleHeightMin * common) return ""
  const title = items.filter(({ height, str }) => height === largest || str.trim() === "")
    .map(({ hasEOL, str }) => hasEOL ? `${str} ` : str).join("").replace(/\s+/g, " ").trim()
  return title.length >= titleCharsMin ? title : ""
}

interface Item {
  readonly str: string
  readonly hasEOL: boolean
  readonly height: number
  readonly width: number
  readonly transform: ReadonlyArray<number>
}

interface Line {
  text: string
  bottom: number
  height: number
  /** Right end of the last item. */
  end: number
}

// Columns drawn row by row are read one below the other; columns of a table are not: both sides of
// a gap hold prose.

/** Starts of lines that are tried as a column's left side, commonest first. */
const edgesMax = 6
const columnLinesMin = 4
/** Gap between columns, in heights of a line. */
const columnGapMin = 0.8
const wordsMeanMin = 3
/** Lines of a column that begin within a sentence. */
const begunShareMin = 0.4

/** Items of one line and one column. */
interface Piece extends Line {
  readonly start: number
  readonly items: Array<Item>
}

/** The items as they are read; as they are drawn where no columns are found. */
const byColumns = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const pieces = piecesOf(items)
  const edges = Array.from(Map.groupBy(pieces, ({ start }) => Math.round(start)))
    .filter(([, begun]) => begun.length >= columnLinesMin)
    .toSorted(([, left], [, right]) => right.length - left.length)
    .slice(0, edgesMax).map(([edge]) => edge)
  const drawnBehind = new Map(pieces.map((piece, place) => [piece, pieces[place + 1]]))
  const read = inColumns(pieces, edges)
  return read.flatMap((piece, place) =>
    read[place + 1] === drawnBehind.get(piece)
      ? piece.items
      : piece.items.map((item, of) => ({ ...item, hasEOL: of === piece.items.length - 1 }))
  )
}

const piecesOf = (items: ReadonlyArray<Item>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  for (const item of items) {
    const last = pieces.at(-1)
    const { height, str, transform: [, , , , start = 0, bottom = 0], width } = item
    const isBehind = last !== undefined && Math.abs(bottom - last.bottom) < 0.6 * last.height &&
      start < last.end + columnGapMin * last.height && start > last.end - last.height
    if (last !== undefined && (str.trim() === "" || isBehind)) {
      last.items.push(item)
      last.text += str
      if (str.trim() !== "") last.end = start + width
    } else pieces.push({ items: [item], text: str, start, end: start + width, bottom, height })
  }
  return pieces
}

/** What goes over an edge parts what is above it from what is below it. */
const inColumns = (
  pieces: ReadonlyArray<Piece>,
  [edge, ...edges]: ReadonlyArray<number>
): ReadonlyArray<Piece> => {
  if (edge === undefined) return pieces
  const isRight = ({ start }: Piece) => start > edge - 1
  const bands: Array<Array<Piece>> = []
  let isParted = true
  for (const piece of pieces) {
    const isOver = !isRight(piece) && piece.end > edge - columnGapMin * piece.height
    if (isOver || isParted) bands.push([piece])
    else bands.at(-1)?.push(piece)
    isParted = isOver
  }
  const parts = bands.flatMap((band) => {
    const sides = [band.filter((piece) => !isRight(piece)), band.filter(isRight)]
    return sides.every(isProse) ? sides : [band]
  })
  return parts.length === bands.length
    ? inColumns(pieces, edges)
    : parts.flatMap((part) => inColumns(part, edges))
}

const isProse = (pieces: ReadonlyArray<Piece>): boolean => {
  const lines = pieces.map(({ text }) => text.trim())
  const words = lines.reduce(
    (sum, line) => sum + (unspaced.test(line) ? wordsMeanMin : line.split(/\s+/).length),
    0
  )
  return lines.length >= columnLinesMin && words >= wordsMeanMin * lines.length &&
    lines.filter((line) => /^(?!\p{Lu})\p{L}/u.test(line)).length >= begunShareMin * lines.length &&
    lines.some((line) => /\p{STerm}/u.test(line))
}

type Paragraph = ReadonlyArray<string>

/** Lines by the ends that the document marks; a larger gap or another size begins a paragraph. */
const paragraphsOf = (items: ReadonlyArray<Item>): ReadonlyArray<Paragraph> => {
  const lines: Array<Line> = []
  const isKerned = !items.some(({ str }) => accentInWord.test(str))
  let isOpen = false
  for (const item of items) {
    const last = lines.at(-1)
    const [, , , , x = 0, bottom = 0] = item.transform
    if (last !== undefined && (isOpen || goesOn(last, item))) {
      last.text = accented(last, item, isKerned) ?? last.text + signed(last, item)
      last.end = Math.max(last.end, x + item.width)
      isOpen = true
    } else if (item.str.trim() !== "") {
      lines.push({ text: item.str, bottom, height: item.height, end: x + item.width })
      isOpen = true
    }
    if (item.hasEOL) isOpen = false
  }
  const paragraphs: Array<Array<string>> = []
  lines.forEach((line, place) => {
    const before = lines[place - 1]
    const open = paragraphs.at(-1)
    const text = line.text.replace(/\s+/g, " ").trim()
    if (before === undefined || open === undefined || isApart(before, line)) paragraphs.push([text])
    else open.push(text)
  })
  return paragraphs
}

/** Accents that fonts without accented letters draw before their letter, and the combining ones. */
const accents = new Map(Object.entries(listed.accents))
const accent = `[${Array.from(accents.keys()).join("")}]`
const drawnAccent = new RegExp(`(\\s?)(${accent})$`, "u")
const accentInWord = new RegExp(`\\p{Ll}${accent}$`, "u")
/** Part of its height by which a letter begins before the end of its accent. */
const accentOverlapMin = 0.1

/**
 * The line with an item whose first letter is under the line's last sign; `undefined` for any
 * other. A blank before each accent is the accent's own kerning.
 */
const accented = (
  line: Line,
  { height, str, transform: [, , , , x = 0] }: Item,
  isKerned: boolean
): string | undefined => {
  const [drawn, blank = "", sign = ""] = drawnAccent.exec(line.text.slice(-2)) ?? []
  if (drawn === undefined || x > line.end - accentOverlapMin * height) return undefined
  const [first = "", ...rest] = str
  const plain = first === "ı" ? "i" : first
  const letter = `${plain}${accents.get(sign) ?? ""}`.normalize("NFC")
  if (letter.length !== 1) return undefined
  const before = line.text.slice(0, -drawn.length)
  const isWithin = isKerned && /\p{Ll}$/u.test(before) && /^\p{Ll}/u.test(letter)
  return `${before}${isWithin ? "" : blank}${letter}${rest.join("")}`
}

/** Superscripts are smaller by this share, and off the baseline by the next. */
const signHeightMax = 0.85
const signRiseMin = 0.12

/** Whether an item after the line's end is off its baseline: the line only seemed to end. */
const goesOn = (
  line: Line,
  { height, str, transform: [, , , , x = 0, bottom = 0] }: Item
): boolean =>
  str.trim() !== "" && height > 0 && Math.abs(bottom - line.bottom) < 0.6 * line.height &&
  x >= line.end - 1 && x < line.end + 2 * line.height && bottom !== line.bottom

/** An item's text as appended to the line. */
const signed = (line: Line, { height, str, transform: [, , , , , bottom = 0] }: Item): string => {
  const rise = (bottom - line.bottom) / Math.max(line.height, height, 1)
  if (str.trim() === "" || Math.abs(rise) < signRiseMin) return Baseline.behind(line.text, str)
  if (height < signHeightMax * line.height) {
    return rise > 0 ? Baseline.raised(line.text, str) : Baseline.lowered(line.text, str)
  }
  if (line.height < signHeightMax * height) {
    line.height = height
    line.bottom = bottom
  }
  return Baseline.behind(line.text, str)
}

const isApart = (above: Line, below: Line): boolean => {
  const height = Math.max(above.height, below.height, 1)
  const fall = above.bottom - below.bottom
  return fall < 0 || fall > paragraphGap * height ||
    Math.abs(above.height - below.height) > height / 5
}

// A hyphen at a line's end either belongs to the word (price-determining) or divides it
// (infor-mation). The document's own words decide, and in English a word list.

const parting = /([\p{L}\p{M}]+)[-‐]$/u
const leading = /^[\p{L}\p{M}]+/u
/** Before one of these words a hyphen is suspended: `pre- and post-war`. */
const suspending = /^(?:and|or|to|und|oder|bzw|sowie|et|ou|y|e|o|u|en|of|och|i)\b/u
/** Prefixes that keep their hyphen even if the word list has the word without. */
const hyphenated = /^(?:non|self|anti|semi|quasi)$/
const unspaced = new RegExp(
  "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Mymr}]",
  "u"
)

/** Words by which a hyphen is judged, in lower case. */
type KnownWords = Effect.Success<ReturnType<typeof wordsOf>>

const joined = (lines: Paragraph, words: KnownWords): string =>
  lines.reduce((text, line) => {
    const [before, after] = [text.at(-1) ?? "", line.charAt(0)]
    if (unspaced.test(before) && unspaced.test(after)) return text + line
    const isParted = /[\p{L}\p{M}\p{N}][-‐]$/u.test(text) && /^[\p{L}\p{N}]/u.test(line)
    if (!isParted || suspending.test(line)) return `${text} ${line}`
    const first = parting.exec(text)
    const isWhole = first === null || !/^\p{Ll}/u.test(line) ||
      text.charAt(first.index - 1) === "-" ||
      isHyphenated(first[1] ?? "", leading.exec(line)?.[0] ?? "", words)
    return isWhole ? text + line : text.slice(0, -1) + line
  })

const isHyphenated = (first: string, second: string, words: KnownWords): boolean => {
  const [left, right] = [first.toLowerCase(), second.toLowerCase()]
  // No word is divided after its first letter: A-line, e-mail.
  if (left.length === 1) return true
  if (words.own.has(left + right)) return false
  if (words.own.has(`${left}-${right}`)) return true
  const isWord = (word: string) => words.own.has(word) || words.english.has(word)
  if (words.english.has(left + right)) return hyphenated.test(left) && isWord(right)
  return words.isEnglish ? isWord(left) || isWord(right) : isWord(left) && isWord(right)
}

const wordForm = /[\p{L}\p{M}]+(?:[-‐][\p{L}\p{M}]+)*/gu
/** Text for language detection, in UTF-16 code units. */
const tellingCharsMax = 4_000

const wordsOf = Effect.fnUntraced(function*(paragraphs: ReadonlyArray<Paragraph>, title: string) {
  const lines = [title, ...paragraphs.flat()]
  /** The document's undivided words, also hyphenated ones. */
  const own = new Set<string>()
  const asked = new Set<string>()
  lines.forEach((line, place) => {
    const first = parting.exec(line)?.[1]?.toLowerCase()
    const found = (line.match(wordForm) ?? []).map((word) => word.toLowerCase())
    const isRest = parting.test(lines[place - 1] ?? "")
    for (const word of found.slice(isRest ? 1 : 0, first === undefined ? undefined : -1)) {
      for (const part of [word, ...word.split(/[-‐]/)]) own.add(part)
    }
    const second = leading.exec(lines[place + 1] ?? "")?.[0].toLowerCase() ?? ""
    if (first !== undefined) { for (const word of [first, second, first + second]) asked.add(word) }
  })
  const isEnglish = asked.size > 0 &&
    Languages.languageOf(lines.join(" ").slice(0, tellingCharsMax)) === Languages.all[0]
  if (!isEnglish) return { own, english: new Set<string>(), isEnglish }
  // Of the English words, those among the candidates.
  const list = yield* Effect.promise(() => readFile(englishWords, "utf8"))
  return { own, english: new Set(list.split("\n").filter((word) => asked.has(word))), isEnglish }
})

const englishWords = new URL("words.txt", import.meta.resolve("word-list"))
