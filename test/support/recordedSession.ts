/** What the tests' caller has recorded in a session, and that it replays. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { caller } from "./grounding.ts"
import { PublicApi } from "./sent.ts"

export const eventsIn = (session_id = "s", tenant_id = caller.tenantId) =>
  Effect.map(
    Effect.flatMap(EventStore, ({ read }) => read({ tenant_id, session_id })),
    ({ events }) => events
  )

export const typesIn = (session_id?: string) =>
  Effect.map(eventsIn(session_id), (events) => events.map(({ type }) => type))

export const textIn = (session_id?: string) =>
  Effect.map(eventsIn(session_id), (events) => JSON.stringify(events.map(({ data }) => data)))

export const replays = Effect.fnUntraced(function*(session_id = "s") {
  const replayed = yield* (yield* PublicApi).replay({ session_id }, caller)
  assert.isUndefined(replayed.difference, session_id)
  return replayed
})
