/**
 * Lists the test files that take longest, by what vitest's JSON reporter has written:
 * `npx vitest run --reporter=json --outputFile=<file>`, then `node scripts/slowestTests.ts <file> [count]`.
 *
 * Seconds by the clock: files run beside each other, and a file that waits takes no core.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { relative } from "node:path"

const countDefault = 20

const Report = Schema.fromJsonString(Schema.Struct({
  testResults: Schema.Array(Schema.Struct({
    name: Schema.String,
    /** Milliseconds since 1970. */
    startTime: Schema.Number,
    endTime: Schema.Number
  }))
}))

const [file, count = String(countDefault)] = process.argv.slice(2)
if (file === undefined) {
  console.error("Expected the file that vitest's JSON reporter has written")
  process.exit(1)
}

const { testResults } = Schema.decodeUnknownSync(Report)(readFileSync(file, "utf8"))
const files = testResults.map(({ endTime, name, startTime }) => ({
  name: relative(process.cwd(), name),
  seconds: (endTime - startTime) / 1_000
})).toSorted((left, right) => right.seconds - left.seconds)
const told = files.slice(0, Number(count))
for (const { name, seconds } of told) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`)
const sum = files.reduce((all, { seconds }) => all + seconds, 0)
console.log(`${sum.toFixed(1).padStart(7)}  all ${files.length} files`)
