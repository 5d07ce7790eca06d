/**
 * A sealed process: its input, its limits, and that it ends when asked or when its parent is gone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { fork } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as SealedProcess from "../src/sealed/SealedProcess.ts"
import * as SealedWork from "../src/sealed/SealedWork.ts"

const mib = 1_048_576
const programAt = (name: string) => join(import.meta.dirname, `support/${name}.ts`)
const echo = programAt("sealedEcho")
const parentFile = programAt("sealedParent")

const started = (options: Partial<SealedProcess.SealedOptions> = {}) =>
  Effect.acquireRelease(
    Effect.flatMap(
      SealedProcess.start({
        source: pathToFileURL(echo),
        heapMibMax: 96,
        rssBytesMax: 320 * mib,
        answerBytesMax: 100_000,
        ...options
      }),
      (sealed) => Effect.as(SealedProcess.awaitLoaded(sealed), sealed)
    ),
    SealedProcess.stop
  )

const ask = (sealed: SealedProcess.SealedProcess, question: string) =>
  SealedProcess.askProcess(sealed, SealedWork.ofBytes(new TextEncoder().encode(question))).pipe(
    Effect.map((bytes) => new TextDecoder().decode(bytes)),
    Effect.catchTag("ProcessLost", ({ reason }) => Effect.succeed(reason))
  )

const isRunning = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether it is gone within the time that its watch needs on a busy machine. */
const isGoneSoon = Effect.fnUntraced(function*(pid: number | undefined) {
  for (let turn = 0; turn < 400 && isRunning(pid); turn++) yield* Effect.sleep(50)
  return !isRunning(pid)
})

const killedParent = (file: string, what: string) =>
  Effect.callback<number>((resume) => {
    const parent = fork(parentFile, [file, what])
    parent.once("message", (pid) => {
      parent.once("exit", () => resume(Effect.succeed(Number(pid))))
      parent.kill("SIGKILL")
    })
  })

describe("a sealed process", () => {
  it.live("answers one question after another, with nothing of the environment", () =>
    Effect.gen(function*() {
      const sealed = yield* started()
      assert.strictEqual(yield* ask(sealed, "a"), "a")
      const long = "é".repeat(40_000)
      assert.strictEqual(yield* ask(sealed, long), long)
      assert.strictEqual(yield* ask(sealed, "environment"), "")
    }).pipe(Effect.scoped))

  it.live.each([
    { what: "too many objects", question: "heap", reason: "out_of_memory" },
    { what: "too many buffers", question: "buffers", reason: "out_of_memory" },
    { what: "too long an answer", question: "flood", reason: "crashed" },
    { what: "too long a question", question: "x".repeat(100_001), reason: "crashed" },
    { what: "an exit", question: "exit", reason: "crashed" },
    { what: "a defect", question: "die", reason: "crashed" }
  ])("is lost by $what, and says why", ({ question, reason }) =>
    Effect.gen(function*() {
      const sealed = yield* started()
      assert.strictEqual(yield* ask(sealed, question), reason)
      yield* SealedProcess.stop(sealed)
      assert.isFalse(SealedProcess.isAlive(sealed))
    }).pipe(Effect.scoped))

  it.live("is lost by too many objects alone, however much memory it may hold", () =>
    Effect.gen(function*() {
      const sealed = yield* started({ rssBytesMax: 8_192 * mib })
      assert.strictEqual(yield* ask(sealed, "heap"), "out_of_memory")
    }).pipe(Effect.scoped))

  it.live("says at once that it is lost when it is asked after its end", () =>
    Effect.gen(function*() {
      const sealed = yield* started()
      assert.strictEqual(yield* ask(sealed, "exit"), "crashed")
      const again = yield* Effect.timeoutOption(ask(sealed, "a"), "20 seconds")
      assert.deepStrictEqual(again, Option.some("crashed"))
    }).pipe(Effect.scoped))

  it.live("is listened to no more once it has answered", () =>
    Effect.gen(function*() {
      const sealed = yield* started()
      const listeners = () =>
        ["exit", "error"].map((name) => sealed.child.listenerCount(name))
          .concat(sealed.channel.listenerCount("data"))
      const before = listeners()
      for (let turn = 0; turn < 5; turn++) assert.strictEqual(yield* ask(sealed, "a"), "a")
      assert.deepStrictEqual(listeners(), before)
    }).pipe(Effect.scoped))

  it.live("is gone when it is stopped in the middle; if it were let go on, it would not", () =>
    Effect.gen(function*() {
      for (const end of [SealedProcess.stop, () => Effect.void]) {
        const sealed = yield* started()
        const asking = yield* Effect.forkChild(ask(sealed, "spin"))
        yield* Effect.sleep(100)
        yield* Fiber.interrupt(asking)
        yield* end(sealed)
        assert.strictEqual(isRunning(sealed.child.pid), end !== SealedProcess.stop)
        // It did not end by itself, when its work was done.
        assert.strictEqual(sealed.child.signalCode, end === SealedProcess.stop ? "SIGKILL" : null)
      }
    }).pipe(Effect.scoped))

  it.live.each(["rest", "spin"])(
    "goes with a parent that is killed: %s",
    (what) =>
      Effect.gen(function*() {
        assert.isTrue(yield* isGoneSoon(yield* killedParent(echo, what)))
      })
  )
})
