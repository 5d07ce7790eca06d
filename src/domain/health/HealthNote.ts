/**
 * Decider of the service's notes on its own health, by provider: which missing key it has reported,
 * and how much each key had used by the provider's own count.
 */
import { Result, Schema } from "effect"
import { ProviderName } from "../search/SearchStatus.ts"
import { CreditUse } from "./KeyHealth.ts"

const ofKey = { provider: ProviderName, key_slot: Schema.Int }

const missing = {
  ...ofKey,
  /** ISO 8601 UTC: the first attempt that missed the key. Missed again later, it is another. */
  since: Schema.String,
  at: Schema.String
}

/** A caller was told that a key is missing; nobody is told again of the same `since`. */
const KeyMissingTold = Schema.TaggedStruct("WEB_GROUNDING_KEY_MISSING_TOLD", missing)

/** The ledger was compared with the provider's own count. */
const CreditsMeasured = Schema.TaggedStruct(
  "WEB_GROUNDING_CREDITS_MEASURED",
  CreditUse.fields
)

export const HealthNote = Schema.Union([KeyMissingTold, CreditsMeasured]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type HealthNote = typeof HealthNote.Type

export const TellMissingKey = Schema.TaggedStruct("TellMissingKey", missing)
export const NoteCredits = Schema.TaggedStruct("NoteCredits", CreditUse.fields)

export const HealthCommand = Schema.Union([TellMissingKey, NoteCredits]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type HealthCommand = typeof HealthCommand.Type

export interface HealthNotes {
  /** Latest `since` that was recorded, by slot. */
  readonly told: ReadonlyMap<number, string>
  /** Time of the latest credit count, by slot. ISO 8601 UTC. */
  readonly measuredAt: ReadonlyMap<number, string>
}

export const initial: HealthNotes = { told: new Map(), measuredAt: new Map() }

type Decision = Result.Result<ReadonlyArray<HealthNote>, never>

export const decide = (command: HealthCommand, notes: HealthNotes): Decision =>
  HealthCommand.match(command, {
    TellMissingKey: ({ _tag, ...facts }) =>
      Result.succeed(
        (notes.told.get(facts.key_slot) ?? "") >= facts.since ? [] : [KeyMissingTold.make(facts)]
      ),
    NoteCredits: ({ _tag, ...facts }) =>
      Result.succeed(
        (notes.measuredAt.get(facts.key_slot) ?? "") >= facts.at
          ? []
          : [CreditsMeasured.make(facts)]
      )
  })

export const evolve = (notes: HealthNotes, event: HealthNote): HealthNotes =>
  HealthNote.match(event, {
    WEB_GROUNDING_KEY_MISSING_TOLD: ({ key_slot, since }) => ({
      ...notes,
      told: new Map(notes.told).set(key_slot, since)
    }),
    WEB_GROUNDING_CREDITS_MEASURED: ({ at, key_slot }) => ({
      ...notes,
      measuredAt: new Map(notes.measuredAt).set(key_slot, at)
    })
  })
