/** Pages that an admin reported as false or hostile: no later answer of the tenant uses them. */
import { Cache, Context, DateTime, Effect, Layer } from "effect"
import { InvalidInput } from "../../contract/PublicFailure.ts"
import { PageReported, reportedMax, ReportWithdrawn } from "../../domain/store/EvidenceEvent.ts"
import type { EventUnreadable } from "../log/EventCodec.ts"
import { EventStore, type EventStoreUnavailable, type LogTampered } from "../ports/EventStore.ts"
import { Ids } from "../ports/Platform.ts"
import * as CollectEvidence from "./CollectEvidence.ts"

/** Another process's reports are known after this long at most. */
const knownMsMax = 5_000
const tenantsMax = 1_000

/** Canonical addresses, the latest last. */
export class ReportedPages extends Context.Service<ReportedPages, {
  readonly of: (
    tenantId: string
  ) => Effect.Effect<
    ReadonlyArray<string>,
    EventStoreUnavailable | EventUnreadable | LogTampered
  >
  /** This process's next answers know it. */
  readonly forget: (tenantId: string) => Effect.Effect<void>
}>()("web-grounding/application/evidence/ReportedPages") {}

export const layer = Layer.effect(
  ReportedPages,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()
    const known = yield* Cache.make({
      capacity: tenantsMax,
      timeToLive: knownMsMax,
      lookup: (tenantId: string) =>
        CollectEvidence.load(CollectEvidence.streamOf(tenantId, "reports")).pipe(
          Effect.map(({ state }) => state.reported),
          // No session's erasure reaches this stream.
          Effect.catchTag("EventErased", (bug) => Effect.die(bug)),
          Effect.provide(services)
        )
    })
    return ReportedPages.of({
      of: (tenantId) => Cache.get(known, tenantId),
      forget: (tenantId) => Cache.invalidate(known, tenantId)
    })
  })
)

/** `source_url` is canonical. Idempotent. */
export const report = Effect.fn("ReportedPages.report")(
  function*(source_url: string, isWithdrawn: boolean, keeper: CollectEvidence.Keeper) {
    const { forget } = yield* ReportedPages
    const { actor, collector, tenantId } = keeper
    const stream = CollectEvidence.streamOf(tenantId, "reports")
    const { state: { reported } } = yield* CollectEvidence.load(stream)
    if (!isWithdrawn && reported.length >= reportedMax && !reported.includes(source_url)) {
      return yield* new InvalidInput({
        field: "source_url",
        problem: `${reportedMax} pages are reported; deny their sites by SITES_DENIED, or withdraw`
      })
    }
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* CollectEvidence.record(
      stream,
      isWithdrawn
        ? ReportWithdrawn.make({ source_url, withdrawn_at: at, collector })
        : PageReported.make({ source_url, reported_at: at, collector }),
      actor
    )
    yield* forget(tenantId)
    const { state } = yield* CollectEvidence.load(stream)
    return { source_url, reported: state.reported }
  }
)
