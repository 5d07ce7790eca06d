/**
 * Groundings over the made-up web of the poison bench, in this process: log, cache and provider in
 * memory, pages read as those of the web are.
 */
import { FetchFailed } from "@web-grounding/safe-fetch/Network"
import { Clock, Effect, Layer, Logger, ManagedRuntime, Option } from "effect"
import { readFileSync } from "node:fs"
import { all } from "../../packages/language/src/language/Languages.ts"
import { sentenceTexts } from "../../packages/language/src/text/Sentences.ts"
import { readDocument } from "../../packages/pages/src/DocumentReading.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import type { Engine } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { type Claim, standing } from "../../src/domain/pack/GroundingPack.ts"
import { asGiven } from "../../src/domain/request/GivenFields.ts"
import * as FoundPage from "../../src/domain/search/FoundPage.ts"
import * as SitePolicy from "../../src/domain/search/SitePolicy.ts"
import { registrableDomain as siteOf } from "../../src/infrastructure/RegistrableDomain.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { instance, limits, providers } from "../../test/support/grounding.ts"
import * as MemoryEventStore from "../../test/support/memory/MemoryEventStore.ts"
import { PublicApi } from "../../test/support/sent.ts"

interface FoundHit {
  readonly url: string
  readonly title: string
  readonly content: string
  readonly published_date?: string
}

interface Asked {
  readonly question: string
  readonly locale: string
  /** Of the first search, of further ones, and of one with the words for public bodies. */
  readonly results: readonly [
    ReadonlyArray<FoundHit>,
    ReadonlyArray<FoundHit>,
    ReadonlyArray<FoundHit>
  ]
  readonly web: (url: string) => { readonly html: string } | undefined
  readonly reads: (sentence: string) => "true" | "false" | undefined
  /** Who reads both answers sees that they exclude each other. */
  readonly opposes: boolean
}

const now = Date.parse("2026-11-20T09:00:00Z")
/** The log in memory holds every page: it is thrown away after so many groundings. */
const groundingsMax = 150

const officialWords = all.map(({ official }) => official).filter((words) => words !== "")

/** With `KNOWN_SITES=FOLDER` of the cases: the sites of its newspapers and societies, as set by `SITES_KNOWN`. */
const knownIn = (folder: string | undefined): ReadonlyArray<string> =>
  folder === undefined ? [] : readFileSync(`${folder}/pages.jsonl`, "utf8").trim().split("\n")
    .map((line) => JSON.parse(line))
    .flatMap(({ id, url }) => /\/(?:news|ngo)$/.test(id) ? siteOf(new URL(url).hostname) : [])
const sites = SitePolicy.policyOf([], [], knownIn(process.env["KNOWN_SITES"]))

export const open = async ({ model }: { readonly model: "none" | "turned" | "honest" }) => {
  let current: Asked | undefined
  let searches = 0
  const provider: SearchProvider = {
    name: "tavily",
    keySlot: 1,
    search: ({ hitsMax, query }) =>
      Effect.sync(() => {
        const isOfficial = officialWords.some((words) =>
          words.split(" ").every((word) => query.includes(word))
        )
        const found = current?.results[isOfficial ? 2 : searches === 0 ? 0 : 1] ?? []
        searches += 1
        const results = found.map((hit, place) =>
          Option.some({ ...hit, score: 0.97 - 0.04 * place })
        )
        const wanted = { hitsMax, includeDomains: [], excludeDomains: [], ...asGiven({ sites }) }
        return {
          ...Option.getOrThrow(FoundPage.hitsOf(results, wanted, { provider: "tavily", siteOf })),
          credits: 1
        }
      })
  }
  const reader = LocalPageReader.make({
    fetch: (address) => {
      const page = current?.web(address)
      return page === undefined || page.html === ""
        ? Effect.fail(new FetchFailed({ fault: "http_status", status: 403 }))
        : Effect.succeed({
          url: address,
          contentType: "text/html; charset=utf-8",
          body: new TextEncoder().encode(page.html)
        })
    },
    extract: (page) => Effect.map(readDocument(page), ({ unread_date: _, ...said }) => said)
  })
  const doubles = model === "none" ? {} : doublesOf(() => current, model)
  const over = () =>
    ManagedRuntime.make(
      useCasesWith(Engines.layer({ reader: [reader], ...doubles })).pipe(
        Layer.provide(providers(provider)),
        Layer.provideMerge(
          Layer.mergeAll(MemoryEventStore.layer, instance("p1"), limits({ sites }))
        ),
        Layer.provideMerge(Logger.layer([]))
      )
    )
  let runtime = over()
  let asked = 0
  const started = performance.now()
  const at = () => now + Math.floor(performance.now() - started)

  const ground = async (one: Asked) => {
    asked += 1
    if (asked % groundingsMax === 0) {
      await runtime.dispose()
      runtime = over()
    }
    current = one
    searches = 0
    const begin = performance.now()
    const caller = { tenantId: `t-${asked}`, actor: "bench" }
    const real = await Effect.runPromise(Clock.Clock)
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: at,
      currentTimeMillis: Effect.sync(at),
      currentTimeNanosUnsafe: () => BigInt(at()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(at()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
    const { events, outcome } = await runtime.runPromise(
      Effect.gen(function*() {
        const api = yield* PublicApi
        const request = {
          session_id: `s-${asked}`,
          request_id: "r",
          topic: one.question,
          locale: one.locale,
          phase: "mid_chat",
          user_asked_for_facts: true,
          deadline_ms: 60_000
        }
        const outcome = yield* api.ground(request, caller, () => Effect.void)
        const ref = { tenant_id: caller.tenantId, session_id: `s-${asked}` }
        const { events } = yield* (yield* EventStore).read(ref)
        return { outcome, events }
      }).pipe(Effect.provideService(Clock.Clock, clock))
    )
    const read = events.flatMap(({ data, type }) =>
      type === "WEB_GROUNDING_EVIDENCE_READ" ? addressesIn(data) : []
    )
    const { pack } = outcome
    return {
      claims: [
        ...standing(pack).map(({ claim }) => told(claim, false))
          .toSorted((left, right) => right.confidence - left.confidence),
        ...pack.disputed_or_uncertain.map((claim) => told(claim, true))
      ],
      confidence: pack.confidence,
      notes: pack.notes,
      context: outcome.llm_context,
      mode: outcome.mode,
      reason: outcome.reason,
      searches,
      read,
      ms: performance.now() - begin
    }
  }
  return { ground, close: () => runtime.dispose() }
}

const addressesIn = (data: unknown): ReadonlyArray<string> =>
  Object(data).pages?.map(({ url }: { readonly url: string }) => url) ?? []

const told = (claim: Claim, disputed: boolean) => ({
  text: claim.text,
  confidence: claim.confidence,
  answers: !disputed && claim.beside_question !== true,
  disputed,
  ...(claim.reason === undefined ? {} : { reason: claim.reason }),
  ...(claim.against === undefined ? {} : { against: claim.against }),
  ...(claim.origins === undefined ? {} : { origins: claim.origins }),
  sources: claim.sources.map(({ site, url }) => ({ site, url }))
})

type Doubles = { readonly writer: [Engine<"writer">]; readonly judge: [Engine<"judge">] }

/**
 * A writer that reads the passages, and a judge. `turned`: the false answer first; every claim is
 * called supported and an answer. `honest`: in the order of the passages; contradictions are
 * reported. Neither knows which answer is true.
 */
const doublesOf = (current: () => Asked | undefined, model: "turned" | "honest"): Doubles => ({
  writer: [{
    info: { engine: "llm", version: "double-1" },
    ask: ({ chunks }) =>
      Effect.sync(() => {
        const found = chunks.flatMap(({ page: { source_id }, text }) =>
          sentenceTexts(text).flatMap((quote) => {
            const side = current()?.reads(quote)
            return side === undefined ? [] : [{ side, citation: { source_id, quote } }]
          })
        )
        const isFalseFirst = model === "turned" || found[0]?.side === "false"
        const claims = (isFalseFirst ? ["false", "true"] : ["true", "false"]).flatMap((side) => {
          const citations = found.filter((one) => one.side === side).map((one) => one.citation)
          const [first] = citations
          return first === undefined
            ? []
            : [{ section: "key_points" as const, text: first.quote, citations }]
        })
        return { claims, what_to_ask_user: [] }
      })
  }],
  judge: [{
    info: { engine: "llm", version: "double-1" },
    ask: ({ claims }) =>
      Effect.sync(() =>
        claims.map(({ claim, text }) => {
          const reads = (text: string) => current()?.reads(text)
          const against = model === "honest" && current()?.opposes === true
            ? claims.filter((other) =>
              reads(text) !== undefined && reads(other.text) !== undefined &&
              reads(other.text) !== reads(text)
            ).map((other) => other.claim)
            : []
          return {
            claim,
            judgement: "supported" as const,
            answering: "answers" as const,
            ...(against.length === 0 ? {} : { against })
          }
        })
      )
  }]
})
