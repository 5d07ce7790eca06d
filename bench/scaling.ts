/**
 * What breaks first when load grows, and what a million groundings cost: computed from the inputs
 * below, which are measured, listed by others, or supposed, as each says.
 *
 * `node bench/scaling.ts` computes and prints the tables of `docs/scaling.md` in a moment.
 * `node bench/scaling.ts measure` measures on a PostgreSQL of its own what the inputs say of bytes
 * and CPU, in about a minute. Needs Linux. Figures: `docs/scaling.md`.
 */
import { loadavg } from "node:os"
import { drawnKey } from "../src/infrastructure/encryption/PayloadCipher.ts"
import { startDatabase } from "./load/services.ts"
import { measured } from "./scaling/measured.ts"
import { costOfMillion, type Inputs, scaleOf } from "./scaling/model.ts"

const inputs: Inputs = {
  // Supposed.
  baseRate: 1,
  meanShare: 0.4,
  useMax: 0.6,
  coresOfReplica: 1,
  coresOfPrimary: 16,
  keptMonths: 12,
  searchesEach: 1,
  promptTokens: 3_000,
  answerTokens: 600,
  // Measured: `npm run bench -- speed cost`, `node bench/scaling.ts measure`.
  serviceSeconds: 0.030,
  databaseSeconds: 0.007,
  storedBytes: 39_000,
  walBytes: 45_000,
  // Listed by the provider for an account in production, 2026-11.
  providerSeconds: 0.3,
  providerPerMinute: 1_000,
  // Listed or supposed: yours differ.
  price: {
    search: 0.008,
    promptMillion: 0.15,
    answerMillion: 0.6,
    coreHour: 0.04,
    gigabyteMonth: 0.12
  }
}

/** Connections of a replica, as `DATABASE_POOL_MAX` has them by default. */
const poolMax = 10
/** Events of a grounding with one search. Measured. */
const eventsEach = 9

const line = (...cells: ReadonlyArray<string | number>) =>
  console.log(
    cells.map((cell, index) => index === 0 ? String(cell).padEnd(30) : String(cell).padStart(12))
      .join("")
  )

const grouped = (amount: number): string =>
  amount.toLocaleString(
    "en",
    amount < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 }
  )

const compute = () => {
  const scales = [1, 10, 100, 1_000].map((times) => scaleOf(inputs, times))
  const row = (name: string, value: (scale: typeof scales[number]) => number) =>
    line(name, ...scales.map((scale) => grouped(value(scale))))
  line("load", ...scales.map(({ times }) => `${times} x`))
  row("groundings a second", ({ rate }) => rate)
  row("replicas", ({ replicas }) => replicas)
  row("connections at 10 each", ({ replicas }) => replicas * poolMax)
  row("events a second", ({ rate }) => rate * eventsEach)
  row("cores of the primaries", ({ databaseCores }) => databaseCores)
  row("primaries of 16 cores", ({ primaries }) => primaries)
  row("provider's accounts", ({ providerAccounts }) => providerAccounts)
  row("groundings under way", ({ underWay }) => underWay)
  row("answer without model, ms", ({ answerSeconds }) => answerSeconds * 1_000)
  row("stored, GB a day", ({ storedGigabytesDay }) => storedGigabytesDay)
  row("journal at the peak, MB/s", ({ walMegabytesSecond }) => walMegabytesSecond)
  console.log("\na million groundings, US dollars")
  for (const [name, dollars] of Object.entries(costOfMillion(inputs))) {
    line(name, grouped(dollars))
  }
}

const measure = async () => {
  for (const key of [undefined, drawnKey()]) {
    const database = await startDatabase()
    try {
      const { databaseMs, eventsCount, serviceMs, tables, walBytes } = await measured(database, key)
      console.log(`payloads ${key === undefined ? "plaintext" : "encrypted"}`)
      line("events", grouped(eventsCount))
      line("CPU of the service, ms", grouped(serviceMs))
      line("CPU of PostgreSQL, ms", grouped(databaseMs))
      line("journal, bytes", grouped(walBytes))
      line("stored, bytes", grouped(tables.reduce((sum, [, bytes]) => sum + bytes, 0)))
      for (const [name, bytes] of tables) line(`  ${name}`, grouped(bytes))
    } finally {
      await database.stop()
    }
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
}

if (process.argv[2] === "measure") await measure()
else compute()
