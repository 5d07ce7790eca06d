/**
 * Health of the searches, from the read models, which are brought up to date first. A process that
 * follows the log waits a moment for that; `read_models` reports what is missing.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { HealthView } from "../contract/HealthView.ts"
import * as EngineHealth from "../domain/health/EngineHealth.ts"
import * as SearchHealth from "../domain/health/SearchHealth.ts"
import { stateAt } from "../domain/search/KeyPool.ts"
import type { RemoteCaller } from "./Access.ts"
import { WatchLog } from "./audit/WatchLog.ts"
import { creditUses } from "./health/WatchCredits.ts"
import { TamperAlerts } from "./log/VerifiedLog.ts"
import type { EventStoreUnavailable } from "./ports/EventStore.ts"
import { ReadModels, type ReadModelsUnavailable } from "./ports/ReadModels.ts"
import { CeilingUses } from "./ports/SearchProvider.ts"
import { stateOf } from "./ports/ServiceState.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"
import { end, prefixOf, readRows, type RowsUnreadable } from "./projections/ReadRows.ts"
import {
  EngineHealthModel,
  PackHealthModel,
  SearchHealthModel
} from "./projections/SessionsModel.ts"
import { keyOf, keyStates } from "./steps/KeyRing.ts"

/** More rows than the longest span has: one a minute for each key or provider. */
const rowsMax = 200_000

export type HealthOf = "deployment" | Pick<RemoteCaller, "tenantId">

export const healthSeenBy = ({ scopes, tenantId }: RemoteCaller): HealthOf =>
  scopes.has("admin") ? "deployment" : { tenantId }

type KeyMissing = Extract<SearchHealth.Alert, { readonly _tag: "KeyMissing" }>

type Unreadable = EventStoreUnavailable | ReadModelsUnavailable | RowsUnreadable

export class AskHealth extends Context.Service<AskHealth, {
  /** `hours`: the span, up to now. A tenant sees nothing of keys, credits and read models. */
  readonly health: (hours: number, of: HealthOf) => Effect.Effect<HealthView, Unreadable>
  /** Current alerts of the deployment, missing keys included however often they were reported. */
  readonly alerts: Effect.Effect<ReadonlyArray<SearchHealth.Alert>, Unreadable>
  readonly lastHour: Effect.Effect<SearchHealth.Figures, ReadModelsUnavailable | RowsUnreadable>
}>()("web-grounding/application/AskHealth") {}

export const layer = Layer.effect(
  AskHealth,
  Effect.gen(function*() {
    const readModels = yield* ReadModels
    const { catchUp, lags } = yield* ProjectionRunner
    const states = yield* keyStates
    const uses = yield* creditUses
    const told = yield* stateOf("missing_told", Schema.String)
    // Without verification of the log there are no such alerts.
    const verified = yield* Effect.serviceOption(TamperAlerts)
    const watched = yield* Effect.serviceOption(WatchLog)
    const bounded = yield* Effect.serviceOption(CeilingUses)

    /** Figures of the deployment, or of a tenant, whose rows older versions lack. */
    const figuresIn = Effect.fnUntraced(function*(hours: number, of: HealthOf) {
      const now = yield* DateTime.now
      const prefix = of === "deployment" ? "" : prefixOf(of.tenantId)
      const from = `${prefix}${minuteBefore(now, hours)}`
      const span = { from, until: `${prefix}${end}`, limit: rowsMax }
      const versionOf = ({ version }: { readonly version: number }) =>
        of === "deployment" ? 1 : version
      const [rows, packRows] = yield* Effect.all([
        readRows(SearchHealthModel, { ...span, versionMin: versionOf(SearchHealthModel) }),
        readRows(PackHealthModel, { ...span, versionMin: versionOf(PackHealthModel) })
      ], { concurrency: 2 })
      return {
        as_of: DateTime.formatIso(now),
        from: minuteBefore(now, hours),
        hours,
        figures: figuresOf(rows),
        by_key: SearchHealth.byKey(rows),
        packs: SearchHealth.packFiguresOf(packRows)
      }
    })

    /** True for one caller each time a key is found missing; for all while the store is down. */
    const isFirstToHear = ({ key_slot, provider, since }: KeyMissing) =>
      told.change(keyOf(provider, key_slot), (last = "") => last >= since ? undefined : since).pipe(
        Effect.map((changed) => changed !== undefined),
        Effect.catch((failure) =>
          Effect.as(
            Effect.logWarning("the report of a missing key was not recorded", failure),
            true
          )
        )
      )

    const standing = Effect.gen(function*() {
      const now = yield* DateTime.now
      const hour = { from: minuteBefore(now, 1), until: end, limit: rowsMax }
      const [known, used, answers, searches] = yield* Effect.all([
        states.rows(),
        uses.rows(),
        readRows(EngineHealthModel, hour),
        readRows(SearchHealthModel, hour)
      ], { concurrency: 4 })
      const month = DateTime.formatIso(now).slice(0, "YYYY-MM".length)
      const keys = known.map(({ value }) => stateAt(value, now.epochMilliseconds))
      const credits = used.map(({ value }) => value).filter((use) => use.month === month)
      const alerts = SearchHealth.alertsOf(figuresOf(searches), keys, {
        failing: EngineHealth.failingOf(answers),
        searches,
        ceilings: yield* listOf(bounded, ({ near }) => near),
        credits,
        met: [
          ...yield* listOf(watched, ({ unsound }) => Effect.map(unsound, Option.toArray)),
          ...yield* listOf(verified, ({ list }) => list)
        ]
      })
      return { alerts, credits, keys }
    })

    const lastHour = Effect.gen(function*() {
      const from = minuteBefore(yield* DateTime.now, 1)
      const rows = yield* readRows(SearchHealthModel, { from, until: end, limit: rowsMax })
      return figuresOf(rows)
    }).pipe(Effect.provideService(ReadModels, readModels))

    const deploymentAlerts = Effect.fn("AskHealth.alerts")(function*() {
      yield* catchUp
      return (yield* standing).alerts
    }, Effect.provideService(ReadModels, readModels))

    const health = Effect.fn("AskHealth.health")(function*(hours: number, of: HealthOf) {
      yield* catchUp
      if (of !== "deployment") {
        const [figures, lastHour] = yield* Effect.all([figuresIn(hours, of), figuresIn(1, of)])
        const alerts = SearchHealth.alertsOf(lastHour.figures, [])
        return { ...figures, keys: [], alerts, read_models: [] } satisfies HealthView
      }
      const [figures, { alerts, credits, keys }, read_models] = yield* Effect.all([
        figuresIn(hours, of),
        standing,
        lags
      ], { concurrency: 3 })
      return {
        ...figures,
        keys,
        ...(credits.length === 0 ? {} : { credits }),
        alerts: yield* Effect.filter(
          alerts,
          // Lasting conditions are reported each time; a key that was never set only once.
          (alert) => alert._tag === "KeyMissing" ? isFirstToHear(alert) : Effect.succeed(true)
        ),
        read_models
      } satisfies HealthView
    }, Effect.provideService(ReadModels, readModels))

    return AskHealth.of({ health, alerts: deploymentAlerts(), lastHour })
  })
)

const listOf = <S, A, E>(
  service: Option.Option<S>,
  onSome: (service: S) => Effect.Effect<ReadonlyArray<A>, E>
) => Option.match(service, { onNone: () => Effect.succeed([]), onSome })

const minuteBefore = (now: DateTime.Utc, hours: number): string =>
  SearchHealth.minuteOf(DateTime.formatIso(DateTime.subtract(now, { hours })))

/** Searches of the sandbox count only where there are no others. */
const figuresOf = (rows: ReadonlyArray<SearchHealth.MinuteFigures>): SearchHealth.Figures => {
  const real = rows.filter(({ provider }) => provider !== "mock")
  return SearchHealth.figuresOf(real.length === 0 ? rows : real)
}
