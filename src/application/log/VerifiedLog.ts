/**
 * Wraps an event store: every stream that is read is verified against its hash chain first. A
 * changed stream is refused as `LogTampered`: no answer comes from it, no append goes to it. Known
 * heads are remembered, so that a stream rewound together with its head is noticed, too.
 */
import { Context, DateTime, Effect, Layer, PubSub, Ref, Result, type Scope, Struct } from "effect"
import * as HashChain from "../../domain/audit/HashChain.ts"
import type { LogTampered as TamperAlert } from "../../domain/health/SearchHealth.ts"
import {
  EventStore,
  LogTampered,
  type StreamHead,
  type StreamHistory,
  type StreamRef
} from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"

/** Remembered heads; the least recently used are dropped. */
const headsMax = 10_000
/** Streams reported as alerts, the first ones. */
const alertsMax = 100

/** Streams whose hash chain did not verify when this process read them. */
export class TamperAlerts extends Context.Service<TamperAlerts, {
  /** Changed streams since the start of this process, each once; at most 100. */
  readonly list: Effect.Effect<ReadonlyArray<TamperAlert>>
}>()("web-grounding/application/log/VerifiedLog/TamperAlerts") {}

/**
 * Behaviour on a changed stream. `read on` is for replay, which reports the change itself; the
 * alert is raised all the same.
 */
export const WhenTampered = Context.Reference<"refuse" | "read on">(
  "web-grounding/application/log/VerifiedLog/WhenTampered",
  { defaultValue: () => "refuse" }
)

type Known = Pick<StreamHead, "streamId" | "version" | "hash">

export const layer = Layer.effectContext(Effect.gen(function*() {
  const store = yield* EventStore
  const digests = yield* Digest
  const heads = verifiedHeads()
  const alerts = yield* Ref.make<ReadonlyMap<string, TamperAlert>>(new Map())

  const tell = Effect.fnUntraced(function*(ref: StreamRef, fault: LogTampered) {
    const at = Struct.pick(fault, ["stream_id", "version", "kind"])
    if ((yield* Ref.get(alerts)).has(at.stream_id)) return
    const since = DateTime.formatIso(yield* DateTime.now)
    const alert = { ...ref, _tag: "LogTampered", severity: "critical", ...at, since } as const
    yield* Ref.update(
      alerts,
      (known) => known.size >= alertsMax ? known : new Map(known).set(at.stream_id, alert)
    )
    yield* Effect.logError("the log was changed by someone other than the service", fault).pipe(
      Effect.annotateLogs({ ...ref, ...at })
    )
  })

  const refused = Effect.fnUntraced(
    function*(ref: StreamRef, history: StreamHistory, fault: LogTampered) {
      yield* tell(ref, fault)
      return (yield* WhenTampered) === "read on" ? history : yield* fault
    }
  )

  /** A head without events has no chain to verify; it is compared with the known one. */
  const headOnly = Effect.fnUntraced(function*(
    ref: StreamRef,
    afterVersion: number,
    known: Known | undefined
  ) {
    const history = yield* store.read(ref, afterVersion, 0)
    const { hash, streamId, version } = history.head
    const isRewound = known !== undefined &&
      (streamId !== known.streamId || version < known.version ||
        (version === known.version && hash !== known.hash))
    return isRewound
      ? yield* refused(ref, history, rewoundTo(version, known))
      : history
  })

  const read = Effect.fnUntraced(function*(
    ref: StreamRef,
    afterVersion = 0,
    eventsMax?: number
  ) {
    // Looked up before the read: another fiber's append may come in between.
    const known = heads.get(ref)
    if (eventsMax === 0) return yield* headOnly(ref, afterVersion, known)
    // The event before the first requested one is read too: the chain continues its hash.
    const from = Math.max(0, afterVersion - 1)
    const skipped = afterVersion - from
    const readMax = eventsMax === undefined ? undefined : eventsMax + skipped
    const read = yield* store.read(ref, from, readMax)
    // A full page may end before the head; any other shorter read has lost events.
    const isPage = read.events.length === readMax
    const history = { head: read.head, events: read.events.slice(skipped) }
    const fault = faultOf(digests, read, { from, isPage }, known)
    if (fault === undefined) {
      if (!isPage) heads.keep(history.head)
      return history
    }
    return yield* refused(ref, history, fault)
  })

  const append: EventStore["Service"]["append"] = (head, events) =>
    Effect.tap(
      store.append(head, events),
      (history) => Effect.sync(() => heads.keep(history.head))
    )

  return Context.make(EventStore, EventStore.of({ ...store, read, append })).pipe(
    Context.add(
      TamperAlerts,
      TamperAlerts.of({
        list: Effect.map(Ref.get(alerts), (known) => [...known.values()])
      })
    )
  )
}))

const faultOf = (
  digests: HashChain.Digests,
  { events, head }: StreamHistory,
  read: { readonly from: number; readonly isPage: boolean },
  known: Known | undefined
): LogTampered | undefined => {
  const isRewound = known !== undefined &&
    (head.streamId !== known.streamId || head.version < known.version ||
      (events[known.version - read.from - 1]?.hash ?? known.hash) !== known.hash)
  const verified = verifiedOf(digests, events, read.isPage ? endOf(events, head) : head, read.from)
  if (Result.isFailure(verified)) {
    return new LogTampered({ stream_id: head.streamId, ...verified.failure })
  }
  return isRewound ? rewoundTo(Math.min(head.version, known.version), known) : undefined
}

const rewoundTo = (version: number, { streamId }: Known): LogTampered =>
  new LogTampered({ stream_id: streamId, version, kind: "rewound" })

const endOf = (events: StreamHistory["events"], head: StreamHead): StreamHead => {
  const last = events.at(-1)
  return last === undefined ? head : { ...head, version: last.version, hash: last.hash }
}

const verifiedOf = (
  digests: HashChain.Digests,
  events: StreamHistory["events"],
  head: StreamHead,
  from: number
) => {
  if (from === 0) return HashChain.verify(digests, head, events)
  const [first, ...rest] = events
  // A head below the requested version has nothing to verify; a known later head is a rewind.
  if (first === undefined && head.version <= from) return Result.void
  return HashChain.verifyAfter(
    digests,
    { version: from + 1, hash: first?.hash ?? "" },
    head,
    rest
  )
}

const verifiedHeads = () => {
  const heads = new Map<string, Known>()
  const keyOf = ({ session_id, tenant_id }: StreamRef) => JSON.stringify([tenant_id, session_id])
  return {
    get: (ref: StreamRef): Known | undefined => heads.get(keyOf(ref)),
    /** Keeps the latest head of a stream: an earlier read may end after a later one. */
    keep: ({ hash, ref, streamId, version }: StreamHead): void => {
      // Nothing is recorded, and the next read mints another id for it.
      if (version === 0) return
      const key = keyOf(ref)
      const before = heads.get(key)
      heads.delete(key)
      heads.set(
        key,
        before !== undefined && before.version > version
          ? before
          : { streamId, version, hash }
      )
      const [oldest] = heads.keys()
      if (heads.size > headsMax && oldest !== undefined) heads.delete(oldest)
    }
  }
}

/** Wakes readers in this process after an append. Appends of other processes are not signalled. */
export class LogSignal extends Context.Service<LogSignal, {
  readonly notify: Effect.Effect<void>
  /** Waits for the next append; one made since the last wait counts. */
  readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}>()("web-grounding/application/log/VerifiedLog/LogSignal") {}

export const layerLogSignal = Layer.effect(
  LogSignal,
  Effect.gen(function*() {
    // One is enough: the number of appends does not matter.
    const appends = yield* PubSub.sliding<void>(1)
    return LogSignal.of({
      notify: Effect.asVoid(PubSub.publish(appends, undefined)),
      subscribe: Effect.map(PubSub.subscribe(appends), PubSub.take)
    })
  })
)

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
