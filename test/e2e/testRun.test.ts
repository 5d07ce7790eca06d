/** A run of the tests says by its exit code whether they passed. Saboteur: a test that fails. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url))

it("fails when a test fails", () => {
  const config = "test/support/failingRun.config.ts"
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--config", config], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 60_000
  })
  assert.match(stdout, /1 failed/)
  assert.strictEqual(status, 1)
})
