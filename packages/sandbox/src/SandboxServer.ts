/** A local server that plays the search providers: real HTTP, with faults on demand. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type {
  EngineSearch,
  PlayedAnswer as Answer,
  SearchDialect
} from "@web-grounding/dialects/Dialect"
import { dialects, type Engine, engines } from "@web-grounding/dialects/Dialects"
import * as Jina from "@web-grounding/dialects/Jina"
import { Tavily, usageBody } from "@web-grounding/dialects/Tavily"
import { ByteSize, Context, Effect, Layer, Option, Ref, Result } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer, type Server, type ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import * as ChatScript from "./chat/ChatScript.ts"
import * as Corpus from "./corpus/Corpus.ts"
import type { Ranking } from "./corpus/Corpus.ts"
import * as Dialect from "./dialect/Dialect.ts"
import * as Fault from "./dialect/Fault.ts"
import * as FaultAnswer from "./dialect/FaultAnswer.ts"
import * as HitLedger from "./dialect/HitLedger.ts"
import * as Services from "./dialect/Services.ts"
import * as SandboxSites from "./sites/SandboxSites.ts"

/** Loopback only: its content is made up. */
const host = "127.0.0.1"
const corpusDirectory = fileURLToPath(new URL("../corpus", import.meta.url))

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number
}

export class SandboxServer extends Context.Service<SandboxServer, {
  readonly baseUrl: string
  /** Requests since the start or since `forget`. */
  readonly hits: Effect.Effect<HitLedger.Hits>
  readonly forget: Effect.Effect<void>
  /** Applies to every search, as `429x2,retry-after=30`, until another or an empty word is set. */
  readonly setFault: (word: string) => Effect.Effect<void>
  /** Applies to every page of the sites, as `404`, until another or an empty word is set. */
  readonly setPageFault: (word: string) => Effect.Effect<void>
  /** Hosts and paths of requested pages, oldest first. */
  readonly pagesAsked: Effect.Effect<ReadonlyArray<string>>
  readonly openRequests: Effect.Effect<number>
}>()("web-grounding/packages/sandbox/SandboxServer") {}

export const layer = (options: SandboxOptions) =>
  Layer.unwrap(Effect.sync(() => {
    const connections = trackedServer()
    const listening = NodeHttpServer.layer(() => connections.server, {
      port: options.port,
      host,
      gracefulShutdownTimeout: 0
    })
    const routes = Layer.effect(SandboxServer, serviceOf(options, connections))
    return HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(closing(connections)),
      Layer.provide(listening),
      Layer.provide(NodeServices.layer)
    )
  }))

interface Connections {
  readonly server: Server
  readonly open: ReadonlySet<ServerResponse>
}

const trackedServer = (): Connections => {
  const server = createServer()
  const open = new Set<ServerResponse>()
  server.on("request", (_request, response) => {
    open.add(response)
    response.once("close", () => open.delete(response))
  })
  return { server, open }
}

/** Ends every connection with the scope, also those that a fault keeps open. */
const closing = ({ server }: Connections) =>
  Layer.effectDiscard(Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.on("connection", (socket) => socket.destroy())
      server.closeAllConnections()
    })
  ))

const serviceOf = Effect.fnUntraced(function*(options: SandboxOptions, { open }: Connections) {
  const pages = yield* Corpus.load(corpusDirectory)
  const state: SandboxState = {
    ledger: yield* HitLedger.make,
    ranking: Corpus.make(pages),
    standing: yield* Ref.make("")
  }
  const sites = yield* SandboxSites.make(pages)
  yield* addRoutes(state, sites)
  const { address } = yield* HttpServer.HttpServer
  const port = address._tag === "UnixPathAddress" ? options.port : address.port
  return SandboxServer.of({
    baseUrl: `http://${host}:${port}`,
    hits: state.ledger.hits,
    forget: state.ledger.forget,
    setFault: (word) => Ref.set(state.standing, word),
    setPageFault: sites.setFault,
    pagesAsked: sites.asked,
    openRequests: Effect.sync(() => open.size)
  })
})

const addRoutes = Effect.fnUntraced(function*(
  state: SandboxState,
  sites: SandboxSites.SandboxSites
) {
  const { ledger, standing } = state
  const router = yield* HttpRouter.HttpRouter
  const hits = Effect.map(ledger.hits, (all) => HttpServerResponse.jsonUnsafe(all))
  const forget = Effect.as(ledger.forget, HttpServerResponse.empty())
  const pages = state.ranking.pages.map(({ page }) => page)
  const honestly = <P>(answer: (asked: P) => Answer) => (asked: P) =>
    Effect.sync(() => answer(asked))
  yield* Effect.forEach(
    searchRoutes,
    ({ method, path, played }) => router.add(method, path, search(state, played))
  )
  yield* router.add(
    "POST",
    Jina.readerPath,
    endpoint(
      state,
      Services.JinaReader,
      honestly((reading) => Services.readCorpusPage(pages, reading))
    )
  )
  for (const wire of ["jina", "tei"] as const) {
    const reranker = endpoint(state, Services.reranker(wire), honestly(Services.rank))
    yield* router.add("POST", Jina.rerankWires[wire].path, reranker)
  }
  yield* router.add("POST", Jina.embeddingsPath, (request) =>
    endpoint(
      state,
      Services.embeddingsFor(request.headers.authorization),
      honestly(Services.embed)
    ))
  yield* router.add("POST", "/v1/chat/completions", ChatScript.complete(ledger))
  yield* router.add("GET", "/usage", usage(state))
  yield* router.add("GET", "/_sandbox/hits", hits)
  yield* router.add("DELETE", "/_sandbox/hits", forget)
  yield* router.add("PUT", "/_sandbox/fault", (request) =>
    request.text.pipe(
      Effect.flatMap((word) => Ref.set(standing, word)),
      Effect.as(HttpServerResponse.empty())
    ))
  yield* router.add("GET", "/*", sites.answer)
})

// The sandbox's endpoints: first the key, then faults, then the corpus.

/** A batch of texts to embed is the largest. */
const requestBodyMax = ByteSize.mebibytes(4)
const planLimitCredits = 1_000

interface SandboxState {
  readonly ledger: HitLedger.HitLedger
  readonly ranking: Ranking
  /** Fault word for every search; empty: none. */
  readonly standing: Ref.Ref<string>
}

type Honestly<P> = (parameters: P) => Effect.Effect<Answer>

const endpoint = <P>(state: SandboxState, dialect: Dialect.Played<P>, honestly: Honestly<P>) =>
  Effect.gen(function*() {
    const asked = yield* dialect.asked
    const { key, parameters, query } = asked
    yield* state.ledger.record(hitOf(asked, dialect.provider))
    if (Option.isNone(key)) return FaultAnswer.responseOf(dialect.noKey)
    const honest = Result.isFailure(parameters)
      ? Result.fail(parameters.failure)
      : Result.succeed(yield* honestly(parameters.success))
    const fault = yield* faultOf(state, asked, key.value)
    if (Option.isSome(fault)) {
      return yield* FaultAnswer.respond(fault.value, {
        ...dialect,
        query,
        answer: Result.getOrElse(honest, () => ({})),
        render: (answer) => dialect.render(answer, asked),
        secret: asked.secret
      })
    }
    if (Result.isFailure(honest)) return FaultAnswer.responseOf(honest.failure)
    if (dialect.charges !== undefined && Result.isSuccess(parameters)) {
      yield* state.ledger.charge(dialect.charges(parameters.success, honest.success))
    }
    return HttpServerResponse.text(dialect.render(honest.success, asked), {
      contentType: dialect.contentType
    })
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, requestBodyMax))

const search = (state: SandboxState, played: Dialect.Played<EngineSearch>) =>
  endpoint(
    state,
    played,
    (asked) => Dialect.answer(state.ranking, Fault.withoutDirectives(asked.query), asked)
  )

/** Counts of one plan shared by all keys. Calling it is free. */
const usage = (state: SandboxState) =>
  Effect.gen(function*() {
    const { headers, key, secret } = yield* Dialect.jsonSent("tavily")
    if (Option.isNone(key)) return FaultAnswer.responseOf(Tavily.noKey)
    const { credits } = yield* state.ledger.hits
    const answer: Answer = usageBody(credits, planLimitCredits)
    const fault = yield* faultOf(state, { headers, query: "" }, key.value)
    return Option.isNone(fault)
      ? HttpServerResponse.jsonUnsafe(answer)
      : yield* FaultAnswer.respond(fault.value, {
        ...Tavily,
        query: "",
        answer,
        render: (said) => JSON.stringify(said),
        secret
      })
  })

const hitOf = <P>(asked: Dialect.SandboxRequest<P>, provider: string): HitLedger.Hit => {
  const { body, headers, path, query, secret } = asked
  return {
    provider,
    path,
    query,
    key: secret === "" ? "" : HitLedger.keyHash(secret.replace(/^Bearer /, "")),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([, value]) => secret === "" || value !== secret)
    ),
    body
  }
}

/** Precedence: header, key, query, then the fault set for all. */
const faultOf = Effect.fnUntraced(function*(
  { ledger, standing }: SandboxState,
  { headers, query }: Pick<Dialect.SandboxRequest<unknown>, "headers" | "query">,
  key: string
) {
  const fault = FaultAnswer.inWord(headers["x-sandbox-fault"] ?? "").pipe(
    Option.orElse(() => FaultAnswer.inKey(key)),
    Option.orElse(() => FaultAnswer.inText(query))
  )
  const found = Option.isSome(fault) ? fault : FaultAnswer.inWord(yield* Ref.get(standing))
  if (Option.isNone(found)) return found
  const metBefore = yield* ledger.meet(found.value.word)
  return Option.filter(found, ({ times }) => times === undefined || metBefore < times)
})

/** Engines also served at the root; the others' paths would collide. */
const rooted: ReadonlySet<Engine> = new Set(["tavily", "duckduckgo", "serpapi"])

/** Each path of each search engine, below the engine's name. */
export const searchRoutes = engines.flatMap((engine) => {
  const { method, methodsElse = [], paths }: SearchDialect = dialects[engine]
  const played = Dialect.searchOf(engine)
  const below = paths.map((path) => `/${engine}${path}` as const)
  return [...below, ...(rooted.has(engine) ? paths : [])].flatMap((path) =>
    [method, ...methodsElse].map((method) => ({ engine, played, method, path }))
  )
})
