/** Pages that an admin reported as false or hostile: no later answer of the tenant uses them. */
import { Clock, DateTime, Effect, Layer } from "effect"
import { InvalidInput } from "../../contract/PublicFailure.ts"
import { PageReported, reportedMax, ReportWithdrawn } from "../../domain/store/EvidenceEvent.ts"
import type { EventStore } from "../ports/EventStore.ts"
import type { Ids } from "../ports/Platform.ts"
import { ReportedPages } from "../ports/StoredEvidence.ts"
import * as CollectEvidence from "./CollectEvidence.ts"

/** Another process's reports are known after this long at most. */
const knownMsMax = 5_000
const tenantsMax = 1_000

export const layer = Layer.effect(
  ReportedPages,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()
    const known = new Map<string, { atMs: number; pages: ReadonlyArray<string> }>()
    const load = (tenantId: string) =>
      CollectEvidence.load(CollectEvidence.streamOf(tenantId, "reports")).pipe(
        Effect.map(({ state }) => state.reported),
        // No session's erasure reaches this stream, and only `report` writes it.
        Effect.catchTags({
          EventErased: (bug) => Effect.die(bug),
          EventUnreadable: (bug) => Effect.die(bug)
        }),
        Effect.provide(services)
      )
    return ReportedPages.of({
      // Not Effect's Cache: where its caller is gone, it takes its times from another clock.
      of: Effect.fnUntraced(function*(tenantId: string) {
        const atMs = yield* Clock.currentTimeMillis
        const found = known.get(tenantId)
        if (found !== undefined && atMs - found.atMs < knownMsMax) return found.pages
        const pages = yield* load(tenantId)
        if (known.size >= tenantsMax) known.clear()
        known.set(tenantId, { atMs, pages })
        return pages
      }),
      forget: (tenantId) => Effect.sync(() => known.delete(tenantId))
    })
  })
)

/** `source_url` is canonical. Idempotent. */
export const report = Effect.fn("ReportedPages.report")(
  function*(source_url: string, isWithdrawn: boolean, keeper: CollectEvidence.Keeper) {
    const { forget } = yield* ReportedPages
    const { actor, collector, tenantId } = keeper
    const loaded = yield* CollectEvidence.load(CollectEvidence.streamOf(tenantId, "reports"))
    const { reported } = loaded.state
    if (!isWithdrawn && reported.length >= reportedMax && !reported.includes(source_url)) {
      return yield* new InvalidInput({
        field: "source_url",
        problem: `${reportedMax} pages are reported; deny their sites by SITES_DENIED, or withdraw`
      })
    }
    const at = DateTime.formatIso(yield* DateTime.now)
    const { state } = yield* CollectEvidence.handle(
      loaded,
      isWithdrawn
        ? ReportWithdrawn.make({ source_url, withdrawn_at: at, collector })
        : PageReported.make({ source_url, reported_at: at, collector }),
      actor
    )
    yield* forget(tenantId)
    return { source_url, reported: state.reported }
  }
)
