/** Faults of supposed runs: what they must not guess, and what they must not miss. */
import type { Mutant } from "./Mutant.ts"

const searches = "src/application/whatif/RecordedSearches.ts"
const pages = "src/application/whatif/RecordedPages.ts"
const step = "src/application/whatif/SupposedStep.ts"
const session = "src/application/whatif/WhatIfSession.ts"
const supposition = "src/domain/audit/OutcomeChange.ts"
const change = "src/domain/audit/OutcomeChange.ts"
const runs = ["test/application/WhatIf.test.ts"] as const
const facts = ["test/application/WhatIfFacts.test.ts"] as const
const compared = ["test/domain/OutcomeChange.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "whatif-asked-otherwise",
    file: searches,
    text: "if (Equal.equals(asked, searchRequestOf(recorded, query))) {",
    replacement: "if (asked.query === query) {",
    means: "hits of a search that was asked otherwise pass for those of the supposed one",
    tests: facts
  },
  {
    id: "whatif-keeps-hits",
    file: searches,
    text: "score === undefined || score >= least",
    replacement: "score === undefined || score >= 0",
    means: "a supposed score leaves no hit out",
    tests: facts
  },
  {
    id: "whatif-hidden-hits",
    file: searches,
    text: "const isHidden = hiddenIn(called) > 0 &&",
    replacement: "const isHidden = hiddenIn(called) < 0 &&",
    means: "hits that were never recorded are taken for none",
    tests: facts
  },
  {
    id: "whatif-unread-page",
    file: pages,
    text: "else if (!wasRead.has(url))",
    replacement: "else if (url === \"\")",
    means: "an answer is told without a page that nobody has read",
    tests: facts
  },
  {
    id: "whatif-other-question",
    file: step,
    text: "return isSameQuestion || RecordedEngines.isOf",
    replacement: "return !isSameQuestion || RecordedEngines.isOf",
    means: "a model's answer to one question passes for its answer to another",
    tests: facts
  },
  {
    id: "whatif-other-engine",
    file: step,
    text: "if (choice === \"other\" || event === undefined)",
    replacement: "if (event === undefined)",
    means: "a model's answer passes for what another model would have said",
    tests: facts
  },
  {
    id: "whatif-other-draft",
    file: step,
    text: "!Equal.equals(now, before)",
    replacement: "Equal.equals(now, undefined)",
    means: "judgements of one draft are applied to another",
    tests: facts
  },
  {
    id: "whatif-unkept-texts",
    file: step,
    text: "Equal.equals(basisOf(grounding), basisOf(recorded))",
    replacement: "basisOf(grounding) !== basisOf(recorded)",
    means: "a pack of other passages is told as if their texts were known",
    tests: facts
  },
  {
    id: "whatif-later-request",
    file: session,
    text: "if (undetermined !== undefined && restsOnSession(step)) {",
    replacement: "if (undetermined === \"\" && restsOnSession(step)) {",
    means: "a request is computed as if the one before it had spent nothing",
    tests: facts
  },
  {
    id: "whatif-undecided",
    file: session,
    text: "need: supposed.decision === undefined ? before.need : after.need",
    replacement: "need: after.need",
    means: "a decision that nobody has computed is told as changed",
    tests: facts
  },
  {
    id: "whatif-passages",
    file: supposition,
    text: ": { chunks_max: passages_max }",
    replacement: ": {}",
    means: "fewer passages change nothing",
    tests: runs
  },
  {
    id: "whatif-tier",
    file: supposition,
    text: "tier === undefined ? request : { ...request, tier }",
    replacement: "request",
    means: "another tier changes nothing",
    tests: runs
  },
  {
    id: "whatif-claims-gone",
    file: change,
    text: "return isSame(standing, now)",
    replacement: "return now === undefined",
    means: "a claim that would be gone is not told",
    tests: compared
  },
  {
    id: "whatif-claims-twice",
    file: change,
    text: "count += 1",
    replacement: "break",
    means: "a claim that stands twice and would stand once is no change",
    tests: compared
  }
]
