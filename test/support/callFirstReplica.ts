/**
 * A replica as `serve` starts it, with one thing wrong: a search is sent before its reservation is
 * recorded.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Config, Console, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as TavilySearch from "../../src/adapters/tavily/TavilySearch.ts"
import * as Access from "../../src/application/Access.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { callFirst } from "./callFirst.ts"
import { evidence, instance, limitsAlone } from "./grounding.ts"

const holdingBack = Layer.effect(
  EventStore,
  Effect.map(EventStore, callFirst)
).pipe(Layer.provide(PostgresEventStore.layer))

const provider = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const apiKey = Option.some(yield* Config.Redacted("TAVILY_API_KEY"))
    const baseUrl = yield* Config.String("TAVILY_BASE_URL")
    return [[yield* TavilySearch.make({ apiKey, baseUrl, keySlot: 1, label: "tavily" })] as const]
  })
)

const database = Layer.unwrap(
  Effect.map(Config.Redacted("DATABASE_URL"), (url) => PostgresServer.layer({ url }))
)

const serving = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Serving groundings on ${address}`))
).pipe(
  Layer.provideMerge(
    GroundingRpcServer.layer({ host: "127.0.0.1", port: 0 })
  ),
  Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
  Layer.provide(Layer.mergeAll(
    provider,
    holdingBack,
    PostgresQueryCache.layer,
    PostgresServiceState.layer,
    PostgresReadModels.layer,
    PostgresCredits.layer({}),
    instance(`call-first-${process.pid}`, false),
    limitsAlone({ attemptTimeoutMs: 1_500 })
  )),
  Layer.provide(database)
)

NodeRuntime.runMain(Layer.launch(serving))
