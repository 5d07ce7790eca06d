/** What the service keeps in its database. */
import { Layer } from "effect"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"

export const layer = Layer.mergeAll(
  PostgresEventStore.layer,
  PostgresServiceState.layer,
  PostgresQueryCache.layer,
  PostgresReadModels.layer,
  PostgresCredits.layer({})
)
