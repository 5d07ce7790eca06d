/** House style that a linter does not know. Each rule says what to write instead. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const linesMax = 600
const columnsMax = 100
/** Lines of code that a file has which only a neighbour reads; with fewer it is a part of that one. */
const crumbCodeMax = 39
/** Small files with one reader that stay apart, and why. */
const kept: ReadonlyMap<string, string> = new Map([
  ["packages/pages/src/sealed/SealedWatch.ts", "a thread of its own starts from it"],
  ["src/application/steps/DecideSearch.ts", "a step is a file"],
  ["src/application/steps/PlanQueries.ts", "a step is a file"],
  ["src/infrastructure/postgres/WrappingKeys.ts", "SQL, read by the wiring"],
  ["src/wiring/Program.ts", "loaded after the settings are read"],
  ["src/wiring/Attached.ts", "loads its neighbour only where a service runs already"]
])
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

/** A call that takes each of its arguments from the stack: some 100,000 are more than it holds. */
const spreadCall =
  /(?:\bMath\.\w+|\.(?:push|unshift|splice|concat|apply)|\bString\.from\w+)\((?:[^()[\]{}]|\([^()]*\))*?\.\.\.[\w.]+/g

/** Lists with a bound of their own: parts of one answer, figures of one view, a place or none. */
const fewArguments: ReadonlyArray<string> = [
  "Chunking.ts: .push(...Sentences.trimmed",
  "Sentences.ts: .push(...trimmed",
  "MaliciousModel.ts: Math.max(0, ...excerpts.map",
  "Services.ts: Math.hypot(...vector",
  "HealthCommand.ts: Math.max(...Object.values",
  "HealthCommand.ts: Math.max(...rows.map",
  "EvidenceIngest.ts: .push(...taken",
  "ActivityCharts.ts: Math.max(0, ...known",
  "LocalEngines.ts: Math.max(0, ...found.map",
  "SearchCall.ts: Math.min(...waits",
  "CheckReadiness.ts: .push(...event.attempts",
  "PublicApi.ts: .push(...slice.events",
  "VerifyLog.ts: .push(...found.slice",
  "ProjectionRunner.ts: Math.max(0, ...lags.map",
  "WhatIfSession.ts: Math.min(rulesVersion, ...rules",
  "ConfidenceFeatures.ts: Math.min(...ranks",
  "ConfidenceFeatures.ts: Math.max(...claims.map",
  "PackAssembly.ts: Math.max(0, ...disputed.map",
  "Outcome.ts: Math.max( 0, ...searches.flatMap",
  "PackSharing.ts: Math.max(0, ...cached.map"
]

const isComment = (line: string) => /^\s*(\*|\/\/|\/\*)/.test(line)

/** What a line says outside of its string literals. */
const code = (line: string) =>
  line.replace(/"(\\.|[^"\\])*"|`[^`]*`|\/(\\.|[^/\\\n])+\/[a-z]*/g, "\"\"")

/** Without blanks, comments and imports. */
const codeLinesOf = (source: string): number =>
  source.replace(/\/\*[^]*?\*\//g, "").replace(/^import [^]*?"[^"]+".*$/gm, "")
    .split("\n").filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length

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
  const files = globSync("{src,packages/{language,pages,safe-fetch,sandbox}/src}/**/*.ts").sort()
  const lengthOf = (file: string) => readFileSync(file, "utf8").split("\n").length

  const offencesOf = (file: string): ReadonlyArray<string> => {
    const source = readFileSync(file, "utf8")
    const found = [
      ...(lengthOf(file) > linesMax ? [`longer than ${linesMax} lines`] : []),
      ...(drawer.test(file) ? ["is named after no subject"] : []),
      ...offences(source)
    ]
    return found.map((offence) => `${file}: ${offence}`)
  }

  it("hands no list of a page's or a session's length over as arguments", () => {
    const found = globSync("{src,packages/*/src}/**/*.ts").sort().flatMap((file) =>
      Array.from(
        readFileSync(file, "utf8").matchAll(spreadCall),
        ([call]) => `${basename(file)}: ${call.replace(/\s+/g, " ")}`
      )
    )
    assert.deepStrictEqual(found, fewArguments)
  })

  it("holds in every source file", () => {
    assert.isAbove(files.length, filesMin)
    assert.deepStrictEqual(files.flatMap(offencesOf), [])
  })

  it("names a service by its path", () => {
    const wrong = files.flatMap((file) => {
      const path = `web-grounding/${
        file.replace(/^src\/|\.ts$/g, "").replace(/^(packages\/[^/]+)\/src/, "$1")
      }`
      const named = readFileSync(file, "utf8").matchAll(
        /class (\w+) extends Context\.Service<[^]*?>\(\)\(\s*"([^"]+)"|const (\w+) = Context\.Reference(?:<[^]*?>)?\(\s*"([^"]+)"/g
      )
      return Array.from(
        named,
        ([, service, key, reference, other]) =>
          [service ?? reference ?? "", key ?? other ?? ""] as const
      ).filter(([name, key]) =>
        key !== "web-grounding/client" &&
        key !== (path.endsWith(`/${name}`) ? path : `${path}/${name}`)
      ).map(([, key]) => `${file}: ${key}`)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("leaves no crumb that one file alone reads", () => {
    const readers = new Map<string, Array<string>>()
    for (const file of files) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
        const target = join(dirname(file), from)
        readers.set(target, [...readers.get(target) ?? [], file])
      }
    }
    const faces = globSync("packages/*/package.json").map((file) => readFileSync(file, "utf8"))
    const isOffered = (file: string) =>
      faces.some((face) => face.includes(`"./${file.split("/").slice(2).join("/")}"`))
    const crumbs = files.filter((file) => {
      const [reader = "", ...more] = readers.get(file) ?? []
      return reader !== "" && more.length === 0 && !isOffered(file) && !kept.has(file) &&
        codeLinesOf(readFileSync(file, "utf8")) <= crumbCodeMax
    })
    assert.deepStrictEqual(crumbs, [])
  })
})
