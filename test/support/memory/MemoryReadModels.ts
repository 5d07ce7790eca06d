/**
 * Read models in memory: the promises of the port for as long as it lives, by the process's clock.
 */
import { Clock, Effect, Layer, Option, Ref, Schema, Semaphore } from "effect"
import { type LogPosition, logStart } from "../../../src/application/ports/EventStore.ts"
import {
  type Changes,
  type Checkpoint,
  type DeadLetter,
  type Lease,
  LeaseLost,
  leaseMs,
  LeaseRefused,
  type ReadModelId,
  ReadModels,
  type Rows
} from "../../../src/application/ports/ReadModels.ts"

/** Of rows that are listed. */
const decodeSorted = Schema.decodeUnknownOption(Schema.Struct({
  sort_key: Schema.String,
  words: Schema.String,
  flags: Schema.Array(Schema.String)
}))

interface Kept {
  readonly id: ReadModelId
  readonly state: Checkpoint["state"]
  readonly position: LogPosition
  readonly owner: string | undefined
  readonly token: number
  readonly untilMs: number
  readonly lastError: string | undefined
  readonly letters: ReadonlyMap<bigint, DeadLetter>
  readonly rows: ReadonlyMap<string, Schema.Json>
}

interface World {
  readonly live: ReadonlyMap<string, number>
  readonly kept: ReadonlyMap<string, Kept>
}

export const layer = Layer.effect(
  ReadModels,
  Effect.gen(function*() {
    const world = yield* Ref.make<World>({ live: new Map(), kept: new Map() })
    const writing = yield* Semaphore.make(1)

    const find = (id: ReadModelId) => Effect.map(Ref.get(world), ({ kept }) => kept.get(nameOf(id)))

    const put = (kept: Kept) =>
      Ref.update(world, (before) => ({
        ...before,
        kept: new Map(before.kept).set(nameOf(kept.id), kept)
      }))

    /** The read model, if the lease is its latest. */
    const owned = Effect.fnUntraced(function*({ id, owner, token }: Lease) {
      const kept = yield* find(id)
      return kept?.owner === owner && String(kept.token) === token && isWritten(kept.state)
        ? kept
        : yield* new LeaseLost(id)
    })

    const register = (id: ReadModelId) =>
      Effect.map(Ref.get(world), ({ live }): Kept => ({
        id,
        state: stateOfFirst(id.version, live.get(id.model)),
        position: logStart,
        owner: undefined,
        token: 0,
        untilMs: 0,
        lastError: undefined,
        letters: new Map(),
        rows: new Map()
      })).pipe(
        Effect.tap(put),
        Effect.tap(() =>
          Ref.update(world, (before) => ({
            ...before,
            live: new Map([[id.model, id.version], ...before.live])
          }))
        )
      )

    const acquire: ReadModels["Service"]["acquire"] = Effect.fnUntraced(function*(id, owner) {
      const kept = (yield* find(id)) ?? (yield* register(id))
      const nowMs = yield* Clock.currentTimeMillis
      const { position, state } = kept
      if (state === "halted" || state === "retired") {
        return yield* new LeaseRefused({ ...id, reason: state })
      }
      if (kept.owner !== undefined && kept.owner !== owner && kept.untilMs >= nowMs) {
        return yield* new LeaseRefused({ ...id, reason: "held" })
      }
      const token = kept.token + (kept.owner === owner ? 0 : 1)
      yield* put({ ...kept, owner, token, untilMs: nowMs + leaseMs })
      return { id, owner, token: String(token), position, state }
    }, writing.withPermit)

    const commit: ReadModels["Service"]["commit"] = (lease, { keys, parked, to }, fold) =>
      writing.withPermit(Effect.gen(function*() {
        const kept = yield* owned(lease)
        if (kept.position !== lease.position) return yield* new LeaseLost(lease.id)
        const rows = changed(kept, yield* fold(askedOf(kept, keys)))
        const letters = parked === undefined
          ? kept.letters
          : new Map(kept.letters).set(parked.position, parked)
        const untilMs = (yield* Clock.currentTimeMillis) + leaseMs
        yield* put({ ...kept, rows, letters, position: to, untilMs, lastError: undefined })
        return { ...lease, position: to }
      }))

    const correct: ReadModels["Service"]["correct"] = (id, keys, fold) =>
      writing.withPermit(Effect.gen(function*() {
        const kept = yield* find(id)
        if (kept === undefined || !isWritten(kept.state)) {
          const reason = kept?.state === "halted" ? "halted" : "retired"
          return yield* new LeaseRefused({ ...id, reason })
        }
        yield* put({ ...kept, rows: changed(kept, yield* fold(askedOf(kept, keys))) })
      }))

    const goLive: ReadModels["Service"]["goLive"] = Effect.fnUntraced(function*(lease) {
      const { model, version } = lease.id
      const own = yield* owned(lease)
      const { live } = yield* Ref.get(world)
      const old = yield* find({ model, version: live.get(model) ?? version })
      if (own.state !== "rebuilding") return yield* new LeaseLost(lease.id)
      if (old === undefined || old.position > own.position) return lease
      yield* put({ ...old, ...ended, token: old.token + 1, state: "retired", rows: new Map() })
      yield* put({ ...own, state: "running" })
      yield* Ref.update(world, (before) => ({
        ...before,
        live: new Map(before.live).set(model, version)
      }))
      const running: Lease = { ...lease, state: "running" }
      return running
    }, writing.withPermit)

    const halt: ReadModels["Service"]["halt"] = Effect.fnUntraced(function*(lease, lastError) {
      const kept = yield* owned(lease)
      yield* put({ ...kept, ...ended, state: "halted", lastError })
    }, writing.withPermit)

    const release: ReadModels["Service"]["release"] = (lease) =>
      writing.withPermit(
        owned(lease).pipe(
          Effect.flatMap((kept) => put({ ...kept, ...ended })),
          Effect.catchTag("LeaseLost", () => Effect.void)
        )
      )

    const range: ReadModels["Service"]["range"] = ({ from, limit, model, until }) =>
      Effect.map(Ref.get(world), ({ kept, live }) => {
        const version = live.get(model)
        const shown = version === undefined ? version : kept.get(nameOf({ model, version }))
        return shown === undefined ? undefined : {
          version: shown.id.version,
          position: shown.position,
          rows: [...shown.rows]
            .filter(([key]) => key >= from && key < until)
            .sort(([one], [other]) => one < other ? -1 : 1)
            .slice(0, limit)
        }
      })

    const listing: ReadModels["Service"]["listing"] = (
      { flag, from, limit, model, until, words = "" }
    ) =>
      Effect.map(
        range({ model, from: "", until: "\u{10ffff}", limit: Infinity }),
        (snapshot) =>
          snapshot === undefined ? undefined : {
            ...snapshot,
            rows: snapshot.rows
              .flatMap(([key, row]) => {
                const sorted = Option.getOrUndefined(decodeSorted(row))
                return sorted === undefined ? [] : [{ key, row, ...sorted }]
              })
              .filter((row) => row.sort_key >= from && row.sort_key < until)
              .filter((row) => flag === undefined || row.flags.includes(flag))
              .filter((row) => row.words.includes(words))
              .sort((one, other) => one.sort_key < other.sort_key ? 1 : -1)
              .slice(0, limit)
              .map(({ key, row }) => [key, row] as const)
          }
      )

    const checkpoints = Effect.map(Ref.get(world), ({ kept }) =>
      [...kept.values()]
        .sort((one, other) => nameOf(one.id) < nameOf(other.id) ? -1 : 1)
        .map(({ id, lastError, letters, owner, position, state }): Checkpoint => ({
          id,
          state,
          position,
          owner,
          lastError,
          parked: letters.size
        })))

    return ReadModels.of({
      acquire,
      commit,
      correct,
      goLive,
      halt,
      release,
      range,
      listing,
      checkpoints
    })
  })
)

const nameOf = ({ model, version }: ReadModelId): string => `${model}@${version}`

const askedOf = ({ rows }: Kept, keys: ReadonlyArray<string>): Rows =>
  new Map(
    keys.flatMap((key) => {
      const row = rows.get(key)
      return row === undefined ? [] : [[key, row] as const]
    })
  )

const changed = ({ rows: before }: Kept, changes: Changes): Rows => {
  const rows = new Map(before)
  for (const [key, row] of changes) {
    if (row === undefined) rows.delete(key)
    else rows.set(key, row)
  }
  return rows
}

const ended = { owner: undefined, untilMs: 0 }

const isWritten = (state: Checkpoint["state"]): boolean =>
  state === "running" || state === "rebuilding"

const stateOfFirst = (version: number, live: number | undefined): Checkpoint["state"] => {
  if (live === undefined || live === version) return "running"
  return live < version ? "rebuilding" : "retired"
}
