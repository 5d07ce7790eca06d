/** Answer of the worker for a document. */
import { Schema } from "effect"
import { ExtractedPage, ExtractionReason } from "./ExtractedPage.ts"

export const PageAnswer = Schema.Union([
  Schema.TaggedStruct("Page", { page: ExtractedPage }),
  Schema.TaggedStruct("Failed", { reason: ExtractionReason })
])
export type PageAnswer = typeof PageAnswer.Type
