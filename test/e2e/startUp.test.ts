/**
 * What needs no application loads none: help, version, completions and a mistyped invocation.
 *
 * The measure is modules, not time.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { compiled } from "../support/processes.ts"

/** The command line itself loads 393, most of them of `effect`; the composition root 1,300 more. */
const modulesMax = 400

const run = (...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--import", "./test/support/countModules.ts", ...args],
    { encoding: "utf8", env: compiled, timeout: 60_000 }
  )
  const [err = "", modules] = stderr.split("modules: ")
  return { status, out: stdout, err, modules: Number(modules) }
}

const wg = (...args: ReadonlyArray<string>) => run("bin/wg.js", ...args)

describe("a start without a command", () => {
  it.each(
    [
      [["--version"], 0, new RegExp(`^web-grounding v${manifest.version}\\n$`)],
      [["--help"], 0, /\n {2}ground /],
      [["ground", "--help"], 0, /--sandbox/],
      [["--completions", "bash"], 0, /--sandbox/]
    ] as const
  )("loads the command line alone for %j", (args, status, text) => {
    const told = wg(...args)
    assert.strictEqual(told.status, status, told.err)
    assert.match(told.out, text)
    assert.isAtMost(told.modules, modulesMax)
  })

  it.each(
    [
      [["gruond", "x"], "Unknown command \"gruond\": did you mean ground?"],
      [["evidence", "serch", "x"], "Unknown command \"serch\": did you mean search?"],
      [
        ["ground", "x", "--sandbx"],
        "Unrecognized flag: --sandbx in command web-grounding ground: " +
        "did you mean --sandbox?"
      ],
      [["nothing-like-it"], "Unknown command \"nothing-like-it\" (see: web-grounding --help)"]
    ] as const
  )("tells the mistake in %j at once", (args, sentence) => {
    const told = wg(...args)
    assert.strictEqual(told.status, 1)
    assert.include(told.err, `web-grounding: ${sentence}`)
    assert.strictEqual(told.err.split("\n").length, 2)
    assert.isAtMost(told.modules, modulesMax)
  })

  it("says what is wrong with an installation that lacks a module", () => {
    const lacking = "import { registerHooks } from 'node:module'\n" +
      "registerHooks({ resolve: (name, context, next) => {\n" +
      "  if (name === 'kysely') throw new Error('kysely is not installed')\n" +
      "  return next(name, context) } })"
    const { err, status } = run(
      "--import",
      `data:text/javascript,${encodeURIComponent(lacking)}`,
      ...["src/main.ts", "ground", "x", "--sandbox"]
    )
    assert.strictEqual(status, 1)
    assert.include(err, "kysely is not installed")
  })

  it("checks the settings with exit code 2, and opens nothing for it", () => {
    const directory = join(tmpdir(), `wg-unopened-${randomUUID()}`)
    const checked = (settings: Readonly<Record<string, string>>) =>
      spawnSync(process.execPath, ["bin/wg.js", "config", "check"], {
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          NODE_COMPILE_CACHE: compiled["NODE_COMPILE_CACHE"],
          WEB_GROUNDING_DATA_DIR: directory,
          ...settings
        },
        timeout: 60_000
      })
    const bad = checked({ SEARCH_MIN_RESULTS: "99", TAVILY_APIKEY: "canary" })
    assert.strictEqual(bad.status, 2, bad.stderr)
    assert.deepStrictEqual(bad.stdout.trim().split("\n"), [
      "SEARCH_MIN_RESULTS: Expected a value between 0 and 20 (0 to 20; default: 2)",
      "TAVILY_APIKEY is no setting and is not read: did you mean TAVILY_API_KEY?"
    ])
    assert.strictEqual(bad.stderr, "web-grounding: The settings have 2 problems\n")
    const good = checked({})
    assert.deepInclude(good, { status: 0, stdout: "The settings fit.\n", stderr: "" })
    assert.isFalse(existsSync(directory))
  })
})
