/** What the service keeps in its database. */
import { Layer } from "effect"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as PlainEventStore from "./plainEventStore.ts"

export const layer = Layer.mergeAll(
  PlainEventStore.layer,
  PostgresServiceState.layer,
  PostgresQueryCache.layer,
  PostgresReadModels.layer,
  PostgresCredits.layer({})
)
