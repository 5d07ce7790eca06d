/**
 * Calls the service by the official MCP client, over the transport that is named, and prints what
 * came as JSON: `node client.mjs stdio` or `node client.mjs http://127.0.0.1:7420/mcp`.
 *
 * The client itself checks each structured answer against the schema that the tool has published.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const [, , where = "stdio"] = process.argv
const topic = "How much notice must a tenant give in Japan?"
const ids = { session_id: "peer", request_id: where === "stdio" ? "stdio" : "http" }

const transport = where === "stdio"
  ? new StdioClientTransport({
    command: process.execPath,
    args: ["bin/wg.js", "mcp", "--sandbox"],
    env: { ...process.env },
    stderr: "ignore"
  })
  : new StreamableHTTPClientTransport(new URL(where))

const client = new Client({ name: "peer", version: "1" }, { capabilities: {} })
await client.connect(transport)

const server = client.getServerVersion()
const { tools } = await client.listTools()
const progress = []
const grounded = await client.callTool(
  { name: "web_grounding", arguments: { topic, ...ids } },
  { onprogress: ({ message }) => progress.push(message) }
)
const answers = {}
for (
  const [name, input] of Object.entries({
    web_search: { query: "tenant notice Japan" },
    read_evidence: ids,
    search_evidence: { query: topic },
    search_health: {}
  })
) {
  answers[name] = await client.callTool({ name, arguments: input })
}
const wrong = await client.callTool({ name: "web_grounding", arguments: { topic: "" } })
  .catch(({ message }) => ({ thrown: message }))
const cancel = new AbortController()
const cancelled = await client.callTool(
  {
    name: "web_grounding",
    arguments: {
      topic,
      session_id: `slow-${ids.request_id}`,
      overrides: { queries: ["tenant notice fault:slow,delay=6000"], max_queries: 1 }
    }
  },
  { signal: cancel.signal, onprogress: () => cancel.abort("no longer wanted") }
).then(() => "answered", () => "cancelled")
const pack = await client.readResource({
  uri: `web-grounding://packs/${ids.session_id}/${ids.request_id}`
})
const prompt = await client.getPrompt({ name: "ground_turn", arguments: { user_question: topic } })
await client.close()

console.log(JSON.stringify({
  server,
  tools: tools.map(({ name }) => name),
  grounded,
  progress,
  answers,
  wrong,
  cancelled,
  pack: JSON.parse(pack.contents[0].text),
  prompt
}))
