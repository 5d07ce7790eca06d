/** Receipts are proven between two anchors, wherever the answer is among them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import * as MakeReceipt from "../../src/application/audit/MakeReceipt.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as MerkleTree from "../../src/domain/audit/MerkleTree.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { sha256OfHex } from "../../src/infrastructure/signing/Ed25519.ts"
import { anchoring, newKey } from "../support/anchoredLog.ts"
import { attempt } from "../support/attempts.ts"
import { grounded, subjects, write } from "../support/dashboardHistory.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const [subject] = subjects

const answered = (session_id: string) => {
  if (subject === undefined) return Effect.die("there is no subject")
  const of = { session_id, request_id: "r", atMs: 0 }
  const events = grounded(subject, of, [attempt({})])
  return write([{ sessionId: session_id, atMs: 0, events }], "t")
}

const world = () => {
  const held = MemoryAnchors.held()
  const key = newKey()
  const anchored = MakeReceipt.layer.pipe(Layer.provideMerge(anchoring(held, key)))
  return { held, layer: anchored.pipe(Layer.provideMerge(MemoryEventStore.layer)) }
}

const ref = (session_id: string) => ({ tenant_id: "t", session_id })

const read = (payload: string) => JSON.parse(Buffer.from(payload, "base64").toString())

const made = Effect.fnUntraced(function*(session: string) {
  const { receipt } = yield* MakeReceipt.MakeReceipt
  const { payload } = yield* receipt(ref(session), "r", undefined)
  const { anchor, event, inclusion } = read(payload).predicate
  return { anchor: read(anchor.payload), event, inclusion }
})

const reason = (session: string) =>
  Effect.gen(function*() {
    const { receipt } = yield* MakeReceipt.MakeReceipt
    const failure = yield* Effect.flip(receipt(ref(session), "r", undefined))
    return failure._tag === "ReceiptUnavailable" ? failure.reason : failure._tag
  })

describe("a receipt", () => {
  it.effect("is of the first anchor after the answer, and reads what is between two", () => {
    const { layer } = world()
    return Effect.gen(function*() {
      const { make } = yield* MakeAnchors
      const sizes: Array<number> = []
      for (const session of ["a", "b", "c", "d"]) {
        yield* answered(session)
        sizes.push(Option.getOrThrow((yield* make).anchor).tree_size)
      }
      for (const [place, session] of ["a", "b", "c", "d"].entries()) {
        const { anchor, event, inclusion } = yield* made(session)
        assert.strictEqual(anchor.tree_size, sizes[place])
        const entry = JSON.stringify([event.position, "t", session, event.hash])
        assert.strictEqual(inclusion.entry, entry)
        assert.isTrue(MerkleTree.includes(sha256OfHex, {
          index: inclusion.index,
          size: anchor.tree_size,
          leaf: sha256(`\0${entry}`),
          proof: inclusion.proof,
          root: anchor.root_hash
        }))
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("is refused where no anchor covers it, or what is kept of one does not fit", () => {
    const { held, layer } = world()
    return Effect.gen(function*() {
      const { make } = yield* MakeAnchors
      yield* answered("a")
      assert.strictEqual(yield* reason("a"), "not_anchored")
      yield* make
      yield* answered("b")
      assert.strictEqual(yield* reason("b"), "not_anchored")
      yield* make
      yield* made("b")
      const [first, second] = held.anchors
      if (first === undefined || second === undefined) return assert.fail("two anchors")
      held.anchors = [{ ...first, frontier: { ...first.frontier, hashes: [] } }, second]
      assert.strictEqual(yield* reason("b"), "anchor_unsound")
      held.anchors = [first, {
        ...second,
        envelope: { ...second.envelope, payload: first.envelope.payload }
      }]
      assert.strictEqual(yield* reason("b"), "anchor_unsound")
      assert.strictEqual(yield* reason("nobody"), "PackNotFound")
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits for an anchor of the new key after the key was changed", () => {
    const { held, layer } = world()
    return Effect.gen(function*() {
      const store = yield* EventStore
      yield* answered("a")
      yield* (yield* MakeAnchors).make
      const next = MakeReceipt.layer.pipe(
        Layer.provideMerge(anchoring(held, newKey())),
        Layer.provide(Layer.succeed(EventStore, store))
      )
      yield* Effect.gen(function*() {
        assert.strictEqual(yield* reason("a"), "not_anchored")
        yield* answered("b")
        yield* (yield* MakeAnchors).make
        yield* made("a")
        yield* made("b")
      }).pipe(Effect.provide(Layer.fresh(next)), Effect.provideService(EventStore, store))
    }).pipe(Effect.provide(layer))
  })
})
