/**
 * Whether a reader sees an element, as its attributes and the page's own style sheets say.
 *
 * Text that is written for machines alone is where instructions to a model hide. External style
 * sheets are not fetched, so what only they hide is kept.
 */
import listed from "./PageWords.json" with { type: "json" }

/** UTF-16 code units of all style sheets in a page that are read; the rest is not. */
const sheetCharsMax = 400_000
/** Taken from the style sheets. */
const selectorsMax = 5_000

export type Attributes = Readonly<Record<string, string>>

/**
 * Selectors by which a page's own style sheets hide elements: a single class, id, attribute or kind
 * of element.
 */
export type HidingSelectors = ReadonlySet<string>

/** Kinds that hold a page's contents: a sheet that hides them shows them again by a script. */
const contentKinds = new Set(listed.contentKinds)
/** Properties that hide by a value of this form. */
const hidingValues = listed.hidingValues.map(({ property, value }) => ({
  property,
  value: new RegExp(value)
}))
/** Properties that hide by so many pixels, or so much, or less. */
const hidingAmounts = Object.entries(listed.hidingAmounts)
/** Rules around which hide nothing of theirs on a screen. */
const transparentRule = /^@(?:layer|supports|scope|media\s+(?:all|screen)\s*$)/i

/** Properties by name; the last one counts. */
type Declarations = ReadonlyMap<string, string>

/**
 * Whether attributes hide an element from readers. `behind` is the colour that it stands on, as far
 * as attributes tell.
 */
export const isHidden = (
  attributes: Attributes,
  hiding: HidingSelectors,
  behind: string
): boolean => {
  if ("hidden" in attributes && attributes["hidden"] !== "until-found") return true
  if (attributes["aria-hidden"]?.trim().toLowerCase() === "true") return true
  const { class: classes = "", color = "", id = "", style = "" } = attributes
  if (hides(declarationsOf(style), behind)) return true
  if (isSameColour(color.toLowerCase(), behind)) return true
  if (hiding.size === 0) return false
  return hiding.has(`#${id.trim()}`) ||
    classes.split(/\s+/).some((name) => hiding.has(`.${name}`)) ||
    Object.entries(attributes).some(([name, value]) =>
      hiding.has(`[${name}]`) || hiding.has(`[${name}=${value}]`)
    )
}

/** The simple selectors of the page's style sheets that hide what they select. */
export const hidingSelectors = (html: string): HidingSelectors => {
  const hiding = new Set<string>()
  let chars = 0
  // Each style sheet in one step, however many are opened and never closed.
  for (const part of html.split(/<style\b/i).slice(1)) {
    const sheet = part.slice(part.indexOf(">") + 1).split(/<\/style\b/i, 1).join("")
    chars += sheet.length
    if (chars > sheetCharsMax || hiding.size > selectorsMax) break
    for (const selector of selectorsOf(sheet)) hiding.add(selector)
  }
  return hiding
}

const selectorsOf = (sheet: string): ReadonlyArray<string> => {
  const rules = unescaped(sheet).replace(/<!--|-->/g, "")
    .replace(/@[\w-]{1,40}[^{};@]{0,2000};/g, "")
  const found: Array<string> = []
  /** Rules that are open, and how many of them may be for something other than a screen. */
  const open: Array<number> = []
  for (
    // The last rule may be left open. With an end behind everything, no place is looked at twice.
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
    if (others > 0 || head.startsWith("@") || !hides(declarationsOf(body), "")) continue
    found.push(...head.split(",").flatMap(simpleOf))
  }
  return found
}

const simple = /^([\w-]*|\*)([.#][\w-]+|\[[\w-]+(?:=[^\]]+)?\])?$/

/**
 * Parts of one selector that `HidingSelectors` can hold; none of one that depends on other
 * elements.
 */
const simpleOf = (selector: string): ReadonlyArray<string> => {
  const own = selector.trim().replace(/^(?:(?:html|body|:root)\s*[\s>]\s*)+/i, "")
  const [, kind = "", name] = simple.exec(own) ?? []
  if (name !== undefined) return [name.replace(/["']/g, "")]
  const element = kind.toLowerCase()
  return element === "" || element === "*" || contentKinds.has(element) ? [] : [element]
}

/** Comments away, escapes undone: `d\69 splay` is `display`. */
const unescaped = (css: string): string =>
  css.replace(/\/\*[^]*?(?:\*\/|$)/g, "").replace(
    /\\([0-9a-f]{1,6})\s?|\\(.)/gi,
    (_, code: string | undefined, char: string | undefined) =>
      code === undefined ? char ?? "" : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff))
  )

const none: Declarations = new Map()
const declarationsOf = (style: string): Declarations =>
  style === "" ? none : new Map(
    unescaped(style).toLowerCase().split(";").flatMap((part): ReadonlyArray<[string, string]> => {
      const colon = part.indexOf(":")
      if (colon < 0) return []
      const value = part.slice(colon + 1).replace(/!\s*important/, "").trim()
      return [[part.slice(0, colon).trim(), value]]
    })
  )

/** Background colour of the element's children; `behind` when it sets none. */
export const backgroundOf = (attributes: Attributes, behind: string): string => {
  const { bgcolor, style = "" } = attributes
  return backgroundIn(declarationsOf(style)) ?? bgcolor?.toLowerCase() ?? behind
}

const backgroundIn = (of: Declarations): string | undefined =>
  of.get("background-color") ?? of.get("background")

const hides = (of: Declarations, behind: string): boolean =>
  of.size > 0 && (
    hidingValues.some(({ property, value }) => value.test(of.get(property) ?? "")) ||
    hidingAmounts.some(([property, most]) => pixels(of.get(property)) <= most) ||
    isSizeless(of) || isOffScreen(of) || isUncoloured(of, behind)
  )

const isSizeless = (of: Declarations): boolean =>
  ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip/.test(of.get(name) ?? "")) &&
  ["width", "height", "max-width", "max-height"].some((side) => pixels(of.get(side)) <= 1)

const isOffScreen = (of: Declarations): boolean =>
  /absolute|fixed|relative/.test(of.get("position") ?? "") &&
  ["left", "top", "right", "bottom"].some((side) => Math.abs(pixels(of.get(side))) >= 900)

/** Text in the colour of what lies behind it. */
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
  const name = /^[a-z]+/.exec(colour)?.[0] ?? ""
  const hex = colours.get(name) ?? /^#([0-9a-f]{3,8})\b/.exec(colour)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const [, kind, inside = ""] = /^(rgb|hsl)a?\(([^)]*)\)/.exec(colour) ?? []
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "")
  const [first = 0, second = 0, third = 0, alpha = 1] = parts.map((part, place) =>
    parseFloat(part) * (part.endsWith("%") ? place === 3 ? 0.01 : 2.55 : 1)
  )
  if (kind === "rgb") return { rgb: [first, second, third], alpha }
  // Only the ends of the scale have no hue: anything else is a colour to be seen.
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

/** NaN, which no comparison holds for, when there is no number. */
const pixels = (value = ""): number => {
  const [, digits = "", unit = ""] = /^calc\(|(-?[\d.]+)\s*([a-z%]*)/.exec(value) ?? []
  return parseFloat(digits) * (unitPixels.get(unit) ?? 1)
}
