/** Facts about one provider's keys. Keys go by the number of their setting, never by themselves. */
import { Schema } from "effect"
import { ProviderName, SearchStatus } from "./SearchStatus.ts"

/** ISO 8601 UTC with milliseconds. */
const Instant = Schema.String

const of = { provider: ProviderName, key_slot: Schema.Int, at: Instant }

/** A process started with these keys: what was disabled may have been mended. */
export const KeysLoaded = Schema.TaggedStruct("WEB_GROUNDING_KEYS_LOADED", {
  provider: ProviderName,
  key_slots: Schema.Array(Schema.Int),
  at: Instant
})

export const KeyCooledDown = Schema.TaggedStruct("WEB_GROUNDING_KEY_COOLED_DOWN", {
  ...of,
  /** Status of the provider's answer. */
  status: SearchStatus,
  /** Finer word of that answer, where it had one; older facts have none. */
  detail: Schema.optionalKey(Schema.String),
  /** End of the rest: the key is not used before. */
  until: Instant,
  /** Cool-downs in a row without a success between them, this one counted. */
  strikes: Schema.Int
})

/** The key is not used again until a restart. */
export const KeyDisabled = Schema.TaggedStruct("WEB_GROUNDING_KEY_DISABLED", {
  ...of,
  reason: Schema.Literals(["invalid_key", "forbidden"])
})

/** A key that had cooled down works again. */
export const KeyRecovered = Schema.TaggedStruct("WEB_GROUNDING_KEY_RECOVERED", of)

export const KeyPoolEvent = Schema.Union([
  KeysLoaded,
  KeyCooledDown,
  KeyDisabled,
  KeyRecovered
]).pipe(Schema.toTaggedUnion("_tag"))
export type KeyPoolEvent = typeof KeyPoolEvent.Type
