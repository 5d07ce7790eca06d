/** Recorded searches with attempts of any kind, and logs full of them. */
import { DateTime, Effect, Layer } from "effect"
import { codec } from "../../src/application/log/SessionLog.ts"
import {
  EventStore,
  type NewEvent,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import { type SearchAttempt, SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { type Dice, draw } from "./dice.ts"
import { cachedPackUsed, called, packCreated } from "./sessionFacts.ts"

export const attempt = (fields: Partial<SearchAttempt> = {}): SearchAttempt => ({
  provider: "tavily",
  key_slot: 1,
  status: "success",
  started_at: "2026-01-01T09:30:10.000Z",
  duration_ms: 800,
  hits_count: 4,
  ...fields
})

const start = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z").epochMilliseconds

/** Within the first `minutes` of 2026. */
export const anyAttempt = (dice: Dice, minutes = 5): SearchAttempt => {
  const status = draw(dice, SearchStatus.literals)
  const provider = draw(dice, ["tavily", "serpapi", "duckduckgo"] as const)
  const startedMs = start + Math.floor(dice() * minutes * 60_000)
  const { key_slot: _, ...fields } = attempt({
    provider,
    status,
    started_at: DateTime.formatIso(DateTime.makeUnsafe(startedMs)),
    duration_ms: Math.floor(dice() ** 4 * 40_000),
    hits_count: status === "success" ? 1 + Math.floor(dice() * 9) : 0
  })
  return provider === "duckduckgo" ? fields : { ...fields, key_slot: 1 + Math.floor(dice() * 2) }
}

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

/** A fact as the log takes it. */
export const logged = (event: SessionEvent): Effect.Effect<NewEvent> =>
  codec.encode(event, uuidv7(1_000), metadata)

/** A search as the log takes it. */
export const calledWith = (...attempts: ReadonlyArray<SearchAttempt>): Effect.Effect<NewEvent> =>
  logged(called(0, [], { attempts }))

export const anyCalled = (dice: Dice): Effect.Effect<NewEvent> =>
  calledWith(...Array.from({ length: Math.floor(dice() * 4) }, () => anyAttempt(dice)))

/** A pack that was made, or one that another session was given. */
export const anyPack = (dice: Dice): Effect.Effect<NewEvent> =>
  logged(dice() < 0.5 ? packCreated() : cachedPackUsed())

/** An event of an unknown type, or one that does not decode. */
export const strange = (type: string, data: NewEvent["data"]): NewEvent => ({
  eventId: uuidv7(1_000),
  type,
  schemaVersion: 1,
  data,
  metadata
})

/** As many as one append takes; to the end of the session's stream. */
export const append = (session_id: string, events: ReadonlyArray<NewEvent>, tenant_id = "t") =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const ref: StreamRef = { tenant_id, session_id }
    const { head } = yield* store.read(ref)
    return yield* store.append(head, events)
  })

/** The states of the keys as a process keeps them that makes these attempts. */
export const learnt = (attempts: ReadonlyArray<SearchAttempt>) =>
  Effect.flatMap(KeyRing.KeyRing, ({ learn }) => Effect.forEach(attempts, learn)).pipe(
    Effect.provide(Layer.fresh(KeyRing.layer), { local: true })
  )
