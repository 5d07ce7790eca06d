/**
 * Takes out of a page what stands beside its contents: navigation, forms, captions, teasers.
 *
 * An element is known by its kind or a word of its class or id, and only when it is small: a page
 * that is wrapped in a form, or an article called `share-enabled`, keeps its text.
 */
import { childrenOf, isElement, type PageElement } from "./PageNode.ts"
import listed from "./PageWords.json" with { type: "json" }
import type { Measures } from "./Prose.ts"

/** Length from which an element is contents, whatever it is called. In UTF-16 code units. */
const structureCharsMax = 1_500
const namedCharsMax = 600
const namesCharsMax = 200

const structures = new Set(listed.structures)
/** Words of a class or an id, each standing alone between `-`, `_`, capitals or the ends. */
const words = new Set(listed.boilerplate)
/** The same, of two words. */
const pairs = new Set(listed.boilerplatePairs)
/** Kinds that are contents by any name. */
const unnamed = new Set(listed.neverBoilerplate)

/** Removes boilerplate below the element, as far as it is measured. */
export const removeBoilerplate = (parent: PageElement, measures: Measures): void => {
  for (const child of childrenOf(parent).filter(isElement)) {
    const { chars = 0 } = measures.get(child) ?? {}
    const isBoilerplate = structures.has(child.localName) && chars < structureCharsMax ||
      chars < namedCharsMax && isNamed(child)
    if (chars > 0 && isBoilerplate) child.remove()
    else removeBoilerplate(child, measures)
  }
}

const isNamed = (element: PageElement): boolean =>
  !unnamed.has(element.localName) &&
  ["class", "id"].map((name) => element.getAttribute(name) ?? "").some((names) =>
    names.length < namesCharsMax && names.split(/\s+/).some(isBoilerplateName)
  )

const isBoilerplateName = (name: string): boolean => {
  const parts = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase().split(/[^a-z]+/)
  return parts.some((part, place) => words.has(part) || pairs.has(`${part} ${parts[place + 1]}`))
}
