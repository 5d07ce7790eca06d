/** The event log in memory: the promises of the port, chain included, for as long as it lives. */
import { Brand, Clock, DateTime, Effect, Layer, Result, Stream } from "effect"
import {
  appendEventsMax,
  EventNotStorable,
  EventStore,
  type LoggedEvent,
  type LogPosition,
  type NewEvent,
  type StoredEvent,
  StreamConflict,
  type StreamHead,
  type StreamRef,
  type StreamSummary
} from "../../../src/application/ports/EventStore.ts"
import * as HashChain from "../../../src/domain/audit/HashChain.ts"
import { canonical, isStorableText } from "../../../src/infrastructure/CanonicalJson.ts"
import { salt, sha256, uuidv7 } from "../../../src/infrastructure/Digest.ts"
import * as MemoryServiceState from "./MemoryServiceState.ts"

const log = Layer.effect(
  EventStore,
  Effect.sync(() => {
    const log: Array<LoggedEvent> = []
    const streams = new Map<string, Recorded>()

    const read: EventStore["Service"]["read"] = (ref, afterVersion = 0, eventsMax) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const stream = streams.get(keyOf(ref))
        return stream === undefined
          ? { head: unwritten(ref, now), events: [] }
          : { head: headOf(stream), events: stream.events.slice(afterVersion).slice(0, eventsMax) }
      })

    const append: EventStore["Service"]["append"] = Effect.fnUntraced(function*(head, events) {
      if (events.length === 0) return { head, events: [] }
      const now = yield* Clock.currentTimeMillis
      const recordedAt = DateTime.formatIso(DateTime.makeUnsafe(now))
      const sealed = sealedOrNot(head, events, { recordedAt, salt })
      if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
      const stream = streams.get(keyOf(head.ref)) ??
        { ref: head.ref, streamId: head.streamId, createdAt: recordedAt, events: [] }
      const current = headOf(stream)
      if (current.version !== head.version || current.hash !== head.hash) {
        const ours = appendedBefore(stream, head, events)
        if (ours === undefined) {
          return yield* new StreamConflict({ ref: head.ref, expectedVersion: head.version })
        }
        return { head: headOf({ ...stream, events: [...ours] }), events: ours }
      }
      const stored = sealed.success.map((event, index): StoredEvent => ({
        ...storedOf(event, stream.streamId, recordedAt),
        position: positionOf(BigInt(log.length + index + 1))
      }))
      log.push(...stored.map((event) => ({
        ...event,
        tenantId: head.ref.tenant_id,
        sessionId: head.ref.session_id
      })))
      stream.events.push(...stored)
      streams.set(keyOf(head.ref), stream)
      return { head: headOf(stream), events: stored }
    })

    const restore: EventStore["Service"]["restore"] = (events) =>
      Effect.suspend(() => {
        const taken = restored({ streams, log }, events, () => BigInt(log.length + 1))
        return taken === undefined ? Effect.void : Effect.fail(taken)
      })

    const all: EventStore["Service"]["all"] = (position) =>
      Stream.suspend(() => Stream.fromIterable(log.slice(Number(position))))

    const backlog: EventStore["Service"]["backlog"] = (position, countMax) =>
      Effect.sync(() => backlogOf(log.slice(Number(position), Number(position) + countMax)))

    const list: EventStore["Service"]["streams"] = (...asked) =>
      Effect.sync(() => listed(streams, ...asked))

    return EventStore.of({
      read,
      append,
      restore,
      all,
      backlog,
      now: Clock.currentTimeMillis,
      state: Effect.succeed("writable"),
      streams: list
    })
  })
)

/** The log, and the table of the service's state, as one store. */
export const layer = Layer.merge(log, MemoryServiceState.layer)

/** A stream. */
export interface Recorded {
  readonly ref: StreamRef
  readonly streamId: string
  readonly createdAt: string
  readonly events: Array<StoredEvent>
}

export const digests: HashChain.Digests = { sha256, canonical }

export const positionOf = Brand.nominal<LogPosition>()

export const keyOf = ({ session_id, tenant_id }: StreamRef) =>
  JSON.stringify([tenant_id, session_id])

const unwritten = (ref: StreamRef, now: number): StreamHead =>
  headOf({ ref, streamId: uuidv7(now), createdAt: "", events: [] })

export const headOf = ({ events, ref, streamId }: Recorded): StreamHead => {
  const last = events.at(-1)
  return {
    ref,
    streamId,
    version: last?.version ?? 0,
    hash: last?.hash ?? HashChain.genesis(digests, streamId)
  }
}

export const sealedOrNot = (
  head: StreamHead,
  events: ReadonlyArray<NewEvent>,
  record: { readonly recordedAt: string; readonly salt: () => string }
): Result.Result<ReadonlyArray<HashChain.Sealed<NewEvent>>, HashChain.NotSealable> => {
  const type = events[0]?.type ?? ""
  if (events.length > appendEventsMax) {
    return Result.fail({ type, problem: `more than ${appendEventsMax} events in one append` })
  }
  if (!isStorableText(head.ref.tenant_id) || !isStorableText(head.ref.session_id)) {
    return Result.fail({ type, problem: "a tenant or session id with NUL or a lone surrogate" })
  }
  return HashChain.seal(digests, head, events, record)
}

/** What this append's first try has recorded. */
export const appendedBefore = (
  { events: recorded }: Recorded,
  head: StreamHead,
  events: ReadonlyArray<NewEvent>
) => {
  const ours = recorded.slice(head.version, head.version + events.length)
  const same = ours.length === events.length &&
    ours.every(({ eventId }, index) => eventId === events[index]?.eventId)
  return same ? ours : undefined
}

interface Tables {
  readonly streams: Map<string, Recorded>
  readonly log: Array<LoggedEvent>
}

/** Restores the events at the next positions, or names a stream that exists already. */
export const restored = (
  { log, streams }: Tables,
  events: ReadonlyArray<LoggedEvent>,
  nextPosition: () => bigint
): StreamConflict | undefined => {
  const refOf = ({ sessionId, tenantId }: LoggedEvent): StreamRef => ({
    tenant_id: tenantId,
    session_id: sessionId
  })
  const begun = new Map<string, string>()
  const taken = events.find((event) => {
    const key = keyOf(refOf(event))
    const own = begun.get(key) ?? event.streamId
    begun.set(key, own)
    return streams.has(key) || own !== event.streamId
  })
  if (taken !== undefined) return new StreamConflict({ ref: refOf(taken), expectedVersion: 0 })
  for (const event of events) {
    const { sessionId, tenantId, ...stored } = event
    const ref = refOf(event)
    const placed = { ...stored, position: positionOf(nextPosition()) }
    const stream = streams.get(keyOf(ref)) ??
      { ref, streamId: event.streamId, createdAt: event.recordedAt, events: [] }
    stream.events.push(placed)
    streams.set(keyOf(ref), stream)
    log.push({ ...placed, tenantId, sessionId })
  }
  return undefined
}

export const backlogOf = (waiting: ReadonlyArray<LoggedEvent>) => {
  const [oldest] = waiting
  return {
    count: waiting.length,
    ...(oldest === undefined ? {} : { oldestAt: oldest.recordedAt })
  }
}

/** A tenant's streams, newest first. */
export const listed = (
  streams: ReadonlyMap<string, Recorded>,
  tenantId: string,
  limit: number,
  before?: string
): ReadonlyArray<StreamSummary> =>
  [...streams.values()]
    .filter(({ ref, streamId }) =>
      ref.tenant_id === tenantId && (before === undefined || streamId < before)
    )
    .sort((one, other) => one.streamId < other.streamId ? 1 : -1)
    .slice(0, limit)
    .map((stream) => ({ ...headOf(stream), createdAt: stream.createdAt }))

/** The data as a database would give it back: parsed anew, in canonical order. */
export const storedOf = (
  { dataText, draft, hash, payloadDigest, salt, version }: HashChain.Sealed<NewEvent>,
  streamId: string,
  recordedAt: string
) => ({
  ...draft,
  data: JSON.parse(dataText),
  streamId,
  version,
  recordedAt,
  salt,
  payloadDigest,
  hash
})
