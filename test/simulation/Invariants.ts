/**
 * What must hold after each step of a scenario, and what must hold when all is quiet. Each change
 * of the database, search of a provider and answer of a call is looked at in the step that makes it.
 */
import { Effect } from "effect"
import * as Answers from "./Answers.ts"
import type { Listener } from "./Callers.ts"
import { type Cluster, consumerOf, type Watch } from "./Cluster.ts"
import * as KeptModels from "./KeptModels.ts"
import * as Keys from "./Keys.ts"
import * as LogOrder from "./LogOrder.ts"
import { type Fault, replicasCount, type Scenario } from "./Scenario.ts"
import type { LogTables } from "./SimulatedLog.ts"
import * as Spending from "./Spending.ts"
import type { World } from "./World.ts"

/** An outage of the database that no search comes into doubt for, in milliseconds. */
const awayMsMax = 1_500
/** After its last call a process is done, in milliseconds. */
const doneMs = 2_000

export interface Violation {
  /** What must hold. */
  readonly invariant: string
  readonly detail: string
}

/** Notes the first violation; those after it may follow from it. */
export type Violated = (invariant: string, detail: string) => void

export interface Figures {
  readonly events: number
  readonly searches: number
  /** Calls by how they ended. */
  readonly ended: Readonly<Record<string, number>>
  /** Searches of unknown outcome. */
  readonly uncertain: number
}

export const make = (world: World, scenario: Scenario, tables: LogTables) => {
  let violation: Violation | undefined
  const violated: Violated = (invariant, detail) => {
    if (violation !== undefined) return
    violation = { invariant, detail }
    world.note(`VIOLATED ${invariant}: ${detail}`)
  }

  const has = (...kinds: ReadonlyArray<Fault["kind"]>) =>
    scenario.faults.some(({ kind }) => kinds.includes(kind))
  /** Beyond it what came of a search may be late; shorter ones are waited out. */
  const awayMs = scenario.faults.reduce(
    (sum, fault) => fault.kind === "store_away" ? sum + fault.untilMs - fault.fromMs : sum,
    0
  )
  const isOnTime = awayMs < awayMsMax && !has("freeze", "store_slow")
  const isStoreSound = !has("store_away", "store_slow", "freeze")

  const dead = new Set<string>()
  const busy = new Map<string, number>()
  const endedAtMs = new Map<string, number>()
  const order = LogOrder.make(violated)
  const spending = Spending.make({
    violated,
    creditsMax: scenario.creditsMax,
    mayDoubt: (owner) => !isOnTime || dead.has(owner.split(" ")[0] ?? "")
  })
  const keys = Keys.make({
    violated,
    nowMs: world.nowMs,
    after: (ms, run) => world.after(world.outside, ms, run),
    isAlive: (process) => !dead.has(process)
  })
  const answers = Answers.make(violated, scenario)
  const kept = KeptModels.make({
    violated,
    log: tables.log,
    nowMs: world.nowMs,
    consumerOf: ({ version }) => consumerOf(scenario.model, version),
    reserved: spending.reserved
  })
  const asked = new Set<string>()
  const ended: Record<string, number> = {}
  let [events, searches] = [0, 0]

  /** A process without a caller has released its leases, a moment later. */
  const done = (process: string): void => {
    const nowMs = world.nowMs()
    busy.set(process, (busy.get(process) ?? 0) - 1)
    endedAtMs.set(process, nowMs)
    if (!isStoreSound) return
    world.after(world.outside, doneMs, () => {
      const isDone = busy.get(process) === 0 && endedAtMs.get(process) === nowMs
      if (isDone && !dead.has(process)) kept.done(process)
    })
  }

  const watch: Watch = {
    around: (tables) => ({ ...kept.watched(tables), state: keys.watched(tables.state) }),
    committed: (committed) => {
      for (const event of committed) {
        events += 1
        world.note(
          `log ${event.sessionId} ${event.version} ${event.type} ${event.hash.slice(0, 8)}`
        )
        order.committed(event)
        spending.committed(event)
        answers.committed(event, world.nowMs())
        kept.committed(event)
      }
    },
    reached: (hit) => {
      searches += 1
      spending.reached(hit)
      if (isStoreSound) keys.reached(hit)
    },
    refused: (keySlot, process) => {
      if (isStoreSound) keys.refused(keySlot, process)
    },
    closed: (process, openCalls) => {
      if (isStoreSound && openCalls > 0 && !dead.has(process)) {
        violated("a replica that is replaced ends its calls first", `${process}: ${openCalls}`)
      }
    },
    died: (process) => {
      dead.add(process)
    }
  }

  const listener: Listener = {
    asked: ({ request_id, session_id }, process) => {
      asked.add(`${session_id} ${request_id}`)
      busy.set(process, (busy.get(process) ?? 0) + 1)
    },
    reported: ({ stored: { eventId, hash } }) => Effect.sync(() => answers.reported(eventId, hash)),
    told: (told) => {
      const name = told.ended._tag === "Failed" ? told.ended.tag : told.ended._tag
      ended[name] = (ended[name] ?? 0) + 1
      answers.told(told)
      if (told.operation === "ground") done(told.process)
    }
  }

  /** No place is taken in a replica that has nothing to do. */
  const placesFree = (cluster: Cluster): void => {
    for (let number = 0; number < replicasCount; number++) {
      const { process, services } = cluster.replica(number)
      if (services === undefined) {
        violated("each replica runs again", process.name)
        continue
      }
      const { running, waiting } = services.admission
      for (const kind of ["grounding", "read"] as const) {
        const taken = Effect.runSync(Effect.all([running(kind), waiting(kind)]))
        if (taken.some((count) => count !== 0)) {
          violated("a call gives its place back", `${process.name} ${kind}: ${taken}`)
        }
      }
    }
  }

  const shown = (cluster: Cluster) => kept.shown(cluster.kept, consumerOf(scenario.model, 1))

  return {
    watch,
    listener,
    /** Whether the read model that readers see has come to the end of the log. */
    isCaughtUp: (cluster: Cluster): boolean =>
      shown(cluster)?.position === tables.log.at(-1)?.position,
    /** When nothing is wrong, all has been asked again, and no caller is left. */
    end: (cluster: Cluster, openCalls: number): void => {
      if (openCalls > 0) violated("every call ends", `${openCalls} are open`)
      answers.end(asked)
      spending.end()
      kept.end(cluster.kept, consumerOf(scenario.model, 1))
      placesFree(cluster)
    },
    violation: () => violation,
    figures: (): Figures => ({ events, searches, ended, uncertain: spending.uncertain() })
  }
}
