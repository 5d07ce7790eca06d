/** Lists, timelines, packs and charts of a tenant, from the read models; the log is not read. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { HealthInput, PackInput } from "../contract/Input.ts"
import {
  InvalidInput,
  PackNotFound,
  type PublicFailure,
  SessionNotFound
} from "../contract/PublicFailure.ts"
import type * as Records from "../contract/Records.ts"
import type { UseCase } from "../contract/ServiceOperations.ts"
import * as SearchHealth from "../domain/health/SearchHealth.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import { total } from "../domain/summary/SessionSummary.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import { ReadModels, type ReadModelsUnavailable, StandbyRows } from "./ports/ReadModels.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"
import {
  afterAll,
  end,
  keyOf,
  listRows,
  prefixOf,
  readRows,
  type RowsUnreadable,
  tenantOf
} from "./projections/ReadRows.ts"
import {
  ActivityModel,
  dayKeyOf,
  dayOf,
  GroundingsModel,
  minuteKeyOf,
  PacksModel,
  SearchHealthModel,
  SessionsModel,
  subjectFlag
} from "./projections/SessionsModel.ts"

const groundingsMax = 200
const tenantsMax = 1_000
/** More rows than one a minute for each provider in the longest span. */
const rowsMax = 200_000
const stepsWanted = 48
const minutesInHour = 60
const minuteMs = 60_000

type Asker = Pick<Caller, "tenantId">

/** Views of one tenant's sessions. They lag behind the log like the projections. */
export class QueryReadModels extends Context.Service<QueryReadModels, {
  readonly ListSessions: UseCase<"ListSessions", Asker>
  readonly GetSessionTimeline: UseCase<"GetSessionTimeline", Asker>
  readonly GetCitedPack: UseCase<"GetCitedPack", Asker>
  readonly GetActivity: UseCase<"GetActivity", Asker>
  readonly GetUsage: UseCase<"GetUsage", Asker>
  readonly ListTenants: UseCase<"ListTenants", Asker>
}>()("web-grounding/application/QueryReadModels") {}

/** `standby` may lag; `store` is for callers that decide by the answer. */
export const ReadFrom = Context.Reference<"standby" | "store">(
  "web-grounding/application/QueryReadModels/ReadFrom",
  { defaultValue: () => "standby" }
)

export const layer = Layer.effect(
  QueryReadModels,
  Effect.gen(function*() {
    const store = yield* ReadModels
    const standby = Option.match(yield* Effect.serviceOption(StandbyRows), {
      onNone: () => store,
      onSome: (rows) => ReadModels.of({ ...store, ...rows })
    })
    const { catchUp } = yield* ProjectionRunner

    const answering =
      <Input, A>(answer: (input: Input, tenantId: string) => ListAnswer<A>) =>
      (input: Input, { tenantId }: Asker): Effect.Effect<A, PublicFailure> =>
        Effect.flatMap(ReadFrom, (from) =>
          Effect.andThen(catchUp, answer(input, tenantId)).pipe(
            Effect.provideService(ReadModels, from === "standby" ? standby : store)
          )).pipe(InPublic.inPublic("a read model was not read"))

    const sessions = Effect.fn("QueryReadModels.sessions")(
      function*(input: typeof Records.ListSessionsInput.Type, tenantId) {
        const { cursor, limit, state, subject, words } = input
        if (state !== undefined && subject !== undefined) {
          return yield* new InvalidInput({ field: "subject", problem: "Not together with `state`" })
        }
        const flag = subject === undefined ? state : subjectFlag(subject)
        const prefix = prefixOf(tenantId)
        // One row more than requested shows whether there is another page.
        const rows = yield* listRows(SessionsModel, {
          from: prefix,
          until: `${prefix}${cursor ?? afterAll}`,
          limit: limit + 1,
          ...asGiven({ flag, words: words?.toLowerCase().toWellFormed() })
        })
        const page = rows.slice(0, limit)
        const last = rows.length > limit ? page.at(-1) : undefined
        return {
          sessions: page.map(({ summary }) => summary),
          ...asGiven({ next: last?.sort_key.slice(prefix.length) })
        }
      }
    )

    const timeline = Effect.fn("QueryReadModels.timeline")(
      function*({ request_id, session_id }: typeof Records.SessionTimelineInput.Type, tenantId) {
        const [[session], groundings] = yield* Effect.all([
          readRows(SessionsModel, oneOf(keyOf(tenantId, session_id))),
          readRows(
            GroundingsModel,
            request_id === undefined
              ? allUnder(keyOf(tenantId, session_id))
              : oneOf(keyOf(tenantId, session_id, request_id))
          )
        ], { concurrency: 2 })
        if (session === undefined) return yield* new SessionNotFound({ session_id })
        if (request_id !== undefined && groundings.length === 0) {
          return yield* new PackNotFound({ session_id, request_id })
        }
        return {
          session: session.summary,
          groundings: [...groundings]
            .sort((one, other) => one.requested_at < other.requested_at ? -1 : 1)
        }
      }
    )

    const citedPack = Effect.fn("QueryReadModels.citedPack")(
      function*({ request_id, session_id }: typeof PackInput.Type, tenantId) {
        const [row] = yield* readRows(PacksModel, oneOf(keyOf(tenantId, session_id, request_id)))
        return row?._tag === "Cited"
          ? row.cited
          : yield* new PackNotFound({ session_id, request_id })
      }
    )

    const activity = Effect.fn("QueryReadModels.activity")(
      function*({ hours }: typeof HealthInput.Type, tenantId) {
        const now = yield* DateTime.now
        const steps = stepsOf(now, hours)
        const from = steps.at(0) ?? now
        const minute = minuteOf(from)
        const prefix = prefixOf(tenantId)
        const [figures, attempts] = yield* Effect.all([
          readRows(ActivityModel, {
            from: minuteKeyOf(tenantId, minute),
            until: minuteKeyOf(tenantId, end),
            limit: rowsMax
          }),
          readRows(SearchHealthModel, {
            from: `${prefix}${minute}`,
            until: `${prefix}${end}`,
            limit: rowsMax,
            versionMin: SearchHealthModel.version
          })
        ], { concurrency: 2 })
        const figuresByStep = Map.groupBy(figures, ({ period }) => stepAt(steps, period))
        const attemptsByStep = Map.groupBy(attempts, ({ minute }) => stepAt(steps, minute))
        return {
          as_of: DateTime.formatIso(now),
          from: minute,
          step_minutes: stepMinutesOf(hours),
          steps: steps.map((at, index) => ({
            at: minuteOf(at),
            figures: total(figuresByStep.get(index) ?? []),
            ...searchesOf(attemptsByStep.get(index) ?? [])
          })),
          total: total(figures)
        } satisfies Records.Activity
      }
    )

    const usage = Effect.fn("QueryReadModels.usage")(
      function*({ days }: typeof Records.UsageInput.Type, tenantId) {
        const now = yield* DateTime.now
        const first = dayOf(DateTime.formatIso(DateTime.subtract(now, { days: days - 1 })))
        const rows = yield* readRows(ActivityModel, {
          from: dayKeyOf(tenantId, first),
          until: dayKeyOf(tenantId, end),
          limit: rowsMax
        })
        return { days: rows, total: total(rows) }
      }
    )

    const tenants = Effect.fn("QueryReadModels.tenants")(
      function*(asked: typeof Records.UsageInput.Type) {
        const { range } = yield* ReadModels
        const tenants: Array<Records.TenantList["tenants"][number]> = []
        // One read finds the next name: a tenant has many rows.
        for (let from: string = end; tenants.length < tenantsMax;) {
          const found = yield* range({ model: ActivityModel.name, from, until: afterAll, limit: 1 })
          const key = found?.rows[0]?.[0]
          if (key === undefined) break
          const tenant_id = tenantOf(key)
          tenants.push({ tenant_id, total: (yield* usage(asked, tenant_id)).total })
          from = prefixOf(tenant_id) + afterAll
        }
        return { tenants }
      }
    )

    return QueryReadModels.of({
      ListSessions: answering(sessions),
      GetSessionTimeline: answering(timeline),
      GetCitedPack: answering(citedPack),
      GetActivity: answering(activity),
      GetUsage: answering(usage),
      ListTenants: answering(tenants)
    })
  })
)

type ListAnswer<A> = Effect.Effect<
  A,
  InvalidInput | SessionNotFound | PackNotFound | ReadModelsUnavailable | RowsUnreadable,
  ReadModels
>

const oneOf = (key: string) => ({ from: key, until: `${key} `, limit: 1 })
const allUnder = (key: string) => ({
  from: `${key} `,
  until: `${key} ${afterAll}`,
  limit: groundingsMax
})

/** In minutes, divisors of a clock's day. */
const stepLengths = [1, 2, 5, 10, 15, 30, 60, 120, 240] as const

const stepMinutesOf = (hours: number): number =>
  stepLengths.find((minutes) => hours * minutesInHour / minutes <= stepsWanted) ?? 240

const stepsOf = (now: DateTime.Utc, hours: number): ReadonlyArray<DateTime.Utc> => {
  const lengthMs = stepMinutesOf(hours) * minuteMs
  const lastMs = Math.floor(now.epochMilliseconds / lengthMs) * lengthMs
  const count = Math.ceil(hours * minutesInHour * minuteMs / lengthMs)
  return Array.from(
    { length: count },
    (_, index) => DateTime.makeUnsafe(lastMs - (count - 1 - index) * lengthMs)
  )
}

const minuteOf = (at: DateTime.Utc): string => SearchHealth.minuteOf(DateTime.formatIso(at))

const stepAt = (steps: ReadonlyArray<DateTime.Utc>, minute: string): number =>
  steps.findLastIndex((at) => minuteOf(at) <= minute)

const searchesOf = (rows: ReadonlyArray<SearchHealth.MinuteFigures>) => {
  const { web_search_latency_ms, web_search_total } = SearchHealth.figuresOf(rows)
  return {
    attempts: Object.fromEntries(
      Object.entries(web_search_total).filter(([, count]) => count > 0)
    ),
    ...(web_search_latency_ms === undefined
      ? {}
      : { search_latency_ms: { p50: web_search_latency_ms.p50, p95: web_search_latency_ms.p95 } })
  }
}
