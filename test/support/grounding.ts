/** The use cases over a log and providers of the test's choosing. */
import { assert } from "@effect/vitest"
import { type Context, Effect, Fiber, Layer } from "effect"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import { InclusionProofs } from "../../src/application/audit/InclusionProofs.ts"
import { PagesToCollect } from "../../src/application/evidence/PagesToCollect.ts"
import type { Caller } from "../../src/application/GroundQuestion.ts"
import {
  type Chain,
  type Chains,
  type Engine,
  Engines as EngineService
} from "../../src/application/ports/Engines.ts"
import { EventStore, PayloadsKept } from "../../src/application/ports/EventStore.ts"
import { KeptVectors } from "../../src/application/ports/EvidenceStore.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { Instance } from "../../src/application/ports/Platform.ts"
import * as Breakers from "../../src/application/ports/SearchProvider.ts"
import {
  type Credits,
  type SearchAnswer,
  type SearchFailed,
  type SearchProvider,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import { PagesLeft, StoredEvidence } from "../../src/application/ports/StoredEvidence.ts"
import { PackCache } from "../../src/application/sharing/SharePacks.ts"
import { TenantLimits } from "../../src/application/sharing/TenantLimits.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, useCases, useCasesWith } from "../../src/wiring/layers.ts"
import * as MemoryCredits from "./memory/MemoryCredits.ts"
import * as MemoryErasures from "./memory/MemoryErasures.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "./memory/MemoryEvidenceStore.ts"
import * as MemoryLogRows from "./memory/MemoryLogRows.ts"
import * as MemoryQueryCache from "./memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "./memory/MemoryReadModels.ts"
import { providerAt } from "./sandboxSearch.ts"
import { answerWith, hit } from "./sessionFacts.ts"
import { timePasses } from "./testTime.ts"

export const caller: Caller = { tenantId: "t", actor: "test" }

/** A question that the sandbox's corpus answers. */
export const askedRequest = {
  session_id: "s",
  request_id: "r",
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
}

/** One that a page of the test's own answers. */
export const askedNotice = { ...askedRequest, topic: "How much notice must a tenant give?" }

/** Pages are read by this reader, or cut from their snippets. */
export const readingBy = (ask: Engine<"reader">["ask"]): Chain<"reader"> => ({
  preferred: [{ info: { engine: "local", version: "1" }, ask }],
  last: LocalEngines.reader
})

/** Three pages that say the same. */
export const tramFares: SearchAnswer = answerWith(
  ["a", "b", "c"].map((name, index) =>
    hit(`https://${name}.example/`, {
      content: `The tram ticket of ${name} costs 2.80 crowns since March 2026 in Halvern.`,
      rank: index + 1
    })
  )
)

/** One question of the sandbox's corpus, with one query and so long to answer it. */
export const oneQuery = (deadline_ms: number) => ({
  session_id: "s",
  topic: "What does a tram ride in Halvern cost?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms,
  overrides: { max_queries: 1 }
})

export const instance = (id: string, sole = true) => Layer.succeed(Instance, { id, sole })

export const credits = MemoryCredits.layer({})

export const limitsAlone = (fields: Partial<Limits["Service"]> = {}) =>
  Layer.succeed(Limits, {
    attemptTimeoutMs: 5_000,
    engineTimeoutMs: 5_000,
    rankTimeoutMs: 5_000,
    readTimeoutMs: 5_000,
    hitsScarceMax: 2,
    scoreMin: 0.1,
    pagesMax: 5,
    chunksMax: 6,
    entriesMax: 0,
    evidenceCharsMax: 1_400,
    evidenceAddresses: false,
    readModelLagMsMax: 300_000,
    ...fields
  })

/** Engines of the test's choosing, and the local one of each other step. */
export const engines = (chains: Partial<Chains>) =>
  Layer.succeed(EngineService, { ...Engines.chainsOf({}), ...chains })

/** A failed search is repeated at once. */
export const unguarded = Layer.succeed(Breakers.Breakers, Breakers.none)

/** Every feature that a deployment may leave out is off. */
export const plain = Layer.mergeAll(
  Layer.succeed(InclusionProofs, InclusionProofs.none),
  Layer.succeed(KeptVectors, false),
  Layer.succeed(PackCache, PackCache.none),
  Layer.succeed(PagesToCollect, PagesToCollect.none),
  Layer.succeed(PagesLeft, { isOn: false, leave: () => Effect.void, release: () => Effect.void }),
  Layer.succeed(PayloadsKept, "plaintext"),
  Layer.succeed(StoredEvidence, StoredEvidence.none),
  Layer.succeed(TenantLimits, TenantLimits.none)
)

/** With a ledger that has no ceiling, an empty query cache and no read models yet. */
export const limits = (fields: Partial<Limits["Service"]> = {}) =>
  Layer.mergeAll(
    plain,
    credits,
    MemoryQueryCache.layer,
    MemoryReadModels.layer,
    limitsAlone(fields)
  )

export const providers = (...list: ReadonlyArray<SearchProvider>) =>
  Layer.succeed(
    SearchProviders,
    SearchProviders.forEveryone(list.map((provider) => [provider] as const))
  )

/** Answers from a list, one a call; the last one again and again. Counts its calls. */
export const scripted = (
  ...answers: ReadonlyArray<SearchAnswer | SearchFailed | "hangs">
): SearchProvider & { readonly queries: Array<string> } => {
  const queries: Array<string> = []
  return {
    name: "tavily",
    keySlot: 1,
    queries,
    search: ({ query }) =>
      Effect.suspend(() => {
        const answer = answers[Math.min(queries.length, answers.length - 1)]
        queries.push(query)
        if (answer === undefined || answer === "hangs") return Effect.never
        return "_tag" in answer ? Effect.fail(answer) : Effect.succeed(answer)
      })
  }
}

/** One whose own bug knows a secret. */
export const buggy = (secret: string): SearchProvider => ({
  name: "tavily",
  search: () =>
    Effect.succeed({
      droppedCount: 0,
      credits: 1,
      // Read behind the attempt, whose own bugs end the attempt alone.
      get hits(): never {
        throw new Error(`a bug with ${secret} in it`)
      }
    })
})

/** The same provider, whose answers come so much later: others ask in the meantime. */
export const slow = <Provider extends SearchProvider>(
  provider: Provider,
  takesMs: number
): Provider => ({
  ...provider,
  search: (request) => Effect.tap(provider.search(request), () => Effect.sleep(takesMs))
})

const clockStepMs = 50

/** What comes of an effect while the test's clock goes on, for so long at most. It must end by then. */
export const whileTimePasses = Effect.fnUntraced(
  function*<A, E, R>(effect: Effect.Effect<A, E, R>, passesMs: number) {
    const fiber = yield* Effect.forkChild(effect)
    for (let passedMs = 0; passedMs < passesMs; passedMs += clockStepMs) {
      yield* timePasses(Math.min(clockStepMs, passesMs - passedMs))
      if (fiber.pollUnsafe() !== undefined) break
    }
    if (fiber.pollUnsafe() !== undefined) return yield* Fiber.join(fiber)
    // What still waits would keep the test from ending.
    yield* timePasses("1 hour")
    return assert.fail(`nothing came of it in ${passesMs} ms`)
  }
)

/** A service some of whose parts go another way. */
export const changed = <Id, Shape extends object>(
  key: Context.Key<Id, Shape>,
  change: (service: Shape) => Partial<Shape>
) => Layer.effect(key, Effect.map(key, (service) => ({ ...service, ...change(service) })))

type Log = EventStore["Service"]

/** A log whose appends go another way. */
export const logThat = (
  append: (log: Log, ...args: Parameters<Log["append"]>) => ReturnType<Log["append"]>
) => changed(EventStore, (log) => ({ append: (head, events) => append(log, head, events) }))

const logAsItIs = Layer.effect(EventStore, EventStore)

/** Everything in memory, but for the providers. */
export const inMemory = (
  search: Layer.Layer<SearchProviders>,
  options: {
    readonly limits?: Partial<Limits["Service"]>
    readonly readers?: Chain<"reader">
    /** Default: a ledger without ceilings. */
    readonly credits?: Layer.Layer<Credits>
    /** Around the log in memory, which the test itself is given. */
    readonly log?: Layer.Layer<EventStore, never, EventStore>
    /** Default: without any. */
    readonly tenantLimits?: Layer.Layer<TenantLimits>
    /** Default: the only process. */
    readonly instance?: ReturnType<typeof instance>
  } = {}
) =>
  useCasesWith(
    Engines.layer({
      ...(options.readers === undefined ? {} : { reader: options.readers.preferred })
    })
  ).pipe(
    Layer.provide(options.log ?? logAsItIs),
    Layer.provide(options.credits ?? credits),
    Layer.provideMerge(Layer.mergeAll(
      search,
      MemoryEventStore.layer,
      options.instance ?? instance("p1"),
      limits(options.limits),
      options.tenantLimits ?? Layer.succeed(TenantLimits, TenantLimits.none)
    ))
  )

export const sandbox = SandboxServer.layer({ port: 0 })

/** Tavily's adapter pointed at the sandbox. */
export const sandboxProviders = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    return SearchProviders.forEveryone([[yield* providerAt(baseUrl)]])
  })
)

/** Everything in memory, over the sandbox. */
export const overSandbox = useCases.pipe(
  Layer.provideMerge(
    Layer.mergeAll(sandboxProviders, MemoryEventStore.layer, instance("p1"), limits())
  ),
  Layer.provide(sandbox)
)

/** The evidence store's use cases over a store in memory, without an embedder. */
export const evidence = Layer.mergeAll(
  MemoryErasures.layer,
  MemoryLogRows.verification,
  evidenceWith(Engines.local).pipe(Layer.provide(Layer.merge(MemoryEvidenceStore.layer, plain))),
  LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layerProcesses))
)
