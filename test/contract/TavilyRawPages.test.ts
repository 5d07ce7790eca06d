/** The pages' own text that comes with Tavily's hits: who reads it, and what is left of it. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SandboxServer } from "../../packages/sandbox/src/SandboxServer.ts"
import * as TavilySearch from "../../src/adapters/search/TavilySearch.ts"
import { sandbox } from "../support/grounding.ts"
import { providerAt, request } from "../support/sandboxSearch.ts"

const answerWith = (...pages: ReadonlyArray<readonly [url: string, raw_content: unknown]>) =>
  JSON.stringify({ results: pages.map(([url, raw_content]) => ({ url, raw_content })) })

const page = "https://a.example/page"

const readerOf = Effect.map(
  TavilySearch.RawPages,
  (pages) => TavilySearch.makeRawReader({ pages, chunkCharsMin: 800 })
)

const fresh = Effect.provide(Layer.fresh(TavilySearch.layer))

it.effect("Tavily's texts are read without controls, and cut where they are long", () =>
  Effect.gen(function*() {
    const { take } = yield* TavilySearch.RawPages
    const reader = yield* readerOf
    yield* take(answerWith(
      ["https://A.example/page#top", "A first\u200b line.\u0007\r\nA second."],
      ["https://b.example/", "x ".repeat(200_000)],
      ["javascript:alert(1)", "no page"],
      ["https://c.example/", null],
      ["https://d.example/", 7],
      ["https://f.example/", "Just a moment... Verifying you are human."]
    ))
    assert.deepStrictEqual(yield* reader.ask({ url: page, content: "" }), {
      reader: "tavily",
      text: "A first line.\nA second.",
      chunks: [{ start: 0, end: 23 }],
      removed_chars_count: 2
    })
    const long = yield* reader.ask({ url: "https://b.example/", content: "" })
    assert.deepInclude(long, { truncated: true })
    assert.isAtMost(long?.text.length ?? Infinity, TavilySearch.rawCharsMax)
    for (const url of ["https://c.example/", "https://d.example/", "https://e.example/"]) {
      const failed = yield* Effect.flip(reader.ask({ url, content: "a snippet" }))
      assert.deepInclude(failed, { reason: "malformed", detail: "no_text" })
    }
    const wall = yield* Effect.flip(reader.ask({ url: "https://f.example/", content: "" }))
    assert.strictEqual(wall.detail, "captcha")
  }).pipe(fresh))

it.effect("Tavily's texts are forgotten soon, the oldest first, and survive odd answers", () =>
  Effect.gen(function*() {
    const { take, textOf } = yield* TavilySearch.RawPages
    yield* take(answerWith([page, "One."]))
    for (const odd of ["", "no json", "{}", "{\"results\":{}}", "{\"results\":[7]}"]) {
      yield* take(odd)
    }
    assert.isTrue((yield* textOf(page))._tag === "Some")
    yield* take(answerWith(
      ...Array.from({ length: 200 }, (_, n) => [`https://${n}.example/`, "x"] as const)
    ))
    assert.isTrue((yield* textOf(page))._tag === "None")
    assert.isTrue((yield* textOf("https://199.example/"))._tag === "Some")
    yield* TestClock.adjust("121 seconds")
    assert.isTrue((yield* textOf("https://199.example/"))._tag === "None")
  }).pipe(fresh))

it.layer(sandbox, { excludeTestServices: true })("Tavily's texts", (it) => {
  it.effect("are requested where they can be kept, and not recorded with the hits", () =>
    Effect.gen(function*() {
      const { baseUrl, forget, hits } = yield* SandboxServer
      yield* forget
      const rawPages = yield* TavilySearch.RawPages
      const asking = yield* providerAt(baseUrl, { rawPages })
      const { credits, hits: found } = yield* asking.search(request())
      const reader = yield* readerOf
      assert.strictEqual(credits, 1)
      for (const hit of found) {
        const read = yield* reader.ask(hit)
        assert.isAbove(read?.text.length ?? 0, 0)
        assert.notProperty(hit, "raw_content")
        assert.notInclude(JSON.stringify(hit), read?.text ?? "")
      }
      const plain = yield* providerAt(baseUrl)
      yield* plain.search(request())
      const bodies = (yield* hits).recent.map(({ body }) => Object(body).include_raw_content)
      assert.deepStrictEqual(bodies, ["text", false])
    }).pipe(fresh))

  it.effect.each(
    [
      ["429", "rate_limited"],
      ["cut", "network_error"],
      ["wrong-shape", "unknown_error"],
      ["huge,mib=24", "unknown_error"]
    ] as const
  )("are none after the fault %s", ([fault, status]) =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer
      const rawPages = yield* TavilySearch.RawPages
      const provider = yield* providerAt(baseUrl, { rawPages })
      const query = `Halvern tram fare fault:${fault}`
      const failed = yield* Effect.flip(provider.search(request({ query })))
      assert.strictEqual(failed.status, status)
    }).pipe(fresh))
})
