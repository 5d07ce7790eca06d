/** State of one run of one request: the calls it has reserved, and the texts it has read. */
import { Effect, Ref } from "effect"
import type { InternalDocument } from "../../domain/research/Research.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import * as Session from "../../domain/session/Session.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/SessionLog.ts"
import { Engines, lastOf, mapChains } from "../ports/Engines.ts"
import { SharePacks } from "../sharing/SharePacks.ts"
import { TenantLimits } from "../sharing/TenantLimits.ts"
import * as CallSearch from "../steps/CallSearch.ts"
import * as Deadline from "../steps/Deadline.ts"
import * as RungWalk from "../steps/RungWalk.ts"
import type { PerformedStep, Run } from "../steps/Step.ts"
import * as Steps from "../steps/Steps.ts"

const commandOf = (fact: SessionEvent | undefined): SessionCommand | undefined =>
  fact === undefined ? undefined : tellFact(fact)

export const make = Effect.fnUntraced(function*(
  { deadline, documents, requestId, tenantId }: {
    readonly requestId: string
    readonly documents: ReadonlyArray<InternalDocument>
    readonly tenantId: string
    readonly deadline: Deadline.Deadline
  }
) {
  const calls = yield* CallSearch.make(tenantId)
  const share = yield* SharePacks
  const sharing = yield* share(tenantId)
  const { hasCostLeft } = yield* TenantLimits
  const mayAskModels = yield* hasCostLeft(tenantId)
  const timedOut = new Set<string>()
  const textBySha256 = yield* Ref.make<ReadonlyMap<string, string>>(new Map())

  const live: Run = {
    tenantId,
    deadline,
    documents,
    search: (step) => Effect.map(calls.open(step, deadline), tellFact),
    settle: (step) => Effect.map(calls.settle(step, deadline), commandOf),
    keepTexts: ({ pages }) =>
      Ref.set(
        textBySha256,
        new Map(pages.map(({ text = "", text_sha256 }) => [text_sha256, text]))
      )
  }

  const perform = Effect.fnUntraced(function*(step: PerformedStep, session: Session.Session) {
    // A request that may not be searched may not reuse another session's search either.
    const used = step._tag === "Decide" && Session.isEligible(session, step.grounding.request)
      ? yield* sharing.open(step.grounding, Deadline.leftMs(deadline))
      : undefined
    if (used !== undefined) return tellFact(used)
    if (mayAskModels) {
      const performed = Effect.provideService(
        Steps.perform(step, live),
        RungWalk.ModelsTimedOut,
        timedOut
      )
      return yield* sharing.marked(step.grounding, yield* performed)
    }
    // The local engines' answer is not shared with sessions that may ask models.
    return yield* Steps.perform(step, live).pipe(
      Effect.updateService(Engines, (chains) => mapChains(chains, lastOf))
    )
  })

  const seen = (session: Session.Session): Effect.Effect<Session.Session> =>
    Effect.map(Ref.get(textBySha256), (texts) => Session.withTexts(session, requestId, texts))

  const abandon = (step: PerformedStep): Effect.Effect<SessionCommand | undefined> =>
    step._tag === "AwaitCall"
      ? Effect.map(calls.abandoned(step), commandOf)
      : Effect.undefined

  const recorded = Effect.fnUntraced(function*(facts: ReadonlyArray<Fact>) {
    yield* calls.recorded(facts)
    yield* sharing.recorded(facts)
    for (const { event } of facts) {
      if (event._tag !== "WEB_GROUNDING_FINISHED") continue
      const slow = Outcome.slowNotesOf(event.outcome.rungs)
      yield* Effect.forEach(slow, (note) => Effect.logWarning(note), { discard: true })
    }
  })

  return {
    perform,
    seen,
    abandon,
    recorded,
    texts: Ref.get(textBySha256),
    close: Effect.andThen(calls.close, sharing.close)
  }
})
