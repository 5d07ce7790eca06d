/** State of one run of one request: the calls it has reserved, and the texts it has read. */
import { Effect, Ref } from "effect"
import type { InternalDocument } from "../../domain/research/Research.ts"
import * as Session from "../../domain/session/Session.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import type { Fact } from "../log/SessionLog.ts"
import * as SharePacks from "../sharing/SharePacks.ts"
import * as CallSearch from "./CallSearch.ts"
import * as Deadline from "./Deadline.ts"
import * as JoinEntries from "./JoinEntries.ts"
import * as PerformStep from "./PerformStep.ts"
import * as ReadPages from "./ReadPages.ts"
import { leavePages } from "./ReadPages.ts"
import type { PerformedStep, StepOf } from "./Step.ts"

/** Makes the state of one run; nothing of it outlives the process. */
export const make = Effect.fnUntraced(function*(
  { deadline, documents, requestId, tenantId }: {
    readonly requestId: string
    /** Passages of the house's own, should an outline be wanted. */
    readonly documents: ReadonlyArray<InternalDocument>
    readonly tenantId: string
    readonly deadline: Deadline.Deadline
  }
) {
  const calls = yield* CallSearch.make(tenantId)
  const sharing = yield* SharePacks.make(tenantId)
  const textBySha256 = yield* Ref.make<ReadonlyMap<string, string>>(new Map())

  const read = Effect.fnUntraced(function*(step: StepOf<"Read">) {
    const [read, recalled] = yield* Effect.all([
      ReadPages.readPages(step, deadline),
      JoinEntries.recall(tenantId, step.grounding, deadline)
    ], { concurrency: 2 })
    const evidence = JoinEntries.join(read, recalled)
    yield* Ref.set(
      textBySha256,
      new Map(evidence.pages.map(({ text = "", text_sha256 }) => [text_sha256, text]))
    )
    yield* leavePages(tenantId, step, evidence, deadline)
    return ReadPages.keptOf(step.grounding, evidence)
  })

  const outside = {
    askStore: (step: StepOf<"AskStore">) => JoinEntries.askStore(tenantId, step, deadline),
    search: (step: StepOf<"Search">) => calls.open(step, deadline),
    settle: (step: StepOf<"AwaitCall">) => calls.settle(step, deadline),
    read,
    documents
  }

  const perform = Effect.fnUntraced(function*(step: PerformedStep) {
    const used = step._tag === "Decide"
      ? yield* sharing.open(step.grounding, Deadline.leftMs(deadline))
      : undefined
    if (used !== undefined) return tellFact(used)
    const command = yield* PerformStep.perform(step, outside, deadline)
    return yield* sharing.marked(step.grounding, command)
  })

  /** The session with the texts that this run has read and the log does not keep. */
  const seen = (session: Session.Session): Effect.Effect<Session.Session> =>
    Effect.map(Ref.get(textBySha256), (texts) => Session.withTexts(session, requestId, texts))

  /** Command to record when the run is interrupted in the middle of the step. */
  const abandon = (step: PerformedStep): Effect.Effect<SessionCommand | undefined> =>
    step._tag === "AwaitCall"
      ? Effect.map(calls.abandoned(step), (fact) => fact === undefined ? undefined : tellFact(fact))
      : Effect.undefined

  const recorded = (facts: ReadonlyArray<Fact>) =>
    Effect.andThen(calls.recorded(facts), sharing.recorded(facts))

  return {
    perform,
    seen,
    abandon,
    recorded,
    /** Texts by fingerprint, those that the log does not keep among them. */
    texts: Ref.get(textBySha256),
    close: Effect.andThen(calls.close, sharing.close)
  }
})
