/** Many callers of one session over two processes, and as many with sessions of their own. */
import { type Ended, ground, ms, quantile, tally, worst } from "./calls.ts"
import { type Database, startProvider, startService } from "./services.ts"

const callersCount = 64
const roundsMax = 3
const deadlineMs = 3_000
const searchMs = 300

interface Call extends Ended {
  readonly lateMs: number
}

export const busySession = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(searchMs)
  const services = await Promise.all([1, 2].map(() => startService(database, provider.url)))
  const asked = async (name: string, sessionOf: (index: number) => string, deadlineMs: number) => {
    const calls = await Promise.all(Array.from({ length: callersCount }, (_, index) => {
      const service = services[index % services.length]
      if (service === undefined) throw new Error("no service")
      const topic = `What does tram ${index} in Halvern cost on route ${name}?`
      const session = sessionOf(index)
      return ground(service, { session, request: `${name}-${index}`, topic, deadlineMs })
    }))
    return calls.map(({ as, ms }) => ({ as, ms, lateMs: ms - deadlineMs }))
  }
  try {
    await asked("warm", (index) => `warm-${index}`, 20_000)
    const apart: Array<Call> = []
    const together: Array<Call> = []
    const reserved: Array<number> = []
    for (let round = 0; round < roundsMax; round++) {
      apart.push(...await asked(`a${round}`, (index) => `apart-${round}-${index}`, deadlineMs))
      together.push(...await asked(`t${round}`, () => `together-${round}`, deadlineMs))
      const { rows } = await database.query(
        `select count(*)::int as count from wg.streams join wg.events using (stream_id)
        where session_id = $1 and type = 'WEB_GROUNDING_CALL_STARTED'`,
        [`together-${round}`]
      )
      reserved.push(rows[0].count)
    }
    const line = (name: string, calls: ReadonlyArray<Call>) =>
      `${name}: worst lateness ${ms(worst(calls.map(({ lateMs }) => lateMs)))}, ` +
      `p50 ${ms(quantile(calls.map((one) => one.ms), 0.5))}, ` +
      `answered p50 ${
        ms(quantile(
          calls.filter(({ as }) =>
            as !== "RequestInProgress" &&
            as !== "Overloaded"
          ).map((one) => one.ms),
          0.5
        ))
      }: ${tally(calls)}`
    return [
      line(`${callersCount} callers apart, ${roundsMax} rounds`, apart),
      line("one session", together),
      `searches reserved in one session: ${reserved.join(", ")} (budget 2)`
    ]
  } finally {
    await Promise.all(services.map(({ stop }) => stop()))
    provider.stop()
  }
}
