/**
 * Merkle tree of RFC 6962: one root over a growing list, proofs that an entry is in it, and proofs
 * that a later tree begins with an earlier one.
 *
 * Entries are texts; hashes are lower-case hex. A proof is the roots of some ranges of entries.
 * `gather` reads the list once, in order, and holds one frontier for each range instead of it.
 *
 * ```ts
 * import { createHash } from "node:crypto"
 * import * as MerkleTree from "./MerkleTree.ts"
 *
 * const hash = (hex: string) => createHash("sha256").update(hex, "hex").digest("hex")
 * const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
 * const leaves = ["a", "b", "c"].map((entry) => MerkleTree.leaf(sha256, entry))
 * const [leaf = ""] = leaves
 * const given = {
 *   index: 0,
 *   size: 3,
 *   leaf,
 *   proof: MerkleTree.inclusionProof(hash, leaves, 0),
 *   root: MerkleTree.root(hash, leaves)
 * }
 * MerkleTree.includes(hash, given) // => true
 * MerkleTree.includes(hash, { ...given, index: 1 }) // => false
 * ```
 */
import { Result, Schema } from "effect"
import { type Claim, type GroundingPack, sections } from "../pack/GroundingPack.ts"
import type { CitedPack } from "../summary/CitedPack.ts"
import * as HashChain from "./HashChain.ts"

/** SHA-256 of the bytes in a hex text, lower-case hex. */
export type Hash = (hex: string) => string

/** Entries from `start`, without `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Roots of a list's full subtrees, largest first; logarithmic in its length. */
export interface Frontier {
  readonly size: number
  readonly hashes: ReadonlyArray<string>
}

/** Leaf hash of a text entry. `sha256` hashes the UTF-8 bytes of a text to lower-case hex. */
export const leaf = (sha256: (text: string) => string, entry: string): string =>
  sha256(`\0${entry}`)

const node = (hash: Hash, left: string, right: string): string => hash(`01${left}${right}`)

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

/** Takes leaves after a frontier. Two subtrees of a size become one of twice that. */
export const grow = (hash: Hash, from: Frontier = emptyFrontier) => {
  const hashes = [...from.hashes]
  let size = from.size
  return {
    take: (leafHash: string): void => {
      let last = leafHash
      for (let full = size; full % 2 === 1; full = Math.floor(full / 2)) {
        last = node(hash, hashes.pop() ?? "", last)
      }
      hashes.push(last)
      size += 1
    },
    frontier: (): Frontier => ({ size, hashes: [...hashes] })
  }
}

/** Root hash of a frontier. A tree without entries has the hash of nothing. */
export const rootOf = (hash: Hash, { hashes }: Frontier): string => {
  const [smallest, ...larger] = [...hashes].reverse()
  return smallest === undefined
    ? hash("")
    : larger.reduce((right, left) => node(hash, left, right), smallest)
}

export const root = (hash: Hash, leaves: ReadonlyArray<string>): string => {
  const tree = grow(hash)
  leaves.forEach(tree.take)
  return rootOf(hash, tree.frontier())
}

/** Ranges whose roots prove the entry at `index` of `size` entries, nearest first. */
export const inclusionRanges = (index: number, size: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    found.push(index < middle ? { start: middle, end } : { start, end: middle })
    if (index < middle) end = middle
    else start = middle
  }
  return found.reverse()
}

/**
 * Ranges whose roots prove that the tree of `size` begins with that of `before`, nearest first.
 * Those in the earlier tree are of its frontier.
 */
export const consistencyRanges = (before: number, size: number): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  let start = 0
  let end = size
  if (before < 1 || before >= size) return []
  while (end !== before) {
    const middle = start + splitOf(end - start)
    const goesLeft = before <= middle
    found.push(goesLeft ? { start: middle, end } : { start, end: middle })
    if (goesLeft) end = middle
    else start = middle
  }
  // A first part that is a full subtree has a root known from the earlier tree.
  if (start > 0) found.push({ start, end })
  return found.reverse()
}

/** Largest power of two below `size`, which is 2 or more. */
const splitOf = (size: number): number => {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** Computes the roots of wanted ranges from the leaves after a frontier of `size`. */
export const gather = (hash: Hash, size = 0) => {
  const trees = new Map<string, { range: Range; tree: ReturnType<typeof grow> }>()
  let index = size
  return {
    /** Those that begin later, each once; the others are in the frontier. */
    want: (ranges: ReadonlyArray<Range>): void => {
      for (const range of ranges) {
        if (range.start < index || trees.has(keyOf(range))) continue
        trees.set(keyOf(range), { range, tree: grow(hash) })
      }
    },
    take: (leafHash: string): void => {
      for (const { range, tree } of trees.values()) {
        if (index >= range.start && index < range.end) tree.take(leafHash)
      }
      index += 1
    },
    /** Complete once every leaf was taken. `frontier` is of the leaves left of the ranges. */
    proof: (ranges: ReadonlyArray<Range>, frontier: Frontier): ReadonlyArray<string> => {
      const nearest = [...frontier.hashes]
      // No range is right of one event and left of another: its sibling would hold both.
      return ranges.map((range) => {
        const tree = trees.get(keyOf(range))?.tree
        return tree === undefined ? nearest.pop() ?? "" : rootOf(hash, tree.frontier())
      })
    }
  }
}

const keyOf = ({ end, start }: Range): string => `${start} ${end}`

export const inclusionProof = (
  hash: Hash,
  leaves: ReadonlyArray<string>,
  index: number
): ReadonlyArray<string> =>
  inclusionRanges(index, leaves.length)
    .map(({ end, start }) => root(hash, leaves.slice(start, end)))

interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf: string
  readonly proof: ReadonlyArray<string>
  readonly root: string
}

/** Whether the proof leads from the leaf to the root (RFC 9162, 2.1.3.2). */
export const includes = (hash: Hash, given: Inclusion): boolean => {
  const { index, proof, size } = given
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return false
  if (index < 0 || index >= size) return false
  return climbed(hash, { at: index, last: size - 1, from: given.leaf }, proof)?.later === given.root
}

interface Position {
  /** 0-based index of the node in its level, and of the level's last node. */
  readonly at: number
  readonly last: number
  readonly from: string
}

/** Roots to which a proof leads from a node: of the tree up to it, and of the whole tree. */
const climbed = (hash: Hash, start: Position, proof: ReadonlyArray<string>) => {
  let { at, last } = start
  let [earlier, later] = [start.from, start.from]
  for (const step of proof) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      earlier = node(hash, step, earlier)
      later = node(hash, step, later)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else {
      later = node(hash, later, step)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? { earlier, later } : undefined
}

interface Consistency {
  readonly before: { readonly size: number; readonly root: string }
  readonly after: { readonly size: number; readonly root: string }
  readonly proof: ReadonlyArray<string>
}

/** Whether the later tree begins with the earlier one (RFC 9162, 2.1.4.2). */
export const continues = (hash: Hash, { after, before, proof }: Consistency): boolean => {
  if (!Number.isSafeInteger(before.size) || !Number.isSafeInteger(after.size)) return false
  if (before.size < 0 || before.size > after.size) return false
  if (before.size === after.size) return proof.length === 0 && before.root === after.root
  if (before.size === 0) return proof.length === 0 && before.root === hash("")
  let at = before.size - 1
  let last = after.size - 1
  while (at % 2 === 1) {
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  const [first, ...steps] = at === 0 ? [before.root, ...proof] : proof
  if (first === undefined) return false
  const reached = climbed(hash, { at, last, from: first }, steps)
  return reached?.earlier === before.root && reached.later === after.root
}

// An anchor: a signed statement of the whole log, kept where the database's administrator cannot
// write. It shows what stream chains cannot: a cut-off tail, a removed stream, a changed tenant or
// position.

export const Envelope = Schema.Struct({
  payloadType: Schema.String,
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({
    /** SHA-256 of the public key as DER (SPKI), lower-case hex. */
    keyid: Schema.String,
    sig: Schema.String
  }))
})
export type Envelope = typeof Envelope.Type

/** Type of the signed bytes of an anchor, so that no other statement passes for one. */
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
  /** Time of the anchor, by the log's clock; ISO 8601 UTC. */
  at: Schema.String
})
export type AnchorStatement = typeof AnchorStatement.Type

export interface LeafPosition {
  readonly position: bigint
  readonly tenantId: string
  /** Absent where the stream's row is. */
  readonly sessionId: string | undefined
  readonly hash: string
}

/** The entry of an event: JSON of position, tenant, session and hash. */
export const entryOf = ({ hash, position, sessionId, tenantId }: LeafPosition): string =>
  JSON.stringify([String(position), tenantId, sessionId ?? null, hash])

/**
 * Fault of the log between two anchors, or of the anchors themselves.
 * - `truncated`: the log ends before events that were anchored.
 * - `removed`: fewer events exist than were anchored, and later ones follow.
 * - `resurrected`: more events exist than were anchored.
 * - `rewritten`: as many, but different ones.
 * - `bad_signature`, `unknown_key`, `unreadable`: an anchor that cannot be used.
 * - `forked`: two anchors of one size that differ, or of another log, or that go back.
 * - `anchor_removed`: the file has it, and the database lacks it.
 * - `not_outside`: it was shipped, and the file lacks it.
 * - `other_log`: anchors of the file are of the log `log_id`, or the first event is another now.
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
    "not_outside",
    "other_log"
  ]),
  log_id: Schema.optionalKey(Sha256),
  /** Tree size of the anchor that shows the fault. Absent where none can be read. */
  tree_size: Schema.optionalKey(Schema.Int),
  /** Position in the log: the fault is after this event, up to `until_position`. */
  after_position: Schema.optionalKey(Schema.String),
  until_position: Schema.optionalKey(Schema.String),
  /** Line of the file, from 1. */
  line: Schema.optionalKey(Schema.Int)
})
export type AnchorFault = typeof AnchorFault.Type

// A receipt: what one answer claims and quotes, with the proof that the log recorded it before an
// anchor was signed. An in-toto statement (`docs/reference/receipts.md`) with the hashed values as
// text, so that no verifier needs canonical JSON.

export const receiptPayloadType = "application/vnd.in-toto+json"
const predicateType = "https://web-grounding.dev/receipt/v1"

interface Evidence {
  readonly cited: CitedPack
  readonly streamId: string
  /** Event that recorded the answer. `previousHash` is the hash it links to. */
  readonly event: HashChain.Link & { readonly position: bigint }
  readonly previousHash: string
  readonly anchor: Envelope
  /** Proof that the anchor's tree includes the event at the 0-based `index`. */
  readonly inclusion: {
    readonly index: number
    readonly entry: string
    readonly proof: ReadonlyArray<string>
  }
}

export interface Hashing extends HashChain.Digests {
  readonly hash: Hash
}

export const claimsIn = (pack: GroundingPack): number => claimsOf(pack).length

/** Canonical text, or why a part has none. `shown`: 0-based number of the one claim to show. */
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
    for (const one of claimsOf(cited.pack)) {
      entries.push(yield* canonical(receiptEntryOf(one, cited)))
    }
    const leaves = entries.map((entry) => leaf(sha256, entry))
    const claims = entries.flatMap((entry, index) =>
      shown === undefined || shown === index
        ? [{ index, entry, proof: inclusionProof(hash, leaves, index) }]
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
        claims_root: root(hash, leaves),
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
  readonly place: number
  readonly claim: Claim
}

const claimsOf = (pack: GroundingPack): ReadonlyArray<Numbered> =>
  sections.flatMap((section) => pack[section].map((claim, place) => ({ section, place, claim })))

const receiptEntryOf = (one: Numbered, { sources }: CitedPack): Schema.Json | object => ({
  ...one,
  origins: sources.filter(({ text_sha256, url }) =>
    one.claim.sources.some((cited) => cited.url === url && cited.text_sha256 === text_sha256)
  )
})
