/** What `config check` reports of an environment, and `config print` shows of it. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"
import * as Providers from "../../src/wiring/Providers.ts"

type Environment = Readonly<Record<string, string>>

const within = (env: Environment) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

const check = (env: Environment) => within(env)(CheckSettings.check)
const print = (env: Environment) => within(env)(CheckSettings.print)

/** Appears in no finding. */
const canary = "canary-1f6e"

/** An environment, and the setting that must be named for it. */
type Row = readonly [setting: string, value: string, others?: Environment]

/** What is wrong by kind for every search provider, by the names of its settings. */
const ofProviders = Providers.table.map(({ baseUrl, ledger }) => {
  const counted = ledger === undefined ? [] : [ledger.ceiling]
  return {
    invalid: [
      ...["nowhere", "search.example", "ftp://search.example"].map((
        value
      ): Row => [baseUrl, value]),
      ...counted.flatMap((name): ReadonlyArray<Row> => [[name, "-1"], [name, "0.5"]])
    ],
    unknown: [baseUrl.replace(/BASE_URL$/, "WITHOUT_ANY_LIKENESS")].map((name): Row => [
      name,
      canary
    ])
  }
})

const invalid: ReadonlyArray<Row> = [
  ...ofProviders.flatMap((rows) => rows.invalid),
  ["DATABASE_URL", ""],
  ["DATABASE_URL", canary],
  ["DATABASE_URL", `mysql://user:${canary}@host/database`],
  ["DATABASE_URL", `postgres://user:${canary}%@host/database`],
  ["DATABASE_POOL_MAX", "0"],
  ["DATABASE_POOL_MAX", "201"],
  ["DATABASE_POOL_MIN", "-1"],
  ["DATABASE_CONNECT_TIMEOUT_MS", "99"],
  ["DATABASE_CONNECT_TIMEOUT_MS", "5s"],
  ["DATABASE_STATEMENT_TIMEOUT_MS", "600001"],
  ["DATABASE_IDLE_TRANSACTION_TIMEOUT_MS", "soon"],
  ["WEB_GROUNDING_DATA_DIR", ""],
  ["WEB_GROUNDING_TENANT", ""],
  ["WEB_GROUNDING_HOST", ""],
  ["WEB_GROUNDING_PORT", "65536"],
  ["WEB_GROUNDING_PORT", "tcp://10.0.0.1:7420"],
  ["WEB_GROUNDING_TOKENS_REQUIRED", "perhaps"],
  ["WEB_GROUNDING_GROUNDINGS_MAX", "0"],
  ["WEB_GROUNDING_READS_MAX", "10001"],
  ["WEB_GROUNDING_CONNECTIONS_MAX", "9"],
  ["WEB_GROUNDING_READ_MODEL_LAG_MS_MAX", "-1"],
  ["WEB_GROUNDING_SHUTDOWN_DELAY_MS", "8001"],
  ["WEB_GROUNDING_SHUTDOWN_GRACE_MS", "1.5"],
  ["TENANT_REQUESTS_PER_MINUTE", "many"],
  ["TENANT_GROUNDINGS_MAX", "10001"],
  ["TENANT_SEARCHES_PER_DAY", "-5"],
  ["TENANT_COST_CENTS_PER_MONTH", "1e99"],
  ["PAYLOAD_KEY", "dG9vIHNob3J0"],
  ["RETENTION_TENANTS", "shop=1/2"],
  ["RETENTION_TENANTS", "shop=1/2/3,shop=1/2/3"],
  ["RETENTION_SESSION_DAYS", "-1"],
  ["PAYLOAD_KEYS_FORMER", `${canary},${canary}`],
  ["OIDC_ISSUERS", "http://issuer.example"],
  ["OIDC_JWKS_URLS", "https://keys.example/?a=b"],
  ["OIDC_ALGORITHMS", "HS256"],
  ["OIDC_CLOCK_SKEW", "301"],
  ["OIDC_TENANT_CLAIM", ""],
  ["WEB_SEARCH_MOCK", "2"],
  ["TAVILY_USAGE_MINUTES", "9"],
  ["TAVILY_PROJECT", ""],
  ["SEARCH_PROVIDERS_TENANTS", "shop=brav"],
  ["SEARCH_PROVIDERS_TENANTS", "shop=exa,shop=brave"],
  ["SITES_TENANTS", "shop"],
  ["SITES_TENANTS", "shop=a.example/x"],
  ["DUCKDUCKGO_ENABLED", "sometimes"],
  ["DUCKDUCKGO_ENABLED", "y e s"],
  ["JINA_BASE_URL", "nowhere"],
  ["JINA_RERANKER_TIMEOUT", "61"],
  ["JINA_EMBEDDING_DIMENSIONS", "0"],
  ["OPENAI_EMBEDDING_DIMENSIONS", "8193"],
  ["HTTPS_PROXY", `socks5://user:${canary}@proxy.corp:1080`],
  ["HTTP_PROXY", `http://user:${canary}%@proxy.corp`],
  ["HTTP_PROXY", `http://proxy.corp/${canary}`],
  ["LLM_MODEL", ""],
  ["LLM_BASE_URL", "localhost:11434"],
  ["LLM_PRICES", "small"],
  ["LLM_PRICES", "small=1/2,small=2/3"],
  ["LLM_PROMPT_PRICE", "free"],
  ["LLM_COMPLETION_PRICE", "10001"],
  ["SEARCH_ATTEMPT_TIMEOUT_MS", "60001"],
  ["ENGINE_TIMEOUT_MS", "1"],
  ["JINA_READER_TIMEOUT", "0"],
  ["LOCAL_READER_USER_AGENT", "two\nlines"],
  ["SEARCH_MIN_RESULTS", "21"],
  ["SEARCH_SCORE_MIN", "1.1"],
  ["INTERNET_RAG_MAX_EXTRACT_URLS", "0"],
  ["INTERNET_RAG_CHUNK_SIZE", "199"],
  ["INTERNET_RAG_TOP_K", "1.5"],
  ["EVIDENCE_ENTRIES_MAX", "21"],
  ["COLLECT_WEB_PAGES", "maybe"],
  ["PACK_CACHE_HOURS", "721"],
  ["MAX_EVIDENCE_CHARS", "many"]
]

const contradictory: ReadonlyArray<Row> = [
  [
    "PAYLOAD_KEYS_FORMER",
    PayloadCipher.drawnKey(),
    { DATABASE_URL: "postgres://u:p@host/d" }
  ],
  ["OIDC_AUDIENCE", "absent", { OIDC_ISSUERS: "https://issuer.example" }],
  ["OIDC_JWKS_URLS", "https://keys.example"],
  ["WEB_GROUNDING_ALLOWED_HOSTS", "good.example, https://tools.example"],
  ["WEB_GROUNDING_ALLOWED_HOSTS", "tools.example:7420"],
  ["WEB_GROUNDING_ALLOWED_ORIGINS", "tools.example"],
  ["WEB_GROUNDING_ALLOWED_ORIGINS", "https://tools.example/"],
  ["TENANT_COST_CENTS_PER_DAY", "11"],
  ["TENANT_COST_CENTS_PER_MONTH", "11"],
  ["TENANT_COST_CENTS_PER_DAY", "11", { LLM_JUDGE_MODEL: "large", LLM_PRICES: "small=1/2" }],
  ["TENANT_COST_CENTS_PER_DAY", "11", { LLM_WRITER_MODEL: "none", LLM_PRICES: "small=1/2" }],
  ["DATABASE_READ_URL", "postgres://u:p@standby/d"],
  ["ERASURE_DATABASE_URL", "postgres://u:p@host/d"],
  ["TAVILY_API_KEY_2", canary, { TAVILY_API_KEY: canary }],
  ["TAVILY_API_KEY_5", canary, { TAVILY_API_KEY_3: canary }],
  ["LLM_PROMPT_PRICE", "1", { LLM_MODEL: "small" }],
  ["LLM_COMPLETION_PRICE", "1", { LLM_MODEL: "small" }]
]

const unknown: ReadonlyArray<Row> = [
  ...ofProviders.flatMap((rows) => rows.unknown),
  ["DATABASE_URI", canary],
  ["TAVILY_APIKEY", canary],
  ["WEB_GROUNDING_SHUTDOWN_GRACE", "1"],
  ["TENANT_REQUEST_PER_MINUTE", "10"],
  ["TENANT_SEARCHES_PER_DAYS", "10"],
  ["PACK_CACHE_HOUR", "1"],
  ["ENGINE_TIMEOUT_M", "1"],
  ["COLECT_WEB_PAGES", "true"],
  ["DATABASE_URL_FIL", "/run/secrets/url"]
]

const environmentOf = ([setting, value, others]: Row): Environment => ({
  ...others,
  ...(value === "absent" ? {} : { [setting]: value })
})

const rows = [
  ...invalid.map((row) => ({ kind: "invalid", row })),
  ...contradictory.map((row) => ({ kind: "invalid", row })),
  ...unknown.map((row) => ({ kind: "unknown", row }))
].map(({ kind, row }) => ({ kind, row, setting: row[0], value: JSON.stringify(row[1]) }))

describe("the check of the settings", () => {
  it.effect.each(rows)(
    "names $setting=$value: $kind",
    ({ kind, row, setting }) =>
      Effect.gen(function*() {
        const findings = yield* check(environmentOf(row))
        assert.deepStrictEqual(
          findings.filter((finding) => finding.kind !== "choice").map((
            finding
          ) => [finding.kind, finding.setting]),
          [[kind, setting]]
        )
        assert.notInclude(JSON.stringify(findings), canary)
        assert.notStrictEqual(findings[0]?.problem ?? "", "")
      })
  )

  it.effect("finds nothing in an empty environment, nor in another program's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* check({}), [])
      assert.deepStrictEqual(yield* check({ PATH: "/bin", TENANT_ID: "x", NO_COLOR: "1" }), [])
      const proxied = { HTTPS_PROXY: "", NO_PROXY: "", http_proxy: "proxy.corp:3128" }
      assert.deepStrictEqual(yield* check(proxied), [])
      assert.deepStrictEqual(
        (yield* print(proxied)).filter(({ source }) => source === "environment")
          .map(({ name, value }) => [name, value]),
        [["HTTP_PROXY", "set"]]
      )
    }))

  it.effect("reports all at once, with bounds and default", () =>
    Effect.gen(function*() {
      const findings = yield* check({
        SEARCH_MIN_RESULTS: "99",
        DATABASE_POOL_MAX: "many",
        OIDC_JWKS_URLS: "https://keys.example",
        TAVILY_APIKEY: "x"
      })
      assert.deepStrictEqual(
        findings.map(({ kind, setting }) => `${kind} ${setting}`),
        [
          "invalid DATABASE_POOL_MAX",
          "invalid SEARCH_MIN_RESULTS",
          "invalid OIDC_JWKS_URLS",
          "unknown TAVILY_APIKEY"
        ]
      )
      assert.deepInclude(findings[1], { bounds: "0 to 20", fallback: "2" })
    }))
})

const directory = mkdtempSync(join(tmpdir(), "wg-secrets-"))

const fileOf = (name: string, content: string): string => {
  const path = join(directory, name)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

describe("secrets in files", () => {
  it.effect("are read without the line end behind them, and shown as set", () =>
    Effect.gen(function*() {
      const env = {
        DATABASE_URL_FILE: fileOf("url", `postgres://u:${canary}@host/d\r\n`),
        TAVILY_API_KEY_FILE: fileOf("key", canary)
      }
      const payloads = fileOf("payload", `${PayloadCipher.drawnKey()}\n`)
      assert.deepStrictEqual(yield* check({ ...env, PAYLOAD_KEY_FILE: payloads }), [])
      assert.deepStrictEqual(yield* check(env), [{
        kind: "choice",
        setting: "PAYLOAD_KEY",
        problem: "is not set: payloads are stored in PostgreSQL as plaintext"
      }])
      const { values } = yield* within(env)(Settings.inspected)
      assert.includeMembers([...Settings.secretsOf(values)], [
        `postgres://u:${canary}@host/d`,
        canary
      ])
      const set = { DATABASE_URL: "set", TAVILY_API_KEY: "set" }
      assert.deepStrictEqual(yield* within(env)(CheckSettings.given), set)
      const shown = yield* print(env)
      assert.notInclude(JSON.stringify(shown), canary)
      const url = shown.find(({ name }) => name === "DATABASE_URL")
      assert.deepInclude(url, { source: "file", value: "set" })
    }))

  it.effect("are refused by the name of the file's setting, without the path", () =>
    Effect.gen(function*() {
      const bad: ReadonlyArray<Environment> = [
        { JINA_API_KEY_FILE: join(directory, canary) },
        { JINA_API_KEY_FILE: directory },
        { JINA_API_KEY_FILE: "" },
        { JINA_API_KEY_FILE: fileOf("empty", "\n") },
        { JINA_API_KEY_FILE: fileOf("large", "x".repeat(70_000)) },
        { JINA_API_KEY_FILE: fileOf("twice", "x"), JINA_API_KEY: canary }
      ]
      for (const env of bad) {
        const [first, ...others] = yield* check(env)
        assert.deepInclude(first, { kind: "invalid", setting: "JINA_API_KEY_FILE" })
        assert.deepStrictEqual(others, [])
        assert.notInclude(JSON.stringify(first), canary)
        assert.notInclude(JSON.stringify(first), directory)
      }
      rmSync(directory, { recursive: true })
    }))
})

describe("the settings that are printed", () => {
  it.effect("are all of them, with where each comes from and no secret", () =>
    Effect.gen(function*() {
      const shown = yield* print({
        TAVILY_API_KEY: canary,
        DATABASE_URL: `postgres://user:${canary}@db.example/wg`,
        LLM_BASE_URL: "https://models.example/v1",
        LLM_PRICES: "small=1/2",
        RETENTION_TENANTS: "shop=30/7/90",
        SEARCH_PROVIDERS_TENANTS: "shop=exa tavily",
        SITES_TENANTS: "shop=City.example -ads.example, lab=-b.example",
        WEB_GROUNDING_PORT: "9"
      })
      assert.deepStrictEqual(shown.map(({ name }) => name), Settings.names)
      assert.notInclude(JSON.stringify(shown), canary)
      const of = (setting: string) => {
        const { source, value } = shown.find(({ name }) => name === setting) ?? {}
        return [source, value]
      }
      assert.deepStrictEqual(of("TAVILY_API_KEY"), ["environment", "set"])
      assert.deepStrictEqual(of("TAVILY_API_KEY_2"), ["default", null])
      assert.deepStrictEqual(of("LLM_BASE_URL"), ["environment", "https://models.example/v1"])
      assert.deepStrictEqual(of("LLM_PRICES"), ["environment", "small=1/2"])
      assert.deepStrictEqual(of("RETENTION_TENANTS"), ["environment", "shop=30/7/90"])
      assert.deepStrictEqual(of("SEARCH_PROVIDERS_TENANTS"), ["environment", "shop=exa tavily"])
      assert.deepStrictEqual(of("SITES_TENANTS"), [
        "environment",
        "shop=city.example -ads.example,lab=-b.example"
      ])
      assert.deepStrictEqual(of("WEB_GROUNDING_PORT"), ["environment", "9"])
      assert.deepStrictEqual(of("PACK_CACHE_HOURS"), ["default", "24"])
      assert.deepStrictEqual(of("OIDC_ALGORITHMS"), ["default", "RS256,ES256,EdDSA"])
    }))
})
