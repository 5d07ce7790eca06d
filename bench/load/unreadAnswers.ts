/** What clients that read nothing of what they asked for cost in memory, and others in time. */
import { setTimeout as pause } from "node:timers/promises"
import { call, comparedWithIdle, dial, frame, probe, rawPost, worst } from "./calls.ts"
import { type Database, type Service, startProvider, startService } from "./services.ts"

const eventsCount = 60
const framesEach = 30
const readMs = 8_000
const unreadMs = 15_000
const afterMs = 5_000
const sampleMs = 100
const grownMibMax = 64

const body = Array.from(
  { length: framesEach },
  (_, index) => frame("GetSession", { session_id: "unread" }, `f${index}`)
).join("")

const growth = async (service: Service, connectionsCount: number, bodiesEach: number) => {
  const read = () => call(service, "GetSession", { session_id: "unread", limit: 1 })
  await probe(read, 2_000)
  const coldMib = service.rssMib()
  // The control: as many clients that read what they asked for warm the service up.
  const readers = await Promise.all(Array.from({ length: connectionsCount }, () => dial(service)))
  for (const socket of readers) {
    socket.resume()
    socket.write(rawPost(body).repeat(bodiesEach))
  }
  await pause(readMs)
  for (const socket of readers) socket.destroy()
  const idle = await probe(read, 2_000)
  const beforeMib = service.rssMib()
  const samples: Array<number> = []
  const sampling = setInterval(() => samples.push(service.rssMib()), sampleMs)
  const sockets = await Promise.all(
    Array.from({ length: connectionsCount }, () => dial(service))
  )
  for (const socket of sockets) socket.write(rawPost(body).repeat(bodiesEach))
  const loaded = await probe(read, unreadMs)
  for (const socket of sockets) socket.destroy()
  clearInterval(sampling)
  await pause(afterMs)
  const grownMib = worst(samples) - beforeMib
  return `${connectionsCount} x ${bodiesEach * framesEach} frames: RSS ${coldMib.toFixed(0)} + ` +
    `${(beforeMib - coldMib).toFixed(0)} MiB after clients that read; then unread for 15 s ` +
    `${beforeMib.toFixed(0)} + ${grownMib.toFixed(0)} MiB at the worst ` +
    `(${(grownMib / grownMibMax).toFixed(2)} of ${grownMibMax}), ` +
    `${(service.rssMib() - beforeMib).toFixed(0)} more 5 s later; ` +
    `a read of one event ${comparedWithIdle(loaded, idle)}`
}

export const unreadAnswers = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(0)
  await database.fill("unread", eventsCount)
  const lines: Array<string> = []
  // 20 bodies are more than a connection may have under way: 7 are not.
  for (const [connectionsCount, bodiesEach] of [[1, 20], [1, 7], [64, 7]] as const) {
    const service = await startService(database, provider.url)
    try {
      lines.push(await growth(service, connectionsCount, bodiesEach))
    } finally {
      await service.stop()
    }
  }
  provider.stop()
  return lines
}
