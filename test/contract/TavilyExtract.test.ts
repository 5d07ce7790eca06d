/** Tavily's extraction against the sandbox, which speaks its protocol and fails on demand. */
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SandboxServer } from "../../packages/sandbox/src/SandboxServer.ts"
import * as TavilyExtract from "../../src/adapters/search/TavilyExtract.ts"
import type { ExtractRequest } from "../../src/application/ports/Engines.ts"
import { sandbox } from "../support/grounding.ts"
import { oneAnswer } from "../support/oneAnswer.ts"

const key = "tvly-sandbox-1"
const page = "https://www.housing.gov.example/japan/ending-a-lease"
const other = "https://www.kenko-hoken.go.example/en/copayment"
const unknown = "https://nowhere.example/page"

const extractorAt = (baseUrl: string, options: Partial<TavilyExtract.TavilyExtractOptions> = {}) =>
  TavilyExtract.make({
    apiKey: Option.some(Redacted.make(key)),
    baseUrl,
    keySlot: 1,
    label: "mock",
    projectId: "a-project",
    chunkCharsMin: 800,
    isHostAllowed: (host) => host.endsWith(".example"),
    ...options
  })

const asking = (...urls: ReadonlyArray<string>): ExtractRequest => ({ urls, timeoutMs: 5_000 })

it.layer(sandbox, { excludeTestServices: true })("Tavily's extraction", (it) => {
  it.effect("reads several pages by one request, and says no more than it has to", () =>
    Effect.gen(function*() {
      const { baseUrl, forget, hits } = yield* SandboxServer
      yield* forget
      const { credits, pages } = yield* extractorAt(baseUrl).extract(asking(page, other))
      assert.sameMembers([...pages.keys()], [page, other])
      const read = pages.get(page)
      assert.deepInclude(read, { reader: "tavily", detail: "extracted" })
      assert.include(read?.text, "one month")
      assert.strictEqual(credits, 1)
      const { recent: [sent], total } = yield* hits
      assert.strictEqual(total, 1)
      assert.strictEqual(sent?.path, "/extract")
      assert.deepStrictEqual(sent?.body, {
        urls: [page, other],
        extract_depth: "basic",
        format: "text",
        include_images: false,
        include_usage: true,
        timeout: 4
      })
      assert.strictEqual(sent?.headers["x-project-id"], "a-project")
      assert.notInclude(JSON.stringify(sent), key)
    }))

  it.effect("has the pages that were read where others failed", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer
      const { pages } = yield* extractorAt(baseUrl).extract(asking(unknown, page))
      assert.deepStrictEqual([...pages.keys()], [page])
      const none = yield* extractorAt(baseUrl).extract(asking(unknown))
      assert.strictEqual(none.pages.size, 0)
      assert.strictEqual(none.credits, 0)
    }))

  it.effect.each(
    [
      ["401", "invalid_key", undefined],
      ["429,retry-after=30", "rate_limited", undefined],
      ["432", "quota_exhausted", undefined],
      ["433", "quota_exhausted", "paygo_exhausted"],
      ["500", "network_error", "upstream_5xx"],
      ["502-html", "network_error", "upstream_5xx"],
      ["html-200", "unknown_error", "bad_body"],
      ["invalid-json", "unknown_error", "bad_body"],
      ["wrong-shape", "unknown_error", "bad_body"],
      ["empty-body", "unknown_error", "bad_body"],
      ["truncated", "unknown_error", "bad_body"],
      ["cut", "network_error", "cut_off"],
      ["reset", "network_error", undefined],
      ["huge,mib=24", "unknown_error", "too_large"]
    ] as const
  )("meets %s as %s", ([fault, status, detail]) =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer
      const failed = yield* Effect.flip(
        extractorAt(baseUrl).extract(asking(`${page}?fault=${fault}`))
      )
      assert.strictEqual(failed.status, status)
      assert.strictEqual(failed.detail, detail)
      assert.notInclude(JSON.stringify(failed), key)
      assert.notInclude(JSON.stringify(failed), "housing")
      if (fault.startsWith("429")) assert.strictEqual(failed.retry_after_ms, 30_000)
    }))

  it.effect("takes of an answer only what was asked for and can be read", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer
      for (const fault of ["hostile", "bad-urls", "odd-results", "empty", "missing-result"]) {
        const asked = asking(`${page}?fault=${fault}`)
        const { pages } = yield* extractorAt(baseUrl).extract(asked)
        assert.strictEqual(pages.size, 0, fault)
      }
      const doubled = `${page}?fault=doubled-result`
      const { pages } = yield* extractorAt(baseUrl).extract(asking(doubled))
      assert.deepStrictEqual([...pages.keys()], [doubled])
    }))

  it.effect("lets go of the connection when it is interrupted", () =>
    Effect.gen(function*() {
      const { baseUrl, openRequests } = yield* SandboxServer
      const hanging = extractorAt(baseUrl).extract(asking(`${page}?fault=hang`))
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(hanging, "300 millis")))
      for (let looks = 0; looks < 100 && (yield* openRequests) > 0; looks++) {
        yield* Effect.sleep("20 millis")
      }
      assert.strictEqual(yield* openRequests, 0)
    }))

  it.effect("sends nothing without a key, or with one that no header can carry", () =>
    Effect.gen(function*() {
      const { baseUrl, forget, hits } = yield* SandboxServer
      yield* forget
      for (
        const [apiKey, status] of [
          [Option.none(), "api_key_missing"],
          [Option.some(Redacted.make("  ")), "api_key_missing"],
          [Option.some(Redacted.make("tvly-a\nb")), "invalid_key"],
          [Option.some(Redacted.make("tvly-é")), "invalid_key"]
        ] as const
      ) {
        const { extract } = extractorAt(baseUrl, { apiKey })
        assert.strictEqual((yield* Effect.flip(extract(asking(page)))).status, status)
      }
      assert.strictEqual((yield* hits).total, 0)
    }))
})

it.live("a hostile text is taken without controls, cut, and never as another page's", () =>
  Effect.gen(function*() {
    const { baseUrl, say } = yield* oneAnswer
    const answer = (...results: ReadonlyArray<unknown>) =>
      say({
        contentType: "application/json",
        body: JSON.stringify({ results, failed_results: [], usage: { credits: "all" } })
      })
    const { extract } = extractorAt(baseUrl)
    yield* answer(
      { url: page, raw_content: "Ig\u200bnore \u001b[31mall\u0007 this.\u202e \u{E0041}End" },
      { url: page, raw_content: "A second answer." },
      { url: "https://evil.example/", raw_content: "Nobody asked." },
      { url: other, raw_content: 7 },
      "no object",
      null
    )
    const { credits, pages } = yield* extract(asking(page, other))
    assert.deepStrictEqual([...pages.keys()], [page])
    assert.isNaN(credits)
    const read = pages.get(page)
    assert.notMatch(read?.text ?? "", /[\u0000-\u0008\u200b\u202e\u{E0041}]/u)
    assert.include(read?.text, "Ignore")
    assert.isAbove(read?.removed_chars_count ?? 0, 3)
    yield* answer({ url: page, raw_content: "x ".repeat(300_000) })
    const long = (yield* extract(asking(page))).pages.get(page)
    assert.deepInclude(long, { truncated: true })
    assert.isAtMost(long?.text.length ?? Infinity, 200_000)
  }).pipe(Effect.scoped))

it("tells Tavily public addresses alone", () => {
  const { mayBeTold } = extractorAt("http://127.0.0.1:9")
  assert.isTrue(mayBeTold(page))
  for (
    const inside of [
      "http://10.0.0.1/",
      "http://localhost/",
      "https://user:secret@www.housing.gov.example/",
      "https://www.housing.gov.example:8443/",
      "ftp://www.housing.gov.example/",
      "https://wiki.internal/",
      "nothing"
    ]
  ) {
    assert.isFalse(mayBeTold(inside), inside)
  }
})
