/**
 * Takes a page into the rows, whatever stands in it.
 *
 * A page that fails is tried again, then halved until the event that spoils it stands alone. That
 * one is set aside and passed in one transaction, or ends the reading, as the projection says. Too
 * many set aside end the reading too.
 */
import { Effect, Predicate, Schedule, Schema } from "effect"
import type { LoggedEvent } from "../ports/EventStore.ts"
import {
  type Changes,
  type Lease,
  type LeaseLost,
  ReadModels,
  type ReadModelsUnavailable,
  type RowsRefused
} from "../ports/ReadModels.ts"
import type { Consumer, PagePoisoned } from "./Projection.ts"

/** Tries of a page, and of an event that stands alone. */
const attemptsMax = 3
const backoff = Schedule.jittered(Schedule.exponential("5 millis"))

/** Events set aside from which the projection is taken to be at fault, not they. */
const parkedMax = 100

/** An event cannot be handled, and the read model may not miss any. */
export class ConsumerHalted extends Schema.TaggedError<ConsumerHalted>()("ConsumerHalted", {
  model: Schema.String,
  version: Schema.Int,
  /** Place of the event, decimal digits. */
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
    Effect.map(
      readModels.checkpoints,
      (all) =>
        all.find((own) => own.id.model === id.model && own.id.version === id.version)?.parked ?? 0
    )

  const setAside = Effect.fnUntraced(
    function*(consumer: Consumer, lease: Lease, events: Events, poison: Poison) {
      const to = endOf(events, lease)
      const error = tellingOf(poison)
      yield* Effect.logError(`the read model ${consumer.model} cannot take in an event`, {
        position: String(to),
        error
      })
      if (consumer.whenPoison === "park" && (yield* parkedBefore(lease)) < parkedMax) {
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

  const handle: (
    consumer: Consumer,
    lease: Lease,
    events: Events,
    attempts: number
  ) => Effect.Effect<Lease, Stopped> = (consumer, lease, events, attempts) =>
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

  return (consumer: Consumer, lease: Lease, events: Events) =>
    handle(consumer, lease, events, attemptsMax)
})

const noChanges = Effect.succeed<Changes>(new Map())

const isPoison = (error: Poison | Stopped): error is Poison =>
  Predicate.isTagged(error, "PagePoisoned") || Predicate.isTagged(error, "RowsRefused")

const endOf = (events: Events, { position }: Lease) => events.at(-1)?.position ?? position

const tellingOf = (poison: Poison): string =>
  poison._tag === "PagePoisoned" ? poison.problem : "the store refuses the row"
