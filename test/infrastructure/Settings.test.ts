import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as Providers from "../../src/wiring/Providers.ts"
import { newKey } from "../support/anchoredLog.ts"

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
        ENGINE_TIMEOUT_MS: 30_000,
        INTERNET_RAG_CHUNK_SIZE: 800,
        INTERNET_RAG_MAX_EXTRACT_URLS: 5,
        INTERNET_RAG_TOP_K: 6,
        JINA_READER_TIMEOUT: 12,
        JINA_RERANKER_TIMEOUT: 8,
        MAX_EVIDENCE_CHARS: 1_400,
        SEARCH_ATTEMPT_TIMEOUT_MS: 10_000,
        SEARCH_MIN_RESULTS: 2,
        SEARCH_SCORE_MIN: 0.1,
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
        DATABASE_URL: "postgres://u:d@host/database",
        SERPAPI_API_KEY: "s",
        JINA_API_KEY: "j",
        LLM_API_KEY: "l"
      }
      const more = yield* read({ ...others, OPENAI_EMBEDDING_API_KEY: "o", LLM_MODEL: "no secret" })
      assert.sameMembers([...Settings.secretsOf(more)], [
        "postgres://u:d@host/database",
        // The password alone, too: a failure may name it without its address.
        "d",
        "s",
        "j",
        "l",
        "o"
      ])
    }))

  it.effect("hold a secret where their table says so, and nowhere else", () =>
    Effect.gen(function*() {
      const secret = Settings.names.filter((name) =>
        /_API_KEY|DATABASE_(READ_)?URL$|_HEADERS$|HTTPS?_PROXY$/.test(name)
      )
      const settings = yield* read({
        ...Object.fromEntries(
          secret.map((name, place) => [
            name,
            /_PROXY$/.test(name) ? "http://u:d@host" : `postgres://u:d@host/database${place}`
          ])
        ),
        ANCHOR_KEY: newKey(),
        PAYLOAD_KEY: PayloadCipher.drawnKey(),
        PAYLOAD_KEYS_FORMER: [PayloadCipher.drawnKey(), PayloadCipher.drawnKey()].join(", ")
      })
      assert.deepStrictEqual(
        Object.entries(settings).flatMap(([name, value]) =>
          Option.isOption(value) && Option.exists(value, Redacted.isRedacted) ? [name] : []
        ),
        Object.values(Settings.table).flatMap(({ holds, name }) => holds === "open" ? [] : [name])
      )
      assert.lengthOf(
        Settings.secretsOf(settings),
        secret.length +
          [
            "d",
            "d to read",
            "d to erase",
            "d of a proxy",
            "d of another",
            "ANCHOR_KEY",
            "PAYLOAD_KEY",
            "all former",
            "1st",
            "2nd"
          ].length
      )
    }))

  it.effect("take an empty key for one that is not set", () =>
    Effect.gen(function*() {
      const settings = yield* read({
        JINA_API_KEY: "",
        TAVILY_API_KEY: "",
        TAVILY_API_KEY_2: "two"
      })
      assert.isTrue(Option.isNone(settings.JINA_API_KEY))
      assert.deepStrictEqual(
        Settings.numberedKeys(settings, tavilyKeys).map(({ keySlot }) => keySlot),
        [2]
      )
    }))

  it.effect("are all refused at once, each in a line of its own, without a secret", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(read({
        DATABASE_URL: "mysql://user:canary@host/database",
        SEARCH_MIN_RESULTS: "99",
        TAVILY_PROJECT: ""
      }))
      assert.deepStrictEqual(failure.message.split("\n"), [
        "Setting DATABASE_URL: Expected postgres://user:password@host:port/database: " +
        "it does not begin with postgres://",
        "Setting TAVILY_PROJECT: It is empty: give a value or leave it out",
        "Setting SEARCH_MIN_RESULTS: Expected a value between 0 and 20"
      ])
    }))

  it.effect("are refused when they are empty, each but a key", () =>
    Effect.gen(function*() {
      const empty = Object.fromEntries(Settings.names.map((setting) => [setting, ""]))
      const { invalid } = yield* Effect.flip(read(empty))
      assert.sameMembers(
        Settings.names.filter((name) => !invalid.some(({ setting }) => setting === name)),
        [
          "ANCHOR_KEY",
          "PAYLOAD_KEY",
          "PAYLOAD_KEYS_FORMER",
          "OTEL_EXPORTER_OTLP_HEADERS",
          ...Providers.table.flatMap(({ ledger }) => ledger?.keys ?? []),
          "CUSTOM_API_KEY",
          "JINA_API_KEY",
          "RERANKER_API_KEY",
          "OPENAI_EMBEDDING_API_KEY",
          "LLM_API_KEY",
          "HTTPS_PROXY",
          "HTTP_PROXY",
          "NO_PROXY"
        ]
      )
    }))

  it.effect.each([
    { setting: "DATABASE_URL", value: "" },
    { setting: "DATABASE_URL", value: "nonsense" },
    { setting: "DATABASE_URL", value: "postgres://user:50%@host/database" },
    { setting: "SEARCH_MIN_RESULTS", value: "" },
    { setting: "LLM_MODEL", value: "" },
    { setting: "MAX_EVIDENCE_CHARS", value: "many" },
    { setting: "JINA_READER_TIMEOUT", value: "0" },
    { setting: "INTERNET_RAG_TOP_K", value: "1.5" },
    ...Providers.table.flatMap(({ baseUrl }) => [
      { setting: baseUrl, value: "search.example" },
      { setting: baseUrl, value: "https://user:canary@search.example" }
    ]),
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
        assert.deepStrictEqual(failure.invalid.map(({ setting }) => setting), [setting])
        assert.isTrue(failure.message.startsWith(`Setting ${setting}: `))
      })
  )
})
