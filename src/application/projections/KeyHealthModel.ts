/** How each provider's keys stand: usable, cooling down, disabled or missing. */
import { KeyHealth, ofAttempt, ofKeyFact } from "../../domain/health/KeyHealth.ts"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"
import * as Projection from "./Projection.ts"

const name = "key_health"

const keyOf = (provider: ProviderName, key_slot: number): string => `${provider} ${key_slot}`

export const KeyHealthModel = Projection.define({
  name,
  version: 2,
  on: [
    "WEB_GROUNDING_CALLED",
    "WEB_GROUNDING_KEYS_LOADED",
    "WEB_GROUNDING_KEY_COOLED_DOWN",
    "WEB_GROUNDING_KEY_DISABLED",
    "WEB_GROUNDING_KEY_RECOVERED"
  ],
  whenPoison: "park",
  row: KeyHealth,
  key: ({ event }) => {
    if (event._tag === "WEB_GROUNDING_CALLED") {
      return event.attempts.flatMap(({ key_slot, provider }) =>
        key_slot === undefined ? [] : [keyOf(provider, key_slot)]
      )
    }
    if (event._tag === "WEB_GROUNDING_KEYS_LOADED") {
      return event.key_slots.map((slot) => keyOf(event.provider, slot))
    }
    return keyOf(event.provider, event.key_slot)
  },
  evolve: (row: KeyHealth | undefined, { event }, key) => {
    if (event._tag !== "WEB_GROUNDING_CALLED") {
      return ofKeyFact(row, event, Number(key.split(" ").at(-1)))
    }
    return event.attempts
      .filter(({ key_slot, provider }) =>
        key_slot !== undefined && keyOf(provider, key_slot) === key
      )
      .reduce(ofAttempt, row)
  }
})
