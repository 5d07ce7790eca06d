/**
 * A page's visible elements as a tree, built while the page is read.
 *
 * What no reader sees, and what is no text, never becomes a node. The tree is bounded: what nests
 * too deep is hung onto its last allowed ancestor, and a page with too many elements is cut off.
 */
import JSDOMParser from "@mozilla/readability/JSDOMParser.js"
import { Parser } from "htmlparser2"
import { type Attributes, backgroundOf, hidingSelectors, isHidden } from "./HiddenStyle.ts"
import type { PageElement, PageNode } from "./PageNode.ts"
import listed from "./PageWords.json" with { type: "json" }

/** Most elements of a page. Long documentation pages have under 20,000. */
const elementsMax = 60_000
/** Real pages stay under 100. */
const depthMax = 200
/**
 * Most nodes right below one element; more are put into further elements below it. To take a node
 * out, the tree searches all that stand beside it. Real pages have hundreds.
 */
const widthMax = 8_000
/** The parser's time grows with the square of the nesting: beyond this a page is cut off. */
const nestingMax = 5_000
/** The page is given to the parser in pieces of so many UTF-16 code units. */
const pieceCharsMax = 32_768
/** UTF-16 code units of the scripts that hold data, at most. */
const dataCharsMax = 500_000

export interface HtmlTree {
  /** Tree of a page as Readability needs it; nothing else of it is used. */
  readonly document: TreeDocument
  readonly body: PageElement
  readonly head: PageHead
  /** How many elements are in the tree, its frame not counted. */
  readonly elements: number
}

/** Facts that the page states about itself beside its text. */
export interface PageHead {
  title: string
  language: string
  /** `name`, `property`, `itemprop` or `http-equiv` in lower case, to the first content given. */
  readonly metas: Map<string, string>
  canonicalHref: string
  /** JSON-LD texts, undecoded. */
  readonly data: Array<string>
}

interface TreeDocument {
  readonly body: TreeElement
  readonly createElement: (name: string) => TreeElement
  readonly createTextNode: (text: string) => PageNode
  title: string
}

interface TreeElement extends PageElement {
  readonly childNodes: { readonly length: number }
  readonly appendChild: (node: PageNode) => void
  readonly setAttribute: (name: string, value: string) => void
}

/** Elements without text that belongs to the page's contents. */
const textless = new Set(listed.textless)

export const build = (html: string): HtmlTree => {
  const document = new JSDOMParser<TreeDocument>().parse(
    "<html><head></head><body></body></html>"
  )
  const hiding = hidingSelectors(html)
  const head: PageHead = {
    title: "",
    language: "",
    canonicalHref: "",
    metas: new Map(),
    data: []
  }
  /** Open elements and the colours that they stand on: white unless the page says otherwise. */
  const open = [{ element: document.body, behind: "white" }]
  let elements = 0
  let nesting = 0
  /** How many elements are open inside of what is left out, itself included. */
  let left = 0
  let reading: "title" | "data" | "" = ""
  let dataChars = 0
  /** Text comes in pieces, one for each entity: they become one node. */
  let pending = ""

  /** Newest of the further elements below one that is full. */
  const overflow = new Map<TreeElement, TreeElement>()
  const roomIn = (parent: TreeElement): TreeElement => {
    if (parent.childNodes.length < widthMax) return parent
    const last = overflow.get(parent)
    if (last !== undefined && last.childNodes.length < widthMax) return last
    const next = document.createElement("span")
    parent.appendChild(next)
    overflow.set(parent, next)
    return next
  }
  const top = () => open.at(-1) ?? { element: document.body, behind: "" }
  const append = (node: PageNode) => roomIn(top().element).appendChild(node)
  const flush = () => {
    if (pending !== "") append(document.createTextNode(pending))
    pending = ""
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      nesting += 1
      if (left === 0 && name === "title" && head.title === "") reading = "title"
      if (name === "script" && /ld\+json/i.test(attributes["type"] ?? "")) {
        reading = "data"
        head.data.push("")
      }
      noteHead(head, name, attributes)
      const { behind, element: parent } = top()
      if (
        left > 0 || textless.has(name) || hiding.has(name) || isHidden(attributes, hiding, behind)
      ) {
        left += 1
        return
      }
      const below = backgroundOf(attributes, behind)
      if (frame.has(name)) {
        if (open.length === 1) open[0] = { element: document.body, behind: below }
        return
      }
      flush()
      elements += 1
      const element = document.createElement(plainName.test(name) ? name : "span")
      for (const key of listed.keptAttributes) {
        const value = attributes[key]
        if (value !== undefined) element.setAttribute(key, value)
      }
      append(element)
      open.push({ element: open.length < depthMax ? element : parent, behind: below })
    },
    ontext: (text) => {
      if (reading === "title") head.title += text
      else if (reading === "data" && dataChars < dataCharsMax) {
        head.data[head.data.length - 1] += text
        dataChars += text.length
      } else if (left === 0) pending += text
    },
    onclosetag: (name) => {
      nesting -= 1
      if (name === "title" || name === "script") reading = ""
      if (left > 0) left -= 1
      else if (!frame.has(name) && open.length > 1) {
        flush()
        open.pop()
      }
    }
  }, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true })

  let read = 0
  while (read < html.length && elements < elementsMax && nesting < nestingMax) {
    parser.write(html.slice(read, read + pieceCharsMax))
    read += pieceCharsMax
  }
  // What is still in the parser of a page that was cut off is left there.
  if (read >= html.length) parser.end()
  flush()
  document.title = head.title.replace(/\s+/g, " ").trim()
  return { document, body: document.body, head, elements }
}

/** Names that Readability's tree takes as they are: it would cut others at a colon. */
const plainName = /^[a-z][a-z0-9-]*$/

/** Given by the tree itself; `head` holds no text of its own. */
const frame = new Set(["html", "head", "body", "title", "meta", "link", "base"])

const noteHead = (head: PageHead, name: string, attributes: Attributes): void => {
  if (name === "html") head.language ||= attributes["lang"] ?? attributes["xml:lang"] ?? ""
  if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attributes["rel"] ?? "")) {
    head.canonicalHref ||= attributes["href"] ?? ""
  }
  const { content } = attributes
  if (content === undefined) return
  for (const key of ["property", "name", "itemprop", "http-equiv"]) {
    const meta = attributes[key]?.trim().toLowerCase()
    if (meta !== undefined && !head.metas.has(meta)) head.metas.set(meta, content)
  }
}
