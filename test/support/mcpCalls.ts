/** Ways to ask the face for agents over HTTP. */
import { Effect } from "effect"
import { send } from "./httpCalls.ts"
import { url } from "./service.ts"

/** One request over a new MCP session; where no session is opened, what is answered instead. */
export const overMcp = Effect.fnUntraced(
  function*(headers: Readonly<Record<string, string>>, method: string, params: object) {
    const service = yield* url
    const said = (body: object, session: Readonly<Record<string, string>> = {}) =>
      send(service, {
        method: "POST",
        path: "/mcp",
        headers: { accept: "application/json, text/event-stream", ...headers, ...session },
        body: JSON.stringify({ jsonrpc: "2.0", ...body })
      })
    const hello = yield* said({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" }
      }
    })
    if (hello.status !== 200) return { status: hello.status, text: hello.text }
    const session = {
      "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25"
    }
    yield* said({ method: "notifications/initialized" }, session)
    const { status, text } = yield* said({ id: 2, method, params }, session)
    return { status, text }
  }
)

/** One request of the revision without sessions. */
export const overStatelessMcp = Effect.fnUntraced(
  function*(
    headers: Readonly<Record<string, string>>,
    method: string,
    { _meta, ...params }: { readonly _meta?: object; readonly name?: string; readonly uri?: string }
  ) {
    const revision = "2026-07-28"
    const { status, text } = yield* send(yield* url, {
      method: "POST",
      path: "/mcp",
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": revision,
        "mcp-method": method,
        "mcp-name": params.name ?? params.uri ?? "",
        ...headers
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
            ..._meta
          }
        }
      })
    })
    return { status, text }
  }
)

export const toolOver = (name: string, input: object) =>
  Effect.map(
    overMcp({}, "tools/call", { name, arguments: input }),
    ({ text }): unknown =>
      JSON.parse(text.replace(/^[^]*data: /, "").trim()).result.structuredContent
  )

/** What a resource holds. */
export const resourceOver = (uri: string) =>
  Effect.map(overMcp({}, "resources/read", { uri }), ({ text }): unknown => {
    const { result } = JSON.parse(text.replace(/^[^]*data: /, "").trim())
    return JSON.parse(result.contents[0].text)
  })
