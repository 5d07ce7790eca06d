/**
 * What callers are owed: an answer or a typed failure in time, the same answer for the same
 * request, no fact that the log does not hold, and no failure that the scenario does not explain.
 */
import { Schema } from "effect"
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import type { Told } from "./Callers.ts"
import { factOf, isOfSession } from "./Fact.ts"
import type { Violated } from "./Invariants.ts"
import type { Fault, Scenario } from "./Scenario.ts"
import { spelt } from "./Spelling.ts"
import { startMs } from "./World.ts"

/** Beyond its deadline, in milliseconds. */
const lateMsMax = 250
/** Time that a caller who disconnects, or whose replica ends, waits for the record. */
const leaveMsMax = 1_250
/** Operations that only read or append wait for the log, and have a time of their own. */
const readMsMax = 6_500

const storeFaults = new Set<Fault["kind"]>(["store_away", "store_slow"])
/** After these a request may be in hands that will never finish it. */
const abandonments = new Set<Fault["kind"]>([
  ...storeFaults,
  "kill",
  "kill_at",
  "freeze",
  "jump",
  "rollout"
])

export const make = (violated: Violated, scenario: Scenario) => {
  /** When each answer was recorded. */
  const finished = new Map<string, number>()
  const given = new Map<string, string>()
  const recorded = new Map<string, string>()
  const begunAtMs = new Map<string, number>()
  const has = (kinds: ReadonlySet<Fault["kind"]>) =>
    scenario.faults.some(({ kind }) => kinds.has(kind))
  const isStoreSick = has(storeFaults)
  const isAbandoned = has(abandonments) || (scenario.recorded?.lost.size ?? 0) > 0
  const isLeft = scenario.commands.some(({ leavesAfterMs }) => leavesAfterMs !== undefined)

  /** How much longer calls of the process may take because it stood still. */
  const frozenMs = (process: string): number =>
    scenario.faults.reduce(
      (sum, fault) =>
        fault.kind === "freeze" && process.startsWith(`p${fault.replica + 1}.`)
          ? sum + fault.forMs
          : sum,
      0
    )

  const inTime = (
    { askedAtMs, ended, endedAtMs, hasLeft, operation, process, request }: Told
  ): void => {
    const limitMs = operation !== "ground"
      ? readMsMax
      : request.deadline_ms + (hasLeft || isCut(ended) ? leaveMsMax : lateMsMax)
    const tookMs = endedAtMs - askedAtMs
    if (tookMs > limitMs + frozenMs(process)) {
      violated(
        "a call ends in time",
        `${process} ${operation} ${request.request_id}: ${tookMs} of ${limitMs} ms`
      )
    }
  }

  const answered = ({ ended, operation, process, request }: Told): void => {
    if (ended._tag !== "Answered") return
    if (operation === "replay") return replayed(request.session_id, ended.value)
    if (operation === "session" || operation === "shown") return
    const key = `${request.session_id} ${request.request_id}`
    const text = spelt(withoutTexts(ended.value))
    if (operation === "ground" && !finished.has(key)) {
      violated("an answer is recorded before it is given", `${process} ${key}`)
    }
    one(key, text)
    if (!text.includes(`"request_id":${JSON.stringify(request.request_id)}`)) {
      violated("an answer names its own request", `${process} ${key}: ${text}`)
    }
    const number = numberOf(request.topic)
    if ([...text.matchAll(/Rule (\d+) in Halvern says/g)].some((told) => told[1] !== number)) {
      violated("an answer is to its own question", `${process} ${key}, of rule ${number}: ${text}`)
    }
  }

  /** A pack may be derived from the facts before its request is reported as finished. */
  const one = (key: string, text: string): void => {
    const before = given.get(key)
    if (before !== undefined && before !== text) {
      violated("a request has one answer", `${key}: ${text} is not ${before}`)
    }
    given.set(key, text)
  }

  const replayed = (sessionId: string, value: unknown): void => {
    const { chain_fault, difference } = decodeReplayed(value)
    if (chain_fault !== undefined) violated("the hash chain holds", sessionId)
    if (difference !== undefined) {
      violated("each fact follows from those before", `${sessionId}: ${spelt(difference)}`)
    }
  }

  /** Why the failure is allowed; `false`: it is not. */
  const isExplained = (told: Told, tag: string): boolean => {
    const { askedAtMs, operation, request: { request_id, session_id } } = told
    const begun = begunAtMs.get(session_id)
    const fact = finished.get(`${session_id} ${request_id}`)
    switch (tag) {
      case "StoreUnavailable":
        return isStoreSick
      case "Overloaded":
        return true
      case "Interrupted":
        return scenario.faults.some(({ kind }) => kind === "rollout")
      case "RequestInProgress":
        return isAbandoned || isLeft
      case "SessionNotFound":
        return begun === undefined || begun >= askedAtMs
      case "PackNotFound":
        // What needs no search has an answer and no pack that could be shown.
        return operation === "shown" || fact === undefined || fact >= askedAtMs
      default:
        return false
    }
  }

  return {
    committed: (event: LoggedEvent, nowMs: number): void => {
      recorded.set(event.eventId, event.hash)
      if (!isOfSession(event)) return
      const fact = factOf(event)
      if (!begunAtMs.has(event.sessionId)) begunAtMs.set(event.sessionId, nowMs)
      if (event.type === "WEB_GROUNDING_FINISHED") {
        const key = `${event.sessionId} ${fact.request_id}`
        finished.set(key, nowMs)
        one(key, spelt(withoutTexts(fact.outcome)))
      }
    },
    reported: (eventId: string, hash: string): void => {
      if (recorded.get(eventId) !== hash) violated("what is told is recorded", eventId)
    },
    told: (told: Told): void => {
      const { ended, operation, process, request: { request_id } } = told
      inTime(told)
      answered(told)
      if (ended._tag === "Bug") violated("no call meets a bug", `${process}: ${ended.cause}`)
      if (ended._tag === "Failed" && !isExplained(told, ended.tag)) {
        const at = told.askedAtMs - startMs
        violated(
          "no call fails without a reason",
          `${process} ${operation} ${request_id} at ${at}: ${ended.tag}`
        )
      }
      if (ended._tag === "Interrupted" && !told.hasLeft && !isAbandoned) {
        violated("no call is cut off", `${process} ${operation} ${request_id}`)
      }
    },
    /** Each request of a caller has its answer in the log by the end. */
    end: (requestKeys: Iterable<string>): void => {
      for (const key of requestKeys) {
        if (!finished.has(key)) violated("every request is answered in the end", key)
      }
    }
  }
}

const numberOf = (topic: string): string => /\d+/.exec(topic)?.[0] ?? ""

const decodeReplayed = Schema.decodeUnknownSync(Schema.Struct({
  chain_fault: Schema.optional(Schema.Unknown),
  difference: Schema.optional(Schema.Unknown)
}))

const isCut = (ended: Told["ended"]): boolean =>
  ended._tag === "Failed" && ended.tag === "Interrupted"

/** Texts of passages may be missing from the log, and then from answers made from it. */
const withoutTexts = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome ?? null), function(key, value) {
    return key === "text" && "source_index" in this ? undefined : value
  })
