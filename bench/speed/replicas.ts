/**
 * Replicas on one PostgreSQL: what a grounding costs with 1, 2 and 4 of them, and how long 64
 * callers of one session take that come to three of them instead of one.
 */
import { setTimeout as pause } from "node:timers/promises"
import { frame, median, ms, post, quantile } from "../load/calls.ts"
import { type Database, type Service, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "./questions.ts"

const counts = [1, 2, 4]
const callersEach = 4
const warmCalls = 250
const callsEach = 300
const hotCallers = 64
const hotRounds = 7

let asksCount = 0
const fresh = () => {
  asksCount += 1
  return questionAbout(`rep-${asksCount}`, `rep ${asksCount}`)
}

/** Answers with the milliseconds it took, waiting as long as a full service says. */
const ask = async (service: Service, payload: unknown): Promise<number> => {
  const fromMs = performance.now()
  for (;;) {
    const text = await post(service, "/rpc", frame("Ground", payload))
    if (/"_tag":"(Outcome|RequestInProgress)"/.test(text)) return performance.now() - fromMs
    const waitMs = Number(/"_tag":"Overloaded","retry_after_ms":(\d+)/.exec(text)?.[1])
    if (Number.isNaN(waitMs)) throw new Error(`odd: ${text.slice(0, 300)}`)
    await pause(waitMs)
  }
}

const many = async (services: ReadonlyArray<Service>, calls: number) => {
  await Promise.all(services.flatMap((service) => {
    let begun = 0
    return Array.from({ length: callersEach }, async () => {
      while (begun < calls) {
        begun += 1
        await ask(service, fresh())
      }
    })
  }))
}

const cpuOf = (services: ReadonlyArray<Service>) =>
  services.reduce((sum, service) => sum + service.cpuSeconds(), 0)

/** Milliseconds until each of the callers of one new session is answered, all asking at once. */
const hot = async (services: ReadonlyArray<Service>, round: string): Promise<number> => {
  const times = await Promise.all(Array.from({ length: hotCallers }, (_, index) => {
    const service = services[index % services.length]
    if (service === undefined) throw new Error("no service")
    return ask(service, {
      ...questionAbout(`hot-${round}`, `hot ${index} of ${round}`),
      request_id: `r${index}`
    })
  }))
  return quantile(times, 0.5)
}

export const replicas = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider()
  const services: Array<Service> = []
  const lines: Array<string> = []
  try {
    const costs: Array<number> = []
    for (const count of counts) {
      while (services.length < count) {
        const service = await startService(database, provider.url)
        services.push(service)
        await many([service], warmCalls)
      }
      const before = cpuOf(services)
      const fromMs = performance.now()
      await many(services, callsEach)
      const seconds = (performance.now() - fromMs) / 1_000
      const cpuMs = (cpuOf(services) - before) * 1_000 / (callsEach * count)
      costs.push(cpuMs)
      lines.push(
        `${count} replicas: ${cpuMs.toFixed(1)} ms of CPU a grounding, ` +
          `${(cpuMs / (costs[0] ?? cpuMs)).toFixed(2)} x one replica's, ` +
          `${(callsEach * count / seconds).toFixed(1)} groundings a second on this machine`
      )
    }
    const [one] = services
    if (one === undefined) throw new Error("no service")
    const ratios: Array<number> = []
    const alone: Array<number> = []
    for (let round = 0; round < hotRounds; round++) {
      const both = [[one], services.slice(0, 3)]
      const times = new Map<number, number>()
      for (const some of round % 2 === 0 ? both : both.toReversed()) {
        times.set(some.length, await hot(some, `${some.length}-${round}`))
      }
      alone.push(times.get(1) ?? NaN)
      ratios.push((times.get(3) ?? NaN) / (times.get(1) ?? NaN))
    }
    lines.push(
      `one session of ${hotCallers} callers over 3 replicas: p50 ${median(ratios).toFixed(2)} x ` +
        `one replica's ${ms(median(alone))} (medians of ${hotRounds} rounds)`
    )
    return lines
  } finally {
    await Promise.all(services.map(({ stop }) => stop()))
    provider.stop()
  }
}
