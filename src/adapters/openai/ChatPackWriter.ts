/** A model that proposes claims. It names sources by number and quotes them; the domain checks. */
import { Effect, Schema } from "effect"
import { EngineFailed, type PackWriter, type WritingTask } from "../../application/ports/Engines.ts"
import { type PackDraft, Section } from "../../domain/pack/GroundingPack.ts"
import { draftClaimsMax, draftQuestionsMax } from "../../domain/pack/PackAssembly.ts"
import * as EvidenceBlock from "../../domain/view/EvidenceBlock.ts"
import * as AskedRequest from "./AskedRequest.ts"
import { type ChatModel, engine, infoOf } from "./ChatModel.ts"
import { shapeOf } from "./ChatRequest.ts"
import * as WriterPrompt from "./prompts/WriterPrompt.ts"

const tokensMax = 4_000
/** Longest block of web text, in UTF-16 code units: a dozen passages whole. */
const evidenceCharsMax = 24_000
/** A number that no source has names one that was never fetched. */
const unknownSource = "unknown"

const Proposed = Schema.Struct({
  claims: Schema.Array(Schema.Struct({
    // Quotes first: a model that has written its claim finds a quote for anything.
    quotes: Schema.Array(Schema.Struct({ quote: Schema.String, source: Schema.Int })),
    text: Schema.String,
    section: Section
  })),
  what_to_ask_user: Schema.Array(Schema.Struct({ q: Schema.String, why: Schema.String }))
})
const shape = shapeOf("grounding_claims", Proposed)

/** No passage fits a box, so nothing is asked and the next engine writes. */
const nothingToAsk = new EngineFailed({ engine, reason: "refused", detail: "no_evidence" })

export const make = (model: ChatModel): PackWriter => ({
  info: infoOf(model, WriterPrompt.version),
  write: Effect.fn("ChatPackWriter.write")(
    function*({ boundary, chunks, request }: WritingTask) {
      const block = EvidenceBlock.build({
        excerpts: chunks,
        boundary,
        charsMax: evidenceCharsMax
      })
      if (block.text === "") return yield* nothingToAsk
      const asked = JSON.stringify(AskedRequest.requestFields(request))
      const proposed = yield* model.ask({
        messages: [
          { role: "system", content: WriterPrompt.text },
          { role: "user", content: `${asked}\n\n${block.text}` }
        ],
        shape,
        tokensMax
      })
      return draftOf(proposed, block.source_ids)
    }
  )
})

const draftOf = (
  proposed: typeof Proposed.Type,
  sourceIds: ReadonlyArray<string>
): PackDraft => ({
  claims: proposed.claims.slice(0, draftClaimsMax).map(({ quotes, section, text }) => ({
    section,
    text,
    citations: quotes.map(({ quote, source }) => ({
      quote,
      source_id: sourceIds[source - 1] ?? unknownSource
    }))
  })),
  what_to_ask_user: proposed.what_to_ask_user.slice(0, draftQuestionsMax)
})
