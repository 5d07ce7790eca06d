import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { grace } from "../../language/test/support/machine.ts"
import { sandboxNetwork } from "../../safe-fetch/src/Network.ts"
import { fetcher, outcome } from "../../safe-fetch/test/support/webServers.ts"
import * as SandboxServer from "../src/SandboxServer.ts"
import { hiddenWords } from "../src/sites/SandboxSites.ts"

const addresses = globSync(join(import.meta.dirname, "../corpus/*.md")).sort().flatMap((file) =>
  /^url: (.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? []
)
const [first = ""] = addresses

const sitesFetcher = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  return yield* fetcher(sandboxNetwork(baseUrl), {
    robots: "respected",
    timeoutMs: grace(1_000)
  })
})

describe("the sandbox's sites", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("serve each page of the corpus among what pages have around them", () =>
      Effect.gen(function*() {
        const { fetch } = yield* sitesFetcher
        assert.isAtLeast(addresses.length, 70)
        for (const address of addresses) {
          const { body, contentType } = yield* fetch(address)
          assert.strictEqual(contentType, "text/html; charset=utf-8")
          assert.include(String(body), `<link rel="canonical" href="${address}">`)
          for (const part of ["<nav>", "cookie", "<h1>", "<footer>", hiddenWords]) {
            assert.include(String(body), part, address)
          }
        }
      }))

    it.effect("go wrong on demand, by path or for all", () =>
      Effect.gen(function*() {
        const { fetch } = yield* sitesFetcher
        const { setPageFault } = yield* SandboxServer.SandboxServer
        const { host } = new URL(first)
        const at = (path: string) => outcome(fetch(`https://${host}${path}`))
        const ends: Readonly<Record<string, string>> = {
          "/no-such-page": "http_404",
          "/private/x": "robots",
          "/_fault/404": "http_404",
          "/_fault/403": "http_403",
          "/_fault/503": "http_503",
          "/_fault/hang": "timeout",
          "/_fault/drip": "timeout",
          "/_fault/stall": "timeout",
          "/_fault/cut": "truncated",
          "/_fault/reset": "unreachable",
          "/_fault/redirect-loop": "too_many_redirects",
          "/_fault/huge": "too_large",
          "/_fault/gzip-bomb": "too_large",
          "/_fault/zip": "type_forbidden",
          "/_fault/charset": "fetched",
          "/_fault/pdf": "fetched",
          "/_fault/text": "fetched",
          "/_fault/no-such-fault": "http_404"
        }
        for (const [path, end] of Object.entries(ends)) {
          assert.strictEqual(yield* at(path), end, path)
        }
        yield* setPageFault("500x1")
        assert.strictEqual(yield* outcome(fetch(first)), "http_500")
        yield* setPageFault("")
        assert.strictEqual(yield* outcome(fetch(first)), "fetched")
      }))

    it.effect("are all that their network reaches", () =>
      Effect.gen(function*() {
        const { baseUrl, pagesAsked } = yield* SandboxServer.SandboxServer
        const { fetch } = yield* sitesFetcher
        const before = (yield* pagesAsked).length
        for (
          const address of [
            "https://www.wikipedia.org/",
            baseUrl,
            "http://127.0.0.1/",
            "http://sandbox/"
          ]
        ) {
          assert.match(yield* outcome(fetch(address)), /^(name|address|port)_forbidden$/, address)
        }
        assert.lengthOf(yield* pagesAsked, before)
      }))
  })
})
