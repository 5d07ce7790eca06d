/** Load, fold, decide, append: the one way a fact enters the log. */
import { Effect, Predicate, Schedule } from "effect"
import { fold } from "../domain/Decider.ts"
import * as Session from "../domain/session/Session.ts"
import type { SessionCommand } from "../domain/session/SessionCommand.ts"
import type { SessionEvent } from "../domain/session/SessionEvent.ts"
import {
  EventStore,
  type StoredEvent,
  type StreamHead,
  type StreamRef
} from "./ports/EventStore.ts"
import { Ids } from "./ports/Ids.ts"
import * as SessionEventCodec from "./SessionEventCodec.ts"

/** Appends lost to another writer before a command gives up. Each loss means another's progress. */
const conflictRetriesMax = 20

/** An event of the log with its decoded fact. */
export interface Fact {
  readonly stored: StoredEvent
  readonly event: SessionEvent
}

/** A session as it was last read, ready to be appended to. */
export interface Loaded {
  readonly head: StreamHead
  readonly session: Session.Session
}

export interface Handled extends Loaded {
  /** What the command added; empty when the log held it already. */
  readonly facts: ReadonlyArray<Fact>
}

/** Every fact of a session, oldest first. */
export const facts = Effect.fn("SessionLog.facts")(function*(ref: StreamRef) {
  const store = yield* EventStore
  const { events, head } = yield* store.read(ref)
  return { head, facts: yield* Effect.forEach(events, toFact) }
})

export const load = Effect.fn("SessionLog.load")(function*(ref: StreamRef) {
  const read = yield* facts(ref)
  return {
    head: read.head,
    session: fold(Session, read.facts.map(({ event }) => event))
  } satisfies Loaded
})

/**
 * Decides on the state given and appends; when another writer was faster, decides again on what
 * it wrote. A repeated command appends nothing.
 */
export const handle = Effect.fn("SessionLog.handle")(
  function*(loaded: Loaded, command: SessionCommand, actor: string) {
    const ids = yield* Ids
    const commandId = yield* ids.uuid
    const again = yield* decideAndAppend(loaded, command, commandId, actor).pipe(
      Effect.catchTag("StreamConflict", () =>
        load(loaded.head.ref).pipe(
          Effect.flatMap((fresh) => decideAndAppend(fresh, command, commandId, actor)),
          Effect.retry({
            while: Predicate.isTagged("StreamConflict"),
            times: conflictRetriesMax,
            schedule: Schedule.jittered(Schedule.exponential("5 millis"))
          })
        ))
    )
    return again
  }
)

const decideAndAppend = Effect.fnUntraced(
  function*({ head, session }: Loaded, command: SessionCommand, commandId: string, actor: string) {
    const store = yield* EventStore
    const ids = yield* Ids
    const decided = yield* Effect.fromResult(Session.decide(command, session))
    if (decided.length === 0) return { head, session, facts: [] } satisfies Handled

    const metadata = { correlation_id: command.request_id, causation_id: commandId, actor }
    const events = yield* Effect.forEach(
      decided,
      (event, ordinal) => SessionEventCodec.encode(event, ids.derived(commandId, ordinal), metadata)
    )
    const appended = yield* store.append(head, events)
    return {
      head: appended.head,
      session: fold(Session, decided, session),
      facts: yield* Effect.forEach(appended.events, toFact)
    } satisfies Handled
  }
)

const toFact = (stored: StoredEvent) =>
  Effect.map(SessionEventCodec.decode(stored), (event): Fact => ({ stored, event }))
