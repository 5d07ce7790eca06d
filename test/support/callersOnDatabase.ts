/** Callers of the use cases over a PostgreSQL, and what provider and log say of them afterwards. */
import { Clock, Effect, Layer, Redacted, References } from "effect"
import pg from "pg"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { type SearchProvider, SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import type { PublicFailure } from "../../src/contract/PublicFailure.ts"
import { Postgres, PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limitsAlone } from "./grounding.ts"
import { PublicApi } from "./sent.ts"

/** Between two looks at how late a timer of this process is. */
const lookEveryMs = 20
const searchMs = 300
/** A search without an outcome is found in doubt two seconds after it. */
const attemptMsMax = 1_000
const triesMax = 100

/** What the provider was asked and has answered, by request. */
export interface Ledger {
  readonly hits: Map<string, number>
  readonly answered: Map<string, number>
}

export const ledger = (): Ledger => ({ hits: new Map(), answered: new Map() })

export const searchesUnderWay = ({ answered, hits }: Ledger) => sumOf(hits) - sumOf(answered)

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

const count = (counts: Map<string, number>, key: string) =>
  counts.set(key, (counts.get(key) ?? 0) + 1)

/** A provider with a key and a price, as a real one has them. */
const counting = ({ answered, hits }: Ledger): SearchProvider => ({
  name: "tavily",
  keySlot: 1,
  creditsByDepth: { basic: 1, advanced: 2 },
  search: ({ excludeDomains }) =>
    Effect.gen(function*() {
      const name = excludeDomains.join().replace(".example", "")
      count(hits, name)
      yield* Effect.sleep(searchMs)
      count(answered, name)
      return {
        droppedCount: 0,
        credits: 1,
        hits: [1, 2, 3].map((rank) => ({
          provider: "tavily" as const,
          rank,
          title: "Trams in Halvern",
          url: `https://halvern-${rank}.example/tram`,
          content: "A single tram ticket in Halvern costs 2.80 crowns.",
          score: 0.9,
          site: `halvern-${rank}.example`,
          official: false
        }))
      }
    })
})

/** A database whose lost connections are told as faults that no retry can mend. */
const withoutRetries = Layer.effect(
  Postgres,
  Effect.map(Postgres, (postgres) => {
    const final = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
      Effect.mapError(statement, (error) =>
        error instanceof PostgresError
          ? new PostgresError({ fault: "other", may_have_run: true, cause: "final" })
          : error)
    return Postgres.of({
      ...postgres,
      run: (query) => final(postgres.run(query)),
      prepared: (statement, parameters) => final(postgres.prepared(statement, parameters)),
      transaction: (effect) => final(postgres.transaction(effect))
    })
  })
)

export type Retries = "as built" | "none"

/** The use cases over the database of that address, with a pool as the service has it. */
export const service = (databaseUrl: string, asked: Ledger, retries: Retries = "as built") => {
  const server = PostgresServer.layer({ url: Redacted.make(databaseUrl), poolMax: 10 })
  return useCases.pipe(
    Layer.provide(Layer.mergeAll(
      PostgresEventStore.layer,
      PostgresServiceState.layer,
      PostgresQueryCache.layer,
      PostgresReadModels.layer,
      PostgresCredits.layer({}),
      Layer.succeed(SearchProviders, [[counting(asked)] as const]),
      instance("one", false),
      limitsAlone({ attemptTimeoutMs: attemptMsMax })
    )),
    Layer.provide(retries === "none" ? Layer.provide(withoutRetries, server) : server)
  )
}

/** A request by its name, which no other one has, and the session it belongs to. */
export interface Request {
  readonly name: string
  readonly session: string
}

export interface Call {
  readonly request: Request
  readonly deadlineMs: number
  /** `success`, another status of the search, or the failure's name. */
  readonly ended: string
  readonly failure: PublicFailure | undefined
  /** After the deadline; negative before it. */
  readonly lateMs: number
  /** Whether the provider had been asked for it when the call ended. */
  readonly wasSearched: boolean
}

const inputOf = ({ name, session }: Request, deadlineMs: number) => ({
  session_id: session,
  request_id: name,
  topic: "What does a tram ride in Halvern cost?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: deadlineMs,
  overrides: { max_queries: 1, exclude_domains: [`${name}.example`] }
})

/** Asked twice it is the same request, whatever its deadline. */
export const ask = Effect.fnUntraced(
  function*(request: Request, deadlineMs: number, asked: Ledger) {
    const api = yield* PublicApi
    const startMs = yield* Clock.currentTimeMillis
    const told = yield* api.ground(inputOf(request, deadlineMs), caller, () => Effect.void).pipe(
      // The service logs each fault of the database.
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.result
    )
    const failure = told._tag === "Failure" ? told.failure : undefined
    const call: Call = {
      request,
      deadlineMs,
      failure,
      ended: told._tag === "Success"
        ? told.success.searches[0]?.status ?? "no search"
        : told.failure._tag,
      lateMs: (yield* Clock.currentTimeMillis) - startMs - deadlineMs,
      wasSearched: asked.hits.has(request.name)
    }
    return call
  }
)

/** Until it is answered, within a bound of tries. */
export const askAgain = Effect.fnUntraced(
  function*(request: Request, deadlineMs: number, asked: Ledger) {
    for (let tries = 1; tries < triesMax; tries++) {
      const call = yield* ask(request, deadlineMs, asked)
      if (call.failure === undefined) return call
      yield* Effect.sleep("100 millis")
    }
    return yield* ask(request, deadlineMs, asked)
  }
)

/** The effect, and by how much a timer of this process was late at worst meanwhile. */
export const withLag = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const worst = { lagMs: 0 }
    const look = Effect.gen(function*() {
      const beforeMs = yield* Clock.currentTimeMillis
      yield* Effect.sleep(lookEveryMs)
      const lagMs = (yield* Clock.currentTimeMillis) - beforeMs - lookEveryMs
      worst.lagMs = Math.max(worst.lagMs, lagMs)
    })
    yield* Effect.forkScoped(Effect.forever(look))
    return { result: yield* effect, lagMs: worst.lagMs }
  }).pipe(Effect.scoped)

export const administer = (
  url: string,
  run: (admin: pg.Client) => Promise<unknown>
): Effect.Effect<void> =>
  Effect.promise(async () => {
    const admin = new pg.Client({ connectionString: url })
    admin.on("error", () => {})
    await admin.connect()
    await run(admin)
    await admin.end()
  })

/** Answers that are not in the log, and hits that no reservation stands for; of requests. */
export const violationsIn = Effect.fnUntraced(function*(url: string, asked: Ledger) {
  const recorded = new Map<string, { readonly started: number; readonly found: number }>()
  yield* administer(url, async (admin) => {
    const { rows } = await admin.query<{ name: string; started: number; found: number }>(
      `select data->>'request_id' as name,
          count(*) filter (where type = 'WEB_GROUNDING_CALL_STARTED')::int as started,
          count(*) filter (where type = 'WEB_GROUNDING_CALLED'
            and data->>'status' = 'success')::int as found
        from wg.events where data->>'request_id' is not null group by 1`
    )
    for (const row of rows) recorded.set(row.name, row)
  })
  return {
    lost: [...asked.answered].filter(([name, answers]) =>
      answers !== (recorded.get(name)?.found ?? 0)
    ).length,
    unreserved: [...asked.hits].filter(([name, hits]) => hits > (recorded.get(name)?.started ?? 0))
      .length
  }
})
