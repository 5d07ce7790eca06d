/**
 * What needs no application loads none: help, version, completions and a mistyped invocation.
 *
 * The measure is modules, not time. Saboteur: a start that loads the composition root.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import manifest from "../../package.json" with { type: "json" }
import { compiled } from "../support/processes.ts"

/** The command line itself loads 335, most of them of `effect`; the composition root 1,300 more. */
const modulesMax = 370

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

  it("would notice the composition root", () => {
    const eager = run("--input-type=module", "-e", "await import('./src/wiring/layers.ts')")
    assert.strictEqual(eager.status, 0, eager.err)
    assert.isAbove(eager.modules, modulesMax)
  })
})
