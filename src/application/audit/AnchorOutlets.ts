/** Outlets for anchors, out of reach of the database's administrator. */
import { Context, type Effect, Schema } from "effect"
import type { Envelope } from "../../domain/audit/MerkleTree.ts"

/** An anchor did not arrive outside. It is sent again with the next one. */
export class AnchorNotShipped extends Schema.TaggedError<AnchorNotShipped>()("AnchorNotShipped", {
  outlet: Schema.Literals(["ANCHOR_FILE", "ANCHOR_COMMAND"]),
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.outlet}: ${this.problem}`
  }
}

/** Ships anchors to the file and the command that are set. */
export class AnchorOutlets extends Context.Service<AnchorOutlets, {
  /** Whether there is any. */
  readonly isSet: boolean
  /**
   * Ships the anchor to each outlet, whatever fails of the others.
   * The same anchor may arrive twice.
   */
  readonly ship: (envelope: Envelope) => Effect.Effect<void, AnchorNotShipped>
  /** Lines of the file, as anchors; `undefined` for a line that is none. Absent: no file is set. */
  readonly recorded: Effect.Effect<
    ReadonlyArray<Envelope | undefined> | undefined,
    AnchorNotShipped
  >
}>()("web-grounding/application/audit/AnchorOutlets") {}
