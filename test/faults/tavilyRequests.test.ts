/**
 * Many callers and hostile bodies at Tavily's paths.
 *
 * Promises: any body gets an answer of one of two shapes; a caller's key is in no answer, event,
 * span or log line; identical searches in flight cause one; a search is recorded before it is sent,
 * and no ceiling is passed.
 */
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer, Stream } from "effect"
import { isIP } from "node:net"
import {
  insideAddresses,
  insideForms
} from "../../packages/safe-fetch/test/support/insideAddresses.ts"
import { fetcher, internet } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import * as Fields from "../../src/adapters/tavilyapi/Fields.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import {
  type CreditCeilings,
  type SearchProvider,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import { providers } from "../support/grounding.ts"
import { send } from "../support/httpCalls.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { url } from "../support/service.ts"
import { answering, isShaped, post, servingTavily } from "../support/tavilyCalls.ts"
import { witness } from "../support/witness.ts"

const bodiesCount = process.env["WG_TEST_FULL"] === "1" ? 4_000 : 400
const seed = 20_261_123
const callers = 64
const places = { grounding: callers, read: 8, health: 2, document: 1 }

const canary = "tvly-canary-8f2c61d0"

const odd = [null, 0, -1, 1.5, 1e308, true, "", [], {}, "x".repeat(4_000), [[[]]], "\u202e", canary]

/** Values that are right for some field, and so wrong for most. */
const values = [
  "basic",
  "news",
  "w",
  3,
  20,
  ["city.example"],
  "japan",
  "markdown",
  false,
  true,
  ["https://site-1.example/", "https://closed.example/", "http://10.0.0.1/"],
  "https://site-2.example/",
  { redact: true },
  { consent_raw_content: true }
]

const names = (call: Fields.Call) =>
  [call.honoured, call.ignored, call.unkept].flatMap((part) => Object.keys(part))

const bodyOf = (dice: Dice, path: string): unknown => {
  const known = names(path === "/search" ? Fields.search : Fields.extract)
  if (dice() < 0.05) return draw(dice, odd)
  const count = Math.floor(dice() * 4)
  const fields = Array.from({ length: count }, (): [string, unknown] => [
    dice() < 0.9 ? draw(dice, known) : draw(dice, ["colour", "__proto__", canary, "", "a\r\nb: c"]),
    draw(dice, dice() < 0.8 ? values : odd)
  ])
  const needed: ReadonlyArray<[string, unknown]> = dice() < 0.15
    ? []
    : path === "/search"
    ? [["query", `desks ${Math.floor(dice() * 9)}`]]
    : [["urls", draw(dice, values)]]
  return Object.fromEntries([...fields, ...needed, ["api_key", canary]])
}

const textOf = (dice: Dice, body: unknown): string => {
  const text = JSON.stringify(body)
  if (dice() < 0.9) return text
  const at = Math.floor(dice() * text.length)
  return dice() < 0.5
    ? text.slice(0, at)
    : `${text.slice(0, at)}${draw(dice, ["\u0000", "{", ","])}`
}

const logged = Effect.gen(function*() {
  const events = yield* Stream.runCollect((yield* EventStore).all(logStart))
  return JSON.stringify(events.map(({ data, metadata }) => [data, metadata]))
})

const allOf = Effect.fnUntraced(function*(count: number) {
  const service = yield* url
  const dice = makeDice(seed)
  return yield* Effect.forEach(Array.from({ length: count }), () => {
    const path = draw(dice, ["/search", "/search", "/extract"])
    const body = textOf(dice, bodyOf(dice, path))
    const headers: Record<string, string> = {
      "content-type": "application/json",
      ...(dice() < 0.5 ? { authorization: `Bearer ${canary}` } : {})
    }
    return Effect.map(
      send(service, { method: "POST", path, headers, body }),
      (answer) => ({ path, body, answer })
    )
  })
})

describe("any body at Tavily's paths", () => {
  it.live(
    "gets an answer of one of two shapes, and its key is nowhere",
    () => {
      const { heard, layer } = witness()
      return Effect.gen(function*() {
        const all = yield* allOf(bodiesCount)
        const faults = all.filter(({ answer: { status, text }, path }) =>
          !isShaped(path, status, JSON.parse(text)) || status >= 500
        )
        assert.deepStrictEqual(
          faults.map(({ answer, body, path }) => `${path} ${body} ${answer.status} ${answer.text}`),
          []
        )
        const statuses = Map.groupBy(all, ({ answer }) => answer.status)
        for (const [status, least] of [[200, 40], [400, 40]] as const) {
          assert.isAbove(statuses.get(status)?.length ?? 0, least, String(status))
        }
        const told = all.map(({ answer }) => answer.text)
        for (const text of [...told, ...heard, yield* logged]) assert.notInclude(text, canary)
      }).pipe(
        Effect.provide(servingTavily(providers(answering().provider)).pipe(Layer.provide(layer))),
        Effect.scoped
      )
    },
    120_000
  )
})

describe("addresses of an internal network", () => {
  it.live("are never read, however they are written", () =>
    Effect.gen(function*() {
      const body = "A public page says this in a sentence that is long enough to be kept."
      const { canaryHits, network } = yield* internet({
        site: (_, response) => {
          response.writeHead(200, { "content-type": "text/html" }).end(body)
        }
      })
      const { open } = yield* fetcher(network(), { timeoutMs: 3_000 })
      const reads = LocalPageReader.make({
        fetch: open,
        extract: ({ body }) =>
          Effect.succeed({ text: typeof body === "string" ? body : new TextDecoder().decode(body) })
      })
      yield* Effect.gen(function*() {
        const service = yield* url
        const open = ["http://www.wikipedia.org/"]
        const read = yield* post(service, "/extract", { urls: open })
        assert.strictEqual(read.json.results[0]?.raw_content, body)
        const inside = [
          ...insideAddresses.map((address) => isIP(address) === 6 ? `[${address}]` : address),
          ...insideForms,
          "localhost",
          "metadata.google.internal",
          "www.wikipedia.org:22"
        ].map((host) => `http://${host}/latest/meta-data/`)
        for (const urls of Arr.chunksOf(inside, 20)) {
          const { json, status } = yield* post(service, "/extract", { urls, timeout: 60 })
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(json.results, [])
          assert.lengthOf(json.failed_results, urls.length)
        }
        assert.strictEqual(canaryHits(), 0)
      }).pipe(Effect.provide(servingTavily(providers(answering().provider), { reads })))
    }).pipe(Effect.scoped), 120_000)
})

/** So many callers at the same time; the statuses that they get. */
const crowd = (queryOf: (caller: number) => string) =>
  Effect.flatMap(url, (service) =>
    Effect.forEach(
      Array.from({ length: callers }, (_, caller) => queryOf(caller)),
      (query) =>
        Effect.map(post(service, "/search", { query }), ({ json, status }) => ({ json, status })),
      { concurrency: "unbounded" }
    ))

/** Longer than it takes until all callers have asked. */
const searchTakesMs = 1_000

describe("callers at the same time", () => {
  it.live(
    `who ask the same cause one search, ${callers} of them`,
    () => {
      const { asked, provider } = answering(searchTakesMs)
      return Effect.gen(function*() {
        const answers = yield* crowd(() => "trams in Halvern")
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
        assert.lengthOf(asked, 1)
        const sessions = answers.map(({ json }) => json.web_grounding.session_id)
        assert.strictEqual(new Set(sessions).size, callers)
        assert.lengthOf(answers.filter(({ json }) => !json.web_grounding.cached), 1)
        assert.strictEqual(answers.reduce((sum, { json }) => sum + json.usage.credits, 0), 1)
      }).pipe(Effect.provide(servingTavily(providers(provider), { places })), Effect.scoped)
    },
    120_000
  )

  const ceiling = 10

  const spent = (ceilings: CreditCeilings) => {
    const { asked, provider } = answering(20)
    return Effect.gen(function*() {
      const answers = yield* crowd((caller) => `trams of town ${caller}`)
      return { asked: asked.length, statuses: answers.map(({ status }) => status) }
    }).pipe(
      Effect.provide(servingTavily(providers(provider), { places, ceilings })),
      Effect.scoped
    )
  }

  it.live(
    "never pass the ceiling of a key: the others are told that it is spent",
    () =>
      Effect.gen(function*() {
        const { asked, statuses } = yield* spent({ tavily: ceiling })
        assert.strictEqual(asked, ceiling)
        assert.lengthOf(statuses.filter((status) => status === 200), ceiling)
        assert.lengthOf(statuses.filter((status) => status === 432), callers - ceiling)
      }),
    120_000
  )

  it.live("have each search recorded before it is sent", () => {
    const { asked, provider } = answering()
    const unrecorded: Array<string> = []
    const looking = Layer.effect(
      SearchProviders,
      Effect.gen(function*() {
        const log = yield* EventStore
        const slot: SearchProvider = {
          ...provider,
          search: (request) =>
            Stream.runCollect(log.all(logStart)).pipe(
              Effect.orDie,
              Effect.tap((events) =>
                Effect.sync(() => {
                  const isIntended = events.some(({ data, type }) =>
                    type === "WEB_GROUNDING_CALL_STARTED" &&
                    JSON.stringify(data).includes(`"${request.query}"`)
                  )
                  if (!isIntended) unrecorded.push(request.query)
                })
              ),
              Effect.andThen(provider.search(request))
            )
        }
        return SearchProviders.forEveryone([[slot]])
      })
      // The very log of the service.
    ).pipe(Layer.provide(MemoryEventStore.layer))
    return Effect.gen(function*() {
      yield* crowd((caller) => `trams of town ${caller}`)
      assert.lengthOf(asked, callers)
      assert.deepStrictEqual(unrecorded, [])
    }).pipe(Effect.provide(servingTavily(looking, { places })), Effect.scoped)
  }, 120_000)
})
