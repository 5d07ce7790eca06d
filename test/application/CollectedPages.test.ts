/** Pages that are collected by their address: the address and the text that are kept. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Engine, PageText } from "../../src/application/ports/Engines.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import type * as SitePolicy from "../../src/domain/search/SitePolicy.ts"
import { pageOfEntry } from "../../src/domain/store/StoredPage.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith } from "../../src/wiring/layers.ts"
import { caller, limits } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import { EvidenceApi } from "../support/sent.ts"

const text = "The reading room of the institute opens at 7:30 and has 64 desks for visitors."
const spans = [{ start: 0, end: text.length }]

/** Answers for every address with the same page. */
const reading = (
  page: Partial<PageText> & { readonly href?: string },
  sites?: SitePolicy.SitePolicy
) => {
  const { href, ...fields } = page
  const address = href === undefined ? {} : { address: { href, host: new URL(href).hostname } }
  const asked: Array<number | undefined> = []
  const reader: Engine<"reader"> = {
    info: { engine: "local", version: "1" },
    ask: ({ textCharsMax }) =>
      Effect.sync(() => {
        asked.push(textCharsMax)
        return { reader: "web", text, chunks: spans, ...address, ...fields }
      })
  }
  const layer = evidenceWith(Engines.layer({ reader: [reader] })).pipe(
    Layer.provideMerge(
      Layer.mergeAll(MemoryEventStore.layer, MemoryEvidenceStore.layer, limits({ sites }))
    )
  )
  return { asked, layer }
}

const collected = Effect.fnUntraced(function*(...urls: ReadonlyArray<string>) {
  yield* TestClock.setTime(Date.UTC(2026, 10, 22))
  const api = yield* EvidenceApi
  const answers = yield* Effect.forEach(
    urls,
    (source_url) => api.collectPage({ source_url }, caller)
  )
  const { found } = yield* api.search({ query: "reading room" }, caller)
  const { all } = yield* EventStore
  const events = yield* Stream.runCollect(all(logStart))
  return { answers, found, facts: events.map(({ data }) => data) }
})

const officialOf = (entry: Effect.Success<ReturnType<typeof collected>>["found"][number]) =>
  pageOfEntry("e1", entry, () => "x").official

describe("a page that is collected by its address", () => {
  it.effect("is under the address that answered, once for two links to it", () => {
    const href = "https://www.spam.example/offer"
    const { layer } = reading({ href })
    return Effect.gen(function*() {
      const short = ["https://www.housing.gov.example/go?to=x", "https://short.example/1"]
      const { answers, facts, found } = yield* collected(...short)
      assert.deepStrictEqual(answers.map(({ asked_url }) => asked_url), short)
      assert.deepStrictEqual(found.map(({ source_id }) => source_id), [href])
      const [entry] = found
      assert.isDefined(entry)
      assert.isFalse(officialOf(entry))
      assert.deepInclude(facts[0], { source_url: href, asked_url: short[0] })
      // As before: a check of only the redirecting entry's host would accept it.
      const credited = { ...entry, official: true as const, source_url: short[0] ?? "" }
      assert.isTrue(officialOf(credited))
    }).pipe(Effect.provide(layer))
  })

  it.effect("is of a site that may be used, where it is asked for and where it answers", () => {
    const sites = { allow: [], deny: ["spam.example"] }
    const [near, far] = [
      reading({}, sites),
      reading({ href: "https://www.spam.example/offer" }, sites)
    ]
    const reasonOf = (source_url: string) =>
      Effect.map(Effect.flip(collected(source_url)), ({ message }) => message)
    return Effect.gen(function*() {
      const barred = /site_not_allowed/
      assert.match(yield* Effect.provide(reasonOf("https://spam.example/"), near.layer), barred)
      assert.deepStrictEqual(near.asked, [])
      assert.match(yield* Effect.provide(reasonOf("https://a.example/"), far.layer), barred)
    })
  })

  it.effect("is official only where it was fetched, whatever a note says", () =>
    Effect.gen(function*() {
      const url = "https://www.housing.gov.example/room"
      const { found } = yield* collected(url)
      const [entry] = found
      assert.isDefined(entry)
      assert.isTrue(officialOf(entry))
      const api = yield* EvidenceApi
      const material = { source_url: url, title: "T", text }
      yield* api.collect({ material: { source_type: "web_search", ...material } }, caller)
      const note = { source_type: "user_note", source_id: "n", ...material }
      yield* api.collect({ material: note }, caller)
      const told = yield* api.search({ query: "reading room" }, caller)
      assert.deepStrictEqual(told.found.map(officialOf), [false, false])
      assert.isFalse(officialOf({ ...entry, source_type: "user_note" }))
      const claimed = { material: { ...note, official: true } }
      assert.strictEqual((yield* Effect.flip(api.collect(claimed, caller)))._tag, "InvalidInput")
    }).pipe(Effect.provide(reading({}).layer)))

  it.effect("keeps its dates, and says what was taken out and that it was cut", () => {
    const { asked, layer } = reading({
      published_date: "2019-03-01",
      modified_date: "2026-11-02",
      truncated: true,
      removed_chars_count: 2,
      text: `${text}\u200B`
    })
    return Effect.gen(function*() {
      const { answers: [answer], facts: [fact], found: [entry] } = yield* collected(
        "https://a.example/x"
      )
      const dates = { published_date: "2019-03-01", modified_date: "2026-11-02" }
      assert.isDefined(entry)
      assert.deepInclude(pageOfEntry("e1", entry, () => "x"), dates)
      assert.deepInclude(fact, { ...dates, truncated: true, removed_chars_count: 3 })
      assert.deepInclude(answer, { truncated: true, removed_chars_count: 3 })
      assert.deepStrictEqual(asked, [1_000_000])
    }).pipe(Effect.provide(layer))
  })
})
