/**
 * What must hold of money: a session stays within its budget, nothing is sent that was not reserved
 * and recorded before, no reservation is sent twice, what was sent is recorded, and the ledger of
 * each key never says less than the provider charged, nor more than its ceiling.
 */
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import { type Fact, factOf, isOfSession } from "./Fact.ts"
import type { Violated } from "./Invariants.ts"
import type { Hit } from "./SimulatedWeb.ts"

/** As the service promises them: searches of a session, and of these, unasked ones. */
const promised = {
  standard: { searches: 2, unasked: 1 },
  premium: { searches: 4, unasked: 4 }
} as const

/** Attempts that were recorded and never reached their provider. */
const unsentDetails = new Set(["own_ceiling", "credits_unknown", "keys_resting", "unsent"])

export interface Options {
  readonly violated: Violated
  readonly creditsMax: number
  /** Whether the process that reserved a search may have failed to record what came of it. */
  readonly mayDoubt: (owner: string) => boolean
}

interface Session {
  readonly tier: "standard" | "premium"
  readonly unaskedRequests: Set<string>
  searches: number
  unasked: number
}

interface Counts {
  started: number
  /** Calls of unknown outcome. */
  uncertain: number
  readonly hits: Map<string, number>
  readonly recorded: Map<string, number>
}

export const make = ({ creditsMax, mayDoubt, violated }: Options) => {
  const sessions = new Map<string, Session>()
  const queries = new Map<string, Counts>()
  const queryByCall = new Map<string, string>()
  const ownerByCall = new Map<string, string>()
  /** Who has sent which query. */
  const senders = new Set<string>()
  const charged = new Map<number, number>()
  const ledger = new Map<number, number>()

  const countsOf = (query: string): Counts => {
    const counts = queries.get(query) ??
      { started: 0, uncertain: 0, hits: new Map(), recorded: new Map() }
    queries.set(query, counts)
    return counts
  }

  const reserve = ({ sessionId }: LoggedEvent, fact: Fact): void => {
    const session = sessions.get(sessionId)
    if (session === undefined || fact.query === undefined || fact.call_id === undefined) return
    session.searches += 1
    if (session.unaskedRequests.has(fact.request_id ?? "")) session.unasked += 1
    const { searches, unasked } = promised[session.tier]
    if (session.searches > searches || session.unasked > unasked) {
      violated("a budget holds", `${sessionId} (${session.tier}): ${session.searches} searches`)
    }
    queryByCall.set(fact.call_id, fact.query)
    ownerByCall.set(fact.call_id, fact.owner ?? "")
    countsOf(fact.query).started += 1
  }

  /** What no provider could be asked for is not spent. */
  const release = ({ sessionId }: LoggedEvent, { attempts = [], request_id }: Fact): void => {
    const session = sessions.get(sessionId)
    const isUnmade = attempts.length > 0 &&
      attempts.every(({ detail, status }) =>
        status === "api_key_missing" || status === "circuit_open" ||
        detail !== "unsent" && unsentDetails.has(detail ?? "")
      )
    if (session === undefined || !isUnmade) return
    session.searches -= 1
    if (session.unaskedRequests.has(request_id ?? "")) session.unasked -= 1
  }

  const settle = ({ attempts = [], call_id = "", detail }: Fact): void => {
    const counts = countsOf(queryByCall.get(call_id) ?? "")
    if (detail === "in_doubt" || detail === "interrupted") counts.uncertain += 1
    const owner = ownerByCall.get(call_id) ?? ""
    const isSent = senders.has(`${owner} ${queryByCall.get(call_id)}`)
    if (detail === "in_doubt" && isSent && !mayDoubt(owner)) {
      violated("what came of a search is recorded by who made it", `${owner} ${call_id}`)
    }
    for (const { detail, key_slot = 0, provider, status } of attempts) {
      if (unsentDetails.has(detail ?? "") || status === "circuit_open") continue
      add(counts.recorded, `${provider} ${key_slot}`, 1)
    }
  }

  const balanced = (keySlot: number): void => {
    const [has, owes] = [ledger.get(keySlot) ?? 0, charged.get(keySlot) ?? 0]
    if (has < owes) violated("the ledger says what was charged", `key ${keySlot}: ${has} < ${owes}`)
    if (has > creditsMax) violated("no key is above its ceiling", `key ${keySlot}: ${has}`)
  }

  return {
    committed: (event: LoggedEvent): void => {
      if (!isOfSession(event)) return
      const fact = factOf(event)
      if (fact.request !== undefined) {
        const session = sessions.get(event.sessionId) ??
          { tier: fact.request.tier, unaskedRequests: new Set(), searches: 0, unasked: 0 }
        sessions.set(event.sessionId, session)
        if (fact.request.phase === "mid_chat" && !fact.request.user_asked_for_facts) {
          session.unaskedRequests.add(fact.request_id ?? "")
        }
      }
      if (event.type === "WEB_GROUNDING_CALL_STARTED") reserve(event, fact)
      if (event.type === "WEB_GROUNDING_CALLED") {
        settle(fact)
        release(event, fact)
      }
    },
    reached: ({ charged: amount, keySlot, process, provider, query }: Hit): void => {
      senders.add(`${process} ${query}`)
      const counts = countsOf(query)
      const key = `${provider} ${keySlot}`
      add(counts.hits, key, 1)
      if ((counts.hits.get(key) ?? 0) > counts.started) {
        violated(
          "what is sent was reserved, and is sent once",
          `${key} "${query}": ${counts.hits.get(key)} sent, ${counts.started} reserved`
        )
      }
      if (keySlot === 0) return
      add(charged, keySlot, amount)
      balanced(keySlot)
    },
    reserved: (keySlot: number, amount: number): void => {
      add(ledger, keySlot, amount)
      balanced(keySlot)
    },
    /** Sent and recorded must agree except for calls of unknown outcome. */
    end: (): void => {
      for (const [query, { hits, recorded, uncertain }] of queries) {
        for (const key of new Set([...hits.keys(), ...recorded.keys()])) {
          const [sent, told] = [hits.get(key) ?? 0, recorded.get(key) ?? 0]
          if (told > sent) {
            violated("what is recorded was sent", `${key} "${query}": ${told} > ${sent}`)
          }
          if (sent > told + uncertain) {
            violated(
              "what is sent is recorded",
              `${key} "${query}": ${sent} sent, ${told} recorded, ${uncertain} in doubt`
            )
          }
        }
      }
    },
    uncertain: (): number =>
      [...queries.values()].reduce((sum, counts) => sum + counts.uncertain, 0),
    owed: (): ReadonlyArray<readonly [has: number, owes: number]> =>
      [...ledger].map(([keySlot, has]) => [has, charged.get(keySlot) ?? 0] as const)
  }
}

const add = <Key>(counts: Map<Key, number>, key: Key, amount: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + amount)
}
