/**
 * Calls the service by an agent's framework, over the transport that is named, and prints what came
 * as JSON: `node client.mjs ai-sdk|langchain stdio` or the same with an address that ends in `/mcp`.
 */
import { createMCPClient } from "@ai-sdk/mcp"
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"

const [, , framework, where = "stdio"] = process.argv
const topic = "How much notice must a tenant give in Japan?"
const kind = where === "stdio" ? "stdio" : "http"
const name = `${framework}-${kind}`
const child = {
  command: process.execPath,
  args: ["bin/wg.js", "mcp", "--sandbox"],
  env: { ...process.env }
}

/** `slow` takes six seconds: it is given up long before. */
const asked = { topic, session_id: name, request_id: name }
const slow = {
  topic,
  session_id: `slow-${name}`,
  request_id: `slow-${name}`,
  overrides: { queries: ["tenant notice fault:slow,delay=6000"], max_queries: 1 }
}
const cancelAfterMs = 1_500

const cancelled = async (call) => {
  const cancel = new AbortController()
  const timer = setTimeout(() => cancel.abort(), cancelAfterMs)
  try {
    await call(cancel.signal)
    return "answered"
  } catch {
    return cancel.signal.aborted ? "cancelled" : "failed"
  } finally {
    clearTimeout(timer)
  }
}

/** Its client asks for no progress, so that there is none to show. */
const byAiSdk = async () => {
  const client = await createMCPClient({
    transport: kind === "stdio"
      ? new Experimental_StdioMCPTransport({ ...child, stderr: "ignore" })
      : { type: "http", url: where }
  })
  const tools = await client.tools()
  const call = (input, abortSignal) =>
    tools.web_grounding.execute(input, { toolCallId: "1", messages: [], abortSignal })
  const { structuredContent } = await call(asked)
  const ended = await cancelled((signal) => call(slow, signal))
  const wrong = await call({ topic: "" })
  await client.close()
  return {
    tools: Object.keys(tools),
    outcome: structuredContent,
    cancelled: ended,
    wrong: wrong.content[0].text
  }
}

const byLangChain = async () => {
  const progress = []
  const client = new MultiServerMCPClient({
    mcpServers: {
      grounding: kind === "stdio"
        ? { transport: "stdio", ...child, stderr: "ignore" }
        : { transport: "http", url: where }
    },
    onProgress: ({ message }) => {
      progress.push(message)
    }
  })
  const tools = await client.getTools()
  const grounding = tools.find(({ name }) => name === "web_grounding")
  const call = (args, signal) =>
    grounding.invoke(
      { type: "tool_call", id: "1", name: "web_grounding", args },
      ...(signal === undefined ? [] : [{ signal }])
    )
  const { artifact } = await call(asked)
  const told = [...progress]
  const ended = await cancelled((signal) => call(slow, signal))
  const wrong = await call({ topic: "" }).then(({ content }) => content, ({ message }) => message)
  await client.close()
  return {
    tools: tools.map(({ name }) => name),
    outcome: artifact.find(({ type }) => type === "mcp_structured_content")?.data,
    progress: told,
    cancelled: ended,
    wrong
  }
}

console.log(JSON.stringify(await (framework === "ai-sdk" ? byAiSdk() : byLangChain())))
