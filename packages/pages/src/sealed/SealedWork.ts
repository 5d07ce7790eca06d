/** The child's side of `SealedProcess`: answers questions, and ends with its parent. */
import { Effect } from "effect"
import { Socket } from "node:net"
import { Worker } from "node:worker_threads"
import { idle, type Watched } from "./SealedWatch.ts"

const channelFd = 3
const busy = 1

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
    for (const piece of written(ofBytes(bytes))) channel.write(piece)
  }
  let read = reader(questionBytesMax)
  channel.on("data", (chunk) => {
    turn(busy)
    const question = read(chunk)
    if (question === "more") return
    if (question === "broken") return process.exit(1)
    read = reader(questionBytesMax)
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
  // Accepts nothing before the watchdog runs.
  watch.once("online", () => say(new Uint8Array()))
}

// Frames a message on a byte stream: its length in four bytes, then the message.

const headBytes = 4

export interface Frame {
  readonly length: number
  readonly pieces: Iterable<Uint8Array>
}

/** A frame in the pieces in which it is written, so that it is never whole in memory twice. */
export const written = function*({ length, pieces }: Frame): Generator<Uint8Array> {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(length)
  yield head
  yield* pieces
}

export const ofBytes = (bytes: Uint8Array): Frame => ({ length: bytes.length, pieces: [bytes] })

/** `more` until a frame is whole; `broken` if too long or followed by more bytes. */
export const reader = (bytesMax: number): (chunk: Uint8Array) => Uint8Array | "more" | "broken" => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  let length: number | undefined
  return (chunk) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (length === undefined) {
      if (bytes < headBytes) return "more"
      length = Buffer.concat(chunks).readUInt32LE()
    }
    if (length > bytesMax || bytes > headBytes + length) return "broken"
    return bytes < headBytes + length ? "more" : Buffer.concat(chunks).subarray(headBytes)
  }
}
