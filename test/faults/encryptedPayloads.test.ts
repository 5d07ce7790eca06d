/**
 * Payloads as ciphertext in a real PostgreSQL.
 *
 * Promise: no table holds a payload in the clear; a ciphertext opens only where it was written;
 * without its key a payload is erased and its chain verifies; a change is reported as damage; a
 * process without the wrapping key does not start.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { sql } from "kysely"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import {
  EventStore,
  type NewEvent,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import * as StoredKeys from "../../src/infrastructure/encryption/PayloadKeys.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as WrappingKeys from "../../src/infrastructure/postgres/WrappingKeys.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest } from "../support/verifiedHistory.ts"

const canary = "canary-7d31"

const event = (text: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { text: `${canary} ${text}` },
  metadata: { correlation_id: "g-1", causation_id: "c-1", actor: "test" }
})

const ref = (session_id: string): StreamRef => ({ tenant_id: "t", session_id })

const recorded = (session: string, count = 2) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const { head } = yield* store.read(ref(session))
    return yield* store.append(head, Array.from({ length: count }, (_, n) => event(String(n))))
  })

const read = (session: string) => Effect.flatMap(EventStore, (store) => store.read(ref(session)))

const run = (text: string) =>
  Effect.flatMap(Postgres, ({ run }) => run((db) => sql.raw<never>(text).execute(db)))

/** As an attacker who switches the guards off. */
const edited = (text: string) =>
  Effect.flatMap(
    Postgres,
    ({ transaction }) =>
      transaction(Effect.andThen(run("set local session_replication_role = replica"), run(text)))
  )

const rowsOf = <Row>(text: string) =>
  Effect.flatMap(
    Postgres,
    ({ run }) => Effect.map(run((db) => sql.raw<Row>(text).execute(db)), ({ rows }) => rows)
  )

const faultOf = (session: string) =>
  Effect.map(read(session), ({ events, head }) => {
    const verified = HashChain.verify({ sha256, canonical }, head, events)
    return Result.isFailure(verified) ? verified.failure : undefined
  })

/** A process of its own over the file's database. */
const inProcess =
  (keys: Layer.Layer<StoredKeys.PayloadKeys>) =>
  <A, E>(effect: Effect.Effect<A, E, EventStore | Postgres | StoredKeys.PayloadKeys>) =>
    Effect.flatMap(Postgres, (postgres) =>
      effect.pipe(
        Effect.provide(
          Layer.fresh(PostgresEventStore.layer).pipe(
            Layer.provideMerge(Layer.succeed(Postgres, postgres)),
            Layer.provideMerge(keys)
          )
        )
      ))

const layer = VerifyLog.layer.pipe(
  Layer.provideMerge(Layer.merge(PostgresEventStore.layer, PostgresLogRows.layer)),
  Layer.provide(MemoryAnchors.none),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(PayloadKeys.layer),
  Layer.provide(digest)
)

describe("payloads under data keys", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("are read as they were recorded, and are nowhere in the clear", () =>
      Effect.gen(function*() {
        const { events } = yield* recorded("clear", 3)
        assert.deepStrictEqual((yield* read("clear")).events, events)
        const elsewhere = yield* inProcess(PayloadKeys.layer)(read("clear"))
        assert.deepStrictEqual(elsewhere.events, events)
        const rows = yield* rowsOf<{ readonly text: string; readonly bytes: number }>(
          `select data::text || encode(seal, 'hex') as text, octet_length(seal) as bytes
            from wg.events where stream_id = '${events[0]?.streamId}'`
        )
        for (const [index, { bytes, text }] of rows.entries()) {
          assert.notInclude(text, canary)
          assert.notInclude(text, events[index]?.salt ?? "none")
          assert.strictEqual(bytes, 64)
        }
      }))

    it.effect("cost a new session no statement more, and an append none while its key is held", () =>
      Effect.gen(function*() {
        const postgres = yield* Postgres
        const names: Array<string> = []
        const counted = Layer.succeed(
          Postgres,
          Postgres.of({
            ...postgres,
            prepared: (statement, parameters) => {
              names.push(statement.name)
              return postgres.prepared(statement, parameters)
            }
          })
        )
        yield* Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read(ref("counted"))
          names.length = 0
          const first = yield* store.append(head, [event("a")])
          yield* store.append(first.head, [event("b")])
        }).pipe(Effect.provide(Layer.fresh(PostgresEventStore.layer).pipe(Layer.provide(counted))))
        assert.deepStrictEqual(names, ["wg_start_keyed", "wg_continue"])
      }).pipe(Effect.provide(PayloadKeys.layer)))

    it.effect("open only where they were written", () =>
      Effect.gen(function*() {
        const { head } = yield* recorded("swapped")
        yield* edited(`update wg.events e set data = other.data from wg.events other
          where e.stream_id = '${head.streamId}' and other.stream_id = e.stream_id
            and other.version = 3 - e.version`)
        const { events } = yield* read("swapped")
        assert.deepStrictEqual(events.map(({ data }) => data), [{}, {}])
        assert.deepStrictEqual(yield* faultOf("swapped"), { kind: "payload_edited", version: 1 })

        const typed = yield* recorded("typed")
        yield* edited(`update wg.events set type = 'WEB_GROUNDING_OTHER'
          where stream_id = '${typed.head.streamId}'`)
        assert.deepStrictEqual((yield* read("typed")).events.map(({ data }) => data), [{}, {}])

        const one = yield* recorded("one")
        const other = yield* recorded("other")
        yield* edited(`update wg.payload_keys k set wrapped = (select wrapped from wg.payload_keys
            where stream_id = '${one.head.streamId}') where stream_id = '${other.head.streamId}'`)
        assert.deepStrictEqual(
          yield* inProcess(PayloadKeys.layer)(faultOf("other")),
          { kind: "payload_edited", version: 1 }
        )
        assert.isUndefined(yield* inProcess(PayloadKeys.layer)(faultOf("one")))
      }))

    it.effect("are erased with their key, and damage where the key is there and does not open", () =>
      Effect.gen(function*() {
        const { verify } = yield* VerifyLog.VerifyLog
        const faults = (session: string) =>
          Effect.map(
            verify({ tenantId: "t", sessionId: session }, { mode: "full" }),
            ({ erased, faults }) => [erased, faults.map(({ kind }) => kind)] as const
          )
        const { head } = yield* recorded("shredded")
        yield* edited(`delete from wg.payload_keys where stream_id = '${head.streamId}'`)
        assert.isUndefined(yield* faultOf("shredded"))
        assert.deepStrictEqual(
          (yield* read("shredded")).events.map(({ data, salt }) => [data, salt]),
          [[null, null], [null, null]]
        )
        // Without an order to erase it.
        assert.deepStrictEqual(yield* faults("shredded"), [2, [
          "payload_missing",
          "payload_missing"
        ]])
        yield* edited(
          `update wg.streams set erased_at = now() where stream_id = '${head.streamId}'`
        )
        assert.deepStrictEqual(yield* faults("shredded"), [2, []])

        const damaged = yield* recorded("damaged")
        yield* edited(`update wg.payload_keys set wrapped = overlay(wrapped placing 'AAAA' from 40)
          where stream_id = '${damaged.head.streamId}'`)
        assert.deepStrictEqual(yield* faults("damaged"), [0, ["payload_edited", "payload_edited"]])
      }))

    it.effect("join those that were recorded before there was a key", () =>
      Effect.gen(function*() {
        const plain = yield* inProcess(PayloadKeys.plaintext)(recorded("joined"))
        const later = yield* recorded("joined", 1)
        const { events } = yield* read("joined")
        assert.deepStrictEqual(events, [...plain.events, ...later.events])
        assert.isUndefined(yield* faultOf("joined"))
        const rows = yield* rowsOf<{ readonly bytes: number }>(
          `select octet_length(seal) as bytes from wg.events
            where stream_id = '${later.head.streamId}' order by version`
        )
        assert.deepStrictEqual(rows.map(({ bytes }) => bytes), [80, 80, 64])
      }))

    it.effect("need their wrapping key, which may be a former one", () =>
      Effect.gen(function*() {
        const { events } = yield* recorded("wrapped")
        const next = PayloadCipher.drawnKey()
        const rotated = inProcess(PayloadKeys.layerOf(next, [PayloadKeys.key]))
        assert.deepStrictEqual((yield* rotated(read("wrapped"))).events, events)
        yield* inProcess(PayloadKeys.layer)(WrappingKeys.check)
        yield* rotated(WrappingKeys.check)
        yield* inProcess(PayloadKeys.layerOf(PayloadKeys.key, [next]))(WrappingKeys.check)
        for (const keys of [PayloadKeys.plaintext, PayloadKeys.layerOf(PayloadCipher.drawnKey())]) {
          const without = inProcess(keys)
          const failed = yield* Effect.flip(without(read("wrapped")))
          assert.include(String(failed.cause), "give it as PAYLOAD_KEY")
          const started = yield* Effect.flip(without(WrappingKeys.check))
          assert.strictEqual(started._tag, "PayloadKeyMissing")
        }
      }))
  })

  it("are not opened by another row's authentication", () => {
    const wrapping = PayloadCipher.wrappingOf(PayloadCipher.drawnKey(), [])
    const { key, wrapped } = PayloadCipher.drawDataKey(wrapping, "here")
    const text = PayloadCipher.encryptText(key, "secret", "here")
    assert.deepStrictEqual(PayloadCipher.decryptText(key, text, "here"), Option.some("secret"))
    assert.isTrue(Option.isNone(PayloadCipher.decryptText(key, text, "there")))
    assert.isTrue(Result.isSuccess(PayloadCipher.unwrap(wrapping, wrapped, "here")))
    assert.deepStrictEqual(PayloadCipher.unwrap(wrapping, wrapped, "there"), Result.fail("damaged"))
    assert.notStrictEqual(text, PayloadCipher.encryptText(key, "secret", "here"))
  })

  it.effect("have a key file of their own next to the embedded store, and keep it", () =>
    Effect.gen(function*() {
      const directory = mkdtempSync(join(tmpdir(), "wg-keys-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true })))
      const file = join(directory, "payload.key")
      const none = { current: Option.none(), former: Option.none() }
      const idsOf = Effect.map(
        StoredKeys.ofDirectory(directory, none),
        (wrapping) => Option.map(wrapping, ({ current, held }) => [current.id, [...held.keys()]])
      )
      const first = yield* idsOf
      assert.isTrue(Option.isSome(first))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* idsOf, first)
      const set = yield* StoredKeys.ofDirectory(directory, {
        ...none,
        current: Option.some(Redacted.make(PayloadKeys.key))
      })
      assert.lengthOf([...Option.getOrThrow(set).held], 2)
      assert.notInclude(JSON.stringify(set), PayloadKeys.key)
      writeFileSync(file, "no key")
      const refused = yield* Effect.flip(StoredKeys.ofDirectory(directory, none))
      assert.strictEqual(refused.problem, "it holds no key")
    }).pipe(Effect.scoped))
})
