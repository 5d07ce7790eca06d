/** Plays a scenario to its end, or to the first thing that must never happen. */
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Callers from "./Callers.ts"
import * as Cluster from "./Cluster.ts"
import * as Invariants from "./Invariants.ts"
import type { Scenario } from "./Scenario.ts"
import * as SimulatedLog from "./SimulatedLog.ts"
import * as World from "./World.ts"

/** Nothing is wrong any more after this, in milliseconds from the beginning. */
const calmMs = 13_000
/** All that is owed must be answered within so long after that. */
const collectMsMax = 30_000
/** Time for background work to end after the last caller. */
const quietMs = 4_000

/** The lease of a process that died ends by then, and another one has read on. */
const catchUpMsMax = 22_000

export interface Played {
  readonly seed: number
  /** One line for each visible step. */
  readonly trace: ReadonlyArray<string>
  /** SHA-256 of the trace. */
  readonly fingerprint: string
  readonly steps: number
  /** All that was recorded, in the order of the log. */
  readonly log: ReadonlyArray<LoggedEvent>
  readonly violation: Invariants.Violation | undefined
  readonly figures: Invariants.Figures
}

export const play = (scenario: Scenario): Played => {
  const world = World.make(scenario.seed ^ 0x0dd5, scenario.order)
  const tables = SimulatedLog.emptyTables()
  const invariants = Invariants.make(world, scenario, tables)
  const cluster = Cluster.make(world, scenario, tables, invariants.watch)
  const callers = Callers.make(world, cluster, scenario, invariants.listener)
  const isOver = () => invariants.violation() !== undefined
  const until = (ms: number) => World.startMs + ms

  let steps = world.runUntil(until(calmMs), isOver)
  cluster.heal()
  let isCollected = false
  callers.collect(() => {
    isCollected = true
  })
  steps += world.runUntil(until(calmMs + collectMsMax), () => isOver() || isCollected)
  let isReplayed = !scenario.replays
  if (scenario.replays) {
    callers.replay(() => {
      isReplayed = true
    })
  }
  steps += world.runUntil(world.nowMs() + quietMs, isOver)
  const isQuiet = () => isOver() || (isReplayed && invariants.isCaughtUp(cluster))
  steps += world.runUntil(world.nowMs() + catchUpMsMax, isQuiet)
  if (!isOver()) invariants.end(cluster, callers.open())

  const { trace } = world
  return {
    seed: scenario.seed,
    trace,
    fingerprint: sha256(trace.join("\n")),
    steps,
    log: tables.log,
    violation: invariants.violation(),
    figures: invariants.figures()
  }
}
