/** A search provider on loopback that speaks Tavily's protocol and counts the hits of each query. */
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { portOf } from "../../packages/safe-fetch/test/support/webServers.ts"

export interface Behaviour {
  /** How long an answer takes, in milliseconds. */
  readonly answerMs: (query: string) => number
  /** Called with each request before it is answered. */
  readonly onHit?: (query: string) => void
}

/** Answers until the scope closes; answers under way are cut off then. */
export const counted = ({ answerMs, onHit }: Behaviour) =>
  Effect.acquireRelease(
    Effect.promise(() => listening(answerMs, onHit)),
    ({ close }) => Effect.promise(close)
  )

const listening = async (answerMs: Behaviour["answerMs"], onHit: Behaviour["onHit"]) => {
  /** Requests received, by query. */
  const hits = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("error", () => {})
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      // The provider's own count is requested next to searches, and is left out here.
      if (request.method !== "POST") return void response.writeHead(404).end()
      const { query } = JSON.parse(Buffer.concat(chunks).toString())
      hits.set(query, (hits.get(query) ?? 0) + 1)
      onHit?.(query)
      const timer = setTimeout(() => {
        timers.delete(timer)
        answer(response, query)
      }, answerMs(query))
      timers.add(timer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      for (const timer of timers) clearTimeout(timer)
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, hits, close }
}

const answer = (response: ServerResponse, query: string) => {
  response.on("error", () => {})
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify({
    query,
    results: [1, 2, 3].map((rank) => ({
      title: `Trams in Halvern ${rank}`,
      url: `https://halvern-${rank}.example/tram`,
      content: "A single tram ticket in Halvern costs 2.80 crowns.",
      score: 0.9
    })),
    usage: { credits: 1 },
    response_time: 0.1
  }))
}
