/**
 * Writes the test vectors of receipts, `verifiers/vectors/`: one that verifies, one of a single
 * claim, and one whose claim was changed under a right signature. The key is public: it signs nothing
 * else.
 */
import { Option, Result } from "effect"
import { createPrivateKey } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HashChain from "../src/domain/audit/HashChain.ts"
import * as MerkleTree from "../src/domain/audit/MerkleTree.ts"
import { emptyPack } from "../src/domain/pack/GroundingPack.ts"
import type { CitedPack } from "../src/domain/summary/CitedPack.ts"
import { canonical } from "../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../src/infrastructure/Digest.ts"
import * as Ed25519 from "../src/infrastructure/signing/Ed25519.ts"

const seed = Buffer.alloc(32, 7)
const pem = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
  format: "der",
  type: "pkcs8"
}).export({ format: "pem", type: "pkcs8" }).toString()
const signer = Option.getOrThrow(Ed25519.privateKey(pem))
const digests = { sha256, canonical }
const at = "2026-01-02T03:04:05.678Z"
const streamId = "01900000-0000-7000-8000-000000000001"

const sealed = (payloadType: string, text: string): MerkleTree.Envelope => ({
  payloadType,
  payload: Buffer.from(text).toString("base64"),
  signatures: [{ keyid: signer.keyId, sig: signer.sign(payloadType, text) }]
})

const page = "Fares. A tram ride in Halvern costs 2.80 crowns – “day tickets” cost 7.\n한국어 🙂"
const quote = "A tram ride in Halvern costs 2.80 crowns"
const source = {
  url: "https://fares.example/",
  text_sha256: sha256(page)
}
const claim = (text: string, confidence: number) => ({
  text,
  wording: "verbatim" as const,
  sources: [{
    ...source,
    source_id: "s1",
    title: "Fares – Halvern",
    site: "fares.example",
    official: false,
    quotes: [{ text: quote, start: 7, end: 7 + quote.length, match: "exact" as const }]
  }],
  confidence,
  support: "supported" as const
})
const cited: CitedPack = {
  session_id: "s",
  request_id: "r",
  question: "What does a tram ride in Halvern cost?",
  mode: "grounded",
  pack: {
    ...emptyPack,
    key_points: [claim(`${quote}.`, 0.625), claim("한국어 🙂 “quoted”\u2028line", 0.5)],
    constraints_and_rules: [claim("Day tickets cost 7.", 1e-7)],
    confidence: 0.625
  },
  contexts: [],
  sources: [{
    ...source,
    reader: "web",
    read_at: at,
    found_by: [{ query: "Halvern tram fare", provider: "tavily", rank: 1 }]
  }],
  llm_context: ""
}

const event = (eventId: string, type: string, data: object) => ({
  eventId: `01900000-0000-7000-8000-0000000000${eventId}`,
  type,
  schemaVersion: 1,
  data: JSON.parse(JSON.stringify(data)),
  metadata: { actor: "test", causation_id: "r", correlation_id: "r" }
})

const events = Result.getOrThrow(HashChain.seal(
  digests,
  { streamId, version: 0, hash: HashChain.genesis(digests, streamId) },
  [
    event("02", "WEB_GROUNDING_REQUESTED", { request_id: "r" }),
    event("03", "WEB_GROUNDING_FINISHED", {
      outcome: { session_id: "s", request_id: "r", pack: cited.pack }
    })
  ],
  { recordedAt: at, salt: () => "00112233445566778899aabbccddeeff" }
))

/** Six events of the log: ours are the third and the fourth. */
const hashes = ["a", "b", ...events.map(({ hash }) => hash), "c", "d"]
  .map((hash) => hash.length === 1 ? sha256(hash) : hash)
/** Positions 4 to 9. */
const entries = hashes.map((hash, index) =>
  MerkleTree.entryOf({ position: BigInt(index + 4), tenantId: "t", sessionId: "s", hash })
)
const leaves = entries.map((entry) => MerkleTree.leaf(sha256, entry))
const anchor = sealed(
  MerkleTree.payloadType,
  Result.getOrThrow(canonical({
    log_id: hashes[0],
    tree_size: hashes.length,
    root_hash: MerkleTree.root(Ed25519.sha256OfHex, leaves),
    last_position: "9",
    at
  }))
)

const [requested, finished] = events
const place = 3

const receipt = (shown?: number): string =>
  requested === undefined || finished === undefined ? "" : Result.getOrThrow(
    MerkleTree.statementText(
      { ...digests, hash: Ed25519.sha256OfHex },
      {
        cited,
        streamId,
        event: { ...finished, ...finished.draft, recordedAt: at, position: 7n },
        previousHash: requested.hash,
        anchor,
        inclusion: {
          index: place,
          entry: entries[place] ?? "",
          proof: MerkleTree.inclusionProof(Ed25519.sha256OfHex, leaves, place)
        }
      },
      shown
    )
  )

const fileOf = (statement: string): string =>
  `${JSON.stringify(sealed(MerkleTree.receiptPayloadType, statement), undefined, 1)}\n`

/** Content by name. */
export const vectors: Readonly<Record<string, string>> = {
  "public.pem": signer.publicPem,
  "whole.json": fileOf(receipt()),
  "claim.json": fileOf(receipt(1)),
  "refused.json": fileOf(receipt().replace("costs 2.80 crowns.", "costs 9.80 crowns."))
}

export const folder = "verifiers/vectors"

if (import.meta.main) {
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(vectors)) writeFileSync(join(folder, name), content)
}
