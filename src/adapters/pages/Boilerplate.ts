/**
 * Takes out of a page what stands beside its contents: navigation, forms, captions, teasers.
 *
 * An element is known by its kind, its role or a word of its class or id, and only when it is
 * small: a page that is wrapped in a form, or an article called `share-enabled`, keeps its text.
 */
import { childrenOf, isElement, isTextNode, type PageElement } from "./PageNode.ts"
import { lineOf } from "./Prose.ts"

/** Length from which an element is contents, whatever it is called. In UTF-16 code units. */
const structureCharsMax = 1_500
const namedCharsMax = 600
const paragraphsMax = 3

const structures: ReadonlySet<string> = new Set(
  "aside nav form footer figcaption menu".split(" ")
)
const roles: ReadonlySet<string> = new Set(
  "navigation contentinfo complementary search dialog alertdialog menu menubar toolbar tooltip"
    .split(" ")
)
/** Words of a class or an id, each standing alone between `-`, `_`, capitals or the ends. */
const words: ReadonlySet<string> = new Set(
  ("caption captions credit credits related newsletter share sharing shares social comment comments copyright " +
    "byline dateline timestamp promo promos advert advertisement advertising ad ads adsense " +
    "sponsor sponsored recirc recirculation breadcrumb breadcrumbs subscribe subscription signup " +
    "tag tags bio outbrain taboola toolbar trending popular gallery slideshow disclaimer " +
    "tooltip paywall pagination pager cookie cookies consent gdpr popup modal login signin " +
    "skip masthead sidebar navbar editsection noprint hatnote navbox " +
    "printfooter permalink").split(" ")
)
/** The same, of two words. */
const pairs: ReadonlySet<string> = new Set(
  ("read more|read next|see also|author bio|author box|author info|about author|sign up|log in|most read|most " +
    "popular|you may|also like|up next|load more|post meta|entry meta|article meta|post info|" +
    "meta info|posted on|entry footer|post footer|article footer|site footer|page footer|site " +
    "header|page header|back top|jump to").split("|")
)

interface Measure {
  readonly chars: number
  readonly paragraphs: number
}

/**
 * Removes boilerplate. An element that holds the page's title stays, and only its inside is looked
 * at.
 */
export const removeBoilerplate = (body: PageElement, title: PageElement | undefined): void => {
  const kept = new Set(title === undefined ? [] : lineOf(title))
  const measured = measure(body)
  for (const child of childrenOf(body)) {
    if (isElement(child)) clean(child, measured, kept)
  }
}

const clean = (
  element: PageElement,
  measured: ReadonlyMap<PageElement, Measure>,
  kept: ReadonlySet<PageElement>
): void => {
  const { chars, paragraphs } = measured.get(element) ?? { chars: 0, paragraphs: 0 }
  if (chars === 0) return
  const isStructure = structures.has(element.localName) ||
    roles.has(element.getAttribute("role")?.trim().toLowerCase() ?? "")
  const isKept = kept.has(element)
  if (isStructure && !isKept && chars < structureCharsMax) return element.remove()
  if (!isKept && chars < namedCharsMax && paragraphs <= paragraphsMax && isNamed(element)) {
    return element.remove()
  }
  for (const child of childrenOf(element)) {
    if (isElement(child)) clean(child, measured, kept)
  }
}

const isNamed = (element: PageElement): boolean => {
  if (/^(?:body|main|article|h1|pre|code|table|tbody|tr|td|th|dt|dd|a)$/.test(element.localName)) {
    return false
  }
  return ["class", "id"].map((name) => element.getAttribute(name) ?? "").some((names) =>
    names.length < 200 && names.split(/\s+/).some(isBoilerplateName)
  )
}

const isBoilerplateName = (name: string): boolean => {
  const parts = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase().split(/[^a-z]+/)
  return parts.some((part, place) => words.has(part) || pairs.has(`${part} ${parts[place + 1]}`))
}

const measure = (body: PageElement): ReadonlyMap<PageElement, Measure> => {
  const measured = new Map<PageElement, Measure>()
  const visit = (element: PageElement): Measure => {
    let chars = 0
    let paragraphs = element.localName === "p" ? 1 : 0
    for (let child = element.firstChild; child !== null; child = child.nextSibling) {
      if (isTextNode(child)) chars += (child.textContent ?? "").trim().length
      else if (isElement(child)) {
        const inner = visit(child)
        chars += inner.chars
        paragraphs += inner.paragraphs
      }
    }
    const own = { chars, paragraphs }
    measured.set(element, own)
    return own
  }
  visit(body)
  return measured
}
