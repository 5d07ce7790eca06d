/** Anchors cover a growing log, and reveal what was changed in it behind the service's back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import { VerifyLog } from "../../src/application/audit/VerifyLog.ts"
import { EventStore, type LoggedEvent } from "../../src/application/ports/EventStore.ts"
import type { LogFault } from "../../src/domain/audit/LogCheck.ts"
import * as MerkleTree from "../../src/domain/audit/MerkleTree.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { sha256OfHex } from "../../src/infrastructure/signing/Ed25519.ts"
import { anchoring, log, newKey, type Tampering } from "../support/anchoredLog.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"

const ref = (session_id: string) => ({ tenant_id: "t", session_id })

/** Records events in two streams, in turn. */
const record = Effect.fnUntraced(function*(count: number) {
  const { append, read } = yield* EventStore
  for (let index = 0; index < count; index++) {
    const { head } = yield* read(ref(index % 2 === 0 ? "a" : "b"))
    yield* append(head, [{
      eventId: crypto.randomUUID(),
      type: "NOTED",
      schemaVersion: 1,
      data: { index },
      metadata: { correlation_id: "r", causation_id: "r", actor: "test" }
    }])
  }
})

/** Seven events anchored, four more anchored, two more not. Positions are 3, 6, 9 and so on. */
const anchored = Effect.gen(function*() {
  const { make } = yield* MakeAnchors
  yield* record(7)
  const first = yield* make
  yield* record(4)
  const second = yield* make
  yield* record(2)
  return { first, second }
})

const world = () => {
  const held = MemoryAnchors.held()
  const tampering: Tampering = { rows: undefined }
  const key = newKey()
  return {
    held,
    tampering,
    key,
    layer: anchoring(held, key).pipe(Layer.provideMerge(log(tampering)))
  }
}

/** What the anchors show; what single events and streams show is left out. */
const faults = Effect.gen(function*() {
  const { verify } = yield* VerifyLog
  const { faults } = yield* verify({}, { mode: "full" })
  return faults.filter(({ line, tree_size }) => line !== undefined || tree_size !== undefined)
})

const faultsAfter = (
  change: (events: ReadonlyArray<LoggedEvent>) => ReadonlyArray<LoggedEvent>
) => {
  const { layer, tampering } = world()
  return Effect.gen(function*() {
    yield* anchored
    tampering.rows = change
    return yield* faults
  }).pipe(Effect.provide(layer))
}

const without = (place: number) => (events: ReadonlyArray<LoggedEvent>) =>
  events.filter((_, index) => index !== place)

describe("anchors", () => {
  it.effect("go on from the one before to the root over the whole log, and verify", () => {
    const { held, layer } = world()
    return Effect.gen(function*() {
      const { first, second } = yield* anchored
      assert.strictEqual(Option.getOrThrow(first.anchor).tree_size, 7)
      assert.strictEqual(Option.getOrThrow(first.anchor).last_position, "21")
      assert.strictEqual(second.shipped, 1)
      const statement = Option.getOrThrow(second.anchor)
      const hashes: Array<string> = []
      const leaves: Array<string> = []
      const store = yield* EventStore
      for (const session of ["a", "b"]) {
        const { events } = yield* store.read(ref(session))
        events.forEach(({ hash, position }) => {
          const place = Number(position) - 1
          const entry = JSON.stringify([String(position * 3n), "t", session, hash])
          hashes[place] = hash
          if (place < 11) leaves[place] = sha256(`\0${entry}`)
        })
      }
      assert.strictEqual(statement.root_hash, MerkleTree.root(sha256OfHex, leaves))
      assert.strictEqual(statement.log_id, hashes[0])
      assert.lengthOf(held.file, 2)

      const { verify } = yield* VerifyLog
      const { anchor, anchors, events, faults } = yield* verify({}, { mode: "full" })
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(events, 13)
      assert.deepStrictEqual(anchors, { count: 2, uncovered: 2, outside: true })
      assert.deepInclude(anchor, { log_id: statement.log_id, tree_size: 13, last_position: "39" })
      const later = yield* verify({}, { mode: "incremental" })
      assert.deepStrictEqual([later.events, later.anchor?.root_hash], [2, anchor?.root_hash])
    }).pipe(Effect.provide(layer))
  })

  it.effect("are not made twice of the same log, nor of nothing, nor without a key", () => {
    const { held, layer } = world()
    return Effect.gen(function*() {
      const { make } = yield* MakeAnchors
      assert.isTrue(Option.isNone((yield* make).anchor))
      yield* record(1)
      assert.isTrue(Option.isSome((yield* make).anchor))
      assert.isTrue(Option.isNone((yield* make).anchor))
      held.turn = "another"
      assert.strictEqual((yield* Effect.flip(make))._tag, "AnchorTurnTaken")
      const keyless = yield* MakeAnchors.pipe(
        Effect.flatMap(({ make }) => Effect.flip(make)),
        Effect.provide(anchoring(MemoryAnchors.held(), undefined))
      )
      assert.strictEqual(keyless._tag, "AnchorKeyMissing")
    }).pipe(Effect.provide(layer))
  })

  it.effect("name a log that was cut off, and from where", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* faultsAfter((events) => events.slice(0, 9)), [{
        kind: "truncated",
        tree_size: 11,
        after_position: "27",
        until_position: "33"
      }])
      const whole = yield* faultsAfter(() => [])
      assert.deepStrictEqual(whole.map(({ kind }) => kind), ["truncated", "truncated"])
    }))

  it.effect("name what is missing, was put in or was rewritten, by its positions", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* faultsAfter(without(8)), [{
        kind: "removed",
        tree_size: 11,
        after_position: "21",
        until_position: "33"
      }])
      const again = yield* faultsAfter((events) =>
        events.flatMap((event, index) =>
          index === 3 ? [event, { ...event, position: event.position }] : [event]
        )
      )
      assert.deepStrictEqual(again, [{
        kind: "resurrected",
        tree_size: 7,
        after_position: "0",
        until_position: "21"
      }])
      const other = yield* faultsAfter((events) =>
        events.map((event, index) =>
          index === 9 ? { ...event, hash: sha256OfHex(event.hash) } : event
        )
      )
      const told = ["rewritten 11"]
      const toldOf = ({ kind, tree_size }: LogFault) => `${kind} ${tree_size}`
      assert.deepStrictEqual(other.map(toldOf), told)
      for (const owner of [{ tenantId: "u" }, { sessionId: "z" }]) {
        const given = yield* faultsAfter((events) =>
          events.map((event, index) => index === 9 ? { ...event, ...owner } : event)
        )
        const isRow = "sessionId" in owner
        // The session is known from the stream's row.
        assert.deepStrictEqual(given.map(toldOf), isRow ? [] : told)
      }
    }))

  it.effect("are themselves held against the file outside, and against their signatures", () => {
    const { held, layer } = world()
    return Effect.gen(function*() {
      yield* anchored
      const { make } = yield* MakeAnchors
      const sound = structuredClone({ anchors: held.anchors, file: held.file })
      const kinds = Effect.map(faults, (all) => all.map(({ kind }) => kind))

      held.anchors = held.anchors.slice(0, 1)
      assert.deepStrictEqual(yield* kinds, ["anchor_removed"])
      held.anchors = [...sound.anchors]
      held.file = held.file.slice(1)
      assert.deepStrictEqual(yield* kinds, ["not_outside"])
      held.file = [...sound.file, undefined]
      assert.deepStrictEqual(yield* kinds, ["unreadable"])
      held.file = [...sound.file]

      const [first, second] = held.anchors
      assert.isDefined(first)
      assert.isDefined(second)
      held.anchors = [first, {
        ...second,
        envelope: { ...second.envelope, payload: first.envelope.payload }
      }]
      assert.deepStrictEqual(yield* kinds, ["bad_signature", "anchor_removed"])
      yield* record(1)
      assert.strictEqual((yield* Effect.flip(make))._tag, "AnchorsTampered")
      held.anchors = [first, { ...second, frontier: first.frontier }]
      assert.strictEqual((yield* Effect.flip(make))._tag, "AnchorsTampered")
    }).pipe(Effect.provide(layer))
  })

  it.effect("of another log are named as such, once", () => {
    const { held, key, layer } = world()
    return Effect.gen(function*() {
      yield* anchored
      const own = held.file
      const foreign = MemoryAnchors.held()
      yield* Effect.provide(
        anchored,
        Layer.fresh(anchoring(foreign, key).pipe(Layer.provideMerge(log({ rows: undefined }))))
      )
      const { verify } = yield* VerifyLog
      const found = Effect.map(verify({}, { mode: "full" }), ({ faults }) => faults)
      const [statement] = foreign.file.map((envelope) => envelope?.payload ?? "")
      const { log_id } = JSON.parse(Buffer.from(statement ?? "", "base64").toString())
      held.file = foreign.file
      const range = { tree_size: 7, after_position: "0", until_position: "21" }
      assert.deepStrictEqual(yield* found, [{ kind: "other_log", log_id, ...range }])
      held.anchors = []
      assert.deepStrictEqual(yield* found, [{ kind: "other_log", log_id, ...range }])
      held.file = [...foreign.file, ...own]
      held.anchors = []
      const kinds = (yield* found).map(({ kind }) => kind)
      assert.deepStrictEqual(kinds, ["other_log", "anchor_removed", "anchor_removed"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a former key verify after the key was changed; of a stranger's they do not", () => {
    const { held, layer, tampering } = world()
    return Effect.gen(function*() {
      yield* anchored
      const store = yield* EventStore
      const by = (key: string) =>
        Layer.fresh(anchoring(held, key)).pipe(Layer.provide(Layer.succeed(EventStore, store)))
      const next = by(newKey())
      yield* Effect.provide(Effect.flatMap(MakeAnchors, ({ make }) => make), next)
      assert.strictEqual(held.keys.length, 2)
      const check = Effect.flatMap(VerifyLog, ({ verify }) => verify({}, { mode: "full" })).pipe(
        Effect.provide(next)
      )
      const checked = yield* check
      assert.deepStrictEqual(checked.anchors, { count: 3, uncovered: 0, outside: true })
      assert.deepStrictEqual(checked.faults, [])
      held.keys = held.keys.slice(1)
      assert.deepStrictEqual(
        (yield* check).faults.filter(({ kind }) => kind === "unknown_key").length,
        4
      )
      assert.isUndefined(tampering.rows)
    }).pipe(Effect.provide(layer))
  })
})
