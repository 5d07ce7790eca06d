/** Verifies an export line by line, up to a signed anchor. Memory grows with its events. */
import { rulesVersionUnrecorded } from "../session/RulesVersion.ts"
import * as ExportLines from "./ExportLines.ts"
import * as HashChain from "./HashChain.ts"
import * as MerkleTree from "./MerkleTree.ts"
import { type AnchorStatement, entryOf } from "./MerkleTree.ts"

export type Fault = ExportLines.Malformed

export interface Checking extends MerkleTree.Hashing {
  readonly tenantId: string
}

/** A session that is not erased, and how far the anchor proves it. */
export interface Extent {
  readonly session_id: string
  /** Line of the export, from 1. */
  readonly line: number
  readonly events: number
  /** The last event that the anchor covers; 0: none. */
  proven: number
}

export interface Totals {
  readonly parts: number
  readonly sessions: number
  readonly events: number
  readonly erased: number
  readonly extents: ReadonlyArray<Readonly<Extent>>
}

type Begun = ExportLines.Session | ExportLines.Erased | ExportLines.Record

interface Open {
  readonly session: Begun
  version: number
  hash: string
  position: bigint
  /** Leaf hashes of the events by version, for a proof that follows. */
  readonly leaves: Map<number, string>
}

const counted = ["sessions", "events", "erased"] as const

const fault = (field: string, problem: string): Fault => ({ field, problem })

export const make = ({ hash, tenantId, ...digests }: Checking) => {
  const sessions = new Set<string>()
  const streams = new Set<string>()
  const events = new Set<string>()
  const positions = new Set<string>()
  const totals = { parts: 0, sessions: 0, events: 0, erased: 0 }
  const extents: Array<Extent> = []
  const part = { isOpen: false, digest: "", sessions: 0, events: 0, erased: 0 }
  const rules = new Set<number>()
  let previous: string | null = null
  let lines = 0
  let isEnded = false
  let anchor: AnchorStatement | undefined
  let open: Open | undefined
  let newest: string | undefined

  const header = (line: ExportLines.Header, statement: AnchorStatement | undefined) => {
    if (part.isOpen) return fault("line", "a part begins before the one before has ended")
    if (line.format_version > ExportLines.formatVersion) {
      return fault("format_version", "of a later release")
    }
    if (line.part !== totals.parts + 1) return fault("part", `expected part ${totals.parts + 1}`)
    if (line.previous !== previous) return fault("previous", "not the digest of the part before")
    if (line.tenant_id !== tenantId) return fault("tenant_id", "of another tenant")
    Object.assign(part, { isOpen: true, digest: "", sessions: 0, events: 0, erased: 0 })
    rules.clear()
    anchor = statement
    return undefined
  }

  /** Each session and stream is once in an export, and a record follows its session. */
  const known = ({ line, session_id, stream_id }: Begun) => {
    if (line === "record" && session_id !== newest) {
      return fault("session_id", "a record of another session")
    }
    if (line !== "record" && sessions.has(session_id)) {
      return fault("session_id", "a session that occurs twice")
    }
    if (streams.has(stream_id)) return fault("stream_id", "a stream that occurs twice")
    sessions.add(session_id)
    streams.add(stream_id)
    newest = session_id
    return undefined
  }

  const begin = (line: Begun) => {
    const misplaced = known(line)
    if (misplaced !== undefined) return misplaced
    if (line.line === "session") {
      part.sessions += 1
      extents.push({ session_id: line.session_id, line: lines, events: line.version, proven: 0 })
    }
    if (line.line === "erased") {
      part.erased += 1
      // Of version 1.
      if (line.erased_at === undefined) return undefined
    }
    open = {
      session: line,
      version: 0,
      hash: HashChain.genesis(digests, line.stream_id),
      position: 0n,
      leaves: new Map()
    }
    return undefined
  }

  const event = (line: ExportLines.Event) => {
    if (open === undefined || open.version === open.session.version) {
      return fault("line", "an event of no session")
    }
    if (events.has(line.event_id)) return fault("event_id", "an event that occurs twice")
    if (positions.has(line.position)) return fault("position", "a position that occurs twice")
    if ((line.salt === null) !== (open.session.line === "erased")) {
      return fault("salt", "events of erased sessions alone have none")
    }
    const link = linkOf(line)
    const expected = { version: open.version + 1, previous: open.hash }
    const broken = HashChain.eventFault(digests, open.session.stream_id, link, expected)
    if (broken !== undefined) return fault(fieldsOfFault[broken], broken.replaceAll("_", " "))
    const position = BigInt(line.position)
    if (position <= open.position) return fault("position", "not after the event before")
    const isLast = line.version === open.session.version
    if (isLast && line.hash !== open.session.head_hash) {
      return fault("hash", "not the hash of the session's last event")
    }
    events.add(line.event_id)
    positions.add(line.position)
    Object.assign(open, { version: line.version, hash: line.hash, position })
    const { session_id: sessionId } = open.session
    if (open.session.line === "session") {
      open.leaves.set(
        line.version,
        MerkleTree.leaf(digests.sha256, entryOf({ position, tenantId, sessionId, hash: line.hash }))
      )
      if (line.type === "WEB_GROUNDING_REQUESTED") rules.add(rulesIn(line.data))
    }
    part.events += 1
    return undefined
  }

  const proof = ({ hashes, index, version }: ExportLines.Proof) => {
    const leaf = open?.leaves.get(version)
    if (leaf === undefined) return fault("version", "a proof of no event")
    // Without the key that signed the anchor nothing is proven, and nothing refused.
    if (anchor === undefined) return undefined
    const { root_hash: root, tree_size: size } = anchor
    if (!MerkleTree.includes(hash, { index, size, leaf, proof: hashes, root })) {
      return fault("hashes", "it does not lead to the anchor")
    }
    const extent = extents.at(-1)
    if (extent !== undefined) extent.proven = Math.max(extent.proven, version)
    return undefined
  }

  const end = (line: ExportLines.End) => {
    if (ExportLines.digestOfEnd(digests.sha256, part.digest, line) !== line.digest) {
      return fault("digest", "not the digest of the lines before")
    }
    for (const field of counted) {
      if (line[field] !== part[field]) return fault(field, `the part has ${part[field]}`)
    }
    if (JSON.stringify(line.rules_versions) !== JSON.stringify(ascending(rules))) {
      return fault("rules_versions", "not those of the requests")
    }
    totals.parts += 1
    for (const field of counted) totals[field] += part[field]
    previous = line.digest
    isEnded = line.next === null
    part.isOpen = false
    return undefined
  }

  /** `text`: the line as in the file. `statement`: of an anchor that a known key has signed. */
  const take = (line: ExportLines.Line, text: string, statement: AnchorStatement | undefined) => {
    lines += 1
    if (isEnded) return fault("line", "a line after the last part")
    if (line.line !== "header" && !part.isOpen) return fault("line", "expected a header")
    if (line.line !== "event" && line.line !== "proof") {
      if (open !== undefined && open.version !== open.session.version) {
        return fault("version", `event ${open.version + 1} of ${open.session.version} is missing`)
      }
      open = undefined
    }
    const found = taken(line, statement)
    part.digest = ExportLines.digestAfter(digests.sha256, part.digest, text)
    return found
  }

  const taken = (line: ExportLines.Line, statement: AnchorStatement | undefined) => {
    switch (line.line) {
      case "header":
        return header(line, statement)
      case "session":
      case "erased":
      case "record":
        return begin(line)
      case "event":
        return event(line)
      case "proof":
        return proof(line)
      case "end":
        return end(line)
    }
  }

  return {
    take,
    ended: (): Fault | undefined => isEnded ? undefined : fault("", "the export ends too early"),
    totals: (): Totals => ({ ...totals, extents })
  }
}

const fieldsOfFault = {
  payload_edited: "data",
  link_broken: "hash",
  version_gap: "version",
  head_mismatch: "head_hash"
} as const

export const linkOf = (line: ExportLines.Event) => ({
  eventId: line.event_id,
  version: line.version,
  type: line.type,
  schemaVersion: line.schema_version,
  recordedAt: line.recorded_at,
  metadata: line.metadata,
  data: line.data,
  salt: line.salt,
  payloadDigest: line.payload_digest,
  hash: line.hash
})

export const ascending = (versions: Iterable<number>): ReadonlyArray<number> =>
  [...new Set(versions)].sort((one, other) => one - other)

/** Version of the rules in a request's payload; older releases recorded none. */
export const rulesIn = (data: ExportLines.Event["data"]): number => {
  const rules: unknown = Object(data).rules_version
  return typeof rules === "number" ? rules : rulesVersionUnrecorded
}
