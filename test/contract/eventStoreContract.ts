/** What every `EventStore` adapter owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer, Result, Schema, Stream } from "effect"
import {
  appendEventsMax,
  EventStore,
  logStart,
  type NewEvent,
  type StreamHistory,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { salt, sha256, uuidv5 } from "../../src/infrastructure/Digest.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const namespace = "5f2c1a52-0d7e-4c1b-9a40-6a6f7c3b5a11"

/** Sessions are unlike between tests and runs, so that tests may share a database. */
const run = salt()
const refOf = (session_id: string): StreamRef => ({
  tenant_id: "default",
  session_id: `${run}-${session_id}`
})

const event = (name: string, data: Schema.Json = { name }): NewEvent => ({
  eventId: uuidv5(namespace, `${run}/${name}`),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data,
  metadata: { correlation_id: "g-1", causation_id: "c-1", actor: "test" }
})

const nested = (depth: number): Schema.Json => depth === 0 ? 1 : [nested(depth - 1)]

const hostile: ReadonlyArray<readonly [string, Schema.Json]> = [
  ["an emoji", "👩🏽‍🚀 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["line separators", "a\u2028b\u2029c\r\n\t"],
  ["quotes and backslashes", "\\u0000 \\\\ud800 \" ' ` $1 %s -- ; drop table"],
  ["a byte order mark and overrides", "\ufeff\u202e\u200d\u0001\u007f\u0085"],
  ["keys that look like numbers", { "10": 1, "9": 2, a: 3, "": 4, "-1": 5 }],
  ["a key named __proto__", JSON.parse("{\"__proto__\": {\"polluted\": true}, \"a\": 1}")],
  ["numbers at the edges", [5e-324, 1.7976931348623157e308, -1e21, 0.1, 9007199254740993]],
  ["nesting of 64", nested(64)],
  ["64 KiB on a line", "x".repeat(65_536)],
  ["the JSON null", null],
  ["nothing at all", {}]
]

const unstorable: ReadonlyArray<readonly [string, unknown]> = [
  ["NUL", "a\0b"],
  ["NUL in a key", { "a\0": 1 }],
  ["a lone high surrogate", ["\ud800"]],
  ["a lone low surrogate", { a: "x\udfff" }],
  ["NaN", { a: NaN }],
  ["infinity", [Infinity]],
  ["nesting of 65", nested(65)],
  ["a date", { at: new Date(0) }],
  ["a function", () => 1],
  ["undefined in an array", [undefined]],
  ["a bigint", 1n]
]

const racers = 24

/** All append at one head: the number of successes, and the number of new events. */
const race = Effect.fnUntraced(function*(store: EventStore["Service"], round: string) {
  const { head } = yield* store.read(refOf("race"))
  const exits = yield* Effect.forEach(
    Array.from({ length: racers }, (_, racer) => `${round}-${racer}`),
    (racer) => Effect.exit(store.append(head, [event(`${racer}-a`), event(`${racer}-b`)])),
    { concurrency: "unbounded" }
  )
  const after = yield* store.read(refOf("race"))
  return { winners: exits.filter(Exit.isSuccess).length, added: after.head.version - head.version }
})

export const eventStoreContract = (name: string, layer: Layer.Layer<EventStore, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `EventStore: ${name}`,
    (it) => {
      const started = (session: string, events: ReadonlyArray<NewEvent>) =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read(refOf(session))
          return yield* store.append(head, events)
        })

      it.effect("shows a stream never written to as empty, with a fresh key", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { events, head } = yield* store.read(refOf("never"))
          assert.deepStrictEqual(events, [])
          assert.strictEqual(head.version, 0)
          assert.match(head.streamId, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
          assert.strictEqual(head.hash, HashChain.genesis({ sha256, canonical }, head.streamId))
        }))

      it.effect("reads back what was appended, oldest first", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const first = yield* started("order", [event("o-1"), event("o-2")])
          const second = yield* store.append(first.head, [event("o-3")])
          const history = yield* store.read(refOf("order"))
          assert.deepStrictEqual(history.events, [...first.events, ...second.events])
          assert.deepStrictEqual(history.head, second.head)
          assert.deepStrictEqual(
            history.events.map(({ data, version }) => [version, data]),
            [[1, { name: "o-1" }], [2, { name: "o-2" }], [3, { name: "o-3" }]]
          )
          const positions = history.events.map(({ position }) => position)
          assert.isTrue(positions.every((at, index) => index === 0 || at > positions[index - 1]!))
        }))

      it.effect("takes appends of many streams at the same moment, each as if it was alone", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const names = Array.from({ length: 40 }, (_, index) => `crowd-${index}`)
          const payloadOf = (index: number) => hostile[index % hostile.length]?.[1] ?? null
          const pair = (index: number, name: string) => [
            event(`${name}-${index}-a`, payloadOf(index)),
            event(`${name}-${index}-b`)
          ]
          const heads = yield* Effect.forEach(
            names,
            (name) => Effect.map(store.read(refOf(name)), ({ head }) => head)
          )
          const appended = (name: string) =>
            Effect.forEach(
              heads,
              (head, index) => Effect.exit(store.append(head, pair(index, name))),
              { concurrency: "unbounded" }
            )
          const begun = yield* appended("begun")
          assert.isTrue(begun.every(Exit.isSuccess))

          // Every fifth is where it was: its head has passed.
          const next = begun.flatMap((exit) => Exit.isSuccess(exit) ? [exit.value.head] : [])
          heads.forEach((_, index) => heads[index] = index % 5 === 0 ? heads[index]! : next[index]!)
          const continued = yield* appended("continued")
          assert.deepStrictEqual(
            continued.map((exit) => Exit.isSuccess(exit)),
            names.map((_, index) => index % 5 !== 0)
          )
          for (const [index, name] of names.entries()) {
            const { events, head } = yield* store.read(refOf(name))
            const told = [begun[index], continued[index]].flatMap((exit) =>
              exit !== undefined && Exit.isSuccess(exit) ? exit.value.events : []
            )
            assert.deepStrictEqual(events, told)
            assert.deepStrictEqual(events[0]?.data, payloadOf(index))
            assert.isTrue(Result.isSuccess(HashChain.verify({ sha256, canonical }, head, events)))
            const positions = events.map(({ position }) => position)
            assert.deepStrictEqual(
              positions,
              positions.toSorted((one, other) => one < other ? -1 : 1)
            )
          }

          const [first] = heads
          if (first === undefined) return
          // Sent twice, and twins of a stream among others.
          const again = yield* Effect.forEach(names, (_, index) =>
            index === 0
              ? Effect.exit(store.append(first, pair(0, "begun")))
              : Effect.exit(store.append(next[1]!, [event(`twin-${index}`)])), {
            concurrency: "unbounded"
          })
          assert.isTrue(again[0] !== undefined && Exit.isSuccess(again[0]))
          assert.isTrue(again.slice(1).every(Exit.isFailure), "its head had passed")
          const fresh = yield* store.read(refOf(names[1] ?? ""))
          const twins = yield* Effect.forEach(
            names,
            (_, index) => Effect.exit(store.append(fresh.head, [event(`twin-${index}`)])),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(twins.filter(Exit.isSuccess), 1)
          const after = yield* store.read(refOf(names[1] ?? ""))
          assert.strictEqual(after.head.version, fresh.head.version + 1)
        }))

      it.effect("reads only what comes after a version, with the stream's head", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { events, head } = yield* started("after", [
            event("n-1"),
            event("n-2"),
            event("n-3")
          ])
          const after = (version: number) => store.read(refOf("after"), version)
          assert.deepStrictEqual(yield* after(0), { head, events })
          assert.deepStrictEqual(yield* after(1), { head, events: events.slice(1) })
          assert.deepStrictEqual(yield* after(3), { head, events: [] })
          assert.deepStrictEqual(yield* after(7), { head, events: [] })
          const two = yield* store.read(refOf("after"), 0, 2)
          assert.deepStrictEqual(two, { head, events: events.slice(0, 2) })
          assert.strictEqual((yield* store.read(refOf("after never"), 7)).head.version, 0)
        }))

      it.effect("dates events by the clock that it shows", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const before = yield* store.now
          const { events: [dated] } = yield* started("dated", [event("d-1")])
          const recordedMs = Date.parse(dated?.recordedAt ?? "")
          assert.isAtLeast(recordedMs, before)
          assert.isAtMost(recordedMs, yield* store.now)
        }))

      it.effect("keeps tenants apart that use the same session id", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          yield* started("tenants", [event("t-1")])
          const other = { ...refOf("tenants"), tenant_id: "other" }
          assert.strictEqual((yield* store.read(other)).head.version, 0)
        }))

      it.effect("refuses an append to a stream in the name of another tenant or session", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* started("owned", [event("w-1")])
          const others = [{ tenant_id: "other" }, { session_id: `${run}-other` }]
          for (const other of others) {
            const ref = { ...refOf("owned"), ...other }
            const error = yield* Effect.flip(store.append({ ...head, ref }, [event("w-2")]))
            assert.strictEqual(error._tag, "StreamConflict")
            assert.deepStrictEqual((yield* store.read(ref)).events, [])
          }
          assert.deepStrictEqual((yield* store.read(refOf("owned"))).head, head)
        }))

      it.effect("refuses an append at a stale version and writes nothing", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head: stale } = yield* store.read(refOf("stale"))
          yield* store.append(stale, [event("s-1")])
          const error = yield* Effect.flip(store.append(stale, [event("s-2"), event("s-3")]))
          assert.strictEqual(error._tag, "StreamConflict")
          assert.strictEqual((yield* store.read(refOf("stale"))).head.version, 1)
        }))

      it.effect("refuses a version from the future, on a stream that is there or not", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* started("future", [event("f-1")])
          const ahead = store.append({ ...head, version: 7 }, [event("f-2")])
          assert.strictEqual((yield* Effect.flip(ahead))._tag, "StreamConflict")
          const { head: absent } = yield* store.read(refOf("absent"))
          const early = store.append({ ...absent, version: 3 }, [event("f-3")])
          assert.strictEqual((yield* Effect.flip(early))._tag, "StreamConflict")
        }))

      it.effect("refuses a head whose hash is not the stream's", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* started("forged", [event("h-1")])
          const forged = store.append({ ...head, hash: sha256("forged") }, [event("h-2")])
          assert.strictEqual((yield* Effect.flip(forged))._tag, "StreamConflict")
        }))

      it.effect("lets one of 24 racers win, on a new stream and on an old one", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          for (const round of ["new", "old"]) {
            const { added, winners } = yield* race(store, round)
            assert.strictEqual(winners, 1)
            assert.strictEqual(added, 2)
          }
        }))

      it.effect("lands an append once, however often it is sent", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const events = [event("i-1"), event("i-2")]
          const { head } = yield* store.read(refOf("again"))
          const first = yield* store.append(head, events)
          yield* store.append(first.head, [event("i-3")])
          const again = yield* Effect.forEach(
            Array.from({ length: 10 }, () => head),
            (head) => store.append(head, events),
            { concurrency: 5 }
          )
          for (const history of again) assert.deepStrictEqual(history, first)
          assert.strictEqual((yield* store.read(refOf("again"))).head.version, 3)
        }))

      it.effect("does not take part of an append sent again for the whole", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read(refOf("part"))
          yield* store.append(head, [event("p-1")])
          const longer = yield* Effect.flip(store.append(head, [event("p-1"), event("p-2")]))
          assert.strictEqual(longer._tag, "StreamConflict")
        }))

      it.effect("records all events of an append or none", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read(refOf("atomic"))
          const bad = event("a-2", "a\0b")
          const error = yield* Effect.flip(store.append(head, [event("a-1"), bad]))
          assert.strictEqual(error._tag, "EventNotStorable")
          const { head: after } = yield* store.read(refOf("atomic"))
          assert.strictEqual(after.version, 0)
        }))

      it.effect("appends up to the ceiling at once, and not beyond", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const many = Array.from({ length: appendEventsMax + 1 }, (_, n) => event(`m-${n}`))
          const error = yield* Effect.flip(started("many", many))
          assert.strictEqual(error._tag, "EventNotStorable")
          const { head } = yield* started("many", many.slice(1))
          assert.strictEqual(head.version, appendEventsMax)
          assert.deepStrictEqual(yield* store.append(head, []), { head, events: [] })
        }))

      it.effect("gives hostile content back unchanged", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const events = hostile.map(([name, data]) => event(`hostile ${name}`, data))
          yield* started("hostile", events)
          const { events: back } = yield* store.read(refOf("hostile"))
          back.forEach(({ data }, index) => {
            assert.deepStrictEqual(data, hostile[index]?.[1], hostile[index]?.[0])
          })
        }))

      it.effect("refuses what it could not give back", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read(refOf("unstorable"))
          for (const [what, data] of unstorable) {
            const unsafe = { ...event("u-1"), data } as NewEvent
            const error = yield* Effect.flip(store.append(head, [unsafe]))
            assert.strictEqual(error._tag, "EventNotStorable", what)
          }
          for (
            const strange of [{ type: "a b" }, { eventId: "1" }, { eventId: run.toUpperCase() }]
          ) {
            const error = yield* Effect.flip(store.append(head, [{ ...event("u-2"), ...strange }]))
            assert.strictEqual(error._tag, "EventNotStorable", JSON.stringify(strange))
          }
          for (const session_id of ["a\0b", "\ud800"]) {
            const ref = { tenant_id: "default", session_id }
            const { head } = yield* store.read(ref)
            assert.strictEqual(head.version, 0)
            const error = yield* Effect.flip(store.append(head, [event("u-3")]))
            assert.strictEqual(error._tag, "EventNotStorable")
          }
          assert.strictEqual((yield* store.read(refOf("unstorable"))).head.version, 0)
        }))

      it.effect("chains a stream so that it verifies, and an edit shows", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const first = yield* started(
            "chain",
            hostile.map(([n, data]) => event(`chain ${n}`, data))
          )
          yield* store.append(first.head, [event("chain end")])
          const { events, head } = yield* store.read(refOf("chain"))
          const digests = { sha256, canonical }
          assert.isTrue(Result.isSuccess(HashChain.verify(digests, head, events)))
          const edited = events.map((event) => event.version === 3 ? { ...event, data: 1 } : event)
          assert.deepStrictEqual(
            HashChain.verify(digests, head, edited),
            Result.fail({ kind: "payload_edited" as const, version: 3 })
          )
        }))

      it.effect("streams the whole log in order, after a position", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const one = yield* started("log-1", [event("l-1"), event("l-2")])
          const two = yield* started("log-2", [event("l-3")])
          const three = yield* store.append(one.head, [event("l-4")])
          const logged = ({ events, head: { ref } }: Pick<StreamHistory, "events" | "head">) =>
            events.map((event) => ({
              ...event,
              tenantId: ref.tenant_id,
              sessionId: ref.session_id
            }))
          const ours = [one, two, three].flatMap(logged)
          const log = yield* Stream.runCollect(store.all(logStart))
          const keys = new Set(ours.map(({ eventId }) => eventId))
          assert.deepStrictEqual(log.filter(({ eventId }) => keys.has(eventId)), ours)
          assert.isTrue(log.every(({ position }, n) => n === 0 || position > log[n - 1]!.position))
          const rest = yield* Stream.runCollect(store.all(one.events[1]!.position))
          assert.deepStrictEqual(rest, [two, three].flatMap(logged))
          const none = yield* Stream.runCollect(store.all(three.events[0]!.position))
          assert.deepStrictEqual(none, [])
        }))

      it.effect("counts what comes after a position, with the time of the oldest", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const one = yield* started("count-1", [event("c-1"), event("c-2")])
          const two = yield* started("count-2", [event("c-3")])
          const [first, second] = one.events
          assert.deepStrictEqual(yield* store.backlog(first!.position, 10), {
            count: 2,
            oldestAt: second!.recordedAt
          })
          assert.strictEqual((yield* store.backlog(first!.position, 1)).count, 1)
          assert.deepStrictEqual(yield* store.backlog(two.events[0]!.position, 10), { count: 0 })
        }))

      it.effect("streams more than a page, and stops on request", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const from = (yield* started("pages", [event("pages")])).events[0]!.position
          let { head } = yield* store.read(refOf("pages"))
          for (let append = 0; append < 40; append++) {
            const events = Array.from({ length: 60 }, (_, n) => event(`page-${append}-${n}`))
            head = (yield* store.append(head, events)).head
          }
          const log = yield* Stream.runCollect(store.all(from))
          assert.deepStrictEqual(
            log.map(({ version }) => version),
            [...log.keys()].map((n) => n + 2)
          )
          assert.strictEqual(log.length, 2_400)
          const some = yield* Stream.runCollect(Stream.take(store.all(from), 1_001))
          assert.deepStrictEqual(some, log.slice(0, 1_001))
        }))

      it.effect("restores what another log recorded as it was, and all of it or nothing", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const tenant_id = `restored-${run}`
          const recorded = yield* Effect.gen(function*() {
            const other = yield* EventStore
            for (const [place, session_id] of ["a", "b", "a"].entries()) {
              const { head } = yield* other.read({ tenant_id, session_id })
              const two = [event(`restored ${place} first`), event(`restored ${place} second`)]
              yield* other.append(head, two)
            }
            return [...yield* Stream.runCollect(other.all(logStart))]
          }).pipe(Effect.provide(MemoryEventStore.layer, { local: true }))
          const [taken] = recorded
          if (taken === undefined) return assert.fail("nothing was recorded")
          const before = yield* Stream.runCollect(store.all(logStart))
          const from = before.at(-1)?.position ?? logStart

          // A second stream of the same session: what went in before it is taken back.
          const streamId = uuidv5(namespace, `${run}/another stream`)
          const broken = [...recorded, {
            ...taken,
            streamId,
            eventId: uuidv5(namespace, `${run}/another event`)
          }]
          assert.strictEqual((yield* Effect.flip(store.restore(broken)))._tag, "StreamConflict")
          assert.deepStrictEqual(yield* store.streams(tenant_id, 10), [])

          yield* store.restore(recorded)
          const restored = [...yield* Stream.runCollect(store.all(from))]
          const without = (events: typeof recorded) =>
            events.map(({ position: _, ...event }) => event)
          assert.deepStrictEqual(without(restored), without(recorded))
          const { events, head } = yield* store.read({ tenant_id, session_id: "a" })
          assert.strictEqual(head.streamId, taken.streamId)
          assert.isTrue(Result.isSuccess(HashChain.verify({ sha256, canonical }, head, events)))
          // It goes on from there like any other stream.
          yield* store.append(head, [event("more")])
          assert.strictEqual((yield* Effect.flip(store.restore(recorded)))._tag, "StreamConflict")
        }))

      it.effect("lists a tenant's streams, newest first, at most as many as asked", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const tenant_id = `tenant-${run}`
          for (const session_id of ["x", "y", "z"]) {
            const { head } = yield* store.read({ tenant_id, session_id })
            yield* store.append(head, [event(`list-${session_id}`)])
          }
          const two = yield* store.streams(tenant_id, 2)
          assert.deepStrictEqual(two.map(({ ref }) => ref.session_id), ["z", "y"])
          const { head } = yield* store.read({ tenant_id, session_id: "z" })
          const { createdAt, ...summary } = two[0]!
          assert.deepStrictEqual(summary, head)
          assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
          assert.deepStrictEqual(yield* store.streams("nobody", 10), [])
          const older = yield* store.streams(tenant_id, 2, two[1]?.streamId)
          assert.deepStrictEqual(older.map(({ ref }) => ref.session_id), ["x"])
        }))
    }
  )
