/** Documents read in workers: answers, deadlines, memory, interruption, and a loop that stays free. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Result } from "effect"
import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { grace } from "../../language/test/support/machine.ts"
import { bodyLengthMax } from "../src/ExtractedPage.ts"
import * as MainContent from "../src/MainContent.ts"
import * as PageExtraction from "../src/PageExtraction.ts"
import { pdfDocument } from "./support/pdfDocument.ts"

const url = "https://www.housing.example/notice"
const encoder = new TextEncoder()
const html = (body: string) => ({
  body: encoder.encode(body),
  contentType: "text/html; charset=utf-8",
  url
})

const article =
  `<!doctype html><html lang="en-GB"><head><title>Giving notice - Housing</title></head>
<body><nav><a href="/">Home</a></nav><main><h1>Giving notice</h1>
<p>A tenant gives one month of notice, in writing, before the flat is left.</p>
<h2>How to write it</h2><p>The letter names the flat, the day and the tenant.</p></main></body></html>`

/** A page whose reading takes seconds: work grows with the square of the nesting. */
const nested = (levels: number): string => "<div>w".repeat(levels)
const slow = nested(1_500)
const slowest = `${nested(3_000)}${"<p>words, and more <a href=/x>words</a>".repeat(60_000)}`

/** So patient that a busy machine fails no test. */
const patient = { timeoutMs: 20_000, waitedTimeoutMs: 40_000, workersMax: 1 }

const reasonOf = <Page, Failure extends { readonly reason: string }>(
  result: Result.Result<Page, Failure>
): string => Result.match(result, { onSuccess: () => "read", onFailure: ({ reason }) => reason })

const extractOnce = (document: Parameters<PageExtraction.PageExtraction["extractPage"]>[0]) =>
  Effect.scoped(
    Effect.flatMap(PageExtraction.make(patient), ({ extractPage }) => extractPage(document))
  )

/** The 99th percentile of the event loop's delay while `effect` runs, in milliseconds. */
const loopDelayMs = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    yield* Effect.sleep(20)
    yield* effect.pipe(Effect.ignore)
    // A delay is measured between two turns of the loop, so that there is one on either side.
    yield* Effect.sleep(20)
    delay.disable()
    return delay.percentile(99) / 1e6
  })

/** Pids of this process's children; every test file has a process of its own. */
const children = (): ReadonlyArray<string> =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ")
    .filter((pid) => pid !== "")

/** The one worker's pid before a page that is given up, and when the next one was read. */
const workerAfter = (limits: Partial<PageExtraction.ExtractionLimits>, body: string) =>
  Effect.gen(function*() {
    const { extractPage } = yield* PageExtraction.make(limits)
    yield* extractPage(html("<main><p>Short words of a short page, to start with.</p></main>"))
    const before = children()
    assert.lengthOf(before, 1)
    assert.isTrue(yield* givenUp(extractPage(html(body))))
    // On a busy machine a new worker may lose its first page to its time.
    yield* extractPage(html("<main><p>Words of the page after it.</p></main>")).pipe(
      Effect.retry({ times: 5 }),
      Effect.result
    )
    const after = children()
    assert.lengthOf(after, 1)
    return { before, after }
  }).pipe(Effect.scoped)

/** Whether `reading` was still going on when it was interrupted, soon after it began. */
const givenUp = <A, E>(reading: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(reading)
    yield* Effect.sleep(150)
    yield* Fiber.interrupt(fiber)
    return Exit.hasInterrupts(yield* Fiber.await(fiber))
  })

describe("PageExtraction", () => {
  it.live("reads a page in a worker, with what it says of itself", () =>
    Effect.gen(function*() {
      const page = yield* extractOnce(html(article))
      assert.strictEqual(page.title, "Giving notice")
      assert.strictEqual(page.language, "en-GB")
      const [heading] = page.headings
      assert.strictEqual(page.text.slice(heading?.start, heading?.end), "How to write it")
      assert.match(page.text, /^A tenant gives one month/)
    }))

  it.live("says why a document was not read, and goes on with the next", () =>
    Effect.gen(function*() {
      const { extractPage } = yield* PageExtraction.make(patient)
      const cases = [
        [html("<html><body><script>a()</script></body></html>"), "no_text"],
        [
          { body: encoder.encode("PK\u0003\u0004\0\0"), contentType: "text/html", url },
          "malformed"
        ],
        [{ body: encoder.encode("{}"), contentType: "application/json", url }, "unsupported_type"],
        [html(" ".repeat(bodyLengthMax + 1)), "too_large"],
        [html(article), "read"]
      ] as const
      for (const [document, reason] of cases) {
        assert.strictEqual(reasonOf(yield* Effect.result(extractPage(document))), reason)
      }
    }).pipe(Effect.scoped))

  it.live("ends at its deadline and leaves the event loop free; on the main thread it would not", () =>
    Effect.gen(function*() {
      const { extractPage } = yield* PageExtraction.make({ ...patient, timeoutMs: 150 })
      const delayMs = yield* loopDelayMs(
        Effect.map(
          Effect.result(extractPage(html(slowest))),
          (result) => assert.strictEqual(reasonOf(result), "timeout")
        )
      )
      assert.isBelow(delayMs, grace(100))

      const saboteurDelayMs = yield* loopDelayMs(
        Effect.sync(() => MainContent.readContent(slow, url))
      )
      assert.isAbove(saboteurDelayMs, 100)
    }).pipe(Effect.scoped))

  it.live("reads the next page after one that took too long, and after one that was interrupted", () =>
    Effect.gen(function*() {
      const { extractPage } = yield* PageExtraction.make(patient)
      const reading = yield* Effect.forkChild(extractPage(html(slow)))
      yield* Effect.sleep(200)
      yield* Fiber.interrupt(reading)
      assert.match((yield* extractPage(html(article))).text, /one month/)
    }).pipe(Effect.scoped))

  it.live("ends a worker that goes beyond its memory, and lets the host of three such pages rest", () =>
    Effect.gen(function*() {
      const { extractPage } = yield* PageExtraction.make({ ...patient, restMs: 3_000 })
      const bomb = pdfDocument({ shown: new Uint8Array(300_000_000).fill(32), isDeflated: true })
      const ask = (host: string, page: object) =>
        Effect.map(
          Effect.result(extractPage({ ...html(article), ...page, url: `https://${host}/page` })),
          reasonOf
        )
      for (let loss = 0; loss < 3; loss++) {
        const lost = yield* ask("heavy.example", { body: bomb, contentType: "application/pdf" })
        assert.strictEqual(lost, "out_of_memory")
      }
      assert.strictEqual(yield* ask("heavy.example", {}), "resting")
      assert.strictEqual(yield* ask("light.example", {}), "read")
      yield* Effect.sleep(3_000)
      assert.strictEqual(yield* ask("heavy.example", {}), "read")
    }).pipe(Effect.scoped))

  it.live("counts a worker's start against no page; counted, it would leave no time", () =>
    Effect.gen(function*() {
      const { extractPage } = yield* PageExtraction.make({ ...patient, waitedTimeoutMs: 20 })
      assert.match((yield* extractPage(html(article))).text, /one month/)
      const counted = extractOnce(html(article)).pipe(Effect.timeout(20), Effect.result)
      assert.isTrue(Result.isFailure(yield* counted))
    }).pipe(Effect.scoped))

  it.live.skipIf(process.platform !== "linux")(
    "starts its workers once, before the first page",
    () =>
      Effect.gen(function*() {
        const { extractPage, warm } = yield* PageExtraction.make({ ...patient, workersMax: 2 })
        assert.deepStrictEqual(children(), [])
        yield* warm
        yield* warm
        for (let turn = 0; turn < 100 && children().length < 2; turn++) yield* Effect.sleep(20)
        const started = children()
        assert.lengthOf(started, 2)
        yield* Effect.all([extractPage(html(article)), extractPage(html(article))], {
          concurrency: 2
        })
        assert.deepStrictEqual(children(), started)
      }).pipe(Effect.scoped)
  )

  it.live.skipIf(process.platform !== "linux")(
    "keeps a worker whose page was given up; ends it when the page goes on beyond its time",
    () =>
      Effect.gen(function*() {
        const kept = yield* workerAfter(patient, slow)
        assert.deepStrictEqual(kept.after, kept.before)
        // The saboteur's page: without a caller, and longer than it may take.
        const ended = yield* workerAfter({ ...patient, timeoutMs: grace(300) }, nested(3_000))
        assert.notDeepEqual(ended.after, ended.before)
      })
  )

  it.live("leaves nothing behind when its scope ends", () =>
    Effect.gen(function*() {
      const workers = () =>
        process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length
      const before = workers()
      yield* extractOnce(html(article))
      // Another test's worker may have ended meanwhile.
      assert.isAtMost(workers(), before)
    }))
})
