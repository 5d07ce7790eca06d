/**
 * Invariants of derived tables: rows are the fold of the log up to their own position, no event is
 * skipped, and no lease is held by a finished caller.
 */
import { Effect, type Schema } from "effect"
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import type { Lease, Page, ReadModelId, Rows } from "../../src/application/ports/ReadModels.ts"
import type { CacheKey } from "../../src/application/ports/SearchProvider.ts"
import type { Consumer } from "../../src/application/projections/Projection.ts"
import type { Violated } from "./Invariants.ts"
import type { Tables } from "./SimulatedTables.ts"
import { spelt } from "./Spelling.ts"

interface Followed {
  position: bigint
  readonly rows: Map<string, Schema.Json>
}

interface Leading {
  readonly owner: string
  readonly untilMs: number
}

export interface Options {
  readonly violated: Violated
  readonly log: ReadonlyArray<LoggedEvent>
  readonly nowMs: () => number
  readonly consumerOf: (id: ReadModelId) => Consumer
  /** Of the credit ledger. */
  readonly reserved: (keySlot: number, amount: number) => void
}

export const make = ({ consumerOf, log, nowMs, reserved, violated }: Options) => {
  const models = new Map<string, Followed>()
  const leases = new Map<string, Leading>()

  const followed = (id: ReadModelId): Followed => {
    const known = models.get(nameOf(id)) ?? { position: 0n, rows: new Map() }
    models.set(nameOf(id), known)
    return known
  }

  const fold = (id: ReadModelId, events: ReadonlyArray<LoggedEvent>, rows: Rows) =>
    Effect.runSync(
      Effect.flatMap(consumerOf(id).plan(events), (plan) =>
        plan.fold(new Map([...rows].filter(([key]) => plan.keys.includes(key)))))
    )

  /** The rows that were written are what the events since the last place make of the rows there. */
  const moved = ({ id, position }: Lease, { to }: Page, written: Rows): void => {
    const model = followed(id)
    if (model.position !== position || to < position) {
      violated("a read model goes on where it was", `${nameOf(id)}: ${position} to ${to}`)
    }
    const events = log.filter((event) => event.position > model.position && event.position <= to)
    for (const [key, row] of fold(id, events, model.rows)) {
      if (row === undefined) model.rows.delete(key)
      else model.rows.set(key, row)
      if (spelt(written.get(key)) !== spelt(row)) {
        violated("rows are a fold of the log", `${nameOf(id)} ${key} at ${to}`)
      }
    }
    model.position = to
  }

  /** The tables, each change of which is looked at. */
  const watched = ({ cache, credits, models, packs, state }: Tables): Tables => ({
    packs,
    state,
    credits: {
      reserve: (provider, keySlot, amount) =>
        Effect.tap(
          credits.reserve(provider, keySlot, amount),
          (month) => Effect.sync(() => month === undefined ? undefined : reserved(keySlot, amount))
        ),
      correct: (month, amount) =>
        Effect.tap(
          credits.correct(month, amount),
          () => Effect.sync(() => reserved(month.keySlot, amount))
        )
    },
    cache: {
      ...cache,
      lead: (key, owner, leaseMs) =>
        Effect.tap(cache.lead(key, owner, leaseMs), (leads) =>
          Effect.sync(() => {
            const held = leases.get(leaseOf(key))
            if (!leads) return
            if (held !== undefined && held.owner !== owner && held.untilMs > nowMs()) {
              violated("one leads at a time", `${owner} beside ${held.owner}`)
            }
            leases.set(leaseOf(key), { owner, untilMs: nowMs() + leaseMs })
          })),
      renew: (key, owner, leaseMs) =>
        Effect.tap(
          cache.renew(key, owner, leaseMs),
          (isHeld) =>
            Effect.sync(() =>
              isHeld ? leases.set(leaseOf(key), { owner, untilMs: nowMs() + leaseMs }) : undefined
            )
        ),
      resign: (key, owner) =>
        Effect.tap(
          cache.resign(key, owner),
          () =>
            Effect.sync(() =>
              leases.get(leaseOf(key))?.owner === owner ? leases.delete(leaseOf(key)) : undefined
            )
        )
    },
    models: {
      ...models,
      commit: (lease, page, fold) => {
        let written: Rows = new Map()
        const seen: typeof fold = (rows) =>
          Effect.tap(fold(rows), (changes) =>
            Effect.sync(() => {
              written = new Map(
                [...changes].flatMap(([key, row]) => row === undefined ? [] : [[key, row]])
              )
            }))
        return Effect.tap(
          models.commit(lease, page, seen),
          () => Effect.sync(() => moved(lease, page, written))
        )
      }
    }
  })

  /** All that readers see of the model. */
  const shown = ({ models: kept }: Tables, { model }: Consumer) =>
    Effect.runSync(kept.range({ model, from: "", until: "\uffff", limit: 1_000_000 }))

  return {
    watched,
    shown,
    /** The process has no caller: its leases would keep others waiting for nothing. */
    done: (process: string): void => {
      for (const { owner, untilMs } of leases.values()) {
        if (owner.startsWith(`${process} `) && untilMs > nowMs()) {
          violated("who is done leads no more", owner)
        }
      }
    },
    committed: ({ position, sessionId, version }: LoggedEvent): void => {
      for (const [name, model] of models) {
        if (position <= model.position) {
          violated(
            "no event is passed unseen",
            `${name} at ${model.position}: ${sessionId} ${version}`
          )
        }
      }
    },
    /** When all is quiet: readers see the fold of the whole log, and there is no leader. */
    end: (kept: Tables, consumer: Consumer): void => {
      const { model } = consumer
      const snapshot = shown(kept, consumer)
      const last = log.at(-1)?.position ?? 0n
      if (snapshot === undefined || snapshot.position !== last) {
        return violated("read models catch up", `${model}: ${snapshot?.position} of ${last}`)
      }
      const { version } = snapshot
      const whole = fold({ model, version }, log, new Map())
      const rows = [...whole].filter(([, row]) => row !== undefined)
        .toSorted(([one], [other]) => one < other ? -1 : 1)
      if (spelt(snapshot.rows) !== spelt(rows)) {
        violated("rows are a fold of the log", `${model}@${version} in the end`)
      }
    }
  }
}

const leaseOf = ({ key, tenantId }: CacheKey): string => `${tenantId} ${key}`

const nameOf = ({ model, version }: ReadModelId): string => `${model}@${version}`
