/** State of one request in the pipeline, folded from its events. */
import type { Page } from "../page/Page.ts"
import { type GroundingRequest, questionOf, type Tier } from "../request/GroundingRequest.ts"
import * as HitFusion from "../retrieval/HitFusion.ts"
import * as StoreKnowledge from "../retrieval/StoreKnowledge.ts"
import { wasMade } from "../search/SearchStatus.ts"
import type { Rung } from "./EngineDetail.ts"
import type {
  CachedPackUsed,
  CacheUsed,
  Called,
  CallStarted,
  Decided,
  EvidenceRanked,
  EvidenceRead,
  Finished,
  GroundingPolicy,
  PackCreated,
  PackReused,
  QueryPlanned,
  Researched,
  SearchStopped,
  ShownToUser,
  StoreAsked
} from "./SessionEvent.ts"

type Started = typeof CallStarted.Type

/** A reserved search. Without `outcome` it is in progress, or in doubt. */
export interface Call extends Started {
  readonly outcome?: typeof Called.Type
}

export interface Grounding {
  readonly request: GroundingRequest
  readonly tier: Tier
  /** ISO 8601 UTC. */
  readonly requestedAt: string
  readonly policy: GroundingPolicy
  readonly rulesVersion: number
  readonly languageVersion: string
  readonly boundary: string
  readonly decision?: typeof Decided.Type
  readonly storeAsked?: typeof StoreAsked.Type
  readonly planned?: typeof QueryPlanned.Type
  /** In the order they were started. */
  readonly calls: ReadonlyArray<Call>
  /** Planned queries that the cache answered, in the order they were looked up. */
  readonly cached: ReadonlyArray<typeof CacheUsed.Type>
  readonly reused?: typeof PackReused.Type
  readonly cachedPack?: typeof CachedPackUsed.Type
  readonly stopped?: typeof SearchStopped.Type
  readonly evidence?: {
    readonly pages: ReadonlyArray<Page>
    readonly rung: Rung
    /** 1: read once. More often when a run died that alone had the texts. */
    readonly reading: number
    /** ISO 8601 UTC. Absent where an older release read them. */
    readonly read_at?: string
    readonly left_out?: number
  }
  readonly ranking?: typeof EvidenceRanked.Type
  readonly written?: typeof PackCreated.Type
  readonly researched?: typeof Researched.Type
  /** Absent while the request is in progress. */
  readonly finished?: typeof Finished.Type
  readonly shown: ReadonlyArray<typeof ShownToUser.Type>
}

export interface Session {
  /** Groundings by `request_id`, in the order they were requested. */
  readonly groundings: ReadonlyMap<string, Grounding>
}

/** Hits of all the grounding's searches, merged, best first. */
export const hitsOf = ({ cached, calls }: Grounding): ReadonlyArray<HitFusion.FusedHit> =>
  HitFusion.fuse([
    ...calls.flatMap(({ outcome, query_index }) =>
      outcome === undefined ? [] : [{ queryIndex: query_index, hits: outcome.hits }]
    ),
    ...cached.map(({ hits, query_index }) => ({ queryIndex: query_index, hits }))
  ])

/** Whether the evidence store was asked first and knows enough, so that the web is not searched. */
export const isStoreEnough = ({ decision, request, storeAsked }: Grounding): boolean =>
  storeAsked !== undefined && decision?.need.need_search === true &&
  StoreKnowledge.isEnough(questionOf(request), storeAsked.knowledge, decision.need)

export const isUntried = ({ cached, calls }: Grounding, queryIndex: number): boolean =>
  [...calls, ...cached].every(({ query_index }) => query_index !== queryIndex)

/** Whether a query needs no further search. One whose only call was lost is retried once. */
export const isTaken = (grounding: Grounding, queryIndex: number): boolean => {
  const own = grounding.calls.filter(({ query_index }) => query_index === queryIndex)
  const isLost = own.length === 1 && own.every(({ outcome }) => outcome?.detail === "in_doubt")
  return !isLost && !isUntried(grounding, queryIndex) ||
    grounding.cached.some(({ query_index }) => query_index === queryIndex)
}

/** Whether the call counts against the budget: it may have been sent. */
export const isSpent = ({ outcome }: Pick<Call, "outcome">): boolean =>
  outcome === undefined || outcome.attempts.length === 0 || outcome.attempts.some(wasMade)

export const readingOf = ({ evidence }: Grounding): number => evidence?.reading ?? 0

/** Whether the log may hold the text: with consent. A snippet is recorded with its hit. */
export const isTextKept = ({ request }: Grounding, { reader }: Pick<Page, "reader">): boolean =>
  reader === "snippet" || request.consent_raw_content

export const isTextMissing = ({ chunks, text }: Page): boolean => text === "" && chunks.length > 0

/** Adds the texts that this run has read and the log does not keep, by SHA-256. */
export const withTexts = (
  grounding: Grounding,
  textBySha256: ReadonlyMap<string, string>
): Grounding =>
  grounding.evidence?.pages.some(isTextMissing) !== true ? grounding : {
    ...grounding,
    evidence: {
      ...grounding.evidence,
      pages: grounding.evidence.pages.map((page) =>
        isTextMissing(page)
          ? { ...page, text: textBySha256.get(page.text_sha256) ?? "" }
          : page
      )
    }
  }

/** The pages of an event with their texts; empty where the log does not hold them. */
export const pagesOf = (
  grounding: Grounding,
  event: typeof EvidenceRead.Type
): ReadonlyArray<Page> => {
  const snippets = new Map(hitsOf(grounding).map(({ hit }) => [hit.url, hit.content]))
  return event.pages.map((page) => ({
    ...page,
    text: page.text ?? (page.reader === "snippet" ? snippets.get(page.url) : undefined) ?? ""
  }))
}

export const leftOutOf = ({ cached, calls, evidence }: Grounding): number =>
  [
    ...calls.map(({ outcome }) => outcome?.left_out),
    ...cached.map(({ left_out }) => left_out),
    evidence?.left_out
  ].reduce<number>((sum, count = 0) => sum + count, 0)
