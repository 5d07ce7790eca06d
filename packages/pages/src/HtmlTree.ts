/**
 * A page's visible elements as a tree, built while parsing. Elements nested too deeply are attached
 * to their last permitted ancestor; a page with too many elements is cut off.
 */
import JSDOMParser from "@mozilla/readability/JSDOMParser.js"
import { Parser } from "htmlparser2"
import listed from "./PageWords.json" with { type: "json" }

/** Most elements of a page. Long documentation pages have under 20,000. */
const elementsMax = 60_000
/** Real pages stay under 100. */
const depthMax = 200
/** Most children of one element, as removing one searches all. Real pages have hundreds. */
const widthMax = 8_000
/** Beyond this nesting a page is cut off: the parser's time grows with its square. */
const nestingMax = 5_000
/** UTF-16 code units in one piece for the parser. */
const pieceCharsMax = 32_768
/** Most UTF-16 code units of data scripts. */
const dataCharsMax = 500_000

export type HtmlTree = ReturnType<typeof build>

const emptyHead = () => ({
  title: "",
  language: "",
  /** `name`, `property`, `itemprop` or `http-equiv` in lower case, to the first content given. */
  metas: new Map<string, string>(),
  canonicalHref: "",
  /** JSON-LD texts, undecoded. */
  data: new Array<string>(),
  /** Embedded states of frameworks, undecoded. */
  states: new Array<string>(),
  scriptsCount: 0,
  hasPassword: false
})
export type PageHead = ReturnType<typeof emptyHead>

interface TreeDocument {
  readonly body: TreeElement
  readonly createElement: (name: string) => TreeElement
  readonly createTextNode: (text: string) => PageNode
  title: string
}

interface TreeElement extends PageElement {
  readonly childNodes: { readonly length: number }
  readonly appendChild: (node: PageNode) => void
}

/** Elements without text of the page's contents. */
const textless = new Set(listed.textless)
const keptAttributes = new Set(listed.keptAttributes)

/** `document` is for Readability, and only for it. */
export const build = (html: string) => {
  const document = new JSDOMParser<TreeDocument>().parse(
    "<html><head></head><body></body></html>"
  )
  const { closing, hiding, raising } = selectorsIn(html)
  const head = emptyHead()
  /** Open elements and their background colours: white unless the page sets another. */
  const open = [{ element: document.body, behind: "white" }]
  let elements = 0
  let nesting = 0
  /** Depth within a skipped element, itself included. */
  let left = 0
  /** Depth within a comment or a review, itself included. */
  let othersDepth = 0
  /** Ids of elements that a control on the page shows: readers can see them. */
  const shown = new Set<string>()
  /** Tabs so far whose panels are not yet open. */
  let tabs = 0
  let reading: "title" | "picture" | "answer" | "data" | "states" | "" = ""
  /** Words of a button that is open. */
  let answer = ""
  /** The last drawing, whose name may be within it. */
  let drawing: TreeElement | undefined
  const readChars = { data: 0, states: 0 }
  /** Text comes in pieces, one for each entity: they become one node. */
  let pending = ""

  /** Newest additional element below a full one. */
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
  const countAnswer = () => {
    const { element } = top()
    element.setAttribute("answers", String(Number(element.getAttribute("answers") ?? 0) + 1))
  }
  const append = (node: PageNode) => roomIn(top().element).appendChild(node)
  const flush = () => {
    // A byte order mark within a text is no white space, as \s has it.
    if (pending !== "") append(document.createTextNode(pending.replaceAll("\ufeff", "")))
    pending = ""
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      nesting += 1
      if (name === "title") {
        if (left === 0 && head.title === "") reading = "title"
        if (left > 0 && drawing?.getAttribute("alt") === "") reading = "picture"
      }
      if (name === "script") {
        head.scriptsCount += 1
        reading = /ld\+json/i.test(attributes["type"] ?? "") ? "data" : "states"
        head[reading].push("")
      }
      if (othersDepth > 0 || isOthers(attributes)) othersDepth += 1
      else noteHead(head, name, attributes)
      const { behind, element: parent } = top()
      const role = left === 0 ? attributes["role"] : undefined
      const isControl = left === 0 && "aria-expanded" in attributes || role === "tab"
      const controlled = attributes["aria-controls"] ?? ""
      if (isControl && controlled !== "") shown.add(controlled)
      if (role === "tab") tabs += 1
      const isPanel = role === "tabpanel" && tabs > 0
      if (isPanel) tabs -= 1
      if (left > 0) {
        left += 1
        return
      }
      const isShown = isPanel || shown.has(attributes["id"] ?? "") || isFolding(attributes)
      // An image hidden only from screen readers is visible.
      const seen = name === "img" ? { ...attributes, "aria-hidden": "" } : attributes
      const looks = isShown ? opened(attributes) : seen
      const selectors = isShown ? hiding : closing
      const declared = declarationsOf(looks["style"] ?? "")
      if (closing.has(name) || isHidden(looks, declared, selectors, behind)) {
        left += 1
        return
      }
      if (role === "radio" || name === "input" && attributes["type"] === "radio") countAnswer()
      if (name === "input" && attributes["type"] === "password") head.hasPassword = true
      const label = attributes["alt"] ?? attributes["aria-label"] ?? attributes["title"] ?? ""
      const isPicture = pictures.has(name) || attributes["role"] === "img"
      if (isTextless(name, attributes, parent.localName)) {
        left += 1
        if (name === "button") {
          reading = "answer"
          answer = attributes["aria-label"] ?? ""
        }
        if (name !== "svg") return
        flush()
        drawing = document.createElement("span")
        drawing.setAttribute("alt", label)
        append(drawing)
        return
      }
      const below = backgroundIn(declared) ?? attributes["bgcolor"]?.toLowerCase() ?? behind
      if (frame.has(name)) {
        if (open.length === 1) open[0] = { element: document.body, behind: below }
        return
      }
      flush()
      elements += 1
      const element = document.createElement(
        plainName.test(name) && !textless.has(name)
          ? kindOf(name, attributes, declared, raising)
          : "span"
      )
      if (isPicture) element.setAttribute("alt", label)
      for (const key in attributes) {
        if (keptAttributes.has(key)) element.setAttribute(key, attributes[key] ?? "")
      }
      append(element)
      open.push({ element: open.length < depthMax ? element : parent, behind: below })
    },
    ontext: (text) => {
      if (reading === "title") head.title += text
      else if (reading === "picture") drawing?.setAttribute("alt", text.trim())
      else if (reading === "answer") answer += text
      else if (reading !== "" && readChars[reading] < dataCharsMax) {
        const texts = head[reading]
        // The first words show whether a script holds a state.
        const whole = (texts.at(-1) ?? "") + text
        if (reading === "states" && !isState(whole)) return
        texts[texts.length - 1] = whole
        readChars[reading] += text.length
      } else if (left === 0) pending += text
    },
    onclosetag: (name) => {
      nesting -= 1
      if (name === "title" || name === "script") reading = ""
      if (name === "button" && reading === "answer") {
        reading = ""
        if (isAnswer(answer)) countAnswer()
      }
      if (othersDepth > 0) othersDepth -= 1
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
  // The parser's rest of a page that was cut off is dropped.
  if (read >= html.length) parser.end()
  flush()
  document.title = head.title.replace(/\s+/g, " ").trim()
  const body: PageElement = document.body
  return { document, body, head, elements, isCut: read < html.length }
}

/** JSON, or an assignment of it to a framework's name. */
const isState = (script: string): boolean =>
  /^\s*(?:[[{]|(?:window|self|globalThis)?[.[\s"']*__[A-Z_]*(?:STATE|DATA|PROPS|NUXT|APOLLO)[A-Z_]*__)/i
    .test(script)

const buttonTexts = new Set(listed.buttonTexts)

/** A button within a heading is text, and so is a declarative shadow tree. */
const isTextless = (name: string, attributes: Attributes, parent: string): boolean =>
  textless.has(name) && !("shadowrootmode" in attributes) &&
  !(name === "button" && buttonTexts.has(parent))

/** Its attributes after its control has opened it. */
const opened = (
  { "aria-hidden": _, hidden: __, style = "", ...others }: Attributes
): Attributes => ({
  ...others,
  style: style.replace(/(?<![\w-])(?:display|visibility|opacity|(?:max-)?height)\s*:[^;]*/gi, "")
})
const closable = ["display", "visibility", "opacity", "height", "max-height"]

/** Whether a class or an id has one of the words as a part. */
export const namedBy = (words: ReadonlyArray<string>): (name: string) => boolean => {
  const known = new Set(words)
  // Most names hold none of them anywhere.
  const near = new RegExp(words.join("|"), "i")
  return (name) => near.test(name) && partsOf(name).some((part) => known.has(part))
}

const isOfFolding = namedBy(listed.foldings)
const isOfMenu = namedBy(listed.menus)

/** Whether readers unfold it, by its name: a tab's panel, an answer in an accordion. */
const isFolding = ({ class: classes = "" }: Attributes): boolean =>
  isOfFolding(classes) && !isOfMenu(classes)

/** Parts of a class or an id, delimited by `-`, `_`, capitals or the ends. */
export const partsOf = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase().split(/[^a-z]+/)

const answers = new RegExp(`^[^\\p{L}]*(?:${listed.answers.join("|")})(?![\\p{L}\\p{M}])`, "iu")

/** In UTF-16 code units. */
export const answerCharsMax = 60

/** Yes or no, perhaps with more: "No, thank you". */
export const isAnswer = (words: string): boolean =>
  words.length < answerCharsMax && answers.test(words)

/** Elements that may replace a word by an image. */
const pictures = new Set(["img", "i"])
const plainKinds = new Set(["div", "span"])
const roleKinds = new Map(Object.entries(listed.roleKinds))

/** Kind of an element by its role and its style's position, else its own. */
const kindOf = (
  name: string,
  { class: classes = "", role = "" }: Attributes,
  declared: Declarations,
  raising: RaisingSelectors
): string => {
  // Readability removes images without a URL from the tree.
  if (name === "img") return "span"
  if (plainKinds.has(name) && roleKinds.has(role)) return roleKinds.get(role) ?? name
  if (!movable.has(name)) return name
  const raised = raising.size === 0 ? [] : classes.split(/\s+/)
  const sign = signOf(declared) ?? raised.flatMap((one) => raising.get(`.${one}`) ?? [])[0]
  if (sign !== undefined) return sign
  return name === "span" && declared.get("display") === "block" ? "div" : name
}

/** Elements without meaning of their own, which a style may place anywhere. */
const movable = new Set(["a", "b", "em", "font", "i", "small", "span", "strong"])

/** Visitors' contributions have dates of their own. */
const isOthers = ({ itemprop, itemtype }: Attributes): boolean =>
  itemprop !== undefined && /\b(?:comment|review)s?\b/i.test(itemprop) ||
  itemtype !== undefined && /\/(?:\w*Comments?|\w*Review|Answer)$/.test(itemtype)

/** Names that Readability's tree accepts unchanged: others would be cut at a colon. */
const plainName = /^[a-z][a-z0-9-]*$/

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

// The part of the DOM in use, so that only the tree's builder depends on its implementation.

export interface PageNode {
  readonly nodeType: number
  readonly parentNode: PageElement | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly textContent: string | null
  readonly remove: () => void
}

export interface PageElement extends PageNode {
  /** Lower case. */
  readonly localName: string
  readonly getAttribute: (name: string) => string | null | undefined
  readonly setAttribute: (name: string, value: string) => void
}

/** Makes an element a `div` without a name, so that its name has no influence. */
export const makePlain = (element: PageElement): void => {
  Object.assign(element, { localName: "div", tagName: "DIV" })
  for (const name of ["class", "id", "role"]) element.setAttribute(name, "")
}

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1
export const isTextNode = (node: PageNode): boolean => node.nodeType === 3

/** A copy of the children: the tree may be changed during iteration. */
export const childrenOf = (node: PageNode): ReadonlyArray<PageNode> => {
  const children: Array<PageNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

// Prompt injections hide in text for machines alone. External style sheets are not fetched, so what
// only they hide is kept.

/** Most UTF-16 code units read of a page's style sheets. */
const sheetCharsMax = 400_000
const selectorsMax = 5_000

type Attributes = Readonly<Record<string, string>>

/** A single class, id, attribute or kind of element each. */
type HidingSelectors = ReadonlySet<string>

/** Selectors of superscripts and subscripts, with the equivalent element. */
type RaisingSelectors = ReadonlyMap<string, Sign>
type Sign = "sup" | "sub"

/** Kinds that hold a page's contents: if a sheet hides them, a script shows them again. */
const contentKinds = new Set(listed.contentKinds)
/** Properties that hide by a value of this form. */
const hidingValues = listed.hidingValues.map(({ property, value }) => ({
  property,
  value: new RegExp(value)
}))
/** Properties that hide by an amount up to this one. */
const hidingAmounts = Object.entries(listed.hidingAmounts)
/** At-rules that apply on a screen. */
const transparentRule = /^@(?:layer|supports|scope|media\s+(?:all|screen)\s*$)/i

/** Properties by name; the last one counts. */
type Declarations = ReadonlyMap<string, string>

/** Whether attributes hide an element whose background is `behind`. */
const isHidden = (
  attributes: Attributes,
  declared: Declarations,
  hiding: HidingSelectors,
  behind: string
): boolean => {
  if ("hidden" in attributes && attributes["hidden"] !== "until-found") return true
  if (attributes["aria-hidden"]?.trim().toLowerCase() === "true") return true
  const { class: classes = "", color = "", id = "" } = attributes
  if (hides(declared, behind)) return true
  if (isSameColour(color.toLowerCase(), behind)) return true
  if (hiding.size === 0) return false
  return hiding.has(`#${id.trim()}`) ||
    classes.split(/\s+/).some((name) => hiding.has(`.${name}`)) ||
    Object.keys(attributes).some((name) =>
      hiding.has(`[${name}`) &&
      (hiding.has(`[${name}]`) || hiding.has(`[${name}=${attributes[name]}]`))
    )
}

/** The simple selectors of the page's style sheets that hide or raise elements. */
const selectorsIn = (html: string) => {
  const hiding = new Set<string>()
  /** Also selectors that hide what a reader can open. */
  const closing = new Set<string>()
  const raising = new Map<string, Sign>()
  let chars = 0
  // Each style sheet in one step, however many are opened and never closed.
  for (const part of html.split(/<style\b/i).slice(1)) {
    const sheet = part.slice(part.indexOf(">") + 1).split(/<\/style\b/i, 1).join("")
    chars += sheet.length
    if (chars > sheetCharsMax || closing.size + raising.size > selectorsMax) break
    for (const [selector, sign] of selectorsOf(sheet)) {
      if (sign === "closed" || sign === "hidden") closing.add(selector)
      else raising.set(selector, sign)
      if (sign === "hidden") hiding.add(selector)
    }
  }
  return { closing, hiding, raising }
}

/** Hiding selectors, and raising ones with the equivalent element. */
const selectorsOf = (sheet: string) => {
  const rules = unescaped(sheet).replace(/<!--|-->/g, "")
    .replace(/@[\w-][^{};@]{0,2000};/g, "")
  const found: Array<readonly [selector: string, sign: Sign | "closed" | "hidden"]> = []
  /** Open rules, and how many of them may be for other media than a screen. */
  const open: Array<number> = []
  for (
    // The last rule may be unclosed. With a final `}` added, matching stays linear.
    const [, before = "", mark, body = ""] of `${rules}}`.matchAll(
      /([^{}]*)(?:(\})|\{(?:([^{}]*)(?=\}))?)/g
    )
  ) {
    if (mark === "}") {
      open.pop()
      continue
    }
    const head = before.trim()
    const others = open.at(-1) ?? 0
    open.push(others + (transparentRule.test(head) ? 0 : 1))
    if (others > 0 || head.startsWith("@") || !placing.test(body)) continue
    const selectors = head.split(",").flatMap(simpleOf)
    if (selectors.length === 0) continue
    const declared = declarationsOf(body)
    const sign = signOf(declared) ?? (hides(declared, "") ? howHidden(declared) : undefined)
    if (sign !== undefined) { for (const selector of selectors) found.push([selector, sign]) }
  }
  return found
}

/** Names of the properties that may hide or raise. */
const placing = new RegExp(
  [...listed.hidingValues.map(({ property }) => property), ...Object.keys(listed.hidingAmounts)]
    .concat("overflow", "position", "color", "vertical-align").join("|"),
  "i"
)

const howHidden = (declared: Declarations): "closed" | "hidden" =>
  hides(new Map(Array.from(declared).filter(([name]) => !closable.includes(name))), "")
    ? "hidden"
    : "closed"

const simple = /^([\w-]*|\*)([.#][\w-]+|\[[\w-]+(?:=[^\]]+)?\])?$/

/** Parts of one selector that `HidingSelectors` can hold; none if it depends on other elements. */
const simpleOf = (selector: string): ReadonlyArray<string> => {
  const own = selector.trim().replace(/^(?:(?:html|body|:root)\s*[\s>]\s*)+/i, "")
  const [, kind = "", name] = simple.exec(own) ?? []
  // An attribute's begin, too: few attributes of a page are in any.
  if (name !== undefined) return [name.replace(/["']/g, ""), ...name.split(/[\]=]/, 1)]
  const element = kind.toLowerCase()
  return element === "" || element === "*" || contentKinds.has(element) ? [] : [element]
}

/** Removes comments and decodes escapes: `d\69 splay` is `display`. */
const unescaped = (css: string): string =>
  !/\\|\/\*/.test(css) ? css : css.replace(/\/\*[^]*?(?:\*\/|$)/g, "").replace(
    /\\([0-9a-f]{1,6})\s?|\\(.)/gi,
    (_, code: string | undefined, char: string | undefined) =>
      code === undefined ? char ?? "" : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff))
  )

const none: Declarations = new Map()
const declarationsOf = (style: string): Declarations => {
  if (style === "") return none
  const found = new Map<string, string>()
  for (const part of unescaped(style).toLowerCase().split(";")) {
    const at = part.indexOf(":")
    if (at < 0) continue
    found.set(part.slice(0, at).trim(), part.slice(at + 1).replace(/!\s*important/, "").trim())
  }
  return found
}

const backgroundIn = (of: Declarations): string | undefined =>
  of.get("background-color") ?? of.get("background")

const hides = (of: Declarations, behind: string): boolean =>
  of.size > 0 && (
    hidingValues.some(({ property, value }) =>
      of.has(property) && value.test(of.get(property) ?? "")
    ) ||
    hidingAmounts.some(([property, most]) => pixels(of.get(property)) <= most) ||
    isSizeless(of) || isOffScreen(of) || isUncoloured(of, behind)
  )

const smallLetters = /^(?:smaller|(?:x{0,2}-)?small|[1-8]?\d(?:\.\d+)?%|0?\.\d+em)$/

/** Superscript or subscript, by its own alignment or by an offset with smaller letters. */
const signOf = (of: Declarations): Sign | undefined => {
  const align = of.get("vertical-align")
  if (align === "super" || align === "sub") return align === "sub" ? "sub" : "sup"
  if (
    smallLetters.test(of.get("font-size") ?? "") && /^(?:text-)?(?:top|bottom)$/.test(align ?? "")
  ) {
    return align?.endsWith("top") === true ? "sup" : "sub"
  }
  const top = of.get("position") === "relative" && of.has("font-size") ? of.get("top") : undefined
  if (top === undefined || !(Math.abs(pixels(top)) < 20)) return undefined
  return pixels(top) < 0 ? "sup" : pixels(top) > 0 ? "sub" : undefined
}

const isSizeless = (of: Declarations): boolean =>
  ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip/.test(of.get(name) ?? "")) &&
  ["width", "height", "max-width", "max-height"].some((side) => pixels(of.get(side)) <= 1)

const isOffScreen = (of: Declarations): boolean =>
  /absolute|fixed|relative/.test(of.get("position") ?? "") &&
  ["left", "top", "right", "bottom"].some((side) => Math.abs(pixels(of.get(side))) >= 900)

const isUncoloured = (of: Declarations, behind: string): boolean =>
  isSameColour(
    of.get("-webkit-text-fill-color") ?? of.get("color") ?? "",
    backgroundIn(of) ?? behind
  )

const isSameColour = (text: string, behind: string): boolean => {
  const front = channels(text)
  if (front === undefined) return false
  if (front.alpha <= 0.05) return true
  const back = channels(behind)
  return back !== undefined && back.alpha > 0.5 &&
    front.rgb.every((value, place) => Math.abs(value - (back.rgb[place] ?? 0)) <= 12)
}

interface Colour {
  readonly rgb: ReadonlyArray<number>
  readonly alpha: number
}

const colours = new Map(Object.entries(listed.colours))

const channels = (colour: string): Colour | undefined => {
  if (colour === "") return undefined
  const name = /^[a-z]+/.exec(colour)?.[0] ?? ""
  const hex = colours.get(name) ?? /^#([0-9a-f]{3,8})\b/.exec(colour)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const [, kind, inside = ""] = /^(rgb|hsl)a?\(([^)]*)\)/.exec(colour) ?? []
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "")
  const [first = 0, second = 0, third = 0, alpha = 1] = parts.map((part, place) =>
    parseFloat(part) * (part.endsWith("%") ? place === 3 ? 0.01 : 2.55 : 1)
  )
  if (kind === "rgb") return { rgb: [first, second, third], alpha }
  // Only the ends of the scale have no hue: anything else is visible.
  return kind === "hsl" && (third <= 5 || third >= 250)
    ? { rgb: [third, third, third], alpha }
    : undefined
}

const ofHex = (hex: string): Colour => {
  const wide = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex
  const at = (place: number) => parseInt(wide.slice(place, place + 2) || "ff", 16)
  return { rgb: [at(0), at(2), at(4)], alpha: at(6) / 255 }
}

const unitPixels = new Map(Object.entries(listed.unitPixels))

/** NaN without a number: every comparison with it is false. */
const pixels = (value = ""): number => {
  if (value === "") return NaN
  const [, digits = "", unit = ""] = /^calc\(|(-?[\d.]+)\s*([a-z%]*)/.exec(value) ?? []
  return parseFloat(digits) * (unitPixels.get(unit) ?? 1)
}
