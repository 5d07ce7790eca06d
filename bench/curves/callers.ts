/** What many callers at once do to a service, and what more replicas do to the cost of a grounding. */
import { frame, median, post } from "../load/calls.ts"
import { type Database, type Service, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "../speed/questions.ts"
import type { Curve } from "./plot.ts"

const callersCounts = [1, 10, 100, 1_000]
const callsMin = 600
const replicasCounts = [1, 2, 3, 4]
const callersEach = 4
const groundingsEach = 200

const ask = async (service: Service, payload: unknown): Promise<number> => {
  const fromMs = performance.now()
  const text = await post(service, "/rpc", frame("Ground", payload))
  if (!/"_tag":"(Outcome|Overloaded)"/.test(text)) throw new Error(`odd: ${text.slice(0, 200)}`)
  return performance.now() - fromMs
}

/** `work` of so many callers, one call after the other each, until so many calls were made. */
const loop = async (callers: number, calls: number, work: () => Promise<number>) => {
  const times: Array<number> = []
  let begun = 0
  const fromMs = performance.now()
  await Promise.all(Array.from({ length: callers }, async () => {
    while (begun < calls) {
      begun += 1
      times.push(await work())
    }
  }))
  return { times, seconds: (performance.now() - fromMs) / 1_000 }
}

export const ofCallers = async (database: Database): Promise<Curve> => {
  const provider = await startProvider()
  const service = await startService(database, provider.url)
  const repeated = () => ask(service, questionAbout("callers"))
  try {
    await loop(8, 300, repeated)
    const rate: Array<readonly [number, number]> = []
    const latency: Array<readonly [number, number]> = []
    for (const callers of callersCounts) {
      const calls = Math.max(callsMin, callers * 3)
      const { seconds, times } = await loop(callers, calls, repeated)
      rate.push([callers, calls / seconds])
      latency.push([callers, median(times)])
    }
    return {
      title: "A repeated request, asked by many callers at once of one service",
      across: "callers",
      upwards: "answers a second, and milliseconds at the median",
      series: [{ name: "answers a second", points: rate }, { name: "p50, ms", points: latency }]
    }
  } finally {
    await service.stop()
    provider.stop()
  }
}

export const ofReplicas = async (database: Database): Promise<Curve> => {
  const provider = await startProvider()
  const services: Array<Service> = []
  let asksCount = 0
  const fresh = () => questionAbout(`curve-${asksCount += 1}`, `curve ${asksCount}`)
  try {
    const cost: Array<readonly [number, number]> = []
    for (const count of replicasCounts) {
      const added = await startService(database, provider.url)
      services.push(added)
      await loop(callersEach, groundingsEach, () => ask(added, fresh()))
      const cpu = () => services.reduce((sum, service) => sum + service.cpuSeconds(), 0)
      const before = cpu()
      await Promise.all(
        services.map((service) => loop(callersEach, groundingsEach, () => ask(service, fresh())))
      )
      cost.push([count, (cpu() - before) * 1_000 / (groundingsEach * count)])
    }
    return {
      title: "CPU of a grounding with more replicas on one database",
      across: "replicas",
      upwards: "milliseconds of CPU, all processes of the service",
      series: [{ name: "full grounding over snippets", points: cost }]
    }
  } finally {
    await Promise.all(services.map(({ stop }) => stop()))
    provider.stop()
  }
}
