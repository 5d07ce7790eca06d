/**
 * Bounds the bytes written for clients that do not read, and disconnects slow ones. A response's
 * bytes count until the connection has taken them.
 */
import { Clock, Effect, Schedule } from "effect"

const unreadBytesMax = 24 * 1_048_576
/** A client with unread data that reads nothing for this time is disconnected. */
const idleMsMax = 10_000
const pollEvery = "1 second"

export interface UnreadAnswer {
  readonly add: (bytes: number) => Effect.Effect<void>
  readonly take: (bytes: number) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

interface Open {
  bytes: number
  /** Time when the client last read, or its first unread byte was written. */
  movedAtMs: number
  readonly cutOff: () => void
}

/** `cutOff` ends the connection at once. The check runs until the scope closes. */
export const make = Effect.gen(function*() {
  const open = new Set<Open>()
  let totalBytes = 0

  const forget = (answer: Open) => {
    if (open.delete(answer)) totalBytes -= answer.bytes
  }

  const cut = (answer: Open) => {
    forget(answer)
    answer.cutOff()
  }

  /** Disconnects the longest idle clients first. */
  const makeRoom = () => {
    const waiting = [...open].filter(({ bytes }) => bytes > 0)
      .sort((left, right) => left.movedAtMs - right.movedAtMs)
    for (const answer of waiting) {
      if (totalBytes <= unreadBytesMax) return
      cut(answer)
    }
  }

  const cutIdle = Effect.map(Clock.currentTimeMillis, (nowMs) => {
    for (const answer of [...open]) {
      if (answer.bytes > 0 && nowMs - answer.movedAtMs > idleMsMax) cut(answer)
    }
  })
  yield* Effect.forkScoped(Effect.repeat(cutIdle, Schedule.spaced(pollEvery)))

  const opened = (cutOff: () => void): Effect.Effect<UnreadAnswer> =>
    Effect.sync(() => {
      const answer: Open = { bytes: 0, movedAtMs: 0, cutOff }
      open.add(answer)
      const move = (bytes: number) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (!open.has(answer)) return
          if (bytes < 0 || answer.bytes === 0) answer.movedAtMs = nowMs
          answer.bytes += bytes
          totalBytes += bytes
          if (totalBytes > unreadBytesMax) makeRoom()
        })
      return {
        add: (bytes) => move(bytes),
        take: (bytes) => move(-bytes),
        close: Effect.sync(() => forget(answer))
      }
    })

  return { opened }
})
