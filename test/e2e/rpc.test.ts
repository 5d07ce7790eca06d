/** The service's RPC over real HTTP on loopback, asked by Effect's client. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { RpcClient, type RpcClientError, type RpcGroup, RpcSerialization } from "effect/rpc"
import type * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { GroundingRpc } from "../../src/adapters/rpc/GroundingRpc.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import type { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
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

class Methods extends Context.Service<
  Methods,
  RpcClient.RpcClient<RpcGroup.Rpcs<typeof GroundingRpc>, RpcClientError.RpcClientError>
>()("test/e2e/rpc/Methods") {}

const client = Layer.unwrap(
  Effect.map(address, (url) =>
    Layer.effect(Methods, RpcClient.make(GroundingRpc)).pipe(
      Layer.provide(RpcClient.layerProtocolHttp({ url: `${url}/rpc` })),
      Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
    ))
)

const ground = Effect.fnUntraced(function*(input: typeof asked & { request_id?: string }) {
  const { Ground } = yield* Methods
  const last = yield* Stream.runLast(Ground(input))
  return last._tag === "Some" && last.value._tag === "Outcome"
    ? last.value.outcome
    : yield* Effect.die("no outcome")
})

const served = (search: Layer.Layer<SearchProviders, never, SandboxServer.SandboxServer>) =>
  client.pipe(
    Layer.provideMerge(GroundingRpcServer.layer({ host, port: 0 })),
    Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
    Layer.provide(Layer.mergeAll(search, MemoryEventStore.layer, instance("p1"), limits())),
    Layer.provideMerge(sandbox)
  )

const asked = {
  session_id: "s" as string,
  topic: "How much notice must a tenant give in Japan?" as string,
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
        const { Ground } = yield* Methods
        const elements = yield* Stream.runCollect(Ground({ ...asked, request_id: "r1" }))
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
        const first = yield* ground({ ...asked, session_id: "s2" })
        const again = yield* ground({ ...asked, session_id: "s2", request_id: first.request_id })
        assert.deepStrictEqual(again, first)
        assert.isNotEmpty(first.pack.constraints_and_rules)
      }))

    it.effect("has a method for each operation of callers, with typed failures", () =>
      Effect.gen(function*() {
        const api = yield* Methods
        const id = { session_id: "s3", request_id: "r" }
        const outcome = yield* ground({ ...asked, ...id })
        assert.deepStrictEqual(yield* api.GetPack(id), outcome)
        const view = yield* api.GetPackView({ ...id, audience: "roleplay_background" })
        assert.isTrue("facts" in view && view.facts.length > 0)
        assert.deepStrictEqual(yield* api.RecordShown({ ...id, audience: "user" }), {
          recorded: true
        })
        const { events } = yield* api.GetSession({ session_id: "s3" })
        assert.strictEqual(events.at(-1)?.type, "WEB_GROUNDING_SHOWN_TO_USER")
        const course = { session_id: "s4", request_id: "r", course_title: "Notice in Japan" }
        assert.isTrue((yield* api.Research(course)).is_usable)
        const outlined = yield* api.Outline({ ...course, request_id: "r2" })
        assert.strictEqual(outlined.course_title, course.course_title)
        assert.strictEqual((yield* api.GetHealth({})).hours, 24)
        assert.deepStrictEqual((yield* api.SearchEvidence({ query: "copper" })).found, [])
        const refused = [
          api.Outline(course),
          api.GetPack({ ...id, request_id: "nope" }),
          api.GetSession({ session_id: "nope" }),
          api.GetHealth({ hours: 1_000 }),
          api.SearchEvidence({ query: "copper", limit: 0 })
        ]
        const tags = yield* Effect.forEach(
          refused,
          (one: Effect.Effect<unknown, { readonly _tag: string }>) =>
            Effect.map(Effect.flip(one), ({ _tag }) => _tag)
        )
        assert.deepStrictEqual(tags, [
          "RequestConflict",
          "PackNotFound",
          "SessionNotFound",
          "InvalidInput",
          "InvalidInput"
        ])
      }))

    it.effect("reports bad input as a typed failure that names the field", () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(ground({ ...asked, topic: "" }))
        assert.deepInclude(failure, { _tag: "InvalidInput", field: "topic" })
        const url = yield* address
        const raw = yield* post(url, "Ground", { session_id: "s", topic: "t", tier: "gold" })
        assert.include(raw, `"_tag":"InvalidInput"`)
        assert.include(raw, `"field":"tier"`)
        assert.notInclude(raw, "Die")
      }))
  })

  const secret = "tvly-canary-1234567890"

  it.layer(served(providers(buggy(secret))), {
    timeout: "60 seconds",
    excludeTestServices: true
  })("with a bug inside", (it) => {
    it.effect("shows its callers nothing of it", () =>
      Effect.gen(function*() {
        const url = yield* address
        const raw = yield* post(url, "Ground", asked)
        assert.include(raw, `"_tag":"InternalFailure"`)
        assert.notInclude(raw, secret)
      }))
  })
})
