/** How the searches of each minute went, by provider and key; and each tenant's, by provider. */
import { MinuteFigures, minuteOf, record } from "../../domain/health/SearchHealth.ts"
import type { SearchAttempt } from "../../domain/search/SearchStatus.ts"
import * as Projection from "./Projection.ts"
import { prefixOf } from "./TenantRows.ts"

const name = "search_health"

/** Keys begin with the minute, so that a span of time is a range of keys. */
const keyOf = ({ key_slot = 0, provider, started_at }: SearchAttempt): string =>
  `${minuteOf(started_at)} ${provider} ${key_slot}`

/** A row a minute for each provider. Keys are the deployment's: no tenant's row names one. */
const ownKeyOf = (tenantId: string, { provider, started_at }: SearchAttempt): string =>
  `${prefixOf(tenantId)}${minuteOf(started_at)} ${provider}`

const withoutKey = ({ key_slot: _, ...attempt }: SearchAttempt): SearchAttempt => attempt

export const SearchHealthModel = Projection.define({
  name,
  version: 2,
  on: ["WEB_GROUNDING_CALLED"],
  whenPoison: "park",
  row: MinuteFigures,
  key: ({ event, stored }) =>
    event.attempts.flatMap((attempt) => [keyOf(attempt), ownKeyOf(stored.tenantId, attempt)]),
  evolve: (row: MinuteFigures | undefined, { event, stored }, key) =>
    event.attempts.flatMap((attempt) => {
      if (keyOf(attempt) === key) return [attempt]
      return ownKeyOf(stored.tenantId, attempt) === key ? [withoutKey(attempt)] : []
    }).reduce(record, row)
})
