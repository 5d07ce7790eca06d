/** The configuration of an agent in docs/mcp.md, as the agent would run it, over the sandbox. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { assert, describe, it } from "vitest"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { inDirectory } from "../support/installed.ts"
import { compiled } from "../support/processes.ts"

const answersMsMax = 60_000

const configured = (): any => {
  const [, block = ""] = /```json\n([\s\S]*?)```/.exec(readFileSync("docs/mcp.md", "utf8")) ?? []
  return JSON.parse(block).mcpServers["web-grounding"]
}

const lines = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" }
    }
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" }
]

describe("the documented configuration of an agent", () => {
  it("starts a server that lists the tools, and says nothing but the protocol", () =>
    inDirectory(async (home) => {
      const { args, command, env } = configured()
      assert.deepStrictEqual(Object.keys(env), ["TAVILY_API_KEY"])
      const filled = args.map((arg: string) =>
        arg === "/path/to/web-grounding" ? process.cwd() : arg
      )
      assert.include(filled, process.cwd())
      const child = spawn(command, [...filled, "--sandbox"], {
        // Not from the project's own folder: an agent has its own.
        cwd: tmpdir(),
        stdio: ["pipe", "pipe", "ignore"],
        env: { ...compiled, ...env, WEB_GROUNDING_DATA_DIR: home },
        timeout: answersMsMax
      })
      let out = ""
      const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
      const listed = new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk) => {
          out += String(chunk)
          if (/"id":2.*\n/.test(out)) resolve()
        })
      })
      for (const line of lines) child.stdin.write(`${JSON.stringify(line)}\n`)
      await Promise.race([listed, ended])
      child.stdin.end()
      await ended
      const messages = out.trim().split("\n").map((line) => JSON.parse(line))
      const { result } = messages.find(({ id }) => id === 2)
      assert.deepStrictEqual(
        result.tools.map(({ name }: { readonly name: string }) => name),
        Object.keys(agentTools)
      )
    }))
})
