/**
 * Value of each piece of the domain that reads language: figures of other benchmarks with all
 * pieces, and what moves without one.
 *
 * `node bench/ablation.ts` runs `firstReading.ts`, `groundedAnswering.ts` (if its public sets are
 * in `../shared/data`, or in the folder given first) and the sandbox's models, each in a process
 * for each piece: about ten minutes. Further arguments select pieces by prefix. A figure that does
 * not move shows only that these sets do not need the piece.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { pieces } from "./ablation/pieces.ts"

const [folder = "../shared/data", ...chosen] = process.argv.slice(2)
/** Of one benchmark. */
const benchMsMax = 120_000
/** A smaller difference is none. */
const movedMin = 0.0005

const benches: ReadonlyArray<ReadonlyArray<string>> = [
  ["bench/firstReading.ts"],
  ...(existsSync(`${folder}/grounded_answering`) ? [["bench/groundedAnswering.ts", folder]] : []),
  ["bench/run.ts", "models"]
]

const hook = "./bench/ablation/without.ts"

/** Names of figures with their values; shares are taken as they are printed. */
const figuresOf = (output: string): ReadonlyMap<string, string> => {
  const figures = new Map<string, string>()
  let model = ""
  for (const line of output.split("\n")) {
    const [, named] = /^model (\S+)/.exec(line) ?? []
    if (named !== undefined) model = `${named}: `
    const [, modelFigure, held, of] = /^ {2}(\S+ +\S.*?) {2,}(\d+)\/(\d+) /.exec(line) ?? []
    const [, figure, value] = /^(\S.*?) +(\d\.\d+) \(/.exec(line) ?? []
    if (modelFigure !== undefined) {
      const share = Number(held) / Math.max(1, Number(of))
      figures.set(`${model}${modelFigure.replace(/ +/g, " ")}`, share.toFixed(3))
    } else if (figure !== undefined && value !== undefined) figures.set(figure, value)
  }
  return figures
}

interface Run {
  readonly figures: ReadonlyMap<string, string>
  /** Some benchmark came to the piece. */
  readonly isReached: boolean
}

/** The exit code of a benchmark that does not load the piece. */
const unreached = 3

const measured = (without: string): Run => {
  const runs = benches.map((bench) => {
    const env = Object.entries(process.env).filter(([name]) => !name.startsWith("LLM_"))
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--import", hook, ...bench], {
      env: { ...Object.fromEntries(env), WG_BENCH_WITHOUT: without },
      encoding: "utf8",
      timeout: benchMsMax
    })
    if (status !== 0 && status !== unreached) {
      throw new Error(`${bench.join(" ")} without ${without} ended with ${status}: ${stderr}`)
    }
    return { figures: figuresOf(stdout), status }
  })
  return {
    figures: new Map(runs.flatMap(({ figures }) => [...figures])),
    isReached: runs.some(({ status }) => status === 0)
  }
}

const whole = measured("").figures
console.log(`${whole.size} figures`)
for (const { id } of pieces) {
  if (chosen.length > 0 && !chosen.some((name) => id.startsWith(name))) continue
  const { figures, isReached } = measured(id)
  if (!isReached) throw new Error(`no benchmark loads ${id}`)
  const moved = [...figures].filter(([figure, value]) =>
    Math.abs(Number(value) - Number(whole.get(figure))) > movedMin
  )
  console.log(`without ${id}: ${moved.length === 0 ? "nothing moves" : `${moved.length} move`}`)
  for (const [figure, value] of moved) {
    console.log(`  ${figure.padEnd(64)} ${whole.get(figure)} -> ${value}`)
  }
}
