/** Load, fold, decide, append: the one way a fact enters the log. */
import { Array as Arr, Effect, Predicate, Random, type Result } from "effect"
import { type Decider, fold } from "../../domain/Decider.ts"
import {
  EventStore,
  type StoredEvent,
  type StreamHead,
  type StreamRef
} from "../ports/EventStore.ts"
import { Ids } from "../ports/Ids.ts"
import { type EventCodec, EventErased } from "./EventCodec.ts"
import { mayRetry, retryUntilMs } from "./RetryUntil.ts"

/** Milliseconds between an append that another process won and the next try, at most. */
const conflictPauseMsMax = 50

/** An event of the log with its decoded fact. */
export interface Fact<Event> {
  readonly stored: StoredEvent
  readonly event: Event
}

/** A subject as it was last read, ready to be appended to. */
export interface Loaded<State> {
  readonly head: StreamHead
  readonly state: State
}

export interface Handled<State, Event> extends Loaded<State> {
  /** Facts that the command added; empty when the log held them already. */
  readonly facts: ReadonlyArray<Fact<Event>>
}

/** `name`: the subject, for spans. `correlationOf`: the request a command belongs to. */
export const make = <State, Command, Event, Rejection>(options: {
  readonly name: string
  readonly decider: Decider<State, Command, Event, Rejection>
  readonly codec: EventCodec<Event>
  readonly correlationOf: (command: Command) => string
}) => {
  const { codec, correlationOf, decider, name } = options

  const toFact = (stored: StoredEvent) =>
    Effect.map(codec.decode(stored), (event): Fact<Event> => ({ stored, event }))

  /** Every fact of a subject, oldest first. */
  const facts = Effect.fn(`${name}.facts`)(function*(ref: StreamRef) {
    const store = yield* EventStore
    const { events, head } = yield* store.read(ref)
    if (head.erasedAt !== undefined) return yield* erased(head, head.erasedAt)
    return { head, facts: yield* Effect.forEach(events, toFact) }
  })

  const load = Effect.fn(`${name}.load`)(function*(ref: StreamRef) {
    const read = yield* facts(ref)
    const loaded: Loaded<State> = {
      head: read.head,
      state: fold(decider, read.facts.map(({ event }) => event))
    }
    return loaded
  })

  /**
   * A subject as it was last read, brought up to date: reads and folds only what was appended
   * since. Starts from the first event when the log was restored to another past.
   */
  const catchUp = Effect.fn(`${name}.catchUp`)(function*({ head: known, state }: Loaded<State>) {
    if (known.version === 0) return yield* load(known.ref)
    const store = yield* EventStore
    // The last known event comes along: its hash tells a restored log from a grown one.
    const { events, head } = yield* store.read(known.ref, known.version - 1)
    if (head.erasedAt !== undefined) return yield* erased(head, head.erasedAt)
    const [last, ...newer] = events
    if (last?.hash !== known.hash) return yield* load(known.ref)
    const loaded: Loaded<State> = {
      head,
      state: fold(decider, yield* Effect.forEach(newer, codec.decode), state)
    }
    return loaded
  })

  const decideAndAppend = Effect.fnUntraced(
    function*({ head, state }: Loaded<State>, command: Command, commandId: string, actor: string) {
      const store = yield* EventStore
      const ids = yield* Ids
      const decision: Result.Result<ReadonlyArray<Event>, Rejection> = decider.decide(
        command,
        state
      )
      const decided = yield* Effect.fromResult(decision)
      const metadata = {
        correlation_id: correlationOf(command),
        causation_id: commandId,
        actor
      }
      const events = yield* Effect.forEach(
        decided,
        (event, ordinal) => codec.encode(event, ids.derived(commandId, ordinal), metadata)
      )
      const appended = events.length === 0
        ? { head, events: [] }
        : yield* store.append(head, events)
      const handled: Handled<State, Event> = {
        head: appended.head,
        state: fold(decider, decided, state),
        // The store answers with as many events as it was given, in their order.
        facts: Arr.zipWith(appended.events, decided, (stored, event) => ({ stored, event }))
      }
      return handled
    }
  )

  /**
   * Decides on the state given and appends; when another writer was faster, decides again on what
   * it wrote, until `RetryUntil`. A repeated command appends nothing.
   */
  const handle = Effect.fn(`${name}.handle`)(
    function*(loaded: Loaded<State>, command: Command, actor: string) {
      const { uuid } = yield* Ids
      const commandId = yield* uuid
      const untilMs = yield* retryUntilMs
      return yield* decideAndAppend(loaded, command, commandId, actor).pipe(
        Effect.catchIf(Predicate.isTagged("StreamConflict"), () =>
          conflictPause.pipe(
            Effect.andThen(catchUp(loaded)),
            Effect.flatMap((fresh) => decideAndAppend(fresh, command, commandId, actor)),
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

  return { facts, load, catchUp, handle }
}

/** Failure of a session that is erased: what is known of it from before is not answered either. */
const erased = ({ streamId }: StreamHead, erased_at: string) =>
  new EventErased({ stream_id: streamId, erased_at })

const conflictPause = Effect.flatMap(
  Random.nextIntBetween(0, conflictPauseMsMax),
  (pauseMs) => Effect.sleep(pauseMs)
)
