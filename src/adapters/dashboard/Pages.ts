/** Content of each page, from the read models by the operations that every face has. */
import { Clock, DateTime, Effect, Schema } from "effect"
import type { RemoteCaller } from "../../application/Access.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import type { EvidenceFailure, PublicFailure } from "../../contract/PublicFailure.ts"
import { SourceType } from "../../domain/store/Entry.ts"
import { RequestState } from "../../domain/summary/GroundingSummary.ts"
import type { Known } from "./Viewers.ts"
import * as EvidencePage from "./views/EvidencePage.ts"
import * as HealthPage from "./views/HealthPage.ts"
import * as SessionPage from "./views/SessionPage.ts"
import * as SessionsPage from "./views/SessionsPage.ts"
import type { Page } from "./views/Shell.ts"
import * as TryPage from "./views/TryPage.ts"

/** Rows of one page of the list. */
const sessionsShown = 100
const alertsShown = 20
const entriesShown = 20
const daysShown = 31

type Answer = Effect.Effect<Page, PublicFailure | typeof EvidenceFailure.Type, ServiceCalls>

/** The spans that the page offers; every other is answered with a day. */
const hoursOf = (query: URLSearchParams): number => {
  const hours = Number(query.get("hours") ?? "24")
  return [1, 24, 168].includes(hours) ? hours : 24
}

export const health = ({ caller, viewer }: Known, query: URLSearchParams): Answer =>
  Effect.gen(function*() {
    const calls = (yield* ServiceCalls).askedBy(caller)
    const hours = hoursOf(query)
    // One after the other: these places are few, and every open page looks again and again.
    const health = yield* calls.GetHealth({ hours })
    const activity = yield* calls.GetActivity({ hours })
    const usage = yield* calls.GetUsage({ days: daysShown })
    const alerts = viewer.isAdmin
      ? yield* calls.ListAlerts({ limit: alertsShown })
      : undefined
    return {
      title: "Health",
      view: "/",
      isLive: true,
      alerts: health.alerts.length,
      body: HealthPage.body({
        health,
        activity,
        usage,
        ...(alerts === undefined ? {} : { alerts })
      })
    }
  })

const isState = (text: string): text is RequestState =>
  RequestState.literals.some((state) => state === text)

export const sessions = ({ caller }: Known, query: URLSearchParams): Answer =>
  Effect.gen(function*() {
    const calls = (yield* ServiceCalls).askedBy(caller)
    const state = query.get("state") ?? ""
    const words = (query.get("words") ?? "").trim()
    const cursor = query.get("cursor") ?? ""
    const list = yield* calls.ListSessions({
      limit: sessionsShown,
      ...(isState(state) ? { state } : {}),
      ...(words === "" ? {} : { words }),
      ...(cursor === "" ? {} : { cursor })
    })
    return {
      title: "Sessions",
      view: "/sessions",
      // Whoever has gone back in time is not taken away from there.
      isLive: cursor === "",
      body: SessionsPage.body(
        { state, words, ...(cursor === "" ? {} : { cursor }) },
        list,
        yield* nowIso
      )
    }
  })

const nowIso = Effect.map(
  Clock.currentTimeMillis,
  (ms) => DateTime.formatIso(DateTime.makeUnsafe(ms))
)

/** The request that is named, else the latest. */
export const session = (
  { caller, viewer }: Known,
  session_id: string,
  query: URLSearchParams
): Answer =>
  Effect.gen(function*() {
    const calls = (yield* ServiceCalls).askedBy(caller)
    const timeline = yield* calls.GetSessionTimeline({ session_id })
    const named = query.get("request")
    const grounding = timeline.groundings.find(({ request_id }) => request_id === named) ??
      timeline.groundings.at(-1)
    const cited = grounding === undefined ? undefined : yield* packOf(grounding, caller)
    return {
      title: grounding?.question ?? session_id,
      view: "/sessions",
      isLive: grounding?.state === "unfinished",
      body: SessionPage.body(viewer, { timeline, grounding, cited })
    }
  })

const packOf = (
  { request_id, session_id }: { readonly request_id: string; readonly session_id: string },
  caller: RemoteCaller
) =>
  Effect.flatMap(
    ServiceCalls,
    ({ askedBy }) =>
      askedBy(caller).GetCitedPack({ session_id, request_id }).pipe(
        Effect.catchTag("PackNotFound", () => Effect.succeed(undefined))
      )
  )

const isSourceType = Schema.is(SourceType)

export const evidence = ({ caller, viewer }: Known, query: URLSearchParams): Answer =>
  Effect.gen(function*() {
    const calls = (yield* ServiceCalls).askedBy(caller)
    const { entries, sources } = yield* calls.GetEvidenceStatus({})
    const asked = (query.get("query") ?? "").trim()
    const type = query.get("type") ?? ""
    const found = asked === "" ? undefined : (yield* calls.SearchEvidence({
      query: asked,
      limit: entriesShown,
      ...(isSourceType(type) ? { filter: { source_type: type } } : {})
    })).found
    return {
      title: "Evidence",
      view: "/evidence",
      body: EvidencePage.body(viewer, { query: asked, type }, {
        entries,
        sources,
        ...(found === undefined ? {} : { found })
      })
    }
  })

export const tryIt = ({ viewer }: Known): Answer =>
  Effect.succeed({ title: "Try it", view: "/try", body: TryPage.body(viewer) })
