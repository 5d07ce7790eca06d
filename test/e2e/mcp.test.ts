/**
 * What an agent gets over MCP on standard input and output: the answers of the public API, facts as
 * they are recorded, its own mistakes by field, and nothing on the output but the protocol.
 */
import { Schema } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { answerOf } from "../../src/application/FindHits.ts"
import { AgentAnswer, agentTools } from "../../src/contract/AgentTools.ts"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const answerMsMax = 60_000
/** What each agent is sent before its first call, in characters. */
const toolsCharsMax = 18_000

const shown = Schema.encodeSync(Schema.toCodecJson(AgentAnswer))

/** A message of the server, as its line says it. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: any
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

interface Agent {
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

const start = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Agent => {
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

const initialize = (agent: Agent, protocolVersion = "2025-11-25") =>
  agent.ask("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "1" }
  }).then((answer) => {
    agent.tell("notifications/initialized")
    return answer
  })

/** The server and the contract load some 600, most of them of `effect`; everything, 2,000. */
const modulesMax = 690

const home = preparedDirectory("wg-mcp-")
const env = { WEB_GROUNDING_DATA_DIR: home }
const agent = start(["--sandbox"], env)
const topic = "How much notice must a tenant give in Japan?"
const ids = { session_id: "s/1", request_id: "r:1" }

const printed = async (...args: ReadonlyArray<string>) => {
  const { err, out } = await CommandLine.run(args, env)
  assert.notStrictEqual(out, "", err)
  return out
}

const textOf = (result: any): string => result.content[0].text
const resourceOf = async (uri: string) => {
  const { result } = await agent.ask("resources/read", { uri })
  const [{ mimeType, text }] = result.contents
  assert.strictEqual(mimeType, "application/json")
  return JSON.parse(text)
}

beforeAll(async () => {
  const { result } = await initialize(agent)
  assert.deepStrictEqual(result.serverInfo, { name: "web-grounding", version: manifest.version })
  assert.strictEqual(result.protocolVersion, "2025-11-25")
})

afterAll(() => {
  agent.child.kill("SIGKILL")
  rmSync(home, { recursive: true, force: true })
})

describe("an agent on standard input and output", () => {
  it("is shown each tool with schemas of both sides and hints of what it does", async () => {
    const { result } = await agent.ask("tools/list")
    assert.deepStrictEqual(
      result.tools.map(({ name }: { name: string }) => name),
      Object.keys(agentTools)
    )
    assert.isBelow(JSON.stringify(result).length, toolsCharsMax)
    for (const { annotations, description, inputSchema, outputSchema } of result.tools) {
      assert.isNotEmpty(description)
      assert.strictEqual(inputSchema.type, "object")
      assert.strictEqual(inputSchema.additionalProperties, false)
      if (outputSchema !== undefined) assert.isNotEmpty(outputSchema.required)
      assert.isFalse(annotations.destructiveHint)
    }
    const [ground, search, ...reads] = result.tools
    assert.deepStrictEqual(ground.inputSchema.required, ["topic"])
    assert.notProperty(ground.inputSchema.properties, "consent_raw_content")
    for (const { annotations } of [ground, search]) assert.isFalse(annotations.readOnlyHint)
    for (const { annotations } of reads) assert.isTrue(annotations.readOnlyHint)
  })

  it("is answered as the log is, and sends each fact on the way", async () => {
    const answer = await agent.call("web_grounding", { topic, ...ids }, "token")
    assert.isFalse(answer.isError)
    assert.strictEqual(textOf(answer), answer.structuredContent.llm_context)
    assert.match(textOf(answer), /one month's notice/)
    const told = agent.lines.filter(({ method }) => method === "notifications/progress")
    assert.deepStrictEqual(
      told.map(({ params }) => [params.progressToken, params.progress]),
      told.map((_, place) => ["token", place + 1])
    )
    const { events } = await resourceOf("web-grounding://sessions/s%2F1")
    assert.deepStrictEqual(
      told.map(({ params }) => params.message),
      events.map(({ type }: { type: string }) => type)
    )
    const whole = await resourceOf("web-grounding://packs/s%2F1/r%3A1")
    assert.deepStrictEqual(answer.structuredContent, shown(answerOf(whole)))
    const [claim] = answer.structuredContent.claims
    assert.isNotEmpty(claim.cites)
    assert.includeMembers(
      answer.structuredContent.citations.map(({ n }: { n: number }) => n),
      claim.cites
    )
    const again = await agent.call("web_grounding", { topic, ...ids })
    assert.deepStrictEqual(again.structuredContent, answer.structuredContent)
  })

  it("reads what an answer rests on, by quotation and offsets", async () => {
    const { structuredContent: { sources } } = await agent.call("read_evidence", ids)
    const { pack } = await resourceOf("web-grounding://packs/s%2F1/r%3A1")
    const [point] = pack.constraints_and_rules
    const [cited] = point.sources
    const read = sources.find(({ source_id }: any) => source_id === cited.source_id)
    assert.deepInclude(read.quotes, {
      ...cited.quotes[0],
      claim: point.text,
      section: "constraints_and_rules"
    })
    assert.isNotEmpty(read.passages)
    const one = await agent.call("read_evidence", { ...ids, source_id: cited.source_id })
    assert.deepStrictEqual(one.structuredContent.sources, [read])
    const none = await agent.call("read_evidence", { ...ids, source_id: "nobody" })
    assert.match(textOf(none), /^source_id: Expected one of s/)
  })

  it("finds hits, twice for the same words, and strangers' words are delimited", async () => {
    for (const _ of ["sent", "answered from what another session found"]) {
      const found = await agent.call("web_search", { query: "tenant notice Japan" })
      assert.strictEqual(found.structuredContent.status, "success")
      assert.isNotEmpty(found.structuredContent.hits)
      const [, boundary, fence, told] =
        /^\d+ hits \(success\)\n<<([0-9a-f]{32})>> [^\n]+\n([^]+)\n<<\/(.+)>>$/
          .exec(textOf(found)) ?? []
      assert.strictEqual(told, boundary)
      for (const { title } of found.structuredContent.hits) assert.include(fence, title)
    }
  })

  it("searches the evidence store and asks for health", async () => {
    const { structuredContent } = await agent.call("search_evidence", { query: topic })
    assert.deepStrictEqual(structuredContent.found, [])
    const health = await agent.call("search_health", {})
    assert.isAbove(health.structuredContent.figures.web_search_total.success, 0)
  })

  it("gets a turn's question after the web's evidence", async () => {
    const { result: { prompts: [prompt] } } = await agent.ask("prompts/list")
    assert.strictEqual(prompt.name, "ground_turn")
    const { result: { messages } } = await agent.ask("prompts/get", {
      name: "ground_turn",
      arguments: { user_question: topic, country: "JP" }
    })
    assert.match(messages[0].content.text, /\[EVIDENCE EXCERPTS\][^]+one month's notice/)
    assert.strictEqual(messages[1].content.text, topic)
  })

  it.each(
    [
      ["web_grounding", { topc: "x" }, "topc"],
      ["web_grounding", { topic, region: { country: "Japan" } }, "region.country"],
      ["web_grounding", { topic, consent_raw_content: true }, "consent_raw_content"],
      ["web_search", { query: "" }, "query"],
      ["search_health", { hours: 0 }, "hours"],
      ["search_evidence", { query: "x", limit: 1_000 }, "limit"]
    ] as const
  )("is told by %s which field of %j is wrong", async (name, input, field) => {
    const { _meta, content, isError, structuredContent } = await agent.call(name, input)
    assert.isTrue(isError)
    assert.isUndefined(structuredContent)
    assert.include(_meta["web-grounding/failure"], { _tag: "InvalidInput", field })
    assert.isTrue(content[0].text.startsWith(`${field}: `), content[0].text)
  })

  it("is asked by arguments that came as one text", async () => {
    const given = JSON.stringify({ query: " " })
    const { result } = await agent.ask("tools/call", { name: "web_search", arguments: given })
    assert.match(result.content[0].text, /query/)
  })

  it("learns what is not there", async () => {
    assert.match((await agent.ask("tools/call", { name: "x" })).error?.message ?? "", /not found/)
    const unknown = await agent.ask("resources/read", { uri: "web-grounding://sessions/nobody" })
    assert.strictEqual(unknown.error?.message, "No session nobody is recorded")
    const { _meta } = await agent.call("read_evidence", { ...ids, request_id: "nobody" })
    assert.strictEqual(_meta["web-grounding/failure"]._tag, "PackNotFound")
    const prompt = await agent.ask("prompts/get", { name: "ground_turn", arguments: {} })
    assert.include(prompt.error?.message ?? "", "topic")
  })

  it("cancels a call, whose search then goes on without a caller and is not sent again", async () => {
    const slow = {
      topic,
      session_id: "slow",
      request_id: "cancelled",
      overrides: { queries: ["tenant notice Japan fault:slow,delay=6000"], max_queries: 1 }
    }
    const sent = agent.send("tools/call", {
      name: "web_grounding",
      arguments: slow,
      _meta: { progressToken: "slow" }
    })
    sent.answer.catch(() => undefined)
    await agent.seen(({ params }) =>
      params?.progressToken === "slow" && params.message === "WEB_GROUNDING_CALL_STARTED"
    )
    agent.tell("notifications/cancelled", { requestId: sent.id, reason: "no longer wanted" })
    const started = performance.now()
    const again = await agent.call("web_grounding", slow)
    assert.isBelow(performance.now() - started, 5_000)
    assert.isFalse(again.isError)
    assert.isFalse(agent.lines.some(({ id }) => id === sent.id))
    const { events } = await resourceOf("web-grounding://sessions/slow")
    const types = events.map(({ type }: { type: string }) => type)
    assert.lengthOf(types.filter((type: string) => type === "WEB_GROUNDING_CALL_STARTED"), 1)
  })

  it("ends with its input, and leaves what the commands then read", async () => {
    const { structuredContent } = await agent.call("web_grounding", { topic, ...ids })
    assert.strictEqual(await agent.end(), 0, agent.errors())
    const pack = JSON.parse(await printed("pack", ids.session_id, ids.request_id, "--json"))
    assert.strictEqual(pack.llm_context, structuredContent.llm_context)
  })
})

describe("an agent among others", () => {
  it("asks the service that holds the data directory, and answers what that answers", async () => {
    const service = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...compiled, ...env }
    })
    const beside = start([], env)
    try {
      await new Promise<void>((resolve) =>
        service.stdout.on("data", (chunk) => String(chunk).includes("Serving") && resolve())
      )
      await initialize(beside)
      const answer = await beside.call("web_grounding", { topic, ...ids }, 1)
      const pack = JSON.parse(await printed("pack", ids.session_id, ids.request_id, "--json"))
      assert.strictEqual(pack.llm_context, answer.structuredContent.llm_context)
      const fresh = await beside.call("web_grounding", { topic: `${topic} And in Osaka?` }, 2)
      assert.isFalse(fresh.isError)
      assert.isTrue(
        beside.lines.some(({ params }) =>
          params?.progressToken === 2 && params.message === "WEB_GROUNDING_FINISHED"
        )
      )
      assert.strictEqual(await beside.end(), 0, beside.errors())
    } finally {
      beside.child.kill("SIGKILL")
      service.kill("SIGKILL")
    }
  })

  it("speaks the revision without a session, too", async () => {
    const stateless = start(["--sandbox"], env)
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
      progressToken: 7
    }
    try {
      const { result } = await stateless.ask("server/discover", { _meta })
      assert.includeMembers(result.supportedVersions, ["2026-07-28", "2025-11-25"])
      const call = { name: "web_grounding", arguments: { topic, ...ids }, _meta }
      const answered = await stateless.ask("tools/call", call)
      assert.strictEqual(answered.result.structuredContent.mode, "grounded")
    } finally {
      stateless.child.kill("SIGKILL")
    }
  })

  it("waits for the directory until the other has been idle", async () => {
    const [first, second] = [start(["--sandbox"], env), start(["--sandbox"], env)]
    try {
      for (const one of [first, second]) {
        await initialize(one)
        assert.isFalse((await one.call("web_grounding", { topic })).isError, one.errors())
      }
    } finally {
      for (const one of [first, second]) one.child.kill("SIGKILL")
    }
  })

  it("is answered before the application is loaded", () => {
    const { stderr } = spawnSync(
      process.execPath,
      ["--import", "./test/support/countModules.ts", "bin/wg.js", "mcp"],
      { encoding: "utf8", env: compiled, input: "", timeout: 60_000 }
    )
    assert.isAtMost(Number(stderr.split("modules: ")[1]), modulesMax)
  })
})
