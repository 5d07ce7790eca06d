/**
 * Decider of the log's record of one source of the evidence store, or of a tenant's vectors. Its
 * commands are the facts themselves, as the store has found out what happened.
 */
import { Result } from "effect"
import { EvidenceEvent } from "./EvidenceEvent.ts"

export interface EvidenceRecord {
  /** The last fact; `undefined`: none yet. */
  readonly last: EvidenceEvent | undefined
}

/** Nothing of this source is in the store, so nothing can be taken out or promoted. */
export interface NotCollected {
  readonly _tag: "NotCollected"
}

export const initial: EvidenceRecord = { last: undefined }

export const decide = (
  fact: EvidenceEvent,
  { last }: EvidenceRecord
): Result.Result<ReadonlyArray<EvidenceEvent>, NotCollected> => {
  if (last !== undefined && isSame(fact, last)) return Result.succeed([])
  return isCollected(last) || !takesOut(fact)
    ? Result.succeed([fact])
    : Result.fail({ _tag: "NotCollected" })
}

export const evolve = (_: EvidenceRecord, event: EvidenceEvent): EvidenceRecord => ({ last: event })

const takesOut = EvidenceEvent.isAnyOf([
  "WEB_GROUNDING_EVIDENCE_PROMOTED",
  "WEB_GROUNDING_EVIDENCE_REMOVED"
])

const isCollected = (last: EvidenceEvent | undefined): boolean =>
  last?._tag === "WEB_GROUNDING_EVIDENCE_COLLECTED"

/** Told again, not done again: the same instant, the same outcome. */
const isSame = (fact: EvidenceEvent, last: EvidenceEvent): boolean =>
  EvidenceEvent.match(fact, {
    WEB_GROUNDING_EVIDENCE_COLLECTED: (collected) =>
      last._tag === collected._tag && last.collected_at === collected.collected_at &&
      last.collector === collected.collector && last.content_sha256 === collected.content_sha256,
    WEB_GROUNDING_EVIDENCE_PROMOTED: (promoted) =>
      last._tag === promoted._tag && last.promoted_at === promoted.promoted_at &&
      last.node_id === promoted.node_id,
    WEB_GROUNDING_EVIDENCE_REMOVED: (removed) =>
      last._tag === removed._tag && last.removed_at === removed.removed_at,
    WEB_GROUNDING_EVIDENCE_REEMBEDDED: (reembedded) =>
      last._tag === reembedded._tag && last.reembedded_at === reembedded.reembedded_at &&
      last.to.model === reembedded.to.model && last.to.dimensions === reembedded.to.dimensions
  })
