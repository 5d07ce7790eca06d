/**
 * What a service does under load, over real processes on one PostgreSQL: a busy session, slow
 * groundings, clients that do not read, many connections, dear bodies, and more calls than it bears.
 *
 * `npm run bench -- load` takes less than four minutes and prints one line a case, each beside its
 * control of the same run; further arguments choose cases by their first word. Compare ratios of
 * one run. Needs Linux (`/proc`).
 */
import { loadavg } from "node:os"
import { busySession } from "./load/busySession.ts"
import { connections } from "./load/connections.ts"
import { dearBodies } from "./load/dearBodies.ts"
import { goodput } from "./load/goodput.ts"
import { startDatabase } from "./load/services.ts"
import { slowGroundings } from "./load/slowGroundings.ts"
import { unreadAnswers } from "./load/unreadAnswers.ts"

const cases = {
  session: busySession,
  slow: slowGroundings,
  unread: unreadAnswers,
  connections,
  bodies: dearBodies,
  goodput
}

/** The run ends here whatever it is at. */
const runMsMax = 300_000
setTimeout(() => {
  console.error("the run took more than 300 s")
  process.exit(1)
}, runMsMax).unref()

const chosen = process.argv.slice(3)
const database = await startDatabase()
const load = () => loadavg()[0]?.toFixed(1)
try {
  console.log(`load average ${load()}`)
  for (const [name, run] of Object.entries(cases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for (const line of await run(database)) console.log(`${name.padEnd(12)}${line}`)
  }
  console.log(`load average ${load()}`)
} finally {
  await database.stop()
}
