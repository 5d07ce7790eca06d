/** Plain text and Markdown as blocks: wrapped lines are joined, marks are taken off. */
import { Result } from "effect"
import * as CleanText from "../../domain/text/CleanText.ts"
import { type ExtractedPage, type ExtractionReason, unreadDateCharsMax } from "./ExtractedPage.ts"
import { dateOf, type PageFacts } from "./PageFacts.ts"
import * as PageLines from "./PageLines.ts"
import type { BlockKind } from "./TextBlocks.ts"

/** A wrapped line of a paragraph is so long, but for the last. In UTF-16 code units. */
const wrappedCharsMin = 45
const wrappedCharsMax = 110

interface Block {
  readonly kind: BlockKind
  readonly text: string
}

type Answer = Result.Result<ExtractedPage, ExtractionReason>

export const readText = (text: string): Answer =>
  PageLines.page(
    paragraphsOf(text).flatMap((lines) =>
      (isWrapped(lines) ? [joined(lines)] : lines).map((line): Block => ({
        kind: "text",
        text: line
      }))
    ),
    {}
  )

export const readMarkdown = (text: string): Answer => {
  const { body, title, ...dates } = frontMatter(text)
  const blocks = paragraphsOf(body.replace(/<!--[^]*?-->/g, "")).flatMap(markdownBlocks)
  const heading = blocks.find(({ kind }) => kind === "heading")?.text ?? ""
  return PageLines.page(blocks, { ...dates, title: title || heading })
}

const linesIn = (text: string): ReadonlyArray<string> =>
  text.replace(/^\uFEFF/, "").replace(/\r\n?|\f/g, "\n").split("\n")

/** Runs of lines without a blank one between them; a fence and its code are one run. */
const paragraphsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const paragraphs: Array<Array<string>> = [[]]
  let fence = ""
  for (const line of linesIn(text)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? ""
    if (fence === "" && line.trim() === "") paragraphs.push([])
    else if (fence === "" && mark !== "") {
      fence = mark
      paragraphs.push([line])
    } else {
      paragraphs.at(-1)?.push(line.trimEnd())
      if (fence !== "" && mark.startsWith(fence)) {
        fence = ""
        paragraphs.push([])
      }
    }
  }
  return paragraphs.filter((lines) => lines.length > 0)
}

/** Prose that was broken at a column: even lines, no columns within, no list. */
const isWrapped = (lines: ReadonlyArray<string>): boolean =>
  lines.length > 1 &&
  lines.every((line, place) =>
    line.length <= wrappedCharsMax && !/\S(?: {3,}|\t)\S/.test(line) &&
    (place === 0 || !/^\s*(?:[-*+•|>]|\d+[.)])\s/.test(line)) &&
    (place === lines.length - 1 || line.trim().length >= wrappedCharsMin)
  )

const joined = (lines: ReadonlyArray<string>): string => lines.map((line) => line.trim()).join(" ")

const markdownBlocks = (lines: ReadonlyArray<string>): ReadonlyArray<Block> => {
  const [first = ""] = lines
  if (/^ {0,3}(?:```|~~~)/.test(first)) {
    const isClosed = /^ {0,3}(?:```|~~~)/.test(lines.at(-1) ?? "") && lines.length > 1
    return [{ kind: "code", text: lines.slice(1, isClosed ? -1 : undefined).join("\n") }]
  }
  if (lines.every((line) => /^(?: {4}|\t)/.test(line))) {
    return [{
      kind: "code",
      text: lines.map((line) => line.replace(/^(?: {4}|\t)/, "")).join("\n")
    }]
  }
  return unmarked(lines)
}

/** Lines that open a block of their own part a paragraph; the others go on in it. */
const unmarked = (lines: ReadonlyArray<string>): ReadonlyArray<Block> => {
  const blocks: Array<{ kind: BlockKind; text: string; isOpen: boolean }> = []
  for (const line of lines) {
    const rest = line.replace(/^\s*(?:>\s?)+/, "")
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(rest)?.[1]
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.*)$/i.exec(rest)?.[1]
    const last = blocks.at(-1)
    if (heading !== undefined) blocks.push({ kind: "heading", text: heading, isOpen: false })
    else if (/^\s*=+\s*$/.test(rest) && last?.isOpen === true) close(last, "heading")
    else if (/^\s*-+\s*$/.test(rest) && last?.isOpen === true) close(last, "heading")
    else if (/^\s*(?:[-*_]\s*){3,}$/.test(rest) || /^[\s|:-]+$/.test(rest)) continue
    else if (item !== undefined) blocks.push({ kind: "item", text: item, isOpen: true })
    else if (/^\s*\|.*\|\s*$/.test(rest)) {
      blocks.push({ kind: "row", text: cellsOf(rest), isOpen: false })
    } else if (last?.isOpen === true) last.text += ` ${rest.trim()}`
    else blocks.push({ kind: "text", text: rest.trim(), isOpen: true })
  }
  return blocks.map(({ kind, text }) => ({ kind, text: inline(text) }))
}

const close = (block: { kind: BlockKind; isOpen: boolean }, kind: BlockKind): void => {
  block.kind = kind
  block.isOpen = false
}

const cellsOf = (row: string): string =>
  row.split("|").map((cell) => cell.trim()).filter((cell) => cell !== "").join(" | ")

/** Images, tags and reference addresses away; links and emphasis leave their words. */
const inline = (text: string): string =>
  text.replace(/!\[[^\]]{0,500}\](?:\([^)\s]{0,2000}[^)]{0,500}\)|\[[^\]]{0,200}\])/g, "")
    .replace(/^\s*\[[^\]]{1,200}\]:\s*\S+.*$/, "")
    .replace(/\[([^\]]{1,500})\](?:\([^)\s]{0,2000}[^)]{0,500}\)|\[[^\]]{0,200}\])/g, "$1")
    .replace(/<(https?:[^>\s]{1,2000})>/g, "$1")
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, "")
    .replace(/(\*\*|__)(?=\S)(.{1,1000}?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*]{1,1000}?)(?<=\S)\*(?![\w*])/g, "$1")
    .replace(/`([^`]{1,1000})`/g, "$1")
    .trim()

const frontMatter = (text: string): PageFacts & { readonly body: string } => {
  const matter = /^\uFEFF?---\r?\n([^]{0,20000}?)\r?\n---\r?\n/.exec(text)
  const head = matter?.[1] ?? ""
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(head)?.[1] ?? ""
  const published = dateIn(head, publishedKeys)
  const modified = dateIn(head, modifiedKeys)
  const unread = [published, modified].flatMap(({ unread }) => unread ?? [])[0]
  return {
    title,
    ...(published.date === undefined ? {} : { published_date: published.date }),
    ...(modified.date === undefined ? {} : { modified_date: modified.date }),
    ...(unread === undefined ? {} : { unread_date: unread }),
    body: matter === null ? text : text.slice(matter[0].length)
  }
}

/** The first key goes before the others, wherever it stands. */
const publishedKeys = ["published_date", "published", "date"]
const modifiedKeys = ["modified_date", "modified", "updated", "lastmod"]

interface HeadDate {
  readonly date?: string
  readonly unread?: string
}

const dateIn = (head: string, keys: ReadonlyArray<string>): HeadDate => {
  const [value] = keys.flatMap((key) => {
    const told = new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(head)?.[1] ?? ""
    const bare = told.replace(/(?:^|\s)#.*$/, "").trim().replace(/^(["'])(.*)\1$/, "$2").trim()
    return bare === "" ? [] : [bare]
  })
  if (value === undefined) return {}
  const date = dateOf(value)
  return date === undefined
    ? { unread: CleanText.cut(CleanText.clean(value).text, unreadDateCharsMax) }
    : { date }
}
