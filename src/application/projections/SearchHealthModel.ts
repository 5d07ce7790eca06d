/** How the searches of each minute went, by provider and key. */
import { MinuteFigures, minuteOf, record } from "../../domain/health/SearchHealth.ts"
import type { SearchAttempt } from "../../domain/search/SearchHit.ts"
import * as Projection from "./Projection.ts"

const name = "search_health"

/** Keys begin with the minute, so that a span of time is a range of keys. */
const keyOf = ({ key_slot = 0, provider, started_at }: SearchAttempt): string =>
  `${minuteOf(started_at)} ${provider} ${key_slot}`

export const SearchHealthModel = Projection.define({
  name,
  version: 1,
  on: ["WEB_GROUNDING_CALLED"],
  whenPoison: "park",
  row: MinuteFigures,
  key: ({ event }) => event.attempts.map(keyOf),
  evolve: (row: MinuteFigures | undefined, { event }, key) =>
    event.attempts.filter((attempt) => keyOf(attempt) === key).reduce(record, row)
})
