/**
 * Collects the pages that requests have read, after their answers. A page, its fact and its removal
 * from the queue are one transaction: each reading is collected once. A failed page is retried a
 * few times, then dropped.
 */
import { DateTime, Effect, Layer, Option, Result, Schedule } from "effect"
import { PageUnreadable } from "../../contract/PublicFailure.ts"
import type { OutputOf } from "../../contract/ServiceOperations.ts"
import * as Page from "../../domain/page/Page.ts"
import { originOf } from "../../domain/page/PageOrigin.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import { classFieldsOf } from "../../domain/search/SourceClass.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import { sourceKeyOf } from "../../domain/store/Entry.ts"
import { collectionOf, materialCharsMax } from "../../domain/store/Material.ts"
import * as PageMaterial from "../../domain/store/PageMaterial.ts"
import { crashed, EngineFailed, Engines, onBug, type PageText, storable } from "../ports/Engines.ts"
import type { EventStore } from "../ports/EventStore.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import { Limits } from "../ports/Limits.ts"
import { Digest, type Ids, Sites } from "../ports/Platform.ts"
import { PagesLeft } from "../ports/StoredEvidence.ts"
import * as CollectEvidence from "./CollectEvidence.ts"
import type { Embedding } from "./Embedding.ts"
import { PagesToCollect, type Taken, type Waiting, waitingMax } from "./PagesToCollect.ts"

const takenMax = 5

/** Lease for the pages taken at a time; then another process may try. */
const leaseMs = 120_000

const triesMax = 5

/** A page of the same text is not collected again within this time. */
const sameTextMs = 24 * 3_600_000

const pollEvery = "2 seconds"

const collector = "grounding"

const actor = "service"

type Gathered = OutputOf<"GatherEvidence">
type What = keyof Gathered

type Needs = Digest | Embedding | EventStore | EvidenceStore | Ids | PagesToCollect

export const drain = Effect.fn("CollectPages.drain")(function*(tenantId: string) {
  const { take } = yield* PagesToCollect
  let gathered: Gathered = { collected: 0, known: 0, failed: 0 }
  while (true) {
    const taken = yield* take(tenantId, takenMax, leaseMs)
    for (const page of taken) {
      const what = yield* one(tenantId, page)
      gathered = { ...gathered, [what]: gathered[what] + 1 }
    }
    if (taken.length === 0) return gathered
  }
})

/** Collects pages of all tenants for ever. Where collecting is off, waiting pages are removed. */
export const follow = Effect.flatMap(PagesToCollect, ({ clear, isOn, tenants }) => {
  const ofTenant = (tenantId: string) =>
    isOn ? Effect.asVoid(drain(tenantId)) : Effect.asVoid(clear(tenantId))
  const round = Effect.flatMap(
    tenants,
    (all) => Effect.forEach(all, ofTenant, { discard: true })
  ).pipe(Effect.catch((cause) => Effect.logWarning("pages were not collected", cause)))
  return Effect.asVoid(isOn ? Effect.repeat(round, Schedule.spaced(pollEvery)) : round)
})

const one: (tenantId: string, taken: Taken) => Effect.Effect<What, never, Needs> = Effect
  .fnUntraced(
    function*(tenantId: string, taken: Taken) {
      const { done } = yield* PagesToCollect
      const { material, ...reading } = taken.page
      if (yield* isKnown(tenantId, taken)) {
        yield* done(tenantId, taken)
        return "known" as const
      }
      yield* CollectEvidence.collect(
        material,
        {
          tenantId,
          actor,
          collector,
          forSession: taken.session_id,
          also: done(tenantId, taken)
        },
        reading
      )
      return "collected" as const
    },
    (collecting, tenantId, taken) =>
      Effect.catchCause(
        collecting,
        (cause) => Effect.as(failed(tenantId, taken, cause), "failed" as const)
      )
  )

/** Time for queueing, which may delay an answer. */
const queueMsMax = 1_000

/** A failing queue costs the answer nothing. */
export const layerLeaving = Layer.effect(
  PagesLeft,
  Effect.gen(function*() {
    const { isOn, put, release } = yield* PagesToCollect
    const { sha256 } = yield* Digest
    const leave: PagesLeft["Service"]["leave"] = Effect.fn("LeavePages.leavePages")(
      function*({ request, requestedAt, tenantId }, pages, dueInMs) {
        const waiting = pages.flatMap((page) => waitingOf(page, requestedAt, sha256))
        if (waiting.length === 0) return
        const count = yield* put(tenantId, request.session_id, waiting, dueInMs)
        if (count >= waitingMax) {
          yield* Effect.logWarning("pages are left uncollected: too many wait")
        }
      },
      Effect.timeoutOption(queueMsMax),
      Effect.catch((cause) => Effect.logWarning("pages are left uncollected", cause)),
      Effect.asVoid
    )
    return PagesLeft.of({
      isOn,
      leave,
      release: (tenantId, session_id) => Effect.ignore(release(tenantId, session_id))
    })
  })
)

const waitingOf = (page: Page.Page, requestedAt: string, sha256: (text: string) => string) =>
  Option.toArray(PageMaterial.ofPage(page, requestedAt)).map((read): Waiting => ({
    key: sourceKeyOf({ ...read.material, source_id: read.material.source_url }, sha256),
    page: read
  }))

const millisOf = (iso: string): number => DateTime.makeUnsafe(iso).epochMilliseconds

const failed = Effect.fnUntraced(function*(tenantId: string, taken: Taken, cause: unknown) {
  const { done } = yield* PagesToCollect
  const isLast = taken.tries >= triesMax
  yield* Effect.logWarning(
    isLast ? "a page is given up" : "a page was not collected",
    { key: taken.key, tries: taken.tries },
    cause
  )
  if (isLast) yield* Effect.ignore(done(tenantId, taken))
})

/** A snippet never replaces a page, nor an older reading a newer one. */
const isKnown = Effect.fnUntraced(function*(tenantId: string, { key, page }: Taken) {
  const { entriesOf } = yield* EvidenceStore
  const { sha256 } = yield* Digest
  const there = yield* entriesOf(tenantId, key)
  const [first] = there
  if (first === undefined) return false
  if (page.material.extent === "snippet" || page.read_at <= first.collected_at) return true
  const provenance = { collected_at: page.read_at, collector }
  const same = Result.match(collectionOf(page.material, provenance, sha256), {
    onFailure: () => false,
    onSuccess: ({ entries }) =>
      entries.length === there.length &&
      entries.every(({ text_sha256 }, index) => text_sha256 === there[index]?.text_sha256)
  })
  return same && millisOf(page.read_at) - millisOf(first.collected_at) < sameTextMs
})

type PageRead = Omit<PageMaterial.ReadPage, "read_at">

/** Reads one page. Only readers that fetch are asked: there is no snippet to fall back on. */
export const readPage = Effect.fn("ReadPage.readPage")(function*(
  asked: WebAddress,
  sites?: SitePolicy.SitePolicy
) {
  const { reader } = yield* Engines
  const { readTimeoutMs } = yield* Limits
  const { siteOf } = yield* Sites
  const isAllowed = (address: string) => SitePolicy.allows(sites, [address])
  const barred = "site_not_allowed"
  let reason = isAllowed(asked.href) ? "not_configured" : barred
  for (const { ask, info: { engine } } of reader.preferred) {
    if (reason === barred) break
    const wanted = { url: asked.href, content: "", textCharsMax: materialCharsMax, isAllowed }
    const page = yield* Effect.suspend(() => ask(wanted)).pipe(
      Effect.timeoutOrElse({
        duration: readTimeoutMs,
        orElse: () => new EngineFailed({ engine, reason: "timeout" })
      }),
      Effect.map((read) => read && pageOf(asked, storable(read), siteOf)),
      onBug({ engine }, () => new EngineFailed({ engine, ...crashed })),
      Effect.catch((failed) => Effect.succeed(failed))
    )
    if (page === undefined) {
      reason = "empty"
      continue
    }
    if ("_tag" in page) {
      reason = page.detail ?? page.reason
      continue
    }
    if (isAllowed(page.material.source_url)) return page
    reason = barred
  }
  return yield* new PageUnreadable({ url: asked.href, reason })
})

const pageOf = (
  address: WebAddress,
  page: PageText,
  siteOf: (host: string) => string
): PageRead => {
  const hit = {
    url: address.href,
    site: siteOf(address.host),
    official: classFieldsOf(address).official
  }
  const { hit_url, official, url } = originOf(hit, page, siteOf)
  const { removed_chars_count, title = url, truncated } = page
  return {
    material: PageMaterial.materialOf(url, { ...page, title: Page.clean(title, url) }),
    ...asGiven({ asked_url: hit_url }),
    ...(official ? { official } : {}),
    ...asGiven({ truncated, removed_chars_count })
  }
}
