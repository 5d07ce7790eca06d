import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { isPublic, type Network } from "../src/Network.ts"
import {
  atHost,
  insideAddresses,
  insideForms,
  insideNames,
  insidePorts,
  insideUrls,
  inward,
  notPages
} from "./support/insideAddresses.ts"
import { fetcher, internet, outcome, publicAddress } from "./support/webServers.ts"

const page: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<p>A page.</p>")
}

/** Fetches all, a few at a time, and answers with how each ended. */
const outcomesOf = Effect.fnUntraced(
  function*(network: Network, addresses: ReadonlyArray<string>) {
    const { fetch } = yield* fetcher(network, { timeoutMs: 3_000 })
    return yield* Effect.forEach(addresses, (address) => outcome(fetch(address)), {
      concurrency: 8
    })
  }
)

describe("requests to an internal network", () => {
  it.live("are not made to any address of it, in any writing", () =>
    Effect.gen(function*() {
      const web = yield* internet({ site: page })
      assert.isAtLeast(insideAddresses.length, 58)
      assert.isAtLeast(insideForms.length, 147)
      for (const [place, ended] of (yield* outcomesOf(web.network(), insideUrls)).entries()) {
        assert.match(ended, /^(address|userinfo|name)_(forbidden|invalid)$/, insideUrls[place])
      }
      assert.deepStrictEqual([web.canaryHits(), web.dials.length, web.lookups.length], [0, 0, 0])
    }))

  it.live("are not made by scheme, port or name", () =>
    Effect.gen(function*() {
      const web = yield* internet({ site: page })
      const ends = (addresses: ReadonlyArray<string>) => outcomesOf(web.network(), addresses)
      assert.deepStrictEqual(new Set(yield* ends(notPages)), new Set(["scheme_forbidden"]))
      assert.deepStrictEqual(
        new Set(yield* ends(insideNames.map(atHost))),
        new Set(["name_forbidden"])
      )
      assert.deepStrictEqual(new Set(yield* ends(insidePorts)), new Set(["port_forbidden"]))
      assert.lengthOf([...web.dials, ...web.lookups], 0)
    }))

  it.live("are not made when a name resolves to one, alone or among public addresses", () =>
    Effect.gen(function*() {
      const cases = insideAddresses.flatMap((address) => [
        [address],
        [address, publicAddress],
        [publicAddress, address],
        [publicAddress, "2606:4700::6810:84e5", address]
      ])
      const web = yield* internet({
        site: page,
        resolve: (host) => cases[Number(/^n(\d+)\./.exec(host)?.[1])] ?? []
      })
      const hosts = cases.map((_, place) => `http://n${place}.wikipedia.org/`)
      const ended = yield* outcomesOf(web.network(), hosts)
      assert.deepStrictEqual(new Set(ended), new Set(["address_forbidden"]))
      assert.deepStrictEqual([web.canaryHits(), web.dials.length], [0, 0])
    }))
})

describe("redirects", () => {
  it.live("go nowhere that a first address may not", () =>
    Effect.gen(function*() {
      for (const status of [301, 302, 303, 307, 308]) {
        const web = yield* internet({
          site: (request, response) => {
            const location = inward[Number(request.url?.slice(1))] ?? ""
            response.writeHead(status, { location: encodeURI(location).replaceAll("%25", "%") })
              .end()
          },
          resolve: (host) => host.startsWith("inside.") ? ["10.0.0.1"] : [publicAddress]
        })
        const starts = inward.map((_, place) => `http://www.wikipedia.org/${place}`)
        for (const [place, ended] of (yield* outcomesOf(web.network(), starts)).entries()) {
          assert.match(ended, /_(forbidden|invalid)$/, `${status} ${inward[place]}`)
        }
        assert.strictEqual(web.canaryHits(), 0)
        assert.lengthOf(web.dials, inward.length)
      }
    }))

  it.live("are followed five times, not six, and not in a circle", () =>
    Effect.gen(function*() {
      const web = yield* internet({
        site: (request, response) => {
          const left = Number(request.url?.slice(1))
          if (left === 0) return page(request, response)
          response.writeHead(302, { location: request.url === "/loop" ? "/loop" : `/${left - 1}` })
            .end()
        }
      })
      const at = (path: string) => `http://www.wikipedia.org/${path}`
      assert.deepStrictEqual(
        yield* outcomesOf(web.network(), ["5", "6", "loop"].map(at)),
        ["fetched", "too_many_redirects", "too_many_redirects"]
      )
      assert.lengthOf(web.dials, 18)
    }))

  it.live("are not followed to what the caller bars, not even to its robots.txt", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const web = yield* internet({
        site: (request, response) => {
          asked.push(`${request.headers.host}${request.url}`)
          if (request.url !== "/led") return page(request, response)
          response.writeHead(302, { location: "http://barred.wikipedia.org/" }).end()
        }
      })
      const { open } = yield* fetcher(web.network(), { robots: "respected" })
      const isAllowed = (address: string) => !address.includes("barred")
      const opened = (address: string) => outcome(Effect.scoped(open(address, isAllowed)))
      assert.deepStrictEqual(
        [
          yield* opened("http://www.wikipedia.org/led"),
          yield* opened("http://barred.wikipedia.org/"),
          yield* opened("http://www.wikipedia.org/here")
        ],
        ["site_not_allowed", "site_not_allowed", "fetched"]
      )
      assert.deepStrictEqual(asked.filter((one) => one.includes("barred")), [])
    }))

  it.live("do not go from https to http", () =>
    Effect.gen(function*() {
      const location = "http://www.wikipedia.org/open"
      const web = yield* internet({
        site: (request, response) => {
          if (request.url === "/open") return page(request, response)
          response.writeHead(301, { location }).end()
        }
      })
      const real = web.network()
      const unsealed = web.network({
        connect: (place) => real.connect({ ...place, secure: false })
      })
      assert.deepStrictEqual(
        yield* outcomesOf(unsealed, ["https://www.wikipedia.org/", "http://www.wikipedia.org/"]),
        ["downgrade_forbidden", "fetched"]
      )
    }))
})

describe("a resolver that changes its mind", () => {
  const rounds = 1_000
  const flip = (_: string, lookup: number) => [lookup % 2 === 0 ? "127.0.0.1" : publicAddress]

  it.live("is asked once a hop, and what it said is what is dialled", () =>
    Effect.gen(function*() {
      const web = yield* internet({ site: page, resolve: flip })
      const urls = Array.from({ length: rounds }, (_, round) => `http://r${round}.wikipedia.org/`)
      const ended = yield* outcomesOf(web.network(), urls)
      assert.lengthOf(ended.filter((end) => end === "fetched"), rounds / 2)
      assert.lengthOf(ended.filter((end) => end === "address_forbidden"), rounds / 2)
      assert.lengthOf(web.lookups, rounds)
      assert.strictEqual(web.canaryHits(), 0)
      assert.deepStrictEqual(new Set(web.dials), new Set([`${publicAddress}:80`]))
    }))
})

const Case = Schema.fromJsonString(Schema.Struct({ url: Schema.String, expect: Schema.String }))
const Parsed = Schema.fromJsonString(Schema.Struct({
  input: Schema.String,
  hostname: Schema.optionalKey(Schema.NullOr(Schema.String))
}))
const data = join(import.meta.dirname, "../../../../shared/data")
const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n")
const present = existsSync(data)
if (!present) console.warn(`Skipped: no public address lists at ${data}`)

describe.skipIf(!present)("public address lists", () => {
  it.live("hold no inside address, and none of the web's that is refused", () =>
    Effect.gen(function*() {
      const lines = linesOf(join(data, "ssrf/dev/ssrf_urls.jsonl"))
      const cases = lines.map((line) => Schema.decodeUnknownSync(Case)(line))
      assert.isAtLeast(cases.length, 100)
      const web = yield* internet({ site: page })
      const ended = yield* outcomesOf(web.network(), cases.map(({ url }) => url))
      for (const [place, { expect, url }] of cases.entries()) {
        const end = ended[place] ?? ""
        if (expect.startsWith("reject-")) assert.match(end, /_(forbidden|invalid)$/, url)
        if (expect === "allow-public") assert.match(end, /^(fetched|tls_failed)$/, url)
      }
      assert.strictEqual(web.canaryHits(), 0)

      // Names that have to be resolved: to the inside, by every one of its families.
      const names = cases.filter(({ expect }) => expect === "name-needs-dns")
      for (const address of ["127.0.0.1", "169.254.169.254", "fd00::1", "::ffff:10.0.0.1"]) {
        const led = yield* internet({ site: page, resolve: () => [address] })
        yield* outcomesOf(led.network(), names.map(({ url }) => url))
        assert.deepStrictEqual([led.canaryHits(), led.dials.length], [0, 0], address)
      }
    }))

  it.live("are read as the URL standard reads them: the host asked for is the host dialled", () =>
    Effect.gen(function*() {
      const cases = linesOf(join(data, "urls/dev/wpt_urltestdata.jsonl"))
        .map((line) => Schema.decodeUnknownSync(Parsed)(line))
      assert.isAtLeast(cases.length, 300)
      const asked: Array<string | undefined> = []
      const web = yield* internet({
        site: (request, response) => {
          asked.push(request.headers.host)
          page(request, response)
        }
      })
      const { fetch } = yield* fetcher(web.network(), { timeoutMs: 3_000 })
      for (const { hostname, input } of cases) {
        const before = [web.lookups.length, asked.length] as const
        yield* outcome(fetch(input))
        for (const name of web.lookups.slice(before[0])) assert.strictEqual(name, hostname, input)
        for (const name of asked.slice(before[1])) assert.strictEqual(name, hostname, input)
      }
      assert.isAbove(asked.length, 10)
      assert.strictEqual(web.canaryHits(), 0)
    }))
})

describe("a public address", () => {
  it("is one of the internet's own", () => {
    for (const address of ["1.1.1.1", publicAddress, "2606:4700::6810:84e5", "2a00:1450::1"]) {
      assert.isTrue(isPublic(address), address)
    }
    for (const address of [...insideAddresses, "fe80::1%eth0", "2606::1%1", "1.1", "", "a.com"]) {
      assert.isFalse(isPublic(address), address)
    }
  })
})
