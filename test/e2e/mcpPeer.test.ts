/**
 * The official MCP client gets what the raw lines get, over both transports. It is a peer and no
 * dependency: `npm ci --prefix test/peers/mcp` installs it, and without it these tests are skipped.
 */
import { spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"
import { type ServedSandbox, servedSandbox } from "../support/servedSandbox.ts"

const isInstalled = existsSync("test/peers/mcp/node_modules/@modelcontextprotocol/client")
const home = preparedDirectory("wg-peer-")

const peer = (where: string) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["test/peers/mcp/client.mjs", where],
    { encoding: "utf8", env: { ...compiled, WEB_GROUNDING_DATA_DIR: home }, timeout: 120_000 }
  )
  assert.strictEqual(status, 0, stderr)
  return JSON.parse(stdout)
}

describe.runIf(isInstalled)("the official client", () => {
  let service: ServedSandbox | undefined

  beforeAll(async () => {
    service = await servedSandbox()
  })

  afterAll(() => {
    service?.end()
    rmSync(home, { recursive: true, force: true })
  })

  it.each(["stdio", "http"])("takes every answer over %s", (transport) => {
    const told = peer(transport === "http" ? `${service?.address}/mcp` : transport)
    assert.strictEqual(told.server.name, "web-grounding")
    assert.deepStrictEqual(told.tools, Object.keys(agentTools))
    assert.strictEqual(told.grounded.structuredContent.llm_context, told.pack.llm_context)
    assert.strictEqual(told.progress[0], "WEB_GROUNDING_REQUESTED")
    // The client drops what it reads in one piece with the answer, as it may over a pipe.
    if (transport === "http") assert.strictEqual(told.progress.at(-1), "WEB_GROUNDING_FINISHED")
    for (const [name, answer] of Object.entries<any>(told.answers)) {
      assert.isNotTrue(answer.isError, name)
      assert.isObject(answer.structuredContent, name)
    }
    assert.match(told.wrong.content[0].text, /^topic: /)
    assert.strictEqual(told.cancelled, "cancelled")
    assert.match(told.prompt.messages[0].content.text, /\[EVIDENCE EXCERPTS\]/)
  })
})
