/**
 * Agents' frameworks of others ground by MCP, give a call up, and run the examples for them. They
 * are peers and no dependencies: `npm ci --ignore-scripts --prefix test/peers/agents` installs them,
 * and without them these tests are skipped.
 */
import { existsSync, realpathSync, symlinkSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { copied, emptyDirectory, inDirectory, run } from "../support/installed.ts"
import { compiled } from "../support/processes.ts"
import { type ServedSandbox, servedSandbox } from "../support/servedSandbox.ts"

const folder = "test/peers/agents"
const isInstalled = existsSync(`${folder}/node_modules/ai`)

interface Message {
  readonly role: string
  readonly content: unknown
}

/** A model over OpenAI's protocol: looks up what it is asked, then repeats the result. */
const model = () => {
  const told: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
      const { messages }: { readonly messages: ReadonlyArray<Message> } = JSON.parse(
        Buffer.concat(chunks).toString()
      )
      const found = messages.find(({ role }) => role === "tool")
      if (found !== undefined) told.push(JSON.stringify(found.content))
      const call = {
        id: "call-1",
        type: "function",
        function: {
          name: "web_grounding",
          arguments: JSON.stringify({ topic: messages.at(-1)?.content })
        }
      }
      const message = found === undefined
        ? { role: "assistant", content: null, tool_calls: [call] }
        : { role: "assistant", content: "One month, by the source that was found." }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
        id: found === undefined ? "1" : "2",
        object: "chat.completion",
        created: 1,
        model: "peer",
        choices: [{
          index: 0,
          message,
          finish_reason: found === undefined ? "tool_calls" : "stop"
        }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      }))
    })
  })
  return { server, told }
}

const listening = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${portOf(server)}/v1`))
  })

describe.runIf(isInstalled)("agents' frameworks", () => {
  let service: ServedSandbox | undefined
  const { path, remove } = emptyDirectory()

  beforeAll(async () => {
    service = await servedSandbox()
  })

  afterAll(() => {
    service?.end()
    remove()
  })

  const typesOf = async (session: string): Promise<ReadonlyArray<string>> => {
    const answer = await fetch(`${service?.address}/v1/sessions/${session}/events`)
    const { events }: any = await answer.json()
    return events.map(({ type }: { readonly type: string }) => type)
  }

  it.each([
    ["ai-sdk", "http"],
    ["ai-sdk", "stdio"],
    ["langchain", "http"],
    ["langchain", "stdio"]
  ])("ground and cancel: %s over %s", async (framework, transport) => {
    const { code, err, out } = await run(
      process.execPath,
      [
        join(folder, "client.mjs"),
        framework,
        transport === "http" ? `${service?.address}/mcp` : transport
      ],
      { cwd: ".", env: { ...compiled, WEB_GROUNDING_DATA_DIR: join(path, framework) } }
    )
    assert.strictEqual(code, 0, err)
    const told = JSON.parse(out)
    assert.sameMembers(told.tools, Object.keys(agentTools))
    assert.strictEqual(told.outcome.mode, "grounded")
    assert.isNotEmpty(told.outcome.claims)
    assert.match(told.wrong, /topic: /)
    assert.strictEqual(told.cancelled, "cancelled")
    if (framework === "langchain") {
      assert.strictEqual(told.progress[0], "WEB_GROUNDING_REQUESTED")
      // The client beneath drops what it reads in one piece with the answer, as over a pipe.
      const last = transport === "http" ? /_FINISHED$/ : /_(?:EVIDENCE|PACK|FINISHED)/
      assert.match(told.progress.at(-1), last)
    }
    if (transport === "http") {
      const types = await typesOf(`slow-${framework}-http`)
      assert.include(types, "WEB_GROUNDING_CALL_STARTED")
      assert.notInclude(types, "WEB_GROUNDING_FINISHED")
    }
  })

  it.each(["examples/agentInAiSdk.mjs", "examples/agentInLangChain.mjs"])(
    "run %s",
    (example) =>
      inDirectory(async (directory) => {
        symlinkSync(realpathSync(`${folder}/node_modules`), join(directory, "node_modules"))
        const { server, told } = model()
        const baseUrl = await listening(server)
        const { code, err, out } = await run(
          process.execPath,
          [copied(example, directory), service?.address ?? ""],
          { cwd: directory, env: { LLM_BASE_URL: baseUrl, LLM_API_KEY: "none", LLM_MODEL: "peer" } }
        )
        server.closeAllConnections()
        server.close()
        assert.strictEqual(code, 0, err)
        assert.strictEqual(out.trim(), "One month, by the source that was found.")
        // The model got what the service had answered.
        assert.match(told.join("\n"), /EVIDENCE EXCERPTS/)
        if (example.includes("LangChain")) assert.match(err, /WEB_GROUNDING_FINISHED/)
      })
  )
})
