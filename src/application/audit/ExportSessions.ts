/**
 * Exports sessions as recorded, part by part, with what a verifier needs: chain, digests, records
 * of erasures and legal holds, and the proof of a covering anchor.
 */
import { Effect } from "effect"
import { SessionNotFound } from "../../contract/PublicFailure.ts"
import type { Exported, ExportInput } from "../../contract/SessionRange.ts"
import * as ExportCheck from "../../domain/audit/ExportCheck.ts"
import * as ExportLines from "../../domain/audit/ExportLines.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as EraseSession from "../erasure/EraseSession.ts"
import { EventStore, type StoredEvent, type StreamHistory } from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import * as ReplaySession from "../replay/ReplaySession.ts"
import { InclusionProofs } from "./InclusionProofs.ts"

/** Characters of a part; a longer session is one part. */
const partCharsMax = 4 * 1_024 * 1_024

/** A session that was changed in the database is not exported: it fails as `LogTampered`. */
export const part = Effect.fn("ExportSessions.part")(
  function*(tenantId: string, input: ExportInput) {
    const store = yield* EventStore
    const { sha256 } = yield* Digest
    const { newest } = yield* InclusionProofs
    const { next, read } = yield* histories(tenantId, input)
    const kept = read.filter(({ head }) => head.erasedAt === undefined)
    const records = yield* Effect.forEach(
      read,
      ({ head }) => store.read(EraseSession.streamOf(head.ref))
    )
    const anchor = yield* newest
    const last = new Map(kept.flatMap((history) => {
      const event = history.events.findLast(({ position }) =>
        anchor !== undefined && position <= anchor.lastPosition
      )
      return event === undefined ? [] : [[history.head.streamId, event] as const]
    }))
    const proofs = anchor === undefined || last.size === 0
      ? undefined
      : yield* anchor.proofs(new Set(Array.from(last.values(), ({ position }) => position)))
    const header: ExportLines.Header = {
      line: "header",
      format: "web-grounding-export",
      format_version: ExportLines.formatVersion,
      part: input.part,
      previous: input.previous ?? null,
      tenant_id: tenantId,
      anchor: proofs === undefined ? null : anchor?.envelope ?? null
    }
    const lines = read.flatMap((history, index): ReadonlyArray<ContentLine> => {
      const event = last.get(history.head.streamId)
      const proof = event === undefined ? undefined : proofs?.get(event.position)
      const record = records[index]
      return [
        sessionLine(history),
        ...history.events.map(eventLine),
        ...(event === undefined || proof === undefined
          ? []
          : [{ line: "proof", version: event.version, ...proof } as const]),
        ...(record === undefined || record.events.length === 0
          ? []
          : [{ line: "record", ...aboutOf(record) } as const, ...record.events.map(eventLine)])
      ]
    })
    const events = lines.filter(({ line }) => line === "event").length
    const { digest, text } = ExportLines.partOf(sha256, [header, ...lines], {
      sessions: kept.length,
      events,
      erased: read.length - kept.length,
      rules_versions: ExportCheck.ascending(kept.flatMap(rulesOf)),
      next: next ?? null
    })
    return {
      jsonl: text,
      part: input.part,
      sessions: kept.length,
      events,
      digest,
      ...asGiven({ next })
    } satisfies Exported
  }
)

const histories = Effect.fnUntraced(function*(tenantId: string, input: ExportInput) {
  const store = yield* EventStore
  if (input.session_id !== undefined) {
    const { session_id } = input
    const history = yield* store.read({ tenant_id: tenantId, session_id })
    if (history.events.length === 0) return yield* new SessionNotFound({ session_id })
    return { read: [history], next: undefined }
  }
  const { next, streams } = yield* ReplaySession.page(tenantId, input)
  const read: Array<StreamHistory> = []
  let chars = 0
  for (const { ref, streamId } of streams) {
    const history = yield* store.read(ref)
    chars += JSON.stringify(history.events.map(({ data }) => data)).length
    if (read.length > 0 && chars > partCharsMax) {
      return { read, next: read.at(-1)?.head.streamId }
    }
    if (history.head.streamId === streamId) read.push(history)
  }
  return { read, next }
})

type ContentLine = Exclude<ExportLines.Line, ExportLines.Header | ExportLines.End>

const rulesOf = ({ events }: StreamHistory): ReadonlyArray<number> =>
  events.flatMap(({ data, type }) =>
    type === "WEB_GROUNDING_REQUESTED" && data !== null
      ? [ExportCheck.rulesIn(data)]
      : []
  )

const aboutOf = ({ head }: StreamHistory) => ({
  session_id: head.ref.session_id,
  stream_id: head.streamId,
  version: head.version,
  head_hash: head.hash
})

const sessionLine = (history: StreamHistory): ExportLines.Session | ExportLines.Erased => {
  const { erasedAt } = history.head
  return erasedAt === undefined
    ? { line: "session", ...aboutOf(history) }
    : { line: "erased", ...aboutOf(history), erased_at: erasedAt }
}

const eventLine = (event: StoredEvent): ExportLines.Event => ({
  line: "event",
  version: event.version,
  event_id: event.eventId,
  type: event.type,
  schema_version: event.schemaVersion,
  recorded_at: event.recordedAt,
  position: String(event.position),
  metadata: event.metadata,
  data: event.data,
  salt: event.salt,
  payload_digest: event.payloadDigest,
  hash: event.hash
})
