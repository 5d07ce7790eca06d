/**
 * A child process for work on untrusted content: no environment, writable files or streams other
 * than one channel, and limited memory. It ends with this process. A caller that interrupts an
 * `ask` must `stop` it: it may still be busy, and reading the question from this process's memory.
 */
import { Effect, Schema } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { Socket } from "node:net"
import { fileURLToPath } from "node:url"
import * as SealedWork from "./SealedWork.ts"

export interface SealedOptions {
  /** A file that calls `SealedWork.serve`. */
  readonly source: URL
  /** MiB of V8's old and young generations. V8 aborts beyond. */
  readonly heapMibMax: number
  /** Most bytes of resident memory, code and buffers included. It kills itself beyond. */
  readonly rssBytesMax: number
  /** Most bytes of one answer; a longer one is a crash. */
  readonly answerBytesMax: number
}

/** `out_of_memory`: beyond a limit. `crashed`: any other end, or an invalid answer. */
export class ProcessLost extends Schema.TaggedError<ProcessLost>()("ProcessLost", {
  reason: Schema.Literals(["out_of_memory", "crashed"])
}) {}

export interface SealedProcess {
  /** Whether pieces of a question are still to be written. */
  readonly question: { isUnwritten: boolean }
  readonly child: ChildProcess
  readonly channel: Socket
  readonly answerBytesMax: number
}

const channelPlace = 3
/** A young half-space; three of them are the young generation. */
const semiSpaceMib = 8

/** Without environment and standard streams, memory limited. Wait with `awaitLoaded` before use. */
export const start = (
  { answerBytesMax, heapMibMax, rssBytesMax, source }: SealedOptions
): Effect.Effect<SealedProcess, ProcessLost> =>
  Effect.suspend(() => {
    const child = spawn(process.execPath, [
      `--max-old-space-size=${heapMibMax - 3 * semiSpaceMib}`,
      `--max-semi-space-size=${semiSpaceMib}`,
      fileURLToPath(source),
      String(process.pid),
      String(rssBytesMax)
    ], { env: {}, stdio: ["ignore", "ignore", "ignore", "pipe"], windowsHide: true })
    const channel = child.stdio[channelPlace]
    // A caller of `ask` adds its own listeners; without any an error would end this process.
    child.on("error", () => {})
    if (!(channel instanceof Socket)) return new ProcessLost({ reason: "crashed" })
    channel.on("error", () => {})
    const sealed = { question: { isUnwritten: false }, child, channel, answerBytesMax }
    unrefProcess(sealed)
    return Effect.succeed(sealed)
  })

/** Kills the process, whatever it is doing. */
export const stop = ({ channel, child }: SealedProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    channel.destroy()
    if (hasEnded(child)) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** Whether the process has received its whole question, so that it is not needed here any more. */
export const hasQuestion = ({ channel, question }: SealedProcess): boolean =>
  !question.isUnwritten && channel.writableLength === 0

export const isAlive = ({ child }: SealedProcess): boolean => !hasEnded(child)

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/** Lets this process end while the child is idle. */
export const unrefProcess = ({ channel, child }: SealedProcess): void => {
  channel.unref()
  child.unref()
}

/** A new process reports once that it has loaded; wait for it before the first `ask`. */
export const awaitLoaded = (sealed: SealedProcess): Effect.Effect<void, ProcessLost> =>
  Effect.asVoid(nextFrame(sealed, () => {}))

/** Sends a question and waits for its answer, one question at a time. */
export const askProcess = (
  sealed: SealedProcess,
  question: SealedWork.Frame
): Effect.Effect<Uint8Array, ProcessLost> =>
  nextFrame(sealed, () => {
    sealed.question.isUnwritten = true
    write(sealed, SealedWork.written(question))
  })

/** Writes as fast as the process reads. A failed write shows as the end of the process. */
const write = (sealed: SealedProcess, pieces: Iterator<Uint8Array>): void => {
  const { channel, question } = sealed
  let next = pieces.next()
  while (next.done !== true && channel.write(next.value)) next = pieces.next()
  if (next.done === true) question.isUnwritten = false
  else channel.once("drain", () => write(sealed, pieces))
}

const nextFrame = (sealed: SealedProcess, begin: () => void) =>
  Effect.callback<Uint8Array, ProcessLost>((resume) => {
    const { answerBytesMax, channel, child } = sealed
    const read = SealedWork.reader(answerBytesMax)
    const settle = (answer: Effect.Effect<Uint8Array, ProcessLost>) => {
      forget()
      resume(answer)
    }
    const lose = (reason: ProcessLost["reason"]) => settle(new ProcessLost({ reason }))
    const onData = (chunk: Uint8Array) => {
      const frame = read(chunk)
      if (frame === "broken") lose("crashed")
      else if (frame !== "more") settle(Effect.succeed(frame))
    }
    const onExit = () => lose(isOutOfMemory(child) ? "out_of_memory" : "crashed")
    const onError = () => lose("crashed")
    const forget = () => {
      channel.off("data", onData).pause()
      child.off("exit", onExit).off("error", onError)
    }
    if (hasEnded(child)) return onExit()
    child.on("exit", onExit).on("error", onError)
    child.ref()
    channel.ref()
    channel.on("data", onData).resume()
    begin()
    return Effect.sync(forget)
  })

/** V8 aborts at its limit, and the watch kills at the other; nothing else does during a call. */
const isOutOfMemory = ({ exitCode, signalCode }: ChildProcess): boolean =>
  signalCode === "SIGABRT" || signalCode === "SIGKILL" || exitCode === 134
