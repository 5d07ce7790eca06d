/** Ledger of the sandbox's requests: proves how often, and with what, a provider was called. */
import { Effect, Ref } from "effect"
import { createHash } from "node:crypto"

/** Requests kept in full; counts continue. */
const recentMax = 200
/** Most distinct queries and keys counted; further ones count as `other`. */
const namesMax = 5_000

export interface Hit {
  readonly provider: string
  readonly path: string
  readonly query: string
  /** First 8 hex digits of the key's SHA-256; empty without a key. */
  readonly key: string
  /** All except `authorization` and other headers with only the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Hits {
  readonly total: number
  readonly credits: number
  readonly by_provider: Readonly<Record<string, number>>
  readonly by_query: Readonly<Record<string, number>>
  readonly by_key: Readonly<Record<string, number>>
  readonly by_fault: Readonly<Record<string, number>>
  /** Oldest first. */
  readonly recent: ReadonlyArray<Hit>
}

const none: Hits = {
  total: 0,
  credits: 0,
  by_provider: {},
  by_query: {},
  by_key: {},
  by_fault: {},
  recent: []
}

export const keyHash = (key: string): string =>
  createHash("sha256").update(key).digest("hex").slice(0, 8)

export const make = Effect.map(Ref.make(none), (ledger) => ({
  hits: Ref.get(ledger),
  forget: Ref.set(ledger, none),
  record: (hit: Hit) =>
    Ref.update(ledger, (hits) => ({
      ...hits,
      total: hits.total + 1,
      by_provider: raised(hits.by_provider, hit.provider),
      by_query: raised(hits.by_query, hit.query),
      by_key: raised(hits.by_key, hit.key),
      recent: [...hits.recent.slice(1 - recentMax), hit]
    })),
  charge: (credits: number) =>
    Ref.update(ledger, (hits) => ({ ...hits, credits: hits.credits + credits })),
  /** Previous number of requests with the word. */
  meet: (word: string) =>
    Ref.modify(ledger, (hits) => [
      countOf(hits.by_fault, word),
      { ...hits, by_fault: raised(hits.by_fault, word) }
    ])
}))
export type HitLedger = Effect.Success<typeof make>

const countOf = (counts: Readonly<Record<string, number>>, name: string): number =>
  Object.hasOwn(counts, name) ? counts[name] ?? 0 : 0

const raised = (counts: Readonly<Record<string, number>>, wanted: string) => {
  if (wanted === "") return counts
  const isKnown = Object.hasOwn(counts, wanted)
  const name = isKnown || Object.keys(counts).length < namesMax ? wanted : "other"
  return { ...counts, [name]: countOf(counts, name) + 1 }
}
