/** Performs whatever `NextStep` names, and answers with the command that records it. */
import { Effect, Ref } from "effect"
import * as Session from "../../domain/session/Session.ts"
import { ReusePack, type SessionCommand, StopSearch } from "../../domain/session/SessionCommand.ts"
import * as CallSearch from "./CallSearch.ts"
import { concludeGrounding } from "./ConcludeGrounding.ts"
import type * as Deadline from "./Deadline.ts"
import { decideSearch } from "./DecideSearch.ts"
import * as JoinEntries from "./JoinEntries.ts"
import { planQueries } from "./PlanQueries.ts"
import { rankEvidence } from "./RankEvidence.ts"
import * as ReadPages from "./ReadPages.ts"
import { researchCourse } from "./ResearchCourse.ts"
import type { PerformedStep, StepOf } from "./Step.ts"
import { writePack } from "./WritePack.ts"

/** For one run of one request: it knows which calls that run has reserved, and what it has read. */
export const make = Effect.fnUntraced(function*(
  { deadline, requestId, tenantId }: {
    readonly requestId: string
    readonly tenantId: string
    readonly deadline: Deadline.Deadline
  }
) {
  const calls = yield* CallSearch.make(tenantId)
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
    return ReadPages.keptOf(step.grounding, evidence)
  })

  /** The session with the texts that this run has read and the log does not keep. */
  const seen = (session: Session.Session): Effect.Effect<Session.Session> =>
    Effect.map(Ref.get(textBySha256), (texts) => Session.withTexts(session, requestId, texts))

  /** `undefined`: nothing to record yet, look at the log again. */
  const perform = Effect.fnUntraced(function*(step: PerformedStep) {
    switch (step._tag) {
      case "Reuse":
        return ReusePack.make({ request_id: requestId, from_request_id: step.fromRequestId })
      case "Decide":
        return yield* decideSearch(step, deadline)
      case "Plan":
        return yield* planQueries(step, deadline)
      case "Search":
        return yield* calls.open(step, deadline)
      case "AwaitCall":
        return yield* calls.settle(step, deadline)
      case "StopSearch":
        return StopSearch.make({ request_id: requestId, reason: step.reason })
      case "Read":
        return yield* read(step)
      case "Rank":
        return yield* rankEvidence(step, deadline)
      case "Write":
        return yield* writePack(step, deadline)
      case "Research":
        return yield* researchCourse(step, deadline)
      case "Conclude":
        return yield* concludeGrounding(requestId, step.grounding)
    }
  })

  /** What to record when the run is interrupted in the middle of the step. */
  const abandon = (step: PerformedStep): Effect.Effect<SessionCommand | undefined> =>
    step._tag === "AwaitCall" ? calls.abandoned(step) : Effect.undefined

  return { perform, seen, abandon, recorded: calls.recorded, close: calls.close }
})
