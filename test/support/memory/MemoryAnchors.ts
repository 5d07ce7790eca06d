/** Anchors in memory, and a place outside that is a list. */
import { Effect, Layer, Option } from "effect"
import * as OutsideAnchors from "../../../src/adapters/anchors/OutsideAnchors.ts"
import {
  AnchorLedger,
  AnchorOutlets,
  type KeptAnchor,
  type PublicKey
} from "../../../src/application/audit/MakeAnchors.ts"
import type { Envelope } from "../../../src/domain/audit/MerkleTree.ts"

/** What a test may look at and change as the database's owner could. */
export interface Held {
  anchors: Array<KeptAnchor>
  keys: Array<PublicKey>
  turn: string | undefined
  file: Array<Envelope | undefined>
}

export const held = (): Held => ({ anchors: [], keys: [], turn: undefined, file: [] })

export const ledger = (state: Held) =>
  Layer.succeed(AnchorLedger, {
    list: (afterSize, limit) =>
      Effect.sync(() => state.anchors.filter((one) => one.treeSize > afterSize).slice(0, limit)),
    newest: Effect.sync(() => state.anchors.at(-1)),
    covering: (position, keyId) =>
      Effect.sync(() =>
        state.anchors.find(({ envelope, lastPosition }) =>
          lastPosition >= position && envelope.signatures.some(({ keyid }) => keyid === keyId)
        )
      ),
    before: (position) =>
      Effect.sync(() => state.anchors.findLast(({ lastPosition }) => lastPosition < position)),
    add: (anchor) =>
      Effect.sync(() => {
        if (state.anchors.some((one) => one.treeSize >= anchor.treeSize)) return false
        state.anchors.push(anchor)
        return true
      }),
    unshipped: (limit) =>
      Effect.sync(() => state.anchors.filter(({ isShipped }) => !isShipped).slice(0, limit)),
    markShipped: (treeSize) =>
      Effect.sync(() => {
        state.anchors = state.anchors.map((one) =>
          one.treeSize === treeSize ? { ...one, isShipped: true } : one
        )
      }),
    keys: Effect.sync(() => [...state.keys]),
    addKey: (key) =>
      Effect.sync(() => {
        if (!state.keys.some(({ keyId }) => keyId === key.keyId)) state.keys.push(key)
      }),
    claim: (owner) =>
      Effect.sync(() => {
        if (state.turn !== undefined) return false
        state.turn = owner
        return true
      }),
    release: (owner) =>
      Effect.sync(() => {
        if (state.turn === owner) state.turn = undefined
      })
  })

export const outlets = (state: Held) =>
  Layer.succeed(AnchorOutlets, {
    isSet: true,
    ship: (envelope) =>
      Effect.sync(() => {
        state.file.push(envelope)
      }),
    recorded: Effect.sync(() => [...state.file])
  })

/** No key, no anchor and no place outside. */
export const none = Layer.mergeAll(
  OutsideAnchors.layerSigningKey(Option.none()),
  Layer.suspend(() => ledger(held())),
  Layer.succeed(AnchorOutlets, {
    isSet: false,
    ship: () => Effect.void,
    recorded: Effect.succeed(undefined)
  })
)
