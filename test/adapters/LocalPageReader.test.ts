import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ExtractionReason } from "../../packages/pages/src/ExtractedPage.ts"
import { FetchFailed, sandboxNetwork } from "../../packages/safe-fetch/src/Network.ts"
import type { FetchedBytes } from "../../packages/safe-fetch/src/SafeFetch.ts"
import { fetcher } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import type { Engine } from "../../src/application/ports/Engines.ts"
import type { SearchHit } from "../../src/domain/search/SearchStatus.ts"

const hitAt = (url: string): SearchHit => ({
  url,
  title: "A page",
  content: "A snippet.",
  provider: "mock",
  rank: 1,
  site: "a.example",
  official: false
})

const wordOf = (reader: Engine<"reader">, url = "https://a.example/?key=SECRET") =>
  Effect.match(reader.ask(hitAt(url)), {
    onFailure: ({ detail, reason }) => `${reason} ${detail}`,
    onSuccess: (page) => page?.reader ?? "nothing"
  })

const page: FetchedBytes = {
  url: "https://a.example/",
  contentType: "text/html",
  body: new TextEncoder().encode("<p>Words.</p>")
}
const reading = (options: Partial<LocalPageReader.LocalPageReaderOptions>) =>
  LocalPageReader.make({
    fetch: () => Effect.succeed(page),
    extract: () => Effect.succeed({ text: "Words." }),
    ...options
  })

describe("the local reader", () => {
  it.effect("answers with what the page says of itself and passages of its text", () =>
    Effect.gen(function*() {
      const text = `Notice\n${
        "A tenant gives a month's notice. ".repeat(60)
      }\nDeposits\nThey are returned.`
      const said = {
        title: "Notice",
        published_date: "2026-01-02",
        modified_date: "2026-02-03",
        language: "en",
        canonical_url: "https://a.example/notice",
        removed_chars_count: 3
      }
      const headings = [{ start: 0, end: 6 }, {
        start: text.indexOf("Deposits"),
        end: text.indexOf("Deposits") + 8
      }]
      const reader = reading({ extract: () => Effect.succeed({ text, headings, ...said }) })
      const found = yield* reader.ask(hitAt("https://a.example/"))
      assert.deepInclude(found, { reader: "web", text, headings, ...said })
      assert.isAtLeast(found?.chunks.length ?? 0, 2)
      for (const { end, start } of found?.chunks ?? []) {
        assert.isTrue(start < end && end <= text.length)
      }
      const smaller = reading({ extract: () => Effect.succeed({ text }), chunkCharsMin: 200 })
      const { chunks = [] } = (yield* smaller.ask(hitAt("https://a.example/"))) ?? {}
      assert.isTrue(chunks.every(({ end, start }) => end - start <= 300))
    }))

  it.effect("names the address that answered where it is another one", () =>
    Effect.gen(function*() {
      const landed = (url: string, asked = "https://a.example/") =>
        Effect.map(
          reading({ fetch: () => Effect.succeed({ ...page, url }) }).ask(hitAt(asked)),
          (found) => found?.address?.href
        )
      assert.isUndefined(yield* landed("https://a.example/"))
      assert.isUndefined(yield* landed("https://a.example/?utm_source=mail#top"))
      assert.strictEqual(
        yield* landed("https://b.example/x?utm_source=mail"),
        "https://b.example/x"
      )
      const tooLong = reading({
        fetch: () => Effect.succeed({ ...page, url: `https://b.example/${"x".repeat(2_100)}` })
      })
      assert.strictEqual(yield* wordOf(tooLong), "refused address_invalid")
    }))

  it.effect("reads only so much of a long text, and cuts no character", () =>
    Effect.gen(function*() {
      const text = `a${"😀 ".repeat(100_000)}`
      const headings = [{ start: text.length - 4, end: text.length - 1 }]
      const reader = reading({ extract: () => Effect.succeed({ text, headings }) })
      const found = yield* reader.ask(hitAt("https://a.example/"))
      assert.isAtMost(found?.text.length ?? 0, LocalPageReader.textCharsMax)
      assert.isTrue(found?.text.isWellFormed())
      assert.isTrue(found?.truncated)
      const more = yield* reader.ask({ ...hitAt("https://a.example/"), textCharsMax: 1_000_000 })
      assert.strictEqual(more?.text.length, text.trimEnd().length + 1)
      assert.notProperty(more, "truncated")
      assert.deepStrictEqual(found?.headings, [])
    }))

  it.effect.each(
    [
      ["Just a moment...", "Verifying you are human.", "refused captcha"],
      ["Fees", "Sign in to continue to Halvern.", "refused login_wall"],
      ["Page not found", "Try the search.", "refused soft_404"],
      ["Fees", "\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd\ufffd", "malformed garbled"]
    ] as const
  )("takes no placeholder for the page: %s, %s", ([title, text, word]) =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* wordOf(reading({ extract: () => Effect.succeed({ title, text }) })),
        word
      )
    }))

  it.effect("says that a page is partly read where its end asks for an account", () =>
    Effect.gen(function*() {
      const text = `${
        "A tenant gives notice in writing. ".repeat(40)
      }Subscribe to continue reading.`
      const found = yield* reading({ extract: () => Effect.succeed({ text }) })
        .ask(hitAt("https://a.example/"))
      assert.isTrue(found?.truncated)
    }))

  it.effect("says why it does not answer, in words that reveal nothing of address or text", () =>
    Effect.gen(function*() {
      const ends = (fault: FetchFailed["fault"], status?: number) =>
        wordOf(reading({
          fetch: () =>
            Effect.fail(new FetchFailed({ fault, ...(status === undefined ? {} : { status }) }))
        }))
      assert.strictEqual(yield* ends("robots"), "refused robots")
      assert.strictEqual(yield* ends("address_forbidden"), "refused address_forbidden")
      assert.strictEqual(yield* ends("http_status", 404), "refused http_404")
      assert.strictEqual(yield* ends("http_status", 503), "unreachable http_503")
      assert.strictEqual(yield* ends("timeout"), "timeout timeout")
      assert.strictEqual(yield* ends("truncated"), "truncated truncated")
      const extract = (reason: ExtractionReason) => () => Effect.fail({ reason })
      assert.strictEqual(
        yield* wordOf(reading({ extract: extract("no_text") })),
        "malformed no_text"
      )
      assert.strictEqual(
        yield* wordOf(reading({ extract: extract("timeout") })),
        "timeout extraction"
      )
      const pdf = { ...page, contentType: "application/pdf", body: new Uint8Array(4) }
      assert.strictEqual(
        yield* wordOf(reading({ fetch: () => Effect.succeed(pdf), extract: extract("malformed") })),
        "malformed pdf_not_read"
      )
      const blank = reading({ extract: () => Effect.succeed({ text: " \n " }) })
      assert.strictEqual(yield* wordOf(blank), "malformed no_text")
    }))
})

describe("the local reader and the sandbox's sites", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("meet", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const { open: fetch } = yield* fetcher(sandboxNetwork(baseUrl), { robots: "respected" })
        const reader = reading({ fetch })
        const host = "https://www.kenko-hoken.go.example"
        assert.strictEqual(yield* wordOf(reader, `${host}/en/copayment`), "web")
        assert.strictEqual(yield* wordOf(reader, `${host}/private/a`), "refused robots")
        assert.strictEqual(yield* wordOf(reader, `${host}/nowhere`), "refused http_404")
        assert.strictEqual(yield* wordOf(reader, "http://10.0.0.1/"), "refused address_forbidden")
      }))
  })
})
