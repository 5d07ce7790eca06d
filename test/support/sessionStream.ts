/** The stream of the session that tests ask about, as another process would write and see it. */
import { Effect } from "effect"
import { codec } from "../../src/application/log/SessionLog.ts"
import { EventStore, type StreamRef } from "../../src/application/ports/EventStore.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"

const stream: StreamRef = { tenant_id: "t", session_id: "s" }
const metadata = { correlation_id: "r", causation_id: "another process", actor: "test" }

/** Appends facts at the end of the stream, in one go. */
export const recordElsewhere = Effect.fnUntraced(
  function*(log: EventStore["Service"], ...facts: ReadonlyArray<SessionEvent>) {
    const { head } = yield* log.read(stream)
    const nowMs = yield* log.now
    yield* log.append(
      head,
      yield* Effect.forEach(facts, (fact) => codec.encode(fact, uuidv7(nowMs), metadata))
    )
  }
)

/** Every event of the stream, oldest first. */
export const recorded = Effect.gen(function*() {
  const { read } = yield* EventStore
  return (yield* read(stream)).events
})

/** Their types, without the prefix that all have. */
export const recordedTypes = Effect.map(
  recorded,
  (events) => events.map(({ type }) => type.replace("WEB_GROUNDING_", ""))
)
