/**
 * A parent of sealed work, to be killed: prints the work's process id once it rests or is busy.
 * Arguments: the work's file; `rest` or `spin`.
 */
import { Effect } from "effect"
import { pathToFileURL } from "node:url"
import * as SealedProcess from "../../src/sealed/SealedProcess.ts"
import * as SealedWork from "../../src/sealed/SealedWork.ts"

const [, , file = "", what = ""] = process.argv
const busyMs = 200

Effect.runFork(Effect.gen(function*() {
  const sealed = yield* SealedProcess.start({
    source: pathToFileURL(file),
    heapMibMax: 128,
    rssBytesMax: 1_073_741_824,
    answerBytesMax: 1_024
  })
  yield* SealedProcess.awaitLoaded(sealed)
  const question = SealedWork.ofBytes(new TextEncoder().encode(what))
  if (what === "spin") yield* Effect.forkDetach(SealedProcess.askProcess(sealed, question))
  yield* Effect.sleep(busyMs)
  process.send?.(sealed.child.pid)
  yield* Effect.sleep(20_000)
}))
