/** The thread that reads pages: takes a document, answers a page or why there is none. */
import { Effect, Exit } from "effect"
import { parentPort } from "node:worker_threads"
import * as DocumentReading from "./DocumentReading.ts"
import type { PageAnswer } from "./PageAnswer.ts"
import type { PageDocument } from "./PageDocument.ts"

const answerOf = (document: PageDocument): Effect.Effect<PageAnswer> =>
  DocumentReading.read(document).pipe(
    Effect.match({
      onSuccess: (page): PageAnswer => ({ _tag: "Page", page }),
      onFailure: ({ reason }): PageAnswer => ({ _tag: "Failed", reason })
    })
  )

parentPort?.on("message", (document: PageDocument) => {
  Effect.runCallback(answerOf(document), {
    onExit: (exit) => {
      const crashed: PageAnswer = { _tag: "Failed", reason: "crashed" }
      parentPort?.postMessage(Exit.isSuccess(exit) ? exit.value : crashed)
    }
  })
})
// Whatever it says first, it has loaded.
parentPort?.postMessage("loaded")
