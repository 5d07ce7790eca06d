/** A text as a vector without a model: words and runs of letters, hashed onto the dimensions. */
import { words } from "@web-grounding/language/Words"

const gramLength = 3
/** A shared word says more than a shared run of letters. */
const wordWeight = 2

/**
 * Vector of length 1, the same for the same text on every machine; texts that share words are near.
 */
export const hashedVector = (text: string, dimensions: number): ReadonlyArray<number> => {
  const vector = new Float64Array(dimensions)
  const add = (feature: string, weight: number) => {
    const hash = hashOf(feature)
    const place = (hash >>> 1) % dimensions
    vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? weight : -weight)
  }
  // A text without words still has to be somewhere.
  add("", 0.01)
  for (const word of words(text)) {
    add(`word ${word}`, wordWeight)
    const padded = ` ${word} `
    for (let start = 0; start + gramLength <= padded.length; start++) {
      add(padded.slice(start, start + gramLength), 1)
    }
  }
  const length = Math.hypot(...vector)
  return Array.from(vector, (value) => value / length)
}

/** FNV-1a over UTF-16 code units, 32 bits, then mixed so that the low bits depend on all. */
const hashOf = (feature: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < feature.length; place++) {
    hash = Math.imul(hash ^ feature.charCodeAt(place), 0x01000193)
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
