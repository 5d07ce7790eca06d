/**
 * Calls the service by clients that were written for Tavily and prints what came as JSON:
 * `node client.mjs http://127.0.0.1:7420`.
 */
import { TavilyExtract, TavilySearch } from "@langchain/tavily"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { fileURLToPath } from "node:url"

const [, , service] = process.argv
const query = "How much notice must a tenant give in Japan?"
const page = "https://www.housing.gov.example/japan/ending-a-lease"
const fields = { tavilyApiKey: "tvly-any", apiBaseUrl: service }

// What a client prints of its own failures is not our answer.
console.log = () => {}

const langchain = {
  found: await new TavilySearch({ ...fields, maxResults: 2 }).invoke({ query }),
  ignored: await new TavilySearch({ ...fields, includeImages: true }).invoke({ query }),
  failed: await new TavilySearch(fields).invoke({ query: `${query} fault:500` }),
  read: await new TavilyExtract(fields).invoke({ urls: [page, "https://nowhere.example/"] })
}

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const transport = new StdioClientTransport({
  command: process.execPath,
  args: ["--require", here("redirect.cjs"), here("node_modules/tavily-mcp/build/index.js")],
  env: { ...process.env, TAVILY_API_KEY: "tvly-any", WG_SERVICE: service },
  stderr: "ignore"
})
const client = new Client({ name: "peer", version: "1" }, { capabilities: {} })
await client.connect(transport)
const { tools } = await client.listTools()
const named = (word) => tools.find(({ name }) => name.includes(word)).name
const call = (word, input) => client.callTool({ name: named(word), arguments: input })
const mcp = {
  found: await call("search", { query, max_results: 2, time_range: "year" }),
  ignored: await call("search", { query, start_date: "2026-01-01" }),
  read: await call("extract", { urls: [page] })
}
await client.close()

process.stdout.write(JSON.stringify({ langchain, mcp }))
