/**
 * Features of a text for the fitted gate: named ones of its structure, the same for every language,
 * and hashed character sequences and words.
 */
import * as GateWords from "./GateWords.ts"
import { shapeOf, type TextShape } from "./TextShape.ts"

/** How many hashed features there are. A model may fold them into fewer; all are powers of two. */
export const buckets = 2 ** 16

/** Code points at a text's start and end that the hashed features are made of. */
const startPointsMax = 300
const endPointsMax = 100

export interface GateFeatures {
  readonly shape: TextShape
  /** Indexes into `structureNames`, each at most once. */
  readonly structure: ReadonlyArray<number>
  /** Indexes below `buckets`, each at most once. */
  readonly hashed: ReadonlyArray<number>
}

/** Word fields for other uses: they are no features. */
const unsaid = new Set(["id", "court", "polite", "finance", "news", "changing", "settled"])
const fieldsSaid = GateWords.fields.filter((field) => !unsaid.has(field))

const fieldsOrdered = ["ask", "tell", "edit", "make", "play", "you", "me"] as const

/** Word fields about the world outside of the conversation. */
const worldly = ["law", "culture", "practice", "price", "time", "health", "verify"] as const

interface Facts {
  readonly shape: TextShape
  /** How many words of a field the text holds. */
  readonly said: (field: GateWords.WordField) => number
  readonly ordered: ReadonlySet<string>
  readonly world: number
}

type Test = readonly [name: string, holds: (facts: Facts) => boolean]

const words: ReadonlyArray<Test> = [
  ...fieldsSaid.map((field): Test => [`says ${field}`, ({ said }) => said(field) > 0]),
  ...fieldsOrdered.map((
    field
  ): Test => [`opens with ${field}`, ({ ordered }) => ordered.has(field)])
]

const form: ReadonlyArray<Test> = [
  ["asked", ({ shape }) => shape.isAsked],
  ["asked, not about the world", (facts) => facts.shape.isAsked && facts.world === 0],
  ["asked, about the world", ({ shape, world }) => shape.isAsked && world > 0],
  ["asks without a mark", ({ ordered, shape }) => !shape.isAsked && ordered.has("ask")],
  [
    "neither asks nor orders",
    ({ ordered, said, shape }) => !shape.isAsked && said("ask") === 0 && ordered.size === 0
  ],
  ["quoted material", ({ shape }) => shape.material === "quoted"],
  ["introduced material", ({ shape }) => shape.material === "introduced"],
  ["edits material", ({ said, shape }) => said("edit") > 0 && shape.material !== "none"],
  ["lines", ({ shape }) => shape.hasLines],
  ["code", ({ shape }) => shape.hasCode],
  ["operator", ({ shape }) => shape.operators > 0],
  ["one number", ({ shape }) => shape.numbers === 1],
  ["two numbers", ({ shape }) => shape.numbers === 2],
  ["more numbers", ({ shape }) => shape.numbers > 2],
  ["sum told", ({ said, shape, world }) => shape.numbers > 1 && said("much") > 0 && world < 2],
  [
    "sum ordered",
    ({ said, shape, world }) =>
      said("sums") > 0 && shape.numbers + said("number") > 1 && world === 0
  ],
  [
    "sum, world",
    ({ said, shape, world }) => said("sums") > 0 && shape.numbers + said("number") > 1 && world > 0
  ],
  ["numbers alone", ({ shape }) => shape.numbers > 1 && shape.length <= shape.numbers * 3],
  ["year", ({ shape }) => shape.years.length > 0],
  ["money", ({ shape }) => shape.hasMoney],
  ["no letters", ({ shape }) => !/\p{L}/u.test(shape.whole.plain)],
  ["one name", ({ shape }) => shape.names === 1],
  ["more names", ({ shape }) => shape.names > 1],
  ["greets", ({ shape }) => shape.greets],
  ["one or two words", ({ shape }) => shape.length <= 2],
  ["three to five words", ({ shape }) => shape.length > 2 && shape.length <= 5],
  ["six to ten words", ({ shape }) => shape.length > 5 && shape.length <= 10],
  ["over twenty words", ({ shape }) => shape.length > 20],
  ["more sentences", ({ shape }) => shape.sentences > 1],
  ["world once", ({ world }) => world === 1],
  ["world twice", ({ world }) => world === 2],
  ["world more", ({ world }) => world > 2]
]

const isOfNow = ({ said }: Facts): boolean =>
  (["time", "law", "price", "verify", "practice", "culture"] as const).some((field) =>
    said(field) > 0
  )

const together: ReadonlyArray<Test> = [
  ["makes a work", ({ said }) => said("make") > 0 && said("work") > 0],
  [
    "makes a work, not of now",
    (facts) => facts.said("make") > 0 && facts.said("work") > 0 && !isOfNow(facts)
  ],
  [
    "numbers in a story",
    ({ said, shape, world }) =>
      shape.numbers + said("number") > 1 && shape.years.length === 0 && shape.sentences > 1 &&
      world === 0 && (said("much") > 0 || shape.isAsked)
  ],
  [
    "story that ends in how many",
    ({ said, shape }) =>
      shape.isAsked && shape.sentences > 2 && said("much") > 0 &&
      shape.numbers + said("number") > 2 && shape.years.length === 0
  ]
]

const tests = [...words, ...form, ...together]

export const structureNames: ReadonlyArray<string> = tests.map(([name]) => name)

export const featuresOf = (text: string): GateFeatures => {
  const shape = shapeOf(text)
  const facts = factsOf(shape)
  return {
    shape,
    structure: tests.flatMap(([, holds], index) => holds(facts) ? [index] : []),
    hashed: hashedOf(shape)
  }
}

const factsOf = (shape: TextShape): Facts => {
  const counts = new Map(
    fieldsSaid.map((field) => [field, GateWords.count(shape.asking, shape.language, field)])
  )
  const said = (field: GateWords.WordField) => counts.get(field) ?? 0
  const ordered = fieldsOrdered.filter((field) =>
    GateWords.hasWord(shape.orders, shape.language, field)
  )
  const world = worldly.filter((field) => said(field) > 0).length
  return { shape, said, ordered: new Set(ordered), world }
}

const gramMin = 2
const gramMax = 5
const unspacedGramMin = 1
const unspacedGramMax = 4

/** Start and end are marked, so that a sequence there is another than within. */
const hashedOf = (shape: TextShape): ReadonlyArray<number> => {
  const isUnspaced = GateWords.isUnspaced(shape.language)
  const text = shape.asking.plain.replace(/\d+/g, "0").replace(/[\s?!.,;…。、，！？]+/gu, " ")
    .trim()
  const all = [...`^${text}$`]
  const points = all.length <= startPointsMax + endPointsMax
    ? all
    : [...all.slice(0, startPointsMax), " ", ...all.slice(-endPointsMax)]
  const codes = points.map((point) => point.codePointAt(0) ?? 0)
  const found = new Set<number>()
  const longest = isUnspaced ? unspacedGramMax : gramMax
  const shortest = isUnspaced ? unspacedGramMin : gramMin
  for (let start = 0; start < codes.length; start++) {
    const end = Math.min(start + longest, codes.length)
    let hash = gramSeed
    for (let at = start; at < end; at++) {
      hash = mixed(hash, codes[at] ?? 0)
      if (at - start + 1 >= shortest) found.add(bucketOf(hash))
    }
  }
  if (!isUnspaced) { for (const hash of wordHashes(points.join(""))) found.add(hash) }
  return [...found]
}

const wordHashes = (text: string): ReadonlyArray<number> => {
  const spoken = text.slice(1, -1).split(" ").filter((word) => word !== "")
  const hashes = spoken.map((word) =>
    [...word].reduce((hash, point) => mixed(hash, point.codePointAt(0) ?? 0), wordSeed)
  )
  return hashes.flatMap((hash, index) => {
    const next = hashes[index + 1]
    return next === undefined ? [bucketOf(hash)] : [bucketOf(hash), bucketOf(mixed(hash, next))]
  })
}

/** FNV-1a over code points. */
const gramSeed = 0x811c9dc5
const wordSeed = 0x2b1d4f63
const mixed = (hash: number, value: number): number =>
  Math.imul(Math.imul(hash ^ (value & 0xffff), 0x01000193) ^ (value >>> 16), 0x01000193) >>> 0
const bucketOf = (hash: number): number => ((hash ^ (hash >>> 15)) >>> 0) % buckets
