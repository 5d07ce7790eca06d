/** Verifies single events and stream rows. `LogHistory` compares all of them with anchors. */
import { Schema, Struct } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import * as HashChain from "./HashChain.ts"
import * as MerkleTree from "./MerkleTree.ts"
import {
  AnchorFault,
  type AnchorStatement,
  entryOf,
  type LeafPosition as Place
} from "./MerkleTree.ts"

const LogFaultKind = Schema.Literals([
  /** The payload or its salt does not fit the digest. */
  "payload_edited",
  /** An event without payload, in a stream that was not erased. */
  "payload_missing",
  /** A payload or a whole session exists although it was erased. */
  "erasure_undone",
  /** The hash does not follow from the predecessor's hash, the header and the digest. */
  "link_broken",
  /** The event before this one is missing. */
  "version_gap",
  "version_repeated",
  "position_repeated",
  /** The position is below 1, or not above the predecessor's. */
  "position_disorder",
  "tenant_mismatch",
  "stream_missing",
  "stream_empty",
  /** Version or hash of the stream's row is not that of its last event. */
  "head_mismatch",
  /** The stream's row was not created when its first event was recorded. */
  "created_mismatch"
])
type LogFaultKind = typeof LogFaultKind.Type

export const LogFault = Schema.Struct({
  kind: Schema.Literals([...LogFaultKind.literals, ...AnchorFault.fields.kind.literals]),
  tenant_id: Schema.optionalKey(Schema.String),
  session_id: Schema.optionalKey(Schema.String),
  stream_id: Schema.optionalKey(Schema.String),
  /** Version in the stream, from 1. */
  version: Schema.optionalKey(Schema.Int),
  /** Position in the log, decimal digits. */
  position: Schema.optionalKey(Schema.String),
  ...Struct.omit(AnchorFault.fields, ["kind"])
})
export type LogFault = typeof LogFault.Type

export interface EventRow extends HashChain.Link {
  readonly position: bigint
  readonly streamId: string
  readonly tenantId: string
  readonly owner: {
    readonly tenantId: string
    readonly sessionId: string
    readonly isErased: boolean
  } | undefined
  readonly previous: { readonly hash: string; readonly position: bigint } | undefined
}

/** A row of the streams, and figures of its events, both of one moment. */
export interface StreamRow extends HashChain.Head {
  readonly tenantId: string
  readonly sessionId: string
  readonly createdAt: string
  readonly events: number
  readonly versions: number
  readonly last: {
    readonly version: number
    readonly position: bigint
    readonly hash: string
  } | undefined
  readonly firstRecordedAt: string | undefined
  /** The lowest version that two events have, and the higher of their positions. */
  readonly repeated: { readonly version: number; readonly position: bigint } | undefined
}

/** A session that is not erased although the log records its erasure. */
export interface Resurrected {
  readonly streamId: string
  readonly tenantId: string
  readonly sessionId: string
  readonly erasedBy: bigint
}

export const resurrection = (
  { erasedBy, sessionId, streamId, tenantId }: Resurrected
): LogFault => ({
  kind: "erasure_undone",
  tenant_id: tenantId,
  session_id: sessionId,
  stream_id: streamId,
  position: String(erasedBy)
})

/** All faults of an event. `before`: the position of the row before it in the log. */
export const eventFaults = (
  digests: HashChain.Digests,
  row: EventRow,
  before: bigint | undefined
): ReadonlyArray<LogFault> => {
  const kinds: Array<LogFaultKind> = []
  const { owner, position, previous, version } = row
  if (before === position) kinds.push("position_repeated")
  if (position < 1n || (previous !== undefined && previous.position >= position)) {
    kinds.push("position_disorder")
  }
  if (owner === undefined) kinds.push("stream_missing")
  else if (owner.tenantId !== row.tenantId) kinds.push("tenant_mismatch")
  const isErased = row.salt === null && row.data === null
  if (owner !== undefined && owner.isErased !== isErased) {
    kinds.push(isErased ? "payload_missing" : "erasure_undone")
  }
  const link = linkFault(digests, row)
  if (link !== undefined) kinds.push(link)
  return kinds.map((kind) => ({
    kind,
    tenant_id: owner?.tenantId ?? row.tenantId,
    ...asGiven({ session_id: owner?.sessionId }),
    stream_id: row.streamId,
    version,
    position: String(position)
  }))
}

const linkFault = (digests: HashChain.Digests, row: EventRow): LogFaultKind | undefined => {
  const { previous, streamId, version } = row
  const isFirst = version === 1
  if (!isFirst && previous === undefined) {
    return HashChain.payloadStands(digests, row) ? "version_gap" : "payload_edited"
  }
  const hash = isFirst ? HashChain.genesis(digests, streamId) : previous?.hash ?? ""
  return HashChain.eventFault(digests, streamId, row, { version, previous: hash })
}

/** All faults of a stream's row. A gap is reported by the event after it. */
export const streamFaults = (
  row: StreamRow,
  gaps: "from events" | "not seen yet"
): ReadonlyArray<LogFault> => {
  const { last, repeated } = row
  const of = { tenant_id: row.tenantId, session_id: row.sessionId, stream_id: row.streamId }
  if (last === undefined) return [{ kind: "stream_empty", ...of, version: row.version }]
  const at = { version: last.version, position: String(last.position) }
  const faults: Array<LogFault> = []
  if (repeated !== undefined) {
    const { position, version } = repeated
    faults.push({ kind: "version_repeated", ...of, version, position: String(position) })
  }
  if (gaps === "not seen yet" && row.versions !== last.version) {
    faults.push({ kind: "version_gap", ...of, ...at })
  }
  if (row.version !== last.version || row.hash !== last.hash) {
    faults.push({ kind: "head_mismatch", ...of, ...at })
  }
  if (row.firstRecordedAt !== undefined && row.firstRecordedAt !== row.createdAt) {
    faults.push({ kind: "created_mismatch", ...of, version: 1 })
  }
  return faults
}

// Compares the log with the anchors over it in one pass.

/** Anchors once each, smallest tree first; and those that contradict one before. */
export const ordered = (statements: ReadonlyArray<AnchorStatement>) => {
  const anchors: Array<AnchorStatement> = []
  const faults: Array<AnchorFault> = []
  for (const one of statements.toSorted((a, b) => a.tree_size - b.tree_size)) {
    const before = anchors.at(-1)
    if (before !== undefined && keyOf(before) === keyOf(one)) continue
    const fits = before === undefined || (
      before.log_id === one.log_id && before.tree_size < one.tree_size &&
      BigInt(before.last_position) < BigInt(one.last_position)
    )
    if (fits) anchors.push(one)
    else faults.push({ kind: "forked", tree_size: one.tree_size })
  }
  return { anchors, faults }
}

export const missingAnchors = (
  some: ReadonlyArray<AnchorStatement>,
  others: ReadonlyArray<AnchorStatement>,
  kind: "anchor_removed" | "not_outside"
): ReadonlyArray<AnchorFault> => {
  const there = new Set(others.map(keyOf))
  const missing = some.filter((one) => !there.has(keyOf(one)))
  return [...new Map(missing.map((one) => [keyOf(one), one])).values()]
    .map(({ tree_size }) => ({ kind, tree_size }))
}

/** The difference begins with the first event. */
export const ofOtherLog = (
  { last_position, log_id, tree_size }: AnchorStatement
): AnchorFault => ({
  kind: "other_log",
  log_id,
  tree_size,
  after_position: "0",
  until_position: last_position
})

const keyOf = ({ last_position, log_id, root_hash, tree_size }: AnchorStatement): string =>
  [log_id, tree_size, root_hash, last_position].join(" ")

/** Takes every event in the order of the log. `anchors` as `ordered` gives them. */
export const start = (
  { hash, sha256 }: Pick<MerkleTree.Hashing, "hash" | "sha256">,
  anchors: ReadonlyArray<AnchorStatement>
) => {
  const faults: Array<AnchorFault> = []
  const tree = MerkleTree.grow(hash)
  let lastPosition = 0n
  let index = 0
  let counted = 0
  let logId: string | undefined
  /** Once one root differs, all larger ones do, and say nothing new. */
  let differs = false

  const close = (anchor: AnchorStatement, isEnd: boolean): void => {
    const before = anchors[index - 1]
    const expected = anchor.tree_size - (before?.tree_size ?? 0)
    const startPosition = BigInt(before?.last_position ?? "0")
    const kind = faultOf(anchor, expected, isEnd)
    if (kind !== undefined) {
      faults.push({
        kind,
        tree_size: anchor.tree_size,
        after_position: String(
          kind === "truncated" && lastPosition > startPosition ? lastPosition : startPosition
        ),
        until_position: anchor.last_position
      })
    }
    index += 1
    counted = 0
  }

  const faultOf = (
    { last_position, root_hash }: AnchorStatement,
    expected: number,
    isEnd: boolean
  ): AnchorFault["kind"] | undefined => {
    const isOther = MerkleTree.rootOf(hash, tree.frontier()) !== root_hash ||
      lastPosition !== BigInt(last_position)
    const isNews = isOther && !differs
    differs = differs || isOther
    if (counted > expected) return "resurrected"
    if (counted < expected) {
      return isEnd && lastPosition < BigInt(last_position) ? "truncated" : "removed"
    }
    return isNews ? "rewritten" : undefined
  }

  const closeBefore = (position: bigint): void => {
    for (let next = anchors[index]; next !== undefined; next = anchors[index]) {
      if (BigInt(next.last_position) >= position) return
      close(next, false)
    }
  }

  return {
    take: (event: Place): void => {
      closeBefore(event.position)
      tree.take(MerkleTree.leaf(sha256, entryOf(event)))
      lastPosition = event.position
      counted += 1
      logId = logId ?? event.hash
    },
    /** `log`: an anchor's statement of all events taken; none without events. */
    end: () => {
      for (let next = anchors[index]; next !== undefined; next = anchors[index]) close(next, true)
      const frontier = tree.frontier()
      const log = logId === undefined ? undefined : {
        log_id: logId,
        tree_size: frontier.size,
        root_hash: MerkleTree.rootOf(hash, frontier),
        last_position: String(lastPosition)
      }
      return { log, faults }
    }
  }
}
