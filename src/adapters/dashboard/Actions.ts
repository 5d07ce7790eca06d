/** Actions that the pages ask of the service. The script sends JSON. */
import { Effect, Option, Schema } from "effect"
import { renderToString } from "preact-render-to-string"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import type { ErasureFailure } from "../../contract/Erasure.ts"
import type {
  EvidenceFailure,
  PublicFailure,
  ReceiptFailure
} from "../../contract/PublicFailure.ts"
import * as TimelineEntry from "../../domain/summary/TimelineEntry.ts"
import type { Known } from "./Viewers.ts"
import * as ErasePart from "./views/ErasePart.ts"
import { html } from "./views/Html.ts"
import * as SessionPage from "./views/SessionPage.ts"
import * as WhatIfPart from "./views/WhatIfPart.ts"

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

/** A line of the answer: JSON, then a line break. */
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

type Write = (line: string) => Effect.Effect<void>

/**
 * Grounds a question and shows its steps as they are recorded, a line each, then where the pack
 * stands, or what went wrong. The session stays in the list for whoever goes away meanwhile.
 */
export const askOperation = Effect.fnUntraced(
  function*({ caller }: Known, body: unknown, freshId: string, write: Write) {
    const question = decodeQuestion(body)
    if (Option.isNone(question)) return yield* write(line({ failed: "Expected a question" }))
    const { session_id = "", ...asked } = question.value
    const input = { ...asked, phase: "mid_chat" as const, session_id: session_id.trim() || freshId }
    const { askedBy } = yield* ServiceCalls
    let before: TimelineEntry.TimelineEntry | undefined
    yield* askedBy(caller).Ground(input, ({ event, stored }) => {
      const steps = TimelineEntry.entriesOf(event, stored, before)
      before = steps.at(-1)
      return Effect.forEach(steps, (step) => write(line({ step })), { discard: true })
    }).pipe(
      Effect.matchEffect({
        onSuccess: ({ request_id, session_id }) =>
          write(line({ done: SessionPage.pathOf(session_id, request_id) })),
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

/** A part of the page, rendered. */
export interface Part {
  readonly html: string
}

type Failed = PublicFailure | EvidenceFailure | ErasureFailure | ReceiptFailure

export const replay = (
  { caller }: Known,
  session_id: string
): Effect.Effect<Part, Failed, ServiceCalls> =>
  Effect.flatMap(
    ServiceCalls,
    ({ askedBy }) =>
      Effect.map(askedBy(caller).ReplaySession({ session_id }), (replayed) => ({
        html: renderToString(SessionPage.verdict(replayed))
      }))
  )

/** Verifies the session's stream alone: places, chain, payloads and the stream's own row. */
export const verify = (
  { caller }: Known,
  session_id: string
): Effect.Effect<Part, Failed, ServiceCalls> =>
  Effect.flatMap(ServiceCalls, ({ askedBy }) =>
    Effect.map(
      askedBy(caller).VerifyLog({ session_id }),
      ({ events, faults, faults_count }) => {
        const [first] = faults
        return first === undefined
          ? part("info", `The ${events} events of this session stand as they were recorded.`)
          : part(
            "critical",
            `${faults_count} faults; the first one: ${first.kind} at event ${first.version ?? "–"}.`
          )
      }
    ))

/** Texts of the form; a field that is left empty is not sent. */
const Supposed = Schema.Record(Schema.String, Schema.String)
const decodeSupposed = Schema.decodeUnknownOption(Supposed)

export const whatIf = (
  { caller }: Known,
  session_id: string,
  body: unknown
): Effect.Effect<Part, Failed, ServiceCalls> =>
  Option.match(decodeSupposed(body), {
    onNone: () => Effect.succeed(part("critical", "Expected the fields of the form")),
    onSome: (fields) =>
      Effect.flatMap(ServiceCalls, ({ askedBy }) =>
        Effect.map(
          askedBy(caller).WhatIfSession({ session_id, suppose: numbersIn(fields) }),
          (told) => ({ html: renderToString(WhatIfPart.answer(told)) })
        ))
  })

const numbersIn = (fields: typeof Supposed.Type) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, name === "tier" ? text : Number(text)])
  )

/** Exports a session as JSON Lines, in one part however long it is. */
export const exported = (
  { caller }: Known,
  session_id: string
): Effect.Effect<string, Failed, ServiceCalls> =>
  Effect.flatMap(
    ServiceCalls,
    ({ askedBy }) =>
      Effect.map(askedBy(caller).ExportSessions({ session_id }), ({ jsonl }) => jsonl)
  )

/** Makes the answer's receipt, as a file that both verifiers take. */
export const receipt = (
  { caller }: Known,
  session_id: string,
  request_id: string
): Effect.Effect<string, Failed, ServiceCalls> =>
  Effect.flatMap(
    ServiceCalls,
    ({ askedBy }) =>
      Effect.map(
        askedBy(caller).GetReceipt({ session_id, request_id }),
        (envelope) => JSON.stringify(envelope)
      )
  )

export const erase = (
  { caller }: Known,
  session_id: string,
  body: unknown
): Effect.Effect<Part, Failed, ServiceCalls> =>
  Option.match(decodeErasure(body), {
    onNone: () => Effect.succeed(part("critical", "Expected the session's id")),
    onSome: ({ confirmed }) =>
      confirmed.trim() === session_id
        ? Effect.flatMap(ServiceCalls, ({ askedBy }) =>
          Effect.map(askedBy(caller).EraseSession({ session_id }), (report) => ({
            html: renderToString(ErasePart.answer(report))
          })))
        : Effect.succeed(
          part("critical", "Nothing was erased: this is not the session's id.")
        )
  })

export const approve = (
  { caller }: Known,
  body: unknown
): Effect.Effect<Part, Failed, ServiceCalls> =>
  Option.match(decodeApproval(body), {
    onNone: () =>
      Effect.succeed(part("critical", "Expected an address, an id, a label and a name")),
    onSome: ({ source_url, ...node }) =>
      Effect.flatMap(ServiceCalls, ({ askedBy }) =>
        Effect.map(
          askedBy(caller).PromoteEvidence({ source_url, node }),
          ({ entries, source_id }) =>
            part("info", `The node ${source_id} stands in the page's place, ${entries} entries.`)
        ))
  })

export const part = (tone: "critical" | "info", told: string): Part => ({
  html: renderToString(
    html`<div class=${`notice ${tone}`}><span class=${tone === "critical" ? "bad" : "ok"}>${
      tone === "critical" ? "Failed" : "Done"
    }</span><div><p>${told}</p></div></div>`
  )
})
