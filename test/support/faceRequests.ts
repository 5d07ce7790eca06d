/** Requests drawn by chance to the faces that the published document does not describe. */
import { Effect } from "effect"
import { serviceOperations } from "../../src/contract/ServiceOperations.ts"
import { type Dice, draw } from "./dice.ts"
import { broken, bytesOf, canary, type Json, valueOf } from "./drawnRequests.ts"
import { send, type Sent } from "./httpCalls.ts"

const revision = "2026-07-28"

const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": {}
}

const mcpHeaders = (method: string, name?: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": revision,
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name })
})

const message = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } })

/** The tools as the service lists them, each with the schema of its input. */
export const toolsOf = (service: string) =>
  send(service, {
    method: "POST",
    path: "/mcp",
    headers: mcpHeaders("tools/list"),
    body: message("tools/list", {})
  }).pipe(Effect.map(({ text }): ReadonlyArray<Json> => JSON.parse(text).result.tools))

const uris = [
  "web-grounding://sessions/s",
  "web-grounding://sessions/s/3",
  "web-grounding://sessions/%00/-1",
  "web-grounding://packs/s/r",
  "web-grounding://packs/%ff/r",
  "file:///etc/passwd",
  ""
]

const asked = (dice: Dice, tools: ReadonlyArray<Json>): readonly [string, Json] => {
  const chance = dice()
  if (chance < 0.6) {
    const tool = draw(dice, tools)
    const whole = valueOf(dice, tool["inputSchema"])
    const given = dice() < 0.5 ? broken(dice, whole) : whole
    return ["tools/call", { name: tool["name"], arguments: given }]
  }
  if (chance < 0.75) return ["resources/read", { uri: draw(dice, uris) }]
  if (chance < 0.85) {
    const given = draw(dice, [{ user_question: "x" }, {}, { user_question: "", country: "" }])
    return ["prompts/get", { name: draw(dice, ["ground_turn", "x"]), arguments: given }]
  }
  const others = ["tools/list", "server/discover", "ping", "initialize", "completion/complete", ""]
  return [draw(dice, others), {}]
}

const toMcp = (dice: Dice, tools: ReadonlyArray<Json>): Sent => {
  const [method, params] = asked(dice, tools)
  const name = params["name"] ?? params["uri"]
  const whole = message(method, params)
  const chance = dice()
  const body = chance < 0.1
    ? bytesOf(dice)
    : chance < 0.3
    ? JSON.stringify(broken(dice, JSON.parse(whole)))
    : whole
  const sent = dice() < 0.05 ? draw(dice, ["GET", "DELETE", "PUT"]) : "POST"
  return {
    method: sent,
    path: "/mcp",
    headers: {
      ...mcpHeaders(draw(dice, [method, method, method, "x"]), name),
      ...(dice() < 0.1 ? { "mcp-session-id": canary } : {}),
      ...(dice() < 0.1 ? { "mcp-protocol-version": draw(dice, ["2025-11-25", "1", ""]) } : {})
    },
    ...(sent === "GET" ? {} : { body })
  }
}

const toRpc = (dice: Dice): Sent => {
  const frame = {
    _tag: "Request",
    id: String(Math.floor(dice() * 1_000)),
    tag: draw(dice, [...Object.keys(serviceOperations), "Unknown"]),
    payload: { session_id: "s", topic: draw(dice, ["desks", "", "x".repeat(9_000)]) },
    headers: []
  }
  const given = dice() < 0.5 ? broken(dice, frame) : frame
  return {
    method: "POST",
    path: "/rpc",
    headers: { "content-type": "application/x-ndjson", authorization: `Bearer ${canary}` },
    body: dice() < 0.1 ? bytesOf(dice) : `${JSON.stringify(given)}\n`
  }
}

const toDocuments = (dice: Dice): Sent => {
  const query = new URLSearchParams({
    source_id: draw(dice, ["d", "", "../..", "x".repeat(4_000)]),
    source_type: draw(dice, ["paper", "user_note", "x"]),
    ...(dice() < 0.3 ? { title: draw(dice, ["t", "", "<b>", "\u202e"]) } : {}),
    ...(dice() < 0.3 ? { node_id: draw(dice, ["n", ""]) } : {})
  })
  return {
    method: "PUT",
    path: `/documents?${query}`,
    headers: { "content-type": draw(dice, ["text/plain", "text/markdown", "x/y", ";"]) },
    body: dice() < 0.3 ? bytesOf(dice) : "A tram ride in Halvern costs two crowns."
  }
}

const pages = [
  "/v1/openapi.json",
  "/v1/docs",
  "/health",
  "/livez",
  "/startupz",
  "/readyz",
  "/",
  "/v1",
  "/v1/%zz",
  "/..%2f"
]

/** A request to any of them, of which anything may be wrong. */
export const faceRequestOf = (dice: Dice, tools: ReadonlyArray<Json>): Sent => {
  const chance = dice()
  if (chance < 0.5) return toMcp(dice, tools)
  if (chance < 0.75) return toRpc(dice)
  if (chance < 0.9) return toDocuments(dice)
  return { method: draw(dice, ["GET", "GET", "HEAD", "POST"]), path: draw(dice, pages) }
}
