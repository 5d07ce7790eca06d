/**
 * Steps before which everything must stand in the log: those that ask somebody outside of this
 * process, who may take long or cost something (a provider, a model, a web site, the evidence
 * store), and the reservation of a search, which others wait for. Which those are depends on the
 * engines that are set.
 */
import { Effect } from "effect"
import { ClaimJudges } from "../ports/ClaimJudge.ts"
import { NeedGates } from "../ports/NeedGate.ts"
import { PackWriters } from "../ports/PackWriter.ts"
import { ExtractPages, PageReaders } from "../ports/PageReader.ts"
import { QueryPlanners } from "../ports/QueryPlanner.ts"
import { Rerankers } from "../ports/Reranker.ts"
import { Researchers } from "../ports/Researcher.ts"
import type { PerformedStep } from "../steps/Step.ts"

type Outside = Readonly<Record<PerformedStep["_tag"], boolean>>

/** Makes the check whether a step needs everything before it to be recorded, and its answer too. */
export const make = Effect.gen(function*() {
  const { info: extractor } = yield* ExtractPages
  const outside: Outside = {
    Reuse: false,
    Decide: isSet(yield* NeedGates),
    AskStore: true,
    Plan: isSet(yield* QueryPlanners),
    // It takes the lead of a search: whoever leads while the log is away keeps others waiting.
    Search: true,
    AwaitCall: true,
    StopSearch: false,
    Read: isSet(yield* PageReaders) || extractor !== undefined,
    Rank: isSet(yield* Rerankers),
    Write: isSet(yield* PackWriters) || isSet(yield* ClaimJudges),
    Research: isSet(yield* Researchers),
    Conclude: false
  }
  return ({ _tag }: PerformedStep): boolean => outside[_tag]
})

const isSet = ({ preferred }: { readonly preferred: ReadonlyArray<unknown> }): boolean =>
  preferred.length > 0
