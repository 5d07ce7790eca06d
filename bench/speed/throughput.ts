/**
 * Latency and throughput of groundings with a provider that answers after 300 ms: one caller next
 * to the critical path, as many callers as saturate it, and an open loop at half of that rate.
 * Times of the open loop count from when a call was due, whenever it was sent.
 */
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { frame, median, ms, post, quantile } from "../load/calls.ts"
import { type Database, type Service, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "./questions.ts"

const searchMs = 300
const warmCalls = 300
const aloneCalls = 40
/** Commits of the log that a grounding cannot do without: the request, the search, the answer. */
const commitsCount = 3
const saturatingCallers = 32
const saturatingMs = 20_000
const openMs = 20_000

let asksCount = 0
/** Asks something new in a session of its own, and answers with the milliseconds it took. */
const ask = async (service: Service, fromMs = performance.now()): Promise<number> => {
  asksCount += 1
  const text = await post(
    service,
    "/rpc",
    frame("Ground", questionAbout(`thr-${asksCount}`, `thr ${asksCount}`))
  )
  if (!text.includes("\"_tag\":\"Outcome\"")) throw new Error(`odd: ${text.slice(0, 300)}`)
  return performance.now() - fromMs
}

const closedLoop = async (
  service: Service,
  callers: number,
  isDone: (calls: number) => boolean
) => {
  const times: Array<number> = []
  await Promise.all(Array.from({ length: callers }, async () => {
    while (!isDone(times.length)) times.push(await ask(service))
  }))
  return times
}

/** The 99th percentile of how late timers of the service were, from its own metrics. */
const loopDelayMs = async (service: Service): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const name = "nodejs_eventloop_delay_p99_seconds"
  return Number(text.split("\n").find((line) => line.startsWith(name))?.split(" ")[1]) * 1_000
}

export const throughput = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(searchMs)
  const service = await startService(database, provider.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("create table if not exists raw_commits (text text)")
  const commits = async () => {
    const fromMs = performance.now()
    for (let commit = 0; commit < commitsCount; commit++) {
      await client.query("insert into raw_commits values ($1)", ["x".repeat(2_000)])
    }
    return performance.now() - fromMs
  }
  try {
    await closedLoop(service, 8, (calls) => calls >= warmCalls)
    const alone: Array<number> = []
    const critical: Array<number> = []
    for (let call = 0; call < aloneCalls; call++) {
      critical.push(searchMs + await commits())
      alone.push(await ask(service))
    }
    await loopDelayMs(service)
    const cpuBefore = service.cpuSeconds()
    const fromMs = performance.now()
    const saturated = await closedLoop(
      service,
      saturatingCallers,
      () => performance.now() - fromMs > saturatingMs
    )
    const seconds = (performance.now() - fromMs) / 1_000
    const rate = saturated.length / seconds
    const cpuShare = (service.cpuSeconds() - cpuBefore) / seconds
    const delayMs = await loopDelayMs(service)

    const open: Array<Promise<number>> = []
    const openFromMs = performance.now()
    // Arrivals as of many independent callers: exponential times between them, from a fixed seed.
    let dueMs = openFromMs
    let seed = 1
    while (dueMs < openFromMs + openMs) {
      await pause(Math.max(0, dueMs - performance.now()))
      open.push(ask(service, dueMs))
      seed = (seed * 48_271) % 2_147_483_647
      dueMs += -Math.log(seed / 2_147_483_647) * 2_000 / rate
    }
    const opened = await Promise.all(open)
    const path = median(critical)
    return [
      `one caller, provider ${searchMs} ms: p50 ${ms(median(alone))}, ` +
      `${(median(alone) / path).toFixed(2)} x its critical path of ${ms(path)} ` +
      `(provider and ${commitsCount} raw durable commits; ${aloneCalls} calls)`,
      `saturated by ${saturatingCallers} callers: ${rate.toFixed(1)} groundings a second, ` +
      `${cpuShare.toFixed(2)} cores of the service, p50 ${ms(median(saturated))}, ` +
      `timers late by ${ms(delayMs)} at p99`,
      `open loop at ${(rate / 2).toFixed(1)} a second: p50 ${ms(median(opened))}, ` +
      `p95 ${ms(quantile(opened, 0.95))}, ${
        (quantile(opened, 0.95) / path).toFixed(2)
      } x the critical path, p99 ${ms(quantile(opened, 0.99))} (${opened.length} calls)`
    ]
  } finally {
    await client.end()
    await service.stop()
    provider.stop()
  }
}
