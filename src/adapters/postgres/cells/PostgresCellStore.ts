/**
 * The database of a cell, as a move of a tenant reads and writes it. Its login is a member of
 * `wg_eraser`.
 */
import { Effect, Option, Result } from "effect"
import { sql } from "kysely"
import {
  CellKeyMissing,
  type CellStore,
  type KeptTable,
  keptTables,
  MoveBlocked,
  type StreamState,
  TenantPresent,
  type WrappedKey
} from "../../../application/cells/CellStore.ts"
import * as ErasureLog from "../../../application/erasure/ErasureLog.ts"
import * as EvidenceLog from "../../../application/evidence/EvidenceLog.ts"
import { EventStoreUnavailable } from "../../../application/ports/EventStore.ts"
import * as PayloadCipher from "../../../infrastructure/encryption/PayloadCipher.ts"
import { Postgres, type PostgresError } from "../../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "../LogStatements.ts"
import * as SettledLog from "../SettledLog.ts"
import { boundKey } from "../StreamKeys.ts"
import * as MoveStatements from "./MoveStatements.ts"
import { moves } from "./PostgresTenantMoves.ts"

/** Readings of the appends under way, and the pause between two in milliseconds: a minute. */
const drainReadingsMax = 1_200
const drainPauseMs = 50
/** Streams of an old copy that are erased in one transaction. */
const eraseStreamsMax = 100

export interface CellKeys {
  /** Keys of this cell. */
  readonly own: Option.Option<PayloadCipher.Wrapping>
  /** Keys of the cell that tenants come from. */
  readonly others: Option.Option<PayloadCipher.Wrapping>
}

/** Tenants under which the log has what is of a tenant. */
const tenantsOf = (tenantId: string): ReadonlyArray<string> => [
  tenantId,
  EvidenceLog.tenantOf(tenantId),
  ErasureLog.tenantOf(tenantId)
]

const listOf = (tenantId: string): string => JSON.stringify(tenantsOf(tenantId))

export const make = (keys: CellKeys) =>
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const { prepared, run, transaction } = postgres
    const settled = yield* SettledLog.make

    const closing = (tenantId: string) =>
      run((db) =>
        sql`insert into wg.closed_tenants (tenant_id)
          select jsonb_array_elements_text(${listOf(tenantId)}::jsonb)
          on conflict do nothing`.execute(db)
      )

    const opening = (tenantId: string) =>
      run((db) =>
        sql`delete from wg.closed_tenants
          where tenant_id in (select jsonb_array_elements_text(${listOf(tenantId)}::jsonb))`
          .execute(db)
      )

    const expect: CellStore["expect"] = (tenantId, from) =>
      transaction(Effect.gen(function*() {
        const { rows: [known] } = yield* run((db) =>
          sql<{ readonly state: string; readonly copied_position: string }>`
            select state, copied_position from wg.tenant_moves where tenant_id = ${tenantId}
              for update`.execute(db)
        )
        if (known?.state === "arriving") return BigInt(known.copied_position)
        const { rows: [present] } = yield* run((db) =>
          sql`select 1 from wg.streams
            where tenant_id in (select jsonb_array_elements_text(${listOf(tenantId)}::jsonb))
            limit 1`.execute(db)
        )
        if (known !== undefined || present !== undefined) {
          return yield* new TenantPresent({ tenant_id: tenantId })
        }
        yield* closing(tenantId)
        yield* run((db) =>
          sql`insert into wg.tenant_moves (tenant_id, state, cell)
            values (${tenantId}, 'arriving', ${from})`.execute(db)
        )
        return 0n
      })).pipe(Effect.catchTag("PostgresError", unavailable))

    const watermark = Effect.map(
      prepared<WatermarkRow>(LogStatements.readWatermark, []),
      ([row]) => row ?? { settled: "0", holders: [] }
    )

    /** Waits for the appends that may have begun before the tenant was closed. */
    const drained = Effect.gen(function*() {
      const { holders: before } = yield* watermark
      for (let reading = 0; reading < drainReadingsMax; reading++) {
        const { holders, settled } = yield* watermark
        if (!holders.some((holder) => before.includes(holder))) return BigInt(settled)
        yield* Effect.sleep(drainPauseMs)
      }
      return yield* new MoveBlocked({
        problem: "appends under way do not end; look for transactions that stay open"
      })
    })

    const close: CellStore["close"] = Effect.fnUntraced(function*(tenantId, to) {
      const { rows: [closed] } = yield* transaction(Effect.andThen(
        closing(tenantId),
        run((db) =>
          sql<{ readonly closed_at: string }>`
            insert into wg.tenant_moves as own (tenant_id, state, cell)
            values (${tenantId}, 'leaving', ${to})
            on conflict (tenant_id) do update set state = 'leaving', cell = excluded.cell,
                changed_at = clock_timestamp()
              where own.state in ('arrived', 'leaving')
            returning changed_at::text as closed_at`.execute(db)
        )
      ))
      if (closed === undefined) return yield* overtaken
      return { end: yield* drained, closedAt: closed.closed_at }
    }, Effect.catchTag("PostgresError", unavailable))

    const rewrapped = Effect.fnUntraced(function*(given: ReadonlyArray<WrappedKey>) {
      if (given.length === 0) return []
      if (Option.isNone(keys.own)) {
        return yield* new CellKeyMissing({ problem: "the other cell has no PAYLOAD_KEY" })
      }
      const held = Option.match(keys.others, {
        onNone: () => keys.own,
        onSome: ({ held }) => Option.map(keys.own, (own) => ({ ...own, held }))
      })
      if (Option.isNone(held)) return []
      return yield* Effect.forEach(given, (key) => {
        const anew = PayloadCipher.wrapAnew(held.value, key.wrapped, boundKey(key))
        return Result.isSuccess(anew)
          ? Effect.succeed({ ...key, wrapped: anew.success })
          : Effect.fail(
            new CellKeyMissing({
              problem: anew.failure === "unknown"
                ? `the key ${PayloadCipher.wrappingIdOf(key.wrapped)} is not given`
                : `the data key of stream ${key.streamId} is damaged`
            })
          )
      })
    })

    const receiveLog: CellStore["receiveLog"] = (tenantId, page) =>
      Effect.flatMap(rewrapped(page.keys), (given) =>
        transaction(Effect.gen(function*() {
          const { rows: [before] } = yield* run((db) =>
            sql<{ readonly copied_position: string }>`
              select copied_position from wg.tenant_moves
                where tenant_id = ${tenantId} and state = 'arriving' for update`.execute(db)
          )
          if (before?.copied_position === String(page.until)) return
          if (before?.copied_position !== String(page.after)) {
            return yield* new MoveBlocked({ problem: "another run of it is under way" })
          }
          yield* run((db) => sql`select set_config('wg.moving', 'on', true)`.execute(db))
          if (page.eventsCount > 0) {
            yield* prepared(MoveStatements.receiveEvents, [page.events])
            yield* prepared(MoveStatements.receiveStreams, [page.streams])
            yield* prepared(MoveStatements.receiveKeys, [JSON.stringify(given)])
          }
          yield* run((db) =>
            sql`update wg.tenant_moves
              set copied_position = ${String(page.until)}, changed_at = now()
              where tenant_id = ${tenantId}`.execute(db)
          )
        }))).pipe(Effect.catchTag("PostgresError", unavailable))

    const logPage: CellStore["logPage"] = (tenantId, after, until) => {
      const window = after + BigInt(MoveStatements.pagePositionsMax)
      const last = window < until ? window : until
      const parameters = [String(after), String(last), listOf(tenantId)]
      return prepared<LogPageRow>(MoveStatements.logPage, parameters).pipe(
        Effect.map(([row]) => {
          const { count, events, keys, last: lastRead, streams } = row ?? emptyPage
          const isFull = count === MoveStatements.pageEventsMax && lastRead !== null
          return {
            after,
            until: isFull ? BigInt(lastRead) : last,
            eventsCount: count,
            events,
            streams,
            keys
          }
        }),
        Effect.catchTag("PostgresError", unavailable)
      )
    }

    const setState: CellStore["setState"] = ({ erasedAt, held, streamId }) =>
      run((db) =>
        sql`select wg.set_stream_state(${streamId}, ${erasedAt ?? null}, ${held})`.execute(db)
      ).pipe(Effect.asVoid, Effect.catchTag("PostgresError", unavailable))

    const keptPage: CellStore["keptPage"] = (tenantId, table, after) =>
      prepared<KeptPageRow>(
        MoveStatements.keptPage(table, after === undefined ? "first" : "after"),
        [tenantId, ...(after ?? [])]
      ).pipe(
        Effect.map(([row]) => ({
          rows: row?.rows ?? "[]",
          count: row?.count ?? 0,
          next: row?.next ?? undefined
        })),
        Effect.catchTag("PostgresError", unavailable)
      )

    /** References between the tables want the last first. */
    const removeKept: CellStore["removeKept"] = (tenantId) =>
      transaction(
        Effect.forEach([...keptTables.toReversed(), "read_models"], (table) =>
          run((db) =>
            sql`delete from ${sql.table(`wg.${table}`)} where tenant_id = ${tenantId}`.execute(db)
          ), { discard: true })
      ).pipe(Effect.catchTag("PostgresError", unavailable))

    const keptCount = (tenantId: string, table: KeptTable) =>
      Effect.map(
        run((db) =>
          sql<{ readonly count: number }>`select count(*)::int as count
            from ${sql.table(`wg.${table}`)} where tenant_id = ${tenantId}`.execute(db)
        ),
        ({ rows: [row] }) => [table, row?.count ?? 0] as const
      )

    const summary: CellStore["summary"] = (tenantId) =>
      Effect.gen(function*() {
        const [row] = yield* prepared<SummaryRow>(MoveStatements.summary, [listOf(tenantId)])
        const counts = new Map(
          yield* Effect.forEach(keptTables, (table) => keptCount(tenantId, table))
        )
        const count = (table: KeptTable) => counts.get(table) ?? 0
        return {
          streams: row?.streams ?? 0,
          events: row?.events ?? 0,
          digest: row?.digest ?? "",
          kept: {
            evidence_entries: count("evidence_entries"),
            evidence_models: count("evidence_models"),
            evidence_vectors: count("evidence_vectors"),
            query_cache: count("query_cache"),
            pack_cache: count("pack_cache"),
            pages_to_collect: count("pages_to_collect"),
            tenant_use: count("tenant_use")
          }
        }
      }).pipe(Effect.catchTag("PostgresError", unavailable))

    const turned = (tenantId: string, from: string, to: string) =>
      run((db) =>
        sql`update wg.tenant_moves set state = ${to}, changed_at = now()
          where tenant_id = ${tenantId} and state = ${from}`.execute(db)
      )

    const eraseLeft: CellStore["eraseLeft"] = (tenantId) =>
      Effect.gen(function*() {
        while (true) {
          const { rows } = yield* transaction(run((db) =>
            sql`select wg.erase(stream_id) from (
              select stream_id from wg.streams
                where tenant_id in (${tenantId}, ${EvidenceLog.tenantOf(tenantId)})
                  and erased_at is null and not legal_hold
                order by stream_id limit ${eraseStreamsMax}
            ) left_streams`.execute(db)
          ))
          if (rows.length < eraseStreamsMax) break
        }
        yield* removeKept(tenantId)
        const { rows: [held] } = yield* run((db) =>
          sql<{ readonly count: number }>`select count(*)::int as count from wg.streams
            where tenant_id = ${tenantId} and erased_at is null`.execute(db)
        )
        if (held?.count === 0) yield* turned(tenantId, "left", "erased")
        return held?.count ?? 0
      }).pipe(Effect.catchTag("PostgresError", unavailable))

    const store: CellStore = {
      moves: Effect.catchTag(moves(postgres), "PostgresError", unavailable),
      expect,
      settled: Effect.catchTag(settled, "PostgresError", unavailable),
      close,
      reopen: (tenantId) =>
        transaction(Effect.gen(function*() {
          const { numAffectedRows } = yield* turned(tenantId, "leaving", "arrived")
          if (numAffectedRows === 1n) yield* opening(tenantId)
        })).pipe(Effect.catchTag("PostgresError", unavailable)),
      logPage,
      receiveLog,
      states: (tenantId) =>
        prepared<StateRow>(MoveStatements.states, [listOf(tenantId)]).pipe(
          Effect.map((rows) =>
            rows.map(({ erased_at, legal_hold, stream_id }): StreamState => ({
              streamId: stream_id,
              erasedAt: erased_at ?? undefined,
              held: legal_hold
            }))
          ),
          Effect.catchTag("PostgresError", unavailable)
        ),
      setState,
      keptPage,
      receiveKept: (table, rows) =>
        prepared(MoveStatements.receiveKept(table), [rows]).pipe(
          Effect.asVoid,
          Effect.catchTag("PostgresError", unavailable)
        ),
      removeKept,
      summary,
      commit: Effect.fnUntraced(function*(tenantId, { closedAt }) {
        const { numAffectedRows } = yield* run((db) =>
          sql`update wg.tenant_moves set state = 'switching', changed_at = now()
            where tenant_id = ${tenantId} and state = 'leaving'
              and changed_at = ${closedAt}::timestamptz`.execute(db)
        )
        if (numAffectedRows !== 1n) return yield* overtaken
      }, Effect.catchTag("PostgresError", unavailable)),
      leave: (tenantId) =>
        turned(tenantId, "switching", "left").pipe(
          Effect.asVoid,
          Effect.catchTag("PostgresError", unavailable)
        ),
      open: (tenantId) =>
        transaction(Effect.gen(function*() {
          const { numAffectedRows } = yield* turned(tenantId, "arriving", "arrived")
          if (numAffectedRows === 1n) yield* opening(tenantId)
        })).pipe(Effect.catchTag("PostgresError", unavailable)),
      eraseLeft
    }
    return store
  })

interface WatermarkRow {
  readonly settled: string
  readonly holders: ReadonlyArray<string>
}

interface LogPageRow {
  readonly count: number
  readonly last: string | null
  readonly events: string
  readonly streams: string
  readonly keys: ReadonlyArray<WrappedKey>
}

const emptyPage: LogPageRow = { count: 0, last: null, events: "[]", streams: "[]", keys: [] }

interface KeptPageRow {
  readonly count: number
  readonly rows: string
  readonly next: ReadonlyArray<string> | null
}

interface SummaryRow {
  readonly streams: number
  readonly events: number
  readonly digest: string
}

interface StateRow {
  readonly stream_id: string
  readonly erased_at: string | null
  readonly legal_hold: boolean
}

const overtaken = Effect.fail(
  new MoveBlocked({ problem: "it was cancelled, or another run goes on" })
)

const unavailable = (cause: PostgresError) =>
  Effect.fail(new EventStoreUnavailable({ operation: "cells", cause }))
