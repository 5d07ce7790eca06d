/**
 * Folds the log anew and corrects rows of read models and caches that differ. The owner of a read
 * model goes on meanwhile: rows are compared with a fold up to their own position, and changed in
 * one transaction, each only if it is still as compared. Readers never see a half-built model.
 */
import { Context, DateTime, Effect, Layer, Option, Schema, Semaphore, Stream } from "effect"
import type { RebuiltView } from "../../contract/Replayed.ts"
import * as OutcomeChange from "../../domain/audit/OutcomeChange.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as QueryCacheEntry from "../../domain/search/QueryCacheEntry.ts"
import { CachedPack, isFresh } from "../../domain/session/GroundingOutcome.ts"
import * as PackSharing from "../../domain/session/PackSharing.ts"
import * as SessionLog from "../log/SessionLog.ts"
import {
  EventStore,
  type EventStoreUnavailable,
  type LoggedEvent,
  type LogPosition,
  logStart,
  type StreamRef
} from "../ports/EventStore.ts"
import {
  type Changes,
  checkpointOf,
  ReadModels,
  type ReadModelsUnavailable,
  type Rows
} from "../ports/ReadModels.ts"
import { type CacheKey, QueryCache } from "../ports/SearchProvider.ts"
import { PackCache } from "../sharing/SharePacks.ts"
import type { Consumer } from "./Projection.ts"
import { afterAll } from "./ReadRows.ts"

const pageEventsMax = 1_000
/** Rows of one model that are held in memory to be compared. */
const rowsMax = 1_000_000
/** Sessions whose searches are put back into the cache, newest first. */
const sessionsMax = 100_000

const roundsMax = 8

type StoreDown = EventStoreUnavailable | ReadModelsUnavailable

export class RebuildModels extends Context.Service<RebuildModels, {
  /**
   * Every read model, then the tenant's query and pack cache. One call of a process at a time;
   * others return at once. A failure leaves each model unchanged or corrected as a whole.
   */
  readonly rebuild: (tenantId: string) => Effect.Effect<ReadonlyArray<RebuiltView>, StoreDown>
}>()("web-grounding/application/projections/RebuildModels") {}

export const layer = (consumers: ReadonlyArray<Consumer>) =>
  Layer.effect(
    RebuildModels,
    Effect.gen(function*() {
      const services = yield* Effect.context<EventStore | PackCache | QueryCache | ReadModels>()
      const turn = yield* Semaphore.make(1)
      return RebuildModels.of({
        rebuild: (tenantId) =>
          Effect.gen(function*() {
            const models = yield* Effect.forEach(consumers, rebuildModel)
            return [...models, ...yield* rebuildCaches(tenantId)]
          }).pipe(
            Effect.provide(services),
            turn.withPermitsIfAvailable(1),
            Effect.map(
              Option.getOrElse(() => consumers.map(({ model }) => viewOf(model, "under_way")))
            )
          )
      })
    })
  )

const viewOf = (
  model: string,
  passed?: RebuiltView["passed"],
  { corrected, rows } = { corrected: 0, rows: 0 }
): RebuiltView => ({ model, rows, corrected, ...asGiven({ passed }) })

interface Folded {
  readonly position: LogPosition
  readonly rows: Map<string, Schema.Json>
}

const nothing = (): Folded => ({ position: logStart, rows: new Map() })

const rebuildModel = Effect.fn("RebuildModels.model")(
  function*({ model, plan, version }: Consumer) {
    const readModels = yield* ReadModels
    const corrected = new Set<string>()
    let folded = nothing()
    const rebuilt = (passed?: RebuiltView["passed"]) =>
      viewOf(model, passed, { rows: folded.rows.size, corrected: corrected.size })
    for (let rounds = 0; rounds < roundsMax; rounds++) {
      const checkpoint = yield* checkpointOf(readModels, { model, version })
      if (checkpoint === undefined) return rebuilt()
      if (checkpoint.state !== "running") return rebuilt(checkpoint.state)
      const shown = yield* readModels.range({ model, from: "", until: afterAll, limit: rowsMax })
      if (shown === undefined || shown.version !== version) return rebuilt("retired")
      const from = folded.position > shown.position ? nothing() : folded
      folded = yield* foldOn(from, shown.position, plan)
      const compared = new Map(shown.rows)
      const changes = differences(compared, folded.rows)
      if (changes.size === 0) return rebuilt()
      yield* readModels.correct(
        { model, version },
        [...changes.keys()],
        (rows) =>
          Effect.sync(() => {
            const still = unmoved(changes, compared, rows)
            for (const key of still.keys()) corrected.add(key)
            return still
          })
      )
    }
    return rebuilt("moving")
  },
  (rebuilding, { model }) =>
    Effect.catchTags(rebuilding, {
      LeaseRefused: ({ reason }) =>
        Effect.succeed(viewOf(model, reason === "halted" ? "halted" : "retired")),
      // The fold's rows were stored before, in the same form.
      RowsRefused: (bug) => Effect.die(bug)
    })
)

/** Changes to rows that are still as compared; the others are compared again. */
const unmoved = (changes: Changes, compared: Rows, rows: Rows): Changes =>
  new Map(
    [...changes].filter(([key]) =>
      OutcomeChange.firstDifference(compared.get(key), rows.get(key)) === undefined
    )
  )

const foldOn = Effect.fnUntraced(
  function*({ position, rows }: Folded, until: LogPosition, plan: Consumer["plan"]) {
    const store = yield* EventStore
    // One map for the whole fold: a copy for each page would cost the square of the log's length.
    const fold = (events: ReadonlyArray<LoggedEvent>) =>
      plan(events).pipe(
        Effect.flatMap((page) =>
          page.fold(
            new Map(page.keys.flatMap((key) => {
              const row = rows.get(key)
              return row === undefined ? [] : [[key, row] as const]
            }))
          )
        ),
        Effect.map((changes) => put(rows, changes))
      )
    yield* store.all(position).pipe(
      Stream.takeWhile((event) => event.position <= until),
      Stream.rechunk(pageEventsMax),
      Stream.chunks,
      Stream.runForEach((events) =>
        Effect.catchTag(fold(events), "PagePoisoned", () =>
          Effect.forEach(
            events,
            (event) => Effect.catchTag(fold([event]), "PagePoisoned", () => Effect.void),
            { discard: true }
          ))
      )
    )
    return { position: until, rows }
  }
)

const put = (rows: Map<string, Schema.Json>, changes: Changes): void => {
  for (const [key, row] of changes) {
    if (row === undefined) rows.delete(key)
    else rows.set(key, row)
  }
}

const differences = (shown: Rows, called: Rows): Changes => {
  const wrong = [...called].filter(([key, row]) =>
    OutcomeChange.firstDifference(shown.get(key), row) !== undefined
  )
  const odd = [...shown.keys()].filter((key) => !called.has(key))
  return new Map([...wrong, ...odd.map((key) => [key, undefined] as const)])
}

const rebuildCaches = Effect.fn("RebuildModels.caches")(function*(tenantId: string) {
  const store = yield* EventStore
  const packs = yield* PackCache
  const of = { tenantId, nowMs: (yield* DateTime.now).epochMilliseconds }
  const caches = [
    collecting(of, {
      ...yield* QueryCache,
      model: "query_cache",
      entriesIn: searchesIn,
      madeAtMs: ({ recorded_at_ms }) => recorded_at_ms,
      isUsable: (entry, nowMs) =>
        QueryCacheEntry.isBearable(entry, nowMs) || QueryCacheEntry.isFresh(entry, nowMs),
      isSame: Schema.toEquivalence(QueryCacheEntry.QueryCacheEntry)
    }),
    ...(packs.isOn
      ? [collecting(of, {
        ...packs,
        model: "pack_cache",
        entriesIn: packsIn,
        madeAtMs: ({ made_at_ms }) => made_at_ms,
        isUsable: isFresh,
        isSame: Schema.toEquivalence(CachedPack)
      })]
      : [])
  ]
  for (const { ref } of yield* store.streams(tenantId, sessionsMax)) {
    const facts = yield* factsOf(ref)
    for (const { take } of caches) take(facts)
  }
  return yield* Effect.forEach(caches, ({ putRight }) => putRight)
})

interface Cache<Entry> {
  readonly model: string
  readonly find: (key: CacheKey) => Effect.Effect<Entry | undefined>
  readonly put: (key: CacheKey, entry: Entry) => Effect.Effect<void>
  readonly entriesIn: (
    facts: ReadonlyArray<SessionLog.Fact>
  ) => ReadonlyArray<{ readonly key: string; readonly entry: Entry }>
  readonly madeAtMs: (entry: Entry) => number
  readonly isUsable: (entry: Entry, nowMs: number) => boolean
  readonly isSame: (one: Entry, other: Entry) => boolean
}

/** Takes the newest entries of a cache that may be used, and then puts it right. */
const collecting = <Entry>(
  { nowMs, tenantId }: { readonly nowMs: number; readonly tenantId: string },
  { entriesIn, find, isSame, isUsable, madeAtMs, model, put }: Cache<Entry>
) => {
  const newest = new Map<string, Entry>()
  const isCorrected = ([key, entry]: readonly [string, Entry]) =>
    Effect.flatMap(find({ tenantId, key }), (found) =>
      found !== undefined && isSame(found, entry)
        ? Effect.succeed(false)
        : Effect.as(put({ tenantId, key }, entry), true))
  return {
    take: (facts: ReadonlyArray<SessionLog.Fact>): void => {
      for (const { entry, key } of entriesIn(facts)) {
        const known = newest.get(key)
        const isNewest = known === undefined || madeAtMs(known) < madeAtMs(entry)
        if (isNewest && isUsable(entry, nowMs)) newest.set(key, entry)
      }
    },
    putRight: Effect.suspend(() =>
      Effect.map(
        Effect.filter(newest, isCorrected),
        ({ length }): RebuiltView => ({ model, rows: newest.size, corrected: length })
      )
    )
  }
}

/** A session that cannot be read (erased, or of another release) has nothing to reuse. */
const factsOf = (ref: StreamRef) =>
  SessionLog.facts(ref).pipe(
    Effect.map(({ facts }) => facts),
    Effect.catchTags({
      EventErased: () => Effect.succeed([]),
      EventUnreadable: () => Effect.succeed([]),
      // Replay reports the change; no answer is taken from it.
      LogTampered: () => Effect.succeed([])
    })
  )

const searchesIn = (facts: ReadonlyArray<SessionLog.Fact>) =>
  facts.flatMap(({ event, stored }) => {
    if (event._tag !== "WEB_GROUNDING_CALLED" || event.cache === undefined) return []
    const entry = QueryCacheEntry.cacheEntryOf(event, stored)
    return entry === undefined ? [] : [{ key: event.cache.key, entry }]
  })

const packsIn = (facts: ReadonlyArray<SessionLog.Fact>) =>
  facts.flatMap(({ event, stored }) => {
    if (event._tag !== "WEB_GROUNDING_FINISHED" || event.cache === undefined) return []
    const { key } = event.cache
    const asked = facts.find((fact) =>
      fact.event._tag === "WEB_GROUNDING_REQUESTED" && fact.event.request_id === event.request_id
    )?.event
    const entry = asked?._tag === "WEB_GROUNDING_REQUESTED"
      ? PackSharing.packOf(event, asked.requested_at, stored)
      : undefined
    return entry === undefined ? [] : [{ key, entry }]
  })
