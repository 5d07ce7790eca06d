/** Scores every passage and keeps the best that differ. */
import { Effect } from "effect"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import type { Chunk } from "../../domain/page/Page.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import { type Grounding, readingOf } from "../../domain/session/Grounding.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { EvidenceRanked } from "../../domain/session/SessionEvent.ts"
import { Engines } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, Given, StepOf } from "./Step.ts"

const compute = Effect.fn("RankEvidence.compute")(
  function*({ chunks, grounding }: StepOf<"Rank">, { deadline }: Given) {
    const { policy, request } = grounding
    const { ranker } = yield* Engines
    const { rankTimeoutMs } = yield* Limits
    const question = Eligibility.questionOf(request)
    const { answer, rung } = yield* RungWalk.walk(ranker, { question, chunks }, {
      // Passages that a ranker leaves out are kept, last.
      read: (scores) => chunks.map((_, index) => scores[index] ?? 0),
      time: { leftMs: yield* Deadline.shareMs(deadline, "Rank"), timeoutMs: rankTimeoutMs }
    })
    return tellFact(
      EvidenceRanked.make({
        request_id: request.request_id,
        scored: chunks.map(({ index, page }, place) => ({
          source_id: page.source_id,
          index,
          score: answer[place] ?? 0
        })),
        ranked: Ranking.top(chunks, answer, policy.chunks_max),
        rung
      }),
      readingOf(grounding)
    )
  }
)

/** Key of a passage by its text, independent of its source's id. */
export const passageOf = ({ index, page }: Chunk): string => `${page.text_sha256} ${index}`

export const passageIn = (
  { evidence }: Grounding
): ({ index, source_id }: { readonly index: number; readonly source_id: string }) => string => {
  const texts = new Map(evidence?.pages.map((page) => [page.source_id, page.text_sha256]))
  return ({ index, source_id }) => `${texts.get(source_id) ?? ""} ${index}`
}

/** The recorded scores in the order of the step's passages. `undefined`: one has none. */
const answerTo = (
  { chunks }: StepOf<"Rank">,
  recorded: Grounding
): typeof EvidenceRanked.Type | undefined => {
  const { ranking } = recorded
  if (ranking === undefined) return undefined
  const named = passageIn(recorded)
  const scores = new Map<string, number>(ranking.scored.map((ref) => [named(ref), ref.score]))
  const scored = chunks.flatMap((chunk) => {
    const score = scores.get(passageOf(chunk))
    return score === undefined
      ? []
      : [{ source_id: chunk.page.source_id, index: chunk.index, score }]
  })
  return scored.length === chunks.length ? EvidenceRanked.make({ ...ranking, scored }) : undefined
}

export const rank: ComputedStep<"Rank"> = {
  engines: ["ranker"],
  compute,
  isAsked: () => true,
  factOf: ({ ranking }) => ranking,
  answerTo,
  empty: ({ chunks, grounding }, { rung }) => {
    const { policy, request: { request_id } } = grounding
    const scored = chunks.map(({ index, page: { source_id } }) => ({ source_id, index, score: 0 }))
    const ranked = scored.slice(0, policy.chunks_max)
    return tellFact(
      EvidenceRanked.make({ request_id, scored, ranked, rung }),
      readingOf(grounding)
    )
  }
}
