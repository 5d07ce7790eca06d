/** Process that reads pages. What a page does to it, it does to no other. */
import { Effect, Schema } from "effect"
import * as DocumentFrame from "./DocumentFrame.ts"
import { ExtractionFailed, PageAnswer } from "./ExtractedPage.ts"
import type { PageDocument } from "./PageDocument.ts"
import * as SealedProcess from "./sealed/SealedProcess.ts"

export type Ceilings = Pick<SealedProcess.SealedOptions, "heapMibMax" | "rssBytesMax">

/**
 * Memory ceilings of a worker. One at rest holds about 80 MiB, its code included; 140 when it runs
 * from the sources.
 */
export const ceilings: Ceilings = { heapMibMax: 224, rssBytesMax: 384 * 1_048_576 }

/** Bytes of one answer, at most: a page's text as JSON in UTF-8, with its headings. */
const answerBytesMax = 4 * 1_048_576

/** The sources are run as they are; what was built from them stands beside this file as well. */
const source = new URL(
  import.meta.url.endsWith(".ts") ? "./PageWorker.ts" : "./PageWorker.js",
  import.meta.url
)

export type PageProcess = SealedProcess.SealedProcess

const lost = Effect.mapError(({ reason }: SealedProcess.ProcessLost) =>
  new ExtractionFailed({ reason })
)

export const start = (ceilings: Ceilings): Effect.Effect<PageProcess, ExtractionFailed> =>
  lost(SealedProcess.start({ source, answerBytesMax, ...ceilings }))

/** Waits until the process has loaded, which is necessary before its first page. */
export const awaitLoaded = (worker: PageProcess): Effect.Effect<void, ExtractionFailed> =>
  lost(SealedProcess.awaitLoaded(worker))

const decode = Schema.decodeEffect(Schema.fromJsonString(PageAnswer))

/**
 * Reads one document at a time. Fails with `out_of_memory` or `crashed` when the process is lost.
 */
export const readDocument = Effect.fnUntraced(
  function*(worker: PageProcess, document: PageDocument) {
    const frame = DocumentFrame.write(document)
    if (frame === undefined) return yield* new ExtractionFailed({ reason: "malformed" })
    const answer = yield* lost(SealedProcess.askProcess(worker, frame))
    return yield* Effect.mapError(
      decode(new TextDecoder().decode(answer)),
      () => new ExtractionFailed({ reason: "crashed" })
    )
  }
)
