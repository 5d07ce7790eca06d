/**
 * Merkle tree of RFC 6962: one root over a growing list, proofs that an entry is in it, and proofs
 * that a later tree begins with an earlier one.
 *
 * Entries are text, hashes and proofs lower-case hex. A proof is a list of roots of ranges of
 * entries, so that a list is read once, in order, and never held: `gather` keeps one frontier a
 * range.
 *
 * ```ts
 * import { createHash } from "node:crypto"
 * import * as MerkleTree from "./MerkleTree.ts"
 *
 * const hash = (hex: string) => createHash("sha256").update(hex, "hex").digest("hex")
 * const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
 * const leaves = ["a", "b", "c"].map((entry) => MerkleTree.leaf(sha256, entry))
 * const [leaf = ""] = leaves
 * const given = {
 *   index: 0,
 *   size: 3,
 *   leaf,
 *   proof: MerkleTree.inclusionProof(hash, leaves, 0),
 *   root: MerkleTree.root(hash, leaves)
 * }
 * MerkleTree.includes(hash, given) // => true
 * MerkleTree.includes(hash, { ...given, index: 1 }) // => false
 * ```
 */

/** SHA-256 of the bytes that hex text stands for, lower-case hex. */
export type Hash = (hex: string) => string

/** Entries from `start`, without `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Roots of the full subtrees that a list falls into, largest first; logarithmic in its length. */
export interface Frontier {
  readonly size: number
  readonly hashes: ReadonlyArray<string>
}

/** Leaf hash of a text entry. `sha256` hashes the UTF-8 bytes of a text to lower-case hex. */
export const leaf = (sha256: (text: string) => string, entry: string): string =>
  sha256(`\0${entry}`)

const node = (hash: Hash, left: string, right: string): string => hash(`01${left}${right}`)

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

/** Takes leaves after a frontier. Two subtrees of a size become one of twice that. */
export const grow = (hash: Hash, from: Frontier = emptyFrontier) => {
  const hashes = [...from.hashes]
  let size = from.size
  return {
    take: (leafHash: string): void => {
      let last = leafHash
      for (let full = size; full % 2 === 1; full = Math.floor(full / 2)) {
        last = node(hash, hashes.pop() ?? "", last)
      }
      hashes.push(last)
      size += 1
    },
    frontier: (): Frontier => ({ size, hashes: [...hashes] })
  }
}

/** Root hash of a frontier. A tree without entries has the hash of nothing. */
export const rootOf = (hash: Hash, { hashes }: Frontier): string => {
  const [smallest, ...larger] = [...hashes].reverse()
  return smallest === undefined
    ? hash("")
    : larger.reduce((right, left) => node(hash, left, right), smallest)
}

/** Root hash of a tree with these leaf hashes. */
export const root = (hash: Hash, leaves: ReadonlyArray<string>): string => {
  const tree = grow(hash)
  leaves.forEach(tree.take)
  return rootOf(hash, tree.frontier())
}

/** Ranges whose roots prove the entry at `index` of `size` entries, nearest first. */
export const inclusionRanges = (index: number, size: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    found.push(index < middle ? { start: middle, end } : { start, end: middle })
    if (index < middle) end = middle
    else start = middle
  }
  return found.reverse()
}

/**
 * Ranges whose roots prove that the tree of `size` begins with that of `before`, nearest first.
 * Those in the earlier tree are of its frontier.
 */
export const consistencyRanges = (before: number, size: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  let start = 0
  let end = size
  if (before < 1 || before >= size) return []
  while (end !== before) {
    const middle = start + splitOf(end - start)
    const goesLeft = before <= middle
    found.push(goesLeft ? { start: middle, end } : { start, end: middle })
    if (goesLeft) end = middle
    else start = middle
  }
  // A first part that is a subtree of its own is known to whoever knows the earlier root.
  if (start > 0) found.push({ start, end })
  return found.reverse()
}

/** Largest power of two below `size`, which is 2 or more. */
const splitOf = (size: number): number => {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** Collector of the roots of some ranges of a list, to which the leaves are given in order. */
export const gather = (hash: Hash, ranges: ReadonlyArray<Range>) => {
  const trees = ranges.map(() => grow(hash))
  let index = 0
  return {
    take: (leafHash: string): void => {
      ranges.forEach(({ end, start }, place) => {
        if (index >= start && index < end) trees[place]?.take(leafHash)
      })
      index += 1
    },
    /** Root hashes in the order of the ranges. Complete once every leaf was taken. */
    roots: (): ReadonlyArray<string> => trees.map((tree) => rootOf(hash, tree.frontier()))
  }
}

export const inclusionProof = (
  hash: Hash,
  leaves: ReadonlyArray<string>,
  index: number
): ReadonlyArray<string> =>
  inclusionRanges(index, leaves.length)
    .map(({ end, start }) => root(hash, leaves.slice(start, end)))

export interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf: string
  readonly proof: ReadonlyArray<string>
  readonly root: string
}

/** Whether the proof leads from the leaf to the root (RFC 9162, 2.1.3.2). */
export const includes = (hash: Hash, given: Inclusion): boolean => {
  const { index, proof, size } = given
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return false
  if (index < 0 || index >= size) return false
  let at = index
  let last = size - 1
  let reached = given.leaf
  for (const step of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      reached = node(hash, step, reached)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else {
      reached = node(hash, reached, step)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && reached === given.root
}

export interface Consistency {
  readonly before: { readonly size: number; readonly root: string }
  readonly after: { readonly size: number; readonly root: string }
  readonly proof: ReadonlyArray<string>
}

/** Whether the later tree begins with the earlier one (RFC 9162, 2.1.4.2). */
export const continues = (hash: Hash, { after, before, proof }: Consistency): boolean => {
  if (!Number.isSafeInteger(before.size) || !Number.isSafeInteger(after.size)) return false
  if (before.size < 0 || before.size > after.size) return false
  if (before.size === after.size) return proof.length === 0 && before.root === after.root
  if (before.size === 0) return proof.length === 0 && before.root === hash("")
  let at = before.size - 1
  let last = after.size - 1
  while (at % 2 === 1) {
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  const [first, ...steps] = at === 0 ? [before.root, ...proof] : proof
  if (first === undefined) return false
  let [earlier, later] = [first, first]
  for (const step of steps) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      earlier = node(hash, step, earlier)
      later = node(hash, step, later)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else {
      later = node(hash, later, step)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && earlier === before.root && later === after.root
}
