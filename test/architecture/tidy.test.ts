/** House style that a linter does not know. Each rule says what to write instead. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

const linesMax = 400
const columnsMax = 100
const medianLinesMax = 120
const entriesMax = 24
/** A glob that finds fewer sources than this looks in the wrong place. */
const filesMin = 100

const drawer = /(^|\/)(index|utils?|helpers?|common|misc|types|constants)(\.ts|\/)/i

const banned: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bthrow\b/, "fail with a tagged error, or Effect.die"],
  [/\btry\s*\{/, "Effect.try / Effect.tryPromise"],
  [/\basync\b|(?<!\.)\bawait\b/, "Effect.gen"],
  [/\bDate\.now\b|new Date\(/, "DateTime.now or Clock"],
  [/Math\.random/, "Random"],
  [/(^|[^.\w])console\./, "Effect.log or Console"],
  [/process\.env/, "Config"],
  [/:\s*any\b|<any>|as any\b/, "unknown and a Schema"],
  [/\benum\s\w|\bnamespace\s\w/, "Schema.Literals; type stripping cannot erase these"],
  [/export default/, "a named export"],
  [/export \* from/, "import from the module itself"],
  [/@ts-(ignore|expect-error)/, "let the type say it"],
  [/\b(FIXME|TODO|XXX|HACK)\b/, "finish it before merging"]
]

const isComment = (line: string) => /^\s*(\*|\/\/|\/\*)/.test(line)

/** What a line says outside of its string literals. */
const code = (line: string) =>
  line.replace(/"(\\.|[^"\\])*"|`[^`]*`|\/(\\.|[^/\\\n])+\/[a-z]*/g, "\"\"")

const offences = (source: string): ReadonlyArray<string> =>
  source.split("\n").flatMap((line, index) => {
    const at = `line ${index + 1}`
    // A pattern or a text may be as long as it is; the code around it may not.
    const columns = isComment(line) ? line.length : Math.min(line.length, code(line).length)
    const long = columns > columnsMax ? [`${at}: longer than ${columnsMax} columns`] : []
    if (isComment(line)) return long
    return [
      ...long,
      ...banned.flatMap(([pattern, instead]) =>
        pattern.test(code(line)) ? [`${at}: ${instead}`] : []
      )
    ]
  })

describe("tidiness", () => {
  const files = globSync("{src,packages/{language,pages,sandbox}/src}/**/*.ts").sort()
  const lengthOf = (file: string) => readFileSync(file, "utf8").split("\n").length

  const offencesOf = (file: string): ReadonlyArray<string> => {
    const source = readFileSync(file, "utf8")
    const found = [
      ...(lengthOf(file) > linesMax ? [`longer than ${linesMax} lines`] : []),
      ...(source.startsWith("/**") ? [] : ["does not open with a sentence on what it is for"]),
      ...(drawer.test(file) ? ["is named after no subject"] : []),
      ...offences(source)
    ]
    return found.map((offence) => `${file}: ${offence}`)
  }

  it("holds in every source file", () => {
    assert.isAbove(files.length, filesMin)
    assert.deepStrictEqual(files.flatMap(offencesOf), [])
  })

  it("keeps files short: half of them under the guide", () => {
    const lengths = files.map(lengthOf).sort((left, right) => left - right)
    assert.isAtMost(lengths[Math.floor(lengths.length / 2)] ?? 0, medianLinesMax)
  })

  it("keeps folders small enough to take in", () => {
    const folders = Map.groupBy(files, (file) => file.split("/").slice(0, -1).join("/"))
    for (const [folder, entries] of folders) assert.isAtMost(entries.length, entriesMax, folder)
  })

  it("would notice what it bans", () => {
    const samples = [
      "throw new Error()",
      "const a: any = 1",
      "await x",
      "console.log(1)",
      "x = Date.now()"
    ]
    for (const sample of samples) assert.isNotEmpty(offences(sample), sample)
    assert.isEmpty(offences("const text = \"we throw and await\""))
  })
})
