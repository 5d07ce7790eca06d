/** The embedded database opens in memory that a small machine has. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

/**
 * MB of a command on an existing directory, which opens it and asks something. It is 340 when run
 * from the sources. Compiled for speed the database takes 600 more, and 96 with larger buffers.
 */
const peakMbMax = 400

describe("the embedded database", () => {
  it("opens without being compiled twice", () => {
    const directory = preparedDirectory("wg-peak-")
    try {
      const { status, stderr } = spawnSync(
        process.execPath,
        ["--import", "./test/support/peakMemory.ts", "bin/wg.js", "tokens", "list"],
        {
          encoding: "utf8",
          env: { ...compiled, WEB_GROUNDING_DATA_DIR: directory },
          timeout: 60_000
        }
      )
      assert.strictEqual(status, 0, stderr)
      const peak = Number(stderr.split("peak: ")[1])
      assert.isAtLeast(peak, 100)
      assert.isAtMost(peak, peakMbMax)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
