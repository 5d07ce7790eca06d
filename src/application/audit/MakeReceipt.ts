/** Makes the receipt of an answer: its claims, and the proof that an anchor covers its record. */
import { Context, Effect, Layer, Result, Stream } from "effect"
import { PackNotFound, ReceiptUnavailable, SessionErased } from "../../contract/PublicFailure.ts"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import * as CitedPack from "../../domain/summary/CitedPack.ts"
import * as SessionLog from "../log/SessionLog.ts"
import { EventStore, LogPosition, type StreamHistory, type StreamRef } from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import { pathsTo } from "./InclusionProofs.ts"
import { AnchorKeys, AnchorLedger, decodeStatement, type PublicKey } from "./MakeAnchors.ts"

const make = Effect.gen(function*() {
  const store = yield* EventStore
  const keys = yield* AnchorKeys
  const ledger = yield* AnchorLedger
  const digests = yield* Digest

  const covering = Effect.fnUntraced(function*(position: bigint, key: PublicKey) {
    const covering = yield* ledger.covering(position, key.keyId)
    if (covering === undefined) {
      return yield* new ReceiptUnavailable({ reason: "not_anchored" })
    }
    const { envelope } = covering
    const statement = yield* keys.open(MerkleTree.payloadType, envelope, [key]).pipe(
      Effect.flatMap(decodeStatement),
      Effect.mapError(() => new ReceiptUnavailable({ reason: "anchor_unsound" }))
    )
    return { envelope, statement }
  })

  const included = Effect.fnUntraced(
    function*(place: MerkleTree.LeafPosition, statement: MerkleTree.AnchorStatement) {
      const { root_hash: root, tree_size: size } = statement
      const hashing = { ...digests, hash: keys.hash }
      // A wrong frontier cannot pass: the proof must lead to the root.
      const before = yield* ledger.before(place.position)
      const from = before?.frontier ?? MerkleTree.emptyFrontier
      const paths = pathsTo(hashing, new Set([place.position]), { from, size })
      yield* Stream.runForEach(
        Stream.take(
          store.all(LogPosition.make(before?.lastPosition ?? 0n)),
          Math.max(0, size - from.size)
        ),
        (event) => Effect.sync(() => paths.take(event))
      )
      const { hashes: proof = [], index = -1 } = paths.end().get(place.position) ?? {}
      const entry = MerkleTree.entryOf(place)
      const leaf = MerkleTree.leaf(digests.sha256, entry)
      const isSound = MerkleTree.includes(keys.hash, { index, size, leaf, proof, root })
      if (!isSound) return yield* new ReceiptUnavailable({ reason: "anchor_unsound" })
      return { index, entry, proof }
    }
  )

  /**
   * Fails with `ReceiptUnavailable` while no anchor covers the answer. `claim`: number, from 1, of
   * the only claim shown; none: all.
   */
  const receipt = Effect.fn("MakeReceipt.receipt")(
    function*(ref: StreamRef, requestId: string, claim: number | undefined) {
      const key = yield* Effect.mapError(
        Effect.fromOption(keys.current),
        () => new ReceiptUnavailable({ reason: "no_key" })
      )
      const history = yield* store.read(ref)
      if (history.events.some(({ salt }) => salt === null)) {
        return yield* new SessionErased({ session_id: ref.session_id })
      }
      const index = history.events.findIndex(({ metadata, type }) =>
        type === "WEB_GROUNDING_FINISHED" && metadata.correlation_id === requestId
      )
      const event = history.events[index]
      const previous = history.events[index - 1]
      const cited = yield* citedOf(ref, requestId, history)
      if (event === undefined || previous === undefined || cited === undefined) {
        return yield* new PackNotFound({ session_id: ref.session_id, request_id: requestId })
      }
      const shown = claim === undefined ? undefined : claim - 1
      if (shown !== undefined && (shown < 0 || shown >= MerkleTree.claimsIn(cited.pack))) {
        return yield* new ReceiptUnavailable({ reason: "no_such_claim" })
      }
      const { envelope, statement } = yield* covering(event.position, key)
      const inclusion = yield* included({
        position: event.position,
        tenantId: ref.tenant_id,
        sessionId: ref.session_id,
        hash: event.hash
      }, statement)
      const text = MerkleTree.statementText({ ...digests, hash: keys.hash }, {
        cited,
        streamId: event.streamId,
        event,
        previousHash: previous.hash,
        anchor: envelope,
        inclusion
      }, shown)
      // Every part was recorded, so that each has canonical text.
      return yield* Effect.mapError(
        keys.seal(MerkleTree.receiptPayloadType, Result.getOrThrow(text)),
        () => new ReceiptUnavailable({ reason: "no_key" })
      )
    }
  )

  return { receipt }
})

export class MakeReceipt extends Context.Service<MakeReceipt, Effect.Success<typeof make>>()(
  "web-grounding/application/audit/MakeReceipt"
) {}

export const layer = Layer.effect(MakeReceipt, make)

const citedOf = Effect.fnUntraced(function*(
  { session_id }: StreamRef,
  requestId: string,
  { events }: StreamHistory
) {
  let progress: CitedPack.Progress | undefined
  for (const stored of events) {
    if (stored.metadata.correlation_id !== requestId) continue
    const event = yield* SessionLog.codec.decode(stored)
    progress = CitedPack.evolve(progress, event, {
      sessionId: session_id,
      recordedAt: stored.recordedAt
    })
  }
  return progress?._tag === "Cited" ? progress.cited : undefined
})
