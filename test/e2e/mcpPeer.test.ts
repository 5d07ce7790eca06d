/**
 * The official MCP client gets what the raw lines get, over both transports. It is a peer and no
 * dependency: `npm ci --prefix test/peers/mcp` installs it, and without it these tests are skipped.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { compiled } from "../support/processes.ts"

const isInstalled = existsSync("test/peers/mcp/node_modules/@modelcontextprotocol/client")
const homes = [mkdtempSync(join(tmpdir(), "wg-peer-")), mkdtempSync(join(tmpdir(), "wg-peer-"))]
const envOf = (home: string | undefined) => ({ ...compiled, WEB_GROUNDING_DATA_DIR: home })

const peer = (where: string) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["test/peers/mcp/client.mjs", where],
    { encoding: "utf8", env: envOf(homes[0]), timeout: 120_000 }
  )
  assert.strictEqual(status, 0, stderr)
  return JSON.parse(stdout)
}

describe.runIf(isInstalled)("the official client", () => {
  let service: ChildProcess | undefined
  let url = ""

  beforeAll(() =>
    new Promise<void>((resolve) => {
      const started = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
        stdio: ["ignore", "pipe", "ignore"],
        env: envOf(homes[1])
      })
      service = started
      started.stdout.on("data", (chunk) => {
        const [, at] = /Serving groundings on (\S+)/.exec(String(chunk)) ?? []
        if (at === undefined) return
        url = `${at}/mcp`
        resolve()
      })
    })
  )

  afterAll(() => {
    service?.kill("SIGKILL")
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  })

  it.each(["stdio", "http"])("takes every answer over %s", (transport) => {
    const told = peer(transport === "http" ? url : transport)
    assert.strictEqual(told.server.name, "web-grounding")
    assert.deepStrictEqual(told.tools, Object.keys(agentTools))
    assert.deepStrictEqual(told.grounded.structuredContent, told.pack)
    assert.strictEqual(told.progress.at(-1), "WEB_GROUNDING_FINISHED")
    for (const [name, answer] of Object.entries<any>(told.answers)) {
      assert.isNotTrue(answer.isError, name)
      assert.isObject(answer.structuredContent, name)
    }
    assert.match(told.wrong.content[0].text, /^topic: /)
    assert.strictEqual(told.cancelled, "cancelled")
    assert.match(told.prompt.messages[0].content.text, /\[EVIDENCE EXCERPTS\]/)
  })
})
