/**
 * Sixteen hostile documents at once, fetched and read: the service keeps its memory and its time for
 * others, and a parser stays under its own ceiling.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Predicate } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { ceilings } from "../../packages/pages/src/PageExtraction.ts"
import { hostileNames } from "../support/hostileDocuments.ts"
import type { Reading } from "../support/hostileReader.ts"
import { grace } from "../support/machine.ts"

const full = process.env["WG_TEST_FULL"] === "1"
/** Of a document in a parser; the long form is what the service allows. */
const timeoutMs = full ? 5_000 : 1_000
/** A fetch may take as long; a document waits for a parser as long as two of them take. */
const fetchTimeoutMs = 10_000
const graceIdleMs = 250
/** Others ask 50 ms after each answer, as long as the documents are read. */
const othersMs = 300

const grownMibMax = 64
/** By how much a parser may pass its ceiling before it is seen. */
const overshootMib = 64
const parserMibMax = ceilings.rssBytesMax / 1_048_576 + overshootMib

const forked = (script: string, args: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.sync(() => fork(script, args)),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )

const said = (child: ChildProcess) =>
  Effect.callback<unknown>((resume) => {
    child.once("message", (message) => resume(Effect.succeed(message)))
    child.once("exit", (code) => resume(Effect.die(new Error(`ended with ${code}`))))
  })

class Documents extends Context.Service<Documents, { readonly port: number }>()(
  "web-grounding/test/Documents"
) {}

const documents = Layer.effect(
  Documents,
  Effect.gen(function*() {
    const address = yield* said(yield* forked("test/support/hostileDocuments.ts"))
    return { port: Predicate.hasProperty(address, "port") ? Number(address.port) : 0 }
  })
)

const isReading = (message: unknown): message is Reading =>
  Predicate.hasProperty(message, "grownMib") && Predicate.hasProperty(message, "ends")

const read = Effect.fnUntraced(function*(names: ReadonlyArray<string>, who: string, ms: number) {
  const { port } = yield* Documents
  const args = [String(port), String(ms), names.join(), who]
  const told = yield* said(yield* forked("test/support/hostileReader.ts", args))
  assert.isTrue(isReading(told))
  return told as Reading
})

describe("hostile documents", () => {
  layer(documents, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "take neither memory nor time from others, sixteen at once, and end typed",
      () =>
        Effect.gen(function*() {
          const told = yield* read([...hostileNames, ...hostileNames], "process", timeoutMs)
          console.info(
            `16 documents: ${told.grownMib.toFixed(0)} MiB, a parser at most ` +
              `${told.parserMib.toFixed(0)} MiB, loop p99 ${
                told.loopP99Ms.toFixed(0)
              } ms, others ` +
              `at most ${Math.max(...told.servedMs)} ms`
          )
          for (const [name, end] of told.ends) {
            assert.match(end, /^(?:read|(?:timeout|malformed|unreachable) \w+)$/, name)
          }
          assert.lengthOf(told.ends, 16)
          assert.isAtMost(told.grownMib, grownMibMax)
          assert.isAtMost(told.parserMib, parserMibMax)
          assert.isAtMost(told.loopP99Ms, grace(100))
          assert.isAtMost(told.slowestMs, fetchTimeoutMs + 2 * timeoutMs + grace(graceIdleMs))
          assert.isAbove(told.servedMs.length, told.slowestMs / grace(othersMs))
        }),
      90_000
    )
  })
})
