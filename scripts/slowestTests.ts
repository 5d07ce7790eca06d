/**
 * Lists the test files that take most: `WG_TEST_TIMES=<file> npm test`, then
 * `node scripts/slowestTests.ts <file> [count]`.
 *
 * The first column is seconds of the processors, which a busy machine hardly changes; the second,
 * seconds by the clock, of files that run beside each other.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"

const countDefault = 20

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  file: Schema.String,
  seconds: Schema.Number,
  cpuSeconds: Schema.Number
})))

const [path, count = String(countDefault)] = process.argv.slice(2)
if (path === undefined) {
  console.error("Expected the file that WG_TEST_TIMES has named")
  process.exit(1)
}

const row = (cpuSeconds: number, seconds: number, what: string) =>
  [cpuSeconds, seconds].map((one) => one.toFixed(1).padStart(7)).join(" ") + `  ${what}`

const files = readFileSync(path, "utf8").trimEnd().split("\n").map((line) => decodeLine(line))
  .toSorted((left, right) => right.cpuSeconds - left.cpuSeconds)
for (const { cpuSeconds, file, seconds } of files.slice(0, Number(count))) {
  console.log(row(cpuSeconds, seconds, file))
}
const sumOf = (of: "cpuSeconds" | "seconds") => files.reduce((sum, file) => sum + file[of], 0)
console.log(row(sumOf("cpuSeconds"), sumOf("seconds"), `all ${files.length} files`))
