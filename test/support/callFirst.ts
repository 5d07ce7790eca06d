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
      const last = events.at(-1)
      if (last?.type === "WEB_GROUNDING_CALL_STARTED") {
        const before = events.slice(0, -1)
        const appended = yield* store.append(head, [...held.splice(0), ...before])
        held.push(last)
        return appended
      }
      return yield* store.append(head, [...held.splice(0), ...events])
    })
  }
}
