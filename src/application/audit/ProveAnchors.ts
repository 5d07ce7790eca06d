/**
 * Proofs that the log of a later anchor begins with the log of an earlier one (RFC 6962): nothing
 * of what the earlier one covers was changed, taken out or put in. Nobody needs the log to verify
 * one.
 */
import { Effect, Schema, Stream } from "effect"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import { Digest } from "../ports/Digest.ts"
import { EventStore, LogPosition } from "../ports/EventStore.ts"
import { AnchorKeys } from "./AnchorKeys.ts"
import { AnchorLedger, type KeptAnchor } from "./AnchorLedger.ts"

/** Two signed anchors and the proof that the second tree extends the first. */
export interface ConsistencyProof {
  readonly before: MerkleTree.Envelope
  readonly after: MerkleTree.Envelope
  /** Hashes of RFC 6962, 2.1.2, lower-case hex. */
  readonly proof: ReadonlyArray<string>
}

/** `unknown`: no anchor covers that many events. `unsound`: the log is not as the anchors say. */
export class NotProven extends Schema.TaggedError<NotProven>()("NotProven", {
  reason: Schema.Literals(["unknown", "unsound"]),
  tree_size: Schema.Int
}) {
  override get message(): string {
    return this.reason === "unknown"
      ? `No anchor covers ${this.tree_size} events: see anchors list`
      : "The log is not as these anchors say: see verify --all"
  }
}

/**
 * Proof between two anchors, by the events that each covers; `afterSize` is the newest anchor's by
 * default. Reads the log between the two.
 */
export const prove = Effect.fn("ProveAnchors.prove")(
  function*(beforeSize: number, afterSize: number | undefined) {
    const ledger = yield* AnchorLedger
    const { hash } = yield* AnchorKeys
    const before = yield* anchorOf(beforeSize)
    const newest = yield* ledger.newest
    const after = afterSize === undefined && newest !== undefined
      ? newest
      : yield* anchorOf(afterSize ?? beforeSize)
    const [earlier, later] = [partOf(hash, before), partOf(hash, after)]
    const proof = yield* proofOf(before, after)
    const isProven = MerkleTree.continues(hash, { before: earlier, after: later, proof })
    if (!isProven) return yield* new NotProven({ reason: "unsound", tree_size: after.treeSize })
    return { before: before.envelope, after: after.envelope, proof }
  }
)

const anchorOf = Effect.fnUntraced(function*(size: number) {
  const { list } = yield* AnchorLedger
  const [anchor] = yield* list(size - 1, 1)
  return anchor?.treeSize === size
    ? anchor
    : yield* new NotProven({ reason: "unknown", tree_size: size })
})

const partOf = (hash: MerkleTree.Hash, { frontier, treeSize }: KeptAnchor) => ({
  size: treeSize,
  root: MerkleTree.rootOf(hash, frontier)
})

/** Hashes left of the earlier tree's end are its frontier; those right of it are read. */
const proofOf = Effect.fnUntraced(function*(before: KeptAnchor, after: KeptAnchor) {
  const store = yield* EventStore
  const { sha256 } = yield* Digest
  const { hash } = yield* AnchorKeys
  const size = before.treeSize
  const ranges = MerkleTree.consistencyRanges(size, after.treeSize)
  const right = MerkleTree.gather(
    hash,
    ranges.filter(({ start }) => start >= size)
      .map(({ end, start }) => ({ start: start - size, end: end - size }))
  )
  yield* Stream.runForEach(
    Stream.take(
      store.all(LogPosition.make(before.lastPosition)),
      Math.max(0, after.treeSize - size)
    ),
    (event) => Effect.sync(() => right.take(MerkleTree.leaf(sha256, MerkleTree.entryOf(event))))
  )
  const left = [...before.frontier.hashes]
  const later = [...right.roots()]
  return ranges.map(({ start }) => (start >= size ? later.shift() : left.pop()) ?? "")
})
