import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as FindHits from "../../src/application/FindHits.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import {
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../src/application/ports/SearchProvider.ts"
import type { Listing } from "../../src/domain/request/GroundingRequest.ts"
import * as PackSharing from "../../src/domain/session/PackSharing.ts"
import { caller, inMemory, providers, readingBy } from "../support/grounding.ts"
import { replays, textIn, typesIn } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"
import { ListResults } from "../support/sent.ts"
import { hit, requested } from "../support/sessionFacts.ts"

const urls = [1, 2, 3, 4].map((rank) => `https://housing-${rank}.example/notice`)
const hits = urls.map((url, index) => hit(url, { rank: index + 1 }))

/** Answers everybody alike, with as many hits as are wanted, and keeps what it was asked. */
const answering = (failing = false) => {
  const asked: Array<SearchRequest> = []
  const provider: SearchProvider = {
    name: "tavily",
    keySlot: 1,
    search: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        return failing
          ? Effect.fail(new SearchFailed({ provider: "tavily", status: "quota_exhausted" }))
          : Effect.succeed({ droppedCount: 0, hits: hits.slice(0, request.hitsMax), credits: 1 })
      })
  }
  return { asked, provider }
}

/** Text that is on the pages, and in nothing else. */
const canary = "Quokka-7731"

/** Reads every page but the last one. */
const reading = () => {
  const read: Array<string> = []
  const readers = readingBy(({ url }) =>
    Effect.suspend(() => {
      read.push(url)
      const text = `${canary} is told at ${url}, in a sentence that is long enough to be kept.`
      return url === urls.at(-1)
        ? Effect.fail(new EngineFailed({ engine: "local", reason: "refused", detail: "robots" }))
        : Effect.succeed({ reader: "web" as const, text, chunks: chunksOfText(text) })
    })
  )
  return { read, readers }
}

const inputOf = (listing: Listing, query = "tenant notice Japan", fields: object = {}) => ({
  ...FindHits.inputOf({ query }, "s"),
  ...fields,
  listing
})

const listed = (input: unknown) => Effect.flatMap(ListResults, ({ list }) => list(input, caller))

const stored = Effect.all({
  dump: textIn(),
  types: Effect.map(typesIn(), (all) => all.map((type) => type.replace("WEB_GROUNDING_", "")))
})

const isReplayed = Effect.map(replays(), ({ not_recomputed }) => {
  assert.strictEqual(not_recomputed, 0)
})

describe("a listing", () => {
  it.effect("of hits ends with the search: nothing is read, ranked or written", () => {
    const { asked, provider } = answering()
    const { read, readers } = reading()
    return Effect.gen(function*() {
      const { outcome, seen } = yield* listed(inputOf({ of: "hits", hits_max: 3 }))
      assert.deepStrictEqual(seen.hits.map(({ url }) => url), urls.slice(0, 3))
      assert.deepStrictEqual(seen.attempts.map(({ credits }) => credits), [1])
      assert.strictEqual(outcome.reason, "listed")
      assert.strictEqual(outcome.status, "success")
      assert.strictEqual(outcome.budget.spent_by_request, 1)
      assert.deepStrictEqual(asked.map(({ hitsMax }) => hitsMax), [3])
      assert.lengthOf(read, 0)
      assert.deepStrictEqual((yield* stored).types, [
        "REQUESTED",
        "DECIDED",
        "QUERY_PLANNED",
        "CALL_STARTED",
        "CALLED",
        "FINISHED"
      ])
      yield* isReplayed
    }).pipe(Effect.provide(inMemory(providers(provider), { readers })))
  })

  it.effect("with all the hits that were wanted asks no second provider", () => {
    const first = answering()
    const second = answering()
    return Effect.gen(function*() {
      yield* listed(inputOf({ of: "hits", hits_max: 1 }))
      assert.lengthOf(first.asked, 1)
      assert.lengthOf(second.asked, 0)
    }).pipe(
      Effect.provide(inMemory(providers(first.provider, { ...second.provider, name: "mock" })))
    )
  })

  const personal = "does jane.doe@mail.example own a flat in Osaka"

  it.effect.each(
    [[{ of: "hits", queries_as_given: true }, true], [{ of: "hits" }, false]] as const
  )("sends personal data only where its query leaves as given: %j", ([listing, leaves]) => {
    const { asked, provider } = answering()
    return Effect.gen(function*() {
      yield* listed(inputOf(listing, personal))
      assert.strictEqual(asked[0]?.query === personal, leaves)
      assert.strictEqual(JSON.stringify(asked).includes("jane.doe"), leaves)
      yield* isReplayed
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })

  it.effect.each([false, true])(
    "of pages has texts, which the log keeps with consent: %s",
    (kept) => {
      const { provider } = answering()
      const { read, readers } = reading()
      return Effect.gen(function*() {
        const { seen } = yield* listed(
          inputOf({ of: "pages", hits_max: 4 }, "tenant notice Japan", {
            consent_raw_content: kept
          })
        )
        assert.sameMembers(read, urls)
        assert.deepStrictEqual(
          seen.pages.map(({ reader, text }) => [reader, text.includes(canary)]),
          [["web", true], ["web", true], ["web", true], ["snippet", false]]
        )
        const { dump, types } = yield* stored
        assert.strictEqual(dump.includes(canary), kept)
        assert.deepStrictEqual(types.slice(-2), ["EVIDENCE_READ", "FINISHED"])
        yield* isReplayed
      }).pipe(Effect.provide(inMemory(providers(provider), { readers })))
    }
  )

  it.effect("of named pages searches nothing, and says which could not be read", () => {
    const { asked, provider } = answering()
    const { readers } = reading()
    return Effect.gen(function*() {
      const { outcome, seen } = yield* listed({
        session_id: "s",
        topic: "Pages that the caller named",
        listing: { of: "pages", urls }
      })
      assert.lengthOf(asked, 0)
      assert.deepStrictEqual(seen.pages.map(({ addresses }) => addresses[0]), urls.slice(0, 3))
      assert.deepStrictEqual(seen.unread, [{ url: urls[3] ?? "", reason: "robots" }])
      assert.strictEqual(outcome.reason, "listed")
      const { dump, types } = yield* stored
      assert.notInclude(dump, canary)
      assert.include(dump, `"unread":[{"reason":"robots","url":"${urls[3]}"}]`)
      assert.deepStrictEqual(types, ["REQUESTED", "EVIDENCE_READ", "FINISHED"])
      yield* isReplayed
    }).pipe(Effect.provide(inMemory(providers(provider), { readers })))
  })

  it.effect("of named pages that could not be read is reported as nothing found", () => {
    const { readers } = reading()
    return Effect.gen(function*() {
      const { outcome } = yield* listed({
        session_id: "s",
        topic: "Pages that the caller named",
        listing: { of: "pages", urls: urls.slice(3) }
      })
      assert.strictEqual(outcome.reason, "nothing_found")
      yield* isReplayed
    }).pipe(Effect.provide(inMemory(providers(answering().provider), { readers })))
  })

  it.effect("whose search failed says how", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* listed(inputOf({ of: "hits" }))
      assert.strictEqual(outcome.reason, "search_failed")
      assert.strictEqual(outcome.searches[0]?.status, "quota_exhausted")
      assert.lengthOf(seen.hits, 0)
      yield* isReplayed
    }).pipe(Effect.provide(inMemory(providers(answering(true).provider)))))

  it.effect("is set by a face alone, and no other session is given its answer", () =>
    Effect.gen(function*() {
      const { ground } = yield* Sent.PublicApi
      const input = inputOf({ of: "hits" })
      const refused = yield* Effect.flip(ground(input, caller))
      assert.deepInclude(refused, { _tag: "InvalidInput", field: "listing" })
      const { request } = requested()
      assert.isTrue(PackSharing.isShareable(request))
      assert.isFalse(PackSharing.isShareable({ ...request, listing: { of: "hits" } }))
    }).pipe(Effect.provide(inMemory(providers(answering().provider)))))
})
