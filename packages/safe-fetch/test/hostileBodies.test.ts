import { assert, describe, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Predicate } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { bodyBytesMax, totalTimeoutMs } from "../src/SafeFetch.ts"
import { fetcher, internet, outcome } from "./support/webServers.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const timeoutMs = full ? totalTimeoutMs : 800
const graceIdleMs = 500
const mib = 1_024 * 1_024

/** Of a limit of time: as much longer as the queue for the cores of a busy machine is. */
const grace = (idleMs: number) => idleMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

const timedMs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const startMs = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [(yield* Clock.currentTimeMillis) - startMs, value] as const
  })

const html = { "content-type": "text/html" }
const page = "<!doctype html><p>A page.</p>"

const expected: Readonly<Record<string, RegExp>> = {
  gzip: /^too_large$/,
  br: /^too_large$/,
  deflate: /^too_large$/,
  zstd: /^too_large$/,
  nested: /^too_large$/,
  layers: /^encoding_unknown$/,
  endless: /^too_large$/,
  "200-mib": /^too_large$/,
  "just-over": /^too_large$/,
  drip: /^timeout$/,
  "drip-in-gzip": /^timeout$/,
  silence: /^timeout$/,
  "drip-of-head": /^timeout$/,
  "head-flood": /^headers_too_large$/,
  "many-heads": /^(headers_too_large|malformed|timeout)$/,
  "hint-flood": /^(timeout|malformed|unreachable|headers_too_large)$/,
  "short-body": /^truncated$/,
  "long-body": /^(fetched|malformed)$/,
  "two-lengths": /^malformed$/,
  "bad-chunk": /^malformed$/,
  "no-http": /^malformed$/,
  nothing: /^unreachable$/,
  pdf: /^fetched$/,
  zip: /^type_forbidden$/,
  svg: /^type_forbidden$/,
  program: /^type_forbidden$/,
  "no-such-charset": /^fetched$/,
  "wide-charset": /^fetched$/,
  "seven-bits": /^fetched$/
}

/** `support/hostileServer.ts`, for as long as the scope. */
const hostilePort = Effect.map(
  Effect.acquireRelease(
    Effect.callback<readonly [ChildProcess, number]>((resume) => {
      const child = fork(join(import.meta.dirname, "support/hostileServer.ts"))
      child.once("message", (address) => {
        if (Predicate.hasProperty(address, "port")) {
          resume(Effect.succeed([child, Number(address.port)]))
        }
      })
    }),
    ([child]) => Effect.sync(() => void child.kill())
  ),
  ([, port]) => port
)

class HostileServer extends Context.Service<HostileServer, { readonly port: number }>()(
  "web-grounding/test/HostileServer"
) {}
const hostileServer = Layer.effect(
  HostileServer,
  Effect.map(hostilePort, (port) => ({ port }))
)

const attacked = Effect.flatMap(HostileServer, ({ port }) => internet({ site: port }))

describe("a hostile body", () => {
  layer(hostileServer, { excludeTestServices: true })((it) => {
    it.effect.each(Object.keys(expected))(
      "ends typed and in time: %s",
      (name) =>
        Effect.gen(function*() {
          const web = yield* attacked
          const { fetch } = yield* fetcher(web.network(), { timeoutMs })
          // A timer of the same length, in the same process and at the same time, is the control.
          const [[tookMs, answer], [controlMs]] = yield* Effect.all([
            timedMs(outcome(fetch(`http://www.wikipedia.org/${name}`))),
            timedMs(Effect.sleep(timeoutMs))
          ], { concurrency: 2 })
          assert.match(answer, expected[name] ?? /^$/)
          assert.isAtMost(tookMs, controlMs + grace(graceIdleMs))
          yield* Effect.sleep(20)
          assert.strictEqual(web.openSockets(), 0)
        })
    )

    it.effect(
      "takes neither memory nor time from others, sixteen at once",
      () =>
        Effect.gen(function*() {
          const web = yield* attacked
          const { fetch } = yield* fetcher(web.network(), { timeoutMs })
          const at = (name: string, place: number) =>
            fetch(`http://h${place}.wikipedia.org/${name}`)
          const names = ["gzip", "br", "zstd", "nested", "endless", "drip", "just-over", "silence"]
          const round = [...names, ...names]
          // Once before the count, so that libraries and pools are warm.
          yield* Effect.forEach(names.slice(0, 5), (name, place) => outcome(at(name, place)))
          globalThis.gc?.()

          const delay = monitorEventLoopDelay({ resolution: 10 })
          const rssBefore = process.memoryUsage.rss()
          let rssMost = rssBefore
          const watch = setInterval(() => {
            rssMost = Math.max(rssMost, process.memoryUsage.rss())
          }, 5)
          delay.enable()
          const served: Array<number> = []
          const innocent = Effect.gen(function*() {
            const before = yield* Clock.currentTimeMillis
            assert.strictEqual((yield* at("page", 99)).body, page)
            served.push((yield* Clock.currentTimeMillis) - before)
          })
          yield* Effect.all([
            Effect.forEach(round, (name, place) => outcome(at(name, place)), { concurrency: 16 }),
            Effect.forEach(Array.from({ length: 20 }), () => Effect.delay(innocent, 20))
          ], { concurrency: 2 })
          clearInterval(watch)
          delay.disable()
          const grownMib = (rssMost - rssBefore) / mib
          const p99Ms = delay.percentile(99) / 1e6
          console.info(
            `16 attacks: ${grownMib.toFixed(1)} MiB, loop p99 ${
              p99Ms.toFixed(1)
            } ms, others at most ` +
              `${Math.max(...served)} ms`
          )
          assert.lengthOf(served, 20)
          assert.isAtMost(grownMib, 64)
          assert.isAtMost(p99Ms, grace(100))
        }),
      60_000
    )

    it.effect("holds only so much of all pages together", () =>
      Effect.gen(function*() {
        // Each stops short of its own ceiling and of its end.
        const large = new Uint8Array(bodyBytesMax - 1_024).fill(0x61)
        const web = yield* internet({
          site: (_, response) => void response.writeHead(200, html).write(large)
        })
        // The two that are held must still be there when the last one comes.
        const { fetch } = yield* fetcher(web.network(), { timeoutMs: grace(1_000) })
        const ends = yield* Effect.forEach(
          Array.from({ length: 10 }),
          (_, place) => outcome(fetch(`http://h${place}.wikipedia.org/`)),
          { concurrency: 10 }
        )
        assert.lengthOf(ends.filter((end) => end === "timeout"), 2)
        assert.lengthOf(ends.filter((end) => end === "busy"), 8)
      }))
  })
})
