/** The service over real HTTP on loopback, asked by the client that the package exports. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpServer } from "effect/http"
import type * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import type { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import { GroundingClient, layer as clientLayer } from "../../src/client.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  buggy,
  evidence,
  instance,
  limits,
  providers,
  sandbox,
  sandboxProviders
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const host = "127.0.0.1"

const address = Effect.map(
  HttpServer.HttpServer,
  (server) => HttpServer.formatAddress(server.address)
)

const client = Layer.unwrap(Effect.map(address, (url) => clientLayer({ url })))

const served = (search: Layer.Layer<SearchProviders, never, SandboxServer.SandboxServer>) =>
  client.pipe(
    Layer.provideMerge(GroundingRpcServer.layer({ host, port: 0 })),
    Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
    Layer.provide(Layer.mergeAll(search, MemoryEventStore.layer, instance("p1"), limits())),
    Layer.provideMerge(sandbox)
  )

const asked = {
  session_id: "s",
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const

/** What a caller without our client gets: lines of JSON. */
const post = (url: string, tag: string, payload: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/ndjson" },
      body: `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`
    })
    return await response.text()
  })

describe("the service over RPC", () => {
  it.layer(served(sandboxProviders), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("streams the facts as they are recorded, then the outcome", () =>
      Effect.gen(function*() {
        const { progress } = yield* GroundingClient
        const elements = yield* Stream.runCollect(progress({ ...asked, request_id: "r1" }))
        const tags = elements.map((element) =>
          element._tag === "Fact" ? element.event.type : element._tag
        )
        assert.deepStrictEqual(tags.slice(0, 2), [
          "WEB_GROUNDING_REQUESTED",
          "WEB_GROUNDING_DECIDED"
        ])
        assert.deepStrictEqual(tags.slice(-3), [
          "WEB_GROUNDING_PACK_CREATED",
          "WEB_GROUNDING_FINISHED",
          "Outcome"
        ])
      }))

    it.effect("makes up a request id, and answers the same request the same", () =>
      Effect.gen(function*() {
        const { ground } = yield* GroundingClient
        const first = yield* ground({ ...asked, session_id: "s2" })
        const again = yield* ground({ ...asked, session_id: "s2", request_id: first.request_id })
        assert.deepStrictEqual(again, first)
        assert.isNotEmpty(first.pack.constraints_and_rules)
      }))

    it.effect("researches a subject and outlines it", () =>
      Effect.gen(function*() {
        const { outline, research } = yield* GroundingClient
        const course = {
          session_id: "s-course",
          request_id: "r",
          course_title: "Tenant notice in Japan"
        }
        const found = yield* research(course)
        assert.isAbove(found.result_count, 0)
        assert.isTrue(found.is_usable)
        const { course_title, execution_context, references } = yield* outline({
          ...course,
          request_id: "r2"
        })
        assert.strictEqual(course_title, course.course_title)
        assert.strictEqual(references[0]?.from, "external")
        assert.lengthOf(execution_context.web_search_results.links, found.source_links.length)
        const conflict = yield* Effect.flip(outline(course))
        assert.strictEqual(conflict._tag, "RequestConflict")
        const own = yield* research({ course_title: course.course_title, search_budget: 1 })
        assert.strictEqual(own.search_query, course.course_title)
        const odd = yield* Effect.flip(research({ ...course, course_title: "" }))
        assert.strictEqual(odd._tag, "InvalidInput")
      }))

    it.effect("gives session, pack and showing, and typed failures for unknown ids", () =>
      Effect.gen(function*() {
        const api = yield* GroundingClient
        const outcome = yield* api.ground({ ...asked, session_id: "s3", request_id: "r" })
        const id = { session_id: "s3", request_id: "r" }
        assert.deepStrictEqual(yield* api.pack(id), outcome)
        const view = yield* api.view({ ...id, audience: "roleplay_background" })
        assert.isTrue("facts" in view && view.facts.length > 0)
        const premium = { ...id, session_id: "s3-premium" }
        yield* api.ground({ ...asked, ...premium, tier: "premium" })
        const coach = yield* api.view({ ...premium, audience: "coach" })
        assert.isTrue("sources" in coach && coach.sources.length > 0)
        const refused = yield* Effect.flip(api.view({ ...id, audience: "coach" }))
        assert.deepInclude(refused, { _tag: "InvalidInput", field: "audience" })
        assert.deepStrictEqual(yield* api.shown({ ...id, audience: "user" }), { recorded: true })
        const { events } = yield* api.session({ session_id: "s3" })
        assert.strictEqual(events.at(-1)?.type, "WEB_GROUNDING_SHOWN_TO_USER")
        const unknown = yield* Effect.flip(api.pack({ ...id, request_id: "nope" }))
        assert.strictEqual(unknown._tag, "PackNotFound")
        const nobody = yield* Effect.flip(api.session({ session_id: "nope" }))
        assert.strictEqual(nobody._tag, "SessionNotFound")
      }))

    it.effect("tells bad input as a typed failure that names the field", () =>
      Effect.gen(function*() {
        const { ground } = yield* GroundingClient
        const failure = yield* Effect.flip(ground({ ...asked, topic: "" }))
        assert.deepInclude(failure, { _tag: "InvalidInput", field: "topic" })
        const url = yield* address
        const raw = yield* post(url, "Ground", { session_id: "s", topic: "t", tier: "gold" })
        assert.include(raw, `"_tag":"InvalidInput"`)
        assert.include(raw, `"field":"tier"`)
        assert.notInclude(raw, "Die")
      }))

    it.effect("tells how the searches went, and refuses spans that make no sense", () =>
      Effect.gen(function*() {
        const { ground, health } = yield* GroundingClient
        yield* ground({ ...asked, session_id: "s-health" })
        const { alerts, by_key, figures, hours } = yield* health()
        assert.strictEqual(hours, 24)
        assert.isAbove(figures.web_search_total["success"] ?? 0, 0)
        assert.deepInclude(by_key[0], { provider: "mock", key_slot: 1 })
        assert.deepStrictEqual(alerts, [])
        const refused = yield* Effect.flip(health({ hours: 1_000 }))
        assert.deepInclude(refused, { _tag: "InvalidInput", field: "hours" })
      }))

    it.effect("searches the evidence store, and names the field that does not fit", () =>
      Effect.gen(function*() {
        const { searchEvidence } = yield* GroundingClient
        assert.deepStrictEqual(yield* searchEvidence({ query: "copper" }), {
          found: [],
          vectors: "not_configured"
        })
        const refused = yield* Effect.flip(searchEvidence({ query: "copper", limit: 0 }))
        assert.deepInclude(refused, { _tag: "InvalidInput", field: "limit" })
      }))

    it.effect("is healthy", () =>
      Effect.gen(function*() {
        const url = yield* address
        const response = yield* Effect.promise(() => fetch(`${url}/health`))
        assert.strictEqual(response.status, 200)
      }))

    it.effect("refuses a port that is in use, in one sentence", () =>
      Effect.gen(function*() {
        const port = Number(new URL(yield* address).port)
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(
          GroundingRpcServer.layer({ host, port }).pipe(
            Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
            Layer.provide(
              Layer.mergeAll(providers(), MemoryEventStore.layer, instance("p2"), limits())
            )
          )
        )))
        assert.strictEqual(
          failure.message,
          `Cannot listen on ${host}:${port}: the port is in use by another process`
        )
      }))
  })

  const secret = "tvly-canary-1234567890"

  it.layer(served(providers(buggy(secret))), {
    timeout: "60 seconds",
    excludeTestServices: true
  })("with a bug inside", (it) => {
    it.effect("tells its callers nothing of it", () =>
      Effect.gen(function*() {
        const url = yield* address
        const raw = yield* post(url, "Ground", asked)
        assert.include(raw, `"_tag":"InternalFailure"`)
        assert.notInclude(raw, secret)
      }))
  })
})
