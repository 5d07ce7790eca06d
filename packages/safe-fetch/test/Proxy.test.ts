import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inspect } from "node:util"
import { publicNetwork } from "../src/Network.ts"
import * as Proxy from "../src/Proxy.ts"
import { certificateOf, sealedListening, trusting } from "./support/certificate.ts"
import {
  atHost,
  insideAddresses,
  insideNames,
  insidePorts,
  insideUrls,
  inward,
  notPages
} from "./support/insideAddresses.ts"
import {
  fetcher,
  internet,
  outcome,
  playedProxy,
  portOf,
  proxyPassword,
  publicAddress
} from "./support/webServers.ts"

const host = "www.wikipedia.org"
const byUs = { names: "resolved here" } as const
const byProxy = { names: "left to the proxy" } as const

const { cert, key } = certificateOf(host)

type Lookup = (host: string, lookup: number) => ReadonlyArray<string>

const nothingKnown: Lookup = () => []
const nothingInside: Lookup = (name) => name.startsWith("inside.") ? ["10.0.0.1"] : [publicAddress]

/** A site with TLS and without that only the proxy reaches; whatever is dialled past it is counted. */
const behindProxy = Effect.fnUntraced(function*(resolve: Lookup, options: Proxy.ProxyOptions) {
  const answer = (url = "", asked = "") => {
    const to = inward[Number(/to=(\d+)/.exec(url)?.[1])]
    return {
      status: to === undefined ? 200 : 302,
      location: encodeURI(to ?? "").replaceAll("%25", "%"),
      body: `<p>A page of ${asked}.</p>`
    }
  }
  const sealed = yield* sealedListening({ cert, key }, ({ headers, url }, response) => {
    const { body, location, status } = answer(url, headers.host)
    response.writeHead(status, { "content-type": "text/html", location }).end(body)
  })
  yield* trusting(cert)
  const web = yield* internet({
    site: ({ headers, url }, response) => {
      const { body, location, status } = answer(url, headers.host)
      response.writeHead(status, { "content-type": "text/html", location }).end(body)
    },
    resolve
  })
  const proxy = yield* playedProxy((authority) => {
    const [name = "", port] = authority.split(":")
    if (![host, publicAddress].includes(name)) return undefined
    return port === "443" ? portOf(sealed) : web.sitePort
  })
  const { fetch } = yield* fetcher(web.network(), { timeoutMs: 4_000 })
  const proxies = Proxy.make({ https: proxy.address, http: proxy.address, ...options })
  return {
    proxy,
    web,
    fetch: (address: string) => Effect.provideService(fetch(address), Proxy.Proxies, proxies),
    outcomes: (addresses: ReadonlyArray<string>) =>
      Effect.forEach(
        addresses,
        (address) => Effect.provideService(outcome(fetch(address)), Proxy.Proxies, proxies),
        { concurrency: 8 }
      )
  }
})

describe("a fetch by a proxy that wants a user", () => {
  it.live("gives it the address that was checked", () =>
    Effect.gen(function*() {
      const { fetch, proxy, web } = yield* behindProxy(nothingInside, byUs)
      assert.include((yield* fetch(`https://${host}/`)).body, host)
      assert.include((yield* fetch(`http://${host}/`)).body, host)
      assert.deepStrictEqual(proxy.asked, [`${publicAddress}:443`, `${publicAddress}:80`])
      assert.deepStrictEqual([web.dials, proxy.refusals()], [[], 0])
    }))

  it.live("gives it the name where names are left to it, and sends plain requests whole", () =>
    Effect.gen(function*() {
      for (const lookup of [nothingKnown, nothingInside]) {
        const { fetch, proxy, web } = yield* behindProxy(lookup, byProxy)
        assert.include((yield* fetch(`https://${host}/`)).body, host)
        assert.include((yield* fetch(`http://${host}/a?b=1`)).body, host)
        assert.deepStrictEqual(proxy.asked, [`${host}:443`, `http://${host}/a?b=1`])
        assert.lengthOf(web.dials, 0)
      }
    }))

  it.live("reaches no name that this process does not know unless names are left to it", () =>
    Effect.gen(function*() {
      const { outcomes, proxy } = yield* behindProxy(nothingKnown, byUs)
      assert.deepStrictEqual(yield* outcomes([`https://${host}/`]), ["name_unresolved"])
      assert.lengthOf(proxy.asked, 0)
    }))

  it.live("does not wait for a resolver that says nothing", () =>
    Effect.gen(function*() {
      const web = yield* internet({ site: (_, response) => void response.end("<p>Here.</p>") })
      const { address } = yield* playedProxy(() => web.sitePort)
      const { fetch } = yield* fetcher(publicNetwork({ resolve: () => Effect.never }))
      const ended = yield* Effect.provideService(
        outcome(fetch(`http://${host}/`)),
        Proxy.Proxies,
        Proxy.make({ http: address, ...byProxy })
      )
      assert.strictEqual(ended, "fetched")
    }))

  it.live("says that it was refused, without the password, past which nothing is dialled", () =>
    Effect.gen(function*() {
      for (const names of [byUs, byProxy]) {
        const { outcomes, proxy } = yield* behindProxy(nothingInside, names)
        const others = ["https://en.wikipedia.org/"]
        if (names === byProxy) {
          assert.deepStrictEqual(yield* outcomes(others), ["proxy_refused"])
        }
        const wrong = proxy.address.replace(/:[^:@/]+@/, `:${proxyPassword.slice(6)}x@`)
        const stranger = yield* behindProxy(nothingInside, { ...names, https: wrong, http: wrong })
        const failure = yield* Effect.flip(stranger.fetch(`https://${host}/`))
        assert.strictEqual(failure.message, "proxy_refused")
        assert.notInclude(inspect(failure, { depth: 9 }), "CANARY")
        assert.deepStrictEqual([stranger.web.dials, stranger.proxy.asked], [[], []])
      }
    }))

  it.live("is not made for hosts that are reached without", () =>
    Effect.gen(function*() {
      const direct = `db.example, .wikipedia.org`
      const { fetch, proxy, web } = yield* behindProxy(nothingInside, { ...byProxy, direct })
      yield* fetch(`http://${host}/`)
      assert.deepStrictEqual([proxy.asked, web.dials], [[], [`${publicAddress}:80`]])
      const unknown = yield* behindProxy(nothingKnown, { ...byProxy, direct })
      assert.deepStrictEqual(yield* unknown.outcomes([`http://${host}/`]), ["name_unresolved"])
    }))
})

describe.each([byUs, byProxy])("an internal network, with names $names", (names) => {
  it.live("is not asked for by address, name, scheme or port", () =>
    Effect.gen(function*() {
      for (const lookup of [nothingKnown, nothingInside]) {
        const { outcomes, proxy, web } = yield* behindProxy(lookup, names)
        const all = [...insideUrls, ...notPages, ...insideNames.map(atHost), ...insidePorts]
        for (const [place, ended] of (yield* outcomes(all)).entries()) {
          assert.match(ended, /_(forbidden|invalid)$/, all[place])
        }
        assert.deepStrictEqual([proxy.asked, web.dials, web.lookups], [[], [], []])
      }
    }))

  it.live("is not requested by a name of it, where this process resolves it", () =>
    Effect.gen(function*() {
      const cases = insideAddresses.flatMap((address) => [[address], [publicAddress, address]])
      const { outcomes, proxy, web } = yield* behindProxy(
        (name) => cases[Number(/^n(\d+)\./.exec(name)?.[1])] ?? [],
        names
      )
      const hosts = cases.flatMap((_, place) =>
        ["http", "https"].map((scheme) => `${scheme}://n${place}.wikipedia.org/`)
      )
      assert.deepStrictEqual(new Set(yield* outcomes(hosts)), new Set(["address_forbidden"]))
      assert.deepStrictEqual([proxy.asked, web.dials], [[], []])
    }))

  it.live("is not reached by a redirect", () =>
    Effect.gen(function*() {
      const { outcomes, proxy, web } = yield* behindProxy(nothingInside, names)
      const starts = inward.map((_, place) => `https://${host}/?to=${place}`)
      for (const [place, ended] of (yield* outcomes(starts)).entries()) {
        assert.match(ended, /_(forbidden|invalid)$/, inward[place])
      }
      assert.lengthOf(proxy.asked, inward.length)
      assert.deepStrictEqual([web.dials, web.canaryHits()], [[], 0])
    }))
})

describe("hosts that are reached without a proxy", () => {
  const isDirect = (direct: string, name: string, port = 443) =>
    Proxy.make({ https: "http://proxy.corp:3128", direct })
      .of({ host: name, port, secure: true }) === undefined

  it("are named as other programs have them", () => {
    for (
      const [direct, name, port] of [
        ["*", "a.com"],
        ["a.com", "a.com"],
        ["a.com", "b.a.com"],
        [".a.com", "b.a.com"],
        ["*.a.com", "b.a.com"],
        ["x.com A.COM", "a.com"],
        ["a.com:8443", "a.com", 8_443],
        ["10.0.0.0/8", "10.1.2.3"],
        ["fd00::/8", "fd00::1"],
        ["::2", "::2"],
        ["[::2]:443", "::2"],
        ["", "localhost"],
        ["", "127.8.8.8"],
        ["", "::1"]
      ] as const
    ) assert.isTrue(isDirect(direct, name, port), `${direct} ${name}`)
    for (
      const [direct, name] of [
        ["", "a.com"],
        ["a.com", "ba.com"],
        ["a.com:8443", "a.com"],
        ["10.0.0.0/8", "11.1.2.3"],
        ["10.0.0.0/8", "10.a.com"],
        ["fd00::/8", "10.1.2.3"]
      ] as const
    ) assert.isFalse(isDirect(direct, name), `${direct} ${name}`)
  })

  it("are all of a scheme without one", () => {
    const { of } = Proxy.make({ https: "http://proxy.corp:3128" })
    assert.isUndefined(of({ host: "a.com", port: 80, secure: false }))
    assert.strictEqual(of({ host: "a.com", port: 443, secure: true })?.port, "3128")
  })
})
