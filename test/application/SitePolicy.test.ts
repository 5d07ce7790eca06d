/** Nothing of a site that may not be used leaves, whichever way it came in. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import { type Engine, EngineFailed } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import * as SitePolicy from "../../src/domain/search/SitePolicy.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, recallWith, useCasesWith } from "../../src/wiring/layers.ts"
import { caller, instance, limits, plain, providers, scripted } from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as MemoryPackCache from "../support/memory/MemoryPackCache.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { EvidenceApi, ListResults, PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const hosts = [
  "a.example",
  "news.a.example",
  "b.example",
  "c.example",
  "evil.example",
  "x.evil.example"
]
const Domains = Schema.Array(
  Schema.Literals([
    "a.example",
    "news.a.example",
    "b.example",
    "c.example",
    "evil.example",
    "example"
  ])
).check(Schema.isMaxLength(3), Schema.isUnique())
const Drawn = Schema.Struct({ allow: Domains, deny: Domains })
const factOf = (name: string) =>
  `The tram ticket of ${name} costs 2.80 crowns since March 2026 in Halvern.`

/** Each page is found at one host and answers from the next. `asked`: the pages asked for. */
const readerOf = (asked: Array<string>): Engine<"reader"> => ({
  info: { engine: "local", version: "1" },
  ask: ({ url }) => {
    asked.push(url)
    const place = hosts.indexOf(new URL(url).hostname)
    const host = hosts[(place + 1) % hosts.length] ?? ""
    const text = factOf(host)
    return Effect.succeed({
      reader: "web" as const,
      text,
      chunks: chunksOfText(text),
      ...(place % 2 === 0 ? { address: { href: `https://${host}/led`, host } } : {})
    })
  }
})

const answer = answerWith(
  hosts.map((host, place) =>
    hit(`https://${host}/`, { site: host, rank: place + 1, content: factOf(host) })
  )
)

const shared = Layer.mergeAll(
  plain,
  MemoryEventStore.layer,
  MemoryEvidenceStore.layer,
  MemoryQueryCache.layer,
  MemoryCredits.layer({}),
  MemoryPackCache.layer
)

/** A process that allows and denies so, and reads whole pages with a reader. */
const processOf = (
  id: string,
  sites: SitePolicy.SitePolicy | undefined,
  readers: ReadonlyArray<Engine<"reader">> = [],
  own?: SitePolicy.SitePolicy
) => {
  const engines = Engines.layer(readers.length === 0 ? {} : { reader: readers })
  const settings = Layer.effect(Limits, Limits).pipe(
    Layer.provide(limits({
      entriesMax: 4,
      sites,
      sitesByTenant: new Map(own === undefined ? [] : [[caller.tenantId, own]])
    })),
    Layer.merge(MemoryReadModels.layer)
  )
  return Layer.mergeAll(useCasesWith(engines), evidenceWith(engines)).pipe(
    Layer.provide(recallWith(engines)),
    Layer.provide(Layer.mergeAll(providers(scripted(answer)), instance(id, false), settings))
  )
}

const ask = (session_id: string, request_id: string, fields: object = {}) =>
  Effect.flatMap(PublicApi, (api) =>
    api.ground({
      session_id,
      request_id,
      topic: "How much is a tram ticket in Halvern?",
      tier: "premium",
      phase: "mid_chat",
      user_asked_for_facts: true,
      overrides: { max_queries: 1 },
      ...fields
    }, caller))

const addressesIn = (told: unknown): ReadonlyArray<string> =>
  JSON.stringify(told).match(/https?:\/\/[a-z.]+\/[a-z]*/g) ?? []

const factsOf = (session_id: string, request_id: string) =>
  Effect.map(
    Effect.flatMap(EventStore, (store) => store.read({ tenant_id: "t", session_id })),
    ({ events }) =>
      events.map(({ data }) => data).filter((data) =>
        JSON.stringify(data).includes(`"${request_id}"`)
      )
  )

describe("a policy of sites", () => {
  it.effect.prop(
    "law: nothing of another site is asked, quoted, told or recorded, whatever was cached before",
    [Drawn, Drawn, Drawn, Schema.Literals(["pages", "hits"])],
    ([before, now, own, reading]) =>
      Effect.gen(function*() {
        const policy = SitePolicy.policyOf(now.allow, now.deny)
        const pagesAsked: Array<string> = []
        const readers = (asked: Array<string>) => reading === "pages" ? [readerOf(asked)] : []
        const outside = (told: unknown) =>
          addressesIn(told).filter((address) =>
            ![policy, own].every((one) => SitePolicy.allows(one, [address]))
          )
        yield* Effect.gen(function*() {
          const { collect } = yield* EvidenceApi
          for (const host of hosts) {
            const material = {
              source_type: "web_search",
              source_url: `https://${host}/kept`,
              title: "Fares",
              text: factOf(host)
            }
            yield* collect({ material }, caller)
          }
          yield* ask("s", "r1")
        }).pipe(
          Effect.provide(
            processOf("p1", SitePolicy.policyOf(before.allow, before.deny), readers([]))
          )
        )
        yield* Effect.gen(function*() {
          const urls = hosts.slice(0, 4).map((host) => `https://${host}/`)
          const told = [
            yield* ask("s", "again"),
            yield* ask("other", "again"),
            yield* ask("other", "stored", { overrides: { sources: "store" } }),
            yield* ask("other", "some", { overrides: { include_domains: ["a.example"] } })
          ]
          const { search } = yield* EvidenceApi
          const found = yield* search({ query: "tram ticket of Halvern", limit: 20 }, caller)
          const recorded = [
            ...yield* factsOf("s", "again"),
            ...yield* factsOf("other", "again"),
            ...yield* factsOf("other", "stored")
          ]
          assert.deepStrictEqual(outside([told, found, recorded]), [])
          const { list } = yield* ListResults
          const asked = {
            session_id: "named",
            request_id: "named",
            topic: "Pages that the caller named",
            phase: "mid_chat",
            listing: { of: "pages", urls }
          }
          const { seen } = yield* list(asked, caller)
          assert.deepStrictEqual(outside([seen.hits, seen.pages]), [])
          // Each page that was named is answered for, by the caller's own address.
          const answered = [
            ...seen.pages.flatMap(({ addresses }) => addresses),
            ...seen.unread.map(({ url }) => url)
          ]
          assert.deepStrictEqual(urls.filter((url) => !answered.includes(url)), [])
          assert.deepStrictEqual(outside(pagesAsked), [])
          const { replay } = yield* PublicApi
          for (const session_id of ["s", "other", "named"]) {
            assert.isUndefined((yield* replay({ session_id }, caller)).difference)
          }
        }).pipe(Effect.provide(processOf("p2", policy, readers(pagesAsked), own)))
      }).pipe(Effect.provide(Layer.fresh(shared))),
    { arbitrary: { runs: 25 } }
  )

  it.effect("is noted in the pack where it left something out, and only there", () =>
    Effect.gen(function*() {
      const noted = (policy: SitePolicy.SitePolicy | undefined) =>
        ask("s", "r").pipe(
          Effect.map(({ pack }) => pack.notes.includes("sites_left_out")),
          Effect.provide(processOf("p", policy)),
          Effect.provide(Layer.fresh(shared))
        )
      assert.isTrue(yield* noted({ allow: [], deny: ["evil.example"] }))
      assert.isTrue(yield* noted({ allow: ["nobody.example"], deny: [] }))
      assert.isFalse(yield* noted({ allow: ["example"], deny: [] }))
      assert.isFalse(yield* noted(undefined))
    }))
})

it.effect("makes known what an operator names: as it answers, and as a caller names it", () => {
  const read = ({ pages }: { readonly pages: unknown }) =>
    (pages as ReadonlyArray<{ readonly url: string; readonly source_class?: string }>)
      .map(({ source_class = "none", url }) => `${new URL(url).hostname} ${source_class}`)
  const known = SitePolicy.policyOf([], [], ["b.example", "c.example"])
  return Effect.gen(function*() {
    yield* ask("s", "r")
    const { list } = yield* ListResults
    yield* list({
      session_id: "named",
      request_id: "named",
      topic: "Pages that the caller named",
      phase: "mid_chat",
      listing: { of: "pages", urls: ["https://c.example/", "https://x.evil.example/"] }
    }, caller)
    const pagesOf = (session_id: string, request_id: string) =>
      Effect.map(
        factsOf(session_id, request_id),
        (facts) => facts.flatMap((fact) => "pages" in Object(fact) ? read(Object(fact)) : [])
      )
    // The page at `b.example` leads to `c.example`; the caller names one there itself.
    assert.include(yield* pagesOf("s", "r"), "c.example known")
    assert.deepStrictEqual(
      (yield* pagesOf("named", "named")).toSorted(),
      ["c.example known", "x.evil.example none"]
    )
  }).pipe(
    Effect.provide(processOf("p", known, [readerOf([])])),
    Effect.provide(Layer.fresh(shared))
  )
})

describe("what a policy allows", () => {
  it.prop("law: a tenant's own allows what both do", [Drawn, Drawn], ([operators, own]) => {
    for (const host of hosts) {
      const isIn = (policy: SitePolicy.SitePolicy | undefined) =>
        SitePolicy.allows(policy, [`https://${host}/`])
      assert.strictEqual(
        isIn(SitePolicy.narrowed(operators, own)),
        isIn(operators) && isIn(own),
        host
      )
      assert.strictEqual(isIn(SitePolicy.narrowed(undefined, own)), isIn(own))
      assert.strictEqual(isIn(SitePolicy.narrowed(operators, undefined)), isIn(operators))
    }
  })

  it("keeps the operator's known sites for a tenant with lists of its own", () => {
    const operators = SitePolicy.policyOf([], [], ["desk.example"])
    for (const allow of [[], ["a.example"]]) {
      const { known } = SitePolicy.narrowed(operators, { allow, deny: ["b.example"] }) ?? {}
      assert.deepStrictEqual(known, ["desk.example"])
    }
  })

  const policy = { allow: ["a.example", "b.example"], deny: ["no.a.example"] }
  it.each([
    ["https://a.example/", true],
    ["https://www.a.example/x", true],
    ["https://WWW.A.EXAMPLE./x", true],
    ["https://no.a.example/", false],
    ["https://x.no.a.example/", false],
    ["https://ba.example/", false],
    ["https://a.example.evil.example/", false],
    ["https://a.example@evil.example/", false],
    ["http://c.example/", false],
    ["evidence:note", true]
  ])("%s: %s", (address, expected) => {
    assert.strictEqual(SitePolicy.allows(policy, [address]), expected)
    assert.isTrue(SitePolicy.allows(undefined, [address]))
  })

  it.each([
    [[], [], ["a.example", "b.example"], ["no.a.example"]],
    [["a.example"], [], ["a.example"], ["no.a.example"]],
    [["x.a.example"], ["y.example"], ["x.a.example"], ["y.example", "no.a.example"]],
    [["example"], [], ["a.example", "b.example"], ["no.a.example"]],
    [["c.example"], [], ["c.example"], ["no.a.example"]]
  ])(
    "of %j without %j an engine is asked for %j",
    (includeDomains, excludeDomains, within, without) => {
      assert.deepStrictEqual(SitePolicy.asked(policy, { includeDomains, excludeDomains }), {
        includeDomains: within,
        excludeDomains: without
      })
      const asked = { includeDomains, excludeDomains }
      assert.deepStrictEqual(SitePolicy.asked(undefined, asked), asked)
    }
  )

  it.effect("refuses a redirect to another site before it is followed, and the snippet, in a replay too", () =>
    Effect.gen(function*() {
      const led: Array<string> = []
      const reader: Engine<"reader"> = {
        info: { engine: "local", version: "1" },
        ask: ({ isAllowed = () => true, url }) =>
          Effect.suspend(() => {
            const target = url.includes("//a.example") ? "https://x.evil.example/" : url
            if (isAllowed(target)) led.push(target)
            const detail = isAllowed(target) ? "http_404" as const : "site_not_allowed" as const
            return new EngineFailed({ engine: "local", reason: "refused", detail })
          })
      }
      yield* Effect.gen(function*() {
        const { pack } = yield* ask("s", "r")
        assert.include(pack.notes, "sites_left_out")
        assert.notInclude(JSON.stringify(pack), "//a.example")
        assert.isAbove(led.length, 0)
        assert.deepStrictEqual(led.filter((address) => address.includes("evil")), [])
        const { replay } = yield* PublicApi
        assert.isUndefined((yield* replay({ session_id: "s" }, caller)).difference)
      }).pipe(
        Effect.provide(processOf("p", { allow: [], deny: ["evil.example"] }, [reader])),
        Effect.provide(Layer.fresh(shared))
      )
    }))

  it.effect("leaves the store's other entries their ranks", () =>
    Effect.gen(function*() {
      yield* Effect.gen(function*() {
        const { collect } = yield* EvidenceApi
        for (const host of ["evil.example", "x.evil.example", "a.example", "b.example"]) {
          const text = factOf("Halvern").repeat(host.includes("evil") ? 3 : 1)
          const source_url = `https://${host}/kept`
          const material = { source_type: "web_search", source_url, title: "Fares", text }
          yield* collect({ material }, caller)
        }
      }).pipe(Effect.provide(processOf("before", undefined)))
      yield* Effect.gen(function*() {
        const { search } = yield* EvidenceApi
        const { found } = yield* search({ query: "tram ticket of Halvern", limit: 2 }, caller)
        assert.deepStrictEqual(
          found.map(({ source_url }) => source_url).toSorted(),
          ["https://a.example/kept", "https://b.example/kept"]
        )
      }).pipe(Effect.provide(processOf("now", { allow: [], deny: ["evil.example"] })))
    }).pipe(Effect.provide(Layer.fresh(shared))))
})
