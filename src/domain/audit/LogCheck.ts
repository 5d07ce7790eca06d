/**
 * Verifies single events and streams: each event against its predecessor and its stream's row, each
 * stream's row against its events. All of them together are held against anchors by `LogHistory`.
 */
import { Schema } from "effect"
import { AnchorFault } from "./Anchor.ts"
import * as HashChain from "./HashChain.ts"

const LogFaultKind = Schema.Literals([
  /** The payload or its salt does not fit the digest. */
  "payload_edited",
  /** An event without payload, in a stream that was not erased. */
  "payload_missing",
  /** A payload that is there, or a whole session, although it was erased. */
  "erasure_undone",
  /** The hash does not follow from the predecessor's hash, the header and the digest. */
  "link_broken",
  /** The event before this one is not there. */
  "version_gap",
  /** Two events bear this version. */
  "version_repeated",
  /** Two events bear this position. */
  "position_repeated",
  /** The position is below 1, or not above the predecessor's. */
  "position_disorder",
  /** The event's tenant is not its stream's. */
  "tenant_mismatch",
  /** No row of a stream for the event. */
  "stream_missing",
  /** A row of a stream without events. */
  "stream_empty",
  /** Version or hash of the stream's row is not that of its last event. */
  "head_mismatch",
  /** The stream's row was not created when its first event was recorded. */
  "created_mismatch"
])
type LogFaultKind = typeof LogFaultKind.Type

/** Something wrong with the log, as far as its place can be named. */
export const LogFault = Schema.Struct({
  kind: Schema.Literals([...LogFaultKind.literals, ...AnchorFault.fields.kind.literals]),
  tenant_id: Schema.optionalKey(Schema.String),
  session_id: Schema.optionalKey(Schema.String),
  stream_id: Schema.optionalKey(Schema.String),
  /** Place in the stream, from 1. */
  version: Schema.optionalKey(Schema.Int),
  /** Place in the log, decimal digits. */
  position: Schema.optionalKey(Schema.String),
  /** Tree size of the anchor that shows the fault. */
  tree_size: AnchorFault.fields.tree_size,
  after_position: AnchorFault.fields.after_position,
  until_position: AnchorFault.fields.until_position,
  line: AnchorFault.fields.line
})
export type LogFault = typeof LogFault.Type

/** A row of the events, with what it has to fit. */
export interface EventRow extends HashChain.Link {
  readonly position: bigint
  readonly streamId: string
  readonly tenantId: string
  /** The stream's row. */
  readonly owner: {
    readonly tenantId: string
    readonly sessionId: string
    readonly isErased: boolean
  } | undefined
  /** The event of the same stream one version below. */
  readonly previous: { readonly hash: string; readonly position: bigint } | undefined
}

/** A row of the streams, and what the events say, both of one moment. */
export interface StreamRow {
  readonly streamId: string
  readonly tenantId: string
  readonly sessionId: string
  readonly version: number
  readonly hash: string
  readonly createdAt: string
  /** 0: none. */
  readonly events: number
  /** Different versions among them. */
  readonly versions: number
  readonly last: {
    readonly version: number
    readonly position: bigint
    readonly hash: string
  } | undefined
  /** Time at which the event of version 1 was recorded. */
  readonly firstRecordedAt: string | undefined
  /** The lowest version that two events bear, and the higher of their positions. */
  readonly repeated: { readonly version: number; readonly position: bigint } | undefined
}

/** A session that is not erased although the log records its erasure. */
export interface Resurrected {
  readonly streamId: string
  readonly tenantId: string
  readonly sessionId: string
  /** Position of the event that records the erasure. */
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

/** Everything wrong with an event. `before`: the position of the row before it in the log. */
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
    ...(owner === undefined ? {} : { session_id: owner.sessionId }),
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

/** Everything wrong with a stream's row. Gaps are told by the event after them when it is read. */
export const streamFaults = (
  row: StreamRow,
  gaps: "told by events" | "not told yet"
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
  if (gaps === "not told yet" && row.versions !== last.version) {
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
