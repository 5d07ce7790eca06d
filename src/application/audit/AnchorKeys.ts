/** The key that signs anchors and receipts, and the check of what it or a former one signed. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { Envelope, Hash } from "../../domain/audit/MerkleTree.ts"

/** No key is set. An operator sets one; nothing is retried. */
export class AnchorKeyMissing
  extends Schema.TaggedError<AnchorKeyMissing>()("AnchorKeyMissing", {})
{
  override get message(): string {
    return "No key signs anchors: set ANCHOR_KEY or ANCHOR_KEY_FILE to an Ed25519 key " +
      "(openssl genpkey -algorithm ed25519)"
  }
}

/** Public half of an Ed25519 key, by which anyone verifies an anchor or a receipt. */
export interface PublicKey {
  /** SHA-256 of the key as DER (SPKI), lower-case hex. */
  readonly keyId: string
  /** SPKI, PEM. */
  readonly pem: string
}

/** Signs texts and opens signed ones. The private key never leaves it. */
export class AnchorKeys extends Context.Service<AnchorKeys, {
  /** Public key of the key that signs. None: no key is set. */
  readonly current: Option.Option<PublicKey>
  /** Signs a text under its type, as DSSE says. */
  readonly seal: (payloadType: string, text: string) => Effect.Effect<Envelope, AnchorKeyMissing>
  /**
   * The signed text. `unknown_key`: none of these signed it. `bad_signature`: one is named, and did
   * not sign these bytes. `unreadable`: of another type, or not text.
   */
  readonly open: (
    payloadType: string,
    envelope: Envelope,
    known: ReadonlyArray<PublicKey>
  ) => Effect.Effect<string, "unknown_key" | "bad_signature" | "unreadable">
  readonly hash: Hash
}>()("web-grounding/application/audit/AnchorKeys") {}
