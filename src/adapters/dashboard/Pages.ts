/** Content of each page, from the read models through the shared operations. */
import { DateTime, Effect, Option, Schema } from "effect"
import { renderToString } from "preact-render-to-string"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { SourceType } from "../../domain/store/Entry.ts"
import { RequestState } from "../../domain/summary/GroundingSummary.ts"
import * as TimelineEntry from "../../domain/summary/TimelineEntry.ts"
import type { Known } from "./Viewers.ts"
import * as HealthPage from "./views/HealthPage.ts"
import * as SessionsPage from "./views/SessionsPage.ts"
import { counted, html, notice } from "./views/Shell.ts"

const sessionsShown = 100
const alertsShown = 20
const entriesShown = 20
/** Of a session, whose chain is checked when its page is shown: a page of events at most. */
const eventsChecked = 200
const daysShown = 31

/** Spans offered by the page; any other becomes a day. */
const hoursOf = (query: URLSearchParams): number => {
  const hours = Number(query.get("hours") ?? "24")
  return [1, 24, 168].includes(hours) ? hours : 24
}

/** A field of the query; `undefined` if it is absent or blank. */
const textIn = (query: URLSearchParams, name: string): string | undefined =>
  query.get(name)?.trim() || undefined

export const health = Effect.fnUntraced(
  function*({ calls, viewer }: Known, query: URLSearchParams) {
    const hours = hoursOf(query)
    // Sequential: few run at once, and every open page polls.
    const health = yield* calls.GetHealth({ hours })
    const activity = yield* calls.GetActivity({ hours })
    const usage = yield* calls.GetUsage({ days: daysShown })
    const deployment = viewer.isAdmin
      ? {
        ...yield* calls.ListAlerts({ limit: alertsShown }),
        ...yield* calls.ListTenants({ days: daysShown }),
        tenantId: viewer.tenantId
      }
      : undefined
    return {
      title: "Health",
      view: "/",
      isLive: true,
      alerts: health.alerts.length,
      body: HealthPage.body({ health, activity, usage, ...asGiven({ deployment }) })
    }
  }
)

const isState = Schema.is(RequestState)

export const sessions = Effect.fnUntraced(function*({ calls }: Known, query: URLSearchParams) {
  const state = textIn(query, "state")
  const asked = asGiven({ words: textIn(query, "words"), cursor: textIn(query, "cursor") })
  const list = yield* calls.ListSessions({
    limit: sessionsShown,
    ...(isState(state) ? { state } : {}),
    ...asked
  })
  const now = DateTime.formatIso(yield* DateTime.now)
  return {
    title: "Sessions",
    view: "/sessions",
    // A viewer of an older page is not moved.
    isLive: asked.cursor === undefined,
    body: SessionsPage.body({ ...asked, ...asGiven({ state }) }, list, now)
  }
})

/** The named request, else the latest. */
export const session = Effect.fnUntraced(
  function*({ calls, viewer }: Known, session_id: string, query: URLSearchParams) {
    const timeline = yield* calls.GetSessionTimeline({ session_id })
    // The page shows read models; only the log shows whether it was changed since.
    const isChanged = yield* Effect.match(
      calls.GetSession({ session_id, after: 0, limit: eventsChecked }),
      {
        onFailure: (failure) =>
          failure._tag === "InternalFailure" && failure.detail === "record_changed",
        onSuccess: () => false
      }
    )
    const named = query.get("request")
    const grounding = timeline.groundings.find(({ request_id }) => request_id === named) ??
      timeline.groundings.at(-1)
    const cited = grounding === undefined
      ? undefined
      : yield* calls.GetCitedPack({ session_id, request_id: grounding.request_id }).pipe(
        Effect.catchTag("PackNotFound", () => Effect.succeed(undefined))
      )
    return {
      title: grounding?.question ?? session_id,
      view: "/sessions",
      isLive: grounding?.state === "unfinished",
      body: SessionsPage.sessionBody(viewer, { timeline, grounding, cited, isChanged })
    }
  }
)

const isSourceType = Schema.is(SourceType)

export const evidence = Effect.fnUntraced(
  function*({ calls, viewer }: Known, query: URLSearchParams) {
    const { entries, sources } = yield* calls.GetEvidenceStatus({})
    const asked = textIn(query, "query")
    const type = textIn(query, "type")
    const found = asked === undefined ? undefined : (yield* calls.SearchEvidence({
      query: asked,
      limit: entriesShown,
      ...(isSourceType(type) ? { filter: { source_type: type } } : {})
    })).found
    return {
      title: "Evidence",
      view: "/evidence",
      body: HealthPage.evidenceBody(viewer, asGiven({ query: asked, type }), {
        entries,
        sources,
        ...asGiven({ found })
      })
    }
  }
)

export const tryIt = ({ viewer }: Known) =>
  Effect.succeed({ title: "Try it", view: "/try", body: SessionsPage.tryBody(viewer) })

// Actions on the dashboard. The script sends JSON.

export const SignIn = Schema.Struct({ token: Schema.String })

const Question = Schema.Struct({
  topic: Schema.String,
  session_id: Schema.optionalKey(Schema.String),
  user_asked_for_facts: Schema.optionalKey(Schema.Boolean),
  consent_raw_content: Schema.optionalKey(Schema.Boolean)
})

const Approval = Schema.Struct({
  source_url: Schema.String,
  node_id: Schema.String,
  node_label: Schema.String,
  name: Schema.String
})

const Erasure = Schema.Struct({ confirmed: Schema.String })

const decodeQuestion = Schema.decodeUnknownOption(Question)
const decodeApproval = Schema.decodeUnknownOption(Approval)
const decodeErasure = Schema.decodeUnknownOption(Erasure)

/** One line of the response: JSON and a line break. */
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

type Write = (line: string) => Effect.Effect<void>

/** Streams a question's steps as recorded, one a line, then the pack's path or the failure. */
export const askOperation = Effect.fnUntraced(
  function*({ calls }: Known, body: unknown, freshId: string, write: Write) {
    const question = decodeQuestion(body)
    if (Option.isNone(question)) return yield* write(line({ failed: "Expected a question" }))
    const { session_id = "", ...asked } = question.value
    const input = { ...asked, phase: "mid_chat" as const, session_id: session_id.trim() || freshId }
    let before: TimelineEntry.TimelineEntry | undefined
    yield* calls.Ground(input, ({ event, stored }) => {
      const steps = TimelineEntry.entriesOf(event, stored, before)
      before = steps.at(-1)
      return Effect.forEach(steps, (step) => write(line({ step })), { discard: true })
    }).pipe(
      Effect.matchEffect({
        onSuccess: ({ request_id, session_id }) =>
          write(line({ done: SessionsPage.pathOf(session_id, request_id) })),
        onFailure: (failure) => write(line({ failed: failure.message }))
      }),
      Effect.catchDefect((bug) =>
        Effect.andThen(
          Effect.logError("a bug while a page asked a question", bug),
          write(line({ failed: "The service has a bug; its log names it." }))
        )
      )
    )
  }
)

export interface Part {
  readonly html: string
}

export const replay = ({ calls }: Known, session_id: string) =>
  Effect.map(calls.ReplaySession({ session_id }), (replayed) => ({
    html: renderToString(SessionsPage.verdict(replayed))
  }))

export const verify = ({ calls }: Known, session_id: string) =>
  Effect.map(
    calls.VerifyLog({ session_id }),
    ({ events, faults: [first], faults_count }) =>
      first === undefined
        ? part("info", `The ${counted(events, "event")} of this session are as they were recorded.`)
        : part(
          "critical",
          `${counted(faults_count, "fault")}; the first one: ${first.kind} at event ${
            first.version ?? "–"
          }.`
        )
  )

export const exported = ({ calls }: Known, session_id: string) =>
  Effect.map(calls.ExportSessions({ session_id }), ({ jsonl }) => jsonl)

export const receipt = ({ calls }: Known, session_id: string, query: URLSearchParams) => {
  const request_id = query.get("request") ?? ""
  return Effect.map(calls.GetReceipt({ session_id, request_id }), (made) => JSON.stringify(made))
}

export const erase = Effect.fnUntraced(
  function*({ calls }: Known, session_id: string, body: unknown) {
    const asked = decodeErasure(body)
    if (Option.isNone(asked)) return part("critical", "Expected the session's id")
    if (asked.value.confirmed.trim() !== session_id) {
      return part("critical", "Nothing was erased: this is not the session's id.")
    }
    const report = yield* calls.EraseSession({ session_id })
    return { html: renderToString(SessionsPage.erasedText(report)) }
  }
)

export const approve = Effect.fnUntraced(function*({ calls }: Known, _: string, body: unknown) {
  const asked = decodeApproval(body)
  if (Option.isNone(asked)) {
    return part("critical", "Expected an address, an id, a label and a name")
  }
  const { source_url, ...node } = asked.value
  const { entries, source_id } = yield* calls.PromoteEvidence({ source_url, node })
  return part(
    "info",
    `The node ${source_id} replaces the page: ${counted(entries, "entry", "entries")}.`
  )
})

export const part = (tone: "critical" | "info", told: string): Part => ({
  html: renderToString(
    notice(tone, tone === "critical" ? "Failed" : "Done", html`<p>${told}</p>`)
  )
})
