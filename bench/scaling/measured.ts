/** What a grounding leaves in PostgreSQL, and the CPU that it takes there and in the service. */
import { readdirSync, readFileSync } from "node:fs"
import { frame, post } from "../load/calls.ts"
import { type Database, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "../speed/questions.ts"

const warmCalls = 200
const countedCalls = 300
const callers = 4
const ticksEachSecond = 100
/** Read models and the journal are behind the last answer by less. */
const settleMs = 3_000

const fieldsOf = (pid: number): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []

/** CPU of the server and its children, those that ended included, in seconds. */
const cpuOf = (postmaster: number): number => {
  const ticks = (fields: ReadonlyArray<string>, places: ReadonlyArray<number>) =>
    places.reduce((sum, place) => sum + Number(fields[place]), 0)
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const fields = fieldsOf(Number(name))
      return Number(fields[1]) === postmaster ? [ticks(fields, [11, 12])] : []
    } catch {
      // It ended between the list and the look.
      return []
    }
  })
  const own = ticks(fieldsOf(postmaster), [11, 12, 13, 14])
  return (own + children.reduce((sum, one) => sum + one, 0)) / ticksEachSecond
}

export interface Measured {
  /** Bytes of one grounding by table, indexes and long values included. */
  readonly tables: ReadonlyArray<readonly [string, number]>
  readonly walBytes: number
  readonly eventsCount: number
  readonly serviceMs: number
  readonly databaseMs: number
}

/** `key`: wraps the payloads' data keys; none: payloads are plaintext. */
export const measured = async (database: Database, key: string | undefined): Promise<Measured> => {
  const provider = await startProvider()
  const service = await startService(
    database,
    provider.url,
    key === undefined ? {} : { PAYLOAD_KEY: key }
  )
  const run = crypto.randomUUID()
  let count = 0
  const calls = (most: number) =>
    Promise.all(Array.from({ length: callers }, async () => {
      for (let call = 0; call < most / callers; call++) {
        count += 1
        const text = await post(
          service,
          "/rpc",
          frame("Ground", questionAbout(`${run}-${count}`, `${run} ${count}`))
        )
        if (!text.includes("\"_tag\":\"Outcome\"")) throw new Error(`odd: ${text.slice(0, 300)}`)
      }
    }))
  const settled = () => new Promise((resolve) => setTimeout(resolve, settleMs))
  const one = async (text: string): Promise<number> =>
    Number((await database.query(text)).rows[0]?.value)
  const sizes = async () =>
    new Map<string, number>(
      (await database.query(
        `select relname as name, pg_total_relation_size(oid)::text as size from pg_class
          where relnamespace = 'wg'::regnamespace and relkind = 'r'`
      )).rows.map(({ name, size }) => [name, Number(size)])
    )
  const wal = () => one("select (pg_current_wal_insert_lsn() - '0/0')::text as value")
  try {
    const { rows: [file] } = await database.query(
      "select pg_read_file('postmaster.pid') as text"
    )
    const postmaster = Number(String(file?.text).split("\n")[0])
    await calls(warmCalls)
    await settled()
    // A page is written whole into the journal once after each checkpoint: not counted twice.
    await database.query("checkpoint")
    const before = {
      sizes: await sizes(),
      wal: await wal(),
      events: await one("select count(*) as value from wg.events"),
      service: service.cpuSeconds(),
      database: cpuOf(postmaster)
    }
    await calls(countedCalls)
    await settled()
    const after = await sizes()
    const each = (whole: number) => whole / countedCalls
    return {
      tables: [...after].map(([name, size]) =>
        [name, each(size - (before.sizes.get(name) ?? 0))] as const
      ).filter(([, bytes]) => bytes > 0).toSorted(([, one], [, other]) => other - one),
      walBytes: each(await wal() - before.wal),
      eventsCount: each(await one("select count(*) as value from wg.events") - before.events),
      serviceMs: each(service.cpuSeconds() - before.service) * 1_000,
      databaseMs: each(cpuOf(postmaster) - before.database) * 1_000
    }
  } finally {
    await service.stop()
    provider.stop()
  }
}
