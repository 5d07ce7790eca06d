/** Load, fold, decide, append: the one way a fact enters the log. */
import { Array as Arr, Clock, Context, Effect, Option, Predicate, Random, Result } from "effect"
import {
  EventStore,
  type NewEvent,
  type StoredEvent,
  type StreamHead,
  type StreamRef
} from "../ports/EventStore.ts"
import { Ids } from "../ports/Platform.ts"
import { type EventCodec, EventErased } from "./EventCodec.ts"

/** Longest wait after a lost append. */
const conflictPauseMsMax = 50

export interface Fact<Event> {
  readonly stored: StoredEvent
  readonly event: Event
}

export interface Loaded<State> {
  readonly head: StreamHead
  readonly state: State
}

interface Identified<Command> {
  readonly command: Command
  readonly commandId: string
}

/** `name` is the subject, for spans; `correlationOf` gives the request of a command. */
export const make = <State, Command, Event, Rejection>(options: {
  readonly name: string
  readonly decider: Decider<State, Command, Event, Rejection>
  readonly codec: EventCodec<Event>
  readonly correlationOf: (command: Command) => string
}) => {
  const { codec, correlationOf, decider, name } = options

  const toFact = (stored: StoredEvent) =>
    Effect.map(codec.decode(stored), (event): Fact<Event> => ({ stored, event }))

  const facts = Effect.fn(`${name}.facts`)(function*(ref: StreamRef) {
    const store = yield* EventStore
    const { events, head } = yield* store.read(ref)
    if (head.erasedAt !== undefined) return yield* erased(head, head.erasedAt)
    return { head, facts: yield* Effect.forEach(events, toFact) }
  })

  const load = Effect.fn(`${name}.load`)(function*(ref: StreamRef) {
    const read = yield* facts(ref)
    return { head: read.head, state: fold(decider, read.facts.map(({ event }) => event)) }
  })

  /** Folds what was appended since; starts anew when the log was restored to another past. */
  const catchUp = Effect.fn(`${name}.catchUp`)(function*({ head: known, state }: Loaded<State>) {
    if (known.version === 0) return yield* load(known.ref)
    const store = yield* EventStore
    // The last known event is read too: its hash tells a restored log from a grown one.
    const { events, head } = yield* store.read(known.ref, known.version - 1)
    if (head.erasedAt !== undefined) return yield* erased(head, head.erasedAt)
    const [last, ...newer] = events
    if (last?.hash !== known.hash) return yield* load(known.ref)
    return { head, state: fold(decider, yield* Effect.forEach(newer, codec.decode), state) }
  })

  const suppose = (loaded: Loaded<State>, command: Command) =>
    Effect.map(Effect.fromResult(decider.decide(command, loaded.state)), (events) => ({
      head: loaded.head,
      state: fold(decider, events, loaded.state),
      isNew: events.length > 0
    }))

  /** Decides each command on the state after the one before, up to the first rejection. */
  const decideAll = (
    loaded: Loaded<State>,
    commands: ReadonlyArray<Identified<Command>>,
    actor: string
  ) =>
    Effect.gen(function*() {
      const ids = yield* Ids
      const events: Array<Event> = []
      const encoded: Array<NewEvent> = []
      let { state } = loaded
      for (const { command, commandId } of commands) {
        const decision = decider.decide(command, state)
        if (Result.isFailure(decision)) {
          return { events, encoded, state, rejected: Option.some(decision.failure) }
        }
        const metadata = { correlation_id: correlationOf(command), causation_id: commandId, actor }
        for (const [ordinal, event] of decision.success.entries()) {
          events.push(event)
          encoded.push(yield* codec.encode(event, ids.derived(commandId, ordinal), metadata))
        }
        state = fold(decider, decision.success, state)
      }
      return { events, encoded, state, rejected: Option.none<Rejection>() }
    })

  const decideAndAppend = Effect.fnUntraced(
    function*(
      loaded: Loaded<State>,
      commands: ReadonlyArray<Identified<Command>>,
      actor: string
    ) {
      const { head } = loaded
      const store = yield* EventStore
      const { encoded, events, rejected, state } = yield* decideAll(loaded, commands, actor)
      const appended = encoded.length === 0
        ? { head, events: [] }
        : yield* store.append(head, encoded)
      return {
        head: appended.head,
        state,
        // The store returns as many events as it was given, in their order.
        facts: Arr.zipWith(appended.events, events, (stored, event) => ({ stored, event })),
        /** The first rejected command, which ended the rest. */
        rejected
      }
    }
  )

  /**
   * Decides each command on the state after the ones before, and appends all at once; after a
   * conflict on the new state, until `RetryUntil`. A rejected command ends it: earlier ones are
   * recorded.
   */
  const handleAll = Effect.fn(`${name}.handle`)(
    function*(loaded: Loaded<State>, commands: ReadonlyArray<Command>, actor: string) {
      const { uuid } = yield* Ids
      const identified = yield* Effect.forEach(
        commands,
        (command) => Effect.map(uuid, (commandId) => ({ command, commandId }))
      )
      const untilMs = yield* retryUntilMs
      return yield* decideAndAppend(loaded, identified, actor).pipe(
        Effect.catchIf(Predicate.isTagged("StreamConflict"), () =>
          conflictPause.pipe(
            Effect.andThen(catchUp(loaded)),
            Effect.flatMap((fresh) => decideAndAppend(fresh, identified, actor)),
            Effect.retry({
              while: (error) =>
                Predicate.isTagged(error, "StreamConflict")
                  ? mayRetry(untilMs)
                  : Effect.succeed(false)
            })
          ))
      )
    }
  )

  const handle = Effect.fnUntraced(
    function*(loaded: Loaded<State>, command: Command, actor: string) {
      const { rejected, ...handled } = yield* handleAll(loaded, [command], actor)
      return Option.isSome(rejected) ? yield* Effect.fail(rejected.value) : handled
    }
  )

  return { facts, load, catchUp, handle, handleAll, suppose }
}

/** An erased session is not answered from memory either. */
const erased = ({ streamId }: StreamHead, erased_at: string) =>
  new EventErased({ stream_id: streamId, erased_at })

const conflictPause = Effect.flatMap(
  Random.nextIntBetween(0, conflictPauseMsMax),
  (pauseMs) => Effect.sleep(pauseMs)
)

// Retries of log operations after a lost connection or append. A grounding sets the limit to its
// deadline.

const retryMsDefault = 5_000

/**
 * Limit of retries of this fiber's database work, in milliseconds since the epoch by this process's
 * clock. `undefined`: five seconds from now.
 */
export const RetryUntil = Context.Reference<number | undefined>(
  "web-grounding/application/log/CommandHandler/RetryUntil",
  { defaultValue: () => undefined }
)

export const retryUntilMs: Effect.Effect<number> = Effect.gen(function*() {
  return (yield* RetryUntil) ?? (yield* Clock.currentTimeMillis) + retryMsDefault
})

const mayRetry = (untilMs: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => nowMs < untilMs)

/**
 * The shape every event-sourced subject of this service shares. A module is a decider when it
 * exports `initial`, `decide` and `evolve`; the module namespace itself is then passed to `make`.
 *
 * ```ts
 * import { Result } from "effect"
 * import { type Decider, fold } from "./CommandHandler.ts"
 *
 * const searches: Decider<number, "search", "searched", "no search left"> = {
 *   initial: 2,
 *   decide: (_, left) => left > 0 ? Result.succeed(["searched"]) : Result.fail("no search left"),
 *   evolve: (left) => left - 1
 * }
 * const [first, second] = ["searched", "searched"] as const
 * searches.decide("search", fold(searches, [first])) // => Result.succeed(["searched"])
 * const spent = fold(searches, [first, second])
 * searches.decide("search", spent) // => Result.fail("no search left")
 * ```
 */
export interface Decider<State, Command, Event, Rejection> {
  readonly initial: State
  /** Pure. The same command on the state it already produced yields `[]`. */
  readonly decide: (
    command: Command,
    state: State
  ) => Result.Result<ReadonlyArray<Event>, Rejection>
  /** Pure and total: never refuses a stored event. */
  readonly evolve: (state: State, event: Event) => State
  /**
   * Same as `evolve` over all events, oldest first, with one copy of the state. Changes neither
   * `from` nor anything reached from it.
   */
  readonly evolveAll?: (from: State, events: Iterable<Event>) => State
}

export const fold = <State, Command, Event, Rejection>(
  decider: Decider<State, Command, Event, Rejection>,
  events: Iterable<Event>,
  from: State = decider.initial
): State => {
  if (decider.evolveAll !== undefined) return decider.evolveAll(from, events)
  let state = from
  for (const event of events) state = decider.evolve(state, event)
  return state
}
