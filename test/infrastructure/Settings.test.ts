import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import * as Settings from "../../src/infrastructure/Settings.ts"

const tavilyKeys = [
  "TAVILY_API_KEY",
  "TAVILY_API_KEY_2",
  "TAVILY_API_KEY_3",
  "TAVILY_API_KEY_4",
  "TAVILY_API_KEY_5"
] as const

const read = (env: Record<string, string>) =>
  Effect.provide(
    Settings.Settings,
    Settings.layer.pipe(
      Layer.provide(
        ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true }))
      )
    )
  )

describe("the settings", () => {
  it.effect("have a default, but for secrets and models", () =>
    Effect.gen(function*() {
      const settings = yield* read({})
      assert.deepInclude(settings, {
        INTERNET_RAG_CHUNK_SIZE: 800,
        INTERNET_RAG_MAX_EXTRACT_URLS: 5,
        INTERNET_RAG_TOP_K: 6,
        JINA_READER_TIMEOUT: 12,
        JINA_RERANKER_TIMEOUT: 8,
        MAX_EVIDENCE_CHARS: 1_400,
        SEARCH_ATTEMPT_TIMEOUT_MS: 10_000,
        SEARCH_MIN_RESULTS: 2,
        TAVILY_MONTHLY_CREDITS: 1_000,
        WEB_SEARCH_MOCK: false
      })
      assert.isTrue(Option.isNone(settings.JINA_API_KEY))
      assert.isTrue(Option.isNone(settings.LLM_MODEL))
      assert.isTrue(Option.isNone(settings.SERPAPI_API_KEY))
      assert.deepStrictEqual(Settings.numberedKeys(settings, tavilyKeys), [])
      assert.deepStrictEqual(Settings.secretsOf(settings), [])
    }))

  it.effect("price each model by its own name", () =>
    Effect.gen(function*() {
      const { LLM_PRICES } = yield* read({ LLM_PRICES: "small=0.15/0.6, org/large:8b = 2.5/10" })
      assert.deepStrictEqual([...LLM_PRICES], [
        ["small", { prompt: 0.15, completion: 0.6 }],
        ["org/large:8b", { prompt: 2.5, completion: 10 }]
      ])
      assert.strictEqual((yield* read({})).LLM_PRICES.size, 0)
    }))

  it.effect("number up to five keys by their own names, gaps and all", () =>
    Effect.gen(function*() {
      const settings = yield* read({
        TAVILY_API_KEY: "one",
        TAVILY_API_KEY_3: "three",
        TAVILY_API_KEY_5: "five"
      })
      assert.deepStrictEqual(
        Settings.numberedKeys(settings, tavilyKeys).map(({ apiKey, keySlot }) => [
          keySlot,
          Redacted.value(Option.getOrThrow(apiKey))
        ]),
        [[1, "one"], [3, "three"], [5, "five"]]
      )
      assert.deepStrictEqual(Settings.secretsOf(settings), ["one", "three", "five"])
      const others = {
        DATABASE_URL: "d",
        SERPAPI_API_KEY: "s",
        JINA_API_KEY: "j",
        LLM_API_KEY: "l"
      }
      const more = yield* read({ ...others, OPENAI_EMBEDDING_API_KEY: "o", LLM_MODEL: "no secret" })
      assert.sameMembers([...Settings.secretsOf(more)], ["d", "s", "j", "l", "o"])
    }))

  it.effect("take what is empty for absent where its absence means something", () =>
    Effect.gen(function*() {
      const settings = yield* read({ DATABASE_URL: "", INTERNET_RAG_TOP_K: "" })
      assert.isTrue(Option.isNone(settings.DATABASE_URL))
      assert.strictEqual(settings.INTERNET_RAG_TOP_K, 6)
      const second = yield* read({ TAVILY_API_KEY: "", TAVILY_API_KEY_2: "two" })
      assert.deepStrictEqual(
        Settings.numberedKeys(second, tavilyKeys).map(({ keySlot }) => keySlot),
        [2]
      )
    }))

  it.effect.each([
    { setting: "WEB_GROUNDING_DATA_DIR", value: "" },
    { setting: "WEB_GROUNDING_TENANT", value: "" },
    { setting: "WEB_GROUNDING_HOST", value: "" },
    { setting: "TAVILY_PROJECT", value: "" },
    { setting: "LLM_MODEL", value: "" },
    { setting: "JINA_EMBEDDING_MODEL", value: "" },
    { setting: "MAX_EVIDENCE_CHARS", value: "many" },
    { setting: "JINA_READER_TIMEOUT", value: "0" },
    { setting: "INTERNET_RAG_TOP_K", value: "1.5" },
    { setting: "SERPAPI_BASE_URL", value: "serpapi.com" },
    { setting: "WEB_SEARCH_MOCK", value: "perhaps" },
    { setting: "LLM_PRICES", value: "small" },
    { setting: "LLM_PRICES", value: "small=1" },
    { setting: "LLM_PRICES", value: "small=1/-2" },
    { setting: "LLM_PRICES", value: "small=1/20000" },
    { setting: "LLM_PRICES", value: "small=1/2,small=2/3" }
  ])(
    "$setting=$value keeps the process from starting, and is named",
    ({ setting, value }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(read({ [setting]: value }))
        assert.strictEqual(failure.setting, setting)
        assert.isTrue(failure.message.startsWith(`Setting ${setting}: `))
      })
  )
})
