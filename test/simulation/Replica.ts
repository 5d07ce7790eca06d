/**
 * A replica of the service: the real use cases over simulated ports, built anew for each start, so
 * that nothing but the database outlives it.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as MemoryBreakers from "../../src/adapters/breakers/MemoryBreakers.ts"
import * as Admission from "../../src/application/Admission.ts"
import * as AskHealth from "../../src/application/AskHealth.ts"
import * as CheckServing from "../../src/application/CheckServing.ts"
import * as ReportedPages from "../../src/application/evidence/ReportedPages.ts"
import * as GroundQuestion from "../../src/application/GroundQuestion.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import type { EventStore } from "../../src/application/ports/EventStore.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { Digest, Ids, Instance, Sites } from "../../src/application/ports/Platform.ts"
import type { ReadModels } from "../../src/application/ports/ReadModels.ts"
import {
  type Credits,
  type KeySlots,
  type QueryCache,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import type { ServiceState } from "../../src/application/ports/ServiceState.ts"
import type { Consumer } from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import * as PublicApi from "../../src/application/PublicApi.ts"
import * as ReplaySession from "../../src/application/replay/ReplaySession.ts"
import * as CoalesceSearch from "../../src/application/sharing/CoalesceSearch.ts"
import * as SessionTurns from "../../src/application/sharing/SessionTurns.ts"
import * as SharePacks from "../../src/application/sharing/SharePacks.ts"
import { TenantLimits } from "../../src/application/sharing/TenantLimits.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import * as RungWalk from "../../src/application/steps/RungWalk.ts"
import * as SearchWeb from "../../src/application/steps/SearchWeb.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv5 } from "../../src/infrastructure/Digest.ts"
import type { Engines } from "../../src/wiring/Engines.ts"
import { plain } from "../support/grounding.ts"
import { sentApi } from "../support/sent.ts"
import type { Chance } from "./SimulatedLog.ts"
import type { Process, World } from "./World.ts"

/** What a caller of the replica meets. */
export interface Services {
  readonly api: ReturnType<typeof sentApi>
  readonly admission: Admission.Admission["Service"]
  readonly draining: CheckServing.Draining["Service"]
  readonly within: Effect.Success<typeof Admission.make>["within"]
}

/** What the database and the web of the simulation provide to one process. */
export interface Ports {
  readonly log: Layer.Layer<EventStore>
  readonly tables: Layer.Layer<QueryCache | Credits | ReadModels | ServiceState>
  readonly engines: Layer.Layer<Engines>
  readonly providers: ReadonlyArray<KeySlots>
  readonly consumers: ReadonlyArray<Consumer>
  /** Whether the process hears now that something was appended. */
  readonly hears: () => boolean
}

export interface Started {
  readonly process: Process
  readonly context: Context.Context<never>
  /** Absent until the replica has started. */
  services?: Services
  /** Ends the process in order. */
  readonly close: () => void
}

/** A search ends within these, whatever the deadline. */
const limits: Limits["Service"] = {
  attemptTimeoutMs: 3_000,
  engineTimeoutMs: 2_000,
  rankTimeoutMs: 2_000,
  readTimeoutMs: 2_000,
  hitsScarceMax: 0,
  scoreMin: 0.1,
  pagesMax: 3,
  chunksMax: 4,
  entriesMax: 0,
  evidenceCharsMax: 600,
  evidenceAddresses: false,
  readModelLagMsMax: 300_000
}

/** Calls of a tenant at the same time: as many as there are places, so that only lost ones show. */
const tenantCallsMax = 8

const tenantLimits = { ...TenantLimits.none, concurrencyMax: tenantCallsMax }

/** A domain's last two labels: enough for the hosts of the simulated web. */
const siteOf = (host: string): string => host.split(".").slice(-2).join(".")

const facts = Layer.merge(
  Layer.succeed(Digest, { sha256, canonical }),
  Layer.succeed(Sites, { siteOf })
)

const idsOf = ({ salt, uuid }: Chance) =>
  Layer.succeed(Ids, {
    uuid: Effect.sync(uuid),
    derived: (commandId, ordinal) => uuidv5(commandId, String(ordinal)),
    boundary: Effect.sync(salt),
    secret: Effect.sync(() => `${salt()}${salt()}`.slice(0, 43))
  })

/** Announced as the service's own, unless the scenario keeps the process from hearing it. */
const signal = (hears: () => boolean) =>
  Layer.effect(
    VerifiedLog.LogSignal,
    Effect.map(
      VerifiedLog.LogSignal,
      ({ notify, subscribe }) =>
        VerifiedLog.LogSignal.of({
          subscribe,
          notify: Effect.suspend(() => hears() ? notify : Effect.void)
        })
    )
  ).pipe(Layer.provide(VerifiedLog.layerLogSignal))

const layerOf = (process: Process, ports: Ports, chance: Chance, places: number) => {
  const log = VerifiedLog.layer.pipe(
    Layer.provide(VerifiedLog.layerAnnouncing),
    Layer.provide(Layer.merge(ports.log, facts))
  )
  return Layer.mergeAll(PublicApi.layer, ProjectionRunner.layerFollowing).pipe(
    Layer.provideMerge(CheckServing.layerDraining),
    Layer.provideMerge(Admission.layer({ grounding: places, read: 4, health: 1, document: 1 })),
    Layer.provide(Layer.mergeAll(GroundQuestion.layer, ReplaySession.layer, AskHealth.layer)),
    Layer.provide(ProjectionRunner.layer(ports.consumers)),
    Layer.provide(SharePacks.layer),
    Layer.provide(Layer.mergeAll(
      SearchWeb.layer,
      CoalesceSearch.layer,
      ReportedPages.layer,
      SessionTurns.layer
    )),
    Layer.provide(KeyRing.layer),
    Layer.provide(log),
    Layer.provide(Layer.mergeAll(
      idsOf(chance),
      ports.engines,
      ports.tables,
      facts,
      MemoryBreakers.layer,
      signal(ports.hears),
      Layer.succeed(SearchProviders, SearchProviders.forEveryone(ports.providers)),
      Layer.succeed(Instance, { id: process.name, sole: false }),
      Layer.sync(RungWalk.LocalWork, RungWalk.make),
      Layer.succeed(Limits, limits),
      plain
    ))
  )
}

const limitedTenants = Effect.provideService(Admission.make, TenantLimits, tenantLimits)

export const start = (
  world: World,
  { chance, places, ports, process }: {
    readonly process: Process
    readonly ports: Ports
    readonly chance: Chance
    readonly places: number
  }
): Started => {
  const context = world.contextOf(process)
  const scope = Scope.makeUnsafe()
  const started: Started = {
    process,
    context,
    close: () => {
      Effect.runForkWith(context)(Scope.close(scope, Exit.void))
    }
  }
  const build = Layer.buildWithMemoMap(
    layerOf(process, ports, chance, places),
    Layer.makeMemoMapUnsafe(),
    scope
  ).pipe(
    Effect.flatMap((built) =>
      Effect.map(limitedTenants, ({ within }): Services => ({
        api: sentApi(Context.get(built, PublicApi.PublicApi)),
        admission: Context.get(built, Admission.Admission),
        draining: Context.get(built, CheckServing.Draining),
        within
      }))
    )
  )
  Effect.runForkWith(context)(build).addObserver((exit) => {
    world.note(`${process.name} ${Exit.isSuccess(exit) ? "serves" : "does not start"}`)
    if (Exit.isSuccess(exit)) started.services = exit.value
  })
  return started
}
