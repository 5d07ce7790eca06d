/**
 * An agent of the Vercel AI SDK that looks things up by MCP before it answers. Any model behind an
 * address that speaks OpenAI's chat completions writes.
 *
 * `npm install ai @ai-sdk/mcp @ai-sdk/openai-compatible zod`, then
 * `LLM_BASE_URL=… LLM_API_KEY=… LLM_MODEL=… node agentInAiSdk.mjs ADDRESS QUESTION`.
 */
import { createMCPClient } from "@ai-sdk/mcp"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText, isStepCount } from "ai"

const [
  ,
  ,
  address = "http://127.0.0.1:7420",
  prompt = "How much notice must a tenant give in Japan?"
] = process.argv
const { LLM_API_KEY, LLM_BASE_URL, LLM_MODEL, WEB_GROUNDING_TOKEN } = process.env

const provider = createOpenAICompatible({ name: "llm", baseURL: LLM_BASE_URL, apiKey: LLM_API_KEY })
const grounding = await createMCPClient({
  transport: {
    type: "http",
    url: `${address}/mcp`,
    headers: WEB_GROUNDING_TOKEN ? { authorization: `Bearer ${WEB_GROUNDING_TOKEN}` } : {}
  }
})

try {
  const { text } = await generateText({
    model: provider(LLM_MODEL),
    tools: await grounding.tools(),
    // A question, what was found, and the answer; one more if the model asks again.
    stopWhen: isStepCount(4),
    abortSignal: AbortSignal.timeout(120_000),
    prompt
  })
  console.log(text)
} finally {
  await grounding.close()
}
