/**
 * Notes what each test file took, as a line of JSON in the file that `WG_TEST_TIMES` names: seconds by
 * the clock, and seconds of the processors, those of its processes that have ended included.
 *
 * Linux alone tells of the latter; elsewhere they count as none.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { afterAll, expect } from "vitest"

const statFile = "/proc/self/stat"
const ticksPerSecond = 100
/** Fields of user and system time of the processes that have ended, counted behind the name. */
const childFields = [13, 14]

const childSeconds = (): number => {
  if (!existsSync(statFile)) return 0
  const fields = readFileSync(statFile, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return childFields.reduce((sum, place) => sum + Number(fields[place]), 0) / ticksPerSecond
}

const path = process.env["WG_TEST_TIMES"]
const startMs = performance.now()
const cpuBefore = process.cpuUsage()
const childrenBefore = childSeconds()

afterAll(() => {
  if (path === undefined) return
  const { system, user } = process.cpuUsage(cpuBefore)
  const line = {
    file: relative(process.cwd(), expect.getState().testPath ?? ""),
    seconds: (performance.now() - startMs) / 1_000,
    cpuSeconds: (system + user) / 1_000_000 + childSeconds() - childrenBefore
  }
  appendFileSync(path, `${JSON.stringify(line)}\n`)
})
