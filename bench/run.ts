/**
 * How long a newcomer waits: the first run of the main job and later ones, each a process of its own.
 *
 * Prints one line a case: minimum, median and maximum in seconds. `curves`, `growth`,
 * `load`, `models`, `soak`, `speed` or `telemetry` as an argument runs the script of that name instead.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const scripts = ["curves", "growth", "load", "models", "soak", "speed", "telemetry"]
const [, , chosen = ""] = process.argv
if (scripts.includes(chosen)) {
  await import(`./${chosen}.ts`)
  process.exit(0)
}

const roundsMax = 5
const question = "How much notice must a tenant give in Japan?"

const run = (directory: string, args: ReadonlyArray<string>): number => {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ["bin/wg.js", ...args], {
    env: { PATH: process.env["PATH"], WEB_GROUNDING_DATA_DIR: directory },
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`)
  return (performance.now() - start) / 1_000
}

const report = (name: string, seconds: ReadonlyArray<number>) => {
  const sorted = seconds.toSorted((left, right) => left - right)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)
  console.log(
    `${name.padEnd(28)} min ${at(0)} s  median ${at(0.5)} s  max ${at(1)} s  n ${sorted.length}`
  )
}

const rounds = Array.from({ length: roundsMax }, () => {
  const directory = mkdtempSync(join(tmpdir(), "wg-bench-"))
  const ground = ["ground", question, "--sandbox", "--session"]
  const times = {
    first: run(directory, [...ground, "s1"]),
    later: run(directory, [...ground, "s2"]),
    repeated: run(directory, [...ground, "s3", "--request", "r"]),
    replay: run(directory, ["replay", "s1"]),
    help: run(directory, ["--help"])
  }
  rmSync(directory, { recursive: true, force: true })
  return times
})

report("first run, new directory", rounds.map(({ first }) => first))
report("later run", [
  ...rounds.map(({ later }) => later),
  ...rounds.map(({ repeated }) => repeated)
])
report("replay", rounds.map(({ replay }) => replay))
report("help", rounds.map(({ help }) => help))
