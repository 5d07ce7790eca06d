/** What one grounding costs: CPU, statements, durable commits, and the service at rest. */
import { setTimeout as pause } from "node:timers/promises"
import { frame, post } from "../load/calls.ts"
import { type Database, type Service, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "./questions.ts"
import { durableCommits, startRelay, type Statement } from "./statements.ts"

const warmCalls = 300
const countedCalls = 200
const callers = 4
/** Calls one after the other, far enough apart that each has its own projections. */
const apartCalls = 10
const apartMs = 2_500
const restMs = 10_000

const ask = async (service: Service, payload: unknown) => {
  const text = await post(service, "/rpc", frame("Ground", payload))
  if (!text.includes("\"_tag\":\"Outcome\"")) throw new Error(`odd: ${text.slice(0, 300)}`)
}

const cpuOf = async (service: Service, payloadOf: (index: number) => unknown, calls: number) => {
  const before = service.cpuSeconds()
  let begun = 0
  await Promise.all(Array.from({ length: callers }, async () => {
    while (begun < calls) {
      begun += 1
      await ask(service, payloadOf(begun))
    }
  }))
  return (service.cpuSeconds() - before) * 1_000 / calls
}

const namesOf = (statements: ReadonlyArray<Statement>, calls: number) =>
  [...Map.groupBy(statements, ({ name }) => name)]
    .map(([name, some]) => [name, some.length / calls] as const)
    .toSorted((left, right) => right[1] - left[1])
    .map(([name, count]) => `    ${count.toFixed(1)} ${name}`)

export const cost = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider()
  const relay = await startRelay(database.url)
  const service = await startService({ ...database, url: relay.url }, provider.url, {
    PACK_CACHE_HOURS: "24"
  })
  const single = await startService(database, provider.url, {
    PACK_CACHE_HOURS: "0",
    PACK_CACHE_TIMELY_HOURS: "0"
  })
  let counted = 0
  const fresh = (name: string) => () =>
    questionAbout(`${name}-${counted += 1}`, `${name} ${counted}`)
  const same = (name: string) => () => questionAbout(`${name}-${counted += 1}`)
  try {
    const cpu = {
      full:
        (await cpuOf(service, fresh("warm"), warmCalls),
          await cpuOf(service, fresh("full"), countedCalls)),
      pack:
        (await cpuOf(service, same("warmpack"), warmCalls),
          await cpuOf(service, same("pack"), countedCalls)),
      query:
        (await cpuOf(single, same("warmquery"), warmCalls),
          await cpuOf(single, same("query"), countedCalls))
    }
    await single.stop()
    await pause(apartMs)

    relay.take()
    const cpuRest = service.cpuSeconds()
    await pause(restMs)
    const rest = relay.take()
    const cpuAtRest = (service.cpuSeconds() - cpuRest) * 1_000 / (restMs / 1_000)

    const statementsOf = async (payloadOf: () => unknown) => {
      const before: Array<Statement> = []
      const all: Array<Statement> = []
      for (let call = 0; call < apartCalls; call++) {
        await ask(service, payloadOf())
        const untilAnswer = relay.take()
        before.push(...untilAnswer)
        all.push(...untilAnswer)
        await pause(apartMs)
        all.push(...relay.take())
      }
      return { before, all }
    }
    const restPerCall = rest.length * apartMs / restMs
    const lineOf = (name: string, { all, before }: Awaited<ReturnType<typeof statementsOf>>) => [
      `${name}: ${(before.length / apartCalls).toFixed(1)} statements and ` +
      `${(durableCommits(before) / apartCalls).toFixed(1)} durable commits until the answer, ` +
      `${(all.length / apartCalls - restPerCall).toFixed(1)} and ` +
      `${(durableCommits(all) / apartCalls).toFixed(1)} with the read models ` +
      `(those at rest taken off the statements)`,
      ...namesOf(all, apartCalls)
    ]
    const ofFull = await statementsOf(fresh("counted"))
    const ofPack = await statementsOf(same("countedpack"))
    return [
      `CPU of a full grounding ${cpu.full.toFixed(1)} ms, of a new session with a cached query ` +
      `${cpu.query.toFixed(1)} ms, with a cached answer ${cpu.pack.toFixed(1)} ms`,
      `at rest: ${(rest.length * 1_000 / restMs).toFixed(1)} statements and ` +
      `${cpuAtRest.toFixed(1)} ms of CPU a second`,
      ...lineOf("full grounding", ofFull),
      ...lineOf("new session with a cached answer", ofPack)
    ]
  } finally {
    await service.stop()
    relay.stop()
    provider.stop()
  }
}
