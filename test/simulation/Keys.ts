/**
 * What must hold of the providers' keys: who was refused rests, whichever process was told so, and
 * a key that rests is not used.
 */
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import { factOf } from "./Fact.ts"
import type { Violated } from "./Invariants.ts"
import type { Hit } from "./SimulatedWeb.ts"

/** Who had chosen its keys before one of them was refused comes to it within so long. */
const underWayMs = 3_500
/** Within so long a refusal stands in the log. */
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

  return {
    committed: (event: LoggedEvent): void => {
      const fact = factOf(event)
      const slot = fact.key_slot ?? 0
      const sinceMs = nowMs()
      switch (event.type) {
        case "WEB_GROUNDING_KEY_COOLED_DOWN":
          restedAtMs.set(slot, sinceMs)
          rests.set(slot, { sinceMs, untilMs: Date.parse(fact.until ?? "") })
          break
        case "WEB_GROUNDING_KEY_DISABLED":
          restedAtMs.set(slot, sinceMs)
          rests.set(slot, { sinceMs, untilMs: Infinity })
          break
        case "WEB_GROUNDING_KEY_RECOVERED":
          rests.delete(slot)
          break
        case "WEB_GROUNDING_KEYS_LOADED":
          for (const [slot, { untilMs }] of rests) if (untilMs === Infinity) rests.delete(slot)
      }
    },
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
