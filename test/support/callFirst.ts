/**
 * A saboteur of the log: a search's reservation is held back until the next append of the session,
 * so that the search is sent before it is recorded.
 */
import { Effect } from "effect"
import { type EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"

type Store = EventStore["Service"]

export const callFirst = (store: Store): Store => {
  const held: Array<NewEvent> = []
  return {
    ...store,
    append: Effect.fnUntraced(function*(head, events) {
      if (events[0]?.type === "WEB_GROUNDING_CALL_STARTED") {
        held.push(...events)
        return { head, events: [] }
      }
      return yield* store.append(head, [...held.splice(0), ...events])
    })
  }
}
