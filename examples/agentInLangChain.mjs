/**
 * An agent of LangChain that looks things up by MCP before it answers, and tells what is done
 * meanwhile. Any model behind an address that speaks OpenAI's chat completions writes.
 *
 * `npm install @langchain/core @langchain/langgraph @langchain/mcp-adapters @langchain/openai`, then
 * `LLM_BASE_URL=… LLM_API_KEY=… LLM_MODEL=… node agentInLangChain.mjs ADDRESS QUESTION`.
 */
import { createReactAgent } from "@langchain/langgraph/prebuilt"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { ChatOpenAI } from "@langchain/openai"

const [
  ,
  ,
  address = "http://127.0.0.1:7420",
  content = "How much notice must a tenant give in Japan?"
] = process.argv
const { LLM_API_KEY, LLM_BASE_URL, LLM_MODEL, WEB_GROUNDING_TOKEN } = process.env

const grounding = new MultiServerMCPClient({
  mcpServers: {
    "web-grounding": {
      transport: "http",
      url: `${address}/mcp`,
      headers: WEB_GROUNDING_TOKEN ? { authorization: `Bearer ${WEB_GROUNDING_TOKEN}` } : {}
    }
  },
  onProgress: ({ message }) => console.error(message)
})

try {
  const agent = createReactAgent({
    llm: new ChatOpenAI({
      model: LLM_MODEL,
      apiKey: LLM_API_KEY,
      configuration: { baseURL: LLM_BASE_URL }
    }),
    tools: await grounding.getTools()
  })
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content }] },
    { signal: AbortSignal.timeout(120_000) }
  )
  console.log(messages.at(-1).text)
} finally {
  await grounding.close()
}
