/**
 * Researches a course's subject over the same pipeline, and makes an outline of what was found.
 *
 * The research is one grounding with three fixed queries, read off its facts. The outline's web
 * step never keeps it from an answer: without it, internal knowledge alone is used.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { FoundEntry } from "../contract/EvidenceSearch.ts"
import * as Input from "../contract/Input.ts"
import { InternalFailure, type PublicFailure } from "../contract/PublicFailure.ts"
import {
  compose,
  type CourseOutline,
  type InternalDocument,
  type OutlineAnswer
} from "../domain/research/CourseOutline.ts"
import { empty, groundingOf, type Research, ResearchInput } from "../domain/research/Research.ts"
import * as ResearchReading from "../domain/session/ResearchReading.ts"
import { terms } from "../domain/text/Words.ts"
import { EvidenceApi } from "./EvidenceApi.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as SessionLog from "./log/SessionLog.ts"
import { EventStore } from "./ports/EventStore.ts"
import { PublicApi } from "./PublicApi.ts"

/** Passages of internal documents that an outline is made of. */
const documentsMax = 12
/** Shown of each. In UTF-16 code units. */
const documentCharsMax = 400

export class ResearchTopic extends Context.Service<ResearchTopic, {
  /** `input`: a `ResearchInput`. Empty, and no failure, when every provider fails. */
  readonly research: (input: unknown, caller: Caller) => Effect.Effect<Research, PublicFailure>
  /** `input`: a `ResearchInput`. Fails only for wrong input. */
  readonly outline: (input: unknown, caller: Caller) => Effect.Effect<OutlineAnswer, PublicFailure>
}>()("web-grounding/application/ResearchTopic") {}

/** A page kept from the web is no internal knowledge. */
const internalTypes = ["kg_node", "paper", "user_note"] as const

/** Of the title's words, those that a document of the course's subject holds. */
const titleShareMin = 0.5

/**
 * Those of the course's subject, best first: a search finds the nearest there is, however far that
 * is, and the scores of two searches cannot be compared.
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

const documentOf = ({ source_id, source_url, text, title }: FoundEntry): InternalDocument => ({
  title,
  url: source_url ?? source_id,
  text: text.slice(0, documentCharsMax)
})

const decodeInput = Input.decode(ResearchInput)

export const layer = Layer.effect(
  ResearchTopic,
  Effect.gen(function*() {
    const api = yield* PublicApi
    // A deployment without an evidence store has no internal documents.
    const evidence = yield* Effect.serviceOption(EvidenceApi)
    const services = yield* Effect.context<EventStore>()

    const researched = Effect.fn("ResearchTopic.research")(
      function*(input: ResearchInput, caller: Caller) {
        const { request_id } = yield* api.ground(groundingOf(input), caller, () => Effect.void)
        const ref = { tenant_id: caller.tenantId, session_id: input.session_id }
        const { state } = yield* Effect.provide(SessionLog.load(ref), services).pipe(
          // The session was read a moment ago, by the grounding itself.
          Effect.mapError(() => new InternalFailure())
        )
        const grounding = state.groundings.get(request_id)
        return grounding === undefined
          ? yield* new InternalFailure()
          : ResearchReading.of(input.course_title, grounding)
      }
    )

    const documentsOf = (input: ResearchInput, caller: Caller) =>
      Option.match(evidence, {
        onNone: () => Effect.succeed<ReadonlyArray<InternalDocument>>([]),
        onSome: ({ search }) =>
          Effect.forEach(internalTypes, (source_type) =>
            search(
              { query: input.course_title, filter: { source_type }, limit: documentsMax },
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

    const webOf = (input: ResearchInput, caller: Caller, at: string) =>
      researched(input, caller).pipe(
        Effect.catch((failure) =>
          Effect.logWarning("no research", failure).pipe(Effect.as(empty({
            query: input.course_title,
            at,
            durationMs: 0,
            notes: "The web step failed; internal knowledge alone was used."
          })))
        )
      )

    const outlined = Effect.fn("ResearchTopic.outline")(
      function*(input: ResearchInput, caller: Caller) {
        const started = DateTime.formatIso(yield* DateTime.now)
        const documents = yield* documentsOf(input, caller)
        const web = yield* webOf(input, caller, started)
        const outline: CourseOutline = compose(input, documents, web)
        return {
          ...outline,
          execution_context: {
            user_input: input,
            session_id: input.session_id,
            timestamps: { started, finished: DateTime.formatIso(yield* DateTime.now) },
            retrieved_documents: {
              chunks: documents,
              summary: `${documents.length} passages of internal documents`
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
      research: (input, caller) =>
        Effect.flatMap(decodeInput(input), (decoded) => researched(decoded, caller)),
      outline: (input, caller) =>
        Effect.flatMap(decodeInput(input), (decoded) => outlined(decoded, caller))
    })
  })
)
