/** How many groundings one service answers rightly and in time when more are asked than it bears. */
import { setTimeout as pause } from "node:timers/promises"
import { type Ended, ground, median, ms, quantile, tally } from "./calls.ts"
import { type Database, type Service, startProvider, startService } from "./services.ts"

const closedCallersCount = 8
const warmMs = 6_000
const closedMs = 5_000
const openMs = 6_000
const roundsMax = 2
const deadlineMs = 5_000
/** Beyond the deadline an answer is allowed so much. */
const graceMs = 250
const factors = [1, 2, 4]

let asked = 0
const ask = (service: Service) => {
  asked += 1
  const topic = "What does a tram ticket in Halvern cost?"
  return ground(service, { session: `goodput-${asked}`, request: "r", topic, deadlineMs })
}

const isGood = ({ as, ms }: Ended) => as === "right" && ms <= deadlineMs + graceMs

const closed = async (service: Service, forMs: number): Promise<number> => {
  const fromMs = performance.now()
  const ended: Array<Ended> = []
  await Promise.all(Array.from({ length: closedCallersCount }, async () => {
    while (performance.now() - fromMs < forMs) ended.push(await ask(service))
  }))
  return ended.filter(isGood).length * 1_000 / (performance.now() - fromMs)
}

/** Asks at a steady rate, whether or not the answers come. */
const open = async (service: Service, ratePerSecond: number) => {
  const fromMs = performance.now()
  const calls: Array<Promise<Ended>> = []
  while (performance.now() - fromMs < openMs) {
    const dueCount = Math.floor((performance.now() - fromMs) * ratePerSecond / 1_000)
    while (calls.length < dueCount) calls.push(ask(service))
    await pause(5)
  }
  return Promise.all(calls)
}

export const goodput = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(0)
  const service = await startService(database, provider.url)
  try {
    await closed(service, warmMs)
    const bearable = await closed(service, closedMs)
    const runs = new Map<number, Array<ReadonlyArray<Ended>>>()
    for (let round = 0; round < roundsMax; round++) {
      for (const factor of factors) {
        runs.set(factor, [...runs.get(factor) ?? [], await open(service, bearable * factor)])
      }
    }
    const rateOf = (factor: number) =>
      median((runs.get(factor) ?? []).map((run) => run.filter(isGood).length * 1_000 / openMs))
    return [
      `closed loop of ${closedCallersCount}: ${bearable.toFixed(1)} a second`,
      ...factors.map((factor) => {
        const calls = (runs.get(factor) ?? []).flat()
        const good = calls.filter(isGood)
        const late = calls.filter(({ as, ms }) => as === "right" && ms > deadlineMs + graceMs)
        const overloaded = calls.filter(({ as }) => as === "Overloaded").map(({ ms }) => ms)
        return `${factor} x: ${rateOf(factor).toFixed(1)} right a second ` +
          `(${(100 * rateOf(factor) / rateOf(1)).toFixed(0)} % of 1 x), ` +
          `p50 ${ms(quantile(good.map(({ ms }) => ms), 0.5))}, ` +
          `p99 ${ms(quantile(good.map(({ ms }) => ms), 0.99))}, ${late.length} late, ` +
          `refused in p50 ${overloaded.length === 0 ? "-" : ms(median(overloaded))}: ${
            tally(calls)
          }`
      })
    ]
  } finally {
    await service.stop()
    provider.stop()
  }
}
