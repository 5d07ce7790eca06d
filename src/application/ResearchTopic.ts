/**
 * Researches a course's subject, and makes an outline of the findings. The research is one
 * grounding with three fixed queries. If the web fails, an outline uses internal knowledge alone.
 */
import { cut } from "@web-grounding/language/Sentences"
import { terms } from "@web-grounding/language/Words"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { FoundEntry } from "../contract/EvidenceSearch.ts"
import { InternalFailure, ResearchFailed, type ResearchFailure } from "../contract/PublicFailure.ts"
import * as SentInput from "../contract/SentInput.ts"
import type { InputOf, UseCase } from "../contract/ServiceOperations.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import { compose } from "../domain/research/OutlineComposition.ts"
import * as OutlineFindings from "../domain/research/OutlineFindings.ts"
import {
  empty,
  groundingOf,
  type IdentifiedResearch,
  type InternalDocument,
  type Research
} from "../domain/research/Research.ts"
import * as TopicExtraction from "../domain/research/TopicExtraction.ts"
import * as Budget from "../domain/session/Budget.ts"
import * as ResearchReading from "../domain/session/ResearchReading.ts"
import { EvidenceApi } from "./EvidenceApi.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as SessionLog from "./log/SessionLog.ts"
import { EventStore } from "./ports/EventStore.ts"
import { Ids } from "./ports/Platform.ts"
import { PublicApi } from "./PublicApi.ts"

const documentsMax = 12
/** In UTF-16 code units. */
const documentCharsMax = 1_000

export class ResearchTopic extends Context.Service<ResearchTopic, {
  /** Empty, and no failure, when every provider fails. */
  readonly Research: UseCase<"Research", Caller>
  readonly Outline: UseCase<"Outline", Caller>
}>()("web-grounding/application/ResearchTopic") {}

/** Entries that count as internal knowledge: a collected web page does not. */
const internalTypes = ["kg_node", "paper", "user_note"] as const

/** Minimum share of the title's words in a document about the subject. */
const titleShareMin = 0.5

/**
 * Documents about the subject, best first. A search returns the nearest at any distance, and scores
 * of two searches do not compare.
 */
const aboutOf = (course_title: string, found: ReadonlyArray<FoundEntry>) => {
  const asked = [...new Set(terms(course_title))]
  return found.map((entry) => {
    const held = new Set(terms(`${entry.title}\n${entry.text}`))
    return { entry, share: asked.filter((term) => held.has(term)).length / asked.length }
  })
    .filter(({ share }) => share >= titleShareMin)
    .toSorted((one, other) => other.share - one.share)
    .map(({ entry }) => entry)
}

const documentOf = (
  { source_id, source_url, text, title }: FoundEntry
): InternalDocument => ({
  title,
  url: source_url ?? source_id,
  text: cut(text, documentCharsMax)
})

export const layer = Layer.effect(
  ResearchTopic,
  Effect.gen(function*() {
    const api = yield* PublicApi
    // A deployment without an evidence store has no internal documents.
    const evidence = yield* Effect.serviceOption(EvidenceApi)
    const services = yield* Effect.context<EventStore>()
    const { uuid } = yield* Ids

    /** Fills in the ids. Without a session it gets its own, which the same request finds again. */
    const identified = (input: InputOf<"Research">): Effect.Effect<IdentifiedResearch> =>
      Effect.map(uuid, (fresh) => {
        const request_id = input.request_id ?? fresh
        return { ...input, request_id, session_id: input.session_id ?? request_id }
      })

    const grounded = Effect.fn("ResearchTopic.grounded")(
      function*(input: IdentifiedResearch, purpose: Purpose, caller: Caller) {
        const asked = yield* SentInput.decode(
          "Ground",
          groundingOf(input, { purpose, tier: tierOf(input) })
        )
        const { request_id } = yield* api.Ground(asked, caller, () => Effect.void)
        const ref = { tenant_id: caller.tenantId, session_id: input.session_id }
        const { state: { groundings } } = yield* Effect.provide(SessionLog.load(ref), services)
          .pipe(
            // The grounding itself has just read the session.
            Effect.mapError(() => new InternalFailure())
          )
        const own = groundings.get(request_id)
        const source = own?.reused === undefined
          ? own
          : groundings.get(own.reused.from_request_id)
        if (own === undefined || source === undefined) return yield* new InternalFailure()
        const researched = own.researched ?? source.researched
        const grounding = { ...source, ...asGiven({ researched }) }
        const research = ResearchReading.researchOf(input, grounding)
        if (input.mode === "blocking" && !ResearchReading.isAnswered(grounding)) {
          return yield* new ResearchFailed({ notes: research.search_notes, request_id })
        }
        return { grounding, research }
      }
    )

    const researched = (input: IdentifiedResearch, caller: Caller) =>
      input.mode === "skip"
        ? Effect.map(DateTime.now, (now) => unasked(input, DateTime.formatIso(now), skippedNotes))
        : Effect.map(grounded(input, "research", caller), ({ research }) => research)

    const documentsOf = (input: IdentifiedResearch, caller: Caller) =>
      Option.match(evidence, {
        onNone: () => Effect.succeed<ReadonlyArray<InternalDocument>>([]),
        onSome: ({ SearchEvidence }) =>
          Effect.forEach(internalTypes, (source_type) =>
            SearchEvidence(
              {
                query: input.course_title,
                filter: { source_type },
                limit: documentsMax,
                retrieval: "hybrid"
              },
              caller
            )).pipe(
              Effect.map((answers) =>
                aboutOf(input.course_title, answers.flatMap(({ found }) => found))
                  .slice(0, documentsMax).map(documentOf)
              ),
              Effect.catch((failure) =>
                Effect.as(Effect.logWarning("no internal documents", failure), [])
              )
            )
      })

    /** Recorded research; where the web step failed, composed by rule and not recorded. */
    const readOf = (
      input: IdentifiedResearch,
      documents: ReadonlyArray<InternalDocument>,
      caller: Caller
    ) =>
      grounded(input, "outline", { ...caller, documents }).pipe(
        Effect.map(({ grounding, research }) => ({
          web: input.mode === "skip"
            ? unasked(input, research.execution_timestamp, skippedNotes)
            : research,
          read: ResearchReading.outlineOf(grounding) ??
            extractedOf(input.course_title, documents)
        })),
        Effect.catchIf(
          (failure) => input.mode !== "blocking" && !isCallers(failure),
          (failure) =>
            Effect.gen(function*() {
              yield* Effect.logWarning("no research", failure)
              const at = DateTime.formatIso(yield* DateTime.now)
              return {
                web: unasked(input, at, failedNotes),
                read: extractedOf(input.course_title, documents)
              }
            })
        )
      )

    const outlined = Effect.fn("ResearchTopic.outline")(
      function*(input: IdentifiedResearch, caller: Caller) {
        const { course_title, depth_requirement } = input
        const started = DateTime.formatIso(yield* DateTime.now)
        const { read, web } = yield* readOf(input, yield* documentsOf(input, caller), caller)
        return {
          ...compose({ course_title, depth_requirement, web, ...read }),
          execution_context: {
            user_input: input,
            session_id: input.session_id,
            timestamps: { started, finished: DateTime.formatIso(yield* DateTime.now) },
            retrieved_documents: {
              chunks: read.documents,
              summary: `${read.documents.length} passages of internal documents`
            },
            web_search_results: {
              topics: web.key_topics_found,
              links: web.source_links.map(({ url }) => url),
              confidence: web.confidence_score
            }
          }
        }
      }
    )

    return ResearchTopic.of({
      Research: (input, caller) =>
        Effect.flatMap(identified(input), (asked) => researched(asked, caller)),
      Outline: (input, caller) =>
        Effect.flatMap(identified(input), (asked) => outlined(asked, caller))
    })
  })
)

type Purpose = Parameters<typeof groundingOf>[1]["purpose"]

const skippedNotes = "The web step was left out, as asked."
const failedNotes = "The web step failed; internal knowledge alone was used."

/** Tier of a new session that covers the budget; an existing one keeps its own. */
const tierOf = ({ search_budget }: IdentifiedResearch) =>
  search_budget > Budget.limitOf("standard") ? "premium" : "standard"

const unasked = ({ course_title }: IdentifiedResearch, at: string, notes: string): Research =>
  empty({ query: course_title, at, durationMs: 0, notes })

/** The caller's own mistakes are no failure of the web. */
const isCallers = ({ _tag }: ResearchFailure): boolean =>
  _tag === "InvalidInput" || _tag === "RequestConflict" || _tag === "SessionErased"

const extractedOf = (
  course_title: string,
  documents: ReadonlyArray<InternalDocument>
): ResearchReading.OutlineRead => {
  const material = OutlineFindings.materialOf(documents)
  const draft = TopicExtraction.outlineOf(course_title, {
    documents: material,
    draft: TopicExtraction.draftOf(course_title, []),
    sources: []
  })
  return {
    findings: OutlineFindings.checkedOutline(course_title, draft, material),
    material,
    documents,
    isByModel: false
  }
}
