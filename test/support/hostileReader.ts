/**
 * A service that reads sixteen hostile documents at once, in its own process. It sends its parent
 * the cost as a `Reading`.
 *
 * Arguments: the port of `hostileDocuments.ts`; the time of a document in milliseconds; the names
 * of documents.
 */
import { Clock, Effect, Fiber, Result } from "effect"
import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import { fetcher, internet } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"

export interface Reading {
  /** Name and how it ended, in the order of asking. */
  readonly ends: ReadonlyArray<readonly [string, string]>
  readonly slowestMs: number
  readonly grownMib: number
  /** The most that one parser held, 0 where the system does not say. */
  readonly parserMib: number
  readonly loopP99Ms: number
  readonly loopMostMs: number
  readonly servedMs: ReadonlyArray<number>
}

const mib = 1_024 * 1_024
const [, , port = "", timeoutMs = "", names = ""] = process.argv
const attacks = names.split(",")

const hitAt = (url: string) => ({
  url,
  title: "A page",
  content: "A snippet.",
  provider: "mock" as const,
  rank: 1,
  site: "wikipedia.org",
  official: false
})

const contentOf = (file: string): string =>
  Result.getOrElse(Result.try(() => readFileSync(file, "utf8")), () => "")

/** The most that each child has held so far. */
const childrenMib = (): ReadonlyArray<number> =>
  contentOf(`/proc/${process.pid}/task/${process.pid}/children`).trim().split(" ")
    .map((pid) => Number(/VmHWM:\s+(\d+)/.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024)

const extraction = Effect.gen(function*() {
  const { extractPage } = yield* PageExtraction.make({
    timeoutMs: Number(timeoutMs),
    waitedTimeoutMs: 2 * Number(timeoutMs)
  })
  return extractPage
})

/** Served to others before the count. */
const pagesBefore = 300

const reading = Effect.gen(function*() {
  const web = yield* internet({ site: Number(port) })
  const { fetch, open } = yield* fetcher(web.network())
  const reader = LocalPageReader.make({ fetch: open, extract: yield* extraction })
  const at = (name: string, place: number) =>
    reader.ask(hitAt(`http://h${place}.wikipedia.org/${name}`))
  // Before the count, so that libraries and pools are warm and the heap has the size that it needs
  // for pages as they are.
  yield* Effect.forEach(
    Array.from({ length: pagesBefore }),
    (_, place) => Effect.ignore(at("page", place)),
    { concurrency: 4 }
  )

  const delay = monitorEventLoopDelay({ resolution: 10 })
  const before = process.memoryUsage.rss()
  let most = before
  let parserMib = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
    parserMib = Math.max(parserMib, ...childrenMib())
  }, 10)
  delay.enable()
  const servedMs: Array<number> = []
  const innocent = Effect.gen(function*() {
    const start = yield* Clock.currentTimeMillis
    yield* Effect.ignore(fetch("http://innocent.wikipedia.org/page"))
    servedMs.push((yield* Clock.currentTimeMillis) - start)
  })
  const others = yield* Effect.forkChild(Effect.forever(Effect.delay(innocent, 50)))
  let slowestMs = 0
  const ends = yield* Effect.forEach(
    attacks,
    (name, place) =>
      Effect.gen(function*() {
        const start = yield* Clock.currentTimeMillis
        const end = yield* Effect.match(at(name, place), {
          onFailure: ({ detail, reason }) => `${reason} ${detail}`,
          onSuccess: () => "read"
        })
        slowestMs = Math.max(slowestMs, (yield* Clock.currentTimeMillis) - start)
        return [name, end] as const
      }),
    { concurrency: attacks.length }
  )
  yield* Fiber.interrupt(others)
  clearInterval(watch)
  delay.disable()
  const told: Reading = {
    ends,
    slowestMs,
    servedMs,
    parserMib,
    grownMib: (most - before) / mib,
    loopP99Ms: delay.percentile(99) / 1e6,
    loopMostMs: delay.max / 1e6
  }
  return told
})

if (process.send !== undefined) {
  Effect.runPromise(Effect.scoped(reading)).then((told) =>
    process.send?.(told, () => process.exit())
  )
}
