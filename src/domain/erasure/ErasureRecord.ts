/**
 * Decides what the record of a session's erasures and legal holds may say: ids, counts, times,
 * reasons. Its own stream is not erased.
 */
import { Result, Schema } from "effect"

/** ISO 8601 UTC with milliseconds. */
const At = Schema.String

const session = {
  tenant_id: Schema.String,
  session_id: Schema.String,
  stream_id: Schema.String
}

/**
 * Why a session was erased.
 * - `requested`: by an authorized caller.
 * - `subject`: with all sessions of a user.
 * - `retention`: its retention time passed.
 * - `restored`: it had been erased before a backup brought it back.
 */
export const ErasureReason = Schema.Literals(["requested", "subject", "retention", "restored"])
export type ErasureReason = typeof ErasureReason.Type

/** Counts of what was removed in addition to the payloads. */
export const Removed = Schema.Struct({
  /** Events whose payload was removed. 0: it was removed before. */
  payloads: Schema.Natural,
  /** Destroyed data keys; events older than data keys were stored in the clear. */
  data_keys: Schema.Natural,
  read_model_rows: Schema.Natural,
  cached_searches: Schema.Natural,
  cached_packs: Schema.Natural,
  waiting_pages: Schema.Natural,
  evidence_entries: Schema.Natural
})
export type Removed = typeof Removed.Type

export const ContentErased = Schema.TaggedStruct("WEB_GROUNDING_CONTENT_ERASED", {
  ...session,
  erased_at: At,
  reason: ErasureReason,
  version: Schema.Natural,
  hash: Schema.String,
  request_ids: Schema.Array(Schema.String),
  removed: Removed
})
export type ContentErased = typeof ContentErased.Type

export const LegalHoldSet = Schema.TaggedStruct("WEB_GROUNDING_LEGAL_HOLD_SET", {
  ...session,
  at: At,
  matter: Schema.String
})

export const LegalHoldLifted = Schema.TaggedStruct("WEB_GROUNDING_LEGAL_HOLD_LIFTED", {
  ...session,
  at: At
})

export const ErasureEvent = Schema.Union([ContentErased, LegalHoldSet, LegalHoldLifted]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type ErasureEvent = typeof ErasureEvent.Type

export class SessionHeld extends Schema.TaggedError<SessionHeld>()("SessionHeld", {
  session_id: Schema.String,
  matter: Schema.String
}) {
  override get message(): string {
    return `Session ${this.session_id} is under legal hold (${this.matter}): lift it first`
  }
}

export interface ErasureRecord {
  readonly matter: string | undefined
  readonly isErased: boolean
}

export const initial: ErasureRecord = { matter: undefined, isErased: false }

type Decision = Result.Result<ReadonlyArray<ErasureEvent>, SessionHeld>

/** Commands are the facts themselves. */
export const decide = (fact: ErasureEvent, { isErased, matter }: ErasureRecord): Decision => {
  switch (fact._tag) {
    case "WEB_GROUNDING_LEGAL_HOLD_SET":
      return Result.succeed(matter === fact.matter ? [] : [fact])
    case "WEB_GROUNDING_LEGAL_HOLD_LIFTED":
      return Result.succeed(matter === undefined ? [] : [fact])
    case "WEB_GROUNDING_CONTENT_ERASED": {
      const { session_id } = fact
      if (matter !== undefined) return Result.fail(new SessionHeld({ session_id, matter }))
      return Result.succeed(isErased ? [] : [fact])
    }
  }
}

export const evolve = (record: ErasureRecord, event: ErasureEvent): ErasureRecord =>
  ErasureEvent.match(event, {
    WEB_GROUNDING_CONTENT_ERASED: () => ({ ...record, isErased: true }),
    WEB_GROUNDING_LEGAL_HOLD_SET: ({ matter }) => ({ ...record, matter }),
    WEB_GROUNDING_LEGAL_HOLD_LIFTED: () => ({ ...record, matter: undefined })
  })
