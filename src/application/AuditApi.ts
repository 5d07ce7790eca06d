/**
 * What auditors ask of many sessions, as every face offers it: input is checked here, and failures
 * become the few that a caller may see.
 */
import { Context, Effect, Layer } from "effect"
import * as Input from "../contract/Input.ts"
import type { PublicFailure } from "../contract/PublicFailure.ts"
import type { SessionVerdicts } from "../contract/Replayed.ts"
import { SessionRange } from "../contract/SessionRange.ts"
import * as InPublic from "./InPublic.ts"
import type { EventStoreUnavailable } from "./ports/EventStore.ts"
import { ReplaySessions } from "./replay/ReplaySessions.ts"

export interface Auditor {
  readonly tenantId: string
}

type Answer<A> = Effect.Effect<A, PublicFailure>

export class AuditApi extends Context.Service<AuditApi, {
  /** `input`: `{ since?, until?, cursor?, limit? }`. */
  readonly replays: (input: unknown, auditor: Auditor) => Answer<SessionVerdicts>
}>()("web-grounding/application/AuditApi") {}

const decodeRange = Input.decode(SessionRange)

export const layer = Layer.effect(
  AuditApi,
  Effect.gen(function*() {
    const { replay } = yield* ReplaySessions
    return AuditApi.of({
      replays: (input, { tenantId }) =>
        Effect.flatMap(decodeRange(input), (range) => inPublic(replay(tenantId, range)))
    })
  })
)

type Failed = EventStoreUnavailable | PublicFailure

const inPublic = InPublic.inPublic(
  (error: Failed): PublicFailure =>
    error._tag === "EventStoreUnavailable" ? InPublic.storeDown() : error,
  "an audit failed"
)
