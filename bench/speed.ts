/**
 * How fast the hot path is, over real processes on one durable PostgreSQL: a repeated request
 * beside a bare echo, what a grounding costs, how long it takes and how many a service bears.
 *
 * `npm run bench -- speed` takes about ten minutes and prints one line a claim of
 * `docs/performance.md`; further arguments choose cases. Compare ratios of one run. Needs Linux.
 */
import { loadavg } from "node:os"
import { startDatabase } from "./load/services.ts"
import { cost } from "./speed/cost.ts"
import { repeated } from "./speed/repeated.ts"
import { replicas } from "./speed/replicas.ts"
import { throughput } from "./speed/throughput.ts"

const cases = { repeated, cost, throughput, replicas }

/** The run ends here whatever it is at. */
const runMsMax = 900_000
setTimeout(() => {
  console.error("the run took more than 900 s")
  process.exit(1)
}, runMsMax).unref()

const chosen = process.argv.slice(3)
const database = await startDatabase()
const load = () => loadavg()[0]?.toFixed(1)
try {
  console.log(`load average ${load()}`)
  for (const [name, run] of Object.entries(cases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for (const line of await run(database)) console.log(line)
  }
  console.log(`load average ${load()}`)
} finally {
  await database.stop()
}
