/**
 * Whether a reader sees an element, as its attributes and the page's own style sheets say.
 *
 * Text that is written for machines alone is where instructions to a model hide. External style
 * sheets are not fetched, so what only they hide is kept.
 */

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
const contentKinds: ReadonlySet<string> = new Set(
  "html body main article section div p span a ul ol li table tr td img".split(" ")
)
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
  const { class: classes, color, id, style } = attributes
  if (style !== undefined && hides(declarationsOf(style), behind)) return true
  if (color !== undefined && isSameColour(color.toLowerCase(), behind)) return true
  if (hiding.size === 0) return false
  if (id !== undefined && hiding.has(`#${id.trim()}`)) return true
  if (classes !== undefined && classes.split(/\s+/).some((name) => hiding.has(`.${name}`))) {
    return true
  }
  return Object.entries(attributes).some(([name, value]) =>
    hiding.has(`[${name}]`) || hiding.has(`[${name}=${value}]`)
  )
}

/** The simple selectors of the page's style sheets that hide what they select. */
export const hidingSelectors = (html: string): HidingSelectors => {
  const hiding = new Set<string>()
  let chars = 0
  for (const sheet of sheetsIn(html)) {
    chars += sheet.length
    if (chars > sheetCharsMax || hiding.size > selectorsMax) break
    for (const selector of selectorsOf(sheet)) hiding.add(selector)
  }
  return hiding
}

/** Yields each style sheet in one step, however many are opened and never closed. */
const sheetsIn = function*(html: string): Generator<string> {
  const marks = /<(\/?)style\b/gi
  let start: number | undefined
  for (const mark of html.matchAll(marks)) {
    if (mark[1] === "") start ??= mark.index
    else if (start !== undefined) {
      const sheet = html.slice(start, mark.index)
      yield sheet.slice(sheet.indexOf(">") + 1)
      start = undefined
    }
  }
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

const declarationsOf = (style: string): Declarations =>
  new Map(
    unescaped(style).toLowerCase().split(";").flatMap((part): ReadonlyArray<[string, string]> => {
      const colon = part.indexOf(":")
      if (colon < 0) return []
      const value = part.slice(colon + 1).replace(/!\s*important/, "").trim()
      return [[part.slice(0, colon).trim(), value]]
    })
  )

/** Background colour of the element's children; `behind` when it sets none. */
export const backgroundOf = (attributes: Attributes, behind: string): string => {
  const { bgcolor, style } = attributes
  const styled = style === undefined || !/background/i.test(style)
    ? undefined
    : backgroundIn(declarationsOf(style))
  return styled ?? bgcolor?.toLowerCase() ?? behind
}

const backgroundIn = (of: Declarations): string | undefined =>
  of.get("background-color") ?? of.get("background")

const hides = (of: Declarations, behind: string): boolean =>
  of.size > 0 && (isUndrawn(of) || isSizeless(of) || isOffScreen(of) || isUncoloured(of, behind))

const isUndrawn = (of: Declarations): boolean =>
  of.get("display") === "none" ||
  /^(?:hidden|collapse)$/.test(of.get("visibility") ?? "") ||
  of.get("content-visibility") === "hidden" ||
  amount(of.get("opacity")) <= 0.05 ||
  /opacity\(\s*0*(?:\.0*)?%?\s*\)/.test(of.get("filter") ?? "") ||
  /scale[xy3d]*\(\s*0(?:\.0*)?\s*[,)]/.test(of.get("transform") ?? "") ||
  amount(of.get("zoom")) === 0 || amount(of.get("scale")) === 0

const isSizeless = (of: Declarations): boolean =>
  pixels(of.get("font-size") ?? fontSize(of.get("font"))) <= 2 ||
  (/hidden|clip/.test(of.get("overflow") ?? of.get("overflow-y") ?? of.get("overflow-x") ?? "") &&
    ["width", "height", "max-width", "max-height"].some((side) => pixels(of.get(side)) <= 1)) ||
  /rect\(\s*(?:0|1px)/.test(of.get("clip") ?? "") ||
  /inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*\)/.test(
    of.get("clip-path") ?? ""
  )

const isOffScreen = (of: Declarations): boolean => {
  const far = (name: string) => Math.abs(pixels(of.get(name), 0)) >= 900
  if (pixels(of.get("text-indent"), 0) <= -300) return true
  if (["margin-left", "margin-top"].some((name) => pixels(of.get(name), 0) <= -900)) return true
  if (/translate[xy3d]*\([^)]*-\s*(?:\d{4,}px|[1-9]\d{2,}v[wh])/.test(of.get("transform") ?? "")) {
    return true
  }
  return /absolute|fixed|relative/.test(of.get("position") ?? "") &&
    ["left", "top", "right", "bottom"].some(far)
}

/** Text in the colour of what lies behind it. */
const isUncoloured = (of: Declarations, behind: string): boolean => {
  const text = of.get("-webkit-text-fill-color") ?? of.get("color")
  if (text === undefined) return false
  return isSameColour(text, backgroundIn(of) ?? behind)
}

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

const named: Readonly<Record<string, string>> = {
  white: "ffffff",
  snow: "fffafa",
  ivory: "fffff0",
  whitesmoke: "f5f5f5",
  ghostwhite: "f8f8ff",
  black: "000000"
}

const channels = (colour: string): Colour | undefined => {
  if (/^transparent\b/.test(colour)) return { rgb: [0, 0, 0], alpha: 0 }
  const name = /^[a-z]+/.exec(colour)?.[0] ?? ""
  const hex = named[name] ?? /^#([0-9a-f]{3,8})\b/.exec(colour)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const [, kind, inside = ""] = /^(rgb|hsl)a?\(([^)]*)\)/.exec(colour) ?? []
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "")
  const numbers = parts.map((part) => parseFloat(part))
  const alpha = parts[3]?.endsWith("%") === true ? (numbers[3] ?? 100) / 100 : numbers[3] ?? 1
  if (kind === "rgb") {
    const rgb = numbers.slice(0, 3).map((value, place) =>
      parts[place]?.endsWith("%") === true ? value * 2.55 : value
    )
    return { rgb, alpha }
  }
  if (kind !== "hsl") return undefined
  const light = (numbers[2] ?? 50) * 2.55
  // Only the ends of the scale have no hue: anything else is a colour to be seen.
  return light <= 5 || light >= 250 ? { rgb: [light, light, light], alpha } : undefined
}

const ofHex = (hex: string): Colour => {
  const wide = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex
  const at = (place: number) => parseInt(wide.slice(place, place + 2) || "ff", 16)
  return { rgb: [at(0), at(2), at(4)], alpha: at(6) / 255 }
}

/** NaN, which no comparison holds for, when there is no number. */
const amount = (value: string | undefined): number => {
  const number = parseFloat(value ?? "")
  return value?.trim().endsWith("%") === true ? number / 100 : number
}

const unitPixels: Readonly<Record<string, number>> = {
  em: 16,
  rem: 16,
  ex: 8,
  pt: 1.33,
  vw: 12,
  vh: 8,
  "%": 12,
  in: 96,
  cm: 38
}

const pixels = (value: string | undefined, absent = Number.NaN): number => {
  const [, digits = "", unit = ""] = /^calc\(|(-?[\d.]+)\s*([a-z%]*)/.exec(value ?? "") ?? []
  return digits === "" ? absent : parseFloat(digits) * (unitPixels[unit] ?? 1)
}

const fontSize = (font: string | undefined): string | undefined =>
  /(?:^|\s)(-?[\d.]+(?:px|em|rem|pt|%)|0)(?=[\s/]|$)/.exec(font ?? "")?.[1]
