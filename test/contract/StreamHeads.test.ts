/** Heads of streams that are asked for at the same moment: one statement, and each its own answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { EventStore, type StreamRef } from "../../src/application/ports/EventStore.ts"
import { salt } from "../../src/infrastructure/Digest.ts"
import { Postgres, PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import { strange } from "../support/attempts.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const run = salt()
const streamsCount = 100

/** Statements that were sent, and how many of them fail before they are. */
const sent = { heads: 0, failing: 0 }

/** A database that counts, and refuses, statements that read heads. */
const counting = Layer.effect(
  Postgres,
  Effect.map(Postgres, (postgres) =>
    Postgres.of({
      ...postgres,
      prepared: (statement, parameters) =>
        Effect.suspend(() => {
          if (statement.name !== "wg_read_heads") return postgres.prepared(statement, parameters)
          sent.heads += 1
          if (sent.failing === 0) return postgres.prepared(statement, parameters)
          sent.failing -= 1
          return Effect.fail(
            new PostgresError({ fault: "other", may_have_run: false, cause: "told to fail" })
          )
        })
    }))
).pipe(Layer.provideMerge(TestDatabase.layer))

const layer = PlainEventStore.layer.pipe(Layer.provideMerge(counting))

const event = () => strange("WEB_GROUNDING_TESTED", {})

const refOf = (place: number): StreamRef => ({
  tenant_id: place % 2 === 0 ? "default" : "other \"tenant\", 'x' \\",
  session_id: `${run}-${Math.floor(place / 2)}-é가`
})
const refs = Array.from({ length: streamsCount }, (_, place) => refOf(place))

/** Streams of one to four events; each tenth is never written to. */
const filled = Effect.gen(function*() {
  const store = yield* EventStore
  yield* Effect.forEach(refs, (ref, place) =>
    Effect.gen(function*() {
      if (place % 10 === 9) return
      const { head } = yield* store.read(ref)
      yield* store.append(head, Array.from({ length: 1 + place % 4 }, event))
    }), { concurrency: 8 })
  const client = yield* TestDatabase.connect
  yield* Effect.promise(() =>
    client.query("update wg.streams set erased_at = now() where session_id = $1", [
      refOf(4).session_id
    ])
  )
}).pipe(Effect.scoped)

const headsOf = (asked: ReadonlyArray<StreamRef>) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    return yield* Effect.forEach(
      asked,
      (ref) => Effect.map(store.read(ref, 0, 0), ({ head }) => head),
      { concurrency: asked.length }
    )
  })

const headOf = (ref: StreamRef) =>
  Effect.flatMap(EventStore, (store) => Effect.map(store.read(ref), ({ head }) => head))

describe("heads asked for at the same moment", () => {
  it.layer(layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("are each stream's own, and cost a statement for each 64", () =>
      Effect.gen(function*() {
        yield* filled
        sent.heads = 0
        const heads = yield* headsOf(refs)
        assert.strictEqual(sent.heads, Math.ceil(streamsCount / 64))
        const alone = yield* Effect.forEach(refs, headOf)
        for (const [place, head] of heads.entries()) {
          // What was never written to has another id each time it is asked for.
          const { hash, streamId, ...rest } = head
          const { hash: ownHash, streamId: ownId, ...own } = alone[place] ?? head
          assert.deepStrictEqual(rest, own, String(place))
          if (head.version > 0) assert.deepStrictEqual([hash, streamId], [ownHash, ownId])
        }
        assert.deepStrictEqual(
          heads.flatMap(({ erasedAt }, place) => erasedAt === undefined ? [] : [place]),
          [4, 5]
        )
        assert.deepStrictEqual(
          heads.slice(0, 10).map(({ version }) => version),
          [1, 2, 3, 4, 1, 2, 3, 4, 1, 0]
        )
      }))

    it.effect("are asked for one by one when the statement for all fails, and fail alone", () =>
      Effect.gen(function*() {
        sent.failing = 1
        const after = yield* headsOf(refs.slice(0, 3))
        assert.deepStrictEqual(after.map(({ version }) => version), [1, 2, 3])
        sent.failing = 2
        const store = yield* EventStore
        const exits = yield* Effect.forEach(
          refs.slice(0, 3),
          (ref) => Effect.exit(store.read(ref, 0, 0)),
          { concurrency: 3 }
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, true])
      }))
  })
})
