/** Calls of a service over HTTP as an application makes them, and figures of many of them. */
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { fact, type Service } from "./services.ts"

const callMsMax = 60_000

export interface Ended {
  /** `right`: an answer with the provider's fact, or a success without a mode. Else the outcome's mode or the failure's tag. */
  readonly as: string
  readonly ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 256 })

/** Ends as `lost` when the connection fails, and after 60 s at the latest. */
export const post = (
  service: Pick<Service, "url">,
  path: string,
  body: string
): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(`${service.url}${path}`, {
      agent,
      method: body === "" ? "GET" : "POST",
      headers: { "content-type": "application/x-ndjson" },
      timeout: callMsMax
    }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => text += chunk)
      response.once("end", () => resolve(text === "" ? `${response.statusCode}` : text))
      response.once("error", () => resolve("lost"))
    })
    sent.once("error", () => resolve("lost")).once("timeout", () => sent.destroy())
    sent.end(body)
  })

export const frame = (tag: string, payload: unknown, id = "1"): string =>
  `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`

const endOf = (text: string): string => {
  if (text === "lost") return text
  const failure = /"_tag":"Failure".*?"error":\{.*?"_tag":"(\w+)"/.exec(text)?.[1]
  if (failure !== undefined) return failure
  const mode = /"mode":"(\w+)"/.exec(text)?.[1]
  if (mode === undefined) return text.includes("\"_tag\":\"Success\"") ? "right" : "odd"
  return text.includes(fact.slice(0, -1)) ? "right" : mode
}

export const call = async (service: Service, tag: string, payload: unknown): Promise<Ended> => {
  const fromMs = performance.now()
  const text = await post(service, "/rpc", frame(tag, payload))
  return { as: endOf(text), ms: performance.now() - fromMs }
}

export interface Asked {
  readonly session: string
  readonly request: string
  readonly topic: string
  readonly deadlineMs: number
}

export const ground = (service: Service, { deadlineMs, request, session, topic }: Asked) =>
  call(service, "Ground", {
    session_id: session,
    request_id: request,
    topic,
    phase: "mid_chat",
    user_asked_for_facts: true,
    deadline_ms: deadlineMs,
    overrides: { max_queries: 1 }
  })

/** The latency of a probe, one after the other, until the work is done or the time is over. */
export const probe = async (ask: () => Promise<unknown>, forMs: number) => {
  const times: Array<number> = []
  const untilMs = performance.now() + forMs
  while (performance.now() < untilMs) {
    const fromMs = performance.now()
    await ask()
    times.push(performance.now() - fromMs)
    await pause(20)
  }
  return times
}

/** A connection that reads nothing until it is destroyed. */
export const dial = (service: Service): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(service.port, "127.0.0.1")
    socket.pause()
    socket.once("connect", () => resolve(socket)).once("error", reject)
    socket.on("error", () => {})
  })

export const rawPost = (body: string): string =>
  "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n" +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

export const quantile = (numbers: ReadonlyArray<number>, share: number): number => {
  const sorted = numbers.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (numbers: ReadonlyArray<number>): number => quantile(numbers, 0.5)
export const worst = (numbers: ReadonlyArray<number>): number => Math.max(...numbers)

/** How many ended in each way, most frequent first. */
export const tally = (calls: ReadonlyArray<Ended>): string =>
  [...Map.groupBy(calls, ({ as }) => as)]
    .map(([as, some]) => [as, some.length] as const)
    .toSorted((left, right) => right[1] - left[1])
    .map(([as, count]) => `${count} ${as}`).join(", ")

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

export const comparedWithIdle = (
  loaded: ReadonlyArray<number>,
  idle: ReadonlyArray<number>
): string =>
  `p50 ${ms(median(loaded))}, worst ${ms(worst(loaded))}; idle p50 ${ms(median(idle))}, ` +
  `worst ${ms(worst(idle))}; p50 ${(median(loaded) / median(idle)).toFixed(1)} x`
