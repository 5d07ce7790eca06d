/**
 * Streams as this process last read them, by key: reading one again fetches only what was appended
 * since, so it costs the same however long the stream has become.
 */
import { Effect, Option, Ref } from "effect"
import type { StreamRef } from "../ports/EventStore.ts"
import type { Loaded } from "./CommandHandler.ts"

/**
 * Keeps the folded state of streams in memory, so that a later read folds only newer events. `load`
 * reads a whole stream, `catchUp` what was appended since.
 */
export const make = <Key, State, E, R>({ catchUp, load, streamOf }: {
  readonly streamOf: (key: Key) => StreamRef
  readonly load: (ref: StreamRef) => Effect.Effect<Loaded<State>, E, R>
  readonly catchUp: (known: Loaded<State>) => Effect.Effect<Loaded<State>, E, R>
}) =>
  Effect.map(Ref.make<ReadonlyMap<Key, Loaded<State>>>(new Map()), (all) => {
    const keep = (key: Key, { head, state }: Loaded<State>) =>
      Ref.update(all, (before) => new Map(before).set(key, { head, state }))

    /** State of a stream as it was last read. None: it never was. */
    const known = (key: Key) =>
      Effect.map(Ref.get(all), (streams) => Option.fromUndefinedOr(streams.get(key)))

    /** State of a stream as the log has it now. */
    const current = Effect.fnUntraced(function*(key: Key) {
      const loaded = yield* Option.match(yield* known(key), {
        onNone: () => load(streamOf(key)),
        onSome: catchUp
      })
      yield* keep(key, loaded)
      return loaded
    })

    return { current, keep, known }
  })
