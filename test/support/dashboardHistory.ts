/** A day of a service as in its log: sessions of several languages, an outage at night. */
import { Clock, DateTime, Effect } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { stateOf } from "../../src/application/ports/ServiceState.ts"
import { AlertRow } from "../../src/application/WatchAlerts.ts"
import type { Claim } from "../../src/domain/pack/GroundingPack.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { attempt, learnt } from "./attempts.ts"
import { type Dice, draw, makeDice } from "./dice.ts"
import {
  called,
  callStarted,
  decided,
  evidenceRanked,
  evidenceRead,
  finished,
  hit,
  packCreated,
  planned,
  requested,
  rung
} from "./sessionFacts.ts"

/** A question, and what a page says to it. */
interface Subject {
  readonly question: string
  readonly before: string
  readonly quote: string
  readonly after: string
  readonly host: string
  readonly title: string
  readonly language: string
}

export const subjects: ReadonlyArray<Subject> = [
  {
    question: "How much notice must a tenant give in Japan?",
    before: "Ending a residential lease. ",
    quote: "A tenant who wants to end an ordinary residential lease must usually give the " +
      "landlord one month’s notice, because most lease contracts set a notice period of one month.",
    after: " The period starts on the day on which the landlord receives the notice.",
    host: "www.housing.gov.example",
    title: "Ending a lease",
    language: "en"
  },
  {
    question: "서울에서 전입신고는 며칠 안에 해야 하나요?",
    before: "이사 후 절차. ",
    quote: "새로운 거주지로 이사한 사람은 전입한 날부터 14일 이내에 전입신고를 하여야 합니다.",
    after: " 기한을 넘기면 과태료가 부과될 수 있습니다.",
    host: "www.seoul.go.example",
    title: "전입신고 안내",
    language: "ko"
  },
  {
    question: "ما هي مدة الإشعار لإنهاء عقد الإيجار في عمّان؟",
    before: "إنهاء العقد. ",
    quote: "يجب على المستأجر إشعار المالك قبل شهر واحد على الأقل من تاريخ إنهاء العقد.",
    after: " ويكون الإشعار خطياً.",
    host: "housing.gov.example",
    title: "عقود الإيجار",
    language: "ar"
  },
  {
    question: "When does the Marrow ferry leave on Sundays?",
    before: "Timetable. ",
    quote: "On Sundays the Marrow ferry leaves at 9:40 and 17:10.",
    after: " Bicycles travel free of charge.",
    host: "ferries.example",
    title: "Marrow ferry",
    language: "en"
  }
]

export interface Written {
  readonly sessionId: string
  readonly atMs: number
  readonly events: ReadonlyArray<SessionEvent>
}

const isoOf = (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms))

/** The chance of a search to fail at an hour: high in the outage. */
const failing = (hour: number) => hour >= 4 && hour < 6 ? 0.75 : 0.03

const attemptsOf = (dice: Dice, atMs: number): ReadonlyArray<SearchAttempt> => {
  const hour = new Date(atMs).getUTCHours()
  const key_slot = draw(dice, [1, 1, 1, 2, 2, 3])
  const duration_ms = Math.round(350 + 900 * dice() ** 3 + (hour >= 4 && hour < 6 ? 4_000 : 0))
  const made = attempt({
    key_slot,
    started_at: isoOf(atMs),
    duration_ms,
    hits_count: 3,
    credits: 1
  })
  const { credits: _, ...unpaid } = made
  if (dice() >= failing(hour)) {
    return dice() < 0.06
      ? [{ ...unpaid, status: "rate_limited", http_status: 429, hits_count: 0 }, made]
      : [made]
  }
  const { key_slot: __, ...keyless } = unpaid
  return [
    { ...unpaid, status: "timeout", detail: "deadline", hits_count: 0 },
    { ...keyless, provider: "duckduckgo", status: "network_error", hits_count: 0 }
  ]
}

/** One request, answered or not. */
export const grounded = (
  { after, before, host, language, question, quote, title }: Subject,
  of: { readonly session_id: string; readonly request_id: string; readonly atMs: number },
  attempts: ReadonlyArray<SearchAttempt>,
  confidence = 0.75
): ReadonlyArray<SessionEvent> => {
  const { request_id, session_id } = of
  const id = { request_id }
  const isAnswered = attempts.some(({ status }) => status === "success")
  const url = `https://${host}/${encodeURIComponent(title)}`
  const other = "https://movers.example/leases"
  const text = `${before}${quote}${after}`
  const start = before.length
  const text_sha256 = sha256(text)
  const cited = (url: string, site: string, quotes: Claim["sources"][number]["quotes"]) => ({
    source_id: "s1",
    url,
    title,
    site,
    official: site.includes(".go"),
    published_date: "2026-03-02",
    text_sha256,
    quotes
  })
  const claim: Claim = {
    text: quote,
    wording: "verbatim",
    language,
    sources: [
      cited(url, host, [{ text: quote, start, end: start + quote.length, match: "exact" }])
    ],
    confidence,
    support: "supported",
    as_of: "2026-03-02"
  }
  const dispute: Claim = {
    ...claim,
    text: `${quote.slice(0, 60)}… (2015)`,
    sources: [cited(other, "movers.example", [])],
    confidence: 0.4,
    support: "contradicted",
    reason: "contradicted_by_other_source",
    against: [quote]
  }
  const { outcome } = finished()
  const pack = {
    ...outcome.pack,
    constraints_and_rules: [claim],
    key_points: [{ ...claim, wording: "judged" as const, confidence: 0.6 }],
    disputed_or_uncertain: [dispute],
    what_to_ask_user: [{ q: "In which city do you live?", why: "The rule differs by city" }],
    confidence,
    as_of: "2026-03-02",
    notes: ["based_on_sources_not_legal_advice" as const, "sources_may_disagree" as const]
  }
  const { pages: [page], ...reading } = evidenceRead(url)
  if (page === undefined) throw new Error("no page")
  const status = isAnswered ? "success" : "timeout"
  const search: ReadonlyArray<SessionEvent> = [
    {
      ...requested({
        session_id,
        request_id,
        topic: question,
        locale: language,
        phase: "mid_chat"
      }),
      requested_at: isoOf(of.atMs)
    },
    decided(id),
    planned([question.slice(0, 80)], id),
    callStarted(0, { ...id, query: question.slice(0, 80) }),
    called(0, isAnswered ? [hit(url), hit(other, { rank: 2 })] : [], {
      ...id,
      status,
      attempts,
      ...(isAnswered ? { tool_used: "tavily" as const } : { detail: "deadline" }),
      duration_ms: attempts.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
    })
  ]
  const result = {
    ...outcome,
    session_id,
    request_id,
    status,
    mode: isAnswered ? "grounded" : "ungrounded",
    reason: isAnswered ? "answered" : "search_failed",
    pack: isAnswered ? pack : outcome.pack,
    llm_context: isAnswered
      ? `[Search finished] Sources were found for "${question}".\n\n[SOURCES]\n[1] ${title}`
      : "[Search failed] The search timed out. Answer from existing knowledge."
  } as const
  const end = finished({ ...id, outcome: result })
  if (!isAnswered) return [...search, end]
  return [
    ...search,
    {
      ...reading,
      ...id,
      pages: [{ ...page, title, reader: "web", text, text_sha256 }],
      rung: { ...rung, engine: "web" }
    },
    { ...evidenceRanked("s1"), ...id },
    { ...packCreated({ pack }), ...id },
    end
  ]
}

const hourMs = 3_600_000
/** Between two facts of a request. */
const stepMs = 140

/** Sessions of the day before a moment, the oldest first. */
export const dayBefore = (
  nowMs: number,
  sessionsCount: number,
  seed = 7
): ReadonlyArray<Written> => {
  const dice = makeDice(seed)
  return Array.from({ length: sessionsCount }, (_, index): Written => {
    const share = (index + dice()) / sessionsCount
    const atMs = Math.floor(nowMs - 24 * hourMs * (1 - share))
    const sessionId = `chat-${seed}-${index.toString(36).padStart(4, "0")}`
    const subject = draw(dice, subjects)
    const of = { session_id: sessionId, request_id: "turn-1", atMs }
    if (dice() < 0.12) {
      const { outcome } = finished()
      const ids = { session_id: sessionId, request_id: "turn-1" }
      return {
        sessionId,
        atMs,
        events: [
          {
            ...requested({ ...ids, topic: "Write me a short poem about rain", phase: "mid_chat" }),
            requested_at: isoOf(atMs)
          },
          finished({ outcome: { ...outcome, ...ids, reason: "nothing_to_look_up" } })
        ]
      }
    }
    return {
      sessionId,
      atMs,
      events: grounded(subject, of, attemptsOf(dice, atMs), draw(dice, [0.75, 0.72, 0.6, 0.45]))
    }
  })
}

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

/** A stopped clock. */
const clockAt = (ms: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => ms,
  currentTimeMillis: Effect.succeed(ms),
  currentTimeNanosUnsafe: () => BigInt(ms) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(ms) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => BigInt(ms) * 1_000_000n,
  monotonicTimeNanos: Effect.succeed(BigInt(ms) * 1_000_000n),
  sleep: () => Effect.void
})

/** Puts sessions into the log, each fact at its time. */
export const write = (sessions: ReadonlyArray<Written>, tenant_id = "default") =>
  Effect.forEach(
    sessions,
    ({ atMs, events, sessionId }) =>
      Effect.forEach(events, (event, index) =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { head } = yield* store.read({ tenant_id, session_id: sessionId })
          const encoded = yield* SessionLog.codec.encode(event, uuidv7(atMs), metadata)
          yield* store.append(head, [encoded])
          if (event._tag === "WEB_GROUNDING_CALLED") yield* learnt(event.attempts)
        }).pipe(Effect.provideService(Clock.Clock, clockAt(atMs + index * stepMs))))
  )

/** A key that rested in the outage. */
export const writeAlerts = (nowMs: number) =>
  Effect.gen(function*() {
    const { put } = yield* stateOf("alert", AlertRow)
    const alert_key = "KeyCooling tavily 2"
    const [opened_at, closed_at] = [isoOf(nowMs - 8 * hourMs), isoOf(nowMs - 7.9 * hourMs)]
    const value: typeof AlertRow.Type = {
      alert_key,
      alert: {
        _tag: "KeyCooling",
        severity: "info",
        provider: "tavily",
        key_slot: 2,
        until: closed_at,
        reason: "rate_limited"
      },
      opened_at,
      closed_at
    }
    yield* put({ key: `${opened_at} ${alert_key}`, value, version: 0 })
  })
