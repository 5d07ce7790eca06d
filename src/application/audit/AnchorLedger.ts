/** The anchors that were made, beside the log, and the public keys that signed them. */
import { Context, type Effect, Schema } from "effect"
import type { Envelope, Frontier } from "../../domain/audit/MerkleTree.ts"
import type { PublicKey } from "./AnchorKeys.ts"

/** The table of anchors could not be read or written. May be tried again. */
export class AnchorsUnavailable
  extends Schema.TaggedError<AnchorsUnavailable>()("AnchorsUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{
  override get message(): string {
    return `The anchors could not be reached: ${this.operation}`
  }
}

/** A signed anchor as the database keeps it, with the state from which the next one is computed. */
export interface KeptAnchor {
  readonly treeSize: number
  readonly lastPosition: bigint
  /** Frontier of the tree that the anchor signs: the next one goes on from it. */
  readonly frontier: Frontier
  readonly envelope: Envelope
  /** Whether it was put outside the database. */
  readonly isShipped: boolean
}

/** Table of the anchors, ordered by the size of the tree that they sign. */
export class AnchorLedger extends Context.Service<AnchorLedger, {
  /** Oldest first, at most `limit`, of trees larger than `afterSize`. */
  readonly list: (
    afterSize: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptAnchor>, AnchorsUnavailable>
  readonly newest: Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** The oldest that this key signed and that covers the position. */
  readonly covering: (
    position: bigint,
    keyId: string
  ) => Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** The newest that does not cover the position. */
  readonly before: (position: bigint) => Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** Whether it was added: not where an anchor of its size or a larger one stands. */
  readonly add: (anchor: KeptAnchor) => Effect.Effect<boolean, AnchorsUnavailable>
  /** Oldest first, at most `limit`. */
  readonly unshipped: (
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptAnchor>, AnchorsUnavailable>
  readonly markShipped: (treeSize: number) => Effect.Effect<void, AnchorsUnavailable>
  /** Every key that has signed here. */
  readonly keys: Effect.Effect<ReadonlyArray<PublicKey>, AnchorsUnavailable>
  /** Does nothing where the key is known. */
  readonly addKey: (key: PublicKey) => Effect.Effect<void, AnchorsUnavailable>
  /** Takes the one turn at making anchors for so long, unless another owner has it. */
  readonly claim: (
    owner: string,
    turnMs: number
  ) => Effect.Effect<boolean, AnchorsUnavailable>
  readonly release: (owner: string) => Effect.Effect<void, AnchorsUnavailable>
}>()("web-grounding/application/audit/AnchorLedger") {}
