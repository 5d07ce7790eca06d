/** Proofs that the newest anchor covers events of the log, made in one reading of it. */
import { Context, Effect, Layer, Schema, Stream } from "effect"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import { EventStore, type EventStoreUnavailable, LogPosition } from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import { AnchorKeys, AnchorLedger, decodeStatement, type KeptAnchor } from "./MakeAnchors.ts"
import { LogRows } from "./VerifyLog.ts"

interface Covering {
  readonly envelope: MerkleTree.Envelope
  /** Events after it are not covered. */
  readonly lastPosition: bigint
  /** Proofs by position. A position that holds no event has none. */
  readonly proofs: (
    positions: ReadonlySet<bigint>
  ) => Effect.Effect<ReadonlyMap<bigint, InclusionProof>, EventStoreUnavailable>
}

/** 0-based index in the tree, and the audit path to the root (RFC 6962, 2.1.1), lower-case hex. */
interface InclusionProof {
  readonly index: number
  readonly hashes: ReadonlyArray<string>
}

export class InclusionProofs extends Context.Service<InclusionProofs, {
  readonly newest: Effect.Effect<Covering | undefined>
}>()("web-grounding/application/audit/InclusionProofs") {
  static readonly none = InclusionProofs.of({ newest: Effect.undefined })
}

export const layer = Layer.effect(
  InclusionProofs,
  Effect.gen(function*() {
    const ledger = yield* AnchorLedger
    const keys = yield* AnchorKeys
    const rows = yield* LogRows
    const digests = yield* Digest

    const newest = Effect.gen(function*() {
      const kept = yield* ledger.newest
      if (kept === undefined) return undefined
      const text = yield* keys.open(MerkleTree.payloadType, kept.envelope, yield* ledger.keys)
      const { last_position, tree_size } = yield* decodeStatement(text)
      const lastPosition = BigInt(last_position)
      return {
        envelope: kept.envelope,
        lastPosition,
        proofs: Effect.fnUntraced(function*(positions: ReadonlySet<bigint>) {
          const paths = pathsTo({ ...digests, hash: keys.hash }, positions, { size: tree_size })
          yield* Stream.runForEach(
            rows.places(lastPosition),
            (place) => Effect.sync(() => paths.take(place))
          )
          return paths.end()
        })
      }
    }).pipe(
      // An anchor that cannot be verified is left out of the export; `verify` reports it.
      Effect.catch((cause) =>
        Effect.as(Effect.logWarning("no anchor is exported", cause), undefined)
      )
    )

    return { newest }
  })
)

/** Paths of several leaves, from one reading of the log after a frontier. */
export const pathsTo = (
  { hash, sha256 }: Pick<Digest["Service"], "sha256"> & Pick<AnchorKeys["Service"], "hash">,
  positions: ReadonlySet<bigint>,
  { from = MerkleTree.emptyFrontier, size }: {
    readonly from?: MerkleTree.Frontier
    readonly size: number
  }
) => {
  const before = MerkleTree.grow(hash, from)
  const later = MerkleTree.gather(hash, from.size)
  const met = new Map<bigint, MerkleTree.Frontier>()
  return {
    take: (place: MerkleTree.LeafPosition): void => {
      const leaf = MerkleTree.leaf(sha256, MerkleTree.entryOf(place))
      later.take(leaf)
      if (positions.has(place.position)) {
        const left = before.frontier()
        met.set(place.position, left)
        later.want(MerkleTree.inclusionRanges(left.size, size))
      }
      before.take(leaf)
    },
    end: (): ReadonlyMap<bigint, InclusionProof> =>
      new Map(
        Array.from(met, ([position, left]) => {
          const hashes = later.proof(MerkleTree.inclusionRanges(left.size, size), left)
          return [position, { index: left.size, hashes }] as const
        })
      )
  }
}

// Proofs that a later anchor's log begins with an earlier one's (RFC 6962). Verifying one needs no
// log.

export interface ConsistencyProof {
  readonly before: MerkleTree.Envelope
  readonly after: MerkleTree.Envelope
  /** Hashes of RFC 6962, 2.1.2, lower-case hex. */
  readonly proof: ReadonlyArray<string>
}

/** `unknown`: no anchor covers that many events. `unsound`: the log contradicts the anchors. */
class NotProven extends Schema.TaggedError<NotProven>()("NotProven", {
  reason: Schema.Literals(["unknown", "unsound"]),
  tree_size: Schema.Int
}) {
  override get message(): string {
    return this.reason === "unknown"
      ? `No anchor covers ${this.tree_size} events: see anchors list`
      : "The log is not as these anchors say: see verify --all"
  }
}

/** Proof between two anchors; `afterSize` defaults to the newest. Reads the log between them. */
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
  const ranges = MerkleTree.consistencyRanges(before.treeSize, after.treeSize)
  const later = MerkleTree.gather(hash, before.treeSize)
  later.want(ranges)
  yield* Stream.runForEach(
    Stream.take(
      store.all(LogPosition.make(before.lastPosition)),
      Math.max(0, after.treeSize - before.treeSize)
    ),
    (event) => Effect.sync(() => later.take(MerkleTree.leaf(sha256, MerkleTree.entryOf(event))))
  )
  return later.proof(ranges, before.frontier)
})
