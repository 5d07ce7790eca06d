/** The pages over the bundled sandbox, with the log in memory. */
import { Context, Effect, Layer, ManagedRuntime, Ref } from "effect"
import { HttpServer } from "effect/http"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as DashboardFace from "../../src/adapters/dashboard/DashboardFace.ts"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import type { Engine } from "../../src/application/ports/Engines.ts"
import type { EventStore } from "../../src/application/ports/EventStore.ts"
import { ReadModels, ReadModelsUnavailable } from "../../src/application/ports/ReadModels.ts"
import type { ServiceState } from "../../src/application/ports/ServiceState.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, useCases } from "../../src/wiring/layers.ts"
import { instance, limits, sandbox, sandboxProviders } from "./grounding.ts"
import * as MemoryErasures from "./memory/MemoryErasures.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "./memory/MemoryEvidenceStore.ts"
import * as MemoryLogRows from "./memory/MemoryLogRows.ts"
import * as MemoryReadModels from "./memory/MemoryReadModels.ts"
import { host } from "./service.ts"

/** Without the router that it serves by: the service has its own. */
const sandboxAlone = Layer.effect(
  SandboxServer.SandboxServer,
  Effect.map(Layer.build(sandbox), Context.get(SandboxServer.SandboxServer))
)

const pageText = "A tenant must give one month's notice to end a lease. The notice is in writing."

/** A reader that gets the same text of every page. */
const reader: Engine<"reader"> = {
  info: { engine: "test", version: "1" },
  ask: () =>
    Effect.succeed({
      reader: "web",
      title: "Ending a lease",
      text: pageText,
      chunks: [{ start: 0, end: pageText.length }]
    })
}

const evidenceRead = Layer.merge(
  evidenceWith(Engines.layer({ reader: [reader] })).pipe(Layer.provide(MemoryEvidenceStore.layer)),
  LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layerProcesses))
)

const gone = Effect.fail(new ReadModelsUnavailable({ operation: "read", cause: "away" }))

/** Read models that can be taken away. */
const takenAway = (isAway: Ref.Ref<boolean>) =>
  Layer.effect(
    ReadModels,
    Effect.gen(function*() {
      const kept = yield* ReadModels
      const unlessAway = <A, E, R>(
        effect: Effect.Effect<A, E, R>
      ): Effect.Effect<A, E | ReadModelsUnavailable, R> =>
        Effect.gen(function*() {
          if (yield* Ref.get(isAway)) return yield* gone
          return yield* effect
        })
      return ReadModels.of({
        ...kept,
        acquire: (id, owner) => unlessAway(kept.acquire(id, owner)),
        range: (asked) => unlessAway(kept.range(asked)),
        listing: (asked) => unlessAway(kept.listing(asked)),
        checkpoints: unlessAway(kept.checkpoints)
      })
    })
  ).pipe(Layer.provide(MemoryReadModels.layer))

const serviceWith = (isAway: Ref.Ref<boolean>, access: Layer.Layer<Access.Access>) =>
  GroundingRpcServer.layer({
    host,
    port: 0,
    beside: [DashboardFace.make({ isSandbox: true }), HttpFace.httpFace]
  }).pipe(
    Layer.provide(
      Layer.mergeAll(
        useCases,
        evidenceRead,
        MemoryErasures.layer,
        MemoryLogRows.verification,
        access
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        sandboxProviders,
        MemoryEventStore.layer,
        instance("p1"),
        limits(),
        takenAway(isAway)
      )
    ),
    Layer.provide(sandboxAlone)
  )

export interface Running {
  /** Without a path. */
  readonly address: string
  /** Whether the read models cannot be reached. */
  readonly setAway: (away: boolean) => Promise<void>
  readonly run: <A, E>(effect: Effect.Effect<A, E, EventStore | ServiceState>) => Promise<A>
  readonly end: () => Promise<void>
}

/** `seeded`: the log's events before the first page is shown. */
export const runDashboard = async <E>(
  seeded: Layer.Layer<never, E, EventStore | ServiceState>,
  access: Layer.Layer<Access.Access> = Access.open("default")
): Promise<Running> => {
  const isAway = Ref.makeUnsafe(false)
  const runtime = ManagedRuntime.make(seeded.pipe(Layer.provideMerge(serviceWith(isAway, access))))
  const address = await runtime.runPromise(
    Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))
  )
  return {
    address,
    setAway: (away) => runtime.runPromise(Ref.set(isAway, away)),
    run: (effect) => runtime.runPromise(effect),
    end: () => runtime.dispose()
  }
}
