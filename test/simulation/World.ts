/**
 * Virtual time and a seeded scheduler: one thread in which several processes, a network, a database
 * and their callers run, the same way for the same seed.
 *
 * Nothing in it waits for real time: when no process has anything to do, time moves to the next
 * event. Every task of an Effect fiber comes through the scheduler of its process, so a process can
 * be frozen, or killed between any two of its tasks.
 */
import { Clock, Context, Duration, Effect, Logger, Random, References, Scheduler } from "effect"
import { type Dice, makeDice } from "../support/dice.ts"

/** Operations that a fiber may perform before it lets others go on: as Effect's own scheduler. */
const opsMax = 2_048

const nanosPerMs = 1_000_000

/** When virtual time begins, in milliseconds since the epoch. */
export const startMs = Date.UTC(2026, 2, 2, 10)

/** Longer than any scenario, in milliseconds. */
const longestMs = 10_000_000

/** What runs on its own, and may be killed or frozen: a process of the service, or the world. */
export interface Process {
  readonly name: string
  isAlive: boolean
  /** Nothing of it runs before this instant of virtual time. */
  frozenUntilMs: number
  /** How far its wall clock is ahead of the database's, in milliseconds. Negative: behind. */
  aheadMs: number
}

interface Task {
  readonly process: Process
  readonly priority: number
  readonly run: () => void
}

interface Timer {
  atMs: number
  /** Decides between timers of the same instant. 0 to 1. */
  tie: number
  readonly process: Process
  readonly run: () => void
  isCancelled: boolean
}

export interface World {
  /** Virtual time, in milliseconds since the epoch: the database's clock. */
  readonly nowMs: () => number
  /** Chance that belongs to the order of events, apart from what a scenario is drawn with. */
  readonly dice: Dice
  /** The network, the database, the web and the callers, none of which is ever killed. */
  readonly outside: Process
  readonly process: (name: string, aheadMs: number) => Process
  /** Runs it later as the process's own, unless that is killed before. Answers how to cancel it. */
  readonly after: (process: Process, ms: number, run: () => void) => () => void
  /** What the fibers of the process need: its scheduler, clock and chance, and no log lines. */
  readonly contextOf: (process: Process) => Context.Context<never>
  /** Adds a line to the trace. */
  readonly note: (line: string) => void
  readonly trace: ReadonlyArray<string>
  /** Runs until nothing is left to do or the instant is reached; answers how many steps it took. */
  readonly runUntil: (untilMs: number, isOver: () => boolean) => number
}

/** `order`: whether tasks of the same instant run as they came, or in an order that is drawn. */
export const make = (seed: number, order: "in turn" | "shuffled"): World => {
  const dice = makeDice(seed)
  const trace: Array<string> = []
  const ready: Array<Task> = []
  const timers = makeTimers()
  const outside = processNamed("outside", 0)
  let nowMs = startMs

  const after: World["after"] = (process, ms, run) => {
    const timer = {
      atMs: nowMs + Math.max(0, Math.ceil(ms)),
      tie: dice(),
      process,
      run,
      isCancelled: false
    }
    timers.push(timer)
    return () => {
      timer.isCancelled = true
    }
  }

  const schedulerOf = (process: Process): Scheduler.Scheduler => {
    const scheduleTask = (run: () => void, priority: number) => {
      ready.push({ process, priority, run })
    }
    return {
      executionMode: "sync",
      shouldYield: ({ currentOpCount }) => currentOpCount >= opsMax,
      makeDispatcher: () => ({ scheduleTask, flush: () => undefined })
    }
  }

  const clockOf = (process: Process): Clock.Clock => {
    const wallMs = () => Math.floor(nowMs + process.aheadMs)
    const wallNanos = () => BigInt(wallMs()) * BigInt(nanosPerMs)
    const monotonicNanos = () => BigInt(Math.round((nowMs - startMs) * nanosPerMs))
    return {
      currentTimeMillisUnsafe: wallMs,
      currentTimeMillis: Effect.sync(wallMs),
      currentTimeNanosUnsafe: wallNanos,
      currentTimeNanos: Effect.sync(wallNanos),
      monotonicTimeNanosUnsafe: monotonicNanos,
      monotonicTimeNanos: Effect.sync(monotonicNanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const ms = Duration.toMillis(duration)
          if (!Number.isFinite(ms)) return undefined
          const cancel = after(process, ms, () => resume(Effect.void))
          return Effect.sync(cancel)
        })
    }
  }

  const contextOf: World["contextOf"] = (process) => {
    const chance = makeDice(Math.floor(dice() * 2 ** 32))
    return Context.make(Scheduler.Scheduler, schedulerOf(process)).pipe(
      Context.add(Clock.Clock, clockOf(process)),
      Context.add(Random.Random, {
        nextIntUnsafe: () => Math.floor((chance() - 0.5) * Number.MAX_SAFE_INTEGER),
        nextDoubleUnsafe: chance
      }),
      Context.add(References.TracerEnabled, false),
      Context.add(References.MinimumLogLevel, "None"),
      Context.add(Logger.CurrentLoggers, new Set())
    )
  }

  /** The place of the next task among those that are ready. */
  const nextPlace = (): number => {
    if (order === "in turn" || ready.length === 1) return 0
    const priority = Math.min(...ready.map((task) => task.priority))
    const first = ready.flatMap((task, place) => task.priority === priority ? [place] : [])
    return first[Math.floor(dice() * first.length)] ?? 0
  }

  /** What is due, or the next timer. `false`: nothing is left before that instant. */
  const step = (untilMs: number): boolean => {
    if (ready.length > 0) {
      const [task] = ready.splice(nextPlace(), 1)
      if (task !== undefined) runOrDefer({ ...task, atMs: nowMs, tie: 0, isCancelled: false })
      return true
    }
    const timer = timers.pop(untilMs)
    if (timer === undefined) return false
    nowMs = Math.max(nowMs, timer.atMs)
    if (!timer.isCancelled) runOrDefer(timer)
    return true
  }

  /** A killed process does nothing more; a frozen one does it when it thaws, in the order due. */
  const runOrDefer = (timer: Timer): void => {
    const { process, run } = timer
    if (!process.isAlive) return
    if (process.frozenUntilMs <= nowMs) return run()
    timer.tie = (timer.atMs - startMs) / longestMs
    timer.atMs = process.frozenUntilMs
    timers.push(timer)
  }

  return {
    nowMs: () => nowMs,
    dice,
    outside,
    process: processNamed,
    after,
    contextOf,
    note: (line) => {
      trace.push(`${nowMs - startMs} ${line}`)
    },
    trace,
    runUntil: (untilMs, isOver) => {
      let steps = 0
      while (!isOver() && step(untilMs)) steps += 1
      if (!isOver()) nowMs = Math.max(nowMs, untilMs)
      return steps
    }
  }
}

const processNamed = (name: string, aheadMs: number): Process => ({
  name,
  isAlive: true,
  frozenUntilMs: 0,
  aheadMs
})

const isBefore = (one: Timer, other: Timer): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.tie < other.tie)

/** A binary heap, the earliest timer first. */
const makeTimers = () => {
  const heap: Array<Timer> = []
  const swap = (one: number, other: number): void => {
    const [left, right] = [heap[one], heap[other]]
    if (left === undefined || right === undefined) return
    heap[one] = right
    heap[other] = left
  }
  const isAhead = (one: number, other: number): boolean => {
    const [left, right] = [heap[one], heap[other]]
    return left !== undefined && right !== undefined && isBefore(left, right)
  }
  return {
    push: (timer: Timer): void => {
      heap.push(timer)
      for (let place = heap.length - 1; place > 0;) {
        const above = (place - 1) >>> 1
        if (!isAhead(place, above)) return
        swap(place, above)
        place = above
      }
    },
    /** The earliest, if it is due by then. */
    pop: (untilMs: number): Timer | undefined => {
      const [first] = heap
      if (first === undefined || first.atMs > untilMs) return undefined
      swap(0, heap.length - 1)
      heap.pop()
      for (let place = 0;;) {
        const [left, right] = [2 * place + 1, 2 * place + 2]
        const least = [left, right].reduce((best, one) => isAhead(one, best) ? one : best, place)
        if (least === place) return first
        swap(place, least)
        place = least
      }
    }
  }
}
