/** A tool of an MCP server that speaks JSON lines over its standard streams. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

export interface McpTool {
  /** What the tool answered, as one line of text. */
  readonly call: (query: string) => Promise<string>
  readonly close: () => void
}

interface Answer {
  readonly id?: number
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: {
    readonly isError?: boolean
    readonly tools?: ReadonlyArray<{ readonly name: string }>
    readonly content?: ReadonlyArray<{ readonly text?: string }>
  }
}

export const start = async (options: {
  readonly script: string
  /** The first tool of such a name is called. */
  readonly tool: RegExp
  readonly input: (query: string) => Record<string, string>
  readonly env: Record<string, string>
}): Promise<McpTool> => {
  const child = spawn(process.execPath, [options.script], {
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "ignore"]
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return
    const answer: Answer = JSON.parse(line)
    waiting.get(answer.id ?? -1)?.(answer)
    waiting.delete(answer.id ?? -1)
  })
  let lastId = 0
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const ask = (method: string, params: object) =>
    new Promise<Answer>((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      send({ id: lastId, method, params })
    })
  await ask("initialize", {
    protocolVersion: "2024-11-05",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" }
  })
  send({ method: "notifications/initialized" })
  const { result: offered } = await ask("tools/list", {})
  const names = (offered?.tools ?? []).map(({ name }) => name)
  const name = names.find((each) => options.tool.test(each))
  if (name === undefined) throw new Error(`${options.script} offers only ${names.join(", ")}`)
  return {
    call: async (query) => {
      const { error, result } = await ask("tools/call", {
        name,
        arguments: options.input(query)
      })
      if (error !== undefined) return `JSON-RPC error ${error.code} ${error.message}`
      const text = (result?.content ?? []).map((part) => part.text ?? "").join(" ")
      return `${result?.isError === true ? "isError " : ""}${text}`
    },
    close: () => void child.kill()
  }
}
