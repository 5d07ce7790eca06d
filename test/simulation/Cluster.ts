/**
 * The replicas of a scenario over one database: started, killed, frozen and replaced as it says.
 */
import { Effect, Exit, Schema } from "effect"
import * as Projection from "../../src/application/projections/Projection.ts"
import {
  GroundingsModel,
  SearchHealthModel
} from "../../src/application/projections/SessionsModel.ts"
import { makeDice } from "../support/dice.ts"
import * as Connection from "./Connection.ts"
import * as Faults from "./Faults.ts"
import * as Replica from "./Replica.ts"
import { replicasCount, type Scenario } from "./Scenario.ts"
import * as ScriptedEngines from "./ScriptedEngines.ts"
import * as SimulatedLog from "./SimulatedLog.ts"
import * as SimulatedTables from "./SimulatedTables.ts"
import * as SimulatedWeb from "./SimulatedWeb.ts"
import type { Process, World } from "./World.ts"

/** Between the death of a process and its next start, in milliseconds. */
const downMs = [200, 1_500] as const
/** What a replica that is replaced is given to end its calls, in milliseconds. */
const graceMs = 300
/** Calls that are cut have so long to record what they leave, in milliseconds. */
const cutMs = 1_500
const replacedEveryMs = 2_500

export type Ended =
  | { readonly _tag: "Answered"; readonly value: unknown }
  | { readonly _tag: "Failed"; readonly tag: string; readonly failure: unknown }
  /** The caller's own doing, or that of the end of its replica. */
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Bug"; readonly cause: string }
  /** The replica died. */
  | { readonly _tag: "Lost" }
  /** No process listens there. */
  | { readonly _tag: "Refused" }

export interface Watch {
  /** The tables, each change of which is looked at. */
  readonly around: (tables: SimulatedTables.Tables) => SimulatedTables.Tables
  readonly committed: Parameters<typeof SimulatedLog.layer>[0]["committed"]
  readonly reached: SimulatedWeb.WebOptions["reached"]
  readonly refused: SimulatedWeb.WebOptions["refused"]
  /** The process ends in order, while so many calls of it are open. */
  readonly closed: (process: string, openCalls: number) => void
  /** The process of this name does nothing more. */
  readonly died: (process: string) => void
}

interface Call {
  readonly end: (ended: Ended) => void
}

export interface Cluster {
  readonly kept: SimulatedTables.Tables
  /** The replica that has this number now; it may not have started. */
  readonly replica: (number: number) => Replica.Started
  /** Calls it; `ended` hears once what came of it. Answers how to leave. */
  readonly call: (
    number: number,
    ask: (services: Replica.Services, nowMs: number) => Effect.Effect<unknown, unknown>,
    ended: (ended: Ended) => void
  ) => () => void
  /** Nothing goes wrong from now on, and each replica runs. */
  readonly heal: () => void
}

/** A read model of the service in a version: each later release has a newer one. */
export const consumerOf = (model: Scenario["model"], version: number): Projection.Consumer =>
  model === "groundings"
    ? Projection.consumer({ ...GroundingsModel, version })
    : Projection.consumer({ ...SearchHealthModel, version })

export const make = (
  world: World,
  scenario: Scenario,
  tables: SimulatedLog.LogTables,
  watch: Watch
): Cluster => {
  const kept = watch.around(SimulatedTables.makeTables(scenario.creditsMax))
  const chance = chanceOf(world, scenario.seed)
  const calls = new Map<Process, Set<Call>>()
  const running: Array<Replica.Started> = []
  const numbers = new Map<Process, number>()
  const losing = new Set(scenario.recorded?.lost)
  let starts = 0
  let release = 1

  const kill = (number: number): void => {
    const replica = running[number]
    if (replica === undefined || !replica.process.isAlive) return
    replica.process.isAlive = false
    world.note(`${replica.process.name} dies`)
    watch.died(replica.process.name)
    for (const call of calls.get(replica.process) ?? []) call.end({ _tag: "Lost" })
    const [leastMs, mostMs] = downMs
    world.after(world.outside, leastMs + world.dice() * (mostMs - leastMs), () => start(number))
  }

  const faults = Faults.make({
    world,
    scenario,
    kill,
    replicaOf: (process) => numbers.get(process)
  })

  const start = (number: number): void => {
    starts += 1
    const process = world.process(`p${number + 1}.${starts}`, scenario.aheadMs[number] ?? 0)
    numbers.set(process, number)
    calls.set(process, new Set())
    const connection = Connection.connect(world, process, faults.fateOf)
    running[number] = Replica.start(world, {
      process,
      chance,
      places: scenario.places,
      ports: {
        log: SimulatedLog.layer({
          tables,
          connection,
          nowMs: () => Math.floor(world.nowMs()),
          chance,
          committed: watch.committed,
          later: (ms, run) => world.after(world.outside, ms, run)
        }),
        tables: SimulatedTables.layer(kept, connection, scenario),
        engines: ScriptedEngines.layer({
          world,
          process,
          troubleOf: faults.engineTrouble,
          recorded: scenario.recorded
        }),
        providers: SimulatedWeb.providers({
          world,
          process,
          faultOf: faults.providerFault,
          recorded: scenario.recorded,
          reached: (hit) => {
            watch.reached(hit)
            if (losing.delete(hit.query)) world.after(world.outside, 0, () => kill(number))
          },
          refused: watch.refused
        }),
        consumers: [consumerOf(scenario.model, release)],
        hears: faults.isHeard
      }
    })
  }

  /** As a rolling update does it: no new calls, a moment for those that run, then the end. */
  const replace = (number: number): void => {
    const old = running[number]
    const { services } = old ?? {}
    if (old === undefined || services === undefined || !old.process.isAlive) return
    const inside = Effect.runForkWith(old.context)
    inside(services.draining.refuse)
    world.note(`${old.process.name} is replaced`)
    world.after(world.outside, graceMs, () => {
      if (!old.process.isAlive) return
      inside(services.draining.cut)
      world.after(world.outside, cutMs, () => {
        if (old.process.isAlive) old.close()
        watch.closed(old.process.name, calls.get(old.process)?.size ?? 0)
        world.after(world.outside, graceMs, () => {
          if (running[number] === old && old.process.isAlive) kill(number)
        })
      })
    })
  }

  const schedule = (): void => {
    for (const fault of scenario.faults) {
      const at = (atMs: number, run: () => void) => world.after(world.outside, atMs, run)
      switch (fault.kind) {
        case "kill":
          at(fault.atMs, () => kill(fault.replica))
          break
        case "freeze":
          at(fault.atMs, () => {
            const process = running[fault.replica]?.process
            if (process !== undefined) process.frozenUntilMs = world.nowMs() + fault.forMs
          })
          break
        case "jump":
          at(fault.atMs, () => {
            const process = running[fault.replica]?.process
            if (process !== undefined) process.aheadMs += fault.byMs
          })
          break
        case "rollout":
          at(fault.atMs, () => {
            release += 1
            for (let number = 0; number < replicasCount; number++) {
              at(number * replacedEveryMs, () => replace(number))
            }
          })
      }
    }
  }

  const call: Cluster["call"] = (number, ask, ended) => {
    const replica = running[number]
    const services = replica?.services
    if (replica === undefined || services === undefined || !replica.process.isAlive) {
      ended({ _tag: "Refused" })
      return () => undefined
    }
    const own = calls.get(replica.process)
    let isOver = false
    const one: Call = {
      end: (outcome) => {
        if (isOver) return
        isOver = true
        own?.delete(one)
        world.after(world.outside, 0, () => ended(outcome))
      }
    }
    own?.add(one)
    const nowMs = Math.floor(world.nowMs() + replica.process.aheadMs)
    const fiber = Effect.runForkWith(replica.context)(ask(services, nowMs))
    fiber.addObserver((exit) => one.end(endedBy(exit)))
    return () => {
      world.after(replica.process, 0, () => fiber.interruptUnsafe())
    }
  }

  Array.from({ length: replicasCount }, (_, number) => start(number))
  schedule()

  return {
    kept,
    replica: (number) => running[number] ?? replaced(),
    call,
    heal: () => {
      world.note("calm")
      faults.end()
      running.forEach(({ process }) => {
        process.frozenUntilMs = 0
      })
    }
  }
}

const replaced = (): never => {
  throw new Error("there is no such replica")
}

const endedBy = (exit: Exit.Exit<unknown, unknown>): Ended => {
  if (Exit.isSuccess(exit)) return { _tag: "Answered", value: exit.value }
  const [reason] = exit.cause.reasons
  if (reason?._tag === "Fail") {
    return { _tag: "Failed", tag: tagOf(reason.error), failure: reason.error }
  }
  return reason?._tag === "Interrupt"
    ? { _tag: "Interrupted" }
    : { _tag: "Bug", cause: String(reason?._tag === "Die" ? reason.defect : reason) }
}

const decodeTag = Schema.decodeUnknownSync(Schema.Struct({ _tag: Schema.String }))

const tagOf = (failure: unknown): string => decodeTag(failure)._tag

/** Ids and salts of all processes, from a chance of their own. */
const chanceOf = (world: World, seed: number): SimulatedLog.Chance => {
  const dice = makeDice(seed ^ 0x5eed)
  const hex = (digits: number): string => {
    let text = ""
    while (text.length < digits) text += Math.floor(dice() * 2 ** 32).toString(16).padStart(8, "0")
    return text.slice(0, digits)
  }
  let drawn = 0
  return {
    salt: () => hex(32),
    uuid: () => {
      drawn += 1
      const time = Math.floor(world.nowMs()).toString(16).padStart(12, "0")
      const count = drawn.toString(16).padStart(3, "0").slice(-3)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-8${hex(3)}-${hex(12)}`
    }
  }
}
