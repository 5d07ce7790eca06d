/** The acceptance table of every engine from outside: one fault, one right failure, one request. */
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import type { EngineFault } from "../../src/domain/session/EngineDetail.ts"
import { grace } from "../support/machine.ts"
import { leaks, witnessed } from "../support/witness.ts"
import { rowsOf, untilClosed } from "./acceptanceTable.ts"

/** Of an engine that keeps silent. */
const deadlineMs = 1_000
/** Of one that answers: a busy machine may take its time. */
const answerMsMax = 10_000
/** For the scheduler of a busy machine. */
const graceIdleMs = 800

export interface EngineRow {
  readonly fault: string
  /** Absent: an answer. */
  readonly reason?: EngineFault
  readonly detail?: string
}

export interface AskedEngine {
  readonly name: string
  /** The span of a call, and the only one. */
  readonly span: string
  readonly key: string
  readonly askAt: (baseUrl: string, key: string) => Effect.Effect<unknown, EngineFailed>
}

/** How a connection, a size or a server goes wrong: the same for every engine. */
export const commonRows: ReadonlyArray<EngineRow> = [
  ...rowsOf(["200", "slow,delay=100"], {}),
  ...rowsOf(["slow,delay=9000", "hang", "stall", "drip"], { reason: "timeout" as const }),
  ...rowsOf(["400", "422"], { reason: "refused", detail: "bad_request" }),
  ...rowsOf(["401", "echo"], { reason: "refused", detail: "invalid_key" }),
  { fault: "402", reason: "refused", detail: "balance" },
  { fault: "413", reason: "refused", detail: "too_large" },
  { fault: "429,retry-after=30", reason: "refused", detail: "rate_limited" },
  ...rowsOf(["500", "502", "502-html", "503"], { reason: "unreachable", detail: "upstream_5xx" }),
  ...rowsOf(["504", "524"], { reason: "timeout", detail: "upstream_timeout" }),
  { fault: "reset", reason: "unreachable" },
  { fault: "cut", reason: "unreachable", detail: "cut_off" },
  { fault: "redirect", reason: "malformed", detail: "redirect" },
  ...rowsOf(
    ["204", "html-200", "invalid-json", "empty-body", "truncated", "wrong-shape", "odd-results"],
    { reason: "malformed", detail: "bad_body" }
  ),
  { fault: "huge,mib=32", reason: "malformed", detail: "too_large" }
]

export const engineTable = (engine: AskedEngine, rows: ReadonlyArray<EngineRow>): void => {
  const { askAt, key, name } = engine
  const met = <A, E, R>(fault: string, effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const { forget, setFault } = yield* SandboxServer.SandboxServer
      yield* forget
      yield* setFault(fault)
      return yield* Effect.ensuring(effect, setFault(""))
    })

  describe(`${name} against the acceptance table`, () => {
    layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
      it.effect.each(rows)(
        "$fault is $reason $detail",
        ({ detail, fault, reason }) =>
          Effect.gen(function*() {
            const { baseUrl, hits } = yield* SandboxServer.SandboxServer
            const isSilent = reason === "timeout" && detail === undefined
            const waitMs = isSilent ? deadlineMs : answerMsMax
            const asked = askAt(baseUrl, key).pipe(
              Effect.timeoutOrElse({
                duration: Duration.millis(waitMs),
                orElse: () =>
                  Effect.fail(new EngineFailed({ engine: name, reason: "timeout" as const }))
              })
            )
            const [took, outcome] = yield* met(fault, Effect.timed(Effect.result(asked)))
            const told = outcome._tag === "Failure" ? outcome.failure : undefined
            assert.strictEqual(told?.reason, reason)
            assert.strictEqual(told?.detail, detail)
            assert.isBelow(Duration.toMillis(took), waitMs + grace(graceIdleMs))
            yield* untilClosed
            assert.strictEqual((yield* hits).total, 1)
          }),
        answerMsMax * 2
      )

      it.effect.each(["hang", "stall", "drip", "slow,delay=9000"])(
        "interrupting %s closes the socket",
        (fault) =>
          met(
            fault,
            Effect.gen(function*() {
              const { baseUrl, openRequests } = yield* SandboxServer.SandboxServer
              const asking = yield* Effect.forkChild(askAt(baseUrl, key))
              for (let waitedMs = 0; waitedMs < answerMsMax && (yield* openRequests) === 0;) {
                yield* Effect.sleep(5)
                waitedMs += 5
              }
              assert.strictEqual(yield* openRequests, 1)
              yield* Effect.sleep(50)
              yield* Fiber.interrupt(asking)
              yield* untilClosed
            })
          )
      )

      it.effect("a port without a listener is unreachable", () =>
        Effect.gen(function*() {
          /** The discard port: nothing of the kind runs here. */
          const failure = yield* Effect.flip(askAt("http://127.0.0.1:9", key))
          assert.strictEqual(failure.reason, "unreachable")
        }))

      it.effect("a key that is none is refused unsent", () =>
        Effect.gen(function*() {
          const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
          yield* forget
          const failure = yield* Effect.flip(askAt(baseUrl, `${key}\r\nx: y`))
          assert.deepStrictEqual([failure.detail, (yield* hits).total], ["invalid_key", 0])
        }))

      const faults = ["echo", "401", "reset", "cut", "502-html", "redirect", "huge", "drip", "200"]
      it.effect.each(faults)(
        "the key is in no failure, log, span and ledger of %s",
        (fault) =>
          Effect.gen(function*() {
            const { baseUrl, hits } = yield* SandboxServer.SandboxServer
            const { seen, spans } = yield* met(
              fault,
              witnessed(Effect.exit(askAt(baseUrl, `${key}-CANARY`).pipe(Effect.timeout(300))))
            )
            assert.isEmpty(leaks([...seen, yield* hits]))
            assert.deepStrictEqual(spans, [engine.span])
          })
      )

      it.effect("the witness would see a key in a failure's cause", () =>
        Effect.gen(function*() {
          const leaky = new EngineFailed({
            engine: name,
            reason: "unreachable",
            cause: new Error(`Bearer ${key}-CANARY`)
          })
          const { seen } = yield* witnessed(Effect.exit(Effect.fail(leaky)))
          assert.isNotEmpty(leaks(seen))
        }))
    })
  })
}
