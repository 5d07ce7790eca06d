/**
 * What a serving process reports of itself: metrics, one tree of spans a request, one line a
 * request, and no secret.
 *
 * One server plays everything that needs a key, and repeats the request in its failures.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as Providers from "../../src/wiring/Providers.ts"
import { compiled } from "../support/processes.ts"
import { type ServedSandbox, servedSandbox } from "../support/servedSandbox.ts"

interface Heard {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Listens on a free port until `close`; keeps what it was asked. */
const answering = async (answer: (asked: Heard) => Answer) => {
  const heard: Array<Heard> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const asked = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      heard.push(asked)
      const { body, status } = answer(asked)
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** A span as OTLP's JSON has it, with its attributes by name. */
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Every span that a collector was sent as JSON. */
const spansOf = (heard: ReadonlyArray<Heard>): ReadonlyArray<SentSpan> =>
  heard.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: any) =>
      resource.scopeSpans.flatMap(({ spans }: any) =>
        spans.map((span: any) => ({
          ...span,
          attributes: Object.fromEntries(
            span.attributes.map(({ key, value }: any) => [key, Object.values(value)[0]])
          )
        }))
      )
    )
  )

const canaryOf = (name: string): string => `canary-${name}-8f2c61d07a`

/** A canary in each setting that holds a provider's or an engine's key, by the setting's name. */
const keys: ReadonlyMap<string, string> = new Map(
  Settings.names.filter((name) => /_API_KEY(?:_\d)?$/.test(name))
    .map((name) => [name, canaryOf(name.toLowerCase().replaceAll("_", "-"))])
)
const keyIn = (name: string): string => keys.get(name) ?? ""

/** Settings that say where a provider or an engine is. */
const addresses = Settings.names.filter((name) => name.endsWith("_BASE_URL"))

const collectorKey = canaryOf("collector")
const password = canaryOf("database")

const formsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex")
]

const leaksIn = (secrets: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)))

const question = "How much notice must a tenant give in Japan?"
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const callerSpan = "00f067aa0ba902b7"
const traceparent = (trace: string) => `00-${trace}-${callerSpan}-01`

const passage =
  "A tenant in Japan who wants to end an ordinary residential lease must usually give " +
  "the landlord one month's notice, because most lease contracts set a notice period of one month."

/** The third key is good; every other request fails, and the failure says all that came with it. */
const outside = () =>
  answering(({ body, headers, path }) =>
    path === "/search" && headers.authorization === `Bearer ${keyIn("TAVILY_API_KEY_3")}`
      ? {
        status: 200,
        body: {
          query: question,
          response_time: 0.1,
          results: ["a", "b", "c"].map((host) => ({
            title: "Ending a lease",
            url: `https://www.${host}-housing.example/lease`,
            content: passage,
            score: 0.9
          }))
        }
      }
      : { status: 401, body: { error: { message: JSON.stringify({ path, headers, body }) } } }
  )

type Server = Awaited<ReturnType<typeof answering>>

const json = { "content-type": "application/json" }

describe("a served process", () => {
  let collector: Server
  let web: Server
  let service: ServedSandbox
  let token = ""
  /** Answers, metrics and problems, as texts. */
  const told: Array<string> = []
  const statuses: Array<number> = []
  let metrics = ""
  let log: ReadonlyArray<Record<string, any>> = []
  let spans: ReadonlyArray<SentSpan> = []

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.address}${path}`, init)
    const text = await response.text()
    told.push(text)
    return text
  }

  /** Printed once, to its maker: this answer holds the token. */
  const made = async (scopes: ReadonlyArray<string>): Promise<{ readonly token: string }> => {
    const response = await fetch(`${service.address}/v1/tokens`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ name: "scraper", scopes })
    })
    return (await response.json()) as { readonly token: string }
  }

  const ground = (session_id: string, headers: Record<string, string>) =>
    ask("/v1/groundings", {
      method: "POST",
      headers: { ...json, ...headers },
      body: JSON.stringify({
        session_id,
        request_id: "r",
        topic: question,
        user_asked_for_facts: true,
        overrides: { max_queries: 1 }
      })
    })

  const overRpc = (headers: Record<string, string>) =>
    ask("/rpc", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson", ...headers },
      body: `${
        JSON.stringify({
          _tag: "Request",
          id: "1",
          tag: "GetSession",
          payload: { session_id: "s-http" },
          headers: []
        })
      }\n`
    })

  const overMcp = async (_meta: object) => {
    const said = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${service.address}/mcp`, {
        method: "POST",
        headers: { ...json, accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...body })
      })
    const hello = await said({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" }
      }
    })
    await hello.text()
    const session = {
      "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25"
    }
    await said({ method: "notifications/initialized" }, session)
    const answer = await said({
      id: 2,
      method: "tools/call",
      params: { name: "read_evidence", arguments: { session_id: "s-http", request_id: "r" }, _meta }
    }, session)
    told.push(await answer.text())
  }

  beforeAll(async () => {
    collector = await answering(() => ({ status: 200, body: {} }))
    web = await outside()
    service = await servedSandbox({
      args: [],
      env: {
        ...Object.fromEntries(keys),
        ...Object.fromEntries(addresses.map((name) => [name, web.url])),
        LOG_FORMAT: "json",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
        OTEL_BSP_SCHEDULE_DELAY: "200",
        OPENAI_EMBEDDING_MODEL: "vectors",
        LLM_MODEL: "thinker",
        DUCKDUCKGO_ENABLED: "false",
        LOCAL_READER_ENABLED: "false"
      }
    })
    token = (await made(["metrics"])).token
    await ground("s-http", { traceparent: traceparent(traceId) })
    await ground("s-alone", { authorization: `Bearer ${token}` })
    await ask("/v1/groundings", { method: "POST", headers: json, body: "{\"topic\":1}" })
    await ask("/v1/nothing", { headers: { authorization: `Bearer ${canaryOf("unknown")}` } })
    await ask("/v1/groundings/s-http/r?text=caller")
    await overRpc({ traceparent: traceparent(traceId.replace("4", "5")) })
    await overMcp({ traceparent: traceparent(traceId.replace("4", "6")) })
    await ask("/health")
    await ask("/readyz")
    for (const page of ["/", "/sessions", "/sessions/s-http", "/evidence", "/try", "/nothing"]) {
      await ask(page, { headers: { cookie: `wg_token=${canaryOf("unknown")}` } })
      await ask(page)
    }
    for (const operation of ["sessions", "activity", "usage", "alerts", "projections"]) {
      await ask(`/v1/${operation}`)
    }
    for (const scopes of [["metrics"], ["ground", "read", "audit", "admin"]]) {
      const { token } = await made(scopes)
      const { status } = await fetch(`${service.address}/metrics`, {
        headers: { authorization: `Bearer ${token}` }
      })
      statuses.push(status)
    }
    metrics = await ask("/metrics")
    log = (await service.ended()).split("\n").filter((line) => line.startsWith("{")).map((line) =>
      JSON.parse(line)
    )
    spans = spansOf(collector.heard)
  })

  afterAll(() => {
    service?.end()
    web?.close()
    collector?.close()
  })

  const treeOf = (trace: string) => spans.filter((span) => span.traceId === trace)

  it("sends a grounding as one tree, joined to its caller's trace", () => {
    const tree = treeOf(traceId)
    const ids = new Set(tree.map(({ spanId }) => spanId))
    const roots = tree.filter(({ parentSpanId = "" }) => !ids.has(parentSpanId))
    assert.deepStrictEqual(
      roots.map(({ name, parentSpanId }) => [name, parentSpanId]),
      [["POST /v1/groundings", callerSpan]]
    )
    const named = (name: string) => tree.filter((span) => span.name === name)
    for (
      const name of [
        "call",
        "grounding",
        "GroundQuestion.ground",
        "DecideSearch.compute",
        "PlanQueries.compute",
        "SearchWeb.search",
        "DialectSearch.search",
        "ReadPages.readPages",
        "RankEvidence.compute",
        "WritePack.compute"
      ]
    ) assert.isNotEmpty(named(name), name)
    assert.deepInclude(named("grounding")[0]?.attributes, {
      session_id: "s-http",
      request_id: "r",
      status: "success"
    })
    const attempts = named("AttemptSearch.attempt").map(({ attributes }) => attributes)
    assert.isTrue(
      attempts.some(({ hits_count, provider, status }) =>
        provider === "tavily" && status === "success" && Number(hits_count) === 3
      )
    )
    assert.isTrue(
      named("engine").some(({ attributes }) =>
        attributes["step"] === "gate" && attributes["gen_ai.request.model"] === "thinker"
      )
    )
  })

  it("joins calls over RPC and agents' tools to theirs", () => {
    const rpc = treeOf(traceId.replace("4", "5")).map(({ name }) => name)
    assert.includeMembers(rpc, ["POST /rpc", "call"])
    const mcp = treeOf(traceId.replace("4", "6"))
    assert.deepStrictEqual(
      mcp.filter(({ parentSpanId }) => parentSpanId === callerSpan).map(({ name }) => name),
      ["tools/call read_evidence"]
    )
    assert.include(mcp.map(({ name }) => name), "call")
  })

  it("sends no trace of probes and loops, no text, no address and no stack", () => {
    const begun = spans.filter(({ parentSpanId }) => (parentSpanId ?? "") === "")
      .map(({ name }) => name)
    assert.isNotEmpty(begun)
    assert.deepStrictEqual(begun.filter((name) => !/^(?:GET|POST)\b/.test(name)), [])
    assert.isEmpty(begun.filter((name) => /\/(?:health|readyz|metrics)$/.test(name)))
    const sent = collector.heard.map(({ body }) => body).join()
    for (const text of ["notice must", "housing.example", "url.", "node_modules", "127.0.0.1"]) {
      assert.notInclude(sent, text)
    }
    assert.include(sent, "deployment.environment.name")
    assert.isTrue(
      collector.heard.every(({ headers }) => headers["x-collector-key"] === collectorKey)
    )
  })

  it("shows no stranger its traces", () => {
    assert.isNotEmpty(web.heard)
    for (const { headers } of web.heard) {
      assert.isEmpty(
        Object.keys(headers).filter((name) => /^(?:traceparent|tracestate|b3)$/.test(name))
      )
    }
  })

  it("counts requests, searches, models and routes", () => {
    const value = (series: string): number => {
      const line = metrics.split("\n").find((one) => one.startsWith(`${series} `))
      return Number(line?.slice(series.length) ?? "NaN")
    }
    assert.strictEqual(value("web_search_total{provider=\"tavily\",status=\"success\"}"), 1)
    const asked = web.heard.filter(({ path }) => path === "/search").length
    const attempts = metrics.match(/^web_search_total\{provider="tavily".* \d+$/gm) ?? []
    assert.strictEqual(
      attempts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0),
      asked
    )
    assert.isAtLeast(asked, 1)
    assert.match(metrics, /^web_grounding_requests_total\{mode="\w+",status="success"\} 1$/m)
    assert.strictEqual(
      value("web_grounding_calls_total{operation=\"Ground\",outcome=\"Forbidden\"}"),
      1
    )
    assert.match(
      metrics,
      /^http_server_request_duration_seconds_count\{http_request_method="POST",http_route="\/v1\/groundings",http_response_status_code="200"\} 1$/m
    )
    assert.match(
      metrics,
      /^gen_ai_client_operation_duration_seconds_count\{[^}]*gen_ai_request_model="thinker"[^}]*\} \d+$/m
    )
    assert.match(
      metrics,
      /^mcp_server_operation_duration_seconds_count\{[^}]*gen_ai_tool_name="read_evidence",error_type=""\} 1$/m
    )
    assert.isAbove(value("web_grounding_log_append_duration_seconds_count{outcome=\"ok\"}"), 5)
    assert.isAtLeast(value("web_search_success_rate"), 0)
  })

  it("shows its metrics to tokens with their scope, and to none without", () => {
    assert.deepStrictEqual(statuses, [200, 403])
  })

  it("has no text of a caller in a label", () => {
    const labelled = metrics.split("\n").filter((line) => !line.startsWith("#"))
    for (
      const text of ["s-http", "s-alone", "notice", "housing", "default", "v1/nothing", "text="]
    ) {
      assert.isEmpty(labelled.filter((line) => line.includes(text)))
    }
  })

  it("closes each grounding with one line, and names it on every line below", () => {
    const closing = log.filter(({ message }) => message === "request ended")
    assert.deepStrictEqual(
      closing.map(({ request_id, searches, session_id, status, tenant_id, trace_id }) => ({
        request_id,
        searches,
        session_id,
        status,
        tenant_id,
        trace_id
      })),
      [{
        request_id: "r",
        searches: 1,
        session_id: "s-http",
        status: "success",
        tenant_id: "default",
        trace_id: traceId
      }]
    )
    assert.isAbove(closing[0]?.["duration_ms"], 0)
    const refused = log.filter(({ message }) => message === "engine did not answer")
    assert.isNotEmpty(refused)
    for (const line of refused) assert.deepInclude(line, { session_id: "s-http", request_id: "r" })
    assert.isEmpty(log.filter((line) => /\n\s+at /.test(JSON.stringify(line))))
  })

  it("says at its start what it runs with", () => {
    const [started, ...more] = log.filter(({ message }) => message === "service started")
    assert.isEmpty(more)
    assert.deepInclude(started, { store: "embedded", searches: "web", address: service.address })
    assert.deepInclude(started?.["settings"], {
      TAVILY_API_KEY: "set",
      OTEL_EXPORTER_OTLP_HEADERS: "set",
      LLM_MODEL: "thinker",
      TAVILY_BASE_URL: web.url
    })
  })

  it("says none of its secrets anywhere", () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["bin/wg.js", "serve", "--sandbox", "--port", "0"],
      {
        encoding: "utf8",
        timeout: 60_000,
        env: {
          ...compiled,
          DATABASE_URL: `postgres://wg:${password}@127.0.0.1:1/wg`,
          DATABASE_CONNECT_TIMEOUT_MS: "500"
        }
      }
    )
    assert.notStrictEqual(status, 0)
    assert.notStrictEqual(stderr, "")
    const secrets = [...keys.values(), collectorKey, token, password]
    const ofProviders = Providers.table.flatMap(({ ledger }) => ledger?.keys ?? [])
    assert.includeMembers([...keys.keys()], ofProviders)
    assert.strictEqual(new Set(secrets).size, keys.size + 3)
    // They were used: each server has seen them.
    const used = web.heard.map(({ headers, path }) => JSON.stringify([headers, path])).join()
    assert.includeMembers(
      [...leaksIn([...keys.values()], used)],
      ["TAVILY_API_KEY", "TAVILY_API_KEY_3", "JINA_API_KEY", "LLM_API_KEY"].map(keyIn)
    )
    const all = [
      ...told,
      JSON.stringify(log),
      ...collector.heard.map(({ body }) => body),
      stderr,
      stdout
    ]
    assert.deepStrictEqual(leaksIn([...secrets, canaryOf("unknown")], all.join("\n")), [])
  })
})
