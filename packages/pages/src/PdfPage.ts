/** A PDF's text: its lines joined to paragraphs by their distance, page after page. */
import { Effect } from "effect"
import { getDocumentProxy, getMeta } from "unpdf"
import { ExtractionFailed, textCharsMax } from "./ExtractedPage.ts"
import * as PageLines from "./PageLines.ts"

/** Most pages of a document; the rest is not read. */
const pagesMax = 200
const itemsMax = 20_000
/** A new paragraph begins where lines stand further apart than this share of their height. */
const paragraphGap = 1.8

/**
 * Text of a PDF's pages. Fails with `malformed` for what is no PDF or is locked, with `no_text` for
 * pictures of pages.
 */
export const readPdf = Effect.fn("PdfPage.readPdf")(function*(bytes: Uint8Array) {
  const pdf = yield* Effect.tryPromise({
    try: () => getDocumentProxy(bytes, { useSystemFonts: false }),
    catch: () => new ExtractionFailed({ reason: "malformed" })
  })
  const paragraphs: Array<string> = []
  let chars = 0
  let page = 1
  for (; page <= Math.min(pdf.numPages, pagesMax) && chars < textCharsMax; page++) {
    // A page that cannot be read leaves the others as they are.
    const items = yield* Effect.promise(() =>
      pdf.getPage(page).then((proxy) => proxy.getTextContent()).then(({ items }) => items, () => [])
    )
    // Other kinds of items, such as marks of structure, hold no text.
    for (
      const paragraph of paragraphsOf(
        items.flatMap((item) => "str" in item ? item : []).slice(0, itemsMax)
      )
    ) {
      paragraphs.push(paragraph)
      chars += paragraph.length
    }
  }
  const title: unknown = yield* Effect.promise(() =>
    getMeta(pdf).then(({ info }) => info["Title"], () => "")
  )
  const blocks = paragraphs.map((text) => ({ kind: "text" as const, text }))
  const read = yield* Effect.fromResult(
    PageLines.page(blocks, typeof title === "string" ? { title } : {})
  ).pipe(
    Effect.mapError((reason) => new ExtractionFailed({ reason }))
  )
  const isWhole = page > pdf.numPages
  return isWhole ? read : { ...read, truncated: true as const }
})

interface Item {
  readonly str: string
  readonly hasEOL: boolean
  readonly height: number
  readonly transform: ReadonlyArray<number>
}

interface Line {
  text: string
  readonly bottom: number
  readonly height: number
}

/** Lines by the ends that the document marks; a larger gap or another size begins a paragraph. */
const paragraphsOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> => {
  const lines: Array<Line> = []
  let isOpen = false
  for (const item of items) {
    const last = lines.at(-1)
    if (isOpen && last !== undefined) last.text += item.str
    else if (item.str.trim() !== "") {
      lines.push({ text: item.str, bottom: item.transform[5] ?? 0, height: item.height })
      isOpen = true
    }
    if (item.hasEOL) isOpen = false
  }
  const paragraphs: Array<string> = []
  lines.forEach((line, place) => {
    const before = lines[place - 1]
    if (before === undefined || isApart(before, line)) paragraphs.push(line.text.trim())
    else paragraphs.push(joined(paragraphs.pop() ?? "", line.text.trim()))
  })
  return paragraphs
}

const isApart = (above: Line, below: Line): boolean => {
  const height = Math.max(above.height, below.height, 1)
  const fall = above.bottom - below.bottom
  return fall < 0 || fall > paragraphGap * height ||
    Math.abs(above.height - below.height) > height / 5
}

/** A word parted at the line's end is made whole again. */
const joined = (text: string, line: string): string =>
  /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : `${text} ${line}`
