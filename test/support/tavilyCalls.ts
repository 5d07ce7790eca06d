/** The service behind Tavily's paths, its calls as raw bodies, and whether an answer is one of two. */
import { Effect, Layer, Schema } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as TavilyFace from "../../src/adapters/tavilyapi/TavilyFace.ts"
import * as Access from "../../src/application/Access.ts"
import { type Engine, EngineFailed } from "../../src/application/ports/Engines.ts"
import {
  type CreditCeilings,
  type QueryCache,
  type SearchProvider,
  type SearchProviders,
  type SearchRequest
} from "../../src/application/ports/SearchProvider.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { evidence, instance, limitsAlone, plain } from "./grounding.ts"
import { send } from "./httpCalls.ts"
import * as MemoryCredits from "./memory/MemoryCredits.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import * as MemoryQueryCache from "./memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "./memory/MemoryReadModels.ts"
import { host } from "./service.ts"
import { hit } from "./sessionFacts.ts"

export const bearer = { authorization: "Bearer tvly-any" }

/** Text that is on the pages that are read, and in no hit. */
export const pageWord = "Quokka-7731"

/** Reads every page but those of `closed.example`. */
const reader: Engine<"reader"> = {
  info: { engine: "local", version: "1" },
  ask: ({ url }) => {
    const text = `${pageWord} is told at ${url}, in a sentence that is long enough to be kept.`
    return new URL(url).host === "closed.example"
      ? Effect.fail(new EngineFailed({ engine: "local", reason: "refused", detail: "robots" }))
      : Effect.succeed({ reader: "web", title: "Read", text, chunks: chunksOfText(text) })
  }
}

export const hits = Array.from({ length: 20 }, (_nothing, place) => {
  const { score: _, ...unscored } = hit(`https://site-${place + 1}.example/`, { rank: place + 1 })
  return place === 1 ? { ...unscored, url: "https://closed.example/" } : unscored
})

/** As many hits as are wanted, after so long, and what was asked. */
export const answering = (takesMs = 0) => {
  const asked: Array<SearchRequest> = []
  const provider: SearchProvider = {
    name: "tavily",
    keySlot: 1,
    creditsByDepth: { basic: 1, advanced: 2 },
    search: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        const answer = { droppedCount: 0, hits: hits.slice(0, request.hitsMax), credits: 1 }
        return Effect.as(Effect.sleep(takesMs), answer)
      })
  }
  return { asked, provider }
}

type Options = Omit<GroundingRpcServer.ServerOptions, "host" | "port" | "tenantId" | "beside">

interface Kept {
  readonly ceilings?: CreditCeilings
  readonly cache?: Layer.Layer<QueryCache>
  readonly reads?: Engine<"reader">
}

/** With all that it keeps in memory, which the test is given, too. */
export const servingTavily = <E, R>(
  providers: Layer.Layer<SearchProviders, E, R>,
  { cache = MemoryQueryCache.layer, ceilings = {}, reads = reader, ...options }: Options & Kept = {}
) =>
  GroundingRpcServer.layer({ host, port: 0, beside: [TavilyFace.tavilyFace], ...options }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        useCasesWith(Engines.layer({ reader: [reads] })),
        evidence,
        Access.open("default")
      )
    ),
    Layer.provideMerge(Layer.mergeAll(
      providers,
      MemoryEventStore.layer,
      instance("p1"),
      limitsAlone(),
      plain,
      MemoryReadModels.layer,
      MemoryCredits.layer(ceilings),
      cache
    ))
  )

export const post = (
  service: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = bearer
) =>
  Effect.map(
    send(service, { method: "POST", path, headers, body: JSON.stringify(body) }),
    (answer) => ({ ...answer, json: JSON.parse(answer.text) })
  )

const usage = Schema.Struct({ credits: Schema.Finite })
const ids = { session_id: Schema.String, request_id: Schema.String }
const notes = Schema.Array(Schema.String)

/** What Tavily promises, and what is ours in one field. */
const SearchAnswer = Schema.Struct({
  query: Schema.String,
  follow_up_questions: Schema.Null,
  answer: Schema.Null,
  images: Schema.Tuple([]),
  results: Schema.Array(Schema.Struct({
    title: Schema.String,
    url: Schema.String,
    content: Schema.String,
    score: Schema.Finite,
    raw_content: Schema.NullOr(Schema.String),
    published_date: Schema.optionalKey(Schema.String)
  })),
  response_time: Schema.Finite,
  usage,
  request_id: Schema.String,
  web_grounding: Schema.Struct({
    ...ids,
    status: Schema.optionalKey(Schema.String),
    provider: Schema.optionalKey(Schema.String),
    fallback_used: Schema.Boolean,
    cached: Schema.Boolean,
    stale: Schema.Boolean,
    age_ms: Schema.optionalKey(Schema.Finite),
    notes
  })
})

const ExtractAnswer = Schema.Struct({
  results: Schema.Array(Schema.Struct({
    url: Schema.String,
    title: Schema.String,
    raw_content: Schema.String,
    images: Schema.Tuple([])
  })),
  failed_results: Schema.Array(Schema.Struct({ url: Schema.String, error: Schema.String })),
  response_time: Schema.Finite,
  usage,
  request_id: Schema.String,
  web_grounding: Schema.Struct({
    session_id: Schema.optionalKey(Schema.String),
    request_id: Schema.String,
    notes
  })
})

const ErrorAnswer = Schema.Struct({
  detail: Schema.Struct({ error: Schema.NonEmptyString }),
  web_grounding: Schema.optionalKey(Schema.Struct({ ...ids, status: Schema.String }))
})

/** Whether it is an answer or a refusal, whole and with nothing else in it. */
export const isShaped = (path: string, status: number, json: unknown): boolean => {
  const answer: Schema.Codec<unknown, unknown> = path === "/search" ? SearchAnswer : ExtractAnswer
  const schema = status === 200 ? answer : ErrorAnswer
  return Schema.decodeUnknownOption(schema)(json, { onExcessProperty: "error" })._tag === "Some"
}
