/**
 * What may go wrong with pages, at all of them at once, through the whole path: each is its snippet
 * then, the record says why in one word, and the task goes on inside its deadline.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import { sandboxNetwork } from "../../packages/safe-fetch/src/Network.ts"
import { fetcher } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import type { Chain } from "../../src/application/ports/Engines.ts"
import { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import type { Rung } from "../../src/domain/session/EngineDetail.ts"
import { caller, inMemory, oneQuery, sandbox, sandboxProviders } from "../support/grounding.ts"
import { grace } from "../support/machine.ts"
import { PublicApi } from "../support/sent.ts"

const deadlineMs = 25_000
const graceIdleMs = 250
const readTimeoutMs = 20_000

/** The fault, and what is recorded of it; none where the page can be read all the same. */
const faults: Readonly<Record<string, string | undefined>> = {
  "": undefined,
  charset: undefined,
  text: undefined,
  "401": "refused http_401",
  "403": "refused http_403",
  "404": "refused http_404",
  "429": "refused http_429",
  "451": "refused http_451",
  "500": "unreachable http_500",
  "503": "unreachable http_503",
  reset: "unreachable unreachable",
  cut: "truncated truncated",
  hang: "timeout timeout",
  stall: "timeout timeout",
  drip: "timeout timeout",
  huge: "refused too_large",
  "gzip-bomb": "refused too_large",
  "redirect-loop": "refused too_many_redirects",
  "empty-body": "refused type_forbidden",
  zip: "refused type_forbidden",
  pdf: "malformed pdf_not_read"
}

/** Waiting for them is what is tested; all else is given the time of a busy machine. */
const silent: ReadonlySet<string> = new Set(["hang", "stall", "drip"])

const readersFor = Effect.fnUntraced(function*(fault: string) {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { extractPage } = yield* PageExtraction.PageExtractions
  const { open: fetch } = yield* fetcher(sandboxNetwork(baseUrl), {
    robots: "respected",
    timeoutMs: silent.has(fault) ? 800 : 8_000
  })
  const local = LocalPageReader.make({ fetch, extract: extractPage })
  return { preferred: [local], last: LocalEngines.reader }
})

const extraction = Layer.effect(
  PageExtraction.PageExtractions,
  PageExtraction.make({ timeoutMs: 12_000, waitedTimeoutMs: 12_000, workersMax: 2 })
)

/** A grounding on a log of its own, with who read its pages. */
const groundWith = (reading: Chain<"reader">) =>
  Effect.gen(function*() {
    const search = Layer.succeed(SearchProviders, yield* SearchProviders)
    const rungs: Array<Rung> = []
    const kinds = new Set<string>()
    const startMs = yield* Clock.currentTimeMillis
    const outcome = yield* Effect.gen(function*() {
      const api = yield* PublicApi
      return yield* api.ground(
        oneQuery(deadlineMs),
        caller,
        ({ event }) =>
          Effect.sync(() => {
            if (event._tag !== "WEB_GROUNDING_EVIDENCE_READ") return
            rungs.push(event.rung)
            event.pages.forEach(({ reader }) => kinds.add(reader))
          })
      )
    }).pipe(Effect.provide(inMemory(search, { readers: reading, limits: { readTimeoutMs } })))
    return { outcome, rungs, kinds, tookMs: (yield* Clock.currentTimeMillis) - startMs }
  })

describe("a page's fault never fails the task", () => {
  const all = Layer.mergeAll(extraction, sandboxProviders).pipe(Layer.provideMerge(sandbox))
  layer(all, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(Object.keys(faults).map((fault) => ({ fault })))(
      "with $fault at all pages",
      ({ fault }) =>
        Effect.gen(function*() {
          const { setPageFault } = yield* SandboxServer.SandboxServer
          yield* setPageFault(fault)
          const { kinds, outcome, rungs, tookMs } = yield* groundWith(yield* readersFor(fault))
          const word = faults[fault]
          assert.isAtMost(tookMs, deadlineMs + grace(graceIdleMs))
          assert.deepStrictEqual([...kinds], [word === undefined ? "web" : "snippet"])
          const said = rungs.flatMap((rung) => rung.faults)
            .map(({ detail, engine, reason }) => `${engine} ${reason} ${detail}`)
          // Where all pages are large at once there may be no room for one of them to show its size.
          const told = said.filter((fault) => fault !== "local unreachable busy")
          assert.isTrue(told.length === said.length || ["gzip-bomb", "huge"].includes(fault))
          assert.deepStrictEqual(told, word === undefined ? [] : [`local ${word}`])
          if (fault !== "text") assert.isAbove(outcome.pack.confidence, 0)
        }),
      30_000
    )
  })
})
