/**
 * One service under steady load for a long time, while one search in a hundred fails: memory, file
 * handles and connections, which must stay flat, and how the calls ended.
 *
 * `npm run bench -- soak [minutes]` takes an hour, or so many minutes, and needs Linux. A quarter of
 * the calls repeats a request, a quarter asks a known question in a new session. Figures:
 * `docs/performance.md`.
 */
import { readdirSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { frame, median, ms, post, quantile } from "./load/calls.ts"
import { listen } from "./load/listening.ts"
import { type Database, fact, type Service, startDatabase, startService } from "./load/services.ts"

const minutesDefault = 60
const callsEachSecond = 6
const searchMs = 100
const faultEvery = 100
const sampleMs = 10_000
const repeatedSessions = 200
const knownQuestions = 50

const found = JSON.stringify({
  results: [{ url: "https://halvern.example/tram", title: "Trams", content: fact, score: 0.9 }],
  usage: { credits: 1 }
})

/** Ways in which a search fails, in turn. */
const faults: ReadonlyArray<(response: ServerResponse) => void> = [
  (response) => response.writeHead(500).end("{}"),
  (response) => response.writeHead(429, { "Retry-After": "1" }).end("{}"),
  (response) => response.destroy(),
  (response) => response.setHeader("Content-Type", "application/json").end("{\"results\": ["),
  // It hangs until its caller disconnects.
  () => {}
]

const startFaultyProvider = async () => {
  let searches = 0
  let faultsCount = 0
  const { stop, url } = await listen((request, response) => {
    request.resume()
    searches += 1
    const isFaulty = searches % faultEvery === 0
    const fault = isFaulty ? faults[faultsCount++ % faults.length] : undefined
    const timer = setTimeout(() => {
      if (fault !== undefined) return fault(response)
      response.setHeader("Content-Type", "application/json").end(found)
    }, searchMs)
    response.once("close", () => clearTimeout(timer))
  })
  return { url, stop, faults: () => faultsCount }
}

const payloadOf = (call: number) => {
  const kind = call % 4
  const session = kind === 0 ? `again-${call % repeatedSessions}` : `soak-${call}`
  const about = kind === 0
    ? call % repeatedSessions
    : kind === 1
    ? `known ${call % knownQuestions}`
    : `new ${call}`
  return {
    session_id: session,
    request_id: "r",
    topic: `What does a tram ticket in Halvern cost on route ${about}?`,
    phase: "mid_chat",
    user_asked_for_facts: true,
    deadline_ms: 10_000,
    overrides: { max_queries: 1 }
  }
}

interface Sample {
  readonly rssMib: number
  readonly handles: number
  readonly connections: number
}

const sampled = async (service: Service, database: Database): Promise<Sample> => {
  const { rows } = await database.query(
    "select count(*)::int as count from pg_stat_activity where datname = current_database()"
  )
  return {
    rssMib: service.rssMib(),
    handles: readdirSync(`/proc/${service.pid}/fd`).length,
    connections: rows[0].count
  }
}

const minutes = Number(process.argv[3] ?? minutesDefault)
const database = await startDatabase()
const provider = await startFaultyProvider()
const service = await startService(database, provider.url)
const ends = new Map<string, number>()
const times: Array<number> = []
const samples: Array<Sample> = []
try {
  const fromMs = performance.now()
  const endMs = fromMs + minutes * 60_000
  const calls: Set<Promise<void>> = new Set()
  let sampleDueMs = fromMs
  for (let call = 0; performance.now() < endMs; call++) {
    const dueMs = fromMs + call * 1_000 / callsEachSecond
    await pause(Math.max(0, dueMs - performance.now()))
    const asked = post(service, "/rpc", frame("Ground", payloadOf(call))).then((text) => {
      const end = /"_tag":"Outcome"/.test(text)
        ? /"mode":"(\w+)"/.exec(text)?.[1] ?? "odd"
        : /"_tag":"Failure".*?"error":\{.*?"_tag":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 40)
      ends.set(end, (ends.get(end) ?? 0) + 1)
      times.push(performance.now() - dueMs)
      calls.delete(asked)
    })
    calls.add(asked)
    if (performance.now() >= sampleDueMs) {
      sampleDueMs += sampleMs
      samples.push(await sampled(service, database))
    }
  }
  await Promise.all(calls)
  const third = Math.floor(samples.length / 3)
  const line = (name: string, of: (sample: Sample) => number, digits: number) => {
    const [first, second, last] = [0, 1, 2].map((part) =>
      median(samples.slice(part * third, (part + 1) * third).map(of))
    )
    return `${name}: medians of the three thirds ${
      [first, second, last].map((value) => value?.toFixed(digits)).join(", ")
    }`
  }
  console.log(
    `${times.length} calls in ${minutes} minutes, ${provider.faults()} searches failed; ` +
      `p50 ${ms(median(times))}, p99 ${ms(quantile(times, 0.99))}; ` +
      [...ends].map(([end, count]) => `${count} ${end}`).join(", ")
  )
  console.log(line("resident memory, MiB", ({ rssMib }) => rssMib, 0))
  console.log(line("file handles", ({ handles }) => handles, 0))
  console.log(line("connections to the database", ({ connections }) => connections, 0))
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await service.stop()
  provider.stop()
  await database.stop()
}
