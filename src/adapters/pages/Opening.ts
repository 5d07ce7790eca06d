/**
 * Reads the part under the page's title, to check what was found by its looks. An article begins
 * under its title. When most of what stands there was passed over, something else on the page was
 * taken for the article.
 */
import type { PageElement } from "./PageNode.ts"
import { firstOpening, lineOf, type Prose } from "./Prose.ts"
import { blocksOf, type TextBlock } from "./TextBlocks.ts"

/** A paragraph of prose, and prose around the title. In UTF-16 code units. */
const openingCharsMin = 80
const aroundCharsMin = 500
/**
 * Length and share of the text from which what was passed over is no introduction. In UTF-16 code
 * units, and of the text that is there.
 */
const passedCharsMin = 600
const passedShareMin = 0.3
/** A block with more links than this is no prose. */
const linkShareMax = 0.5
const blockCharsMin = 80

/** The part of the page around its title when most of it is missing in `found`, else `found`. */
export const corrected = (
  found: ReadonlyArray<TextBlock>,
  around: ReadonlyArray<TextBlock>
): ReadonlyArray<TextBlock> => {
  const known = new Set(found.map(({ text }) => text))
  const prose = around.filter(isProse)
  const begin = prose.findIndex(({ text }) => known.has(text))
  const passed = charsOf(begin < 0 ? prose : prose.slice(0, begin))
  return passed >= passedCharsMin && passed >= passedShareMin * charsOf(prose) ? around : found
}

/** The smallest part of the page with its title and prose; empty without either. */
export const textAround = (
  prose: Prose,
  heading: PageElement | undefined
): ReadonlyArray<TextBlock> => {
  const first = heading === undefined ? undefined : firstOpening(prose, heading, openingCharsMin)
  if (heading === undefined || first === undefined) return []
  const headed = new Set(lineOf(heading))
  const smallest = lineOf(first).find((element) =>
    headed.has(element) && (prose.get(element) ?? 0) >= aroundCharsMin
  )
  return smallest === undefined ? [] : blocksOf(smallest)
}

const isProse = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind !== "code" && linkShare < linkShareMax && text.length >= blockCharsMin

const charsOf = (blocks: ReadonlyArray<TextBlock>): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)
