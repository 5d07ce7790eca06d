/**
 * The official conformance suite of MCP finds what docs/mcp.md says that it finds. It is a peer and
 * no dependency: `npm ci --prefix test/peers/conformance` installs it, and without it this test is
 * skipped.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const folder = "test/peers/conformance"
const isInstalled = existsSync(`${folder}/node_modules/@modelcontextprotocol/conformance`)

describe.runIf(isInstalled)("the conformance suite", () => {
  it("finds the published figures, and nothing that is not explained", () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [`${folder}/run.ts`], {
      encoding: "utf8",
      timeout: 200_000
    })
    assert.strictEqual(status, 0, stderr)
    const rows = stdout.trim().split("\n")
    assert.lengthOf(rows, 2)
    const document = readFileSync("docs/mcp.md", "utf8").split("\n")
    for (const row of rows) assert.include(document, row)
  })
})
