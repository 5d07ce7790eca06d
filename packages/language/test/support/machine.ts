/** What a limit of time means on a machine that others use too. */
import { availableParallelism, loadavg } from "node:os"

/** CPU time of this process while `run` works, in milliseconds: others on the machine do not count. */
export const cpuMsOf = (run: () => unknown): number => {
  const before = process.cpuUsage()
  run()
  return cpuMsSince(before)
}

/** As `cpuMsOf`, from a reading of `process.cpuUsage()` on. */
export const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

/** Rounds of a piece of work that takes a core some milliseconds. */
const pieceRounds = 2_000_000

const piece = (): number => {
  let sum = 0
  for (let round = 0; round < pieceRounds; round++) sum = (sum * 31 + round) % 1_000_003
  return sum
}

/** Warmed up once, so that the first caller does not measure the compiler. */
piece()

/**
 * How many times longer than on idle cores anything takes now, at least 1: by the queue for the
 * cores, and by how long a piece of work waits for its CPU time.
 */
export const slowness = (): number => {
  const startMs = performance.now()
  const workedMs = cpuMsOf(piece)
  const waited = (performance.now() - startMs) / Math.max(1, workedMs)
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism(), waited)
}

/** `idleMs`: the grace that idle cores need, in milliseconds. Answers what is needed now. */
export const grace = (idleMs: number): number => idleMs * slowness()
