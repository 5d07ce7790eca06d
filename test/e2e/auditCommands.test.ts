/** What an auditor does at a terminal, over a store on this machine. */
import { Effect, Layer, Option } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as ImportSessions from "../../src/application/audit/ImportSessions.ts"
import { useCases } from "../../src/wiring/layers.ts"
import * as CommandLine from "../support/commandLine.ts"
import { instance, limits, providers } from "../support/grounding.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"
import { AuditApi } from "../support/sent.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest } from "../support/verifiedHistory.ts"

const isFull = process.env["WG_TEST_FULL"] === "1"

const home = preparedDirectory("wg-audit-")
afterAll(() => rmSync(home, { recursive: true, force: true }))

const env = { WEB_GROUNDING_DATA_DIR: home, PACK_CACHE_HOURS: "0" }

const run = (...args: ReadonlyArray<string>) => CommandLine.run(args, env)

const linesOf = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text.trim().split("\n").map((line) => JSON.parse(line))

const questions = [
  "How much notice must a tenant give in Japan?",
  "What does a tram ride in Halvern cost?",
  "How long is a lease of a flat in Korea?"
] as const

beforeAll(async () => {
  for (const [index, question] of questions.entries()) {
    const { code } = await run(
      "ground",
      question,
      "--sandbox",
      "--consent",
      "--session",
      `s${index + 1}`
    )
    assert.strictEqual(code, 0)
  }
})

describe("what-if", () => {
  it("says what would change of a session", async () => {
    const one = await run("what-if", "s1", "--set", "passages_max=1", "--set", "tier=premium")
    assert.strictEqual(one.code, 0, one.err)
    assert.match(one.out, /^Session s1, rules (\d+) → \1\n  Request \S+: changed\n/)
    assert.match(one.out, /budget: spent 1, limit 2 → spent 1, limit 4/)

    const parsed = JSON.parse((await run("what-if", "s1", "--json", "--set", "tier=premium")).out)
    assert.deepInclude(parsed.requests[0].change.budget, {
      before: { spent: 1, limit: 2 },
      after: { spent: 1, limit: 4 }
    })

    const wrong = await run("what-if", "s1", "--set", "passage_max=1")
    assert.include(wrong.err, "did you mean passages_max?")
    const unknown = await run("what-if", "s1", "--set", "foo=1")
    assert.include(unknown.err, "Unknown name foo; one of pages_max, ")
    for (const value of ["900", "x"]) {
      const beyond = await run("what-if", "s1", "--set", `passages_max=${value}`)
      assert.match(beyond.err, /passages_max: Expected a .* between 1 and 20/)
    }
  })
})

describe("export and import", () => {
  it("carry all sessions into an empty store, where they replay, and one to standard output", async () => {
    const file = join(home, "sessions.jsonl")
    const out = await run("export", "--all", "--output", file)
    assert.strictEqual(out.code, 0, out.err)
    assert.match(out.err, /3 sessions, \d+ events, 1 part/)

    const other = { WEB_GROUNDING_DATA_DIR: preparedDirectory("wg-import-") }
    const take = (path: string) => CommandLine.run(["import", path], other)
    writeFileSync(`${file}.changed`, readFileSync(file, "utf8").replace("Halvern", "Halvorn"))
    const refused = await take(`${file}.changed`)
    assert.strictEqual(refused.code, 1)
    assert.match(refused.err, /refused at line \d+, data: payload edited. Nothing was recorded/)

    const taken = await take(file)
    assert.strictEqual(taken.code, 0, taken.err)
    assert.match(taken.out, /^3 sessions, \d+ events, 1 part; 0 sessions proven by the anchor\n$/)
    const replayed = await CommandLine.run(["replay", "--all"], other)
    assert.strictEqual(replayed.out, "3 sessions: 3 identical\n")
    const again = await take(file)
    assert.include(again.err, "import into an empty one")

    const one = await CommandLine.run(["export", "s2"], other)
    writeFileSync(`${file}.one`, one.out)
    const third = { WEB_GROUNDING_DATA_DIR: preparedDirectory("wg-import-") }
    const single = await CommandLine.run(["import", `${file}.one`], third)
    assert.match(single.out, /^1 session, /, single.err)
    for (const { WEB_GROUNDING_DATA_DIR } of [other, third]) {
      rmSync(WEB_GROUNDING_DATA_DIR, { recursive: true, force: true })
    }
  })
})

/** A server that holds nothing yet. */
const server = Layer.mergeAll(
  ImportSessions.layer.pipe(
    Layer.provide(OutsideAnchors.layerSigningKey(Option.none())),
    Layer.provide(digest)
  ),
  useCases
).pipe(
  Layer.provide(Layer.merge(PlainEventStore.layer, PostgresServiceState.layer)),
  Layer.provide(Layer.mergeAll(providers(), instance("p"), limits())),
  Layer.provide(TestDatabase.layer)
)

describe("a server's store", () => {
  it("takes the export of an embedded one, and replays it to the same words", async () => {
    const file = join(home, "to-server.jsonl")
    await run("export", "--all", "--output", file)
    const { sessions } = await Effect.gen(function*() {
      const { take } = yield* ImportSessions.ImportSessions
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      yield* take("default", lines, Option.none())
      const { replays } = yield* AuditApi
      return yield* replays({}, { tenantId: "default" })
    }).pipe(Effect.provide(server), Effect.scoped, Effect.runPromise)
    const here = await run("replay", "--all", "--json")
    assert.deepStrictEqual(JSON.parse(JSON.stringify(sessions)), linesOf(here.out).slice(0, -1))
  })
})

describe("replay --all", () => {
  it("prints a line a session and a summary, and goes on from where it ended", async () => {
    const whole = await run("replay", "--all", "--json")
    assert.strictEqual(whole.code, 0, whole.err)
    const lines = linesOf(whole.out)
    assert.deepStrictEqual(lines.map(({ session_id }) => session_id), ["s3", "s2", "s1", undefined])
    assert.deepInclude(lines.at(-1)?.["summary"], { sessions: 3, identical: 3, different: 0 })

    const some = await run("replay", "--all", "--json", "--limit", "2")
    const { next } = Object(linesOf(some.out).at(-1)?.["summary"])
    assert.match(next, /^[0-9a-f-]{36}$/)
    const rest = await run("replay", "--all", "--json", "--cursor", next)
    assert.deepStrictEqual(linesOf(rest.out).map(({ session_id }) => session_id), ["s1", undefined])

    const text = await run("replay", "--all")
    assert.strictEqual(text.out, "3 sessions: 3 identical\n")
    const both = await run("replay", "s1", "--all")
    assert.deepInclude(both, { code: 1 })
    assert.include(both.err, "Name one session, or --all of them")
  })

  it("says the same, byte for byte, in every time zone and locale", () => {
    const places = [
      { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
      ...(isFull
        ? [
          { TZ: "UTC", LANG: "C", LC_ALL: "C" },
          { TZ: "America/St_Johns", LANG: "C", LC_ALL: "C" },
          { TZ: "Pacific/Chatham", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8" }
        ]
        : [])
    ]
    const outputs = places.map((place) => {
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        ["bin/wg.js", "replay", "--all", "--json"],
        { env: { ...compiled, ...env, ...place }, encoding: "utf8" }
      )
      assert.strictEqual(status, 0, stderr)
      return stdout
    })
    return run("replay", "--all", "--json").then(({ out }) => {
      for (const output of outputs) assert.strictEqual(output, out)
    })
  })
})
