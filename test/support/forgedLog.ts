/** Logs that an attacker with access to the tables has edited, with chain, and their replay. */
import { Effect, type Schema } from "effect"
import { EventStore, type StoredEvent } from "../../src/application/ports/EventStore.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import { askedRequest, caller, inMemory, providers } from "./grounding.ts"

export type Tamper = (events: ReadonlyArray<StoredEvent>) => ReadonlyArray<StoredEvent>

/** Whether the first request of the session recorded it. */
export const isOfFirst = ({ data }: StoredEvent): boolean =>
  Object(data).request_id === askedRequest.request_id

/** Edits the events of this type that the first request recorded. */
export const change =
  (type: string, edit: (data: Record<string, Schema.Json>) => void): Tamper => (events) =>
    events.map((event) => {
      if (event.type !== type || !isOfFirst(event)) return event
      const data = JSON.parse(JSON.stringify(event.data))
      edit(data)
      return { ...event, data }
    })

/** Replays a session that was edited before its chain was computed: its digests are all valid. */
export const replayForged = (session_id: string, forgery: Tamper) =>
  Effect.gen(function*() {
    const ref = { tenant_id: caller.tenantId, session_id }
    const { events } = yield* (yield* EventStore).read(ref)
    return yield* Effect.gen(function*() {
      const store = yield* EventStore
      const { head } = yield* store.read(ref)
      yield* store.append(head, forgery(events))
      return yield* Effect.flatMap(PublicApi, (api) => api.ReplaySession({ session_id }, caller))
    }).pipe(Effect.provide(inMemory(providers()), { local: true }))
  })
