/** Read models under test: a runner over one or more consumers, rows read and folded anew. */
import { Effect, Layer, Schema, Stream } from "effect"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import { instance } from "./grounding.ts"

export const everything = { from: "", until: "\uffff", limit: 1_000_000 }

/** A runner of its own, as another process would have it. */
export const runnerOf = (
  owner: string,
  ...consumers: ReadonlyArray<Projection.Consumer>
): Layer.Layer<ProjectionRunner.ProjectionRunner, never, EventStore | ReadModels> =>
  Layer.fresh(ProjectionRunner.layer(consumers)).pipe(
    Layer.provide(Layer.mergeAll(instance(owner), VerifiedLog.layerLogSignal))
  )

/** Brings the consumers up to date as `owner`, who then gives its leases back. */
export const catchUp = (owner: string, ...consumers: ReadonlyArray<Projection.Consumer>) =>
  Effect.flatMap(ProjectionRunner.ProjectionRunner, (runner) => runner.catchUp).pipe(
    Effect.provide(runnerOf(owner, ...consumers), { local: true })
  )

/** What readers see of a model. */
export const shown = (model: string) =>
  Effect.gen(function*() {
    const { range } = yield* ReadModels
    const snapshot = yield* range({ model, ...everything })
    return {
      version: snapshot?.version ?? 0,
      position: snapshot?.position ?? logStart,
      rows: Object.fromEntries(snapshot?.rows ?? [])
    }
  })

/** The fold of the log's sound events up to a place, in memory: what the rows should be. */
export const folded = (consumer: Projection.Consumer, until: bigint) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const events = yield* Stream.runCollect(
      Stream.takeWhile(store.all(logStart), ({ position }) => position <= until)
    )
    const sound = yield* Effect.filter(events, (event) => Effect.isSuccess(consumer.plan([event])))
    const { fold } = yield* consumer.plan(sound)
    const rows = yield* fold(new Map())
    return Object.fromEntries([...rows].filter(([, row]) => row !== undefined))
  })

/** Counts what it sees: any event twice, left out or out of order shows in its rows. */
export const Tally = (options: {
  readonly name: string
  readonly version?: number
  /** Throws on it. */
  readonly poison?: (requestId: string) => boolean
}) =>
  Projection.define({
    name: options.name,
    version: options.version ?? 1,
    on: ["WEB_GROUNDING_CALLED"],
    row: Schema.Struct({ count: Schema.Int, last: Schema.String, version: Schema.Int }),
    key: ({ event }) => ["all", event.call_id],
    evolve: (
      row: { readonly count: number; readonly last: string; readonly version: number } | undefined,
      { event, stored }
    ) => {
      if (options.poison?.(event.request_id) === true) throw new TypeError("poison")
      return {
        count: (row?.count ?? 0) + 1,
        last: String(stored.position),
        version: options.version ?? 1
      }
    }
  })

/** Read models as a process leaves them that is killed in the midst of its commits. */
export const killedAt = (isKilled: () => boolean) =>
  Layer.effect(
    ReadModels,
    Effect.map(ReadModels, (real) =>
      ReadModels.of({
        ...real,
        commit: (lease, page, fold) =>
          real.commit(lease, page, (rows) =>
            Effect.tap(fold(rows), () => isKilled() ? Effect.die("killed") : Effect.void))
      }))
  )
