/**
 * Whether a claim can be held against a quotation in another script, of which words are not shared.
 *
 * Figures and names that stand in both say what both speak of, and denials and bounds whether they
 * speak alike. Anything less is not comparable, and a claim that nobody compared does not stand.
 */
import type { Quantity } from "../text/Quantities.ts"
import { isSame, quantities } from "../text/Quantities.ts"
import * as Negation from "./Negation.ts"

/** Figures and names that both must hold, and figures among them. */
const anchorsMin = 2
const figuresMin = 1

const least =
  /\b(?:at least|minimum|no less than|or more|mindestens|au moins)\b|以上|少なくとも|最低|이상|최소|적어도|至少/iu
const most =
  /\b(?:at most|up to|maximum|no more than|within|or less|höchstens|au plus)\b|以下|以内|最大|上限|이하|이내|최대|至多|最多/iu
/** A name that keeps its letters: "NHK", "Toyota". */
const latinName = /(?<!\p{L})\p{Lu}[\p{Lu}\p{Ll}]+/gu

/** The claim's own figures must be known to stand in the quotation. */
export const isComparable = (claim: string, quoted: string): boolean => {
  const figures = sharedFigures(claim, quoted)
  const anchors = figures + sharedNames(claim, quoted)
  return figures >= figuresMin && anchors >= anchorsMin &&
    isDenying(claim) === isDenying(quoted) &&
    least.test(claim) === least.test(quoted) && most.test(claim) === most.test(quoted)
}

const sharedFigures = (claim: string, quoted: string): number => {
  const read = quantities(quoted, "evidence").filter(isTelling)
  const shared = quantities(claim).filter((said) =>
    isTelling(said) && read.some((other) => isSame(said, other))
  )
  return new Set(shared.map(({ kind, value }) => `${kind} ${value}`)).size
}

/** With a unit, or a date: bare small numbers are shared by chance. */
const isTelling = ({ kind, measures, unit }: Quantity): boolean =>
  kind !== "number" || unit !== "" || measures.length > 0

const sharedNames = (claim: string, quoted: string): number => {
  const read = new Set(quoted.match(latinName) ?? [])
  return new Set((claim.match(latinName) ?? []).filter((name) => read.has(name))).size
}

const isDenying = (text: string): boolean => Negation.count(text) + Negation.easternCount(text) > 0
