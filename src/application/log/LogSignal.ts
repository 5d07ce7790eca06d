/**
 * Tells this process's readers of the log that something was appended, so that they need not wait.
 */
import { Context, Effect, Layer, PubSub, type Scope } from "effect"
import { EventStore } from "../ports/EventStore.ts"

/** Wakes readers in this process after an append. Appends of other processes are not signalled. */
export class LogSignal extends Context.Service<LogSignal, {
  readonly notify: Effect.Effect<void>
  /** Waits for the next append; one made since the last wait counts. */
  readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}>()("web-grounding/application/log/LogSignal") {}

export const layer = Layer.effect(
  LogSignal,
  Effect.gen(function*() {
    // One is enough: it says that something happened, not how often.
    const appends = yield* PubSub.sliding<void>(1)
    return LogSignal.of({
      notify: Effect.asVoid(PubSub.publish(appends, undefined)),
      subscribe: Effect.map(PubSub.subscribe(appends), PubSub.take)
    })
  })
)

/** Event store around another one that announces each append to those who follow the log. */
export const layerAnnouncing = Layer.effect(
  EventStore,
  Effect.gen(function*() {
    const store = yield* EventStore
    const { notify } = yield* LogSignal
    return EventStore.of({
      ...store,
      append: (head, events) => Effect.tap(store.append(head, events), () => notify)
    })
  })
)
