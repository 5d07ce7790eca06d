/** A read model as data: the rows that a fact changes, and how. The runner owns everything else. */
import { Effect, Predicate, Schedule, Schema } from "effect"
import { ErasureEvent } from "../../domain/erasure/ErasureRecord.ts"
import { SessionEvent, sessionUpcasters } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import type { LoggedEvent } from "../ports/EventStore.ts"
import {
  type Changes,
  checkpointOf,
  type Lease,
  type LeaseLost,
  type ReadModelId,
  ReadModels,
  type ReadModelsUnavailable,
  type Rows,
  type RowsRefused
} from "../ports/ReadModels.ts"

const LogEvent = Schema.Union([SessionEvent, ErasureEvent])
type LogEvent = typeof LogEvent.Type
export type LogTag = LogEvent["_tag"]

interface LoggedFact<Event> extends Fact<Event> {
  readonly stored: LoggedEvent
}

type FactOf<Tag extends LogTag> = LoggedFact<Extract<LogEvent, { readonly _tag: Tag }>>

/** A read model. `key` and `evolve` are pure, so that a rebuild gives the same rows. */
export interface Projection<Row, Tag extends LogTag> {
  readonly name: string
  /** Raise it to rebuild the rows from the first event; readers use the old ones meanwhile. */
  readonly version: number
  readonly on: ReadonlyArray<Tag>
  readonly row: Schema.Codec<Row, unknown>
  /** Rows that this fact changes. Pure. */
  readonly key: (fact: FactOf<Tag>) => string | ReadonlyArray<string> | undefined
  /** Pure and total. `undefined` in: no row yet. `undefined` out: the row is removed. */
  readonly evolve: (row: Row | undefined, fact: FactOf<Tag>, key: string) => Row | undefined
}

export class PagePoisoned extends Schema.TaggedError<PagePoisoned>()("PagePoisoned", {
  /** Names types, paths and kinds of failure; holds nothing of an event's content. */
  problem: Schema.String
}) {}

interface PagePlan {
  readonly keys: ReadonlyArray<string>
  readonly fold: (rows: Rows) => Effect.Effect<Changes, PagePoisoned>
}

export interface Consumer extends ReadModelId {
  readonly plan: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<PagePlan, PagePoisoned>
}

export const define = <Row, Tag extends LogTag>(
  projection: Projection<Row, Tag>
): Projection<Row, Tag> => projection

export const consumer = <Row, Tag extends LogTag>(projection: Projection<Row, Tag>): Consumer => {
  const { name, on, version } = projection
  const rowCodec = Schema.toCodecJson(projection.row)
  const decodeRow = Schema.decodeUnknownEffect(rowCodec)
  const encodeRow = Schema.encodeEffect(rowCodec)

  const isOn = (fact: LoggedFact<LogEvent>): fact is FactOf<Tag> =>
    on.some((tag) => tag === fact.event._tag)

  /** Facts of stored events, except other types, erased ones, and what a readiness check asked. */
  const factsOf = (stored: LoggedEvent) =>
    on.some((tag) => tag === stored.type) && stored.metadata.actor !== "readiness"
      ? decoded(stored).pipe(
        Effect.map((event): ReadonlyArray<LoggedFact<LogEvent>> => [{ stored, event }]),
        Effect.catchTag("EventErased", () => Effect.succeed([])),
        Effect.mapError(({ problem, type }) =>
          new PagePoisoned({ problem: `${type} does not decode${placeOf(problem)}` })
        )
      )
      : Effect.succeed([])

  const moves = (facts: ReadonlyArray<FactOf<Tag>>) =>
    guarded(() =>
      facts.flatMap((fact) => {
        const keys = projection.key(fact) ?? []
        return [...new Set(typeof keys === "string" ? [keys] : keys)].map((key) => ({ fact, key }))
      })
    )

  const plan: Consumer["plan"] = Effect.fnUntraced(function*(events) {
    const facts = (yield* Effect.forEach(events, factsOf)).flat().filter(isOn)
    const all = yield* moves(facts)
    const keys = [...new Set(all.map(({ key }) => key))]
    const fold: PagePlan["fold"] = Effect.fnUntraced(function*(rows) {
      const folded = new Map<string, Row | undefined>()
      for (const [key, row] of rows) folded.set(key, yield* inRow("decode", decodeRow(row)))
      yield* guarded(() =>
        all.forEach(({ fact, key }) =>
          folded.set(key, projection.evolve(folded.get(key), fact, key))
        )
      )
      const changes = new Map<string, Schema.Json | undefined>()
      for (const [key, row] of folded) {
        changes.set(key, row === undefined ? undefined : yield* inRow("encode", encodeRow(row)))
      }
      return changes
    })
    return { keys, fold }
  })

  return { model: name, version, plan }
}

const codec = EventCodec.make(LogEvent, sessionUpcasters)

/** Read models that are given the same event decode it once. */
const known = new WeakMap<LoggedEvent, LogEvent>()

const decoded = (stored: LoggedEvent) =>
  Effect.suspend(() => {
    const event = known.get(stored)
    return event === undefined
      ? Effect.tap(codec.decode(stored), (event) => Effect.sync(() => known.set(stored, event)))
      : Effect.succeed(event)
  })

/** A schema's message may quote the value; the path after it does not. */
const placeOf = (message: string): string => / at \[[^\n]*\]/.exec(message)?.[0] ?? ""

const inRow = <A, E, R>(what: "decode" | "encode", effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, () => new PagePoisoned({ problem: `a row does not ${what}` }))

const guarded = <A>(evaluate: () => A): Effect.Effect<A, PagePoisoned> =>
  Effect.try({
    try: evaluate,
    catch: (cause) =>
      new PagePoisoned({ problem: `threw ${cause instanceof Error ? cause.name : typeof cause}` })
  })

// A failing page is retried, then halved until one event is at fault. That one is parked. Too many
// parked events halt the reading.

const attemptsMax = 3
const backoff = Schedule.jittered(Schedule.exponential("5 millis"))

/** From this many parked events on, the projection itself is taken to be at fault. */
const parkedMax = 100

/** Another event cannot be handled, after too many. */
export class ConsumerHalted extends Schema.TaggedError<ConsumerHalted>()("ConsumerHalted", {
  model: Schema.String,
  version: Schema.Int,
  position: Schema.String
}) {}

type Poison = PagePoisoned | RowsRefused
type Stopped = LeaseLost | ConsumerHalted | ReadModelsUnavailable
type Events = ReadonlyArray<LoggedEvent>

export const make = Effect.gen(function*() {
  const readModels = yield* ReadModels

  const commit = Effect.fnUntraced(function*(consumer: Consumer, lease: Lease, events: Events) {
    const { fold, keys } = yield* consumer.plan(events)
    return yield* readModels.commit(lease, { to: endOf(events, lease), keys }, fold)
  })

  const parkedBefore = ({ id }: Lease) =>
    Effect.map(checkpointOf(readModels, id), (own) => own?.parked ?? 0)

  const setAside = Effect.fnUntraced(
    function*(consumer: Consumer, lease: Lease, events: Events, poison: Poison) {
      const to = endOf(events, lease)
      const error = tellingOf(poison)
      yield* Effect.logError(`the read model ${consumer.model} cannot take in an event`, {
        position: String(to),
        error
      })
      if ((yield* parkedBefore(lease)) < parkedMax) {
        const parked = { position: to, attempts: attemptsMax, error }
        return yield* readModels.commit(lease, { to, keys: [], parked }, () => noChanges).pipe(
          // There are no rows to refuse.
          Effect.catchTag("RowsRefused", Effect.die)
        )
      }
      yield* readModels.halt(lease, `at ${to}: ${error}`)
      return yield* new ConsumerHalted({ ...lease.id, position: String(to) })
    }
  )

  const handle = (
    consumer: Consumer,
    lease: Lease,
    events: Events,
    attempts = attemptsMax
  ): Effect.Effect<Lease, Stopped> =>
    commit(consumer, lease, events).pipe(
      Effect.retry({ while: isPoison, times: attempts - 1, schedule: backoff }),
      Effect.catchIf(isPoison, (poison) =>
        events.length > 1
          ? halve(consumer, lease, events)
          : setAside(consumer, lease, events, poison))
    )

  const halve = (consumer: Consumer, lease: Lease, events: Events) => {
    const middle = Math.ceil(events.length / 2)
    return handleHalf(consumer, lease, events.slice(0, middle)).pipe(
      Effect.flatMap((half) => handleHalf(consumer, half, events.slice(middle)))
    )
  }

  const handleHalf = (consumer: Consumer, lease: Lease, events: Events) =>
    handle(consumer, lease, events, events.length === 1 ? attemptsMax : 1)

  return handle
})

const noChanges = Effect.succeed<Changes>(new Map())

const isPoison = (error: Poison | Stopped): error is Poison =>
  Predicate.isTagged(error, "PagePoisoned") || Predicate.isTagged(error, "RowsRefused")

const endOf = (events: Events, { position }: Lease) => events.at(-1)?.position ?? position

const tellingOf = (poison: Poison): string =>
  poison._tag === "PagePoisoned" ? poison.problem : "the store refuses the row"
