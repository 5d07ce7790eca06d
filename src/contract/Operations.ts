/**
 * Table of the operations that the service offers: the RPC group, the client and the documents are
 * made of it or checked against it.
 */
import { Schema } from "effect"
import type { AccessScope } from "../domain/access/AccessToken.ts"
import { OutlineAnswer } from "../domain/research/CourseOutline.ts"
import { Research, ResearchInput } from "../domain/research/Research.ts"
import { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import { PackView } from "../domain/view/ViewSchemas.ts"
import { EventView, SessionPage } from "./EventView.ts"
import { EvidenceFound, EvidenceSearchInput } from "./EvidenceSearch.ts"
import { HealthView } from "./HealthView.ts"
import * as Input from "./Input.ts"
import { EvidenceFailure, PublicFailure, ResearchFailure } from "./PublicFailure.ts"

/** A fact as it was recorded, then, last, the answer. */
export const GroundProgress = Schema.Union([
  Schema.TaggedStruct("Fact", { event: EventView }),
  Schema.TaggedStruct("Outcome", { outcome: GroundingOutcome })
]).pipe(Schema.toTaggedUnion("_tag"))
export type GroundProgress = typeof GroundProgress.Type

/**
 * Class of cost of a call: searches and models, statements of the database, or figures kept ready.
 */
export type CostClass = "grounding" | "read" | "health"

/** Row of the table: schemas of a call, what it needs and what it may cost. */
export interface Operation {
  readonly summary: string
  readonly input: Schema.Top
  readonly output: Schema.Top
  readonly failure: Schema.Top
  /** Scope that a credential needs. */
  readonly scope: AccessScope
  readonly cost: CostClass
}

export const operations = {
  Ground: {
    summary: "Grounds a question; the same `request_id` again answers from the log",
    input: Input.GroundInput,
    output: GroundProgress,
    failure: PublicFailure,
    scope: "ground",
    cost: "grounding"
  },
  GetSession: {
    summary: "A page of a session's events, oldest first",
    input: Input.SessionPageInput,
    output: SessionPage,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  GetPack: {
    summary: "The recorded answer of a request",
    input: Input.PackInput,
    output: GroundingOutcome,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  GetPackView: {
    summary: "A pack as a played role or a coach of a premium request may see it",
    input: Input.ViewInput,
    output: PackView,
    failure: PublicFailure,
    scope: "read",
    cost: "read"
  },
  RecordShown: {
    summary: "Records that a pack was shown to an audience",
    input: Input.ShownInput,
    output: Schema.Struct({ recorded: Schema.Boolean }),
    failure: PublicFailure,
    scope: "ground",
    cost: "read"
  },
  Research: {
    summary: "Researches a course's subject; empty, and no failure, when every provider fails",
    input: ResearchInput,
    output: Research,
    failure: ResearchFailure,
    scope: "ground",
    cost: "grounding"
  },
  Outline: {
    summary: "Outlines a course; without the web, internal knowledge alone is used",
    input: ResearchInput,
    output: OutlineAnswer,
    failure: ResearchFailure,
    scope: "ground",
    cost: "grounding"
  },
  GetHealth: {
    summary:
      "How the tenant's searches went; with `admin` the deployment's, and what to look after",
    input: Input.HealthInput,
    output: HealthView,
    failure: PublicFailure,
    scope: "read",
    cost: "health"
  },
  SearchEvidence: {
    summary: "Entries of the evidence store, best first",
    input: EvidenceSearchInput,
    output: EvidenceFound,
    failure: EvidenceFailure,
    scope: "read",
    cost: "read"
  }
} as const satisfies Readonly<Record<string, Operation>>
