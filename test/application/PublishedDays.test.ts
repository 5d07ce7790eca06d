/** Results of the days of publication that a caller asks for, from an engine or from the cache. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import type { SearchProvider, SearchRequest } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limits, plain, providers } from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"

/** An engine that has all days among its answers, and says what it was asked for. */
const engine = (name: "serper" | "tavily", asked: Array<SearchRequest>): SearchProvider => ({
  name,
  search: (request) =>
    Effect.sync(() => {
      asked.push(request)
      const days = ["2026-03-31", "2026-04-01", "2026-04-30", "2026-05-01", ""]
      return {
        droppedCount: 0,
        honoured: { published: "approximated" },
        hits: days.map((published_date, place) =>
          hit(`https://${name}${place}.example/`, {
            rank: place + 1,
            content: `A ticket in Halvern costs ${place + 2} crowns.`,
            ...(published_date === "" ? {} : { published_date })
          })
        )
      }
    })
})

const api = (asked: Array<SearchRequest>, hitsScarceMax = 1) =>
  useCases.pipe(
    Layer.provide(Layer.mergeAll(
      providers(engine("tavily", asked), engine("serper", asked)),
      instance("p", false),
      limits({ hitsScarceMax })
    )),
    Layer.provideMerge(Layer.mergeAll(
      plain,
      MemoryEventStore.layer,
      MemoryEvidenceStore.layer,
      MemoryQueryCache.layer,
      MemoryReadModels.layer,
      MemoryCredits.layer({})
    ))
  )

const april = { published_from: "2026-04-01", published_until: "2026-04-30" }

const ask = (session_id: string, overrides: object) =>
  Effect.flatMap(PublicApi, ({ ground }) =>
    ground({
      session_id,
      request_id: "r",
      topic: "How much is a ticket in Halvern?",
      phase: "mid_chat",
      user_asked_for_facts: true,
      overrides: { max_queries: 1, sources: "web", ...overrides }
    }, caller))

const recorded = (session_id: string) =>
  Effect.map(
    Effect.flatMap(EventStore, (store) => store.read({ tenant_id: "t", session_id })),
    ({ events }) => JSON.stringify(events.map(({ data }) => data)).match(/2026-0[345]-\d\d(?=")/g)
  )

describe("days of publication", () => {
  it.effect("are asked for, reported, and hits of other days are left out, of the cache too", () =>
    Effect.gen(function*() {
      const asked: Array<SearchRequest> = []
      yield* Effect.gen(function*() {
        const first = yield* ask("s", april)
        const [search] = first.searches
        assert.deepInclude(search, {
          hits_count: 3,
          left_out_by_date: 2,
          honoured: { published: "approximated" }
        })
        assert.deepInclude(asked[0], { from: "2026-04-01", until: "2026-04-30" })
        const again = yield* ask("other", april)
        assert.deepInclude(again.searches[0], {
          hits_count: 3,
          honoured: { published: "approximated" }
        })
        assert.isDefined(again.searches[0]?.cached_age_ms)
        assert.lengthOf(asked, 1)
        for (const session of ["s", "other"]) {
          for (const day of (yield* recorded(session)) ?? []) assert.match(day, /^2026-04/)
        }
        // Other days are another search, and so are none.
        yield* ask("may", { published_from: "2026-05-01" })
        yield* ask("any", {})
        assert.lengthOf(asked, 3)
        const { replay } = yield* PublicApi
        assert.isUndefined((yield* replay({ session_id: "s" }, caller)).difference)
      }).pipe(Effect.provide(api(asked)))
    }))

  it.effect("are counted before the next engine is spared", () =>
    Effect.gen(function*() {
      const asked: Array<SearchRequest> = []
      yield* Effect.provide(ask("s", april), api(asked, 3))
      assert.lengthOf(asked, 2)
    }))

  it.effect("that are none are refused by their field", () =>
    Effect.gen(function*() {
      const asked: Array<SearchRequest> = []
      for (
        const [field, overrides] of [
          ["published_until", { published_from: "2026-05-01", published_until: "2026-04-30" }],
          ["published_from", { published_from: "2026-02-29" }],
          ["published_from", { published_from: "yesterday" }],
          ["published_until", { published_until: "2026-4-1" }],
          ["time_range", { ...april, time_range: "week" }]
        ] as const
      ) {
        const failure = yield* Effect.flip(Effect.provide(ask("s", overrides), api(asked)))
        assert.strictEqual("field" in failure ? failure.field : "", `overrides.${field}`)
      }
      assert.lengthOf(asked, 0)
    }))
})
