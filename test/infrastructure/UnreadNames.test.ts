import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as NearestName from "../../src/infrastructure/NearestName.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"

const sentences = (env: Record<string, string>) =>
  CheckSettings.unreadNames.pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
  )

describe("names that no setting reads", () => {
  it.effect("are reported with the nearest setting, and without a value", () =>
    Effect.gen(function*() {
      const told = yield* sentences({
        DATABASE_URI: "postgres://user:canary@host/database",
        TAVILY_APIKEY: "canary",
        TAVILY_API_KEY_6: "canary",
        WEB_GROUNDING_PORTS: "1",
        SEARCH_WITHOUT_ANY_LIKENESS: "canary"
      })
      assert.deepStrictEqual(told, [
        "DATABASE_URI is no setting and is not read: did you mean DATABASE_URL?",
        "SEARCH_WITHOUT_ANY_LIKENESS is no setting and is not read",
        "TAVILY_APIKEY is no setting and is not read: did you mean TAVILY_API_KEY?",
        "TAVILY_API_KEY_6 is no setting and is not read: did you mean TAVILY_API_KEY_2?",
        "WEB_GROUNDING_PORTS is no setting and is not read: did you mean WEB_GROUNDING_PORT?"
      ])
    }))

  it.effect("are not those that every shell sets", () =>
    Effect.map(
      sentences({ SHELL: "/bin/sh", SHLVL: "1", HOME: "/", TERM: "xterm", USER: "a" }),
      (told) => assert.deepStrictEqual(told, [])
    ))

  it.effect("are reported for the key and the address of each service, with one letter too few", () =>
    Effect.gen(function*() {
      const asked = Settings.names.filter((name) => /_API_KEY|_BASE_URL/.test(name))
      assert.isAtLeast(asked.length, 15)
      for (const name of asked) {
        const near = name.replace(/_(API|BASE)_/, "_$1")
        assert.deepStrictEqual(yield* sentences({ [near]: "canary" }), [
          `${near} is no setting and is not read: did you mean ${name}?`
        ])
      }
    }))

  it.effect("are none of the settings, and none of other programs", () =>
    Effect.gen(function*() {
      const known = Object.fromEntries(Settings.names.map((name) => [name, "x"]))
      const others = {
        PATH: "/bin",
        HOME: "/",
        NO_COLOR: "1",
        TAVILY: "x",
        SEARCHES: "x",
        ftp_proxy: "x",
        no_proxy: "x",
        FTP_PROXY: "x"
      }
      assert.deepStrictEqual(yield* sentences({ ...known, ...others }), [])
    }))

  it.effect("are looked for in bounded time, however high one is numbered", () =>
    Effect.gen(function*() {
      const told = yield* sentences({ TAVILY_99999999: "x", JINA_API_KEY_7: "x" })
      assert.deepStrictEqual(told, [
        "JINA_API_KEY_7 is no setting and is not read: did you mean JINA_API_KEY?"
      ])
    }))
})

describe("the distance of two names", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["DATABASE_URI", "DATABASE_URL", 1]
  ])("from %j to %j is %i both ways", (left, right, edits) => {
    assert.strictEqual(NearestName.distance(left, right), edits)
    assert.strictEqual(NearestName.distance(right, left), edits)
  })
})
