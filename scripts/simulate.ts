/**
 * Plays seeded scenarios of three replicas over one database, and names those that break an
 * invariant.
 *
 * `npm run simulate -- --seeds 2000` plays seeds 1 to 2000; `--first 5001` begins elsewhere;
 * `--brief` ends with the first that fails; `--seed 42` plays one and prints its trace;
 * `--from-session FILE` plays the incident in the events of a session: as it was in seed 0, and
 * disturbed in the others. Fails when one fails.
 */
import { Option } from "effect"
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { sha256 } from "../src/infrastructure/Digest.ts"
import { disturbed, scenarioOf } from "../test/simulation/Incident.ts"
import { drawn, type Scenario } from "../test/simulation/Scenario.ts"
import { sealed } from "../test/simulation/Sealed.ts"
import { shortened } from "../test/simulation/Shortening.ts"
import { play, type Played } from "../test/simulation/Simulation.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    first: { type: "string", default: "1" },
    brief: { type: "boolean", default: false },
    seed: { type: "string" },
    "from-session": { type: "string" }
  }
})

const microsInMs = 1_000

const cpuMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / microsInMs
}

const print = (played: Played): void => {
  console.log(played.trace.join("\n"))
  console.log(`seed ${played.seed}: ${played.steps} steps, trace ${played.fingerprint}`)
}

/** What went wrong, on how short a way, and how to see it again. */
const tell = (scenario: Scenario, failed: Played): void => {
  const [shortest, played] = sealed(() => shortened(scenario, failed, play))
  console.log(`seed ${failed.seed} violates: ${failed.violation?.invariant}`)
  console.log(
    `shortened to ${shortest.commands.length} of ${scenario.commands.length} commands and ` +
      `${shortest.faults.length} of ${scenario.faults.length} faults:`
  )
  console.log(JSON.stringify({ commands: shortest.commands, faults: shortest.faults }))
  console.log(played.trace.join("\n"))
  const from = values["from-session"]
  const file = from === undefined ? "" : ` --from-session ${from}`
  console.log(`again: npm run simulate -- --seed ${failed.seed}${file}`)
}

const playAll = (scenarios: Iterable<Scenario>): boolean => {
  const costs: Array<number> = []
  const counts: Record<string, number> = { events: 0, searches: 0, uncertain: 0 }
  const fingerprints: Array<string> = []
  let violations = 0
  for (const scenario of scenarios) {
    const beforeMs = cpuMs()
    const played = sealed(() => play(scenario))
    costs.push(cpuMs() - beforeMs)
    fingerprints.push(played.fingerprint)
    const { ended, ...figures } = played.figures
    for (const [name, count] of Object.entries({ ...figures, ...ended })) {
      counts[name] = (counts[name] ?? 0) + count
    }
    if (played.violation === undefined) continue
    violations += 1
    if (values.brief) {
      console.log(`seed ${scenario.seed} violates: ${played.violation.invariant}`)
      break
    }
    tell(scenario, played)
  }
  const sorted = costs.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const mean = costs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, costs.length)
  console.log(
    `${costs.length} scenarios, ${violations} violations; CPU of each: ` +
      `median ${median.toFixed(1)} ms, mean ${mean.toFixed(1)} ms`
  )
  console.log(Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", "))
  console.log(`traces ${sha256(fingerprints.join("\n"))}`)
  return violations === 0
}

/** The scenario of a seed: drawn, or the incident as it was (seed 0) and disturbed. */
const scenarioOfSeed = (): (seed: number) => Scenario => {
  const file = values["from-session"]
  if (file === undefined) return drawn
  const incident = Option.getOrUndefined(scenarioOf(readFileSync(file, "utf8")))
  if (incident === undefined) {
    console.error(`${file} holds no event of a request`)
    process.exit(2)
  }
  return (seed) => seed === 0 ? { ...incident, seed } : disturbed(incident, seed)
}

const ofSeed = scenarioOfSeed()

function* seeded(first: number, count: number): Generator<Scenario> {
  for (let seed = first; seed < first + count; seed++) yield ofSeed(seed)
}

if (values.seed !== undefined) {
  const played = sealed(() => play(ofSeed(Number(values.seed))))
  print(played)
  process.exitCode = played.violation === undefined ? 0 : 1
} else {
  const isSound = playAll(seeded(Number(values.first), Number(values.seeds)))
  process.exitCode = isSound ? 0 : 1
}
