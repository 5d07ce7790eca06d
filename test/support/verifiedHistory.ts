/** Three sessions of two tenants whose events are interleaved, at positions 1 to 12. */
import { Effect, Layer } from "effect"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import type { LogVerification } from "../../src/contract/Replayed.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"

export const digest = Layer.succeed(Digest, { sha256, canonical })

const order = ["a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "c", "a"] as const
const tenants = { a: "t1", b: "t1", c: "t2" } as const

const event = (word: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { secret: word, list: [1, 2] },
  metadata: { correlation_id: "g", causation_id: "c", actor: "test" }
})

export const recorded = Effect.gen(function*() {
  const store = yield* EventStore
  for (const [index, session_id] of order.entries()) {
    const { head } = yield* store.read({ tenant_id: tenants[session_id], session_id })
    yield* store.append(head, [event(`${session_id}${index}`)])
  }
})

/**
 * Each fault as `kind session version #position`, with `-` for what it does not name. Of what an
 * anchor shows the position is the one up to which it shows.
 */
export const toldOf = ({ faults }: LogVerification): ReadonlyArray<string> =>
  faults.map(({ kind, position, session_id, until_position, version }) => {
    const place = position ?? until_position
    return [kind, session_id ?? "-", version ?? "-", place === undefined ? "-" : `#${place}`]
      .join(" ")
  })
