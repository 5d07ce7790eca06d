/**
 * A step of the loop as one module: how it is performed, recomputed in replay, and supposed in a
 * what-if. `NextStep` says when it is due, `SessionFacts` what its fact means.
 */
import { Data, Effect } from "effect"
import type { NeededFact, Supposition } from "../../domain/audit/Supposition.ts"
import type { InternalDocument } from "../../domain/research/Research.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import type { NextStep } from "../../domain/session/NextStep.ts"
import type { SessionCommand } from "../../domain/session/Session.ts"
import type { EvidenceRead, SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { EngineName } from "../../domain/session/SessionFacts.ts"
import type { Engines } from "../ports/Engines.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import type { Limits } from "../ports/Limits.ts"
import type { Digest, Sites } from "../ports/Platform.ts"
import type { Breakers } from "../ports/SearchProvider.ts"
import type { PagesLeft, StoredEvidence } from "../ports/StoredEvidence.ts"
import type * as Deadline from "./Deadline.ts"

/** The steps that are performed: `Request` comes from the caller and `Finish` ends the loop. */
export type PerformedStep = Exclude<NextStep, { readonly _tag: "Request" | "Finish" }>

type Tag = PerformedStep["_tag"]

export type StepOf<Of extends Tag> = Extract<PerformedStep, { readonly _tag: Of }>

export type StepNeeds = Breakers | Digest | Engines | Limits | Sites

export type LiveNeeds = StepNeeds | PagesLeft | StoredEvidence

export interface Given {
  readonly deadline: Deadline.Deadline
  readonly documents: ReadonlyArray<InternalDocument>
}

export interface Run extends Given {
  readonly tenantId: string
  readonly search: (
    step: StepOf<"Search">
  ) => Effect.Effect<SessionCommand, EventStoreUnavailable>
  /** `undefined`: another run is making the call; look again. */
  readonly settle: (
    step: StepOf<"AwaitCall">
  ) => Effect.Effect<SessionCommand | undefined, EventStoreUnavailable>
  /** Keeps the texts of pages, which the log may not, for the rest of the run. */
  readonly keepTexts: (evidence: typeof EvidenceRead.Type) => Effect.Effect<void>
}

interface MayBeEmpty<Of extends Tag> {
  /**
   * Fact to record where a bug stops the local engines, too. Absent: the request fails, as a call
   * is never sent twice.
   */
  readonly empty?: (
    step: StepOf<Of>,
    crashed: { readonly rung: Rung; readonly at: string }
  ) => SessionCommand
}

/** A step computed from facts and engines' answers, by the same code live and in replay. */
export interface ComputedStep<Of extends Tag> extends MayBeEmpty<Of> {
  /** Engines that it may ask, the one that gives its answer first. */
  readonly engines: ReadonlyArray<EngineName>
  readonly compute: (
    step: StepOf<Of>,
    given: Given
  ) => Effect.Effect<SessionCommand, never, StepNeeds>
  /** Whether a remote engine may be asked. */
  readonly isAsked: (step: StepOf<Of>) => boolean
  readonly factOf: (recorded: Grounding) => SessionEvent | undefined
  /** The same fact, if its engines had the same input. */
  readonly answerTo: (step: StepOf<Of>, recorded: Grounding) => SessionEvent | undefined
}

export interface OutsideStep<Of extends Tag> extends MayBeEmpty<Of> {
  /** `undefined`: nothing to record yet; the log is read again. */
  readonly perform: (
    step: StepOf<Of>,
    run: Run
  ) => Effect.Effect<SessionCommand | undefined, EventStoreUnavailable, LiveNeeds>
  /** Replay: outside inputs are taken from the record, the rest is computed. */
  readonly replay: (
    step: StepOf<Of>,
    event: SessionEvent,
    given: Given
  ) => Effect.Effect<SessionCommand | undefined, never, StepNeeds>
  /** What-if: the recorded fact, where the input is the same. */
  readonly suppose: (
    step: StepOf<Of>,
    recorded: Grounding,
    supposition: Supposition,
    given: Given
  ) => Effect.Effect<SessionCommand, FactNeeded, StepNeeds>
}

/** Ends a supposed run that would have needed an outside input. Nothing is guessed. */
export class FactNeeded extends Data.TaggedError("FactNeeded")<NeededFact> {}

export const needed = (
  step: NeededFact["step"],
  fact: NeededFact["fact"],
  what = ""
): Effect.Effect<never, FactNeeded> => new FactNeeded({ step, fact, what })
