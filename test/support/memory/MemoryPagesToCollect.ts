/** Pages that wait to be collected, in a `Ref`: for tests. */
import { Clock, Effect, Layer, Ref } from "effect"
import {
  PagesToCollect,
  type Taken,
  type Waiting,
  waitingMax
} from "../../../src/application/evidence/PagesToCollect.ts"

interface Row extends Taken {
  readonly tenantId: string
  readonly session_id: string
  readonly dueMs: number
}

export const layer = (isOn = true) =>
  Layer.effect(
    PagesToCollect,
    Effect.gen(function*() {
      const rows = yield* Ref.make<ReadonlyArray<Row>>([])
      let tokens = 0
      const isOf = (tenantId: string) => (row: Row) => row.tenantId === tenantId
      const withRow = (all: ReadonlyArray<Row>, row: Row) => [
        ...all.filter(({ key, tenantId }) => key !== row.key || tenantId !== row.tenantId),
        row
      ]
      return {
        isOn,
        put: (tenantId, session_id, pages: ReadonlyArray<Waiting>, dueInMs) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            Ref.modify(rows, (all) => {
              const own = all.filter(isOf(tenantId))
              const hasRoom = own.length + pages.length <= waitingMax
              const next = pages
                .filter(({ key }) => hasRoom || own.some((row) => row.key === key))
                .reduce<ReadonlyArray<Row>>((list, waiting) =>
                  withRow(list, {
                    ...waiting,
                    tenantId,
                    session_id,
                    token: String(tokens++),
                    tries: 0,
                    dueMs: nowMs + dueInMs
                  }), all)
              return [next.filter(isOf(tenantId)).length, next]
            })),
        release: (tenantId, session_id) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            Ref.update(rows, (all) =>
              all.map((row) =>
                row.tenantId === tenantId && row.session_id === session_id && row.tries === 0
                  ? { ...row, dueMs: nowMs }
                  : row
              ))),
        tenants: Effect.map(
          Ref.get(rows),
          (all) => [
            ...new Set(all.map(({ tenantId }) =>
              tenantId
            ))
          ]
        ),
        take: (tenantId, limit, leaseMs) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            Ref.modify(rows, (all) => {
              const due = all.filter((row) => isOf(tenantId)(row) && row.dueMs <= nowMs)
                .toSorted((one, other) => one.dueMs - other.dueMs).slice(0, limit)
                .map((row): Row => ({ ...row, tries: row.tries + 1, dueMs: nowMs + leaseMs }))
              const taken = due.map(({ key, page, session_id, token, tries }) => ({
                key,
                session_id,
                page,
                token,
                tries
              }))
              return [taken, due.reduce(withRow, all)]
            })),
        done: (tenantId, { key, token }) =>
          Ref.update(rows, (all) =>
            all.filter((row) =>
              !isOf(tenantId)(row) || row.key !== key || row.token !== token
            )),
        clear: (tenantId) =>
          Ref.modify(rows, (all) => [
            all.filter(isOf(tenantId)).length,
            all.filter((row) =>
              !isOf(tenantId)(row)
            )
          ])
      }
    })
  )
