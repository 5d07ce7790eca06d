/**
 * What one seed plays: the requests, who asks for them where and when, and what goes wrong.
 *
 * It is data, so that a failing one can be printed, shortened, or made from an incident's events.
 */
import type { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import type { QueryPlan } from "../../src/domain/plan/QueryPlan.ts"
import type { SearchHit } from "../../src/domain/search/SearchStatus.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"

export const replicasCount = 3

/** Times of a scenario are milliseconds from its beginning. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export type ProviderFault =
  | "rate_limited"
  | "quota"
  | "invalid_key"
  | "forbidden"
  | "unavailable"
  | "garbage"
  | "unsent"
  | "hangs"
  | "slow"
  | "nothing_found"

export type EngineStep = "gate" | "planner" | "reader" | "reranker" | "writer" | "judge"

/** When a process is killed at a statement: before it leaves, or before its answer is seen. */
export type KillPoint = "unsent" | "sent" | "answered"

export type Fault =
  | { readonly kind: "kill"; readonly replica: number; readonly atMs: number }
  /** At the statement of this number that the replica sends after the instant. */
  | {
    readonly kind: "kill_at"
    readonly replica: number
    readonly atMs: number
    readonly statement: number
    readonly point: KillPoint
  }
  | {
    readonly kind: "freeze"
    readonly replica: number
    readonly atMs: number
    readonly forMs: number
  }
  /** The replica's wall clock goes forward. */
  | {
    readonly kind: "jump"
    readonly replica: number
    readonly atMs: number
    readonly byMs: number
  }
  /** Statements are lost before they ran, or after: those were committed and not acknowledged. */
  | { readonly kind: "store_away"; readonly point: "before" | "after" } & Span
  /** Commits take so long more. */
  | { readonly kind: "store_slow"; readonly ms: number } & Span
  | {
    readonly kind: "provider"
    readonly provider: "tavily" | "duckduckgo"
    /** Absent: each of its keys. */
    readonly keySlot?: number
    readonly how: ProviderFault
  } & Span
  | {
    readonly kind: "engine"
    readonly step: EngineStep
    readonly how: "fails" | "hangs" | "slow"
  } & Span
  /** The process gets no notice that something was appended. */
  | { readonly kind: "unheard" } & Span
  /** The replicas are replaced one after the other by a release with a newer read model. */
  | { readonly kind: "rollout"; readonly atMs: number }

/** A question as callers send it, under its own `request_id`. */
export interface Request {
  readonly session_id: string
  readonly request_id: string
  readonly topic: string
  readonly tier: "standard" | "premium"
  readonly phase: "session_setup" | "mid_chat"
  readonly user_asked_for_facts: boolean
  /** Unasked, and the roleplay cannot go on without it. */
  readonly realism_blocked: boolean
  readonly consent_raw_content: boolean
  readonly deadline_ms: number
  /** As it was sent in an incident, with fields that the simulation has no use for. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** What came of a query in an incident. */
export interface RecordedSearch {
  readonly hits: ReadonlyArray<SearchHit>
  /** By provider and key, e.g. `tavily 1`; `undefined`: it answered. */
  readonly faults: ReadonlyMap<string, ProviderFault | undefined>
}

/** What was answered from outside in an incident. */
export interface Recorded {
  /** By `request_id`. */
  readonly needs: ReadonlyMap<string, SearchNeed>
  readonly plans: ReadonlyMap<string, QueryPlan>
  /** By query. */
  readonly searches: ReadonlyMap<string, RecordedSearch>
  /** Queries in whose search a process was lost. */
  readonly lost: ReadonlySet<string>
}

export interface Command {
  readonly atMs: number
  readonly operation: "ground" | "pack" | "shown" | "session" | "replay"
  /** Place among the scenario's requests. */
  readonly request: number
  readonly replica: number
  /** The caller closes its connection so long after it asked, and asks again later. */
  readonly leavesAfterMs?: number
}

export interface Scenario {
  readonly seed: number
  readonly order: "in turn" | "shuffled"
  /** By replica: how far its wall clock is ahead of the database's, in milliseconds. */
  readonly aheadMs: ReadonlyArray<number>
  /** Places for groundings in each replica. */
  readonly places: number
  readonly sharesPacks: boolean
  /** The read model that the replicas keep. */
  readonly model: "groundings" | "search_health"
  /** Whether each session is recomputed in the end: it costs as much as all the rest. */
  readonly replays: boolean
  /** Credits that each key may spend. */
  readonly creditsMax: number
  readonly requests: ReadonlyArray<Request>
  readonly commands: ReadonlyArray<Command>
  readonly faults: ReadonlyArray<Fault>
  /** Of an incident; what it lacks is made up. */
  readonly recorded?: Recorded
}

const sessionsCount = 3
const commandsCount = 30
const faultsMax = 10
const topicsCount = 6
/** Commands come in, and faults begin, within so long. */
export const busyMs = 6_000
const deadlinesMs = [1_000, 3_000, 3_000, 6_000, 6_000] as const

/** Of these, what two sessions ask in the same words is one need. */
const topicOf = (number: number): string => `Rule ${number} in Halvern?`

export const drawn = (seed: number): Scenario => {
  const dice = makeDice(seed)
  const requests = drawnRequests(dice)
  // In half of the seeds everybody waits for the answer.
  const leavingShare = draw(dice, [0, 0.12])
  const commands = Array.from(
    { length: commandsCount },
    () => drawnCommand(dice, requests.length, leavingShare)
  )
  const faultsCount = Math.floor(dice() * (faultsMax + 1))
  return {
    seed,
    order: draw(dice, ["in turn", "shuffled"]),
    aheadMs: Array.from({ length: replicasCount }, () => draw(dice, [0, 0, 0, -90_000, 45_000])),
    places: draw(dice, [1, 2, 8, 8]),
    sharesPacks: dice() < 0.5,
    model: draw(dice, ["groundings", "search_health"]),
    replays: dice() < 0.25,
    creditsMax: draw(dice, [3, 40, 1_000, 1_000]),
    requests,
    commands: commands.toSorted((one, other) => one.atMs - other.atMs),
    faults: Array.from({ length: faultsCount }, () => drawnFault(dice))
  }
}

const drawnRequests = (dice: Dice): ReadonlyArray<Request> =>
  Array.from({ length: sessionsCount }, (_, session) => {
    const tier = draw(dice, ["standard", "premium"] as const)
    return Array.from({ length: 2 + Math.floor(dice() * 3) }, (_, number): Request => ({
      session_id: `s${session + 1}`,
      request_id: `s${session + 1}-r${number + 1}`,
      topic: topicOf(1 + Math.floor(dice() * topicsCount)),
      tier: dice() < 0.9 ? tier : draw(dice, ["standard", "premium"] as const),
      phase: draw(dice, ["session_setup", "mid_chat", "mid_chat"] as const),
      user_asked_for_facts: dice() < 0.7,
      realism_blocked: dice() < 0.7,
      consent_raw_content: dice() < 0.5,
      deadline_ms: draw(dice, deadlinesMs)
    }))
  }).flat()

const drawnCommand = (dice: Dice, requestsCount: number, leavingShare: number): Command => {
  // Some come in bursts, so that callers of a session meet.
  const atMs = draw(dice, [dice() * busyMs, Math.floor(dice() * 4) * 1_500 + dice() * 30])
  const leaves = dice() < leavingShare
  return {
    atMs: Math.floor(atMs),
    operation: draw(dice, ["ground", "ground", "ground", "ground", "pack", "shown", "session"]),
    request: Math.floor(dice() * requestsCount),
    replica: Math.floor(dice() * replicasCount),
    ...(leaves ? { leavesAfterMs: Math.floor(dice() * draw(dice, [30, 300, 2_000])) } : {})
  }
}

const drawnFault = (dice: Dice): Fault => {
  const replica = Math.floor(dice() * replicasCount)
  const atMs = Math.floor(dice() * busyMs)
  const span = (longestMs: number) => ({
    fromMs: atMs,
    untilMs: atMs + Math.floor(dice() * longestMs)
  })
  switch (draw(dice, kinds)) {
    case "kill":
      return { kind: "kill", replica, atMs }
    case "kill_at":
      return {
        kind: "kill_at",
        replica,
        atMs,
        statement: 1 + Math.floor(dice() * 40),
        point: draw(dice, ["unsent", "sent", "answered"])
      }
    case "freeze":
      return { kind: "freeze", replica, atMs, forMs: Math.floor(dice() * 7_000) }
    case "jump":
      return { kind: "jump", replica, atMs, byMs: Math.floor(dice() * 20_000) }
    case "store_away":
      return { kind: "store_away", point: draw(dice, ["before", "after"]), ...span(2_500) }
    case "store_slow":
      return { kind: "store_slow", ms: draw(dice, [40, 300, 1_200]), ...span(3_000) }
    case "provider":
      return {
        kind: "provider",
        provider: draw(dice, ["tavily", "tavily", "duckduckgo"]),
        ...(dice() < 0.4 ? { keySlot: 1 + Math.floor(dice() * 2) } : {}),
        how: draw(dice, providerFaults),
        ...span(6_000)
      }
    case "engine":
      return {
        kind: "engine",
        step: draw(dice, ["gate", "planner", "reader", "reranker", "writer", "judge"]),
        how: draw(dice, ["fails", "hangs", "slow"]),
        ...span(6_000)
      }
    case "unheard":
      return { kind: "unheard", ...span(6_000) }
    case "rollout":
      return { kind: "rollout", atMs }
  }
}

const kinds: ReadonlyArray<Fault["kind"]> = [
  "kill",
  "kill_at",
  "kill_at",
  "kill_at",
  "freeze",
  "jump",
  "store_away",
  "store_away",
  "store_slow",
  "provider",
  "provider",
  "provider",
  "engine",
  "unheard",
  "rollout"
]

const providerFaults: ReadonlyArray<ProviderFault> = [
  "rate_limited",
  "quota",
  "invalid_key",
  "forbidden",
  "unavailable",
  "garbage",
  "unsent",
  "hangs",
  "slow",
  "nothing_found"
]
