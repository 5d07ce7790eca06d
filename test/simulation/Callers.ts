/**
 * The callers of a scenario: they ask, go away, lose their replica, ask again elsewhere under the
 * same `request_id`, and in the end ask for every answer that they are owed.
 */
import { Effect } from "effect"
import type { Report } from "../../src/application/GroundQuestion.ts"
import type { Cluster, Ended } from "./Cluster.ts"
import type { Services } from "./Replica.ts"
import { type Command, replicasCount, type Request, type Scenario } from "./Scenario.ts"
import type { World } from "./World.ts"

/** The last session is another tenant's. */
const tenantOf = ({ session_id }: Request): string => session_id === "s3" ? "u" : "t"

/** One call as it ended. */
export interface Told {
  readonly request: Request
  readonly operation: Command["operation"]
  readonly process: string
  /** Of virtual time. */
  readonly askedAtMs: number
  readonly endedAtMs: number
  readonly hasLeft: boolean
  readonly ended: Ended
}

export interface Listener {
  /** In a process, for an answer. */
  readonly asked: (request: Request, process: string) => void
  readonly told: (told: Told) => void
  /** A fact that a caller has received. */
  readonly reported: Report
}

/** How often a caller asks again, and when, in milliseconds. */
const triesMax = 4
const pauseMsMin = 200
const pauseMsMax = 1_200
/** Asked until answered in the end, so often at most. */
const lastTriesMax = 30
const lastPauseMs = 700

export interface Callers {
  /** Calls that have not ended. */
  readonly open: () => number
  /** Repeats each request of a caller; `done` when all are answered. */
  readonly collect: (done: () => void) => void
  /** Asks whether each session's facts follow from each other; `done` when all is said. */
  readonly replay: (done: () => void) => void
}

export const make = (
  world: World,
  cluster: Cluster,
  scenario: Scenario,
  listener: Listener
): Callers => {
  const grounded = new Set<Request>()
  let open = 0

  const anyReplica = (): number => Math.floor(world.dice() * replicasCount)

  const ask = (
    { operation, request }: Pick<Command, "operation"> & { readonly request: Request },
    replica: number,
    leavesAfterMs: number | undefined,
    then: (ended: Ended) => void
  ): void => {
    const askedAtMs = world.nowMs()
    const process = cluster.replica(replica).process.name
    let [hasLeft, hasEnded] = [false, false]
    open += 1
    if (operation === "ground") {
      grounded.add(request)
      listener.asked(request, process)
    }
    world.note(`asks ${process} ${operation} ${request.request_id}`)
    const leave = cluster.call(
      replica,
      (services, nowMs) => asking(services, request, operation, nowMs, listener.reported),
      (ended) => {
        open -= 1
        hasEnded = true
        const endedAtMs = world.nowMs()
        world.note(`${process} ${operation} ${request.request_id} ${tellingOf(ended)}`)
        listener.told({ request, operation, process, askedAtMs, endedAtMs, hasLeft, ended })
        then(ended)
      }
    )
    if (leavesAfterMs !== undefined) {
      world.after(world.outside, leavesAfterMs, () => {
        if (hasEnded) return
        hasLeft = true
        world.note(`leaves ${process} ${request.request_id}`)
        leave()
      })
    }
  }

  const perform = (command: Command, request: Request, replica: number, tries: number): void =>
    ask(
      { operation: command.operation, request },
      replica,
      tries === 0 ? command.leavesAfterMs : undefined,
      (ended) => {
        if (!isPassing(ended) || tries + 1 >= triesMax) return
        const pauseMs = pauseMsMin + world.dice() * (pauseMsMax - pauseMsMin)
        world.after(
          world.outside,
          pauseMs,
          () => perform(command, request, anyReplica(), tries + 1)
        )
      }
    )

  for (const command of scenario.commands) {
    const request = scenario.requests[command.request]
    if (request === undefined) continue
    world.after(world.outside, command.atMs, () => perform(command, request, command.replica, 0))
  }

  const collect: Callers["collect"] = (done) => {
    const owed = new Set(grounded)
    if (owed.size === 0) return done()
    const again = (request: Request, tries: number): void =>
      ask({ operation: "ground", request }, anyReplica(), undefined, (ended) => {
        if (ended._tag === "Answered") {
          owed.delete(request)
          if (owed.size === 0) done()
          return
        }
        if (tries < lastTriesMax) {
          world.after(world.outside, lastPauseMs, () => again(request, tries + 1))
        }
      })
    for (const request of owed) again(request, 0)
  }

  const replay: Callers["replay"] = (done) => {
    const sessions = new Map([...grounded].map((request) => [request.session_id, request]))
    const left = new Set(sessions.values())
    if (left.size === 0) return done()
    for (const request of sessions.values()) {
      ask({ operation: "replay", request }, anyReplica(), undefined, () => {
        left.delete(request)
        if (left.size === 0) done()
      })
    }
  }

  return { open: () => open, collect, replay }
}

const asking = (
  { admission, api, within }: Services,
  request: Request,
  operation: Command["operation"],
  nowMs: number,
  report: Report
): Effect.Effect<unknown, unknown> => {
  const tenantId = tenantOf(request)
  const caller = { tenantId, actor: "caller", arrivedAtMs: nowMs }
  const { request_id, session_id } = request
  switch (operation) {
    case "ground":
      return admission.admit("grounding")(
        within(tenantId)(api.ground(request.given ?? request, caller, report))
      )
    case "pack":
      return admission.admit("read")(api.pack({ session_id, request_id }, caller))
    case "shown":
      return admission.admit("read")(
        api.shown({ session_id, request_id, audience: "user" }, caller)
      )
    case "session":
      return admission.admit("read")(api.session({ session_id }, caller))
    case "replay":
      return api.replay({ session_id }, caller)
  }
}

const passingTags = new Set([
  "StoreUnavailable",
  "Overloaded",
  "RequestInProgress",
  "Interrupted",
  "LimitReached"
])

/** Whether the same call may go well another time. */
const isPassing = (ended: Ended): boolean =>
  ended._tag === "Lost" || ended._tag === "Refused" || ended._tag === "Interrupted" ||
  (ended._tag === "Failed" && passingTags.has(ended.tag))

const tellingOf = (ended: Ended): string =>
  ended._tag === "Failed" ? `fails: ${ended.tag}` : ended._tag.toLowerCase()
