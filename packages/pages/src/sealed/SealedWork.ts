/** The other side of `SealedProcess`: takes a question, answers it, and goes with its parent. */
import { Effect } from "effect"
import { Socket } from "node:net"
import { Worker } from "node:worker_threads"
import * as Frame from "./Frame.ts"
import { idle, type Watched } from "./SealedWatch.ts"

const channelFd = 3
const busy = 1

/** The sources are run as they are; what was built from them stands beside this file as well. */
const watchSource = new URL(
  import.meta.url.endsWith(".ts") ? "./SealedWatch.ts" : "./SealedWatch.js",
  import.meta.url
)

/** Answers one question at a time, each of at most `questionBytesMax`. */
export const serve = (
  questionBytesMax: number,
  answer: (question: Uint8Array) => Effect.Effect<Uint8Array>
): void => {
  const [, , parentPid, rssBytesMax] = process.argv
  const work = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const watched: Watched = { work, parentPid: Number(parentPid), rssBytesMax: Number(rssBytesMax) }
  const watch = new Worker(watchSource, { workerData: watched, env: {}, execArgv: [] })
  const channel = new Socket({ fd: channelFd })
  const turn = (state: number) => {
    Atomics.store(work, 0, state)
    Atomics.notify(work, 0)
  }
  const say = (bytes: Uint8Array) => {
    for (const piece of Frame.written(Frame.ofBytes(bytes))) channel.write(piece)
  }
  let read = Frame.reader(questionBytesMax)
  channel.on("data", (chunk) => {
    turn(busy)
    const question = read(chunk)
    if (question === "more") return
    if (question === "broken") return process.exit(1)
    read = Frame.reader(questionBytesMax)
    Effect.runCallback(answer(question), {
      onExit: (exit) => {
        if (exit._tag === "Failure") return process.exit(1)
        turn(idle)
        say(exit.value)
      }
    })
  })
  // The channel ends with the parent.
  channel.on("end", () => process.exit())
  channel.on("error", () => process.exit())
  // Nothing is taken in before somebody watches.
  watch.once("online", () => say(new Uint8Array()))
}
