import { assert, describe, it } from "@effect/vitest"
import * as Proxy from "@web-grounding/safe-fetch/Proxy"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { inspect } from "node:util"
import {
  certificateOf,
  sealedListening,
  trusting
} from "../../packages/safe-fetch/test/support/certificate.ts"
import { playedProxy, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as HttpExchange from "../../src/infrastructure/HttpExchange.ts"
import { oneAnswer } from "../support/oneAnswer.ts"

const answer = { body: "{}", contentType: "application/json", status: 429 }

describe("an exchange over HTTP", () => {
  it.live("takes no more headers than 16 KiB together", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({ ...answer, headers: { "x-large": "x".repeat(16 * 1_024) } })
      const request = HttpClientRequest.get(baseUrl)
      const { unsent } = yield* Effect.flip(HttpExchange.exchange(request, 10))
      assert.isFalse(unsent)
    }))
})

describe("an exchange by a proxy that wants a user", () => {
  const made = certificateOf("api.corp")
  const exchanged = (options: Proxy.ProxyOptions, address = "https://api.corp/search?key=SECRET") =>
    HttpExchange.exchange(HttpClientRequest.get(address), 100).pipe(
      Effect.provideService(Proxy.Proxies, Proxy.make(options))
    )
  const server = Effect.gen(function*() {
    const sealed = yield* sealedListening(made, (_, response) => void response.end("sealed"))
    const { baseUrl, say } = yield* oneAnswer
    yield* say({ ...answer, body: "open", status: 200 })
    yield* trusting(made.cert)
    const proxy = yield* playedProxy((authority) =>
      ({ "api.corp:443": portOf(sealed), "open.corp:80": Number(new URL(baseUrl).port) })[authority]
    )
    return { baseUrl, proxy }
  })

  it.live("goes through a tunnel with TLS, and is passed on without", () =>
    Effect.gen(function*() {
      const { baseUrl, proxy } = yield* server
      const options = { https: proxy.address, http: proxy.address }
      const sealed = yield* exchanged(options)
      assert.strictEqual(sealed.text, "sealed")
      const open = yield* exchanged(options, "http://open.corp/a?b=1")
      assert.strictEqual(open.text, "open")
      yield* exchanged(options, baseUrl)
      assert.deepStrictEqual(proxy.asked, ["api.corp:443", "http://open.corp/a?b=1"])
    }))

  it.live("was not sent where the proxy refuses or is not there, and says no password", () =>
    Effect.gen(function*() {
      const { proxy } = yield* server
      const wrong = proxy.address.replace(/:[^:@/]+@/, ":CANARY@")
      const cases = [
        [{ https: wrong }, undefined],
        [{ http: wrong }, "http://open.corp/"],
        [{ https: proxy.address }, "https://forbidden.corp/"],
        [{ https: "http://staff:CANARY@127.0.0.1:9" }, undefined]
      ] as const
      for (const [options, address] of cases) {
        const failure = yield* Effect.flip(exchanged(options, address))
        assert.isTrue(failure.unsent, JSON.stringify(options))
        assert.notMatch(inspect(failure, { depth: 9 }), /CANARY|SECRET|Basic/)
      }
    }))
})
