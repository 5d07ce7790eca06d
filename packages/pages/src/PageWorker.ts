/** The process that reads pages: receives a document, returns a page or a failure. */
import { Effect } from "effect"
import * as DocumentReading from "./DocumentReading.ts"
import * as ExtractedPage from "./ExtractedPage.ts"
import { ExtractionFailed, type PageAnswer } from "./ExtractedPage.ts"
import * as SealedWork from "./sealed/SealedWork.ts"

const answerOf = (frame: Uint8Array): Effect.Effect<Uint8Array> =>
  ExtractedPage.readFrame(frame).pipe(
    Effect.mapError(() => new ExtractionFailed({ reason: "crashed" })),
    Effect.flatMap(DocumentReading.readDocument),
    Effect.catchDefect(() => new ExtractionFailed({ reason: "crashed" })),
    Effect.match({
      onSuccess: (page): PageAnswer => ({ _tag: "Page", page }),
      onFailure: ({ reason }): PageAnswer => ({ _tag: "Failed", reason })
    }),
    Effect.map((answer) => new TextEncoder().encode(JSON.stringify(answer)))
  )

SealedWork.serve(ExtractedPage.frameBytesMax, answerOf)
