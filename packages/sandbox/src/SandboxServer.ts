/** A local server in the place of the search providers: real HTTP, with faults on demand. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer, type Server, type ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import * as ChatRoute from "./chat/ChatRoute.ts"
import * as Corpus from "./corpus/Corpus.ts"
import * as HitLedger from "./dialect/HitLedger.ts"
import * as SandboxRanking from "./dialect/SandboxRanking.ts"
import { embed, JinaEmbeddingsDialect, OpenAiEmbeddingsDialect } from "./jina/EmbeddingsDialect.ts"
import { JinaReaderDialect, readCorpusPage } from "./jina/JinaReaderDialect.ts"
import { JinaRerankDialect, rank } from "./jina/JinaRerankDialect.ts"
import * as RecordedBodies from "./RecordedBodies.ts"
import * as SandboxRoutes from "./SandboxRoutes.ts"
import { searchRoutes } from "./SearchDialects.ts"
import * as SandboxSites from "./sites/SandboxSites.ts"
import { extract, TavilyExtractDialect } from "./TavilyExtractDialect.ts"

/** Loopback only: what it serves is made up. */
const host = "127.0.0.1"
const corpusDirectoryDefault = fileURLToPath(new URL("../corpus", import.meta.url))

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number
  /** Recorded answers to replay instead of the corpus; see `RecordedBodies`. */
  readonly bodiesDirectory?: string
  /** Default: the corpus of this repository. */
  readonly corpusDirectory?: string
}

export class SandboxServer extends Context.Service<SandboxServer, {
  readonly baseUrl: string
  /** Requests since the start or since `forget`. */
  readonly hits: Effect.Effect<HitLedger.Hits>
  readonly forget: Effect.Effect<void>
  /** Every search meets it, as `429x2,retry-after=30`, until another or an empty word is set. */
  readonly setFault: (word: string) => Effect.Effect<void>
  /** Every page of the sites meets it, as `404`, until another or an empty word is set. */
  readonly setPageFault: (word: string) => Effect.Effect<void>
  /** Hosts and paths of the pages asked for, oldest first. */
  readonly pagesAsked: Effect.Effect<ReadonlyArray<string>>
  /** Requests being answered at this moment. */
  readonly openRequests: Effect.Effect<number>
}>()("web-grounding/adapters/sandbox/SandboxServer") {}

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

/** Ends every connection with the scope, those too that a fault keeps hanging. */
const closing = ({ server }: Connections) =>
  Layer.effectDiscard(Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.on("connection", (socket) => socket.destroy())
      server.closeAllConnections()
    })
  ))

const serviceOf = Effect.fnUntraced(function*(options: SandboxOptions, { open }: Connections) {
  const pages = yield* Corpus.load(options.corpusDirectory ?? corpusDirectoryDefault)
  const state: SandboxRoutes.SandboxState = {
    ledger: yield* HitLedger.make,
    ranking: SandboxRanking.make(pages),
    recorded: options.bodiesDirectory === undefined
      ? Option.none()
      : Option.some(yield* RecordedBodies.load(options.bodiesDirectory)),
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
  state: SandboxRoutes.SandboxState,
  sites: SandboxSites.SandboxSites
) {
  const { ledger, standing } = state
  const router = yield* HttpRouter.HttpRouter
  const hits = Effect.map(ledger.hits, (all) => HttpServerResponse.jsonUnsafe(all))
  const forget = Effect.as(ledger.forget, HttpServerResponse.empty())
  yield* Effect.forEach(
    searchRoutes,
    ({ dialect, method, path }) => router.add(method, path, SandboxRoutes.search(state, dialect))
  )
  yield* router.add(
    "POST",
    "/extract",
    SandboxRoutes.endpoint(
      state,
      TavilyExtractDialect,
      (wanted) => Effect.sync(() => extract(state.ranking.pages.map(({ page }) => page), wanted))
    )
  )
  yield* router.add(
    "POST",
    "/",
    SandboxRoutes.endpoint(
      state,
      JinaReaderDialect,
      (reading) =>
        Effect.sync(() => readCorpusPage(state.ranking.pages.map(({ page }) => page), reading))
    )
  )
  yield* router.add(
    "POST",
    "/v1/rerank",
    SandboxRoutes.endpoint(state, JinaRerankDialect, (ranking) => Effect.sync(() => rank(ranking)))
  )
  yield* router.add("POST", "/v1/embeddings", (request) =>
    SandboxRoutes.endpoint(
      state,
      /^Bearer jina-/.test(request.headers.authorization ?? "")
        ? JinaEmbeddingsDialect
        : OpenAiEmbeddingsDialect,
      (wanted) => Effect.sync(() => embed(wanted))
    ))
  yield* router.add("POST", "/v1/chat/completions", ChatRoute.complete(ledger))
  yield* router.add("GET", "/usage", SandboxRoutes.usage(state))
  yield* router.add("GET", "/_sandbox/hits", hits)
  yield* router.add("DELETE", "/_sandbox/hits", forget)
  yield* router.add("PUT", "/_sandbox/fault", (request) =>
    request.text.pipe(
      Effect.flatMap((word) => Ref.set(standing, word)),
      Effect.as(HttpServerResponse.empty())
    ))
  yield* router.add("GET", "/*", sites.answer)
})
