/** A read model as data: which rows a fact moves, and how. The runner owns everything else. */
import { Effect, Schema } from "effect"
import { ErasureEvent } from "../../domain/erasure/ErasureRecord.ts"
import { SessionEvent, sessionUpcasters } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import type { LoggedEvent } from "../ports/EventStore.ts"
import type { Changes, ReadModelId, Rows } from "../ports/ReadModels.ts"

/** Every fact that read models are made of. */
const LogEvent = Schema.Union([SessionEvent, ErasureEvent])
type LogEvent = typeof LogEvent.Type
export type LogTag = LogEvent["_tag"]

/** A fact of the whole log, whose record says whose it is. */
interface LoggedFact<Event> extends Fact<Event> {
  readonly stored: LoggedEvent
}

/** A fact with one of these tags. */
export type FactOf<Tag extends LogTag> = LoggedFact<Extract<LogEvent, { readonly _tag: Tag }>>

/**
 * Definition of one read model. `key` and `evolve` are pure, so that a rebuild gives the same
 * rows.
 */
export interface Projection<Row, Tag extends LogTag> {
  readonly name: string
  /** Raise it to build the rows anew from the first event, beside those that are read meanwhile. */
  readonly version: number
  /** Facts of other types, known or not, are none of its business. */
  readonly on: ReadonlyArray<Tag>
  /**
   * `park`: an event that cannot be handled is set aside and passed. `halt`: it ends the reading.
   */
  readonly whenPoison: "park" | "halt"
  readonly row: Schema.Codec<Row, unknown>
  /** Rows that this fact moves. Pure. */
  readonly key: (fact: FactOf<Tag>) => string | ReadonlyArray<string> | undefined
  /** Pure and total. `undefined` in: no row yet. `undefined` out: the row goes. */
  readonly evolve: (row: Row | undefined, fact: FactOf<Tag>, key: string) => Row | undefined
}

/** A page cannot be folded: an event does not decode, or the projection has a bug. */
export class PagePoisoned extends Schema.TaggedError<PagePoisoned>()("PagePoisoned", {
  /** Names types, places and kinds of failure; holds nothing of an event's content. */
  problem: Schema.String
}) {}

/** Keys that a page of events asks for, and the changes it makes. */
export interface PagePlan {
  readonly keys: ReadonlyArray<string>
  readonly fold: (rows: Rows) => Effect.Effect<Changes, PagePoisoned>
}

/** A projection as the runner sees it: its rows are JSON. */
export interface Consumer extends ReadModelId {
  readonly whenPoison: "park" | "halt"
  readonly plan: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<PagePlan, PagePoisoned>
}

/** The projection as it is given; its row type and tags are inferred from it. */
export const define = <Row, Tag extends LogTag>(
  projection: Projection<Row, Tag>
): Projection<Row, Tag> => projection

/** Projection with its codecs applied, so that the runner needs to know no row's type. */
export const consumer = <Row, Tag extends LogTag>(projection: Projection<Row, Tag>): Consumer => {
  const { name, on, version, whenPoison } = projection
  const rowCodec = Schema.toCodecJson(projection.row)
  const decodeRow = Schema.decodeUnknownEffect(rowCodec)
  const encodeRow = Schema.encodeEffect(rowCodec)

  const isOn = (fact: LoggedFact<LogEvent>): fact is FactOf<Tag> =>
    on.some((tag) => tag === fact.event._tag)

  /** Facts of stored events; those that are of no concern, or erased, are left out. */
  const factsOf = (stored: LoggedEvent) =>
    on.some((tag) => tag === stored.type)
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

  return { model: name, version, whenPoison, plan }
}

const codec = EventCodec.make(LogEvent, sessionUpcasters)

/** Read models that are given the same event read it once, as long as it is in memory. */
const known = new WeakMap<LoggedEvent, LogEvent>()

const decoded = (stored: LoggedEvent) =>
  Effect.suspend(() => {
    const event = known.get(stored)
    return event === undefined
      ? Effect.tap(codec.decode(stored), (event) => Effect.sync(() => known.set(stored, event)))
      : Effect.succeed(event)
  })

/** A schema's message may quote what it met; the path behind it does not. */
const placeOf = (message: string): string => / at \[[^\n]*\]/.exec(message)?.[0] ?? ""

const inRow = <A, E, R>(what: "decode" | "encode", effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, () => new PagePoisoned({ problem: `a row does not ${what}` }))

const guarded = <A>(evaluate: () => A): Effect.Effect<A, PagePoisoned> =>
  Effect.try({
    try: evaluate,
    catch: (cause) =>
      new PagePoisoned({ problem: `threw ${cause instanceof Error ? cause.name : typeof cause}` })
  })
