/**
 * A receipt: what one answer claims and quotes, with the proof that the log recorded it before an
 * anchor was signed. An in-toto statement; `docs/receipts.md` has the form.
 *
 * What a verifier hashes stands in it as text, so that nobody has to write canonical JSON again.
 */
import { Result, type Schema } from "effect"
import type { Claim, GroundingPack } from "../pack/GroundingPack.ts"
import type { CitedPack } from "../summary/CitedPack.ts"
import type { Envelope } from "./Anchor.ts"
import * as HashChain from "./HashChain.ts"
import * as MerkleTree from "./MerkleTree.ts"

/** Type of the signed bytes, as in-toto names it. */
export const payloadType = "application/vnd.in-toto+json"
const predicateType = "https://web-grounding.dev/receipt/v1"

const sections = [
  "key_points",
  "norms_and_expectations",
  "constraints_and_rules",
  "disputed_or_uncertain"
] as const

export interface Evidence {
  readonly cited: CitedPack
  readonly streamId: string
  /** Event that recorded the answer, with its position. `previousHash` is the hash it links to. */
  readonly event: HashChain.Link & { readonly position: bigint }
  readonly previousHash: string
  readonly anchor: Envelope
  /**
   * Proof that the anchor's tree includes the event, which has the 0-based `index`. `entry` is what
   * `Anchor.entryOf` gives.
   */
  readonly inclusion: {
    readonly index: number
    readonly entry: string
    readonly proof: ReadonlyArray<string>
  }
}

export interface Hashing extends HashChain.Digests {
  readonly hash: MerkleTree.Hash
}

/** How many claims a pack has, disputed ones too. */
export const claimsIn = (pack: GroundingPack): number => claimsOf(pack).length

/**
 * The statement's canonical text, or why a part has none. With `shown`, the number of one claim
 * from 0, the others and the event's payload are left out.
 */
export const statementText = (
  hashing: Hashing,
  evidence: Evidence,
  shown: number | undefined
): Result.Result<string, string> =>
  Result.gen(function*() {
    const { anchor, cited, event, inclusion, previousHash, streamId } = evidence
    const { canonical, hash, sha256 } = hashing
    const pack = yield* canonical(cited.pack)
    const metadata = yield* canonical(event.metadata)
    const data = yield* canonical(event.data)
    const entries: Array<string> = []
    for (const one of claimsOf(cited.pack)) entries.push(yield* canonical(entryOf(one, cited)))
    const leaves = entries.map((entry) => MerkleTree.leaf(sha256, entry))
    const claims = entries.flatMap((entry, index) =>
      shown === undefined || shown === index
        ? [{ index, entry, proof: MerkleTree.inclusionProof(hash, leaves, index) }]
        : []
    )
    return yield* canonical({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: "grounding-pack", digest: { sha256: sha256(pack) } }],
      predicateType,
      predicate: {
        session_id: cited.session_id,
        request_id: cited.request_id,
        claims_count: entries.length,
        claims_root: MerkleTree.root(hash, leaves),
        claims,
        event: {
          stream_id: streamId,
          version: event.version,
          event_id: event.eventId,
          type: event.type,
          schema_version: event.schemaVersion,
          recorded_at: event.recordedAt,
          position: String(event.position),
          metadata,
          previous_hash: previousHash,
          payload_digest: event.payloadDigest,
          hash: event.hash
        },
        ...(shown === undefined ? { payload: { salt: event.salt, data }, pack } : {}),
        inclusion,
        anchor
      }
    })
  })

interface Numbered {
  readonly section: typeof sections[number]
  /** Index of the claim in its section, from 0. */
  readonly place: number
  readonly claim: Claim
}

const claimsOf = (pack: GroundingPack): ReadonlyArray<Numbered> =>
  sections.flatMap((section) => pack[section].map((claim, place) => ({ section, place, claim })))

/** A claim as the pack has it, and where each of its sources came from. */
const entryOf = (one: Numbered, { sources }: CitedPack): Schema.Json | object => ({
  ...one,
  origins: sources.filter(({ text_sha256, url }) =>
    one.claim.sources.some((cited) => cited.url === url && cited.text_sha256 === text_sha256)
  )
})
