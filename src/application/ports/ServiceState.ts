/** State of the service itself that all processes share: rows of one table, outside the log. */
import { Context, Effect, Option, Schema } from "effect"
import type { EventStoreUnavailable } from "./EventStore.ts"

export type StateKind =
  | "alert"
  | "credits"
  | "key"
  | "missing_told"
  | "open_alert"
  | "token"
  | "verification"

const rowsMax = 10_000

export interface StateRow<Value> {
  readonly key: string
  readonly value: Value
  readonly version: number
}

/** Writes a row that has this version; 0: there must be no row, or an expired one. */
export interface StateChange<Value> extends StateRow<Value> {
  /** Milliseconds until the row expires; absent: never. */
  readonly keptMs?: number
}

/** Rows before a key; of more than `limit` the last ones. */
export interface StatePage {
  readonly before?: string | undefined
  readonly limit: number
}

export class ServiceState extends Context.Service<ServiceState, {
  /** Rows of a kind that have not expired, in the order of their keys by code point. */
  readonly rows: (
    kind: StateKind,
    page: StatePage
  ) => Effect.Effect<ReadonlyArray<StateRow<unknown>>, EventStoreUnavailable>
  /** Writes one row. False: the row has another version, and nothing was written. */
  readonly put: (
    kind: StateKind,
    change: StateChange<Schema.Json>
  ) => Effect.Effect<boolean, EventStoreUnavailable>
}>()("web-grounding/application/ports/ServiceState") {}

const retriesMax = 20

/** Rows of one kind with their type, without those that another release wrote in another shape. */
export const stateOf = <Value>(kind: StateKind, schema: Schema.Codec<Value, unknown>) =>
  Effect.map(ServiceState, (state) => {
    const codec = Schema.toCodecJson(schema)
    const decode = Schema.decodeUnknownOption(codec)
    const encode = Schema.encodeEffect(codec)

    const rows = (page: StatePage = { limit: rowsMax }) =>
      Effect.map(
        state.rows(kind, page),
        (all) =>
          all.flatMap(({ value, ...row }): ReadonlyArray<StateRow<Value>> =>
            Option.toArray(Option.map(decode(value), (value) => ({ ...row, value })))
          )
      )

    const put = ({ value, ...change }: StateChange<Value>) =>
      // The type of the value is what the schema encodes.
      Effect.flatMap(Effect.orDie(encode(value)), (value) => state.put(kind, { ...change, value }))

    /**
     * Writes and returns what `next` makes of the current row. Undefined: nothing to change, or
     * more conflicts than `retriesMax`.
     */
    const change = (
      key: string,
      next: (value: Value | undefined) => Value | undefined,
      retries = retriesMax
    ): Effect.Effect<Value | undefined, EventStoreUnavailable> =>
      Effect.gen(function*() {
        const row = (yield* rows()).find((row) => row.key === key)
        const value = next(row?.value)
        if (value === undefined) return undefined
        if (yield* put({ key, value, version: row?.version ?? 0 })) return value
        return retries === 0 ? undefined : yield* change(key, next, retries - 1)
      })

    return { rows, put, change }
  })
