/** The rows of a log in memory, which tests may edit as an attacker may edit a database. */
import { Context, Effect, Layer, Predicate, Stream } from "effect"
import * as MakeReceipt from "../../../src/application/audit/MakeReceipt.ts"
import * as VerifyLog from "../../../src/application/audit/VerifyLog.ts"
import { LogRows, type LogScope } from "../../../src/application/audit/VerifyLog.ts"
import {
  EventStore,
  type LoggedEvent,
  logStart,
  type StreamSummary
} from "../../../src/application/ports/EventStore.ts"
import { Digest } from "../../../src/application/ports/Platform.ts"
import type { EventRow, StreamRow } from "../../../src/domain/audit/LogCheck.ts"
import { canonical } from "../../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../../src/infrastructure/Digest.ts"
import * as MemoryAnchors from "./MemoryAnchors.ts"

export interface Rows {
  events: Array<LoggedEvent>
  streams: Array<StreamSummary>
}

export class MemoryRows extends Context.Service<MemoryRows, Rows>()(
  "web-grounding/test/support/memory/MemoryRows"
) {}

export const layer = Layer.effect(
  LogRows,
  Effect.map(MemoryRows, (rows) => {
    const owner = (event: LoggedEvent) =>
      rows.streams.find(({ streamId }) => streamId === event.streamId)
    const byPosition = () =>
      rows.events.toSorted((one, other) => Number(one.position - other.position))
    const isOf = ({ sessionId, tenantId }: LogScope, ref: StreamSummary["ref"] | undefined) =>
      (tenantId === undefined || ref?.tenant_id === tenantId) &&
      (sessionId === undefined || ref?.session_id === sessionId)

    return LogRows.of({
      settled: Effect.sync(() => byPosition().at(-1)?.position ?? 0n),
      events: (scope, { after, until }) =>
        Stream.suspend(() =>
          Stream.fromIterable(
            byPosition()
              .filter((event) =>
                (after === undefined || event.position > after) && event.position <= until
              )
              .filter((event) =>
                isOf(scope, owner(event)?.ref) ||
                (scope.sessionId === undefined && event.tenantId === scope.tenantId)
              )
              .map((event): EventRow & { readonly bytes: number } => {
                const own = owner(event)
                const previous = rows.events.find(({ streamId, version }) =>
                  streamId === event.streamId && version === event.version - 1
                )
                return {
                  ...event,
                  bytes: JSON.stringify([event.data, event.metadata]).length,
                  owner: own === undefined ? undefined : {
                    tenantId: own.ref.tenant_id,
                    sessionId: own.ref.session_id,
                    isErased: false
                  },
                  previous
                }
              })
          )
        ),
      places: (until) =>
        Stream.suspend(() =>
          Stream.fromIterable(
            byPosition()
              .filter(({ position }) => position <= until)
              .map((event) => ({ ...event, sessionId: owner(event)?.ref.session_id }))
          )
        ),
      streams: (scope) =>
        Stream.suspend(() =>
          Stream.fromIterable(
            rows.streams.filter(({ ref }) => isOf(scope, ref)).map((stream): StreamRow => {
              const events = rows.events.filter(({ streamId }) => streamId === stream.streamId)
              const sorted = events.toSorted((one, other) => one.version - other.version)
              const repeated = sorted.find(({ version }, index) =>
                sorted[index - 1]?.version === version
              )
              return {
                streamId: stream.streamId,
                tenantId: stream.ref.tenant_id,
                sessionId: stream.ref.session_id,
                version: stream.version,
                hash: stream.hash,
                createdAt: stream.createdAt,
                events: events.length,
                versions: new Set(events.map(({ version }) => version)).size,
                last: sorted.at(-1),
                firstRecordedAt: sorted.find(({ version }) => version === 1)?.recordedAt,
                repeated
              }
            })
          )
        ),
      // No stream in memory is erased, so an erased one among the records is there again.
      resurrected: (scope) =>
        Stream.suspend(() =>
          Stream.fromIterable(byPosition()).pipe(
            Stream.filter(({ type }) => type === "WEB_GROUNDING_CONTENT_ERASED"),
            Stream.flatMap(({ data, position }) =>
              Stream.fromIterable(
                rows.streams.filter(({ ref, streamId }) =>
                  isOf(scope, ref) && isStreamOf(data, streamId)
                ).map(({ ref, streamId }) => ({
                  streamId,
                  tenantId: ref.tenant_id,
                  sessionId: ref.session_id,
                  erasedBy: position
                }))
              )
            )
          )
        )
    })
  })
)

const isStreamOf = (data: LoggedEvent["data"], streamId: string) =>
  Predicate.hasProperty(data, "stream_id") && data.stream_id === streamId

const streamsMax = 1_000

/** Rows of the log in memory as it is when each part is read. */
export const ofStore = Layer.effect(
  LogRows,
  Effect.map(EventStore, (store) => {
    const copied = Effect.gen(function*() {
      const events = yield* Stream.runCollect(store.all(logStart))
      const tenants = [...new Set(events.map(({ tenantId }) => tenantId))]
      const streams = yield* Effect.forEach(tenants, (tenant) => store.streams(tenant, streamsMax))
      return yield* LogRows.pipe(Effect.provide(
        layer.pipe(Layer.provide(Layer.succeed(MemoryRows, { events, streams: streams.flat() })))
      ))
    })
    const streamed = <A, E>(read: (rows: LogRows["Service"]) => Stream.Stream<A, E>) =>
      Stream.unwrap(Effect.map(copied, read))
    return LogRows.of({
      settled: Effect.flatMap(copied, ({ settled }) => settled),
      events: (scope, range) => streamed((rows) => rows.events(scope, range)),
      places: (until) => streamed((rows) => rows.places(until)),
      streams: (scope) => streamed((rows) => rows.streams(scope)),
      resurrected: (scope) => streamed((rows) => rows.resurrected(scope))
    })
  })
)

/** Verifies the log in memory that it is given, and makes receipts of it. */
export const verification = Layer.merge(VerifyLog.layer, MakeReceipt.layer).pipe(
  Layer.provide(Layer.merge(ofStore, MemoryAnchors.none)),
  Layer.provide(Layer.succeed(Digest, { sha256, canonical }))
)
