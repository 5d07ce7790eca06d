/**
 * Growth curves as pictures: session length, length of the log, entries of the evidence store,
 * callers, replicas.
 *
 * `npm run bench -- curves` takes some minutes on Linux, needs no network, starts its own
 * PostgreSQL (or uses the server of `DATABASE_URL`), prints the points and writes `docs/plots`.
 * Further arguments choose curves; `full` among them goes to 10^6 events and entries.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { loadavg } from "node:os"
import { ofCallers, ofReplicas } from "./curves/callers.ts"
import { ofLog, ofSession } from "./curves/log.ts"
import { type Curve, svgOf } from "./curves/plot.ts"
import { startDatabase } from "./load/services.ts"

const chosen = process.argv.slice(3)
const isFull = chosen.includes("full")
const sizes = [1_000, 10_000, 100_000, ...(isFull ? [1_000_000] : [])]

/** In a process of its own for each size, by the script that measures the store. */
const ofStore = async (): Promise<Curve> => {
  const percentiles = {
    p50: [] as Array<readonly [number, number]>,
    p95: [] as Array<readonly [number, number]>
  }
  for (const size of sizes) {
    const told = execFileSync(process.execPath, ["bench/evidenceStore.ts", String(size), "200"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    console.log(told.trim())
    for (const name of ["p50", "p95"] as const) {
      const value = Number(new RegExp(`${name} ([\\d.]+)`).exec(told)?.[1])
      percentiles[name].push([size, value])
    }
  }
  return {
    title: "A search of the evidence store by words",
    across: "entries",
    upwards: "milliseconds",
    series: [{ name: "p50", points: percentiles.p50 }, { name: "p95", points: percentiles.p95 }]
  }
}

const database = await startDatabase()
const curves: Readonly<Record<string, () => Promise<Curve>>> = {
  session: () => ofSession(database),
  callers: () => ofCallers(database),
  replicas: () => ofReplicas(database),
  log: () => ofLog(database, sizes),
  store: ofStore
}
try {
  mkdirSync("docs/plots", { recursive: true })
  const names = chosen.filter((name) => name in curves)
  for (const [name, run] of Object.entries(curves)) {
    if (names.length > 0 && !names.includes(name)) continue
    const curve = await run()
    writeFileSync(`docs/plots/${name}.svg`, svgOf(curve))
    for (const { name, points } of curve.series) {
      const told = points.map(([size, value]) => `${size}: ${value.toFixed(2)}`).join(", ")
      console.log(`${curve.title}; ${name}: ${told}`)
    }
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await database.stop()
}
