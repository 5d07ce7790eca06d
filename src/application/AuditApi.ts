/** Audit operations on recorded sessions for every face; failures become public ones. */
import { Context, Effect, Layer } from "effect"
import type { UseCase } from "../contract/ServiceOperations.ts"
import * as ExportSessions from "./audit/ExportSessions.ts"
import type { InclusionProofs } from "./audit/InclusionProofs.ts"
import * as InPublic from "./InPublic.ts"
import type { EventStore } from "./ports/EventStore.ts"
import type * as RecomputeStep from "./replay/RecomputeStep.ts"
import * as ReplaySession from "./replay/ReplaySession.ts"
import * as WhatIfSession from "./whatif/WhatIfSession.ts"

interface Auditor {
  readonly tenantId: string
}

export class AuditApi extends Context.Service<AuditApi, {
  readonly ReplaySessions: UseCase<"ReplaySessions", Auditor>
  readonly WhatIfSession: UseCase<"WhatIfSession", Auditor>
  readonly ExportSessions: UseCase<"ExportSessions", Auditor>
}>()("web-grounding/application/AuditApi") {}

export const layer = Layer.effect(
  AuditApi,
  Effect.gen(function*() {
    const recorded = yield* Effect.context<
      RecomputeStep.Needs | EventStore | InclusionProofs | ReplaySession.ReplaySession
    >()
    return AuditApi.of({
      ReplaySessions: (range, { tenantId }) =>
        ReplaySession.replays(tenantId, range).pipe(inPublic(""), Effect.provide(recorded)),
      WhatIfSession: ({ session_id, suppose }, { tenantId }) =>
        WhatIfSession.suppose({ tenant_id: tenantId, session_id }, suppose).pipe(
          inPublic(session_id),
          Effect.provide(recorded)
        ),
      ExportSessions: (asked, { tenantId }) =>
        ExportSessions.part(tenantId, asked).pipe(
          inPublic(asked.session_id ?? ""),
          Effect.provide(recorded)
        )
    })
  })
)

const inPublic = (session_id: string) => InPublic.inPublic("an audit failed", session_id)
