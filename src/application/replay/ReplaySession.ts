/**
 * Recomputes a recorded session without the network and reports the first difference. Every event
 * must be the `NextStep` of the facts before it, and equal what this code derives. Answers of
 * providers, models and callers are taken from the record.
 */
import * as Languages from "@web-grounding/language/Languages"
import { Context, DateTime, Effect, Layer, References, Result } from "effect"
import { SessionNotFound } from "../../contract/PublicFailure.ts"
import type { Replayed, SessionVerdict, SessionVerdicts } from "../../contract/Replayed.ts"
import type { SessionRange } from "../../contract/SessionRange.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import * as OutcomeChange from "../../domain/audit/OutcomeChange.ts"
import { type GroundingPack, sections } from "../../domain/pack/GroundingPack.ts"
import type { Page } from "../../domain/page/Page.ts"
import * as Budget from "../../domain/session/Budget.ts"
import * as NextStep from "../../domain/session/NextStep.ts"
import { textsVersion } from "../../domain/session/OutcomeReason.ts"
import { languageVersionUnrecorded, rulesVersion } from "../../domain/session/RulesVersion.ts"
import * as Session from "../../domain/session/Session.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import * as SessionLog from "../log/SessionLog.ts"
import type { Fact } from "../log/SessionLog.ts"
import * as VerifiedLog from "../log/VerifiedLog.ts"
import {
  EventStore,
  type EventStoreUnavailable,
  type LogTampered,
  type StreamRef,
  type StreamSummary
} from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import * as RecomputeStep from "./RecomputeStep.ts"

const make = Effect.gen(function*() {
  const services = yield* Effect.context<RecomputeStep.Needs | EventStore | Digest>()
  return { replay: (ref: StreamRef) => Effect.provide(replayOf(ref), services) }
})

/** A difference is part of the result; it fails when the session cannot be read. */
export class ReplaySession extends Context.Service<ReplaySession, Effect.Success<typeof make>>()(
  "web-grounding/application/replay/ReplaySession"
) {}

export const layer = Layer.effect(ReplaySession, make)

const replayOf = Effect.fn("ReplaySession.replay")(
  function*(ref: StreamRef) {
    const { facts, head } = yield* SessionLog.facts(ref).pipe(
      // Replay reports changes itself, so it must read the changed stream.
      Effect.provideService(VerifiedLog.WhenTampered, "read on"),
      // An event that was damaged in the database fails as `LogTampered`.
      Effect.catchTag("EventUnreadable", () => SessionLog.facts(ref))
    )
    if (facts.length === 0) return yield* new SessionNotFound({ session_id: ref.session_id })
    const verified = HashChain.verify(yield* Digest, head, facts.map(({ stored }) => stored))
    const comparison = yield* compareAll(facts)
    const oldest = facts.reduce((least, { event }) => Math.min(least, rulesOf(event)), Infinity)
    const language = facts.map(({ event }) => languageOf(event)).find(isOtherLanguage)
    return {
      session_id: ref.session_id,
      stream_id: head.streamId,
      events: facts.length,
      requests: new Set(facts.map(({ event }) => event.request_id)).size,
      not_recomputed: comparison.notRecomputed,
      engines_as_recorded: yield* takenFrom(facts, comparison.difference),
      other_rules: comparison.underOtherRules === 0 ? undefined : {
        from: oldest,
        to: rulesVersion,
        ...(language === undefined ? {} : { language: { from: language, to: Languages.version } }),
        not_recomputed: comparison.underOtherRules
      },
      chain_fault: Result.isFailure(verified) ? verified.failure : undefined,
      difference: comparison.difference
    } satisfies Replayed
  },
  // Failures of recorded engines are repeated, and need no log.
  Effect.provideService(References.MinimumLogLevel, "None")
)

const takenFrom = Effect.fnUntraced(function*(
  facts: ReadonlyArray<SessionLog.Fact>,
  difference: Found
) {
  const compared = facts.filter(({ stored }) => stored.version <= (difference?.version ?? Infinity))
  const engines = yield* Effect.forEach(compared, ({ event }) => RecomputeStep.takenFrom(event))
  const byEngine = Map.groupBy(
    engines.flat(),
    ({ engine, version }) => JSON.stringify([engine, version])
  )
  return [...byEngine.values()].flatMap((same) =>
    same.slice(0, 1).map(({ engine, version }) => ({ engine, version, answers: same.length }))
  )
})

const rulesOf = (event: SessionEvent): number =>
  event._tag === "WEB_GROUNDING_REQUESTED" ? event.rules_version : rulesVersion

const languageOf = (event: SessionEvent): string =>
  event._tag === "WEB_GROUNDING_REQUESTED"
    ? event.language_version ?? languageVersionUnrecorded
    : Languages.version

const isOtherLanguage = (version: string): boolean => version !== Languages.version

type Found = Replayed["difference"]

const compareAll = Effect.fnUntraced(function*(facts: ReadonlyArray<SessionLog.Fact>) {
  let session = Session.initial
  let notRecomputed = 0
  let underOtherRules = 0
  for (const fact of facts) {
    const step = NextStep.next(session, fact.event.request_id)
    const isReread = SessionFacts.rereadingOf(step) > 0
    if (isReread && fact.event._tag !== "WEB_GROUNDING_EVIDENCE_READ") notRecomputed += 1
    const found = yield* compare(fact, session, step)
    const isOther = found !== undefined && isOfOtherRules(fact.event, session)
    // No rules explain a field that no release has written.
    const difference = (yield* unreadIn(fact)) ?? (isOther ? fault(fact, session) : found)
    if (difference !== undefined) return { notRecomputed, underOtherRules, difference }
    if (isOther) underOtherRules += 1
    session = Session.evolve(session, fact.event)
  }
  return { notRecomputed, underOtherRules, difference: undefined }
})

const isOfOtherRules = (event: SessionEvent, session: Session.Session): boolean => {
  if (event._tag === "WEB_GROUNDING_FINISHED" && event.texts_version !== textsVersion) {
    return true
  }
  if (event._tag === "WEB_GROUNDING_REQUESTED") {
    return event.rules_version !== rulesVersion || isOtherLanguage(languageOf(event))
  }
  const grounding = session.groundings.get(event.request_id)
  return grounding !== undefined &&
    (grounding.rulesVersion !== rulesVersion || isOtherLanguage(grounding.languageVersion))
}

const unreadIn = Effect.fnUntraced(function*({ event, stored }: SessionLog.Fact) {
  const { data } = yield* encoded(event)
  const unread = stored.data === null ? undefined : OutcomeChange.firstUnreadKey(stored.data, data)
  return unread === undefined
    ? undefined
    : { version: stored.version, type: stored.type, ...unread }
})

const compare = Effect.fnUntraced(
  function*(
    { event, stored }: SessionLog.Fact,
    session: Session.Session,
    step: NextStep.NextStep
  ) {
    const at = { version: stored.version, type: stored.type }
    const recomputed = yield* RecomputeStep.recompute(step, session, event)
    if (recomputed === undefined) {
      return { ...at, path: "", recorded: stored.type, recomputed: step._tag }
    }
    const { data, schemaVersion } = yield* encoded(recomputed)
    // An older shape is compared as this build reads it.
    const recorded = stored.schemaVersion === schemaVersion
      ? stored.data ?? undefined
      : (yield* encoded(event)).data
    const difference = OutcomeChange.firstDifference(recorded, data)
    return difference === undefined ? undefined : { ...at, ...difference }
  }
)

const encoded = (event: SessionEvent) =>
  SessionLog.codec.encode(event, "", { correlation_id: "", causation_id: "", actor: "" })

/** Fails when the log cannot be reached; skips sessions that cannot be replayed. */
export const replays = Effect.fn("ReplaySessions.replay")(
  function*(tenantId: string, range: SessionRange): Effect.fn.Return<
    SessionVerdicts,
    EventStoreUnavailable,
    EventStore | ReplaySession
  > {
    const { streams, ...rest } = yield* page(tenantId, range)
    return { sessions: yield* Effect.forEach(streams, verdictOn), ...rest }
  }
)

const verdictOn = ({ createdAt, ref, streamId }: StreamSummary) => {
  const about = { session_id: ref.session_id, stream_id: streamId, began_at: createdAt }
  const without = (verdict: SessionVerdict["verdict"]) => Effect.succeed({ ...about, verdict })
  return Effect.flatMap(ReplaySession, ({ replay }) => replay(ref)).pipe(
    Effect.map((replayed): SessionVerdict => ({
      ...about,
      verdict: verdictOf(replayed),
      replayed
    })),
    Effect.catchTags({
      EventErased: () => without("erased"),
      EventUnreadable: () => without("unreadable"),
      // An event is damaged, or the store refused.
      LogTampered: (_: LogTampered) => without("different"),
      // The stream was listed, but has been erased since.
      SessionNotFound: () => without("different")
    })
  )
}

const verdictOf = (
  { chain_fault, difference, other_rules }: Replayed
): SessionVerdict["verdict"] => {
  if (chain_fault !== undefined || difference !== undefined) return "different"
  return other_rules === undefined ? "identical" : "other_rules"
}

/**
 * One page of a tenant's streams, newest first by the time in their ids. `next`: start of the
 * following page.
 */
export const page = Effect.fnUntraced(function*(tenantId: string, range: SessionRange) {
  const { streams } = yield* EventStore
  const from = range.since === undefined ? "" : firstIdAt(range.since)
  const read = yield* streams(tenantId, range.limit, beforeOf(range))
  const found = read.filter(({ streamId }) => streamId >= from)
  const last = found.at(-1)
  const isLast = last === undefined || found.length < range.limit
  return { streams: found, ...(isLast ? {} : { next: last.streamId }) }
})

const beforeOf = ({ cursor, until }: SessionRange): string | undefined => {
  if (until === undefined) return cursor
  const end = firstIdAt(until)
  return cursor !== undefined && cursor < end ? cursor : end
}

/** The smallest UUIDv7 of the millisecond. Ids compare as text as they do as numbers. */
const firstIdAt = (iso: string): string => {
  const time = Math.max(0, DateTime.makeUnsafe(iso).epochMilliseconds).toString(16).padStart(
    12,
    "0"
  )
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

// Checks that hold under any rules: budget, and quotes at their offsets.

/** Fault of a fact of older rules, beyond what those rules explain; `undefined` for none. */
const fault = ({ event, stored }: Fact, session: Session.Session): Found => {
  const at = { version: stored.version, type: stored.type }
  const grounding = session.groundings.get(event.request_id)
  if (event._tag === "WEB_GROUNDING_CALL_STARTED" && grounding !== undefined) {
    const { remaining } = Budget.view(session.groundings.values(), grounding.request)
    return remaining > 0
      ? undefined
      : { ...at, path: "", recorded: stored.type, recomputed: "no search is left" }
  }
  if (event._tag !== "WEB_GROUNDING_PACK_CREATED") return undefined
  const [misplaced] = misplacedQuotes(event.pack, grounding?.evidence?.pages ?? [])
  return misplaced === undefined
    ? undefined
    : { ...at, path: misplaced.path, recorded: misplaced.text, recomputed: undefined }
}

export const misplacedQuotes = (pack: GroundingPack, pages: ReadonlyArray<Page>) => {
  const texts = new Map(pages.map(({ text, url }) => [url, text]))
  return sections.flatMap((section) =>
    pack[section].flatMap(({ sources }, claim) =>
      sources.flatMap(({ quotes, url }, source) => {
        const whole = texts.get(url) ?? ""
        return quotes.flatMap(({ end, start, text }, quote) =>
          whole === "" || whole.slice(start, end) === text ? [] : [{
            path: `pack.${section}.${claim}.sources.${source}.quotes.${quote}`,
            text
          }]
        )
      })
    )
  )
}
