/** What a request may use of the evidence store in addition to the web, and what it may not. */
import { Context, Effect } from "effect"
import type { Retrieval } from "../../contract/EvidenceSearch.ts"
import type { Page } from "../../domain/page/Page.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import type { EventStoreUnavailable, LogTampered } from "./EventStore.ts"
import { Limits } from "./Limits.ts"

export interface Wanted {
  readonly question: string
  readonly limit: number
  readonly retrieval: Retrieval
  /** Domains that may be used. Default: all. */
  readonly sites?: SitePolicy.SitePolicy
  /** Collected at this instant or later; ISO 8601. Default: any time. */
  readonly collected_from?: string
}

export type UsablePages = SitePolicy.Kept<Page>

export const nothingFound: UsablePages = { kept: [] }

/**
 * The tenant's entries as pages `e1`, `e2`, …, best first. Empty without a store, and where it
 * cannot be reached: a grounding does not fail for it.
 */
export class StoredEvidence extends Context.Service<StoredEvidence, {
  readonly find: (tenantId: string, wanted: Wanted) => Effect.Effect<UsablePages>
}>()("web-grounding/application/ports/StoredEvidence") {
  static readonly none = StoredEvidence.of({ find: () => Effect.succeed(nothingFound) })
}

/** Queues the pages that requests read, to be collected where the operator allows it. */
export class PagesLeft extends Context.Service<PagesLeft, {
  readonly isOn: boolean
  /** Queues a reading's pages, due after `dueInMs` or on `release`. Never fails. */
  readonly leave: (
    reading: {
      readonly tenantId: string
      readonly request: GroundingRequest
      readonly requestedAt: string
    },
    pages: ReadonlyArray<Page>,
    dueInMs: number
  ) => Effect.Effect<void>
  readonly release: (tenantId: string, session_id: string) => Effect.Effect<void>
}>()("web-grounding/application/ports/StoredEvidence/PagesLeft") {}

/** Pages that an admin of the tenant reported: canonical addresses, the latest last. */
export class ReportedPages extends Context.Service<ReportedPages, {
  readonly of: (
    tenantId: string
  ) => Effect.Effect<ReadonlyArray<string>, EventStoreUnavailable | LogTampered>
  /** This process's next answers know it. */
  readonly forget: (tenantId: string) => Effect.Effect<void>
}>()("web-grounding/application/ports/StoredEvidence/ReportedPages") {}

/** What a tenant may use now: sites of the operator and of its own, but for reported pages. */
export const sitesOf = Effect.fnUntraced(function*(tenantId: string) {
  const { sites, sitesByTenant } = yield* Limits
  const { of } = yield* ReportedPages
  const policy = SitePolicy.narrowed(sites, sitesByTenant?.get(tenantId))
  return SitePolicy.withReported(policy, yield* of(tenantId))
})
