/**
 * Operations of auditors on recorded sessions, beside the replay of one, for every face: input is
 * checked here, and failures become the few that a caller may see.
 */
import { Context, Effect, Layer } from "effect"
import { type Exported, ExportInput } from "../contract/Exported.ts"
import * as Input from "../contract/Input.ts"
import { InternalFailure, type PublicFailure, SessionErased } from "../contract/PublicFailure.ts"
import type { SessionVerdicts } from "../contract/Replayed.ts"
import { SessionRange } from "../contract/SessionRange.ts"
import {
  type SessionWhatIfs,
  type WhatIf,
  WhatIfInput,
  WhatIfRangeInput
} from "../contract/WhatIf.ts"
import { ExportSessions } from "./audit/ExportSessions.ts"
import * as InPublic from "./InPublic.ts"
import { ReplaySessions } from "./replay/ReplaySessions.ts"
import { type WhatIfFailed, WhatIfSession } from "./whatif/WhatIfSession.ts"
import { WhatIfSessions } from "./whatif/WhatIfSessions.ts"

/** Caller that audits sessions, all of one tenant. */
export interface Auditor {
  readonly tenantId: string
}

type Answer<A> = Effect.Effect<A, PublicFailure>

/** Replays, suppositions and exports of one tenant's sessions. Records nothing. */
export class AuditApi extends Context.Service<AuditApi, {
  /** `input`: `{ since?, until?, cursor?, limit? }`. */
  readonly replays: (input: unknown, auditor: Auditor) => Answer<SessionVerdicts>
  /** `input`: `{ session_id, suppose }`. Nobody outside is asked. */
  readonly whatIf: (input: unknown, auditor: Auditor) => Answer<WhatIf>
  /** `input`: `{ suppose, since?, until?, cursor?, limit? }`. */
  readonly whatIfs: (input: unknown, auditor: Auditor) => Answer<SessionWhatIfs>
  /** `input`: `{ session_id?, since?, until?, cursor?, limit?, part?, previous? }`. */
  readonly exported: (input: unknown, auditor: Auditor) => Answer<Exported>
}>()("web-grounding/application/AuditApi") {}

const decodeExport = Input.decode(ExportInput)
const decodeRange = Input.decode(SessionRange)
const decodeWhatIf = Input.decode(WhatIfInput)
const decodeWhatIfs = Input.decode(WhatIfRangeInput)

export const layer = Layer.effect(
  AuditApi,
  Effect.gen(function*() {
    const { replay } = yield* ReplaySessions
    const { part } = yield* ExportSessions
    const session = yield* WhatIfSession
    const sessions = yield* WhatIfSessions
    return AuditApi.of({
      replays: (input, { tenantId }) =>
        Effect.flatMap(decodeRange(input), (range) => inPublic("")(replay(tenantId, range))),
      whatIf: (input, { tenantId }) =>
        Effect.flatMap(decodeWhatIf(input), ({ session_id, suppose }) =>
          inPublic(session_id)(
            session.suppose({ tenant_id: tenantId, session_id }, suppose)
          )),
      whatIfs: (input, { tenantId }) =>
        Effect.flatMap(
          decodeWhatIfs(input),
          ({ suppose, ...range }) => inPublic("")(sessions.suppose(tenantId, range, suppose))
        ),
      exported: (input, { tenantId }) =>
        Effect.flatMap(
          decodeExport(input),
          (asked) => inPublic(asked.session_id ?? "")(part(tenantId, asked))
        )
    })
  })
)

const inPublic = (session_id: string) =>
  InPublic.inPublic((error: WhatIfFailed): PublicFailure => {
    switch (error._tag) {
      case "EventStoreUnavailable":
        return InPublic.storeDown()
      case "EventErased":
        return new SessionErased({ session_id })
      case "EventUnreadable":
      case "LogTampered":
        return new InternalFailure()
      case "SessionNotFound":
        return error
    }
  }, "an audit failed")
