/** A stream that was changed in the database is refused when it is read, and reported. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, References } from "effect"
import pg from "pg"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  askedRequest,
  caller,
  instance,
  limits,
  providers,
  scripted
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const digest = Layer.succeed(Digest, { sha256, canonical })
const raw = PlainEventStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const event = (word: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { secret: word, list: [1, 2] },
  metadata: { correlation_id: "g", causation_id: "c", actor: "test" }
})

/** As another process would have it. */
const verifying = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, Layer.fresh(VerifiedLog.layer.pipe(Layer.provide(digest))), {
    local: true
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

const kindOf = (session_id: string) =>
  Effect.flatMap(EventStore, (store) => store.read({ tenant_id: "t", session_id })).pipe(
    Effect.match({
      onFailure: (failure) => failure._tag === "LogTampered" ? failure.kind : failure._tag,
      onSuccess: ({ events }) => `${events.length} events`
    })
  )

const at = "where stream_id = $stream and version = 3"
const forged = `insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
    schema_version, data, metadata, seal)
  select stream_id, 6, tenant_id, recorded_at, gen_random_uuid(), type, schema_version, data,
    metadata, seal from wg.events where stream_id = $stream and version = 5`

const set = (change: string) => `update wg.events set ${change} ${at}`
const flipped = (bytes: string, place: number) =>
  `${bytes} = set_byte(${bytes}, ${place}, 255 - get_byte(${bytes}, ${place}))`
const stream = "where stream_id = $stream"

/**
 * What is done to a stream of five events, what a process that reads it for the first time says,
 * and one that has read it before, where it says something else.
 */
const ways: ReadonlyArray<readonly [string, string, string, string?]> = [
  ["a value", set(`data = '{"secret": "no", "list": [1, 2]}'`), "payload_edited"],
  ["a key more", set(`data = data || '{"more": 1}'`), "payload_edited"],
  ["a key less", set("data = data - 'list'"), "payload_edited"],
  ["no payload", set("data = null"), "payload_edited"],
  ["another salt", set(flipped("seal", 70)), "payload_edited"],
  ["another digest", set(flipped("seal", 3)), "payload_edited"],
  ["another hash", set(flipped("seal", 40)), "link_broken"],
  ["another actor", set(`metadata = metadata || '{"actor": "x"}'`), "link_broken"],
  ["another request", set(`metadata = metadata || '{"correlation_id": "x"}'`), "link_broken"],
  ["another type", set("type = 'X'"), "link_broken"],
  ["another version of its shape", set("schema_version = 2"), "link_broken"],
  ["another time", set("recorded_at = recorded_at - interval '1 day'"), "link_broken"],
  ["another event id", set("event_id = gen_random_uuid()"), "link_broken"],
  ["an event taken out", `delete from wg.events ${at}`, "version_gap"],
  [
    "two events swapped",
    `${set("version = 30")};
    update wg.events set version = 3 ${stream} and version = 4;
    update wg.events set version = 4 ${stream} and version = 30`,
    "link_broken"
  ],
  ["an event put after the last", forged, "link_broken"],
  ["the last event taken out", `delete from wg.events ${stream} and version = 5`, "head_mismatch"],
  ["another head", `update wg.streams set ${flipped("head_hash", 0)} ${stream}`, "head_mismatch"],
  ["a head put back", `update wg.streams set version = 4 ${stream}`, "head_mismatch"],
  ["a head at nothing", `update wg.streams set version = 0 ${stream}`, "head_mismatch"],
  [
    "its tail taken out together with its head",
    `delete from wg.events ${stream} and version > 3;
    update wg.streams set version = 3, head_hash = (select substring(seal from 33 for 32)
      from wg.events ${at}) ${stream}`,
    "3 events",
    "rewound"
  ],
  [
    "a stream removed",
    `delete from wg.events ${stream}; delete from wg.streams ${stream}`,
    "0 events",
    "rewound"
  ],
  [
    "a stream renamed",
    `update wg.streams set session_id = 'else ' || stream_id::text ${stream}`,
    "0 events",
    "rewound"
  ],
  // An erasure, lawful or not, keeps the chain: its events are reported as erased.
  ["an event erased", set("data = null, seal = substring(seal for 64)"), "5 events"],
  // No hash covers these: they are for a verification of the whole log.
  ["another tenant of an event", set("tenant_id = 'x'"), "5 events"],
  ["another position", set("position = nextval('wg.position')"), "5 events"],
  [
    "another time of the stream's start",
    `update wg.streams set created_at = now() ${stream}`,
    "5 events"
  ]
]

const tamper = (client: pg.Client, streamId: string, statements: string) =>
  Effect.promise(() =>
    client.query(
      `begin; set local session_replication_role = replica; ` +
        `${statements.replaceAll("$stream", `'${streamId}'`)}; commit`
    )
  )

describe("a stream that was changed in the database", () => {
  it.layer(raw, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(ways)(
      "by %s is told by its kind",
      ([what, statements, fresh, knowing = fresh]) =>
        Effect.gen(function*() {
          const client = yield* TestDatabase.connect
          const session_id = `changed ${what}`
          yield* verifying(Effect.gen(function*() {
            const store = yield* EventStore
            const { head } = yield* store.read({ tenant_id: "t", session_id })
            const words = ["a", "b", "c", "d", "e"]
            yield* store.append(head, words.map(event))
            assert.strictEqual(yield* kindOf(session_id), "5 events")
            yield* tamper(client, head.streamId, statements)
            assert.strictEqual(yield* kindOf(session_id), knowing)
          }))
          assert.strictEqual(yield* verifying(kindOf(session_id)), fresh)
        }).pipe(Effect.scoped)
    )
  })
})

describe("a stream that others append to while it is read", () => {
  const ref = { tenant_id: "t", session_id: "s" }

  /** Each whole read ends only after another event was appended by `append`. */
  const slowReads = (under: EventStore["Service"], append: () => Effect.Effect<unknown>) =>
    EventStore.of({
      ...under,
      read: (asked) => Effect.tap(under.read(asked), () => append())
    })

  it.effect("is no changed one", () =>
    Effect.gen(function*() {
      const under = yield* EventStore
      let appending: Effect.Effect<unknown> = Effect.void
      const slow = slowReads(under, () => appending)
      const context = yield* Layer.build(VerifiedLog.layer).pipe(
        Effect.provideService(EventStore, slow)
      )
      const verified = Context.get(context, EventStore)
      const { head } = yield* under.read(ref)
      yield* verified.append(head, [event("a")])
      appending = Effect.suspend(() => {
        appending = Effect.void
        return Effect.orDie(
          Effect.flatMap(under.read(ref), (now) => verified.append(now.head, [event("b")]))
        )
      })
      const history = yield* verified.read(ref)
      assert.lengthOf(history.events, 1)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(MemoryEventStore.layer, digest))))
})

describe("a page of a stream", () => {
  /** Five events, of which the store gives back the third with another payload. */
  const over = (from: number, eventsMax: number | undefined) =>
    Effect.gen(function*() {
      const under = yield* EventStore
      const ref = { tenant_id: "t", session_id: "s" }
      const { head } = yield* under.read(ref)
      yield* under.append(head, ["a", "b", "c", "d", "e"].map(event))
      const changing = EventStore.of({
        ...under,
        read: (...asked) =>
          Effect.map(under.read(...asked), ({ events, head }) => ({
            head,
            events: events.map((one) => one.version === 3 ? { ...one, data: "changed" } : one)
          }))
      })
      const context = yield* Layer.build(VerifiedLog.layer).pipe(
        Effect.provideService(EventStore, changing)
      )
      const { read } = Context.get(context, EventStore)
      const versions = Effect.map(
        read(ref, from, eventsMax),
        ({ events }) => events.map(({ version }) => version)
      )
      return yield* Effect.match(versions, {
        onFailure: (failure) => failure._tag === "LogTampered" ? failure.version : failure._tag,
        onSuccess: (versions) => versions
      })
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(MemoryEventStore.layer, digest)))

  it.effect("is verified from the event before it to its own last one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* over(0, 2), [1, 2])
      assert.deepStrictEqual(yield* over(1, 2), 3)
      assert.deepStrictEqual(yield* over(2, 1), 3)
      assert.deepStrictEqual(yield* over(3, 1), [4])
      assert.deepStrictEqual(yield* over(3, undefined), [4, 5])
      assert.deepStrictEqual(yield* over(0, undefined), 3)
    }))
})

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
const found = answerWith([
  hit("https://housing.gov.example/notice", { official: true, content: notice })
])

const serviceOver = <E, R>(log: Layer.Layer<EventStore, E, R>) =>
  useCases.pipe(
    Layer.provideMerge(log),
    Layer.provide(PostgresServiceState.layer),
    Layer.provide(Layer.mergeAll(providers(scripted(found)), instance("p1"), limits())),
    Layer.provideMerge(TestDatabase.layer)
  )

const verified = VerifiedLog.layer.pipe(
  Layer.provide(Layer.merge(PlainEventStore.layer, digest))
)

const changed = "One week is enough."

/**
 * Grounds, changes the recorded question's pack in the database, and asks in four ways. Events
 * appended in between let the process read the log again instead of its memory.
 */
const askedAgain = Effect.gen(function*() {
  const api = yield* PublicApi
  yield* api.ground(askedRequest, caller)
  yield* api.shown({ session_id: "s", request_id: "r", audience: "coach" }, caller)
  const client = yield* TestDatabase.connect
  yield* Effect.promise(() =>
    client.query(`begin; set local session_replication_role = replica;
      update wg.events set data = replace(data::text, $$${notice}$$, $$${changed}$$)::jsonb
        where type in ('WEB_GROUNDING_PACK_CREATED', 'WEB_GROUNDING_FINISHED'); commit`)
  )
  const count = () =>
    Effect.promise(() => client.query("select count(*)::int as events from wg.events")).pipe(
      Effect.map(({ rows }): number => rows[0].events)
    )
  const before = yield* count()
  const told = (
    answer: Effect.Effect<unknown, { readonly _tag: string; readonly detail?: string }>
  ) =>
    Effect.match(answer, {
      onFailure: ({ _tag, detail }) => `${_tag} ${detail}`,
      onSuccess: (value) => JSON.stringify(value)
    })
  const id = { session_id: "s", request_id: "r" }
  const answers = {
    repeated: yield* told(api.ground(askedRequest, caller)),
    pack: yield* told(api.pack(id, caller)),
    // By this the session's page says that its record was changed.
    session: yield* told(api.session({ session_id: "s", after: 0, limit: 200 }, caller)),
    shown: yield* told(api.shown({ ...id, audience: "user" }, caller)),
    asked: yield* told(
      api.ground({ ...askedRequest, request_id: "r2", topic: "What is a tram?" }, caller)
    )
  }
  return { answers, appended: (yield* count()) - before }
})

describe("the service over a changed session", () => {
  it.live("answers nothing from it, appends nothing, logs and alerts once, and still replays", () => {
    const lines: Array<string> = []
    const keep = Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel} ${String(message)}`)
    })
    return Effect.gen(function*() {
      const { answers, appended } = yield* askedAgain
      assert.deepStrictEqual(
        new Set(Object.values(answers)),
        new Set(["InternalFailure record_changed"])
      )
      assert.strictEqual(appended, 0)
      const api = yield* PublicApi
      const { alerts } = yield* api.health({}, "deployment")
      const [alert] = alerts.filter(({ _tag }) => _tag === "LogTampered")
      assert.deepInclude(alert, {
        severity: "critical",
        tenant_id: "t",
        session_id: "s",
        version: 10,
        kind: "payload_edited"
      })
      assert.lengthOf(alerts, 1)
      assert.lengthOf(
        lines.filter((line) => /^Error the log was changed by someone other/.test(line)),
        1
      )
      const { chain_fault } = yield* api.replay({ session_id: "s" }, caller)
      assert.deepStrictEqual(chain_fault, { version: 10, kind: "payload_edited" })
      const client = yield* TestDatabase.connect
      yield* Effect.promise(() =>
        client.query(`begin; set local session_replication_role = replica;
          update wg.events set data = '{}' where version = 2; commit`)
      )
      const unread = yield* Effect.flip(api.replay({ session_id: "s" }, caller))
      assert.match(unread.message, /changed in the database at event 2: run web-grounding verify/)
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.fresh(serviceOver(verified))),
      Effect.provide(Logger.layer([keep]))
    )
  })
})
