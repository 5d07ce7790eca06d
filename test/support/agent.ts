/** An agent's side of MCP on standard input and output: raw lines of JSON-RPC to a child process. */
import { type ChildProcess, spawn } from "node:child_process"
import { compiled } from "./processes.ts"

const answerMsMax = 60_000

/** A message of the server, as its line says it. */
export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: any
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Agent {
  readonly child: ChildProcess
  /** All that stood on standard output and on standard error. */
  readonly lines: ReadonlyArray<Message>
  readonly errors: () => string
  readonly tell: (method: string, params?: object) => void
  /** The number of the request, and its answer. */
  readonly send: (method: string, params?: object) => { id: number; answer: Promise<Message> }
  readonly ask: (method: string, params?: object) => Promise<Message>
  readonly call: (name: string, input: object, token?: string | number) => Promise<any>
  /** Resolves with the first message that fits, those before included. */
  readonly seen: (fits: (message: Message) => boolean) => Promise<Message>
  readonly end: () => Promise<number | null>
}

export const start = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Agent => {
  const child = spawn(process.execPath, ["bin/wg.js", "mcp", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...compiled, NO_COLOR: "1", ...env }
  })
  const lines: Array<Message> = []
  const errors: Array<string> = []
  const waiting = new Set<() => void>()
  let rest = ""
  let requests = 0
  child.stderr.on("data", (chunk) => errors.push(String(chunk)))
  child.stdout.on("data", (chunk) => {
    const [...whole] = (rest + String(chunk)).split("\n")
    rest = whole.pop() ?? ""
    // What is no JSON fails the test: the output belongs to the protocol.
    lines.push(...whole.map((line) => JSON.parse(line)))
    for (const look of waiting) look()
  })
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))

  const write = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const seen: Agent["seen"] = (fits) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no such message: ${errors.join("")}`)),
        answerMsMax
      )
      const look = () => {
        const found = lines.find(fits)
        if (found === undefined) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const send: Agent["send"] = (method, params = {}) => {
    requests += 1
    const id = requests
    write({ jsonrpc: "2.0", id, method, params })
    return { id, answer: seen((message) => message.id === id) }
  }
  const ask: Agent["ask"] = (method, params) => send(method, params).answer
  return {
    child,
    lines,
    errors: () => errors.join(""),
    tell: (method, params = {}) => write({ jsonrpc: "2.0", method, params }),
    send,
    ask,
    call: async (name, input, token) => {
      const { result } = await ask("tools/call", {
        name,
        arguments: input,
        ...(token === undefined ? {} : { _meta: { progressToken: token } })
      })
      return result
    },
    seen,
    end: () => {
      child.stdin.end()
      return ended
    }
  }
}

export const initialize = (agent: Agent, protocolVersion = "2025-11-25") =>
  agent.ask("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "1" }
  }).then((answer) => {
    agent.tell("notifications/initialized")
    return answer
  })
