/** Cases of a bench, one after the other on one database: all of them, or those that were chosen. */
import { loadavg } from "node:os"
import { type Database, startDatabase } from "./services.ts"

const msInSecond = 1_000

export type Cases = Readonly<
  Record<string, (database: Database) => Promise<ReadonlyArray<string>>>
>

/**
 * Prints the lines of each case between two lines with the load average. Ends the process after
 * `runMsMax`, whatever it is at. Arguments behind the bench's name choose cases.
 */
export const runCases = async (
  cases: Cases,
  { lineOf, runMsMax }: {
    readonly runMsMax: number
    readonly lineOf: (name: string, line: string) => string
  }
): Promise<void> => {
  setTimeout(() => {
    console.error(`the run took more than ${runMsMax / msInSecond} s`)
    process.exit(1)
  }, runMsMax).unref()
  const chosen = process.argv.slice(3)
  const database = await startDatabase()
  const load = () => loadavg()[0]?.toFixed(1)
  try {
    console.log(`load average ${load()}`)
    for (const [name, run] of Object.entries(cases)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue
      for (const line of await run(database)) console.log(lineOf(name, line))
    }
    console.log(`load average ${load()}`)
  } finally {
    await database.stop()
  }
}
