/** Faults of the decider and of the order of steps. */
import type { Mutant } from "./Mutant.ts"

const file = "src/domain/session/Session.ts"
const tests = ["test/domain/Session.test.ts", "test/domain/NextStep.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "session-late-evidence",
    file,
    text: "return written === undefined && isWanted && reading === readingOf(grounding)",
    replacement: "return written === undefined && isWanted",
    means: "a dead run's pages replace those of the run that goes on",
    tests
  },
  {
    id: "session-late-ranking",
    file,
    text: "grounding.ranking === undefined && reading === readingOf(grounding)",
    replacement: "grounding.ranking === undefined",
    means: "a ranking of other pages is laid over these: citations point at what was never ranked",
    tests
  },
  {
    id: "session-late-pack",
    file,
    text: "grounding.written === undefined && reading === readingOf(grounding)",
    replacement: "grounding.written === undefined",
    means: "a pack of other pages is recorded",
    tests
  }
]
