/** A process that leads a search and never ends it: its parent stops or kills it meanwhile. */
import { Console, Effect, Layer, Redacted } from "effect"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import * as CoalesceSearch from "../../src/application/sharing/CoalesceSearch.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { instance, providers, scripted } from "./grounding.ts"
import * as PlainEventStore from "./plainEventStore.ts"
import { endWith } from "./processes.ts"
import { request } from "./sandboxSearch.ts"

export interface Leader {
  readonly databaseUrl: string
  readonly query: string
}

const leadMs = 60_000

/** One process's part, over whatever database. */
export const coalescing = (id: string) =>
  CoalesceSearch.layer.pipe(
    Layer.provide(Layer.mergeAll(
      PostgresQueryCache.layer,
      PlainEventStore.layer,
      instance(id, false),
      providers(scripted("hangs")),
      Layer.succeed(Digest, { sha256, canonical })
    ))
  )

export const turn = (query: string, leftMs: number) =>
  Effect.flatMap(
    CoalesceSearch.CoalesceSearch,
    ({ turn }) => turn("t", request({ query }), leftMs)
  )

if (process.argv[2] !== undefined && process.argv[1]?.includes("searchLeader.")) {
  const { databaseUrl, query }: Leader = JSON.parse(process.argv[2])
  const database = PostgresServer.layer({
    url: Redacted.make(databaseUrl),
    poolMax: 2,
    durability: "unchecked"
  })
  const program = Effect.gen(function*() {
    const { _tag } = yield* turn(query, leadMs)
    yield* Console.log(_tag)
    yield* Effect.sleep(leadMs)
  }).pipe(
    Effect.provide(coalescing(`leader ${process.pid}`).pipe(Layer.provide(database)))
  )
  endWith(Effect.runPromise(program))
}
