/** Events that another log recorded, put into this one as they were. */
import { Effect, Result } from "effect"
import {
  appendEventsMax,
  EventNotStorable,
  type LoggedEvent,
  type NewEvent,
  StreamConflict,
  type StreamHead
} from "../../application/ports/EventStore.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import { canonical } from "../../infrastructure/CanonicalJson.ts"
import { sha256 } from "../../infrastructure/Digest.ts"
import type { Postgres } from "../../infrastructure/postgres/Postgres.ts"
import * as AppendStatement from "./AppendStatement.ts"
import type * as StreamKeys from "./StreamKeys.ts"

type Group = readonly [LoggedEvent, ...ReadonlyArray<LoggedEvent>]

/** Events after one another of one stream and one time: they go in by one statement. */
const groupsOf = (events: ReadonlyArray<LoggedEvent>): ReadonlyArray<Group> => {
  const groups: Array<[LoggedEvent, ...Array<LoggedEvent>]> = []
  for (const event of events) {
    const last = groups.at(-1)
    const isSame = last !== undefined && last.length < appendEventsMax &&
      last[0].streamId === event.streamId && last[0].recordedAt === event.recordedAt
    if (isSame) last.push(event)
    else groups.push([event])
  }
  return groups
}

/** Event sealed as it was where it was recorded. */
const resealed = (
  event: LoggedEvent
): Result.Result<HashChain.Sealed<NewEvent>, HashChain.NotSealable> =>
  Result.gen(function*() {
    const { hash, payloadDigest, salt, type, version } = event
    const refused = (problem: string): HashChain.NotSealable => ({ type, problem })
    if (salt === null) return yield* Result.fail(refused("an event without its payload"))
    const dataText = yield* Result.mapError(canonical(event.data), refused)
    const metadataText = yield* Result.mapError(canonical(event.metadata), refused)
    return { draft: event, version, dataText, metadataText, salt, payloadDigest, hash }
  })

/** A stream that is being restored: where it is, and what its payloads are encrypted with. */
interface Restoring {
  readonly head: StreamHead
  readonly key: StreamKeys.AppendKey | undefined
}

/**
 * Restores events in one transaction: all or none. Each stream gets a data key of this database
 * where payloads are encrypted; salts, digests and hashes are those of the log that recorded them.
 */
export const restored = Effect.fnUntraced(function*(
  postgres: Postgres["Service"],
  keys: StreamKeys.StreamKeys,
  events: ReadonlyArray<LoggedEvent>
) {
  const streams = new Map<string, Restoring>()
  const begun = Effect.fnUntraced(function*({ sessionId, streamId, tenantId }: LoggedEvent) {
    const head: StreamHead = {
      ref: { tenant_id: tenantId, session_id: sessionId },
      streamId,
      version: 0,
      hash: HashChain.genesis({ sha256, canonical }, streamId)
    }
    return { head, key: yield* keys.forAppend(head) }
  })
  const recorded = Effect.fnUntraced(function*(group: Group) {
    const [{ recordedAt, streamId }] = group
    const sealed = Result.all(group.map(resealed))
    if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
    const { head, key } = streams.get(streamId) ?? (yield* begun(group[0]))
    const rows = yield* postgres.prepared<object>(
      ...AppendStatement.appendStatement(head, sealed.success, { recordedAt, key })
    )
    if (rows.length === 0) {
      return yield* new StreamConflict({ ref: head.ref, expectedVersion: head.version })
    }
    const { hash, version } = group.at(-1) ?? group[0]
    streams.set(streamId, {
      head: { ...head, version, hash },
      key: key === undefined ? undefined : { key: key.key }
    })
  })
  yield* postgres.transaction(Effect.forEach(groupsOf(events), recorded, { discard: true }))
})
