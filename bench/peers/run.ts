/**
 * The acceptance table for our adapter and its peers: one fault a row, one tool a column.
 *
 * `node bench/peers/run.ts DIRECTORY`, where DIRECTORY holds the peers' `node_modules`. All of them
 * call this project's sandbox over HTTP. A cell shows what the caller got, the number of requests
 * and the time; `*` marks right ones: the row's meaning is recognisable, one request, within the
 * limit. Peers have no status, so words suffice.
 */
import { Effect, Option, Redacted } from "effect"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as TavilySearch from "../../src/adapters/search/TavilySearch.ts"
import * as McpTool from "./McpTool.ts"

const attemptTimeoutMs = 5_000
const graceMs = 250
const patienceMs = 15_000
const cellCharsMax = 34

/** What the fault means, as a status and as words by which it is recognised. */
const rows: ReadonlyArray<readonly [fault: string, status: string, words: RegExp]> = [
  ["200", "success", /tram/i],
  ["empty", "no_results", /"results":\[\]|no (search )?results|^\[\]$/i],
  ["401", "invalid_key", /\b401\b|unauthorized|invalid.*key/i],
  ["429,retry-after=30", "rate_limited", /\b429\b|rate limit|excessive requests/i],
  ["432", "quota_exhausted", /\b432\b|usage limit/i],
  ["433", "quota_exhausted", /\b433\b|pay-as-you-go/i],
  ["500", "network_error", /\b500\b|internal server error/i],
  ["html-200", "unknown_error", /not (valid )?json|malformed|unexpected token/i],
  ["reset", "network_error", /econnreset|socket hang up|fetch failed|network/i],
  ["hang", "timeout", /timed? ?out/i],
  ["drip,every=200", "timeout", /timed? ?out/i]
]

interface Peer {
  readonly name: string
  readonly hasStatus?: true
  /** The status where the tool has one to read, else its words. */
  readonly search: (query: string) => Promise<string>
  readonly close?: () => void
}

const ours = (baseUrl: string): Peer => ({
  name: "web-grounding",
  hasStatus: true,
  search: (query) =>
    Effect.runPromise(
      TavilySearch.make({
        apiKey: Option.some(Redacted.make("tvly-sandbox-1")),
        baseUrl,
        keySlot: 1,
        label: "mock"
      }).search({
        query,
        hitsMax: 5,
        depth: "basic",
        topic: "general",
        locale: "en",
        includeDomains: [],
        excludeDomains: []
      }).pipe(
        Effect.map(({ hits }) => hits.length === 0 ? "no_results" : "success"),
        Effect.timeoutOrElse({
          duration: attemptTimeoutMs,
          orElse: () => Effect.succeed("timeout")
        }),
        Effect.catchTag("SearchFailed", ({ status }) => Effect.succeed(status))
      )
    )
})

const oneLine = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value) ?? "").replace(/\s+/g, " ")

const peersIn = async (directory: string, baseUrl: string): Promise<ReadonlyArray<Peer>> => {
  const packages = createRequire(join(resolve(directory), "none.js"))
  const { tavily } = packages("@tavily/core")
  const { TavilySearch: Langchain } = packages("@langchain/tavily")
  const sdk = tavily({ apiKey: "tvly-sandbox-1", apiBaseURL: baseUrl })
  const langchain = new Langchain({ tavilyApiKey: "tvly-sandbox-1", apiBaseUrl: baseUrl })
  const preload = fileURLToPath(new URL("redirect.cjs", import.meta.url))
  const env = {
    TAVILY_API_KEY: "tvly-sandbox-1",
    SANDBOX_URL: baseUrl,
    NODE_OPTIONS: `--require ${preload}`
  }
  const modules = join(resolve(directory), "node_modules")
  const mcp = await McpTool.start({
    script: join(modules, "tavily-mcp/build/index.js"),
    tool: /^tavily[_-]search$/,
    input: (query) => ({ query }),
    env
  })
  const omnisearch = await McpTool.start({
    script: join(modules, "mcp-omnisearch/dist/index.js"),
    tool: /^(web_search|tavily_search|search_tavily)$/,
    input: (query) => ({ query, provider: "tavily" }),
    env
  })
  return [
    {
      name: "@tavily/core",
      search: async (query) =>
        oneLine(await sdk.search(query, { timeout: attemptTimeoutMs / 1_000 }))
    },
    {
      name: "@langchain/tavily",
      search: async (query) => oneLine(await langchain.invoke({ query }))
    },
    { name: "tavily-mcp", search: mcp.call, close: mcp.close },
    { name: "mcp-omnisearch", search: omnisearch.call, close: omnisearch.close }
  ]
}

const patient = async (search: Promise<string>): Promise<string> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<string>((done) => {
    timer = setTimeout(() => done(`no answer in ${patienceMs / 1_000} s`), patienceMs)
  })
  const answer = search.catch((error: unknown) => `throws ${oneLine(String(error))}`)
  const first = await Promise.race([answer, limit])
  clearTimeout(timer)
  return first
}

// A peer writes whole responses to the console, which would tear the table.
console.log = () => {}

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  process.stderr.write("usage: node bench/peers/run.ts DIRECTORY\n")
  process.exit(1)
}

const table = Effect.gen(function*() {
  const server = yield* SandboxServer.SandboxServer
  const peers = [
    ours(server.baseUrl),
    ...(yield* Effect.promise(() => peersIn(directory, server.baseUrl)))
  ]
  process.stdout.write(`| fault | ${peers.map(({ name }) => name).join(" | ")} |\n`)
  process.stdout.write(`|${" --- |".repeat(peers.length + 1)}\n`)
  const right = new Map<string, number>()
  for (const [fault, status, words] of rows) {
    const cells: Array<string> = []
    for (const peer of peers) {
      yield* server.forget
      const startMs = performance.now()
      const answer = yield* Effect.promise(() =>
        patient(peer.search(`Halvern tram fare fault:${fault}`))
      )
      const tookMs = performance.now() - startMs
      const { total } = yield* server.hits
      const isTold = peer.hasStatus === true ? answer === status : words.test(answer)
      const isRight = isTold && total === 1 && tookMs <= attemptTimeoutMs + graceMs
      if (isRight) right.set(peer.name, (right.get(peer.name) ?? 0) + 1)
      const cell = answer.replace(/\s+/g, " ").replaceAll("|", "/").slice(0, cellCharsMax)
      const seconds = (tookMs / 1_000).toFixed(1)
      cells.push(`${isRight ? "* " : ""}${cell} (${total}, ${seconds} s)`)
    }
    process.stdout.write(`| ${fault} | ${cells.join(" | ")} |\n`)
  }
  const sums = peers.map(({ name }) => `${right.get(name) ?? 0} of ${rows.length}`)
  process.stdout.write(`| right | ${sums.join(" | ")} |\n`)
  peers.forEach(({ close }) => close?.())
})

await Effect.runPromise(
  table.pipe(
    Effect.provide(SandboxServer.layer({ port: 0 }))
  )
)
process.exit(0)
