/** Instruments that may be put around the parts to observe them. */
import { type Context, Effect, Layer } from "effect"
import * as MemoryBreakers from "../adapters/breakers/MemoryBreakers.ts"
import * as AskHealth from "../application/AskHealth.ts"
import * as GroundQuestion from "../application/GroundQuestion.ts"
import type { EventStore } from "../application/ports/EventStore.ts"
import type { Breakers, Credits } from "../application/ports/SearchProvider.ts"
import type { Postgres } from "../infrastructure/postgres/Postgres.ts"
import type { Engines } from "./Engines.ts"
import * as Storage from "./Storage.ts"

/** A layer that provides as much as the one it is given. */
type Around<I> = <A, E, R>(layer: Layer.Layer<A | I, E, R>) => Layer.Layer<A | I, E, R>

export interface Instruments {
  /** Circuit breakers of the process, shared by all its users. */
  readonly breakers: Layer.Layer<Breakers>
  readonly grounding: typeof GroundQuestion.layer
  readonly health: typeof AskHealth.layer
  readonly projections: typeof Storage.projections
  readonly engines: Around<Engines>
  readonly log: Around<EventStore>
  readonly credits: Around<Credits>
  readonly database: Around<Postgres>
}

/** Instruments that observe nothing, for every process that does not serve. */
export const none: Instruments = {
  breakers: MemoryBreakers.layer,
  grounding: GroundQuestion.layer,
  health: AskHealth.layer,
  projections: Storage.projections,
  engines: (engines) => engines,
  log: (log) => log,
  credits: (credits) => credits,
  database: (database) => database
}

/** Wraps one service of a layer that may provide others too. */
export const instrumented = <I, Service>(
  tag: Context.Key<I, Service>,
  wrap: (service: Service) => Service
) =>
<A, E, R>(layer: Layer.Layer<A | I, E, R>): Layer.Layer<A | I, E, R> =>
  Layer.effect(tag, Effect.map(tag, wrap)).pipe(Layer.provideMerge(layer))
