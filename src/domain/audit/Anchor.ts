/**
 * An anchor: a signed statement of how the whole log stood, kept where the database's administrator
 * cannot write. Its tree has an entry for every event, in the order of the log: an anchor shows
 * what the chains of single streams cannot, an end that was cut off together with its head, a
 * stream that was removed whole, another tenant, session or position.
 */
import { Schema } from "effect"

/** A DSSE envelope: the bytes that were signed, and who signed them. */
export const Envelope = Schema.Struct({
  payloadType: Schema.String,
  /** Base64 of the signed bytes. */
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({
    /** SHA-256 of the public key as DER (SPKI), lower-case hex. */
    keyid: Schema.String,
    /** Base64 of an Ed25519 signature. */
    sig: Schema.String
  }))
})
export type Envelope = typeof Envelope.Type

/** Type of the signed bytes of an anchor, so that they pass for nothing else. */
export const payloadType = "application/vnd.web-grounding.anchor+json"

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

export const AnchorStatement = Schema.Struct({
  /** Hash of the log's first event: another log has another. */
  log_id: Sha256,
  /** Events from the log's beginning. */
  tree_size: Schema.Int.check(Schema.isGreaterThan(0)),
  /** Root hash of the Merkle tree over all of them (RFC 6962). */
  root_hash: Sha256,
  /** Position of the last of them in the log, as decimal digits. */
  last_position: Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,18}$/)),
  /** Time at which it was made, by the log's clock; ISO 8601 UTC. */
  at: Schema.String
})
export type AnchorStatement = typeof AnchorStatement.Type

/** Fields of an event that are hashed into an anchor's tree. */
export interface Place {
  readonly position: bigint
  readonly tenantId: string
  /** Absent where the stream's row is. */
  readonly sessionId: string | undefined
  readonly hash: string
}

/** The entry of an event: JSON of position, tenant, session and hash. */
export const entryOf = ({ hash, position, sessionId, tenantId }: Place): string =>
  JSON.stringify([String(position), tenantId, sessionId ?? null, hash])

/**
 * Fault of the log between two anchors, or of the anchors themselves.
 * - `truncated`: the log ends before events that were anchored.
 * - `removed`: fewer events stand there than were anchored, and later ones follow.
 * - `resurrected`: more events stand there than were anchored.
 * - `rewritten`: as many, and not the same.
 * - `bad_signature`, `unknown_key`, `unreadable`: an anchor that nothing can be held against.
 * - `forked`: two anchors of one size that differ, or of another log, or that go back.
 * - `anchor_removed`: it stands outside, and the database lacks it.
 * - `not_outside`: it was shipped, and the file lacks it.
 */
export const AnchorFault = Schema.Struct({
  kind: Schema.Literals([
    "truncated",
    "removed",
    "resurrected",
    "rewritten",
    "bad_signature",
    "unknown_key",
    "unreadable",
    "forked",
    "anchor_removed",
    "not_outside"
  ]),
  /** Tree size of the anchor that shows the fault. Absent where none can be read. */
  tree_size: Schema.optionalKey(Schema.Int),
  /** Position in the log: the fault lies after this event, and not after `until_position`. */
  after_position: Schema.optionalKey(Schema.String),
  until_position: Schema.optionalKey(Schema.String),
  /** Line of the file, from 1. */
  line: Schema.optionalKey(Schema.Int)
})
export type AnchorFault = typeof AnchorFault.Type
