/**
 * Logs that the database's owner rewrote so that every chain fits: cut off, rewritten, put back to
 * an earlier time and continued, or with a session taken out. Without an outside anchor nothing
 * reveals it, which is the limit that `docs/eventstore.md` states; with one, each change is named
 * with the anchors around it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, Stream } from "effect"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import {
  EventStore,
  type LoggedEvent,
  LogPosition,
  logStart,
  type NewEvent
} from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { salt, sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { anchoringRows, newKey } from "../support/anchoredLog.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryLogRows from "../support/memory/MemoryLogRows.ts"

const attacksCount = 300
const eventsCount = 24
/** An anchor covers so many events more than the one before it. */
const anchorEvery = 6
const sessions = ["a", "b", "c", "d"] as const
const tenant_id = "t"

const held = MemoryAnchors.held()

const layer = anchoringRows(held, newKey()).pipe(
  Layer.provideMerge(Layer.merge(MemoryEventStore.layer, MemoryLogRows.layer)),
  Layer.provideMerge(
    Layer.sync(MemoryLogRows.MemoryRows, (): MemoryLogRows.Rows => ({ events: [], streams: [] }))
  )
)

/** Small and seeded: a failure comes again. */
const diceOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
type Dice = ReturnType<typeof diceOf>

const eventOf = (word: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { word },
  metadata: { correlation_id: "g", causation_id: "c", actor: "test" }
})

const recorded = Effect.gen(function*() {
  const store = yield* EventStore
  const { make } = yield* MakeAnchors
  const roll = diceOf(7)
  for (let count = 1; count <= eventsCount; count += 1) {
    const session_id = sessions[count <= sessions.length ? count - 1 : roll(sessions.length)] ?? "a"
    const { head } = yield* store.read({ tenant_id, session_id })
    yield* store.append(head, [eventOf(`${session_id}${count}`)])
    if (count % anchorEvery === 0) yield* make
  }
  return {
    events: yield* Stream.runCollect(store.all(logStart)),
    streams: yield* store.streams(tenant_id, sessions.length)
  }
})

type Rows = Effect.Success<typeof recorded>

/** Every chain of the log computed anew from what its events say, and every head with it. */
const sealedAnew = ({ events, streams }: Rows): Rows => {
  const heads = new Map<string, HashChain.Head>()
  const sealed = events.map((event): LoggedEvent => {
    const { recordedAt, streamId } = event
    const head = heads.get(streamId) ??
      { streamId, version: 0, hash: HashChain.genesis({ sha256, canonical }, streamId) }
    const [link] = Result.getOrThrow(
      HashChain.seal({ sha256, canonical }, head, [event], {
        recordedAt,
        salt: () => event.salt ?? salt()
      })
    )
    if (link === undefined) return event
    const { hash, payloadDigest, version } = link
    heads.set(streamId, { streamId, version, hash })
    return { ...event, version, payloadDigest, hash }
  })
  return {
    events: sealed,
    streams: streams.flatMap((stream) => {
      const head = heads.get(stream.streamId)
      return head === undefined ? [] : [{ ...stream, version: head.version, hash: head.hash }]
    })
  }
}

interface Attack {
  readonly name: string
  readonly rows: Rows
  /** Place in the log, from 1, of the first event that is another one or is missing. */
  readonly first: number
}

const cutOff = (rows: Rows, kept: number): Rows =>
  sealedAnew({ ...rows, events: rows.events.slice(0, kept) })

const attack = (rows: Rows, roll: Dice): Attack => {
  const { events, streams } = rows
  const at = roll(events.length - 1) + 1
  const chosen = events[at]
  const without = (gone: (event: LoggedEvent) => boolean): Attack => ({
    name: "events taken out",
    rows: sealedAnew({ streams, events: events.filter((event) => !gone(event)) }),
    first: events.findIndex(gone) + 1
  })
  switch (roll(5)) {
    case 0:
      return { name: "the log cut off", rows: cutOff(rows, at), first: at + 1 }
    case 1:
      return {
        ...without((event) =>
          event.streamId === chosen?.streamId && event.version >= chosen.version
        ),
        name: "a stream's tail taken out"
      }
    case 2:
      return {
        ...without((event) => event.streamId === chosen?.streamId),
        name: "a session taken out"
      }
    case 3:
      return {
        name: "an event rewritten",
        rows: sealedAnew({
          streams,
          events: events.map((event, index) =>
            index === at ? { ...event, data: { word: `forged ${roll(1_000)}` } } : event
          )
        }),
        first: at + 1
      }
    default: {
      // An earlier time put back, from which the service went on for about as long.
      const earlier = cutOff(rows, at)
      const goneOn = Array.from({ length: events.length - at + roll(3) }, (_, index) => {
        const { metadata, ...event } = eventOf(`later ${index}`)
        const model = earlier.events[roll(earlier.events.length)]
        return model === undefined ? [] : [{
          ...model,
          ...event,
          metadata,
          salt: salt(),
          position: LogPosition.make(BigInt(at + index + 1))
        }]
      })
      return {
        name: "an earlier time put back",
        rows: sealedAnew({ ...earlier, events: [...earlier.events, ...goneOn.flat()] }),
        first: at + 1
      }
    }
  }
}

describe("a log that was written anew", () => {
  it.layer(layer)((it) => {
    it.effect(`is named in ${attacksCount} cases, between two anchors, and by an outside one alone`, () =>
      Effect.gen(function*() {
        const { verify } = yield* VerifyLog.VerifyLog
        const edited = yield* MemoryLogRows.MemoryRows
        const rows = yield* recorded
        const { anchors } = held
        assert.lengthOf(anchors, eventsCount / anchorEvery)
        const put = ({ events, streams }: Rows) => {
          edited.events = [...events]
          edited.streams = [...streams]
        }
        put(rows)
        const sound = yield* verify({}, { mode: "full" })
        assert.deepStrictEqual([sound.sound, sound.anchors?.uncovered], [true, 0])

        const roll = diceOf(20_261_123)
        const names = new Set<string>()
        for (let count = 0; count < attacksCount; count += 1) {
          const { first, name, rows: forged } = attack(rows, roll)
          names.add(name)
          put(forged)
          held.anchors = []
          held.file = []
          const alone = yield* verify({}, { mode: "full" })
          assert.deepStrictEqual(alone.faults, [], `${name} at ${first}: every chain fits`)

          // The database's owner removes its anchors, too: the file is elsewhere.
          held.file = anchors.map(({ envelope }) => envelope)
          const { faults } = yield* verify({}, { mode: "full" })
          const shown = faults.filter(({ kind }) => kind !== "anchor_removed")
          const places = shown.map(({ after_position, until_position }) => [
            Number(after_position ?? 0),
            Number(until_position ?? 0)
          ])
          const [[after, until] = [0, 0]] = places
          assert.isNotEmpty(shown, `${name} at ${first}`)
          assert.isTrue(
            after !== undefined && until !== undefined && after < first && first <= until,
            `${name} at ${first}: told between ${after} and ${until}`
          )
          held.anchors = anchors
        }
        assert.strictEqual(names.size, 5)
      }))
  })
})
