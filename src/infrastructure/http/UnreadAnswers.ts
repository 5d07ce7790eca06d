/**
 * How much is written for clients that do not read it, and the end of those who read too slowly.
 *
 * An answer's bytes count from when they are made until the connection has taken them.
 */
import { Clock, Effect, Schedule } from "effect"

/** Bytes that wait on all connections together, at most. */
const unreadBytesMax = 24 * 1_048_576
/** A client that reads nothing for this time while an answer waits for it is disconnected. */
const idleMsMax = 10_000
/** Poll interval of the search for such clients. */
const pollEvery = "1 second"

export interface UnreadAnswer {
  /** Something was made for the client. */
  readonly add: (bytes: number) => Effect.Effect<void>
  /** The connection has taken it. */
  readonly take: (bytes: number) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

interface Open {
  bytes: number
  /** Time at which the client took something last, or something began to wait for it. */
  movedAtMs: number
  readonly cutOff: () => void
}

/**
 * Bounds the answers that wait for clients that do not read. `cutOff` ends the connection at once.
 * Cutting goes on until the scope closes.
 */
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

  /** Whoever has let the most time pass goes first. */
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
