/** Tavily's own count of a key, asked of the sandbox over HTTP, and what goes wrong with it. */
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SandboxServer } from "../../packages/sandbox/src/SandboxServer.ts"
import * as TavilyTransport from "../../src/adapters/search/TavilyTransport.ts"
import { sandbox } from "../support/grounding.ts"
import { searchAt } from "../support/sandboxSearch.ts"

const reportWith = (key: string, path = "/") =>
  Effect.flatMap(SandboxServer, ({ baseUrl }) =>
    TavilyTransport.make({
      apiKey: Redacted.make(key),
      baseUrl: `${baseUrl}${path}`,
      keySlot: 2,
      projectId: "p"
    }).report)

it.layer(sandbox, { excludeTestServices: true })("Tavily's count", (it) => {
  it.effect("is what the searches cost, and asking is free", () =>
    Effect.gen(function*() {
      const { baseUrl, forget } = yield* SandboxServer
      yield* forget
      assert.deepStrictEqual(yield* reportWith("tvly-sandbox-1"), { used: 0, limit: 1_000 })
      yield* searchAt(baseUrl)
      yield* searchAt(baseUrl, { depth: "advanced" })
      assert.deepStrictEqual(yield* reportWith("tvly-sandbox-1"), { used: 3, limit: 1_000 })
      assert.deepStrictEqual(yield* reportWith("tvly-sandbox-1"), { used: 3, limit: 1_000 })
    }))

  it.effect.each(
    [
      ["wrong", "invalid_key"],
      ["tvly-sandbox-fault-401", "invalid_key"],
      ["tvly-sandbox-fault-403", "unknown_error"],
      ["tvly-sandbox-fault-429", "rate_limited"],
      ["tvly-sandbox-fault-500", "network_error"],
      ["tvly-sandbox-fault-reset", "network_error"],
      ["tvly-sandbox-fault-cut", "network_error"],
      ["tvly-sandbox-fault-html-200", "unknown_error"],
      ["tvly-sandbox-fault-wrong-shape", "unknown_error"],
      ["tvly-sandbox-fault-empty-body", "unknown_error"],
      ["tvly-sandbox-fault-gzip-bomb", "unknown_error"],
      ["tvly-sandbox-fault-redirect", "unknown_error"]
    ] as const
  )("with the key %s is none", ([key, status]) =>
    Effect.gen(function*() {
      const failed = yield* Effect.flip(reportWith(key))
      assert.deepInclude(failed, { provider: "tavily", status })
      assert.notInclude(JSON.stringify(failed), key)
    }))
})
