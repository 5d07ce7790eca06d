/** The log as it stands, held against the anchors over it while it is read once. */
import { type AnchorFault, type AnchorStatement, entryOf, type Place } from "./Anchor.ts"
import * as MerkleTree from "./MerkleTree.ts"

export interface Hashing {
  readonly hash: MerkleTree.Hash
  /** SHA-256 of a text's UTF-8 bytes, lower-case hex. */
  readonly sha256: (text: string) => string
}

/** Anchors once each, smallest tree first; and those that contradict one before. */
export const ordered = (statements: ReadonlyArray<AnchorStatement>) => {
  const anchors: Array<AnchorStatement> = []
  const faults: Array<AnchorFault> = []
  for (const one of statements.toSorted((a, b) => a.tree_size - b.tree_size)) {
    const before = anchors.at(-1)
    if (before !== undefined && isSame(before, one)) continue
    const fits = before === undefined || (
      before.log_id === one.log_id && before.tree_size < one.tree_size &&
      BigInt(before.last_position) < BigInt(one.last_position)
    )
    if (fits) anchors.push(one)
    else faults.push({ kind: "forked", tree_size: one.tree_size })
  }
  return { anchors, faults }
}

/** Anchors of `some` that are not among `others`. */
export const missingAnchors = (
  some: ReadonlyArray<AnchorStatement>,
  others: ReadonlyArray<AnchorStatement>,
  kind: "anchor_removed" | "not_outside"
): ReadonlyArray<AnchorFault> => {
  const there = new Set(others.map(keyOf))
  const missing = some.filter((one) => !there.has(keyOf(one)))
  return [...new Map(missing.map((one) => [keyOf(one), one])).values()]
    .map(({ tree_size }) => ({ kind, tree_size }))
}

const keyOf = ({ last_position, log_id, root_hash, tree_size }: AnchorStatement): string =>
  [log_id, tree_size, root_hash, last_position].join(" ")

const isSame = (one: AnchorStatement, other: AnchorStatement): boolean =>
  keyOf(one) === keyOf(other)

/** Takes every event in the order of the log. `anchors` as `ordered` gives them. */
export const start = (
  { hash, sha256 }: Hashing,
  anchors: ReadonlyArray<AnchorStatement>
) => {
  const faults: Array<AnchorFault> = []
  const tree = MerkleTree.grow(hash)
  let lastPosition = 0n
  let place = 0
  let counted = 0
  let logId: string | undefined
  /** Once the tree is another one, the roots of all larger ones differ and say nothing new. */
  let differs = false

  const close = (anchor: AnchorStatement, isEnd: boolean): void => {
    const before = anchors[place - 1]
    const expected = anchor.tree_size - (before?.tree_size ?? 0)
    const startPosition = BigInt(before?.last_position ?? "0")
    const kind = faultOf(anchor, expected, isEnd)
    if (kind !== undefined) {
      faults.push({
        kind,
        tree_size: anchor.tree_size,
        after_position: String(
          kind === "truncated" && lastPosition > startPosition ? lastPosition : startPosition
        ),
        until_position: anchor.last_position
      })
    }
    place += 1
    counted = 0
  }

  const faultOf = (
    { last_position, root_hash }: AnchorStatement,
    expected: number,
    isEnd: boolean
  ): AnchorFault["kind"] | undefined => {
    const isOther = MerkleTree.rootOf(hash, tree.frontier()) !== root_hash ||
      lastPosition !== BigInt(last_position)
    const isNews = isOther && !differs
    differs = differs || isOther
    if (counted > expected) return "resurrected"
    if (counted < expected) {
      return isEnd && lastPosition < BigInt(last_position) ? "truncated" : "removed"
    }
    return isNews ? "rewritten" : undefined
  }

  const closeBefore = (position: bigint): void => {
    for (let next = anchors[place]; next !== undefined; next = anchors[place]) {
      if (BigInt(next.last_position) >= position) return
      close(next, false)
    }
  }

  return {
    take: (event: Place): void => {
      closeBefore(event.position)
      tree.take(MerkleTree.leaf(sha256, entryOf(event)))
      lastPosition = event.position
      counted += 1
      logId = logId ?? event.hash
    },
    /** `log`: what an anchor of all that was taken would say; none of nothing. */
    end: () => {
      for (let next = anchors[place]; next !== undefined; next = anchors[place]) close(next, true)
      const frontier = tree.frontier()
      const log = logId === undefined ? undefined : {
        log_id: logId,
        tree_size: frontier.size,
        root_hash: MerkleTree.rootOf(hash, frontier),
        last_position: String(lastPosition)
      }
      return { log, faults }
    }
  }
}
