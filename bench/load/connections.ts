/** Whether a live caller is answered next to idle, slow and unfinished connections. */
import type { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { comparedWithIdle, dial, post, probe } from "./calls.ts"
import { type Database, type Service, startProvider, startService } from "./services.ts"

const idleCount = 1_500
const slowCount = 300
const batch = 100
const probeMs = 3_000
const dripMs = 1_000

const drips: Readonly<Record<string, string>> = {
  "slow heads": "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Filler: " + "x".repeat(100),
  "slow bodies": "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n" +
    "Content-Type: application/x-ndjson\r\n\r\n"
}

const dialMany = async (service: Service, count: number): Promise<ReadonlyArray<Socket>> => {
  const sockets: Array<Socket> = []
  while (sockets.length < count) {
    const size = Math.min(batch, count - sockets.length)
    sockets.push(...await Promise.all(Array.from({ length: size }, () => dial(service))))
  }
  return sockets
}

/** A probe with a connection of its own each time: a new caller. */
const answered = async (service: Service) => {
  const statuses: Array<string> = []
  const times = await probe(async () => {
    const response = await fetch(`${service.url}/health`, { headers: { connection: "close" } })
      .catch(() => undefined)
    statuses.push(String(response?.status ?? "lost"))
    await response?.text()
  }, probeMs)
  const right = statuses.filter((status) => status === "200").length
  return { times, share: `${right} of ${statuses.length}` }
}

export const connections = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(0)
  const service = await startService(database, provider.url)
  try {
    await probe(() => post(service, "/health", ""), 1_000)
    await answered(service)
    const idle = await answered(service)
    const beforeMib = service.rssMib()
    const lines: Array<string> = []
    const idlers = await dialMany(service, idleCount)
    const beside = await answered(service)
    lines.push(
      `${idleCount} idle, cap 1,000: RSS + ${(service.rssMib() - beforeMib).toFixed(0)} MiB, ` +
        `GET /health ${beside.share} answered, ${comparedWithIdle(beside.times, idle.times)}`
    )
    for (const socket of idlers) socket.destroy()
    for (const [name, text] of Object.entries(drips)) {
      await pause(500)
      const from = service.rssMib()
      const sockets = await dialMany(service, slowCount)
      for (const socket of sockets) socket.write(text)
      const dripping = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write("x")
      }, dripMs)
      const beside = await answered(service)
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
      lines.push(
        `${slowCount} ${name}, 1 byte a second: RSS + ${(service.rssMib() - from).toFixed(0)} ` +
          `MiB, GET /health ${beside.share} answered, ${comparedWithIdle(beside.times, idle.times)}`
      )
    }
    return lines
  } finally {
    await service.stop()
    provider.stop()
  }
}
