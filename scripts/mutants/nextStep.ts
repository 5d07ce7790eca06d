/** Faults of the order of steps. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const paths = ["test/domain/NextStep.test.ts", "test/domain/NextStepPaths.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = faultsIn("src/domain/session/NextStep.ts", paths, [
  {
    id: "session-next-other-need",
    text:
      "other.request.request_id !== request.request_id && isSameNeed(other.request, request) &&",
    replacement: "other.request.request_id !== request.request_id &&",
    means: "a question is answered with the pack of another question"
  },
  {
    id: "session-next-empty-pack",
    text: "other.written !== undefined && other.written.pack.confidence > 0",
    replacement: "other.written !== undefined",
    means: "a pack without a claim is given again for ever instead of searching"
  },
  {
    id: "session-next-not-reused",
    text: "return reusing(session, grounding) ?? {",
    replacement: "return {",
    means: "the same question is searched and paid for again in one session"
  },
  {
    id: "session-next-reused-as-finished",
    text: "const { finished: _, ...answer } = source\n",
    replacement: "const answer = source\n",
    means: "a later request is answered under the earlier one's id"
  },
  {
    id: "session-next-reused-nothing",
    text: "return { ...answer, request, reused }",
    replacement: "return { ...grounding, reused }",
    means: "a reused pack comes back empty"
  },
  {
    id: "session-next-reused-request",
    text: "return { ...answer, request, reused }",
    replacement: "return { ...answer, reused }",
    means: "an answer that is given again names the earlier request"
  },
  {
    id: "session-next-call-not-awaited",
    text:
      "if (unanswered !== undefined) return { _tag: \"AwaitCall\", grounding, call: unanswered }\n",
    replacement: "",
    means: "the answer of a search in flight is not waited for"
  },
  {
    id: "session-next-stop-ignored",
    text:
      "if (grounding.stopped !== undefined || grounding.planned === undefined) return undefined",
    replacement: "if (grounding.planned === undefined) return undefined",
    means: "searching goes on after the deadline stopped it"
  },
  {
    id: "session-next-queries-ungranted",
    text: "index < need.max_queries && !isTaken(grounding, index)",
    replacement: "!isTaken(grounding, index)",
    means: "more queries are sent than the decision grants"
  },
  {
    id: "session-next-conditions-ignored",
    text:
      "  if (StopCheck.isSatisfied(plan, hits, OpenQuestion.questionOf(grounding.request))) {\n    return undefined\n  }\n",
    replacement: "",
    means: "searches are spent although enough was found"
  },
  {
    id: "session-next-budget-unseen",
    text: "request).remaining > 0\n    ? {",
    replacement: "request).remaining >= 0\n    ? {",
    means: "a request whose budget is spent asks for a search that is refused, again and again"
  },
  {
    id: "session-next-texts-lost",
    text: "if (evidence === undefined || evidence.pages.some(isTextMissing)) {",
    replacement: "if (evidence === undefined) {",
    means: "after a crash passages are ranked and quoted of pages without a text"
  },
  {
    id: "session-next-store-unasked",
    text: "return hits.length === 0 && !asksStore(grounding)",
    replacement: "return hits.length === 0",
    means: "the evidence store is not asked when the web finds nothing"
  },
  {
    id: "session-next-store-needless",
    text: "asksStore(grounding) && decision?.proposed.need_search === true &&",
    replacement: "asksStore(grounding) && decision !== undefined &&",
    means: "the evidence store is read for questions that need no facts"
  },
  {
    id: "session-next-store-exhausted",
    text: "\"BUDGET_EXHAUSTED\"",
    replacement: "\"PHASE_NOT_ELIGIBLE\"",
    means: "what was collected does not answer when no search is left"
  },
  {
    id: "session-next-ranked-pages",
    text: "page.source_id === ref.source_id && index === ref.index",
    replacement: "page.source_id === ref.source_id",
    means: "the writer gets every passage of a page of which one was ranked"
  },
  {
    id: "session-next-nothing-to-rank",
    text: "return chunks.length === 0\n    ? {",
    replacement: "return evidence.pages.length === 0\n    ? {",
    means: "a ranker is asked about no passages"
  },
  {
    id: "session-next-researched-again",
    text: "if (course === undefined || researched !== undefined) return undefined",
    replacement: "if (course === undefined) return undefined",
    means: "a course's sources are read and paid for without end"
  },
  {
    id: "session-next-no-sources",
    text: "return sources.length === 0 && !isOutlined",
    replacement: "return false",
    means: "a researcher is asked to read nothing"
  }
])
