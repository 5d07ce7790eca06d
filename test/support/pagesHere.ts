import { Effect } from "effect"
import { readDocument } from "../../packages/pages/src/DocumentReading.ts"
import type { PageExtraction } from "../../packages/pages/src/PageExtraction.ts"

/** Reads pages in this process, without the spans of the sealed one. */
export const pagesHere: PageExtraction = {
  extractPage: (page) => Effect.withTracerEnabled(readDocument(page), false),
  warm: Effect.void
}
