/**
 * Invariants of the providers' keys: a refused key rests in every process, and a resting key is not
 * used.
 */
import { Effect } from "effect"
import type { ServiceState } from "../../src/application/ports/ServiceState.ts"
import { KeyState } from "../../src/domain/search/KeyPool.ts"
import type { Violated } from "./Invariants.ts"
import type { Hit } from "./SimulatedWeb.ts"

/** Who had chosen its keys before one of them was refused comes to it within so long. */
const underWayMs = 3_500
/** Within so long a refusal is written. */
const learnMs = 2_500

interface Rest {
  readonly sinceMs: number
  readonly untilMs: number
}

export interface Options {
  readonly violated: Violated
  readonly nowMs: () => number
  readonly after: (ms: number, run: () => void) => void
  readonly isAlive: (process: string) => boolean
}

export const make = ({ after, isAlive, nowMs, violated }: Options) => {
  const rests = new Map<number, Rest>()
  /** When a key was last sent to rest, also one that was loaded anew since. */
  const restedAtMs = new Map<number, number>()

  const isResting = (keySlot: number): boolean => (rests.get(keySlot)?.untilMs ?? 0) > nowMs()

  const written = ({ key_slot, state, until = "" }: KeyState): void => {
    const sinceMs = nowMs()
    rests.delete(key_slot)
    if (state !== "cooling" && state !== "disabled") return
    restedAtMs.set(key_slot, sinceMs)
    rests.set(key_slot, { sinceMs, untilMs: state === "disabled" ? Infinity : Date.parse(until) })
  }

  return {
    watched: ({ put, rows }: ServiceState["Service"]): ServiceState["Service"] => ({
      rows,
      put: (kind, change) =>
        Effect.tap(put(kind, change), (isWritten) =>
          Effect.sync(() => {
            if (isWritten && kind === "key") written(KeyState.make(Object(change.value)))
          }))
    }),
    reached: ({ keySlot, process, query }: Hit): void => {
      const { sinceMs = 0, untilMs = 0 } = rests.get(keySlot) ?? {}
      if (nowMs() < untilMs && nowMs() > sinceMs + underWayMs) {
        violated("a key that rests is not used", `${process} key ${keySlot} "${query}"`)
      }
    },
    refused: (keySlot: number, process: string): void => {
      if (isResting(keySlot)) return
      const refusedAtMs = nowMs()
      after(learnMs, () => {
        if ((restedAtMs.get(keySlot) ?? 0) < refusedAtMs && isAlive(process)) {
          violated("who was refused rests", `${process} key ${keySlot}`)
        }
      })
    }
  }
}
