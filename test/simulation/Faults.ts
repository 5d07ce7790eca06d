/** What is wrong at a moment, as the scenario says. */
import type { ProviderName } from "../../src/domain/search/SearchStatus.ts"
import type { Fate, FateOf } from "./Connection.ts"
import type { EngineStep, Fault, KillPoint, ProviderFault, Scenario } from "./Scenario.ts"
import { type Process, startMs, type World } from "./World.ts"

type Of<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>

/** Milliseconds of a statement's way, either way; most arrive at once. */
const tripsMs = [0, 0, 1, 2, 5] as const

export interface FaultsOptions {
  readonly world: World
  readonly scenario: Scenario
  /** Which replica the process is; `undefined`: none. */
  readonly replicaOf: (process: Process) => number | undefined
  readonly kill: (replica: number) => void
}

export const make = ({ kill, replicaOf, scenario, world }: FaultsOptions) => {
  const of = <Kind extends Fault["kind"]>(kind: Kind): ReadonlyArray<Of<Kind>> =>
    scenario.faults.filter((fault): fault is Of<Kind> => fault.kind === kind)
  const atMs = () => world.nowMs() - startMs
  const isNow = ({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }) =>
    !isOver && atMs() >= fromMs && atMs() < untilMs

  const kills = of("kill_at").map((fault) => ({ ...fault, left: fault.statement }))
  let isOver = false
  const [away, slow] = [of("store_away"), of("store_slow")]
  const [provider, engine, unheard] = [of("provider"), of("engine"), of("unheard")]

  /** At which of its own statements the process is to be killed. */
  const killPoint = (replica: number): KillPoint | undefined => {
    if (isOver) return undefined
    const due = kills.find((one) => one.replica === replica && one.left > 0 && atMs() >= one.atMs)
    if (due === undefined) return undefined
    due.left -= 1
    return due.left === 0 ? due.point : undefined
  }

  const tripMs = (): number => tripsMs[Math.floor(world.dice() * tripsMs.length)] ?? 0

  const fateOf: FateOf = (process, statement) => {
    const delayMs = slow.find(isNow)?.ms ?? 0
    const fate: Fate = {
      sendMs: tripMs(),
      commitMs: tripMs() + (statement === "append" ? world.dice() * delayMs : 0),
      backMs: tripMs(),
      lost: away.find(isNow)?.point ?? "never"
    }
    const replica = replicaOf(process)
    const point = replica === undefined ? undefined : killPoint(replica)
    if (replica === undefined || point === undefined) return fate
    world.note(`${process.name} is killed at ${statement}, ${point}`)
    const killIfAlive = () => process.isAlive ? kill(replica) : undefined
    if (point === "unsent") killIfAlive()
    const afterMs = point === "sent" ? 0 : fate.sendMs + fate.commitMs
    world.after(world.outside, afterMs, killIfAlive)
    return point === "answered" ? { ...fate, backMs: fate.backMs + 1 } : fate
  }

  return {
    fateOf,
    providerFault: (name: ProviderName, keySlot: number): ProviderFault | undefined =>
      provider.find((fault) =>
        fault.provider === name && isNow(fault) &&
        (fault.keySlot === undefined || fault.keySlot === keySlot)
      )?.how,
    engineTrouble: (step: EngineStep): Of<"engine">["how"] | undefined =>
      engine.find((fault) => fault.step === step && isNow(fault))?.how,
    isHeard: (): boolean => !unheard.some(isNow),
    /** Nothing is wrong from now on. */
    end: (): void => {
      isOver = true
    }
  }
}
