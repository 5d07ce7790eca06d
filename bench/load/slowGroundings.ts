/** What else a service answers while it has more slow groundings than places. */
import { call, comparedWithIdle, ground, post, probe, tally } from "./calls.ts"
import { type Database, startProvider, startService } from "./services.ts"

const callersCount = 70
const searchMs = 10_000
const deadlineMs = 12_000
const probeMs = 5_000
const settleMs = 1_000

export const slowGroundings = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(searchMs)
  const service = await startService(database, provider.url)
  await database.fill("slow-read", 2)
  const probes = {
    "GET /health": () => post(service, "/health", ""),
    "GET /readyz": () => post(service, "/readyz", ""),
    "GetHealth": () => call(service, "GetHealth", {}),
    "GetSession": () => call(service, "GetSession", { session_id: "slow-read" })
  }
  const names = Object.keys(probes)
  const probeAll = () => Promise.all(Object.values(probes).map((ask) => probe(ask, probeMs)))
  try {
    await Promise.all(Object.values(probes).map((ask) => probe(ask, settleMs)))
    const idle = await probeAll()
    const groundings = Promise.all(
      Array.from({ length: callersCount }, (_, index) =>
        ground(service, {
          session: `slow-${index}`,
          request: "r",
          topic: `What does tram ${index} in Halvern cost?`,
          deadlineMs
        }))
    )
    const loaded = await probeAll()
    const ended = await groundings
    return [
      `${callersCount} groundings of 10 s: ${tally(ended)}`,
      ...names.map((name, index) =>
        `${name}: ${comparedWithIdle(loaded[index] ?? [], idle[index] ?? [])}`
      )
    ]
  } finally {
    await service.stop()
    provider.stop()
  }
}
